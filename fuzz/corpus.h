/* Corpus files: cases that once failed or that a known regression breaks. They run first in every
 * run. A file holds one case a line; empty lines and lines that begin with # are skipped. */
#ifndef ASSAY_FUZZ_CORPUS_H
#define ASSAY_FUZZ_CORPUS_H

#include "case.h"

struct corpus {
    struct fuzz_case *cases; /* in the order of file names, then of lines */
    size_t count;
};

struct corpus_error {
    char message[512]; /* `tails.case:7:12: m is missing`, or what the system says of the folder */
};

/* Reads every *.case file of the folder. False, *ret untouched, at the first mistake. */
bool corpus_read(const char *folder, struct corpus *ret, struct corpus_error *ret_error);

void corpus_free(struct corpus *corpus);

#endif
