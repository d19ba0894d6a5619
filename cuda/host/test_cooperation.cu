/* Kernels whose threads cooperate, correctly or not, as the emulation's tests expect. */
#include "async_copy.h"
#include "bulk_copy.h"
#include "device.h"
#include "host/test_call.h"

enum { TILE = 16, LINE = 1024 };

/* C = AB, square, n a multiple of 16; place 1 leaves out the barrier after the load, 2 the one
 * before the next load, 3 and 4 have a warp's in their place. */
KERNEL(test_tiled, struct test_call, call)
{
    SHARED float a_tile[TILE][TILE];
    SHARED float b_tile[TILE][TILE];
    const unsigned x = threadIdx.x;
    const unsigned y = threadIdx.y;
    const long long column = (long long)blockIdx.x * TILE + x;
    const long long row = (long long)blockIdx.y * TILE + y;
    float sum = 0.0f;
    for (long long first = 0; first < call.n; first += TILE) {
        a_tile[y][x] = call.source[row * call.n + first + x];
        b_tile[y][x] = call.source[(first + y) * call.n + column];
        if (call.place == 3)
            __syncwarp();
        else if (call.place != 1)
            __syncthreads();
        for (int k = 0; k < TILE; k++)
            sum = fmaf(a_tile[y][k], b_tile[k][x], sum);
        if (call.place == 4)
            __syncwarp();
        else if (call.place != 2)
            __syncthreads();
    }
    call.target[row * call.n + column] = sum;
}

/* Turns each block's elements around in dynamic shared memory, n passes; place 1: reads one word
 * past it. */
KERNEL(test_turn, struct test_call, call)
{
    DYNAMIC_SHARED(float, line);
    const unsigned i = threadIdx.x + blockDim.x * (threadIdx.y + blockDim.y * threadIdx.z);
    const unsigned count = blockDim.x * blockDim.y * blockDim.z;
    const long long first = (long long)blockIdx.x * count;
    float value = call.source[first + i];
    for (long long pass = 0; pass < call.n; pass++) {
        line[i] = value;
        __syncthreads();
        value = line[count - 1 - i + (call.place == 1)];
        __syncthreads();
    }
    call.target[first + i] = value;
}

/* Shows what a thread's array held before. */
KERNEL(test_local, struct test_call, call)
{
    LOCAL_ARRAY(unsigned, line, 5);
    for (int word = 0; word < 5; word++)
        call.words[(blockIdx.x * blockDim.x + threadIdx.x) * 5 + (unsigned)word] = line[word];
}

/* Shows what shared memory held before: static in words[0 ... 63], dynamic in words[64 ... 127] of
 * each block's 128. The write that never happens is there because compilers look for one. */
KERNEL(test_stale, struct test_call, call)
{
    SHARED unsigned line[64];
    DYNAMIC_SHARED(unsigned, dynamic);
    const unsigned i = threadIdx.x;
    unsigned *words = call.words + blockIdx.x * 128ll;
    words[i] = line[i];
    words[64 + i] = dynamic[i];
    line[i] = dynamic[i] = 7;
}

/* Each thread takes its right neighbour's element within its warp, through shared memory; place 1:
 * within the block, for which a warp's barrier is not enough. */
KERNEL(test_neighbour, struct test_call, call)
{
    SHARED float line[LINE];
    const unsigned i = threadIdx.x;
    const unsigned group = call.place == 1 ? blockDim.x : 32;
    line[i] = call.source[i];
    __syncwarp();
    call.target[i] = line[i / group * group + (i + 1) % group];
}

/* Like it for place 0, but all warps use the same 32 elements of shared memory. */
KERNEL(test_scratch, struct test_call, call)
{
    SHARED float line[32];
    const unsigned i = threadIdx.x;
    line[i % 32] = call.source[i];
    __syncwarp();
    call.target[i] = line[(i + 1) % 32];
}

/* Turns each block's n elements of 4 bytes around through two groups of asynchronous copies, the
 * second of which has the odd elements; place 1: no wait, 2: for one group too few, 3: the second
 * group is not committed, 4: no barrier, 5: the wait comes first; 6: words[] gets the even elements
 * alone, for which the first group is enough. */
