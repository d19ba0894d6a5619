/* The command line of every command, read with getopt_long into one struct by one table
 * (session/options.def). */
#ifndef ASSAY_CONFORMANCE_COMMAND_READ_OPTIONS_H
#define ASSAY_CONFORMANCE_COMMAND_READ_OPTIONS_H

#include "conformance/command/command.h"
#include "conformance/session/options.h"

/* Reads the line (argv[0] is the command's name). False when it is wrong: one line on stderr has
 * said what and what to do. */
bool options_read(const struct command *command, int argc, char **argv, struct options *ret);

#endif
