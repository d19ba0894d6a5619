/* What is asked of a device, and what comes of it: a kernel through a code path on a case. */
#ifndef ASSAY_CONFORMANCE_MODEL_CHECK_H
#define ASSAY_CONFORMANCE_MODEL_CHECK_H

#include <stdint.h>

#include "conformance/model/finding.h"
#include "conformance/model/subject.h"

struct check_result {
    struct subject subject;
    enum verdict verdict;
    uint64_t blocks;        /* that were launched; 0: nothing was */
    uint64_t digest[2];     /* PASS: XXH3-128 of the output's elements, low and high word */
    struct finding finding; /* set when the verdict is neither PASS nor DECLINED */
};

/* What a check's time goes into. */
enum stage {
    STAGE_PREPARE, /* inputs, golden, poison */
    STAGE_DRIVE,   /* the driver's calls, and waiting for the device */
    STAGE_COMPARE, /* comparing the allocation, and the digest */
    STAGE_COUNT
};

#endif
