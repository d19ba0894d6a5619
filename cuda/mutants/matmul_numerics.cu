/* Matmul kernels that take the right elements and do the wrong arithmetic. */
#include "mutants/matmul_parts.h"

/* The chain runs downwards. */
DEVICE float order_descending(const struct matmul_call *call, long long row, long long column)
{
    float sum = 0.0f;
    for (long long k = call->k - 1; k >= 0; k--)
        sum = step(call, row, column, k, sum);
    return sum;
}
PER_ELEMENT(mutant_order_descending, order_descending)

/* Even and odd steps are two chains, added at the end. */
DEVICE float order_split(const struct matmul_call *call, long long row, long long column)
{
    float even = 0.0f;
    float odd = 0.0f;
    for (long long k = 0; k < call->k; k += 2)
        even = step(call, row, column, k, even);
    for (long long k = 1; k < call->k; k += 2)
        odd = step(call, row, column, k, odd);
    return __fadd_rn(even, odd);
}
PER_ELEMENT(mutant_order_split, order_split)

/* Product and sum are rounded one after the other. */
DEVICE float unfused(const struct matmul_call *call, long long row, long long column)
{
    float sum = 0.0f;
    for (long long k = 0; k < call->k; k++)
        sum = __fadd_rn(__fmul_rn(call->a[row * call->lda + k], call->b[k * call->ldb + column]),
                        sum);
    return sum;
}
PER_ELEMENT(mutant_unfused, unfused)

DEVICE float flushed(float value)
{
    return (__float_as_uint(value) & 0x7f800000u) == 0
               ? __uint_as_float(__float_as_uint(value) & 0x80000000u)
               : value;
}

/* Subnormal numbers, read or made, become zeros. */
DEVICE float flush_to_zero(const struct matmul_call *call, long long row, long long column)
{
    float sum = 0.0f;
    for (long long k = 0; k < call->k; k++)
        sum = flushed(fmaf(flushed(call->a[row * call->lda + k]),
                           flushed(call->b[k * call->ldb + column]), sum));
    return sum;
}
PER_ELEMENT(mutant_flush_to_zero, flush_to_zero)

/* The chain starts at -0, which a chain without steps, or of steps that all give -0, returns. */
DEVICE float starts_at_minus_zero(const struct matmul_call *call, long long row, long long column)
{
    float sum = -0.0f;
    for (long long k = 0; k < call->k; k++)
        sum = step(call, row, column, k, sum);
    return sum;
}
PER_ELEMENT(mutant_starts_at_minus_zero, starts_at_minus_zero)

/* Both factors lose the 13 bits that a tensor core's tf32 lacks. */
DEVICE float through_tf32(const struct matmul_call *call, long long row, long long column)
{
    float sum = 0.0f;
    for (long long k = 0; k < call->k; k++)
        sum = fmaf(__uint_as_float(__float_as_uint(call->a[row * call->lda + k]) & 0xffffe000u),
                   __uint_as_float(__float_as_uint(call->b[k * call->ldb + column]) & 0xffffe000u),
                   sum);
    return sum;
}
PER_ELEMENT(mutant_through_tf32, through_tf32)

/* The sum is kept in double precision and rounded once: better, and not what is specified. The
 * product is exact in double, so it makes no difference whether this is fused. A NaN is float's
 * own. */
DEVICE float sum_in_double(const struct matmul_call *call, long long row, long long column)
{
    double sum = 0.0;
    for (long long k = 0; k < call->k; k++)
        sum += (double)call->a[row * call->lda + k] * (double)call->b[k * call->ldb + column];
    return sum == sum ? (float)sum : __uint_as_float(0x7fffffffu);
}
PER_ELEMENT(mutant_sum_in_double, sum_in_double)

/* Every element is NaN, which a comparison by distance lets pass. */
DEVICE float nan_everywhere(const struct matmul_call *call, long long row, long long column)
{
    (void)call, (void)row, (void)column;
    return __uint_as_float(0x7fd3b6efu); /* the complement of no usual value: it would be poison */
}
PER_ELEMENT(mutant_nan_everywhere, nan_everywhere)

/* Tiles are padded with zeros and the chain runs over the padding: a sum of -0 turns into +0. */
KERNEL(mutant_zero_padded, struct matmul_call, call)
{
    SHARED float a_tile[TILE][TILE];
    SHARED float b_tile[TILE][TILE];
    const long long row = thread_row();
    const long long column = thread_column();
    float sum = 0.0f;
    for (long long first_k = 0; first_k < call.k; first_k += TILE) {
        a_tile[threadIdx.y][threadIdx.x] = 0.0f;
        b_tile[threadIdx.y][threadIdx.x] = 0.0f;
        load_a(a_tile, &call, row, first_k);
        load_b(b_tile, &call, column, first_k);
        __syncthreads();
        sum = tile_chain(a_tile, b_tile, TILE, sum);
        __syncthreads();
    }
    store(&call, row, column, sum);
}
