/* A library that a driver needs and that a test leaves out (broken_driver.sh). */
int stand_in_needed(void);
int stand_in_needed(void)
{
    return 0;
}
