/* Programs of one operation in one type, over edge values: what checks its semantics through every
 * compiler. */
#ifndef ASSAY_CONFORMANCE_MODEL_PROGRAM_OPERATION_H
#define ASSAY_CONFORMANCE_MODEL_PROGRAM_OPERATION_H

#include <stdbool.h>

#include "cpu_ref/programs/program.h"

/* How many there are: each row of spec/operations.def in each of its types. */
int operation_programs(void);

/* The row of program `index` of them, and its words: "add.u32". */
enum { OPERATION_WORDS_BYTES = 64 };
int operation_program_row(int index);
const char *operation_program_words(int index, char ret_words[OPERATION_WORDS_BYTES]);

/* The program of these words: several statements of the operation, each with inputs or constants of
 * its own, memory filled before one that reads it, and read after one that writes it. It follows
 * from the words alone, whatever the generator does. False where they name no operation. */
bool operation_program(const char *words, struct program *ret);

#endif
