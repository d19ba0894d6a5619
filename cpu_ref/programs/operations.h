/* The table of operations (spec/operations.def), which interpreter, generator and renderers read:
 *
 *     const struct operation *operation = &operations[statement->operation];
 *     for (int place = 1; place <= operation_arguments(operation); place++)
 *         of_class = operation_class(operation, statement->type, place);
 *
 * Place 0 is the result, places from 1 on are the arguments. */
#pragma once

#include "cpu_ref/programs/program.h"

/* Groups of operations: a program is made of some of them (swarm testing). */
enum operation_group {
    GROUP_ARITHMETIC,
    GROUP_LOGIC,
    GROUP_BITS,    /* shifts, fields, permutations of bytes, counting */
    GROUP_WIDE,    /* wide products, carries, saturation */
    GROUP_PACKED,  /* 16x2, 8x4, dot products */
    GROUP_COMPARE, /* predicates, selections */
    GROUP_CONVERT,
    GROUP_FLOAT, /* binary32 and binary64 */
    GROUP_LOCAL, /* the thread's array, indexed at run time */
    GROUP_TABLE, /* constant memory */
    GROUP_GLOBAL,
    GROUP_SHARED, /* with barriers */
    GROUP_WARP,   /* shuffles, votes, match, reduce */
    GROUP_ATOMIC,
    GROUP_CONTROL, /* if, loop, switch, call */
    OPERATION_GROUPS
};

/* A row's number: OPERATION_add and so on. */
enum operation_id {
#define OPERATION(name, ...) OPERATION_##name,
#include "spec/operations.def"
#undef OPERATION
    OPERATIONS
};

struct operation {
    const char *name; /* "add": PTX's where it has one */
    uint8_t group;
    uint16_t types;        /* that it comes in: a set of enum program_type */
    const char *signature; /* result, then each argument: see spec/operations.def */
    uint8_t minimum_arch;  /* compute capability that PTX needs: 75, 80, 90 */
    bool is_block;         /* has a body */
    bool is_together;      /* all threads of a warp or block must come to it together */
    bool is_costly;        /* compilers take long for it: fewer programs have it */
    const char *ptx;       /* text with places: see spec/operations.def */
    const char *c;
    const char *source; /* section of the PTX ISA that says what it computes */
};

extern const struct operation operations[OPERATIONS];
extern const int operation_count; /* OPERATIONS */

/* Row of that name; -1: none. */
int operation_find(const char *name);

int operation_arguments(const struct operation *operation);

/* Class of the result (place 0), or of an argument (1, 2, ...), where the operation is of `type`.
 */
enum program_class operation_class(const struct operation *operation, enum program_type type,
                                   int place);
bool operation_has_result(const struct operation *operation);

/* Returns true if the argument must be a constant, below *ret_bound (0: of any bits). */
bool operation_is_constant(const struct operation *operation, enum program_type type, int place,
                           uint64_t *ret_bound);

int class_bits(enum program_class of_class); /* 1, 16, 32, 64 */

/* The bits cut to the class. */
uint64_t class_cut(enum program_class of_class, uint64_t bits);

int type_bits(enum program_type type);
bool type_is_signed(enum program_type type);
const char *type_name(enum program_type type); /* "s32" */
enum program_class type_class(enum program_type type);
