/* One job of generated programs, from its lines to its results. */
#ifndef ASSAY_CONFORMANCE_WORK_PROGRAM_RUN_H
#define ASSAY_CONFORMANCE_WORK_PROGRAM_RUN_H

#include "conformance/model/program_job.h"
#include "conformance/work/opened_device.h"

/* What is kept from job to job: memory of the device. All 0 at first. */
struct program_runner {
    struct device *device;
    cu_address inputs, outputs;
    size_t input_bytes, output_bytes;
    char *note; /* what the process is at, for the supervisor to read where it dies; or NULL */
    size_t note_bytes;
};

/* False where the device can do nothing any more: its context is lost. */
bool program_run(struct program_runner *runner, const struct program_job *job,
                 struct program_answer *ret);

void program_runner_close(struct program_runner *runner);

#endif
