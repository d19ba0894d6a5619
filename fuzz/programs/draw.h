/* Random draws in sequence: words of one stream, one after another.
 *
 *     struct draw draw = {.seed = 7};
 *     uint64_t bits = draw_chance(&draw, 1, 4) ? draw_bits(&draw, CLASS_32) : draw_below(&draw,
 * 70);
 *
 * Each draw is a statement of its own: within one expression C leaves their order open. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "cpu_ref/programs/operations.h"
#include "fuzz/random.h"

struct draw {
    uint64_t seed;
    uint64_t counter;
};

static inline uint64_t draw_word(struct draw *draw)
{
    return random_word(draw->seed, draw->counter++);
}

/* A number in [0, bound); bound > 0. */
static inline uint64_t draw_below(struct draw *draw, uint64_t bound)
{
    return random_below(draw->seed, draw->counter++, bound);
}

/* True in `part` of `whole` draws. */
static inline bool draw_chance(struct draw *draw, uint64_t part, uint64_t whole)
{
    return draw_below(draw, whole) < part;
}

/* Bits of that class: an edge value, one near to it, a small one, or a random word. */
uint64_t draw_bits(struct draw *draw, enum program_class of_class);
