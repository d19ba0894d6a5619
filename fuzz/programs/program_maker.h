/* A program while it is made: the operations that it may consist of, and the fate of each value.
 * The generator's own (program_make.c); nobody else includes it. */
#pragma once

#include "cpu_ref/programs/operations.h"
#include "fuzz/programs/draw.h"
#include "fuzz/programs/program_case.h"

enum {
    CHOICES_MAX = 2048, /* rows of the table times their types */
    RECENT = 3          /* variables written last, which arguments prefer */
};

/* An operation of one type. */
struct choice {
    uint16_t operation;
    uint8_t type;
};

/* The choices of one group that stay in this program. */
struct choices {
    uint16_t first;
    uint16_t count;
};

/* The place where statements are made: in how many blocks, run by which threads. */
struct place {
    int depth;
    uint64_t iterations; /* of a statement there, through all loops around it */
    bool is_uniform;     /* all threads, or none */
    bool is_cases;       /* each statement is a case of a switch */
};

/* The fate of a variable's value: one that is not kept is lost once it is written over, and was
 * computed in vain. */
enum value {
    VALUE_NEW,    /* nobody read it */
    VALUE_READ,   /* its readers may lose it: a comparison, a shift */
    VALUE_KEPT,   /* it went on whole, into a sum or the like: it may be written over */
    VALUE_CONTROL /* what blocks ask: never written */
};

/* Variables of a class, in the order in which they came to be. */
struct variables {
    int count;
    int wanted; /* the most; beyond it two whose values are not kept are made one */
    uint8_t of[PROGRAM_VARIABLES_MAX];
    uint8_t recent[RECENT];
    int control; /* an input that blocks ask; -1: none */
};

struct maker {
    struct draw draw;
    const struct program_case *it;
    struct program *program;
    struct choice choice[CHOICES_MAX];
    int choice_count;
    struct choices straight[OPERATION_GROUPS];
    int groups[OPERATION_GROUPS]; /* that have straight choices */
    int group_count;
    struct choices blocks;
    struct variables variables[PROGRAM_CLASSES];
    uint8_t value[PROGRAM_VARIABLES_MAX]; /* enum value */
    bool is_lossy[PROGRAM_VARIABLES_MAX]; /* what was kept on the way to it may be lost a little */
    bool loses;                           /* so does the statement that is made */
};

/* Makes the variables that hold something at first. */
void maker_variables(struct maker *maker);

/* Every bit of that argument (from 0 on) goes on into the result. */
bool maker_keeps(int operation, int argument);

/* A variable of the class, to read; is_kept: its value goes on whole. */
int maker_draw_variable(struct maker *maker, enum program_class of_class, bool is_kept);

/* The statement reads its arguments. */
void maker_read(struct maker *maker, const struct place *place,
                const struct program_statement *statement);

/* A variable that may be written by the statement. */
int maker_draw_result(struct maker *maker, const struct program_statement *statement,
                      enum program_class of_class);

/* The statement that must come before one with a result of that class, so that this writes over
 * nothing that is not kept; false if none must. */
bool maker_fold(struct maker *maker, const struct place *place, enum program_class of_class,
                struct program_statement *ret);
