/* The report on one check that did not pass. */
#pragma once

#include <stdbool.h>

#include "conformance/base/reason.h"

/* The places in the allocation that can be wrong, a row each: the place's word in records and
 * output, and the clause that a write there breaks (of an output's element compare.c says which).
 *
 *     ELEMENT   an output element has a wrong value, or was not written
 *     GAP       inside an operand's span, between its elements
 *     GUARD     before or after an operand
 *     INPUT     an input's element
 */
#define PLACES(PLACE)                                                                              \
    PLACE(ELEMENT, "element", NULL)                                                                \
    PLACE(GAP, "gap", "memory.gaps.untouched")                                                     \
    PLACE(GUARD, "guard", "memory.guards.untouched")                                               \
    PLACE(INPUT, "input", "memory.inputs.unchanged")
#define PLACE_ID(id, word, clause) PLACE_##id,
/* Of all places: "|element|gap", as a form's words are written. */
#define PLACE_WORDS                  "" PLACES(PLACE_WORD)
#define PLACE_WORD(id, word, clause) "|" word

/* PLACE_NONE: a crash or a timeout has no place. */
enum place { PLACE_NONE, PLACES(PLACE_ID) PLACE_COUNT };

/* Its word: "element", ...; "" for PLACE_NONE. */
const char *place_name(enum place place);

/* The clause that a write there breaks, or NULL. */
const char *place_clause(enum place place);

enum { FINDING_NOTE_BYTES = 256 };

/* Everything known of one check that did not pass. Plain data: it travels between processes. */
struct finding {
    enum verdict verdict;
    enum place place;
    int operand;            /* index of the operand, or -1 */
    int unwritten;          /* true: the output still held its poison there */
    int64_t row, column;    /* PLACE_ELEMENT, PLACE_INPUT: of the element. PLACE_GAP: of the one
                             * before it; -1, -1 before the first */
    int64_t distance_bytes; /* PLACE_GUARD: from the operand's first byte (negative) or end */
    int unit_bytes;         /* the bytes of expected and got that count: 1 to 16 */
    unsigned char expected[16];
    unsigned char got[16];
    uint64_t ulp;            /* elements: steps between the two, or FORMAT_NO_DISTANCE (format.h) */
    uint64_t wrong_elements; /* over the whole allocation */
    uint64_t wrong_gap_bytes;
    uint64_t wrong_guard_bytes;
    uint64_t wrong_inputs;
    char clause[64];               /* the broken clause; "" if none is */
    char note[FINDING_NOTE_BYTES]; /* the driver's word, the signal, the reason to skip; or "" */
};

/* Makes it one without a place; what does not fit of the note is cut off. Always false. */
__attribute__((format(printf, 4, 5))) bool finding_set(struct finding *ret, enum verdict verdict,
                                                       const char *clause, const char *format, ...);

/* The limit of a measurement. Bits are held to the golden, which needs no value; a relation is a
 * floor and a ceiling on a ratio, a budget a ceiling on a count. */

enum { LIMIT_FROM_BYTES = 160 };

enum limit_kind {
    LIMIT_FLOOR,   /* the lower bound */
    LIMIT_CEILING, /* the most */
};

struct limit {
    enum limit_kind kind;
    double value;      /* a fraction, microseconds, or what is counted */
    bool measured;     /* measured on such a device; else derived from a model */
    double found_loss; /* the smallest loss that it detects; 0: unknown */
    char from[LIMIT_FROM_BYTES];
};
