/* Jobs of a bench, with the digests of their cases, which the golden makes. */
#pragma once

#include "conformance/test/made_device.h"
#include "conformance/test/made_subject.h"
#include "conformance/work/buffers.h"

static inline struct bench_job made_job(enum bench_kind kind, const char *kernel, const char *text)
{
    const struct fuzz_case test_case = made_case(text);
    struct bench_job job = {.kind = (int32_t)kind,
                            .subject = made_subject(0, made_kernel(kernel), "host")};
    strcpy(job.text, text);
    ck_assert(case_digests(&test_case, NULL, job.digests));
    return job;
}
