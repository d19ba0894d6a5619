/* Text from outside (file names, the driver's words, records), letter by letter: what a terminal
 * would obey or a reader not see is separated from what can be shown. */
#ifndef ASSAY_CONFORMANCE_BASE_UTF8_H
#define ASSAY_CONFORMANCE_BASE_UTF8_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { UTF8_BAD = 0xfffd, UTF8_BYTES_MAX = 4 };

/* The next letter of [*at, end), which is not empty; UTF8_BAD, and one byte on, where it is none.
 */
uint32_t utf8_next(const unsigned char **at, const unsigned char *end);

/* True when [at, end) is the beginning of a letter whose rest may still come. */
bool utf8_is_cut(const unsigned char *at, const unsigned char *end);

/* Controls (C1 among them), noncharacters, and those that turn the order of what follows. */
bool utf8_is_hidden(uint32_t code);

/* A line of text as it can be shown and put into JSON: every byte of a letter that is hidden or
 * none becomes '?'. */
void utf8_tame(char *text);

#endif
