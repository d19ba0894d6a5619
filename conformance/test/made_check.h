/* Checkers till the test ends, and what cases come to in them. */
#pragma once

#include "conformance/test/made_device.h"
#include "conformance/test/made_subject.h"
#include "conformance/work/checker.h"
#include "spec/testing.h"

static inline void made_checker_release(void *checker)
{
    checker_close(checker);
}

static inline struct checker *made_checker(struct device *device)
{
    struct checker *checker = testing_new(sizeof *checker);
    ck_assert_int_eq(checker_open(checker, device), CU_SUCCESS);
    testing_keep(checker, made_checker_release);
    return checker;
}

/* Takes the result into its place of an array; into the only one. */
static inline void made_take(void *results, int index, const struct check_result *result)
{
    ((struct check_result *)results)[index] = *result;
}

static inline void made_take_one(void *ret, int index, const struct check_result *result)
{
    ck_assert_int_eq(index, 0);
    *(struct check_result *)ret = *result;
}

/* The result of a kernel on a case of the host device. */
static inline struct check_result made_check(struct checker *checker, const char *kernel,
                                             const char *line)
{
    const struct fuzz_case test_case = made_case(line);
    const struct subject subject = made_subject(0, made_kernel(kernel), "host");
    struct check_result result = {.verdict = VERDICT_ERROR};
    checker_run(checker, &test_case,
                &(struct check_list){&subject, 1, true, made_take_one, &result});
    return result;
}
