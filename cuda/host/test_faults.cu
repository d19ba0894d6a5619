/* Kernels that break a rule; the tests expect how it is reported. */
#include "device.h"
#include "host/test_call.h"

/* Thread 5 waits at another barrier than the rest. */
KERNEL(test_divergent_lines, struct test_call, call)
{
    if (threadIdx.x == 5)
        __syncthreads(); /* line 9 */
    else
        __syncthreads(); /* line 11 */
    call.words[0] = 1;
}

/* Thread 5 ends while the rest wait. */
KERNEL(test_divergent_end, struct test_call, call)
{
    if (threadIdx.x == 5)
        return;
    __syncthreads(); /* line 20 */
    call.words[0] = 1;
}

/* Half of a warp waits for the block, half for the warp. */
KERNEL(test_divergent_warp, struct test_call, call)
{
    if (threadIdx.x < 16)
        __syncthreads(); /* line 28 */
    else
        __syncwarp(); /* line 30 */
    call.words[0] = 1;
}

/* A thread shuffles under a mask without itself. */
KERNEL(test_wrong_mask, struct test_call, call)
{
    call.words[threadIdx.x] = __shfl_sync(0x7fffffffu, threadIdx.x, 0);
}

KERNEL(test_trap, struct test_call, call)
{
    if (blockIdx.y == 1 && threadIdx.x == 3)
        __trap(); /* line 43 */
    call.words[0] = 1;
}

/* Writes one byte at place, counted from words. */
KERNEL(test_stray_write, struct test_call, call)
{
    if (threadIdx.x == 3)
        *(unsigned char *)((size_t)call.words + (size_t)call.place) = 1;
}

/* Reads one byte at place, counted from words. */
KERNEL(test_stray_read, struct test_call, call)
{
    if (threadIdx.x == 3)
        call.target[0] = *(volatile unsigned char *)((size_t)call.words + (size_t)call.place);
}

/* Reads 16 bytes at place, counted from words. */
KERNEL(test_wide_read, struct test_call, call)
{
    const uint4 four = *(const uint4 *)((size_t)call.words + (size_t)call.place);
    call.target[0] = (float)(four.x + four.y + four.z + four.w);
}

/* Reads 2 and 8 bytes at place, counted from words. */
KERNEL(test_short_read, struct test_call, call)
{
    call.target[0] = *(volatile unsigned short *)((size_t)call.words + (size_t)call.place);
}

KERNEL(test_long_read, struct test_call, call)
{
    call.target[0] =
        (float)*(volatile unsigned long long *)((size_t)call.words + (size_t)call.place);
}

/* Wants more stack than there is. */
KERNEL(test_deep_stack, struct test_call, call)
{
    volatile unsigned char frame[1 << 20];
    for (long long i = (1 << 20) - 1; i >= 0; i -= 256)
        frame[i] = (unsigned char)i;
    call.words[0] = frame[call.place];
}

/* Writes and reads the element at place of shared memory that has eight. */
KERNEL(test_shared_index, struct test_call, call)
{
    SHARED unsigned tile[8];
    tile[call.place] = 1;
    call.words[0] = tile[call.place];
}
