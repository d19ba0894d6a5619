/* The file that a gate writes: held from its first part to its verdict, so that no other gate
 * writes between two parts, and looked at after each. */
#ifndef ASSAY_CONFORMANCE_GATE_GATE_FILE_H
#define ASSAY_CONFORMANCE_GATE_GATE_FILE_H

#include <stdbool.h>
#include <sys/types.h>
#include <time.h>

#include "conformance/base/reason.h"

struct gate_file {
    const char *path;
    int fd; /* less than 0: it is not held */
    bool is_new;
    off_t bytes; /* as it was when it was last looked at */
    struct timespec changed;
};

/* Makes and holds it; a part of this gate can write to it nevertheless. False with the reason where
 * another gate holds it, it cannot be written, or is no regular file; close it in any case. */
bool gate_file_hold(struct gate_file *ret, const char *path, struct reason *ret_reason);

/* True where it has another length or time than when it was last looked at; looks at it. */
bool gate_file_has_changed(struct gate_file *file);

/* Lets go of it; one that was made and got nothing is removed. */
void gate_file_close(struct gate_file *file);

#endif
