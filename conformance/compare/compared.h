/* Two records compared, BASE and NEW: the differences in the order in which a decision needs them,
 * and the verdict that follows from them (spec/compare.md). */
#ifndef ASSAY_CONFORMANCE_COMPARE_COMPARED_H
#define ASSAY_CONFORMANCE_COMPARE_COMPARED_H

#include "conformance/compare/difference.h"

/* Compares; compared_close in any case. Both records are borrowed. False without memory. */
bool compared_open(struct compared *ret, const struct loaded_record *base,
                   const struct loaded_record *next);
/* The same where NEW has no record of BASE's measure; `next` is the last one that it has, which may
 * have been cut short. */
bool compared_lacking(struct compared *ret, const struct loaded_record *base,
                      const struct loaded_record *next);

/* NEW's records of a measure that BASE has no record of, among the `count` that begin at `next`. */
bool compared_new(struct compared *ret, const struct loaded_record *base,
                  const struct loaded_record *next, size_t count, const char *kind);

/* The measure that a record is of, in words; two of one measure have the same pointer. */
const char *compared_kind(const struct loaded_record *record);

/* How severe a kind is here: what a record that was cut short, or that is of a smaller tier, has
 * not looked at is a doubt, and no loss. */
enum severity compared_severity(const struct compared *compared, int kind);

void compared_close(struct compared *compared);

/* Puts the differences in order, and finds the verdict again, after some were added. */
void compared_judge(struct compared *compared);

#endif
