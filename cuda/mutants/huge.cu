/* Kernels that are right until a product of indices passes 2^31 or 2^32, so that only the cases of
 * tier huge show the mistake. What wraps is unsigned, so that the wrapped place is defined. */
#include "device.h"
#include "aat/call.h"
#include "adjacent_difference/call.h"
#include "matmul/call.h"
#include "offset_copy/call.h"
#include "strided_copy/call.h"

DEVICE long long line_index(void)
{
    return (long long)blockIdx.x * blockDim.x + threadIdx.x;
}

DEVICE long long row_index(void)
{
    return (long long)blockIdx.y * blockDim.y + threadIdx.y;
}

DEVICE void copy_element(void *target, const void *source, long long begin, long long element)
{
    for (long long at = begin; at < begin + element; at++)
        ((unsigned char *)target)[at] = ((const unsigned char *)source)[at];
}

/* An element of C, as it should be. */
DEVICE float right_element(const struct matmul_call *call, long long row, long long column)
{
    float sum = 0.0f;
    for (long long k = 0; k < call->k; k++)
        sum = fmaf(call->a[row * call->lda + k], call->b[k * call->ldb + column], sum);
    return sum;
}

/* A row of A begins at a 32-bit product. */
KERNEL(mutant_a_row_32_bits, struct matmul_call, call)
{
    const long long row = row_index();
    const long long column = line_index();
    const unsigned first = (unsigned)row * (unsigned)call.lda;
    float sum = 0.0f;
    if (row >= call.m || column >= call.n)
        return;
    for (long long k = 0; k < call.k; k++)
        sum = fmaf(call.a[first + k], call.b[k * call.ldb + column], sum);
    call.c[row * call.ldc + column] = sum;
}

/* A row of B begins at a 32-bit product. */
KERNEL(mutant_b_row_32_bits, struct matmul_call, call)
{
    const long long row = row_index();
    const long long column = line_index();
    float sum = 0.0f;
    if (row >= call.m || column >= call.n)
        return;
    for (long long k = 0; k < call.k; k++) {
        const unsigned first = (unsigned)k * (unsigned)call.ldb;
        sum = fmaf(call.a[row * call.lda + k], call.b[first + column], sum);
    }
    call.c[row * call.ldc + column] = sum;
}

/* C's elements are counted in an int, which is negative from 2^31 on: no thread writes. */
KERNEL(mutant_count_in_int, struct matmul_call, call)
{
    const int count = (int)(call.m * call.n);
    const long long index = line_index();
    if (index < count)
        call.c[index / call.n * call.ldc + index % call.n] =
            right_element(&call, index / call.n, index % call.n);
}

/* C's elements are counted in 32 bits: from 2^32 on hardly any are left. */
KERNEL(mutant_count_in_32_bits, struct matmul_call, call)
{
    const unsigned count = (unsigned)(call.m * call.n);
    const long long index = line_index();
    if (index < count)
        call.c[index / call.n * call.ldc + index % call.n] =
            right_element(&call, index / call.n, index % call.n);
}

/* The column is held in 32 bits: those past 2^32 are not written, and the first ones once more. */
KERNEL(mutant_column_32_bits, struct matmul_call, call)
{
    const unsigned column = (unsigned)line_index();
    const long long row = row_index();
    if (row < call.m && column < call.n)
        call.c[row * call.ldc + column] = right_element(&call, row, column);
}

/* A column's byte is found in 32 bits: columns from 2^30 on are not written. */
KERNEL(mutant_column_byte_32_bits, struct matmul_call, call)
{
    const unsigned byte = (unsigned)line_index() * (unsigned)sizeof(float);
    const long long row = row_index();
    const long long column = byte / sizeof(float);
    if (row < call.m && line_index() < call.n)
        call.c[row * call.ldc + column] = right_element(&call, row, column);
}

/* A row of C begins at a 32-bit product. */
KERNEL(mutant_c_row_32_bits, struct aat_call, call)
{
    const long long row = row_index();
    const long long column = line_index();
    const unsigned first = (unsigned)row * (unsigned)call.ldc;
    float sum = 0.0f;
    if (row >= call.m || column >= call.m)
        return;
    for (long long k = 0; k < call.k; k++)
        sum = fmaf(call.a[row * call.lda + k], call.a[column * call.lda + k], sum);
    call.c[first + column] = sum;
}

/* An element's byte is found in 32 bits: those past 4 GiB are not written, and the first ones, with
 * the right value, once more. */
KERNEL(mutant_difference_byte_32_bits, struct adjacent_difference_call, call)
{
    const unsigned byte = (unsigned)line_index() * (unsigned)sizeof(float);
    const unsigned index = byte / (unsigned)sizeof(float);
    if (line_index() < call.n)
        call.b[index] = __fsub_rn(call.a[index], index > 0 ? call.a[index - 1] : 0.0f);
}

/* The same, of a copy. */
KERNEL(mutant_offset_byte_32_bits, struct offset_copy_call, call)
{
    const long long skip = call.offset * call.element;
    const unsigned byte = (unsigned)line_index() * (unsigned)call.element;
    if (line_index() < call.n)
        copy_element(call.target, call.source, skip + byte, call.element);
}

/* Index and stride are multiplied in 32 bits: elements land in the gaps of the first ones. */
KERNEL(mutant_stride_32_bits, struct strided_copy_call, call)
{
    const unsigned at = (unsigned)line_index() * (unsigned)call.stride;
    if (line_index() < call.n)
        copy_element(call.target, call.source, (long long)at * call.element, call.element);
}
