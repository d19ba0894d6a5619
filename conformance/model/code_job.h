/* Machine code: what the supervisor asks of its worker, and what comes back. */
#ifndef ASSAY_CONFORMANCE_MODEL_CODE_JOB_H
#define ASSAY_CONFORMANCE_MODEL_CODE_JOB_H

#include "conformance/model/code_figures.h"
#include "conformance/model/finding.h"
#include "conformance/model/occupancy.h"
#include "conformance/model/subject.h"

/* To the worker. Plain data. */
struct code_job {
    uint64_t job;
    struct subject subject;
    int32_t function; /* which of the kernel's */
};

/* From it. */
struct code_answer {
    uint64_t job;
    struct finding finding; /* PASS: there are figures */
    struct code_figures figures;
    struct occupancy_comparison occupancy; /* of the driver with the model */
};

#endif
