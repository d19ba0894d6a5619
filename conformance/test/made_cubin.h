/* A fatbin with one cubin of one function, as small as the reader takes it, so that a test says
 * what a compiler came to without a compiler. */
#pragma once

#include "conformance/model/cubin.h"
#include "spec/testing.h"

struct made_cubin {
    int architecture;
    const char *entry;
    uint32_t registers;
    uint32_t frame_bytes, stack_bytes; /* the local memory of its own, and of its calls */
    uint64_t shared_bytes;             /* its section's; 0: it has none */
    bool is_reserved;                  /* the system reserves some of it */
    bool is_of_12;                     /* by a toolkit of CUDA 12 */
    uint64_t code_bytes;
    bool is_packed; /* its fatbin says that it is compressed */
    int holds;      /* the architecture that its code is of; 0: the one that its fatbin says */
};

/* The fatbin, to be freed; never NULL. */
struct cubin_bytes made_fatbin(const struct made_cubin *made);
