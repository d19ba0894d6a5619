/* What the tables of commands and options say to people: help, the manual page, and the completion
 * of bash. Each writes to `file` what the tables have; none fails: who called looks at the file.
 * Clause: runner.options.table. */
#ifndef ASSAY_CONFORMANCE_COMMAND_HELP_H
#define ASSAY_CONFORMANCE_COMMAND_HELP_H

#include <stdio.h>

struct command;

/* All commands, and their options in a phrase each. */
void help_write(FILE *file);

/* One command, and its options in full. */
void help_write_command(FILE *file, const struct command *command);

/* For man(1), and for bash. */
void manual_write(FILE *file);
void completion_write(FILE *file);

#endif
