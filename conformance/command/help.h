/* What the tables of commands and options say to people: help, the manual page, and
 * the completion of bash. Clause: runner.options.table. */
#ifndef ASSAY_CONFORMANCE_COMMAND_HELP_H
#define ASSAY_CONFORMANCE_COMMAND_HELP_H

#include <stdbool.h>
#include <stdio.h>

struct command;
struct option_row;

/* All that is known of a row, in sentences: help, standard and more. */
enum { HELP_SENTENCES_BYTES = 1024 };
const char *help_sentences(const struct option_row *row, char ret_text[HELP_SENTENCES_BYTES]);

/* The rows that the help has under a command: those that no command before it takes. NULL after the
 * last; begin with NULL. */
const struct option_row *help_next(const struct command *command, const struct option_row *last);

/* All commands, and their options in a phrase each. */
void help_write(FILE *file);

/* One command, and its options in full. */
void help_write_command(FILE *file, const struct command *command);

/* For man(1), and for bash. */
void manual_write(FILE *file);
void completion_write(FILE *file);

#endif
