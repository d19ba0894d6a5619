/* Failures in words: lines of a record, read from one or about to be written to one. The terminal,
 * TAP, the page and a live run all take their words from here. */
#pragma once

#include <stdio.h>

#include "conformance/report/chart.h"
#include "conformance/report/loaded.h"

/* A failure in words: of a line of a record, whether it was read from one or is about to be written
 * to one. The terminal, TAP and the page all get their words here. */

enum { FAILURE_TEXT_BYTES = 512 };

/* "matmul/tiled through sass on cuda:0". */
void failure_subject(const struct line_subject *subject, char ret_text[FAILURE_TEXT_BYTES]);

/* The place: "element c[3][4]", "guard of c, 12 bytes after its end"; "" without one. */
void failure_place(const struct line_finding *finding, char ret_text[FAILURE_TEXT_BYTES]);

/* Gives what a finding says to `put`, in the order in which it is read: the cases before it, case,
 * clause, place, expected, got, everything that is wrong, note. What it does not say is "". */
typedef void failure_put(void *context, const char *name, const char *text);
void failure_report(void *context, const struct line_finding *finding, failure_put *put);

/* The same of a `reduced` line: how often it failed again, and how it was made smaller. */
void failure_report_reduced(void *context, const struct line_reduced *reduced, failure_put *put);

/* Why a row of a kernel is no PASS: its reason, or the layer that its failures come from. */
const char *failure_row(const struct line_bits *row);

/* "231 wrong elements, 0 gap bytes, 0 guard bytes, 1 input". */
void failure_total(uint64_t elements, uint64_t gap_bytes, uint64_t guard_bytes, uint64_t inputs,
                   char ret_text[FAILURE_TEXT_BYTES]);

/* Words on a timed subject that was too slow or wrong, with its figures; or on a known miscompile,
 * and why that is a failure. "" for other kinds. */
void failure_text(const struct line *line, char ret_text[FAILURE_TEXT_BYTES]);

/* True for a line that is a failure: a finding, a measurement below its limit, a program that is of
 * no known miscompile, or a known miscompile that is worse than its row says. */
bool failure_fails(const struct line *line);

/* The verdict of a finding, INCONCLUSIVE of a TIMEOUT that did not recur, and its `reduced` line or
 * NULL. */
enum verdict failure_verdict(const struct loaded_record *record, const struct line_finding *finding,
                             const struct line_reduced **ret_reduced);

/* Generated programs in words: of lines of a record, read from one or about to be written. */

/* True for the first program of a miscompile: of its verdict and its pattern. One that was not
 * reduced is one of its own. */
bool failure_program_is_first(const struct loaded_lines *programs, size_t index);

/* Gives what program `index` says to `put`, in the order in which it is read. */
void failure_program(void *context, const struct loaded_lines *programs, size_t index,
                     failure_put *put);

/* "abs_s16", or "ballot_twice (CRASH)" where a compiler ends so. */
enum { FAILURE_KNOWN_BYTES = 80 };

/* Known miscompiles in one sentence, live and from a record. */

/* "3 known miscompiles in this stack, through ptx on cuda:0: abs_s16, neg_s16, ballot_twice
 * (CRASH)", without a full stop. Those that are present through the same paths on the same devices
 * are one group; where there are several, failures are first, with their reason, then the largest,
 * and last what was not tried. Without `names_all` only failures are named, and the others counted:
 * "25 known miscompiles in this stack; 2 not tried; -v names them". Nothing where none was
 * checked. */
void known_words(FILE *file, const struct loaded_lines *known, bool names_all);

/* "25 known miscompiles in this stack, 1 of them not as listed; 2 not tried everywhere": the same
 * without names. */
void known_number(FILE *file, const struct loaded_lines *known);

/* Opens a table of those that are present and of those that were not tried. One that is said in the
 * same words on several paths and devices has one row, which names them. */
void known_table(struct table *ret, const struct loaded_lines *known);

/* "name      text" in a FILE, as a terminal may show it; left out where the text is empty. */
failure_put failure_pair;

/* True for a failure that is shown: the first of its miscompile, of programs. */
bool failure_is_shown(const struct loaded_lines *lines, size_t index);
