/* Words for people: counts with what they count, and places. */
#include "conformance/report/failure.h"
#include "conformance/number.h"
#include "conformance/report/report.h"
#include "spec/testing.h"

START_TEST(counts_have_their_number)
{
    CLAUSE("report.text.counts");
    static const struct {
        uint64_t count;
        const char *one, *text;
    } table[] = {
        {0, "case", "0 cases"},
        {1, "case", "1 case"},
        {2, "case", "2 cases"},
        {25039, "case", "25,039 cases"},
        {1, "try", "1 try"},
        {5, "try", "5 tries"},
        {1, "launch", "1 launch"},
        {4008, "launch", "4,008 launches"},
        {2, "other process", "2 other processes"},
        {UINT64_MAX, "uncorrected memory error",
         "18,446,744,073,709,551,615 uncorrected memory errors"},
    };
    char text[NUMBER_COUNT_BYTES], total[FAILURE_TEXT_BYTES];
    for (size_t index = 0; index < sizeof table / sizeof table[0]; index++)
        ck_assert_str_eq(number_count(table[index].count, table[index].one, text),
                         table[index].text);
    failure_total(1, 0, 2, 1, total);
    ck_assert_str_eq(total, "1 wrong element, 0 gap bytes, 2 guard bytes, 1 input");
}
END_TEST

START_TEST(a_loss_is_not_made_smaller)
{
    CLAUSE("bandwidth.floor.found_loss");
    static const struct {
        double loss;
        const char *text;
    } table[] = {{0, ""},           {0.186, "-18.6 %"}, {0.1861, "-18.7 %"},
                 {0.02, "-2.0 %"},  {0.0299, "-3.0 %"}, {0.0001, "-0.1 %"},
                 {0.033, "-3.3 %"}, {1, "-100.0 %"}};
    char text[NUMBER_TEXT_BYTES];
    for (size_t row = 0; row < sizeof table / sizeof table[0]; row++)
        ck_assert_str_eq(number_loss(table[row].loss, text), table[row].text);
}
END_TEST

START_TEST(shares_add_up)
{
    CLAUSE("report.text.shares");
    static const struct {
        double parts[3];
        int percent[3];
    } table[] = {
        {{1.6, 97.5, 0.9}, {2, 97, 1}}, /* each by itself rounds to 2 + 98 + 1 */
        {{1, 1, 1}, {34, 33, 33}},      {{0.4, 0.4, 99.2}, {1, 0, 99}},
        {{0, 7, 0}, {0, 100, 0}},       {{0, 0, 0}, {0, 0, 0}},
    };
    for (size_t index = 0; index < sizeof table / sizeof table[0]; index++) {
        int percent[3];
        number_shares(table[index].parts, 3, percent);
        for (int part = 0; part < 3; part++)
            ck_assert_int_eq(percent[part], table[index].percent[part]);
    }
}
END_TEST

START_TEST(places_are_of_their_operand)
{
    CLAUSE("verdicts.place.named");
    static const struct {
        const char *line;
        int operand;
        struct finding finding;
        const char *text;
    } table[] = {
        {"matmul m=1 n=1 k=1 fill=uniform seed=1", 2, {.place = PLACE_ELEMENT}, "element c[0][0]"},
        {"matmul m=1 n=3 k=1 fill=uniform seed=1",
         2,
         {.place = PLACE_ELEMENT, .column = 2},
         "element c[0][2]"},
        {"aat m=1 k=4 fill=uniform seed=1",
         0,
         {.place = PLACE_INPUT, .column = 3},
         "input a[0][3]"},
        {"matmul m=1 n=1 k=1 ldc=4 fill=uniform seed=1",
         2,
         {.place = PLACE_GAP},
         "gap of c, behind element [0][0]"},
        {"adjacent_difference n=9 fill=uniform seed=1",
         1,
         {.place = PLACE_ELEMENT, .column = 8},
         "element b[8]"},
        {"matmul m=1 n=1 k=1 fill=uniform seed=1",
         2,
         {.place = PLACE_GUARD, .distance_bytes = -1},
         "guard of c, 1 byte before its begin"},
        {"matmul m=1 n=1 k=1 fill=uniform seed=1",
         2,
         {.place = PLACE_GUARD, .distance_bytes = 12},
         "guard of c, 12 bytes behind its end"},
    };
    for (size_t index = 0; index < sizeof table / sizeof table[0]; index++) {
        struct run_finding it = {.finding = table[index].finding};
        struct case_error error;
        char text[256];
        ck_assert_msg(case_parse(table[index].line, &it.test_case, &error), "%s", error.message);
        it.finding.operand = table[index].operand;
        report_place(&it, text, sizeof text);
        ck_assert_str_eq(text, table[index].text);
    }
}
END_TEST

/* The catalog's own kernels all have one (test_kernels); here, what a row without one comes to. */
START_TEST(units_are_built)
{
    CLAUSE("runner.kernels.image");
    ck_assert_ptr_null(catalog_image("matmul_none"));
    ck_assert_ptr_null(catalog_image("matmul"));
    ck_assert_ptr_null(catalog_image(""));
    ck_assert_str_eq(catalog_image("matmul_naive")->unit, "matmul_naive");
    ck_assert_int_eq(catalog_unbuilt(), catalog_count());
}
END_TEST

int main(int argc, char **argv)
{
    const struct testing_test tests[] = {
        {"counts have their number", counts_have_their_number},
        {"a loss is not made smaller", a_loss_is_not_made_smaller},
        {"shares add up", shares_add_up},
        {"places are of their operand", places_are_of_their_operand},
        {"units are built", units_are_built},
        {NULL, NULL},
    };
    return testing_main(argc, argv, "words", tests);
}
