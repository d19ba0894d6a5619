/* Generated programs: what the supervisor asks of a worker, and what comes back. */
#ifndef ASSAY_CONFORMANCE_MODEL_PROGRAM_JOB_H
#define ASSAY_CONFORMANCE_MODEL_PROGRAM_JOB_H

#include <stddef.h>
#include <stdint.h>

#include "conformance/model/finding.h"

enum { PROGRAM_JOB_MAX = 128 /* programs of one job, which become one module */ };

/* To the worker. Plain data; the text follows it, a line for each program and a 0 at its end. */
struct program_job {
    uint64_t job;
    int32_t count;
    int32_t path;
    int32_t compute_capability; /* that the code is made for */
    int32_t only_compiles;      /* 1: the device cannot run it */
    int32_t keeps_code;         /* 1: later runs ask the same, so what was made is kept for them */
    int32_t cpu_limit_s;        /* of a compiler that runs beside the worker; 0: none */
    double limit_s;             /* of the same, by the clock */
    char lines[];
};

static inline size_t program_job_bytes(size_t text_bytes)
{
    return offsetof(struct program_job, lines) + text_bytes + 1;
}

/* What came of one program. */
struct program_result {
    uint32_t compared;  /* output words that were compared with the golden's; 0: it did not run */
    uint32_t wrong;     /* of these; what the launch wrote elsewhere counts, too */
    uint32_t unwritten; /* of the wrong ones: the launch left what was there before it */
    int32_t variable;   /* of the first wrong word, or one of the places below */
    int32_t thread;
    int32_t is_unwritten; /* 1: the first wrong word */
    int32_t word;         /* of the thread's global memory */
    uint64_t expected, got;
    uint64_t wrong_bits; /* digest of the wrong words: where they are and what they hold; 0: none */
    uint64_t wrong_places; /* of where they are alone */
};

/* A word of the thread's global memory; one that belongs to nothing. */
enum { PROGRAM_PLACE_OWN = -1, PROGRAM_PLACE_GAP = -2 };

/* Which part of the work failed. A worker that dies leaves a note with the words. */
#define PROGRAM_COMPILING "while compiling"
enum program_stage {
    PROGRAM_STAGE_MAKE,
    PROGRAM_STAGE_COMPILE,
    PROGRAM_STAGE_LOAD,
    PROGRAM_STAGE_RUN,
    PROGRAM_STAGES
};

/* From it. PASS: each program has its result. Else the module came to nothing as a whole:
 * INCONCLUSIVE: the compiler refuses it, which may be for the sake of one program; CRASH, TIMEOUT:
 * the compiler crashed or hung, or the launch did; SKIP: the compiler or the driver is not made for
 * this device, or for this language; ERROR: the harness itself. */
struct program_answer {
    uint64_t job;
    struct finding finding;
    int32_t stage; /* that it came to */
    int32_t count;
    int32_t is_kept; /* 1: its code was made by an earlier run */
    double stage_s[PROGRAM_STAGES];
    struct program_result results[PROGRAM_JOB_MAX];
};

#endif
