/* Kernels that read one element outside an operand and do not use it. On a GPU that shows where no
 * memory is: at an allocation's edge, where some cases have an input (memory.reads.edges). */
#include "aat/call.h"
#include "adjacent_difference/call.h"
#include "mutants/matmul_parts.h"
#include "offset_copy/call.h"
#include "strided_copy/call.h"

DEVICE void touch(const void *address)
{
    (void)*(volatile const unsigned char *)address;
}

DEVICE float a_touched_before(const struct matmul_call *call, long long row, long long column)
{
    touch(call->a + row * call->lda - 1);
    return chain(call, row, column, 0, call->k);
}
PER_ELEMENT(mutant_a_touched_before, a_touched_before)

DEVICE float b_touched_past(const struct matmul_call *call, long long row, long long column)
{
    touch(call->b + call->k * call->ldb + column);
    return chain(call, row, column, 0, call->k);
}
PER_ELEMENT(mutant_b_touched_past, b_touched_past)

KERNEL(mutant_aat_touched_past, struct aat_call, call)
{
    const long long row = thread_row();
    const long long column = thread_column();
    float sum = 0.0f;
    if (row >= call.m || column >= call.m)
        return;
    touch(call.a + call.m * call.lda);
    for (long long k = 0; k < call.k; k++)
        sum = fmaf(call.a[row * call.lda + k], call.a[column * call.lda + k], sum);
    call.c[row * call.ldc + column] = sum;
}

KERNEL(mutant_difference_touched_past, struct adjacent_difference_call, call)
{
    const long long index = thread_column();
    if (index >= call.n)
        return;
    touch(call.a + index + 1);
    call.b[index] = __fsub_rn(call.a[index], index > 0 ? call.a[index - 1] : 0.0f);
}

DEVICE void copy_element(const unsigned char *source, unsigned char *target, long long bytes)
{
    for (long long at = 0; at < bytes; at++)
        target[at] = source[at];
}

KERNEL(mutant_offset_touched_past, struct offset_copy_call, call)
{
    const unsigned char *source = (const unsigned char *)call.source;
    const long long index = thread_column();
    const long long place = (call.offset + index) * call.element;
    if (index >= call.n)
        return;
    touch(source + place + call.element);
    copy_element(source + place, (unsigned char *)call.target + place, call.element);
}

KERNEL(mutant_stride_touched_before, struct strided_copy_call, call)
{
    const unsigned char *source = (const unsigned char *)call.source;
    const long long index = thread_column();
    const long long place = index * call.stride * call.element;
    if (index >= call.n)
        return;
    touch(source + place - 1);
    copy_element(source + place, (unsigned char *)call.target + place, call.element);
}
