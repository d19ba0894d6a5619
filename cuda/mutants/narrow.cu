/* Kernels that hold an index, or a factor of one, in 16 bits: right as long as it stays below
 * 65,536, or below 32,768 where it has a sign. */
#include "adjacent_difference/call.h"
#include "mutants/matmul_parts.h"
#include "offset_copy/call.h"
#include "strided_copy/call.h"

DEVICE long long narrow(long long index)
{
    return (unsigned short)index;
}

DEVICE float k_16_bits(const struct matmul_call *call, long long row, long long column)
{
    float sum = 0.0f;
    for (long long k = 0; k < call->k; k++)
        sum = fmaf(call->a[row * call->lda + narrow(k)], call->b[k * call->ldb + column], sum);
    return sum;
}
PER_ELEMENT(mutant_k_16_bits, k_16_bits)

DEVICE float lda_16_bits(const struct matmul_call *call, long long row, long long column)
{
    float sum = 0.0f;
    for (long long k = 0; k < call->k; k++)
        sum = fmaf(call->a[row * narrow(call->lda) + k], call->b[k * call->ldb + column], sum);
    return sum;
}
PER_ELEMENT(mutant_lda_16_bits, lda_16_bits)

KERNEL(mutant_row_16_bits, struct matmul_call, call)
{
    const long long row = narrow(thread_row());
    const long long column = thread_column();
    if (row < call.m && column < call.n)
        call.c[row * call.ldc + column] = chain(&call, row, column, 0, call.k);
}

KERNEL(mutant_column_16_bits, struct matmul_call, call)
{
    const long long row = thread_row();
    const long long column = narrow(thread_column());
    if (row < call.m && column < call.n)
        call.c[row * call.ldc + column] = chain(&call, row, column, 0, call.k);
}

/* With a sign: threads from 32,768 on take themselves for ones before the first. */
KERNEL(mutant_difference_15_bits, struct adjacent_difference_call, call)
{
    const short index = (short)thread_column();
    if (index >= 0 && index < call.n)
        call.b[index] = __fsub_rn(call.a[index], index > 0 ? call.a[index - 1] : 0.0f);
}

DEVICE void copy_element(void *target, const void *source, long long index, long long element)
{
    for (long long at = index * element; at < (index + 1) * element; at++)
        ((unsigned char *)target)[at] = ((const unsigned char *)source)[at];
}

KERNEL(mutant_offset_16_bits, struct offset_copy_call, call)
{
    if (thread_column() < call.n)
        copy_element(call.target, call.source, narrow(call.offset) + thread_column(), call.element);
}

KERNEL(mutant_offset_index_16_bits, struct offset_copy_call, call)
{
    const long long index = narrow(thread_column());
    if (index < call.n)
        copy_element(call.target, call.source, call.offset + index, call.element);
}

KERNEL(mutant_stride_16_bits, struct strided_copy_call, call)
{
    if (thread_column() < call.n)
        copy_element(call.target, call.source, thread_column() * narrow(call.stride), call.element);
}
