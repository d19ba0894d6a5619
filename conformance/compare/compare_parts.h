/* The parts of a comparison, a file each. Every function adds what differs to meeting->compared. */
#ifndef ASSAY_CONFORMANCE_COMPARE_COMPARE_PARTS_H
#define ASSAY_CONFORMANCE_COMPARE_COMPARE_PARTS_H

#include "conformance/compare/entries.h"
#include "conformance/compare/pairing.h"

/* How both records came to an end, and their whole verdicts. */
void compare_whole(struct compared *compared);

/* A record of a measure that BASE has no record of: what it came to by itself. */
void compare_alone(struct compared *compared, const struct loaded_record *record, const char *kind);

/* How many cases finished on a device. */
void compare_cases(const struct meeting *meeting);

/* A change of verdict of one thing that was looked at; `why` NEW's is no PASS, or "". */
void compare_verdicts(const struct meeting *meeting, const char *place, enum verdict base,
                      enum verdict next, const char *why);

/* Two rows of summaries: verdict, number of checks, digest. */
void compare_bits(const struct meeting *meeting, const char *place, const json_t *base,
                  const json_t *next);

/* Two lines of generated programs: verdict, and how many there were. */
void compare_programs(const struct meeting *meeting, const char *place, const json_t *base,
                      const json_t *next);

/* Two lines of operations: which of them are wrong now, and were not. */
void compare_operations(const struct meeting *meeting, const char *place, const json_t *base,
                        const json_t *next);

/* How much of a device was looked at. */
void compare_coverage(const struct meeting *meeting, const char *place, const json_t *base,
                      const json_t *next);

/* One known miscompile in both. */
void compare_known(const struct meeting *meeting, const char *place, const json_t *base,
                   const json_t *next);

/* A count that is another now: fewer or more of the noun. */
void compare_counts(const struct meeting *meeting, const char *place, const uint64_t counts[2],
                    const enum difference_kind kinds[2], const char *noun);

/* Lines of a bench. */
void compare_bench(const struct meeting *meeting, const char *place, const json_t *base,
                   const json_t *next);
void compare_peak(const struct meeting *meeting, const char *place, const json_t *base,
                  const json_t *next);
void compare_memcpy(const struct meeting *meeting, const char *place, const json_t *base,
                    const json_t *next);
void compare_verdict_alone(const struct meeting *meeting, const char *place, const json_t *base,
                           const json_t *next);
void compare_call(const struct meeting *meeting, const char *place, const json_t *base,
                  const json_t *next);

/* A line of codegen. */
void compare_code(const struct meeting *meeting, const char *place, const json_t *base,
                  const json_t *next);

/* Every field of the headers and of paired devices that says what the stack was. */
void compare_headers(struct compared *compared);
void compare_devices(const struct meeting *meeting);

#endif
