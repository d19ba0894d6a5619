/* A program: a kernel that is generated. Typed statements over variables that each thread of one
 * block has of its own; what it computes is defined to the last bit, whatever a statement's
 * operands are (spec/programs.md). So a statement can be left out, or an operand be replaced by a
 * constant, and what is left is a program still: that is what the shrinker needs. The golden
 * interprets it (program_interpret), fuzz/programs/ makes, names and renders it. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

enum {
    PROGRAM_THREADS_MAX = 256,
    PROGRAM_VARIABLES_MAX = 64,
    PROGRAM_STATEMENTS_MAX = 512,
    PROGRAM_ARGUMENTS_MAX = 4,
    PROGRAM_DEPTH_MAX = 4,     /* of blocks in blocks */
    PROGRAM_LOOP_MAX = 8,      /* iterations of one loop */
    PROGRAM_CASES = 8,         /* of one switch */
    PROGRAM_ARRAY_WORDS = 16,  /* 32-bit words of each thread's array */
    PROGRAM_TABLE_WORDS = 64,  /* 32-bit words of the constant table */
    PROGRAM_PRIVATE_BYTES = 64 /* of each thread's part of global memory */
};

/* Classes of variables. A value is bits; the operation decides on their sign. */
enum program_class {
    CLASS_PREDICATE, /* 0 or 1 */
    CLASS_16,
    CLASS_32,
    CLASS_64,
    CLASS_F32, /* bits of an IEEE 754 binary32 */
    CLASS_F64,
    PROGRAM_CLASSES
};

/* How an operation reads and writes the bits: a set of them is a mask of 1u << type. */
enum program_type {
    TYPE_PREDICATE,
    TYPE_S16,
    TYPE_U16,
    TYPE_S32,
    TYPE_U32,
    TYPE_S64,
    TYPE_U64,
    TYPE_F32,
    TYPE_F64,
    PROGRAM_TYPES
};

enum argument_kind { ARGUMENT_NONE, ARGUMENT_VARIABLE, ARGUMENT_CONSTANT };

struct program_argument {
    uint8_t kind;
    uint8_t variable; /* of an ARGUMENT_VARIABLE */
    uint64_t bits;    /* of an ARGUMENT_CONSTANT, in the low bits of its class */
};

/* result = operation.type(arguments). A block statement (operations.h, is_block) has none, and a
 * body: the statements up to its end. */
struct program_statement {
    uint16_t number;    /* in the program as it was generated: `drop=` names it */
    uint16_t operation; /* row of the table of operations */
    uint8_t type;       /* enum program_type, one that the row has */
    uint8_t result;     /* variable; unused where the row has none */
    uint16_t body;      /* statements of its body, which follow it: with those of blocks in it */
    uint16_t otherwise; /* of these the last ones, that an `if` runs where it does not hold */
    struct program_argument argument[PROGRAM_ARGUMENTS_MAX];
};

/* A variable and its value before the first statement: a word of the thread's input or a constant,
 * cut to its class. */
struct program_variable {
    uint16_t number;  /* in the program as it was generated */
    uint8_t of_class; /* enum program_class */
    bool is_input;
    uint64_t bits; /* the constant; of an input its index */
};

struct program {
    uint32_t threads;        /* of its one block; the last warp may be a part of one */
    uint16_t register_limit; /* for the compiler (.maxnreg); 0: none. Changes no result */
    uint16_t blocks_minimum; /* for the compiler (.minnctapersm); 0: none. Changes no result */
    uint16_t variable_count;
    uint16_t statement_count;
    uint16_t input_count; /* 64-bit words that each thread reads */
    uint32_t table[PROGRAM_TABLE_WORDS];
    struct program_variable variable[PROGRAM_VARIABLES_MAX];
    struct program_statement statement[PROGRAM_STATEMENTS_MAX];
};

/* Buffers of a program, in 64-bit words: input word i of thread t is input[i * threads + t]. The
 * result of variable v in thread t is output[v * threads + t], zero-extended. A NaN of class F32 is
 * stored as 0x7fffffff, one of F64 as 0x7fffffffffffffff. Each thread's part of global memory
 * follows, aligned to 16 bytes, as it is at the end: word i of thread t at
 * output[program_own_word(program, t) + i]. */
static inline uint32_t program_input_words(const struct program *program)
{
    return program->input_count * program->threads;
}

static inline uint32_t program_own_word(const struct program *program, uint32_t thread)
{
    uint32_t results = program->variable_count * program->threads;
    return results + results % 2 + thread * (PROGRAM_PRIVATE_BYTES / 8);
}

static inline uint32_t program_output_words(const struct program *program)
{
    return program_own_word(program, program->threads);
}

/* The golden of generated programs: runs the program statement by statement, each for all threads
 * of the block, which are in step. Plain C; shares no code with what renders programs. `input` has
 * program_input_words, `ret_output` program_output_words. The program is one that program_check
 * takes. The calling thread's rounding mode does not matter, and stays. */
void program_interpret(const struct program *program, const uint64_t *input, uint64_t *ret_output);
