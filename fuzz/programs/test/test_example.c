/* Files for the one who mends a compiler: small, whole, and with what is wrong. */
#include "fuzz/programs/example.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cpu_ref/programs/program.h"
#include "fuzz/programs/program_case.h"
#include "spec/testing.h"

static int lines(const char *text)
{
    int count = 0;
    for (; *text; text++)
        count += *text == '\n';
    return count;
}

START_TEST(a_file_stands_alone)
{
    CLAUSE("program_cases.example.whole");
    static const char line[] = "program version=2 seed=7 statements=12 threads=2 operation=add "
                               "drop=2-11 set=0.2:0x7,1.1:0x1";
    static struct program_case it;
    static struct program program;
    char error[PROGRAM_ERROR_BYTES];
    uint64_t input[64], expected[64], got[64];
    ck_assert_msg(program_case_parse(line, &it, error), "%s", error);
    program_case_make(&it, &program);
    program_case_inputs(&it, &program, input);
    program_interpret(&program, input, expected);
    memcpy(got, expected, sizeof got);
    got[1] ^= 0x10;
    struct program_example example = {.program = &program,
                                      .line = line,
                                      .note = "ptxas 99.0 -O1 and above\nright at -O0\n",
                                      .input = input,
                                      .expected = expected,
                                      .got = got};
    struct program_text ptx = {0}, c = {0};
    char difference[160];
    example_ptx(&ptx, &example, 90);
    example_c(&c, &example);
    snprintf(difference, sizeof difference,
             "// output[1] (v0 in thread 1): expected 0x%llx, got 0x%llx\n",
             (unsigned long long)expected[1], (unsigned long long)got[1]);
    const struct program_text *texts[] = {&ptx, &c};
    for (int index = 0; index < 2; index++) {
        ck_assert_ptr_nonnull(strstr(texts[index]->text, line));
        ck_assert_ptr_nonnull(strstr(texts[index]->text, "// right at -O0\n"));
        ck_assert_ptr_nonnull(strstr(texts[index]->text, difference));

        ck_assert_int_lt(lines(texts[index]->text), 100);
    }
    ck_assert_ptr_nonnull(strstr(ptx.text, ".visible .entry p("));
    ck_assert_ptr_nonnull(strstr(c.text, "p<<<1, THREADS>>>"));
    free(ptx.text);
    free(c.text);
}
