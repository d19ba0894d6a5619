/* A record's lines of one measure on one device, sorted, so that two records can be walked
 * together, and the comparisons of what they meet: lines, devices, records.
 *
 *     struct entries base, next;
 *     entries_open(&base, measure, old, "cuda:0"), entries_open(&next, measure, new, "cuda:0");
 *     entries_compare(&meeting, measure, &base, &next);
 *     entries_close(&base), entries_close(&next);
 *
 * Every function adds what differs to meeting->compared. */
#pragma once

#include "conformance/compare/chance.h"
#include "conformance/compare/compared.h"

enum { ENTRY_KEY_BYTES = 256 };

/* The context of a comparison of two records, for the differences found in it. */
struct meeting {
    struct compared *compared;
    const char *base_label, *next_label; /* of the devices; BASE's NULL: it has none */
    const char *what;                    /* of the measure */
    bool other;                          /* another GPU of the same name */
    bool same_cases;                     /* of one version, tier, seed, corpus and number */
};

/* Compares two lines with the same key. */
typedef void line_comparer(const struct meeting *meeting, const char *place,
                           const struct line *base, const struct line *next);

/* How lines of a kind are compared: a row of a table (comparison.c). */
struct measure_row {
    enum record_kind kind;
    bool has_own_verdict; /* of its own comparer: its verdicts are not compared here */
    /* Compares two lines of the same key, besides their verdicts; or NULL. `place` names them. */
    line_comparer *compare;
};

struct entry {
    struct line_view view; /* kernel and path: "" if the measure has none */
    char key[ENTRY_KEY_BYTES];
    size_t index; /* its position among the lines: equal ones stay in their order */
    const struct line *line;
};

struct entries {
    struct entry *all;
    size_t count;
};

void entries_open(struct entries *ret, const struct measure_row *measure,
                  const struct loaded_record *record, const char *device);
void entries_close(struct entries *entries);

/* "matmul/tiled through sass on cuda:0, k=32 dram": the place of an entry, for differences. */
void entries_place(const struct meeting *meeting, const struct entry *it,
                   char ret[DIFFERENCE_PLACE_BYTES]);

/* The number of lines of the measure in a record, on all devices. */
size_t entries_count(const struct measure_row *measure, const struct loaded_record *record);

/* Walks both in parallel: lines that only one has are missing or new, the others are compared. */
void entries_compare(const struct meeting *meeting, const struct measure_row *measure,
                     const struct entries *base, const struct entries *next);

/* Names each figure that only one of two lines has. A line whose verdict differs from the other's,
 * and means that there is no result, may lack them. */
void entries_figures(const struct meeting *meeting, const char *place, const struct line *base,
                     const struct line *next);

/* Names failures in NEW for a measure or a device that BASE lacks. */
void entries_alone(const struct meeting *meeting, const struct entries *next);

/* Compares how both records ended, and their overall verdicts. */
void compare_whole(struct compared *compared);

/* A record of a measure that BASE lacks: its own verdict. */
void compare_alone(struct compared *compared, const struct loaded_record *record, const char *kind);

/* The number of cases that finished on a device. */
void compare_cases(const struct meeting *meeting);

/* Numbers of SMs, of a device or of those that ran a block: less than half of them are a loss. */
void compare_sms(const struct meeting *meeting, const char *place, uint64_t before, uint64_t now);

/* A change of one thing's verdict; `why` explains NEW's if it is not a PASS, or is "". */
void compare_verdicts(const struct meeting *meeting, const char *place, enum verdict base,
                      enum verdict next, const char *why);

/* Two lines of one measure: bits (number of checks, digest, SMs); generated programs
 * (how many there were); operations (which are wrong now, and were not); how much of a device was
 * looked at; one known miscompile in both; lines of a bench or of its best copy, and of memcpy;
 * times of a host call; figures of machine code. */
line_comparer compare_bits, compare_programs, compare_operations, compare_coverage, compare_known,
    compare_bench, compare_memcpy, compare_call, compare_code;

/* Two lines of a kind that has no comparer of its own: each figure that was timed. */
line_comparer compare_figures;

/* True for a measurement as it should be: nobody else used the GPU, and nothing held it down. That
 * a floor did not decide says nothing of that. */
bool result_is_sound(const struct line_result *result);

/* The sort of a speed. */
enum figure_sort figure_sort_of(const struct chance_subject *subject);

/* Compares every field of the headers and of paired devices that describes the stack. */
void compare_headers(struct compared *compared);
void compare_devices(const struct meeting *meeting);
