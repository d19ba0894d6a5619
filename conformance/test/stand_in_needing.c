/* A driver that cannot be loaded without the library that it needs (broken_driver.sh). */
int stand_in_needed(void);
int cuInit(unsigned flags);

int cuInit(unsigned flags)
{
    return stand_in_needed() + (int)flags;
}
