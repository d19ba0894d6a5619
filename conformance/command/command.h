/* A command of the program: its row. Each is a file command_*.c. */
#ifndef ASSAY_CONFORMANCE_COMMAND_COMMAND_H
#define ASSAY_CONFORMANCE_COMMAND_COMMAND_H

#include <stdbool.h>

struct command {
    const char *name;
    const char *words; /* what it takes beside options: "[PATTERN...]", or "" */
    int words_min, words_max;
    const char *summary;
    bool launches; /* kernels, which must have been built */
    /* Takes its own argv (argv[0] is its name) and returns main's status (verdict.h). */
    int (*run)(int argc, char **argv);
};

#endif
