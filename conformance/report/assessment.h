/* The verdict of records, never better than their lines, with its reason. */
#pragma once

#include "conformance/report/loaded.h"

enum { ASSESSMENT_REASON_BYTES = 512 };

struct assessment {
    enum verdict verdict; /* PASS, FAIL, INCONCLUSIVE, SKIP or ERROR */
    char reason[ASSESSMENT_REASON_BYTES];
};

/* A record cut short is INCONCLUSIVE, and a FAIL where a line of it says so; one whose summary says
 * PASS against its own lines gets their verdict. */
void assess_record(const struct loaded_record *record, struct assessment *ret);

/* The same of a part of a gate: what the gate found in its baseline as well is left out. NULL: of
 * no gate that came to a verdict. */
void assess_part(const struct loaded_record *record, const struct line_gate *gate,
                 struct assessment *ret);

/* The verdict of a record as `assay merge` counts it: if it awaits the merge and is right
 * otherwise, that is a PASS, and the function returns true. *ret is what assess_record has said. */
bool assess_shard(const struct loaded_record *record, struct assessment *ret);

/* The worst of the records. */
void assess_records(const struct loaded *loaded, struct assessment *ret);

/* True for a record of generated programs. */
bool assess_is_of_programs(const struct loaded_record *record);

/* True if no record names a GPU. */
bool assess_no_gpu(const struct loaded *loaded);
