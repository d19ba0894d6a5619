/* The command line of every command, read into one struct by one table
 * (session/options.def), so that the same word means the same thing everywhere.
 *
 *     struct options options;
 *     if (!options_read(command, argc, argv, &options))
 *         return EXIT_STATUS_USAGE; // a line on stderr has said why
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "conformance/command/commands.h"
#include "conformance/session/options.h"

/* A row of options.def, where its columns are explained. */
struct option_row {
    const struct option_kind *kind;
    size_t field, given; /* offsets in struct options */
    uint64_t least, most;
    const char *name, *value, *standard, *expects, *commands, *help, *more;
    char letter;
    bool advanced;
};

/* How a value is read into its field of struct options. */
struct option_kind {
    bool has_value, is_list;
    bool is_last;               /* read after all others, since it names what they add */
    const char *expects;        /* in words; NULL: the row's limits or its value imply it */
    const char *(*words)(void); /* the value, if it is not the row's */
    bool (*read)(const struct option_row *row, const char *text, void *field);
    bool (*fits)(const char *word); /* of a list that is kept as it is: each word of it */
    const char *(*refusal)(
        const char *text); /* why the file of that name cannot be used, or NULL */
};

/* Every option of every command. */
extern const struct option_row option_rows[];
extern const int option_row_count;

/* An option that a command no longer has, and what took its place: "--NAME was removed: INSTEAD".
 * Its row stays: the name is in scripts, and never gets another meaning. */
struct option_removed {
    const char *command, *name, *instead;
};
extern const struct option_removed options_removed[];
extern const int option_removed_count;

/* True if the command accepts the option. */
bool option_is_of(const struct option_row *row, const char *command);

/* The value's placeholder or its words; NULL without a value. */
const char *option_value(const struct option_row *row);

/* Reads the line (argv[0] is the command's name), whose words `ret` keeps, in their place. Returns
 * false if it is wrong: one line on stderr has said what is wrong and what to do. */
bool options_read(const struct command *command, int argc, char **argv, struct options *ret);
