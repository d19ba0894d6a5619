/* The cases that run first: those built into the program from fuzz/corpus, and those of a folder.
 */
#ifndef ASSAY_CONFORMANCE_PLAN_PLAN_CORPUS_H
#define ASSAY_CONFORMANCE_PLAN_PLAN_CORPUS_H

#include "conformance/plan/plan.h"
#include "fuzz/corpus.h"

/* Gathers the built-in corpus and every *.case file of `folder` (NULL: none; a folder that is not
 * there is made, and a line says so), sequences first, leaving out what no selected kernel of the
 * plan computes. False when a file is wrong: a line on stderr has said which line and why.
 * corpus_free() gives *ret back. */
bool plan_corpus_gather(const char *folder, const struct plan *plan, struct corpus *ret);

#endif
