/* Which programs a run has, and what they are fed with. */
#include "fuzz/programs/program_case.h"

#include <string.h>

#include "fuzz/programs/draw.h"

/* Streams of one seed must not meet: each use of it has a number of its own in its upper bits. */
static uint64_t stream(uint64_t seed, uint64_t use)
{
    return random_word(seed ^ use << 56, use);
}

void program_case_pick(uint64_t seed, uint64_t index, struct program_case *ret)
{
    struct draw draw = {.seed = stream(random_word(seed, index), 1)};
    /* Whole warps, a part of one, one thread. */
    static const uint16_t threads[] = {128, 128, 128, 128, 128, 128, 64, 64,
                                       64,  32,  96,  256, 33,  40,  17, 100};
    memset(ret, 0, sizeof *ret);
    ret->operation = -1;
    ret->seed = draw_word(&draw) >> 24; /* a line that is read aloud */
    ret->input_seed = ret->seed;
    ret->threads = threads[draw_below(&draw, sizeof threads / sizeof *threads)];
    ret->statements = 16 + (uint32_t)draw_below(&draw, 80);
}

void program_case_of_operation(int operation, uint64_t seed, struct program_case *ret)
{
    memset(ret, 0, sizeof *ret);
    ret->operation = operation;
    ret->seed = seed;
    ret->input_seed = seed;
    ret->threads = PROGRAM_THREADS_MAX;
    ret->statements = 24;
}

/* Words belong to variables by their number, so a program that has fewer is fed with the same ones.
 * Some are the same in all threads. */
void program_case_inputs(const struct program_case *it, const struct program *program,
                         uint64_t *ret_input)
{
    for (int index = 0; index < program->variable_count; index++) {
        const struct program_variable *variable = &program->variable[index];
        if (!variable->is_input)
            continue;
        struct draw draw = {.seed = stream(it->input_seed + (uint64_t)variable->number * 4096, 2)};
        uint64_t *words = ret_input + variable->bits * program->threads;
        bool is_uniform = draw_chance(&draw, 1, 12);
        for (uint32_t thread = 0; thread < program->threads; thread++)
            words[thread] =
                is_uniform && thread > 0 ? words[0] : draw_bits(&draw, variable->of_class);
    }
}
