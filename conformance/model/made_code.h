/* Code that a compiler made of a unit while the program runs, or why there is none. The supervisor
 * has it made and keeps it; workers read it where it lies, in shared memory. */
#ifndef ASSAY_CONFORMANCE_MODEL_MADE_CODE_H
#define ASSAY_CONFORMANCE_MODEL_MADE_CODE_H

#include <stdbool.h>
#include <stdint.h>

#include "conformance/base/reason.h"
#include "conformance/model/finding.h"

enum made_state {
    MADE_CODE,    /* the compiler made it */
    MADE_REFUSED, /* the compiler is older than the code's language, or than the device */
    MADE_FAILED,  /* it crashed, hung, or printed an error */
    MADE_UNTRIED, /* the system failed, and not the compiler */
};

enum { MADE_UNIT_BYTES = 64 };

struct made_code {
    enum made_state state;
    int path;
    int compute_capability;        /* that it was made for */
    char unit[MADE_UNIT_BYTES];    /* of this */
    char note[FINDING_NOTE_BYTES]; /* why there is none, or "" */
    uint64_t bytes;
};

/* Keeps it; any thread may. False, with the reason, without memory. */
bool made_code_add(const struct made_code *made, const void *code, struct reason *ret_reason);

/* The memory that all of it lies in, for a worker: less than 0 where nothing was made. */
int made_code_file(uint64_t *ret_bytes);

/* In a worker, before the first look: `file` has so many bytes of it. */
bool made_code_take(int file, uint64_t bytes);

/* What was made of a unit, with its code (NULL where there is none); NULL where it was not tried.
 */
const struct made_code *made_code_find(int path, const char *unit, int compute_capability,
                                       const void **ret_code);

#endif
