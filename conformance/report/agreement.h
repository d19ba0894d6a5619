/* Whether runs of the same cases gave the same bits: what an engineer asks who ran them before and
 * after an upgrade. */
#ifndef ASSAY_CONFORMANCE_REPORT_AGREEMENT_H
#define ASSAY_CONFORMANCE_REPORT_AGREEMENT_H

#include "conformance/report/dossier.h"

/* One run beside an earlier one of the dossier. */
struct agreement {
    const struct dossier_record *first; /* NULL: no earlier record has digests */
    bool same_cases;                    /* of one version, tier, seed, corpus and number of cases */
    size_t same, uneven, differ;        /* kernels and paths; uneven: other checks passed */
    const char *kernel, *path;          /* the first that differs */
};

/* Holds a record against the first before it that has the same cases, else against the first that
 * has digests at all. Clause: report.digest.compared. */
struct agreement agreement_of(const struct dossier *dossier, size_t index);

#endif
