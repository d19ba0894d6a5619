/* The command line of every command, read with getopt_long into one struct. */
#ifndef ASSAY_CONFORMANCE_COMMAND_READ_OPTIONS_H
#define ASSAY_CONFORMANCE_COMMAND_READ_OPTIONS_H

#include "conformance/session/options.h"

/* Which options a command takes: a string of the letters that the table knows them by. A user types
 * their long names, and -o. */
struct options_command {
    const char *name;
    const char *letters;
    int patterns_min, patterns_max;
    const char *usage; /* the one line that a mistake is answered with */
};

/* Reads the line (argv[0] is the command's name). False when it is wrong: one line on stderr has
 * said what and what to do. */
bool options_read(const struct options_command *command, int argc, char **argv,
                  struct options *ret);

/* The first of the paths that are asked for. */
enum path options_first_path(const struct options *options);

#endif
