/* What a compiler made of one function. */
#ifndef ASSAY_CONFORMANCE_MODEL_CODE_FIGURES_H
#define ASSAY_CONFORMANCE_MODEL_CODE_FIGURES_H

#include <stdbool.h>
#include <stdint.h>

struct code_figures {
    uint32_t registers;    /* a thread */
    uint32_t local_bytes;  /* a thread: spilled registers, arrays, and the frames of calls */
    uint64_t shared_bytes; /* a block, static, without what the system reserves */
    uint64_t code_bytes;   /* 0 where the code itself is not known */
    uint64_t code_hash[2]; /* XXH3-128 of those bytes, low and high word */
    uint32_t max_threads;  /* of a block; 0: not known */
};

#endif
