/* Wrong goldens of tiles in shared memory (golden_mutants_tiled.h). */
#include "spec/suite/golden_mutants_tiled.h"

/* Tiles that are read with a stride. */
enum tile_mistake { TILE_RIGHT, TILE_ONE_SHORT, TILE_NO_WRAP, TILE_STRIDED_ROUNDS, TILE_SUM };

static void tiles(const int64_t *axis, void *const *operands, enum tile_mistake mistake)
{
    enum { WIDTH = 1024, STRIDE_N = 0, STRIDE, ROUNDS, ELEMENT };
    const unsigned char *source = operands[0];
    unsigned char *target = operands[1];
    const int64_t n = axis[STRIDE_N], bytes = axis[ELEMENT];
    const int64_t rounds = axis[ROUNDS] - (mistake == TILE_ONE_SHORT && axis[ROUNDS] > 1);
    for (int64_t at = 0; at < n * bytes; at++) {
        const int64_t index = at / bytes, first = index - index % WIDTH;
        const int64_t width = n - first < WIDTH ? n - first : WIDTH;
        unsigned char sum = 0;
        for (int64_t round = 0; round < rounds; round++) {
            int64_t step = mistake == TILE_STRIDED_ROUNDS ? axis[STRIDE] : 1;
            int64_t place = (index - first) * axis[STRIDE] + round * step;
            place = mistake == TILE_NO_WRAP && place >= width ? width - 1 : place % width;
            unsigned char byte = source[(first + place) * bytes + at % bytes];
            sum = (unsigned char)(mistake == TILE_SUM ? sum + byte : sum ^ byte);
        }
        target[at] = sum;
    }
}

#define TILES(name, MISTAKE)                                                                       \
    void golden_mutant_tiles_##name(const int64_t *axis, void *const *operands)                    \
    {                                                                                              \
        tiles(axis, operands, MISTAKE);                                                            \
    }

TILES(right, TILE_RIGHT)
TILES(one_short, TILE_ONE_SHORT)
TILES(no_wrap, TILE_NO_WRAP)
TILES(strided_rounds, TILE_STRIDED_ROUNDS)
TILES(sum, TILE_SUM)

/* Tiles that come back mirrored: not at all, around the case's end, by bytes, or by a width that
 * leaves out the number of copies. */
enum mirror_mistake { MIRROR_RIGHT, MIRROR_NOT, MIRROR_ALL, MIRROR_BYTES, MIRROR_ONE_COPY };

static void mirror(const int64_t *axis, void *const *operands, enum mirror_mistake mistake)
{
    enum { MIRROR_N, MIRROR_COUNT, MIRROR_ELEMENT };
    const unsigned char *source = operands[0];
    unsigned char *target = operands[1];
    const int64_t n = axis[MIRROR_N], bytes = axis[MIRROR_ELEMENT];
    const int64_t whole = mistake == MIRROR_ALL        ? n
                          : mistake == MIRROR_ONE_COPY ? 128
                                                       : 128 * axis[MIRROR_COUNT];
    for (int64_t at = 0; at < n * bytes; at++) {
        const int64_t index = at / bytes, first = index - index % whole;
        const int64_t last = n - first < whole ? n - 1 : first + whole - 1;
        const int64_t byte = mistake == MIRROR_BYTES ? bytes - 1 - at % bytes : at % bytes;
        const int64_t from = mistake == MIRROR_NOT ? index : first + last - index;
        target[at] = source[from * bytes + byte];
    }
}

#define MIRRORED(name, MISTAKE)                                                                    \
    void golden_mutant_mirror_##name(const int64_t *axis, void *const *operands)                   \
    {                                                                                              \
        mirror(axis, operands, MISTAKE);                                                           \
    }

MIRRORED(right, MIRROR_RIGHT)
MIRRORED(not, MIRROR_NOT)
MIRRORED(all, MIRROR_ALL)
MIRRORED(bytes, MIRROR_BYTES)
MIRRORED(one_copy, MIRROR_ONE_COPY)
