/* A case's sizes and its cost (case.h); its text is in case_text.c. */
#include "fuzz/case.h"

/* Rough rates of one core: the golden's fast form, and bytes through all of a case's passes
 * (fill, poison, golden, upload, download, compare). */
#define FLOPS_PER_S  10e9
#define BYTES_PER_S  2e9
#define CASE_START_S 2e-6

bool case_equal(const struct fuzz_case *left, const struct fuzz_case *right)
{
    if (left->algorithm != right->algorithm || left->fill != right->fill ||
        left->seed != right->seed)
        return false;
    for (int index = 0; index < left->algorithm->axis_count; index++)
        if (left->axis[index] != right->axis[index])
            return false;
    return true;
}

struct view case_view(const struct fuzz_case *test_case, int operand)
{
    return algorithm_view(test_case->algorithm, test_case->axis, operand);
}

size_t case_operand_bytes(const struct fuzz_case *test_case, int operand)
{
    struct view view = case_view(test_case, operand);
    return (size_t)((view.origin + view.span) * view.element_bytes);
}

enum { WARP_LANES = 32 };

int case_lanes(const struct fuzz_case *test_case)
{
    for (int index = 0; index < test_case->algorithm->axis_count; index++)
        if (test_case->algorithm->axes[index].kind == AXIS_LANES)
            return (int)test_case->axis[index];
    return WARP_LANES;
}

int64_t case_elements(const struct fuzz_case *test_case)
{
    struct view view = case_view(test_case, test_case->algorithm->operand_count - 1);
    return view.rows * view.columns;
}

double case_cost_s(const struct fuzz_case *test_case)
{
    double bytes = 0;
    for (int index = 0; index < test_case->algorithm->operand_count; index++)
        bytes += (double)case_operand_bytes(test_case, index);
    struct traffic traffic = algorithm_traffic(test_case->algorithm, test_case->axis);
    return CASE_START_S + (double)traffic.flops / FLOPS_PER_S + bytes / BYTES_PER_S;
}
