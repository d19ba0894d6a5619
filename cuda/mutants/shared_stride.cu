/* Mutants of shared_stride, on elements of 4 bytes but where they say otherwise. */
#include "device.h"
#include "exclusive_or.h"
#include "shared_stride/strided_tile.h"

#define SLOT(place)   (place)
#define PADDED(place) ((place) + (place) / BANKS)
#define READ(place)   tile[place]
enum { PADDED_SLOTS = TILE + TILE / BANKS + 1 };

#define READ_NEXT(place) tile[(place) + ((place) + 1) / BANKS]
TILE_KERNEL(mutant_banks_padding_late, unsigned, EXCLUSIVE_OR_SCALAR, PADDED_SLOTS, PADDED,
            READ_NEXT)

#define READ_31(place) tile[(place) + (place) / (BANKS - 1)]
TILE_KERNEL(mutant_banks_padding_31, unsigned, EXCLUSIVE_OR_SCALAR, PADDED_SLOTS, PADDED, READ_31)

#define READ_BANK(place) tile[(place) % BANKS]
TILE_KERNEL(mutant_banks_first_row, unsigned, EXCLUSIVE_OR_SCALAR, TILE, SLOT, READ_BANK)

/* The second word of each element is left out from the second round on. */
#define HALF(sum, value) ((sum).x ^= (value).x)
TILE_KERNEL(mutant_banks_half_combined, uint2, HALF, TILE, SLOT, READ)

/* A kernel whose call is changed before the block goes through its tile. */
#define CHANGED_CALL(entry, change)                                                                \
    KERNEL(entry, struct shared_stride_call, call)                                                 \
    {                                                                                              \
        SHARED unsigned tile[TILE];                                                                \
        const unsigned *source = (const unsigned *)call.source + (long long)blockIdx.x * TILE;     \
        const int tile_elements = tile_width(&call);                                               \
        for (int at = (int)threadIdx.x; at < tile_elements; at += (int)blockDim.x)                 \
            tile[at] = source[at];                                                                 \
        __syncthreads();                                                                           \
        change;                                                                                    \
        COMBINE_TILE(call, unsigned, EXCLUSIVE_OR_SCALAR, READ);                                   \
    }

CHANGED_CALL(mutant_banks_round_short, call.rounds -= call.rounds > 1)
CHANGED_CALL(mutant_banks_stride_in_banks, call.stride %= BANKS)

/* One that has its own idea of which place of the tile a round reads. */
#define CHANGED_PLACE(entry, type, place)                                                          \
    KERNEL(entry, struct shared_stride_call, call)                                                 \
    {                                                                                              \
        SHARED type tile[TILE];                                                                    \
        const long long first = (long long)blockIdx.x * TILE;                                      \
        const int width = tile_width(&call);                                                       \
        for (int at = (int)threadIdx.x; at < width; at += (int)blockDim.x)                         \
            tile[at] = ((const type *)call.source)[first + at];                                    \
        __syncthreads();                                                                           \
        for (int at = (int)threadIdx.x; at < width; at += (int)blockDim.x) {                       \
            type sum = 0;                                                                          \
            for (long long round = 0; round < call.rounds; round++)                                \
                sum ^= tile[place];                                                                \
            ((type *)call.target)[first + at] = sum;                                               \
        }                                                                                          \
    }

CHANGED_PLACE(mutant_banks_tile_whole, unsigned, (at * call.stride + round) % TILE)
CHANGED_PLACE(mutant_banks_broadcast_by_warp, unsigned,
              (call.stride ? at * call.stride + round : at / warpSize * warpSize + round) % width)
CHANGED_PLACE(mutant_banks_last_again, unsigned,
              at *call.stride % width + round < width ? at * call.stride % width + round
                                                      : width - 1)
CHANGED_PLACE(mutant_banks_product_32_bits, unsigned,
              ((unsigned)at * (unsigned)call.stride % (unsigned)width + round) % width)

/* No barrier between loading the tile and reading it. */
KERNEL(mutant_banks_no_barrier, struct shared_stride_call, call)
{
    SHARED unsigned tile[TILE];
    const unsigned *source = (const unsigned *)call.source + (long long)blockIdx.x * TILE;
    const int tile_elements = tile_width(&call);
    for (int at = (int)threadIdx.x; at < tile_elements; at += (int)blockDim.x)
        tile[at] = source[at];
    COMBINE_TILE(call, unsigned, EXCLUSIVE_OR_SCALAR, READ);
}

/* The tile from element `first` on, byte after byte, of elements of any size. */
DEVICE void combine_bytes(const struct shared_stride_call *call, long long first, long long stride)
{
    const long long bytes = call->element;
    const unsigned char *source = (const unsigned char *)call->source + first * bytes;
    unsigned char *target = (unsigned char *)call->target + first * bytes;
    const long long width = call->n - first < TILE ? call->n - first : TILE;
    for (long long at = threadIdx.x; at < width; at += blockDim.x) {
        for (long long byte = 0; byte < bytes; byte++) {
            unsigned char sum = 0;
            for (long long round = 0; round < call->rounds; round++)
                sum ^= source[(at * stride + round) % width * bytes + byte];
            target[at * bytes + byte] = sum;
        }
    }
}

KERNEL(mutant_banks_stride_15_bits, struct shared_stride_call, call)
{
    combine_bytes(&call, (long long)blockIdx.x * TILE, call.stride & 0x7fff);
}

/* The tile's first element is counted in 32 bits. */
KERNEL(mutant_banks_tile_32_bits, struct shared_stride_call, call)
{
    combine_bytes(&call, blockIdx.x * TILE, call.stride);
}
