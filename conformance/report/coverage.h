/* How much of a device a run reached, in words: a PASS proves nothing about what was not reached.
 *
 *     if (coverage_words(line, bits->each, bits->count, text))
 *         printf("coverage  %s: %s\n", line->device, text);
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "conformance/record/lines.h"

/* Describes it in one line without an end of line: "220,611 launches through sass, ptx; ...".
 * `coverage` is the line of the device; NULL without one: then it returns false. `bits` are `count`
 * lines, of which those of other devices are skipped. */
enum { COVERAGE_WORDS_BYTES = 4096 };
bool coverage_words(const struct line_coverage *coverage, const struct line *const *bits,
                    size_t count, char ret_text[COVERAGE_WORDS_BYTES]);
