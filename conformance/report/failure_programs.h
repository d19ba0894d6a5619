/* Generated programs in words: of lines of a record, read from one or about to be written. */
#ifndef ASSAY_CONFORMANCE_REPORT_FAILURE_PROGRAMS_H
#define ASSAY_CONFORMANCE_REPORT_FAILURE_PROGRAMS_H

#include "conformance/report/failure.h"

/* True for the first program of a miscompile: of its verdict and its pattern. One that was not
 * reduced is one of its own. */
bool failure_program_is_first(const struct loaded_lines *programs, size_t index);

/* Gives what program `index` says to `put`, in the order in which it is read. */
void failure_program(FILE *file, const struct loaded_lines *programs, size_t index,
                     failure_put *put);

/* True for a program that failed and is of no known miscompile. */
bool failure_program_fails(const json_t *line);

/* True for the first such program of its miscompile, which stands for the others. */
bool failure_program_is_shown(const struct loaded_lines *programs, size_t index);

/* "abs_s16", or "ballot_twice (CRASH)" where a compiler ends so. */
enum { FAILURE_KNOWN_BYTES = 80 };
const char *failure_known_name(const json_t *line, char ret_name[FAILURE_KNOWN_BYTES]);

/* "known miscompile abs_s16 through ptx on cuda:0: this version is held to be right". */
void failure_known(const json_t *line, char ret_text[FAILURE_TEXT_BYTES]);

#endif
