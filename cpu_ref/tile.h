/* The heart of the fast forms: a tile of C held in vector registers, one element a lane, so that
 * each element is the same chain of fused multiply-adds as in the plain form. An engine is a set of
 * such functions for one kind of processor; tile_body.inc is their one source. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

enum tile_kind {
    TILE_PACKED,  /* A packed: element (row, index) at a[index * rows + row]; B padded */
    TILE_PADDED,  /* A in place; B padded: whole vectors may be read past `columns` */
    TILE_PARTIAL, /* A and B in place: nothing is read past `columns` */
    TILE_KINDS
};

/* A tile is 1 or 2 vectors wide and of one of the engine's four heights, tallest first. */
enum { TILE_VECTORS = 2, TILE_HEIGHTS = 4, TILE_COLUMNS_MAX = 32 };

struct tile {
    const float *a;
    size_t a_row; /* the distance of A's rows where A is in place */
    const float *b;
    size_t b_row;
    float *c;
    size_t c_row;
    size_t k;
    size_t columns;  /* of C; from 1, and more than (vectors - 1) * lanes */
    bool accumulate; /* continue from what C holds, not from +0.0f */
    /* Packed: what is multiplied next, brought into the second level while this tile is computed,
     * by so many floats a step. Its addresses need not exist. */
    const float *next;
    size_t next_step;
};

typedef void tile_function(const struct tile *tile);

struct tile_engine {
    const char *name;
    size_t lanes; /* floats a vector */
    bool (*available)(void);
    size_t heights[TILE_HEIGHTS];
    tile_function *functions[TILE_KINDS][TILE_VECTORS][TILE_HEIGHTS];
};

/* The engines in this build, fastest first; `portable`, which every build has, then NULL end it. */
extern const struct tile_engine *const tile_engines[];

extern const struct tile_engine tile_avx512;
extern const struct tile_engine tile_avx2;
extern const struct tile_engine tile_neon;
extern const struct tile_engine tile_portable;

/* The fastest that this processor has. */
const struct tile_engine *tile_engine_best(void);
