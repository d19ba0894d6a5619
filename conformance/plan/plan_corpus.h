/* The cases that run first: those built into the program from fuzz/corpus, and those of a folder.
 */
#ifndef ASSAY_CONFORMANCE_PLAN_PLAN_CORPUS_H
#define ASSAY_CONFORMANCE_PLAN_PLAN_CORPUS_H

#include "conformance/plan/plan.h"
#include "fuzz/corpus.h"

/* Gathers the built-in corpus and, where the folder is read, its every *.case file (NULL: no
 * folder; a missing folder is created, and a line says so). Sequences come first; cases that no
 * selected kernel of the plan computes are left out. False when a file is wrong: a line on stderr
 * has said which line and why. corpus_free() gives *ret back. */
bool plan_corpus_gather(const char *folder, bool is_read, const struct plan *plan,
                        struct corpus *ret);

#endif
