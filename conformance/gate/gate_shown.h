/* Shows a gate's results: text as it goes, or at the end one JSON object, or Markdown for a ticket
 * (spec/gate.md). */
#pragma once

#include "conformance/compare/comparison.h"
#include "conformance/report/assessment.h"
#include "conformance/session/options.h"

enum { GATE_SHOWN_PARTS_MAX = 8, GATE_WORDS_BYTES = ASSESSMENT_REASON_BYTES + 512 };

struct gate_shown_part {
    const char *name;
    enum verdict verdict;
    char words[GATE_WORDS_BYTES];
    char why[ASSESSMENT_REASON_BYTES]; /* it is not PASS; "" if it is */
    size_t in_baseline;                /* checks left out of the verdict */
};

struct gate_shown {
    const struct options *options;
    struct gate_shown_part parts[GATE_SHOWN_PARTS_MAX];
    int part_count;
    char *comparison;            /* kept until the end; NULL if it was printed */
    bool has_stack;              /* the devices were shown: the first part has opened them */
    const struct loaded *loaded; /* NULL before the first record */
    size_t in_baseline;          /* as in the next part */
    int gpu_count;
    bool is_cut;       /* the gate ended before its last part: it makes no baseline */
    bool awaits_merge; /* a shard that would be a PASS if it were the whole plan */
};

/* The first lines: version, date and seed, and the devices. */
void gate_shown_begin(struct gate_shown *shown, const char *devices, int gpu_count);

/* Shows the devices of the first record. `loaded` is borrowed until gate_shown_close. */
void gate_shown_stack(struct gate_shown *shown, const struct loaded *loaded);

/* On a terminal, shows the part that the gate is waiting for. */
void gate_shown_wait(const char *name);

/* The result of a part: "bits      PASS  729,982 checks, in 24.1 s", and why it is not PASS, which
 * the words have, or "". If standard output has JSON or Markdown the line goes to standard error.
 */
void gate_shown_part(struct gate_shown *shown, const char *name, enum verdict verdict,
                     const char *words, const char *why);

/* The same of the record that a part left: its counts of `noun`, its time, and what was
 * compiled. */
void gate_shown_record(struct gate_shown *shown, const char *name, const char *noun,
                       const struct loaded_record *record, const struct assessment *assessment);

/* Shows the failures of the new records. */
void gate_shown_found(struct gate_shown *shown);

/* The comparison of the baseline, the first file, and what the other has. */
enum change gate_shown_comparison(struct gate_shown *shown, const struct loaded *loaded);

/* "SAME as the baseline", "BETTER than the baseline"; for the other two "". */
const char *gate_shown_agreed(enum change change);

/* The last line of the gate's file: the verdict, and the parts that were asked for. Its
 * texts are borrowed. */
const struct line *gate_shown_line(const struct gate_shown *shown, enum verdict verdict,
                                   const char *why, double seconds, struct zone *zone);

/* The verdict, last in text; in any other format the whole document. False if it cannot be
 * written. */
bool gate_shown_end(struct gate_shown *shown, const struct line_gate *gate);

void gate_shown_close(struct gate_shown *shown);