KERNEL(test_async_copy, struct test_call, call)
{
    DYNAMIC_SHARED(float, line);
    const long long n = call.n, step = 2ll * blockDim.x;
    if (call.place == 5)
        copy_async_wait(0);
    for (long long i = 2ll * threadIdx.x; i < n; i += step)
        copy_async_4(&line[i], &call.source[i]);
    copy_async_commit();
    for (long long i = 2ll * threadIdx.x + 1; i < n; i += step)
        copy_async_4(&line[i], &call.source[i]);
    if (call.place != 3)
        copy_async_commit();
    if (call.place == 2 || call.place == 6)
        copy_async_wait(1);
    else if (call.place != 1 && call.place != 5)
        copy_async_wait(0);
    if (call.place != 4)
        __syncthreads();
    for (long long i = threadIdx.x; i < n; i += blockDim.x) {
        if (call.place != 6)
            call.target[i] = line[n - 1 - i];
        else if (i % 2 == 0)
            call.target[i] = line[i];
    }
}

/* Four copies of each width to dynamic shared memory, the first of them `place` bytes past an
 * aligned address. */
KERNEL(test_async_widths, struct test_call, call)
{
    DYNAMIC_SHARED(unsigned, line);
    char *target = (char *)line + call.place;
    copy_async_4(target, call.source);
    copy_async_8(target + 16, call.source + 2);
    copy_async_16(target + 32, call.source + 4);
    copy_async_16_bypass(target + 48, call.source + 8);
    copy_async_commit();
    copy_async_wait(0);
    for (int i = 0; i < 16; i++)
        call.words[i] = line[i];
}

/* Turns each block's n elements of 4 bytes around through two bulk copies, of one barrier and one
 * thread each; place 1: no wait for the second. n is a multiple of 8. */
KERNEL(test_bulk_copy, struct test_call, call)
{
    DYNAMIC_SHARED(float, line);
    SHARED unsigned long long arrived[2];
    const long long n = call.n, half = n / 2;
    if (threadIdx.x < 2)
        bulk_copy_start(&line[threadIdx.x * half], &call.source[threadIdx.x * half],
                        (unsigned)half * 4, &arrived[threadIdx.x]);
    __syncthreads();
    bulk_copy_wait(&arrived[0]);
    if (call.place != 1)
        bulk_copy_wait(&arrived[1]);
    for (long long i = threadIdx.x; i < n; i += blockDim.x)
        call.target[i] = line[n - 1 - i];
}

/* Four exchanges of a warp's 32 words, 32 results each, then one within each half. */
KERNEL(test_shuffle, struct test_call, call)
{
    const unsigned lane = threadIdx.x;
    unsigned *words = call.words + lane;
    words[0] = __shfl_sync(0xffffffffu, 100 + lane, 33);
    words[32] = __shfl_up_sync(0xffffffffu, 100 + lane, 3, 8);
    words[64] = (unsigned)__shfl_down_sync(0xffffffffu, -(int)lane, 3, 8);
    words[96] = __float_as_uint(__shfl_xor_sync(0xffffffffu, (float)lane, 5));
    if (lane < 16)
        words[128] = __shfl_xor_sync(0x0000ffffu, lane, 1);
    else
        words[128] = __shfl_xor_sync(0xffff0000u, lane, 2);
}

/* target[0 ... 31]: sums over the warp when its upper half has ended. */
KERNEL(test_half_warp, struct test_call, call)
{
    float sum = (float)threadIdx.x;
    if (threadIdx.x >= 16)
        return;
    for (int step = 8; step > 0; step /= 2)
        sum = __fadd_rn(sum, __shfl_xor_sync(0xffffffffu, sum, step));
    call.target[threadIdx.x] = sum;
}

/* Counts every thread of the grid at its own place, and says there which it is. */
KERNEL(test_coordinates, struct test_call, call)
{
    const struct emulation_index thread = threadIdx;
    const long long block =
        blockIdx.x + (long long)gridDim.x * (blockIdx.y + gridDim.y * blockIdx.z);
    const long long place =
        ((block * blockDim.z + thread.z) * blockDim.y + thread.y) * blockDim.x + thread.x;
    call.words[2 * place] += 1;
    __syncthreads();
    call.words[2 * place + 1] = threadIdx.x | threadIdx.y << 10 | threadIdx.z << 20;
}

/* words[i]: at which turn thread i of block i / 64 ran; words[n - 1] counts the turns. */
KERNEL(test_order, struct test_call, call)
{
    call.words[blockIdx.x * blockDim.x + threadIdx.x] = atomicAdd(&call.words[call.n - 1], 1u);
}
