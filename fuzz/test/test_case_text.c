/* The case line: what is read, what is written, and where each mistake is reported. */
#include "fuzz/fill.h"
#include "fuzz/test/made_case.h"
#include "fuzz/test/case_equal.h"

static void check_round_trip(const struct fuzz_case *test_case)
{
    char text[CASE_TEXT_BYTES], again[CASE_TEXT_BYTES];
    size_t length = case_format(test_case, text, sizeof text);
    ck_assert_uint_eq(length, strlen(text));
    const struct fuzz_case read = made_case(text);
    ck_assert(case_equal(test_case, &read));
    case_format(&read, again, sizeof again);
    ck_assert_str_eq(text, again);
}

START_TEST(every_generated_case_is_read_again, "cases.text.stable")
{
    for (int index = 0; index < algorithm_count; index++) {
        struct generator generator = made_generator(algorithms[index], TIER_STANDARD, 5);
        for (uint64_t number = 0; number < generator.count; number++) {
            struct fuzz_case test_case = generated(&generator, number);
            check_round_trip(&test_case);
        }
    }
}

START_TEST(the_longest_line_fits, "cases.text.stable")
{
    for (int index = 0; index < algorithm_count; index++) {
        struct fuzz_case test_case = {.algorithm = algorithms[index], .seed = UINT64_MAX};
        char text[CASE_TEXT_BYTES];
        for (int axis = 0; axis < ALGORITHM_AXES_MAX; axis++)
            test_case.axis[axis] = ALGORITHM_SPAN_BYTES_MAX - axis;
        for (test_case.fill = 0; test_case.fill < FILL_COUNT; test_case.fill++)
            ck_assert_uint_lt(case_format(&test_case, text, sizeof text), CASE_TEXT_BYTES);
    }
}

START_TEST(a_line_is_cut_where_the_room_ends, "cases.text.stable")
{
    const char *line = "adjacent_difference n=7 fill=uniform seed=1";
    char text[] = "xxxxxxxxxx";
    struct fuzz_case test_case = made_case(line);
    ck_assert_uint_eq(case_format(&test_case, text, 8), 7);
    ck_assert_str_eq(text, "adjacen");
    ck_assert_int_eq(text[8], 'x');
}

START_TEST(lines_of_old_versions_keep_their_meaning, "cases.text.stable")
{
    char text[CASE_TEXT_BYTES];
    const char *line = "matmul m=33 n=1 k=17 lda=20 a_offset=3 fill=position seed=7";
    struct fuzz_case test_case = made_case(line);
    const int64_t axes[] = {33, 1, 17, 20, 1, 1, 3, 0, 0};
    ASSERT_BYTES_EQUAL(test_case.axis, axes, sizeof axes);
    ck_assert_str_eq(fills[test_case.fill].name, "position");
    ck_assert_uint_eq(test_case.seed, 7);
    case_format(&test_case, text, sizeof text);
    ck_assert_str_eq(text, line);
}

/* Keys may come in any order; what is at its default is not written. */
START_TEST(a_case_is_written_in_one_way, "cases.text.canonical")
{
    char text[CASE_TEXT_BYTES];
    struct fuzz_case test_case =
        made_case("strided_copy seed=18446744073709551615 element=4 fill=equal stride=1 n=0");
    case_format(&test_case, text, sizeof text);
    ck_assert_str_eq(text, "strided_copy n=0 fill=equal seed=18446744073709551615");
    test_case = made_case("matmul m=0 n=0 k=0 ldb=5 fill=uniform seed=0");
    case_format(&test_case, text, sizeof text);
    ck_assert_str_eq(text, "matmul m=0 n=0 k=0 ldb=5 fill=uniform seed=0");
}

