/* Known miscompiles, each a program with an expectation: a reduced program, its trigger, the
 * versions that have it, how it fails, and its wrong words. */
#pragma once

#include "conformance/base/reason.h"
#include "conformance/model/job.h"
#include "fuzz/programs/program_case.h"

enum { KNOWN_MAX = 256, KNOWN_ID_BYTES = 48, KNOWN_VERSION_BYTES = 48 };

/* A row of the table, or a line of the user's file: the same six texts. */
struct known {
    const char *id, *trigger, *versions, *program, *reference, *words;
};

/* The ways in which a program fails, a bit each; a row lists one or more. */
enum known_kind {
    KNOWN_WRONG = 1,      /* wrong words */
    KNOWN_CRASH = 2,      /* the compiler ends by a signal, or says that the error is its own */
    KNOWN_ILLEGAL = 4,    /* the launch ends with an illegal instruction */
    KNOWN_HANG = 8,       /* the compiler does not end */
    KNOWN_MISALIGNED = 16 /* the launch ends with a misaligned address */
};

/* The way of failing of the program's finding in that stage; 0: none that a row can list. */
int known_kind_of(const struct finding *finding, int stage);

struct known_list {
    int count;
    struct known rows[KNOWN_MAX];
    bool is_avoided[KNOWN_MAX]; /* by programs of the run; from the start each */
    char *text;                 /* of the user's file, which rows point into */
    int own_count;              /* rows of that file, after those of the table */
    uint64_t digest;            /* of that file: FNV-1a */
    uint64_t table_digest;      /* of the table's texts, with the 0 that ends each */
};

/* The table's rows and, where `file` is not NULL, those of that file: a line each, "id | trigger |
 * versions | program | reference | words"; # begins a comment. False with the reason. */
bool known_open(const char *file, struct known_list *ret, struct reason *ret_reason);
void known_close(struct known_list *list);

/* The line of its program: the row's, or else "trigger ...". */
enum { KNOWN_LINE_BYTES = PROGRAM_TEXT_BYTES };
const char *known_line(const struct known *known, char ret_line[KNOWN_LINE_BYTES]);

/* The ways in which its program fails, as bits. */
int known_kinds(const struct known *known);

/* True if its program makes a compiler hang. */
bool known_hangs(const struct known *known);

/* True if it hangs, or ends its compiler or runner: others in its module would be lost, too. */
bool known_is_alone(const struct known *known);

/* True if the row lists the wrong words of that result. */
bool known_gives(const struct known *known, const struct program_result *result);

/* The number of the statement that completes the trigger in the program; or -1. */
int known_trigger(const struct known *known, const struct program *program);

/* Drops the statements of the case that complete the triggers of these rows, until none is left; of
 * all of them where `is_avoided` is NULL. A cause that a run found is such a row, of a trigger
 * alone. Returns how many it dropped. */
int known_drop(const struct known *rows, const bool *is_avoided, int count,
               struct program_case *it);

/* Drops statements of the case until no trigger of an avoided row is left. */
void known_avoid(const struct known_list *list, struct program_case *it);

/* The first row whose trigger the program contains, but for those that are left out (NULL: all
 * count); -1: none. */
int known_find(const struct known_list *list, const struct program *program,
               const bool *is_left_out);

/* A row without a trigger applies only to its program. */
bool known_is_of_one(const struct known *row);

/* True if the case is that of such a row's program, whatever is dropped from either. */
bool known_is_seed_of(const struct known *row, const struct program_case *it);

/* True if the row lists this version of this compiler: "ptxas", "12.6.20". A version that was not
 * tried counts as the nearest earlier one that was, or else as the first. */
bool known_has(const struct known *known, const char *compiler, const char *version);

/* True if programs were run through that version of the compiler; `ret_nearest` is the version that
 * it counts as, or itself for a compiler that was never tried. */
bool known_was_tried(const char *compiler, const char *version,
                     char ret_nearest[KNOWN_VERSION_BYTES]);
