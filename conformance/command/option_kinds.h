/* What values options take: how each kind is read into its field of struct options. */
#ifndef ASSAY_CONFORMANCE_COMMAND_OPTION_KINDS_H
#define ASSAY_CONFORMANCE_COMMAND_OPTION_KINDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A row of options.def, where its columns are explained. */
struct option_row {
    const struct option_kind *kind;
    size_t field, given; /* offsets in struct options */
    uint64_t least, most;
    const char *name, *was, *value, *standard, *expects, *commands, *help, *more;
    char letter;
    bool hidden;
};

struct option_kind {
    bool has_value, is_list;
    bool is_last;               /* read after all others, as it names what they add */
    const char *expects;        /* in words; NULL: the row's limits or its value say it */
    const char *(*words)(void); /* the value, where it is not the row's */
    bool (*read)(const struct option_row *row, const char *text, void *field);
    const char *(*refusal)(
        const char *text); /* why the file of that name cannot be used, or NULL */
};

extern const struct option_kind kind_flag, kind_count, kind_count64, kind_seconds, kind_text,
    kind_page, kind_input, kind_output, kind_folder, kind_choice, kind_device, kind_paths,
    kind_cases, kind_files, kind_levels, kind_fault;

/* The value's placeholder or its words; NULL without a value. */
const char *option_value(const struct option_row *row);

/* What the value must be, in words: "a number from 3 to 32". Returns `ret_text`. */
enum { OPTION_EXPECTS_BYTES = 96 };
const char *option_expects(const struct option_row *row, char ret_text[OPTION_EXPECTS_BYTES]);

#endif