static const struct mistake {
    const char *line;
    int column;
    const char *message; /* a part of it */
} mistakes[] = {
    {"", 1, "algorithm's name is expected"},
    {" matmul", 1, "algorithm's name is expected"},
    {"gemm m=1", 1, "no algorithm is named 'gemm'"},
    {"matmulx m=1", 1, "no algorithm is named 'matmulx'"},
    {"matmu", 1, "no algorithm is named 'matmu'"},
    {"mat\033mul", 1, "no algorithm is named 'mat?mul'"},
    {"aat\tm=1", 1, "no algorithm is named"},
    {"aat", 4, "m is missing"},
    {"aat m=1 fill=uniform seed=1", 28, "k is missing"},
    {"aat m=1 k=1 seed=1", 19, "fill is missing"},
    {"aat m=1 k=1 fill=uniform", 25, "seed is missing"},
    {"aat m=1 k=1 fill=uniform seed=1 ", 33, "a key is expected after one space"},
    {"aat  m=1 k=1 fill=uniform seed=1", 5, "a key is expected after one space"},
    {"aat =1", 5, "a key is expected"},
    {"aat n=1", 5, "aat has no 'n'"},
    {"aat M=1", 5, "aat has no 'M'"},
    {"aat axes=1", 5, "aat has no 'axes'"},
    {"aat m=1 k=1 m=1", 13, "m is given twice"},
    {"aat seed=1 seed=1", 12, "seed is given twice"},
    {"aat m", 6, "m wants = and a value"},
    {"aat m k=1", 6, "m wants = and a value"},
    {"aat m= k=1", 7, "m has no value"},
    {"aat m=1x k=1", 8, "'1x' is not a number"},
    {"aat m=-1", 7, "'-1' is not a number"},
    {"aat m=+1", 7, "'+1' is not a number"},
    {"aat m=0x10", 7, "leading 0"},
    {"aat m=01", 7, "leading 0"},
    {"aat m=1.5", 8, "not a number"},
    {"aat m=1=1", 8, "not a number"},
    {"aat m=1,k=1", 8, "not a number"},
    {"aat m=1\tk=1", 8, "'1?k=1' is not a number"},
    {"aat m=17592186044417", 7, "too large: at most 17592186044416"},
    {"aat m=9223372036854775808", 7, "too large"},
    {"aat m=18446744073709551616", 7, "too large"},
    {"aat m=99999999999999999999999999999999999999999999999999", 7, "too large"},
    {"aat seed=18446744073709551616", 10, "too large: at most 18446744073709551615"},
    {"aat m=1 k=1 fill=none seed=1", 18, "no fill is named 'none'"},
    {"aat m=1 k=1 fill=uniformx seed=1", 18, "no fill is named 'uniformx'"},
    {"aat m=1 k=1 fill=0 seed=1", 18, "no fill is named '0'"},
    {"aat m=1 k=5 lda=4 fill=uniform seed=1", 17, "lda=4 is below the width, k=5"},
    {"aat lda=4 m=1 k=5 fill=uniform seed=1", 9, "lda=4 is below the width, k=5"},
    {"aat m=1 k=0 lda=0 fill=uniform seed=1", 17, "lda=0 is below 1"},
    {"strided_copy n=1 stride=0 fill=uniform seed=1", 25, "stride=0 is below 1"},
    {"offset_copy n=1 element=3 fill=uniform seed=1", 25, "1, 2, 4, 8 or 16 bytes, not 3"},
    {"offset_copy n=1 element=0 fill=uniform seed=1", 25, "not 0"},
    {"offset_copy n=1 element=32 fill=uniform seed=1", 25, "not 32"},
    {"matmul m=4194304 n=4194304 k=1 fill=uniform seed=1", 10, "operand c spans more"},
    {"aat m=17592186044416 k=17592186044416 fill=uniform seed=1", 7, "operand a spans more"},
    {"adjacent_difference n=4398046511105 fill=uniform seed=1", 23, "operand a spans more"},
    {"adjacent_difference n=1 b_offset=4398046511104 fill=uniform seed=1", 23, "operand b spans"},
    {"strided_copy n=17592186044416 stride=17592186044416 fill=uniform seed=1", 16, "spans more"},
    {"aat m=1 k=1 fill=uniform seed=1\n", 32, "'1?' is not a number"},
};

START_TEST(every_mistake_is_reported_with_its_column, "cases.text.strict")
{
    for (size_t index = 0; index < sizeof mistakes / sizeof mistakes[0]; index++) {
        const struct mistake *mistake = &mistakes[index];
        struct fuzz_case test_case, untouched;
        struct case_error error = {0};
        memset(&test_case, 0x5a, sizeof test_case);
        memset(&untouched, 0x5a, sizeof untouched);
        ck_assert_msg(!case_parse(mistake->line, &test_case, &error), "%s", mistake->line);
        ck_assert_msg(strstr(error.message, mistake->message), "%s: %s", mistake->line,
                      error.message);
        ck_assert_msg(error.column == mistake->column, "%s: column %d", mistake->line,
                      error.column);
        ASSERT_BYTES_EQUAL(&test_case, &untouched, sizeof test_case);
    }
}

START_TEST(an_endless_line_is_refused, "cases.text.strict")
{
    char line[4 * CASE_TEXT_BYTES];
    struct fuzz_case test_case;
    struct case_error error;
    memset(line, 'm', sizeof line);
    line[sizeof line - 1] = 0;
    ck_assert(!case_parse(line, &test_case, &error));
    ck_assert_int_eq(error.column, CASE_TEXT_BYTES);
    line[CASE_TEXT_BYTES - 1] = 0; /* just short enough: read, and its name quoted in part */
    ck_assert(!case_parse(line, &test_case, &error));
    ck_assert_int_eq(error.column, 1);
    ck_assert_uint_lt(strlen(error.message), 80);
}

START_TEST(sizes_up_to_the_span_are_taken, "cases.text.range")
{
    made_case("adjacent_difference n=4398046511104 fill=uniform seed=1");
    struct fuzz_case test_case =
        made_case("matmul m=2097152 n=2097152 k=2097152 fill=uniform seed=1");
    ck_assert_int_eq(case_elements(&test_case), INT64_C(1) << 42);
    ck_assert(case_cost_s(&test_case) > 1e6);
}
