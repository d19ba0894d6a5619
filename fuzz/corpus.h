/* Corpus files: cases that once failed or that a known regression breaks. They run first in every
 * run. A file holds one case a line; empty lines and lines that begin with # are skipped. A line
 * `after CASE` holds a case that must run before the next one, in the same worker
 * (cases.corpus.sequence). */
#pragma once

#include "fuzz/case.h"

/* The most cases before one: as many as a run remembers of a worker. */
enum { CORPUS_AFTER_MAX = 63 };

struct corpus_case {
    struct fuzz_case test_case;
    bool leads; /* an `after` line: the next one runs after it, in the same worker */
};

struct corpus {
    struct corpus_case *cases; /* in the order of file names, then of lines */
    size_t count;
};

struct corpus_error {
    char message[512]; /* `tails.case:7:12: m is missing`, or what the system says of the folder */
};

/* Reads a file whole, with a 0 byte after it, for free(). NULL with the reason. */
typedef char *corpus_reader(const char *path, size_t *ret_bytes, struct corpus_error *ret_error);

/* Reads every *.case file of the folder by `read`. False, *ret untouched, at the first mistake. */
bool corpus_read(const char *folder, corpus_reader *read, struct corpus *ret,
                 struct corpus_error *ret_error);

/* The same of one text in memory, called `name` in messages. */
bool corpus_parse(const char *name, const char *text, struct corpus *ret,
                  struct corpus_error *ret_error);

void corpus_free(struct corpus *corpus);
