/* The lines of a record as structs, one for each KIND of record_fields.def. Whoever makes a line
 * fills the struct; whoever reads a record gets the struct again:
 *
 *     session_write_line(session, LINE(&zone, known, .id = known->id, .verdict = verdict));
 *
 *     const struct line_known *known = LINE_AS(known, line);           // NULL: of another kind
 *     const struct line_result *result = LINE_PART(result, line);      // NULL: the kind lacks it
 *
 * A PART is what several kinds have in common, so code for all kinds reads parts; code for one kind
 * reads its struct. */
#pragma once

#include "conformance/base/zone.h"
#include "conformance/record/record_fields.h"

/* A line of that kind with these members, in the zone's memory; what is not named is empty, and no
 * text is NULL. Texts and arrays are borrowed: a zone_text lives as long as the line. */
#define LINE(zone, id, ...)                                                                        \
    line_new((zone), &(const struct line_##id){.line = {RECORD_##id}, __VA_ARGS__}.line)
const struct line *line_new(struct zone *zone, const struct line *line);

/* The same of an object that a line points to. */
#define LINE_OBJECT(zone, id, ...)                                                                 \
    ((const struct line_##id *)zone_copy((zone), &(const struct line_##id){__VA_ARGS__},           \
                                         sizeof(struct line_##id)))

/* The struct of a line of that kind, or NULL. */
#define LINE_AS(id, any) ((const struct line_##id *)line_as(RECORD_##id, (any)))
const void *line_as(enum record_kind kind, const struct line *line);

/* The part of that name of a line of any kind, or NULL. */
#define LINE_PART(id, any) ((const struct line_##id *)line_part((any), &form_##id))
const void *line_part(const struct line *line, const struct form *part);

/* The line as it is written, and its object, which a WRAPPED kind has under its name: a new
 * reference each. */
json_t *line_json(const struct line *line);
json_t *line_object(const struct line *line);

/* Reads a line from its JSON object into the zone's memory. What is missing, or of another type
 * than the table says, is empty: "", 0, an array without elements; an object that is not OPTIONAL
 * is there, with empty members. `object` is what record_entry.object is (record.h). */
struct line *line_read(struct zone *zone, enum record_kind kind, const json_t *object);

/* Where the verdicts of a kind's lines are counted. */
enum line_tally {
    LINE_UNJUDGED,
    LINE_FINDING,  /* a check that did not pass */
    LINE_MEASURED, /* a measurement */
    LINE_SUM,      /* checks together */
    LINE_TALLY_COUNT
};

/* What is said of a kind of line: the last words of its row in record_fields.def. A kind that is
 * MEASURED and says no more has its name in place of the nouns. */
struct line_kind {
    const char *name;   /* in a record: "bench" */
    const char *noun;   /* of what is measured: "speed"; or NULL */
    const char *plural; /* "speeds": of what is compared; NULL: its lines are not */
    const char *before; /* the keys of a line that has no kernel: "best copy, "; or NULL */
    const char *thing;  /* what a line of the plan is of: "function"; NULL: none of it is planned */
    const char *within; /* what PASS says of it: "within the budget"; or NULL */
    size_t most;        /* lines that a reader keeps; 0: none */
    enum line_tally tally;
    bool is_timed;                /* its figures count only on timed devices */
    bool is_of_regime;            /* a line is of all shapes of its regime, and has their SAME */
    bool is_planned, is_measured; /* follow from the others */
};
struct line_kind line_kind(enum record_kind kind);

/* What a line is of, and what it says, as far as its kind has it; else "". */
struct line_view {
    const char *device, *path, *kernel;
    const char *clause, *note, *replay, *case_text;
    bool has_verdict;
    enum verdict verdict; /* of all that it judges (verdict_join); VERDICT_COUNT without any */
};
struct line_view line_view(const struct line *line);

/* Every verdict of the line, its own first: a copy's has one of each direction, a point of a sweep
 * those of its copies. Returns how many. */
enum { LINE_VERDICTS_MAX = 4 };
size_t line_verdicts(const struct line *line, enum verdict ret[LINE_VERDICTS_MAX]);

/* The first of them, VERDICT_COUNT without any. */
enum verdict line_verdict(const struct line *line);

/* The FIGUREs of a line. Returns how many. */
enum { LINE_FIGURES_MAX = 8 };
struct line_figure {
    const struct form_field *field; /* its name, unit and direction */
    bool is_there;                  /* false for a COUNT of 0; a MAYBE_COUNT of 0 is there */
    struct intervals repeats;       /* of what was timed */
    uint64_t count;                 /* of what was counted */
};
size_t line_figures(const struct line *line, struct line_figure ret[LINE_FIGURES_MAX]);

/* The median of its repeats, or the count. */
double line_figure_value(const struct line_figure *figure);

/* True for lines of one kind with the same KEYs, but for the device; with `and_same` also the same
 * values of SAME. */
bool line_is_like(const struct line *left, const struct line *right, bool and_same);

/* The next SAME of two lines of one kind, in words; a case without its seed, which changes nothing
 * of what is measured. "" where a line lacks it. False after the last:
 *
 *     struct line_same same = {.at = 0};
 *     while (line_next_same(base, next, &same)) ... */
enum { LINE_WORDS_BYTES = 256 };
struct line_same {
    size_t at;
    const char *name;
    char left[LINE_WORDS_BYTES], right[LINE_WORDS_BYTES];
};
bool line_next_same(const struct line *left, const struct line *right, struct line_same *same);

/* The members of a line of any kind, one by one:
 *
 *     struct line_member member;
 *     struct form_walk walk = form_walk(line_form(&header->line));
 *     while (line_next(&walk, &header->line, &member))
 *         printf("%s %s", member.field->name, line_words(&member, words, sizeof words));
 *
 * and those of an object in a list, which has a form of its own, in the same way. Of no object
 * (NULL) every member is empty. */
struct line_member {
    const struct form_field *field;
    const void *at; /* of the C type that its access says */
};
const struct form *line_form(const struct line *line);
bool line_next(struct form_walk *walk, const void *object, struct line_member *ret);

/* A text, a number, a flag or a verdict in words; "" for a list, an object, an empty member, and a
 * COUNT or a NUMBER of 0, which a line that lacks it reads as. Returns ret_text. */
const char *line_words(const struct line_member *member, char *ret_text, size_t bytes);

/* The value of a COUNT or a NUMBER; 0 for any other member. */
double line_number(const struct line_member *member);

/* The elements of a list of texts or objects: one has a text, or an object of that form. */
struct line_item {
    const char *text;
    const struct form *form;
    const void *object;
};
size_t line_item_count(const struct line_member *member);
struct line_item line_item(const struct line_member *member, size_t index);
bool line_item_is(const struct line_item *left, const struct line_item *right);

/* True for lines of one kernel, path and device. */
bool line_is_of_subject(const struct line_subject *left, const struct line_subject *right);

/* The budget of a quantity of machine code, absent without one. */
enum line_budget { BUDGET_REGISTERS, BUDGET_LOCAL, BUDGET_SHARED, BUDGET_CODE };
struct maybe_count line_budget(const struct line_codegen *line, enum line_budget quantity);

/* The warps of the blocks that an SM holds at once, and in percent of those that it can hold. */
uint64_t line_warps(const struct line_occupancy *occupancy);
double line_filled(const struct line_occupancy *occupancy);

/* Begins the note of a measurement that passed and was compared with no limit, since none is known;
 * and true for any other. */
extern const char line_not_judged[];
/* The note of every measurement on the host device, and of one that a signal cut short. */
extern const char line_no_floors[], line_interrupted[];
bool line_is_judged(const struct line_result *result);

/* The launches of a line of bits, also where it leaves them out. */
uint64_t line_launches(const struct line_bits *line);

/* The number of checks of each verdict: of a line, and for one. */
void line_counts(const struct line_counts *counts, uint64_t ret[VERDICT_COUNT]);
struct line_counts line_counts_of(const uint64_t counts[VERDICT_COUNT]);

/* The KEYs of a line besides device, path and kernel, in words: "k=32 dram, element bytes 16".
 * Returns ret_text. */
const char *line_keys(const struct line *line, char *ret_text, size_t bytes);
