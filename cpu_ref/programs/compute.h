/* The semantics of one statement: a function of the operation's row, its type and the bits of its
 * arguments. Internal to the interpreter; nobody else includes it. To add an operation, write its
 * function in the file of its kind and its row in that file's table:
 *
 *     COMPUTES(nand, ~(a[0] & a[1]))
 *     [OPERATION_nand] = {nand, 0},
 *
 * An operation of all threads of a block is a together_function in compute_memory.c. */
#pragma once

#include "cpu_ref/programs/operations.h"

/* A statement, for a thread. */
struct step {
    int bits; /* of its type */
    bool is_signed;
    int variant;                /* of the function, from its row */
    unsigned char *array;       /* PROGRAM_PRIVATE_BYTES of the thread's local memory */
    unsigned char *own;         /* and of global memory */
    const unsigned char *table; /* PROGRAM_TABLE_WORDS, little endian */
};

/* The arguments are zero-extended; of the result the bits of its class count. */
typedef uint64_t compute_function(const struct step *step, const uint64_t *argument);

struct computation {
    compute_function *function; /* NULL: of another file */
    int variant;
};

/* A computation that is one expression of its arguments a[0], a[1], … and the step. */
#define COMPUTES(name, value)                                                                      \
    static uint64_t name(const struct step *step, const uint64_t *a)                               \
    {                                                                                              \
        (void)step;                                                                                \
        return value;                                                                              \
    }

extern const struct computation compute_integer[OPERATIONS]; /* and bits of integers */
extern const struct computation compute_packed[OPERATIONS];  /* parts of words */
extern const struct computation compute_float[OPERATIONS];   /* and conversions from and to it */
extern const struct computation compute_memory[OPERATIONS];  /* of the thread's own */

/* A statement for all threads of a block at once: argument[place][thread]; ret_result holds what
 * the result was, which stays where a thread takes no part. */
typedef void together_function(const struct step *step, uint32_t threads,
                               const uint64_t (*argument)[PROGRAM_THREADS_MAX],
                               uint64_t *ret_result);

struct togetherness {
    together_function *function;
    int variant;
};

extern const struct togetherness compute_together[OPERATIONS];

enum { REDUCE_ADD, REDUCE_MIN, REDUCE_MAX, REDUCE_AND, REDUCE_OR, REDUCE_XOR };

/* One step of a reduction of numbers of the step's type. */
uint64_t compute_reduce(const struct step *step, int how, uint64_t left, uint64_t right);

static inline uint64_t low_bits(uint64_t value, int bits)
{
    return bits == 64 ? value : value & (((uint64_t)1 << bits) - 1);
}

static inline uint64_t sign_extend(uint64_t value, int bits)
{
    const uint64_t sign = (uint64_t)1 << (bits - 1);
    return (low_bits(value, bits) ^ sign) - sign;
}

/* The value as a number of 64 bits, of the step's type. */
static inline uint64_t extend(const struct step *step, uint64_t value)
{
    return step->is_signed ? sign_extend(value, step->bits) : value;
}

static inline bool is_less(const struct step *step, uint64_t left, uint64_t right)
{
    /* With the sign bit flipped, signed numbers are in the order of unsigned ones. */
    const uint64_t flip = step->is_signed ? (uint64_t)1 << (step->bits - 1) : 0;
    return (left ^ flip) < (right ^ flip);
}
