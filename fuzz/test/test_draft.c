/* Fitting a case into its budget. */
#include "fuzz/generator_draft.h"
#include "spec/testing.h"

/* A larger budget is for larger outputs: the sum is shortened, whichever axis the draw names. */
START_TEST(sums_are_shortened_before_outputs, "cases.generator.large")
{
    static const struct budget larger = {INT64_C(1) << 17, INT64_MAX, INT64_C(1) << 20,
                                         UINT64_C(1) << 21};
    for (uint64_t key = 0; key < 50; key++) {
        struct fuzz_case test_case = {.algorithm = algorithm_find("matmul"),
                                      .axis = {300, 300, 257}};
        struct draft draft = {.test_case = &test_case, .ladder = &ladder_matrix, .key = key};
        draft.floor = 1;
        draft_update_leading(&draft);
        draft_fit(&draft, &larger);
        ck_assert_int_eq(case_elements(&test_case), 90000);
        ck_assert_int_ge(test_case.axis[2], 1);
        ck_assert(budget_holds(&larger, &test_case));
    }
}
