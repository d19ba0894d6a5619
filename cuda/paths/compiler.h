/* Compilers other than the driver's, which make machine code of the texts in this program, a row
 * each: what they are asked, and what their answers mean. Who runs them is conformance/session. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

enum { COMPILER_VERSION_BYTES = 16, COMPILER_WORDS_MAX = 16, COMPILER_WORD_BYTES = 32 };

/* The words after the program's name. */
struct compiler_words {
    int count;
    char words[COMPILER_WORDS_MAX][COMPILER_WORD_BYTES];
};

struct compiler {
    const char *name;          /* its paths' names begin with it; the option that gives its file */
    const char *form;          /* what follows the version in its paths' names: "", or "-ptx" */
    const char *command;       /* NULL: the file is a program. Else it is a library, and the program
                                * is this one: it is given this word and the file first */
    const char *const *places; /* of the file in a folder, as patterns of glob(); NULL last */
    const char *companions; /* in the file's own folder, what it loads itself: a pattern; or NULL */
    /* The version in what it answers to --version: "12.6.20". False without one. */
    bool (*version)(const char *answer, char ret_version[COMPILER_VERSION_BYTES]);
    /* To make code for devices of this compute capability, with a path's options (or NULL), of the
     * file `input` in the file `output`. */
    void (*words)(int compute_capability, const char *options, const char *input,
                  const char *output, struct compiler_words *ret);
    /* In what it printed, the words that say that it does not take this input or this device, as
     * it is too old for them, up to the end of their line. Or NULL. */
    const char *(*refusal)(const char *errors);
    /* The line that says most about why it failed: mostly the last one. */
    const char *(*complaint)(const char *errors);
};

/* The words that start it with that file, at most COMPILER_PROGRAM_MAX. Returns how many. */
enum { COMPILER_PROGRAM_MAX = 3 };
int compiler_program(const struct compiler *compiler, const char *file, const char **ret_words);

/* ptxas. Options: "-O0" to "-O3"; without, its own level. */
extern const struct compiler compiler_ptxas;

/* NVRTC's machine code, and its PTX. Options: "-O0" to "-O3", of its assembler. */
extern const struct compiler compiler_nvrtc, compiler_nvrtc_ptx;
