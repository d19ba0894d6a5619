/* Records that a test wrote or edited, with the ends that their lines should have. */
#pragma once

#include <stddef.h>

/* The records in the bytes with an end after each summary and each verdict of a gate; ends that
 * they have are left out, and the lines of parts that ran at once come one part after the other. A
 * last line without a newline stays as it is. For free(); a 0 byte
 * follows. */
char *ended_text(const char *text, size_t bytes, size_t *ret_bytes);
