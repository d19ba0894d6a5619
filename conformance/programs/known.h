/* Miscompiles that are known: a reduced program each, what triggers it, and which versions have it.
 */
#ifndef ASSAY_CONFORMANCE_PROGRAMS_KNOWN_H
#define ASSAY_CONFORMANCE_PROGRAMS_KNOWN_H

#include "conformance/base/reason.h"
#include "fuzz/programs/program_case.h"

enum { KNOWN_MAX = 256, KNOWN_ID_BYTES = 48, KNOWN_VERSION_BYTES = 48 };

/* A row of the table, or a line of the user's file: the same five texts. */
struct known {
    const char *id, *trigger, *versions, *program, *reference;
};

struct known_list {
    int count;
    struct known rows[KNOWN_MAX];
    bool is_avoided[KNOWN_MAX]; /* by programs of the run; from the start each */
    char *text;                 /* of the user's file, which rows point into */
};

/* The table's rows and, where `file` is not NULL, those of that file: a line each, "id | trigger |
 * versions | program | reference"; # begins a comment. False with the reason. */
bool known_open(const char *file, struct known_list *ret, struct reason *ret_reason);
void known_close(struct known_list *list);

/* The line of its program: the row's, or else "trigger ...". */
enum { KNOWN_LINE_BYTES = PROGRAM_TEXT_BYTES };
const char *known_line(const struct known *known, char ret_line[KNOWN_LINE_BYTES]);

/* True where its program does not come to wrong bits, but keeps compilers from ever ending. */
bool known_hangs(const struct known *known);

/* True where it hangs, or ends what compiles or runs it: others in its module would go with it. */
bool known_is_alone(const struct known *known);

/* The number of the statement that completes the trigger in the program; -1: there is none. */
int known_trigger(const struct known *known, const struct program *program);

/* Drops statements of the case until no trigger of a row that is avoided is left. False without
 * memory. */
bool known_avoid(const struct known_list *list, struct program_case *it);

/* The first row from that one on that the program has the trigger of; -1: none. */
int known_find(const struct known_list *list, const struct program *program, int from);

/* A row without a trigger is of its program alone. */
bool known_is_of_one(const struct known *row);

/* True where the row says that this version of this compiler has it: "ptxas", "12.6.20". A version
 * that was not looked at counts as the nearest before it that was, or else as the first. */
bool known_has(const struct known *known, const char *compiler, const char *version);

#endif
