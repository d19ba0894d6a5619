/* What records come to, never better than their lines: the verdict with its reason, and in
 * sentences what was checked and what was not. */
#ifndef ASSAY_CONFORMANCE_REPORT_JUDGEMENT_H
#define ASSAY_CONFORMANCE_REPORT_JUDGEMENT_H

#include "conformance/report/dossier.h"

enum { JUDGEMENT_REASON_BYTES = 512 };

struct judgement {
    enum verdict verdict; /* PASS, FAIL, INCONCLUSIVE, SKIP or ERROR */
    char reason[JUDGEMENT_REASON_BYTES];
};

/* A record cut short is INCONCLUSIVE, and a FAIL where a line of it says so; one whose summary says
 * PASS against its own lines gets their verdict. */
void judge_record(const struct dossier_record *record, struct judgement *ret);

/* The worst of the records. */
void judge_dossier(const struct dossier *dossier, struct judgement *ret);

/* True where no record names a device beside the host device. */
bool judge_no_gpu(const struct dossier *dossier);

/* Sentences, one a line of text, made safe for a terminal (escape.h); the caller frees. NULL
 * without memory. */
char *judge_checked(const struct dossier *dossier);
char *judge_unchecked(const struct dossier *dossier);

#endif
