/* A program as text for a compiler.
 *
 *     struct program_text text = {0};
 *     render_ptx_begin(&text, 90);
 *     render_ptx(&text, &program, "p0");
 *     if (!text.is_out_of_memory)
 *         fputs(text.text, file);
 *     free(text.text);
 *
 * Every kernel has the parameters (input, output), both global
 * addresses of 64-bit words, is launched as one block of program->threads, and begins with no
 * shared memory of its caller's. Its part of global memory is in output, behind the variables,
 * and holds 0 before the launch (program.h). */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "cpu_ref/programs/program.h"

/* Text that grows. */
struct program_text {
    char *text; /* ended by 0; NULL: nothing yet; the caller's to free */
    size_t bytes;
    size_t room;
    bool is_out_of_memory;
};

/* One module has one begin, any number of kernels, each of its own name, and one end. `arch` is the
 * compute capability that it is for, as 90: operations that need more were not generated. */
void render_ptx_begin(struct program_text *text, int arch);
void render_ptx(struct program_text *text, const struct program *program, const char *name);

/* CUDA C for nvcc and NVRTC, and C11 for the host's compiler, out of one text: what the words mean
 * there is in render_c_begin's prelude, which depends on __CUDACC__. On the host a kernel is a
 * function `void name(const uint64_t *input, uint64_t *output)`. */
void render_c_begin(struct program_text *text);
void render_c(struct program_text *text, const struct program *program, const char *name);
