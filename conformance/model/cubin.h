/* Reads machine code: a fatbin's cubins, which are ELF, and in each the figures of a function.
 * Bytes that are none of that are refused, whatever they are: no offset of theirs is followed
 * beyond their end. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "conformance/base/reason.h"
#include "conformance/model/device_info.h"

struct cubin_bytes {
    const unsigned char *first;
    size_t count;
};

/* Bytes of each block's shared memory that the system takes from compute capability 9.0 on. */
enum { CUBIN_RESERVED_BYTES = 1024 };

/* The architectures that a fatbin has a cubin for (90 for sm_90), in its order, at most `most` of
 * them. Returns how many there are; 0 with the reason where it is no fatbin. */
int cubin_architectures(struct cubin_bytes fatbin, int *ret_architectures, int most,
                        struct reason *ret_reason);

/* The architecture of the machine code that a GPU of `architecture` runs: the highest of its
 * generation that is not above it. 0 without one: the driver compiles PTX. */
int cubin_code_for(struct cubin_bytes fatbin, int architecture);

/* True if the cubin's own header names that architecture, in the layout of CUDA 13 or of earlier
 * versions. Returns false with the reason: REASON_INPUT if it names another one, as any file may;
 * REASON_BROKEN if it cannot be read. */
bool cubin_is_of(struct cubin_bytes cubin, int architecture, struct reason *ret_reason);

/* The cubin for an architecture. False with the reason: REASON_ABSENT without one, REASON_INPUT if
 * the entry holds code of another one, REASON_BROKEN if it cannot be read. */
bool cubin_find(struct cubin_bytes fatbin, int architecture, struct cubin_bytes *ret,
                struct reason *ret_reason);

/* True if the fatbin's code for an architecture names another one, with the reason. False for
 * anything else, including code that cannot be read. */
bool cubin_is_foreign(struct cubin_bytes fatbin, int architecture, struct reason *ret_reason);

/* The figures of the function `entry`. False with the reason: REASON_ABSENT where the cubin is
 * whole and has no such function. */
bool cubin_read(struct cubin_bytes cubin, const char *entry, struct code_figures *ret,
                struct reason *ret_reason);
