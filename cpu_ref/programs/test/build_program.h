/* Programs made by hand, for tests of the interpreter. */
#pragma once

#include "cpu_ref/programs/operations.h"

enum {
    OUTPUT_WORDS = PROGRAM_THREADS_MAX * (PROGRAM_VARIABLES_MAX + PROGRAM_PRIVATE_BYTES / 8) + 1
};

/* A new variable that begins as a constant, or as the thread's next input word. */
int build_constant(struct program *program, enum program_class of_class, uint64_t bits);
int build_input(struct program *program, enum program_class of_class);

/* The next statement; its arguments follow by build_argument or build_number. Its place. */
int build_statement(struct program *program, int operation, enum program_type type, int result);
void build_argument(struct program *program, int variable);
void build_number(struct program *program, uint64_t bits);

/* All statements since `place` are its body, the last `otherwise` of them its otherwise. */
void build_end(struct program *program, int place, int otherwise);

/* What variable `variable` is in a thread at the end, and word `word` of its global memory. */
uint64_t build_result(const struct program *program, const uint64_t *output, int variable,
                      uint32_t thread);
uint64_t build_own(const struct program *program, const uint64_t *output, uint32_t thread,
                   int word);
