/* Asynchronous copies that are not waited for, or move the wrong bytes. They take elements of 4, 8
 * and 16 bytes, word by word, so that one entry does for all. */
#include "async_copy.h"
#include "device.h"
#include "shared_copy/mirrored_tile.h"

enum { WORD = 4, STAGE = THREADS * SLOT };

/* The bytes of the block's tile. */
DEVICE int tile_bytes(const struct shared_copy_call *call)
{
    return tile_width(call) * (int)call->element;
}

DEVICE const unsigned char *tile_source(const struct shared_copy_call *call)
{
    return (const unsigned char *)call->source + tile_first(call) * call->element;
}

/* Writes the words of the bytes `begin` to `end` of the tile, which are at `from`, to where they
 * belong. A thread takes words that others have copied. */
DEVICE void write_mirrored(const struct shared_copy_call *call, const unsigned char *from,
                           int begin, int end)
{
    const int element = (int)call->element;
    unsigned char *target = (unsigned char *)call->target + tile_first(call) * element;
    for (int at = end - WORD - (int)threadIdx.x * WORD; at >= begin; at -= THREADS * WORD) {
        const int place = tile_bytes(call) - element - at / element * element + at % element;
        *(unsigned *)(target + place) = *(const unsigned *)(from + (at - begin));
    }
}

/* Starts the copies of all words of the tile, each from `skip` bytes further in the source where
 * the tile still has them. */
DEVICE void copy_tile(const struct shared_copy_call *call, unsigned char *tile, int skip)
{
    const unsigned char *source = tile_source(call);
    const int bytes = tile_bytes(call);
    for (int at = (int)threadIdx.x * WORD; at < bytes; at += THREADS * WORD)
        copy_async_4(tile + at, source + (at + skip < bytes ? at + skip : at));
}

/* Nothing waits for the copies. */
KERNEL(mutant_async_no_wait, struct shared_copy_call, call)
{
    DYNAMIC_SHARED(unsigned char, tile);
    copy_tile(&call, tile, 0);
    copy_async_commit();
    __syncthreads();
    write_mirrored(&call, tile, 0, tile_bytes(&call));
}

/* The wait comes before the copies. */
KERNEL(mutant_async_early_wait, struct shared_copy_call, call)
{
    DYNAMIC_SHARED(unsigned char, tile);
    copy_async_wait(0);
    copy_tile(&call, tile, 0);
    copy_async_commit();
    __syncthreads();
    write_mirrored(&call, tile, 0, tile_bytes(&call));
}

/* The copies are in no group that the wait is for. */
KERNEL(mutant_async_no_commit, struct shared_copy_call, call)
{
    DYNAMIC_SHARED(unsigned char, tile);
    copy_tile(&call, tile, 0);
    copy_async_wait(0);
    __syncthreads();
    write_mirrored(&call, tile, 0, tile_bytes(&call));
}

/* The wait is for a thread's own copies, and there is no barrier after it. */
KERNEL(mutant_async_no_barrier, struct shared_copy_call, call)
{
    DYNAMIC_SHARED(unsigned char, tile);
    copy_tile(&call, tile, 0);
    copy_async_commit();
    copy_async_wait(0);
    write_mirrored(&call, tile, 0, tile_bytes(&call));
}

/* The element after each one is copied, for all but the tile's last. */
KERNEL(mutant_async_source_off_by_one, struct shared_copy_call, call)
{
    DYNAMIC_SHARED(unsigned char, tile);
    copy_tile(&call, tile, (int)call.element);
    copy_async_commit();
    copy_async_wait(0);
    __syncthreads();
    write_mirrored(&call, tile, 0, tile_bytes(&call));
}

enum mistake { NARROW, TAIL_DROPPED, MISALIGNED, WAIT_SHORT, NO_COMMIT };

/* This thread's part of the stage that begins at byte `first` of the tile. */
DEVICE void load_stage(const struct shared_copy_call *call, uint4 *stage, int first,
                       enum mistake mistake)
{
    const int at = first + (int)threadIdx.x * SLOT, bytes = tile_bytes(call);
    const unsigned char *source = tile_source(call);
    unsigned char *tile = (unsigned char *)stage - first;
    const int whole = at >= 0 && at + SLOT <= bytes;
    if (whole && mistake == NARROW)
        copy_async_8(tile + at, source + at);
    else if (whole)
        copy_async_16(tile + at, source + at);
    else if (at < 0 || mistake != TAIL_DROPPED)
        COPY_PART(unsigned, tile, source, at, bytes);
}

/* shared_copy/pipeline with one mistake. */
DEVICE void stream_tile(const struct shared_copy_call *call, enum mistake mistake)
{
    SHARED uint4 stages[2][THREADS];
    const int bytes = tile_bytes(call);
    int first = -(int)((size_t)tile_source(call) % SLOT);
    if (mistake == MISALIGNED)
        first = 0;
    load_stage(call, stages[0], first, mistake);
    copy_async_commit();
    for (int turn = 0; first < bytes; turn = 1 - turn, first += STAGE) {
        load_stage(call, stages[1 - turn], first + STAGE, mistake);
        if (mistake != NO_COMMIT)
            copy_async_commit();
        if (mistake == WAIT_SHORT)
            copy_async_wait(2);
        else
            copy_async_wait(1);
        __syncthreads();
        const int begin = first < 0 ? 0 : first;
        const int end = first + STAGE < bytes ? first + STAGE : bytes;
        write_mirrored(call, (const unsigned char *)stages[turn] + (begin - first), begin, end);
        __syncthreads();
    }
}

#define STREAM_MUTANT(name, mistake)                                                               \
    KERNEL(name, struct shared_copy_call, call)                                                    \
    {                                                                                              \
        stream_tile(&call, mistake);                                                               \
    }

STREAM_MUTANT(mutant_async_narrow, NARROW)
STREAM_MUTANT(mutant_async_tail_dropped, TAIL_DROPPED)
STREAM_MUTANT(mutant_async_misaligned, MISALIGNED)
STREAM_MUTANT(mutant_pipeline_wait_short, WAIT_SHORT)
STREAM_MUTANT(mutant_pipeline_no_commit, NO_COMMIT)

/* The tile's first element is counted in 32 bits. */
KERNEL(mutant_async_first_32_bits, struct shared_copy_call, call)
{
    DYNAMIC_SHARED(unsigned char, tile);
    const unsigned first = blockIdx.x * (unsigned)(THREADS * call.copy_count);
    const unsigned char *source = (const unsigned char *)call.source + first * call.element;
    const int bytes = tile_bytes(&call);
    for (int at = (int)threadIdx.x; at < bytes; at += THREADS)
        tile[at] = source[at];
    __syncthreads();
    write_mirrored(&call, tile, 0, bytes);
}
