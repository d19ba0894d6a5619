/* Text that travels in the program (lines_builtin.c.in): a string a line, since a compiler need not
 * take one of more than 4,095 letters. */
#ifndef ASSAY_CONFORMANCE_BASE_LINES_H
#define ASSAY_CONFORMANCE_BASE_LINES_H

/* The lines as one text, each ended; the caller frees it. NULL: no memory. */
char *lines_join(const char *const *lines);

#endif
