/* The commands of the program: a table, each a name and the function that carries it out. A new
 * command is a row in commands.def and its function in one of the files command_*.c; main() calls
 * that of the row.
 *
 *     const struct command *command = command_of_user("assay", argv[1]);
 *     if (command && options_read(command, argc - 1, argv + 1, &options))
 *         status = command_run(command, &options);
 */
#pragma once

#include <stdbool.h>
#include <stdio.h>

#include "conformance/session/options.h"

struct command;
struct written;

/* Carries out the command line. Returns main's status (reason.h). */
typedef int command_function(const struct command *command, struct options *options);

struct command {
    const char *name;
    const char *words; /* its arguments besides options: "[PATTERN...]", or "" */
    int words_min, words_max;
    const char *summary;
    bool launches;   /* kernels, which must have been built */
    int descriptors; /* that it needs; with fewer it does not begin */
};

/* All of them, in the order of the help. */
extern const struct command commands[];
extern const int command_count;

/* The command of that name, or NULL. */
const struct command *command_find(const char *name);

/* The same for a word that a user typed: for an unknown command a line on stderr says so, and
 * suggests the nearest one. `who` begins the line: "assay". */
const struct command *command_of_user(const char *who, const char *name);

/* True for the name of a page: it ends in .html or .htm, or has no extension, as a device has not.
 */
bool command_is_page(const char *path);

/* The format that the options name; without one a page, if -o names a file NAME.html. */
enum output_format command_format(const struct options *options);

/* True if a PASS prints nothing: text with -q. Other formats, and files of -o, are always whole. */
bool command_is_quiet(const struct options *options);

/* Writes what a command made in memory, and frees it: to the file of -o, which never holds half of
 * it, or to standard output. Returns the status. */
int command_output(const struct command *command, const struct options *options,
                   struct written *written, int status);

/* A line "assay COMMAND: why"; returns `status`. */
int command_complain(const struct command *command, int status, const char *why);

/* The functions of the rows, command_run() to command_help(): in the files command_*.c. */
#define COMMAND(id, ...) command_function command_##id;
#include "conformance/command/commands.def"
#undef COMMAND

/* Help, the manual page and the bash completion, generated from the tables of commands and options
 * (help.c). Each function writes to `file` and none fails: the caller checks the file. Clause:
 * runner.options.table. */

/* All commands, and their options in a phrase each. */
void help_write(FILE *file);

/* One command, with all its options in full. */
void help_write_command(FILE *file, const struct command *command);

/* For man(1), and for bash. */
void manual_write(FILE *file);
void completion_write(FILE *file);
