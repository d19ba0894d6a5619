/* A text through the compiler of a code path, which runs in a process of its own. */
#pragma once

#include <stdbool.h>

#include "conformance/base/process.h"
#include "conformance/base/reason.h"
#include "conformance/model/path.h"
#include "cuda/paths/compiler.h"

/* The code that a compiler made of a text, or why it made none. */
struct compiled {
    enum made_state state;
    bool late;                     /* it was killed at its time limit */
    bool crashed;                  /* a signal ended it, or it says that an error is its own; not
                                    * if the host lacks memory */
    void *code;                    /* for free(), or NULL */
    size_t bytes;                  /* of that */
    char note[FINDING_NOTE_BYTES]; /* why the code is missing, or "" */
};

struct compile_limits {
    double wall_s;
    int cpu_s;
};
/* A text for the path's compiler and a device of this compute capability. */
struct compile_job {
    int path, compute_capability;
    const char *text;
    struct compile_limits limits; /* a compiler that takes longer, or more of the CPU's time, is
                                   * killed; 0: no limit */
    bool is_kept;                 /* what is made of it is kept in the user's cache */
};

/* Any thread may ask. Clause: driver.candidate.alone. */
void compile_text(const struct compile_job *job, struct compiled *ret);

/* The same by a compiler's file that is not a path yet, at its own level, and not kept. */
void compile_probe(const struct compiler *compiler, const char *tool, const struct compile_job *job,
                   struct compiled *ret);

/* Reads the result that was kept of such a job. False: nothing was kept. Only code is kept, and
 * only of compilers that have a digest for it (struct path, kept): what was refused, crashed or
 * hung is asked again. Clause: driver.candidate.cached. */
bool compile_find(const struct compile_job *job, struct compiled *ret);

/* The host's C compiler, where there is one: generated programs go through it on the host
 * device. */

/* The compiler's file: the first of cc, gcc and clang that $PATH has. False with the reason. */
enum { HOST_COMPILER_BYTES = 1024 };
bool host_compiler_find(char ret_file[HOST_COMPILER_BYTES], struct reason *ret_reason);

/* Makes a library of C text, as compile_text makes code. */
void host_compiler_run(const char *file, const char *text, const struct compile_limits *limits,
                       struct compiled *ret);
