/* Kernels whose sums start or end wrongly: this shows where every product is -0, or where the
 * result is -0 or subnormal. And one whose sum is rounded twice on the way. */
#include "aat/call.h"
#include "adjacent_difference/call.h"
#include "mutants/matmul_parts.h"

enum { K = 32 };

/* Subnormal numbers as zeros of their sign. */
DEVICE float flushed(float value)
{
    return (__float_as_uint(value) & 0x7f800000u) == 0
               ? __uint_as_float(__float_as_uint(value) & 0x80000000u)
               : value;
}

/* Each step's exact value is rounded to double, and from there to float; a NaN is float's own. */
DEVICE float through_double(const struct matmul_call *call, long long row, long long column)
{
    float sum = 0.0f;
    for (long long k = 0; k < call->k; k++)
        sum =
            (float)((double)call->a[row * call->lda + k] * (double)call->b[k * call->ldb + column] +
                    (double)sum);
    return sum == sum ? sum : __uint_as_float(0x7fffffffu);
}
PER_ELEMENT(mutant_through_double, through_double)

/* Document 004's forms, K = 32: a chain that starts at `start`. */
DEVICE float chain_from(const struct matmul_call *call, long long row, long long column,
                        float start)
{
    float sum = start;
    for (int k = 0; k < K; k++)
        sum = step(call, row, column, k, sum);
    return sum;
}

DEVICE float k32_minus_zero(const struct matmul_call *call, long long row, long long column)
{
    return chain_from(call, row, column, -0.0f);
}
PER_ELEMENT(mutant_k32_minus_zero, k32_minus_zero)

/* Right, as far as it is launched. */
DEVICE float declines_most(const struct matmul_call *call, long long row, long long column)
{
    return chain_from(call, row, column, 0.0f);
}
PER_ELEMENT(mutant_declines_most, declines_most)

/* C is added to a zero that it is taken to hold. */
DEVICE float k32_zero_added(const struct matmul_call *call, long long row, long long column)
{
    return __fadd_rn(chain_from(call, row, column, 0.0f), 0.0f);
}
PER_ELEMENT(mutant_k32_zero_added, k32_zero_added)

DEVICE float k32_result_flushed(const struct matmul_call *call, long long row, long long column)
{
    return flushed(chain_from(call, row, column, 0.0f));
}
PER_ELEMENT(mutant_k32_result_flushed, k32_result_flushed)

/* A kernel of aat, one thread an element: its chain starts at `start` and ends in `end(sum)`. */
#define AAT_ELEMENT(entry, start, end)                                                             \
    KERNEL(entry, struct aat_call, call)                                                           \
    {                                                                                              \
        const long long row = thread_row();                                                        \
        const long long column = thread_column();                                                  \
        float sum = start;                                                                         \
        if (row >= call.m || column >= call.m)                                                     \
            return;                                                                                \
        for (long long k = 0; k < call.k; k++)                                                     \
            sum = fmaf(call.a[row * call.lda + k], call.a[column * call.lda + k], sum);            \
        call.c[row * call.ldc + column] = end(sum);                                                \
    }

DEVICE float kept(float value)
{
    return value;
}

DEVICE float zero_added(float value)
{
    return __fadd_rn(value, 0.0f);
}

AAT_ELEMENT(mutant_aat_minus_zero, -0.0f, kept)
AAT_ELEMENT(mutant_aat_zero_added, 0.0f, zero_added)
AAT_ELEMENT(mutant_aat_result_flushed, 0.0f, flushed)

/* A difference that ends in `end(difference)`. */
#define DIFFERENCE(entry, end)                                                                     \
    KERNEL(entry, struct adjacent_difference_call, call)                                           \
    {                                                                                              \
        const long long index = thread_column();                                                   \
        if (index < call.n)                                                                        \
            call.b[index] = end(__fsub_rn(call.a[index], index > 0 ? call.a[index - 1] : 0.0f));   \
    }

DIFFERENCE(mutant_difference_zero_added, zero_added)
DIFFERENCE(mutant_difference_flushed, flushed)
