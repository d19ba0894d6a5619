/* What a gate's baseline decides before and after a part has run. Its records are borrowed.
 *
 *     options.known = &known;                      speeds of `known` end as soon as they are
 * settled known = gate_known(&baseline);
 *     ...                                          the part runs, and leaves `record`
 *     count = gate_failed_before(&baseline, record, &verdict);
 *     if (count > 0)
 *         the part is `verdict`: its failures are those of the baseline
 *     if (gate_skipped_before(&baseline, record) > 0)
 *         the part is a PASS: it skipped what the baseline skipped
 */
#pragma once

#include "conformance/report/loaded.h"
#include "conformance/speed/bench.h"

/* The speeds of the baseline, so that a bench need not measure an unchanged one for long. */
struct bench_known gate_known(const struct loaded *baseline);

/* How many failures of generated programs in a part's record the baseline has as well: the same
 * program through the same code path on the same model, with the same verdict and the same wrong
 * words, which recurs. 0 if none fails, if the baseline lacks one of them, or if the record is cut
 * short; otherwise *ret_verdict is the record's verdict without them. */
size_t gate_failed_before(const struct loaded *baseline, const struct loaded_record *record,
                          enum verdict *ret_verdict);

/* How many checks a part's record skipped, if nothing else keeps it from a PASS and the baseline's
 * record of that part skipped as many for the same reason; else 0. The comparison names a check
 * that only one of them skipped. */
size_t gate_skipped_before(const struct loaded *baseline, const struct loaded_record *record);
