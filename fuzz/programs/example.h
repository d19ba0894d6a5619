/* A miscompiled program as files that stand alone, for the one who mends the compiler. */
#ifndef ASSAY_FUZZ_PROGRAMS_EXAMPLE_H
#define ASSAY_FUZZ_PROGRAMS_EXAMPLE_H

#include <stdint.h>

#include "fuzz/programs/render.h"

struct program_example {
    const struct program *program;
    const char *line; /* of its case */
    const char
        *note; /* lines of text on what is wrong where, each ended by a newline; NULL: none */
    const uint64_t *input;
    const uint64_t *expected; /* output words, as the interpreter has them */
    const uint64_t *got;      /* as the compiler's code has them; NULL: not said */
};

/* PTX whose comments have the launch, the inputs, and each word that differs (the first ten). */
void example_ptx(struct program_text *text, const struct program_example *example, int arch);

/* CUDA C with a main() that launches the kernel, compares, and says what differs: `nvcc x.cu` makes
 * a program that returns 0 where all is right. */
void example_c(struct program_text *text, const struct program_example *example);

#endif
