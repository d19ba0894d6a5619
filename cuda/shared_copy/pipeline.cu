/* A tile that streams through two stages of shared memory: while one is written to the target, the
 * other is on its way. Each stage is one group of copies, 16 bytes a thread, and a thread waits for
 * all groups but the last. Two stages of 2 KiB hold a tile of any size. One entry for each size of
 * element.
 * Clauses: shared_copy.value.mirrored, memory.reads.inside. */
#include "async_copy.h"
#include "device.h"
#include "shared_copy/mirrored_tile.h"

enum { STAGE = THREADS * SLOT };

/* Starts this thread's copy of a stage, whose first byte is byte `first` of the tile. */
#define LOAD_STAGE(type, stage, source, first, bytes)                                              \
    do {                                                                                           \
        const int at = (first) + (int)threadIdx.x * SLOT;                                          \
        unsigned char *tile = (unsigned char *)(stage) - (first);                                  \
        COPY_SLOT(type, copy_async_16, tile, source, at, bytes);                                   \
    } while (0)

#define SHARED_COPY_PIPELINE(entry, type)                                                          \
    KERNEL(entry, struct shared_copy_call, call)                                                   \
    {                                                                                              \
        SHARED uint4 stages[2][THREADS];                                                           \
        const int size = (int)sizeof(type);                                                        \
        const unsigned char *source =                                                              \
            (const unsigned char *)((const type *)call.source + tile_first(&call));                \
        type *target = (type *)call.target + tile_first(&call);                                    \
        const int width = tile_width(&call), bytes = width * size;                                 \
        int first = -(int)((size_t)source % SLOT);                                                 \
        LOAD_STAGE(type, stages[0], source, first, bytes);                                         \
        copy_async_commit();                                                                       \
        for (int turn = 0; first < bytes; turn = 1 - turn, first += STAGE) {                       \
            LOAD_STAGE(type, stages[1 - turn], source, first + STAGE, bytes);                      \
            copy_async_commit();                                                                   \
            copy_async_wait(1);                                                                    \
            __syncthreads();                                                                       \
            const int end = first + STAGE < bytes ? first + STAGE : bytes;                         \
            const int begin = first < 0 ? 0 : first;                                               \
            const unsigned char *stage = (const unsigned char *)stages[turn];                      \
            for (int at = begin + (int)threadIdx.x * size; at < end; at += THREADS * size)         \
                target[width - 1 - at / size] = *(const type *)(stage + (at - first));             \
            __syncthreads();                                                                       \
        }                                                                                          \
    }

SHARED_COPY_PIPELINE(shared_copy_pipeline_1, unsigned char)
SHARED_COPY_PIPELINE(shared_copy_pipeline_2, unsigned short)
SHARED_COPY_PIPELINE(shared_copy_pipeline_4, unsigned)
SHARED_COPY_PIPELINE(shared_copy_pipeline_8, uint2)
SHARED_COPY_PIPELINE(shared_copy_pipeline_16, uint4)
