/* Why something could not be done: of what kind it is, for the one who decides what follows, and
 * one line for the reader. Functions that can fail return false (or NULL) and fill one in; it is
 * untouched where they succeed. */
#ifndef ASSAY_CONFORMANCE_BASE_REASON_H
#define ASSAY_CONFORMANCE_BASE_REASON_H

#include <stdbool.h>

#include "conformance/base/verdict.h"

enum reason_kind {
    REASON_INPUT,  /* what the user gave cannot be used */
    REASON_SYSTEM, /* memory, a process or a disk failed on the way */
    REASON_ABSENT, /* what is needed is not there, and may be missing */
    REASON_BROKEN, /* it is there, and does not work */
};

enum { REASON_TEXT_BYTES = 512 };

struct reason {
    enum reason_kind kind;
    char text[REASON_TEXT_BYTES];
};

/* Fills it in; what does not fit is cut off. The arguments may be the text that it held. Always
 * false, for the caller to return. */
__attribute__((format(printf, 3, 4))) bool reason_set(struct reason *ret, enum reason_kind kind,
                                                      const char *format, ...);

/* The kind of an error of open() and its like: REASON_SYSTEM where the host lacks something
 * (descriptors, processes, memory), and otherwise REASON_INPUT, as the name was the user's. */
enum reason_kind reason_of_errno(int error);

/* The same text with more before it, of the same kind. Always false. */
__attribute__((format(printf, 2, 3))) bool reason_before(struct reason *reason, const char *format,
                                                         ...);

/* What a command ends with that can do nothing for such a reason. */
enum exit_status reason_exit_status(const struct reason *reason);

#endif
