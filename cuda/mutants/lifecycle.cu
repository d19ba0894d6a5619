/* Matmul kernels that are wrong in only one block or one launch, or that never end. */
#include "mutants/matmul_parts.h"

/* The second block of the first row of blocks leaves out the last step. */
DEVICE float one_block(const struct matmul_call *call, long long row, long long column)
{
    const int wrong = blockIdx.x == 1 && blockIdx.y == 0;
    return chain(call, row, column, 0, wrong ? call->k - 1 : call->k);
}
PER_ELEMENT(mutant_one_block, one_block)

/* The last block of a grid of more than 16 leaves out the first step. */
DEVICE float last_wave(const struct matmul_call *call, long long row, long long column)
{
    const int many = gridDim.x * gridDim.y > 16;
    const int last = blockIdx.x == gridDim.x - 1 && blockIdx.y == gridDim.y - 1;
    return chain(call, row, column, many && last ? 1 : 0, call->k);
}
PER_ELEMENT(mutant_last_wave, last_wave)

/* Memory that lives across launches is assumed to be zero at the start of each: from the second
 * launch on the first element leaves out the last step. */
DEVICE_GLOBAL(unsigned, launches, 1)
DEVICE float second_launch(const struct matmul_call *call, long long row, long long column)
{
    const int first = row == 0 && column == 0;
    const int wrong = first && launches[0]++ > 0;
    return chain(call, row, column, 0, wrong ? call->k - 1 : call->k);
}
PER_ELEMENT(mutant_second_launch, second_launch)

/* The thread of the first element traps. */
KERNEL(mutant_trap, struct matmul_call, call)
{
    store(&call, thread_row(), thread_column(), 0.0f);
    if (thread_row() == 0 && thread_column() == 0)
        __trap();
}

/* The thread of the first element waits there for a 0 that no thread writes. */
KERNEL(mutant_hang, struct matmul_call, call)
{
    volatile float *flag = call.c;
    if (thread_row() == 0 && thread_column() == 0) {
        *flag = 1.0f;
        while (*flag > 0.0f) {
        }
    }
}
