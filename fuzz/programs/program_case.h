/* A program as a case: one line that makes the same program anywhere, for ever.
 *
 *     program version=2 seed=7 statements=40 threads=128 mix=arithmetic,bits,warp inputs=3
 *         drop=3,9-14 set=5.1:0x10
 *
 * version    of the generator: a line of another one is refused
 * seed       everything that is not named follows from it
 * statements that are generated, before any is dropped
 * threads    of the one block
 * mix        groups of operations that are used (operations.h); without it the seed chooses
 * operation  the only one that is used, in all its types: `operation=add`; without it those of the
 * mix inputs     seed of the input words; without it `seed` drop       numbers of statements that
 * are left out; a block's markers go, its body stays set        argument 1 of statement 5 is this
 * constant; for a loop, its iterations
 *
 * A line has its keys in this order and is written in one way only. Variables that no statement
 * names are no part of the program. Known miscompiles are avoided by the one who picks: he drops
 * the statement that completes a trigger, so the line stays what it is when a list of them grows.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "cpu_ref/programs/program.h"

enum {
    PROGRAM_VERSION = 2,
    PROGRAM_SETS_MAX = PROGRAM_STATEMENTS_MAX * 2,
    PROGRAM_TEXT_BYTES = 32768, /* of the longest line */
    PROGRAM_ERROR_BYTES = 160
};

struct program_set {
    uint16_t statement;
    uint8_t argument; /* from 1 on */
    uint64_t bits;
};

struct program_case {
    uint64_t seed;
    uint64_t input_seed;
    uint32_t statements;
    uint32_t threads;
    uint32_t mix;      /* set of enum operation_group; 0: the seed chooses */
    int32_t operation; /* row of the table; -1: those of the mix */
    bool dropped[PROGRAM_STATEMENTS_MAX];
    uint16_t set_count;
    struct program_set set[PROGRAM_SETS_MAX];
};

/* False with one line that says what is wrong; ret_error has PROGRAM_ERROR_BYTES. */
bool program_case_parse(const char *text, struct program_case *ret, char *ret_error);

/* The same line for the same case; ret_text has PROGRAM_TEXT_BYTES. */
void program_case_print(const struct program_case *it, char *ret_text);

/* Makes an argument (from 1 on) of a statement a constant. Returns false, with nothing changed,
 * where PROGRAM_SETS_MAX already are. */
bool program_case_set(struct program_case *it, int statement, int argument, uint64_t bits);

/* Program number `index` of a run of `seed`: sizes, threads and groups vary. */
void program_case_pick(uint64_t seed, uint64_t index, struct program_case *ret);

/* A program that is made of one operation, in all its types, over edge values: each statement has
 * inputs of its own or constants, so that every result is seen. */
void program_case_of_operation(int operation, uint64_t seed, struct program_case *ret);

/* The program of the line, its dropped statements left out. */
void program_case_make(const struct program_case *it, struct program *ret);

/* Its input words (program.h): edge values and random ones. */
void program_case_inputs(const struct program_case *it, const struct program *program,
                         uint64_t *ret_input);

enum { PROGRAM_SHRINK_BATCH = 64 };

/* Sets in ret_fails which of `count` cases (at most PROGRAM_SHRINK_BATCH) fail as the first one
 * did: so that one module and one launch answer many. Returns false to stop with the best so far.
 */
typedef bool program_fails(void *context, const struct program_case *cases, int count,
                           bool *ret_fails);

/* Replaces `it`, which fails, by the smallest program found that still does: statements dropped
 * (all of a group, then halves, down to one by one), fewer threads, shorter loops, arguments made
 * constants; again, until none of that keeps the failure. */
void program_shrink(struct program_case *it, program_fails *fails, void *context);
