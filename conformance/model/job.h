/* Jobs of a device and their results: a kernel through a code path on a case. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#include "conformance/model/catalog.h"
#include "conformance/model/device_info.h"
#include "conformance/model/finding.h"
#include "fuzz/case.h"

struct check_result {
    struct subject subject;
    enum verdict verdict;
    uint64_t blocks;        /* that were launched; 0: nothing was */
    uint64_t digest[2];     /* PASS: XXH3-128 of the output's elements, low and high word */
    struct finding finding; /* set when the verdict is neither PASS nor DECLINED */
};

/* The stages of a check, for its time. */
enum stage {
    STAGE_PREPARE, /* inputs, golden, poison */
    STAGE_DRIVE,   /* the driver's calls, and waiting for the device */
    STAGE_COMPARE, /* comparing the allocation, and the digest */
    STAGE_COUNT
};

/* Machine code: the supervisor's request to its worker, and the answer. */

/* To the worker. Plain data. */
struct code_job {
    uint64_t job;
    struct subject subject;
    int32_t function; /* the index among the kernel's functions */
};

/* From it. */
struct code_answer {
    uint64_t job;
    struct finding finding; /* PASS: there are figures */
    struct code_figures figures;
    struct occupancy_comparison occupancy; /* of the driver with the model */
};

/* Measuring speed: the supervisor's request to its worker, and the answer. The worker checks bits
 * and measures times; the supervisor knows floors and judges. */

enum {
    BENCH_SAMPLES = 22,       /* of one repeat: what differs is between processes, not in one */
    BENCH_SAMPLES_HOST = 5,   /* the host device has no floors: it only shows that all works */
    BENCH_SAMPLES_LEAST = 20, /* fewer that count are INCONCLUSIVE */
    BENCH_SAMPLES_MAX = 256,
    BENCH_REPEATS = 3,         /* where nothing else is asked for, and the fewest */
    BENCH_REPEATS_FLOORS = 10, /* fewer do not show how much processes differ */
    BENCH_REPEATS_MAX = 32,
    BENCH_LATENCIES_MAX = 16
};

/* A sample takes so long or longer: an event's time has steps of half a microsecond, 0.2 % of
 * it. */
#define BENCH_SAMPLE_US 300.0

/* The loss of speed that floors are made to find. */
#define BENCH_LOSS 0.03

/* The place of the data when a launch begins. */
enum regime {
    REGIME_DRAM, /* buffers rotate so that the L2 cache holds none of a launch's input */
    REGIME_L2,   /* the one buffer fits into half of the L2 cache */
    REGIME_COUNT
};

/* The subject of a timing job. */
enum bench_kind {
    BENCH_KERNEL,  /* a kernel on the case */
    BENCH_MEMCPY,  /* the driver's device-to-device copy of as many bytes as the case moves */
    BENCH_COPY,    /* the 16-byte copy kernel on as many bytes */
    BENCH_LIBRARY, /* a library's product of the case, in place of a kernel's */
    BENCH_LATENCY, /* a host call */
    BENCH_KIND_COUNT
};

/* The phases of a bench, for its time. */
enum bench_phase {
    BENCH_PHASE_WAIT,  /* waiting until nothing disturbs it */
    BENCH_PHASE_START, /* workers: their context, and what they load */
    BENCH_PHASE_MAKE,  /* inputs and golden, uploaded */
    BENCH_PHASE_CHECK, /* the bits before and after */
    BENCH_PHASE_WARM_UP,
    BENCH_PHASE_SENSORS, /* reading them between samples */
    BENCH_PHASE_SAMPLES, /* with what is looked at around them */
    BENCH_PHASE_COUNT
};

/* Contents of a buffer. Each has a digest, which the host takes of the bytes that it makes: if the
 * device's digest of a buffer is the same, every byte is as it must be. */
enum bench_content {
    BENCH_CONTENT_IMAGE,   /* what was uploaded: inputs, and a pattern in all else */
    BENCH_CONTENT_FLIPPED, /* the same, with every bit of the output elements changed */
    BENCH_CONTENT_RIGHT,   /* what the golden expects after the kernel */
    BENCH_CONTENT_COPIED,  /* the image as far as copies go, then BENCH_POISON in every byte */
    /* The part of RIGHT from the first output to the last, with BENCH_POISON between elements; and
     * the part of COPIED that copies write. */
    BENCH_CONTENT_RIGHT_PART,
    BENCH_CONTENT_COPIED_PART,
    /* What a library's first launch left, as the device digests it: right or not, others must. */
    BENCH_CONTENT_LIBRARY,
    BENCH_CONTENT_LIBRARY_PART,
    BENCH_CONTENT_COUNT
};
enum { BENCH_POISON = 0xa5 };

/* The number of buffers that launches rotate over: enough that the L2 cache holds none of a
 * launch's data, and one for each launch of a sample. If launches are to find all data there, a
 * sample's pieces rotate over several buffers. */
struct bench_rotation {
    uint64_t cold_bytes;  /* that all hold together; 0: no launch rotates */
    uint64_t round_bytes; /* that a sample moves at most; more than one buffer hold as many */
    uint64_t places;      /* buffers of pieces, an even number; 0: one */
};

/* A buffer's address is a part of a measurement in the L2 cache. */
enum { BENCH_PLACES = 32 };

/* To the worker. Plain data. */
struct bench_job {
    uint64_t job;
    int32_t kind;
    int32_t latency; /* which call (bench_latency_name) */
    int32_t samples; /* at most BENCH_SAMPLES_MAX */
    struct subject subject;
    struct bench_rotation rotation;
    char text[CASE_TEXT_BYTES];
    uint64_t digests[BENCH_CONTENT_COUNT]; /* of each content, by the golden (buffers.h) */
};

/* From it. */
struct bench_times {
    uint64_t job;
    int32_t sample_count; /* those that count */
    int32_t slowed;       /* of them, those during which the GPU was slowed */
    int32_t throttled;    /* discarded, as the GPU was slowed during it */
    int32_t late;         /* discarded, as the stream began before all was enqueued */
    int32_t batch;        /* launches in a sample */
    int32_t buffers;      /* that were rotated */
    struct nvml_reading before, during, after; /* `during` combines the reasons of all readings */
    struct nvml_company company;               /* the largest number seen, before and after */
    char sensors_why[64];                      /* why there are no readings, or "" */
    struct finding finding;            /* PASS: right bits before and after, and there are times */
    double unit_us[BENCH_SAMPLES_MAX]; /* time of one launch or call, in each sample */
    double phase_s[BENCH_PHASE_COUNT]; /* that the job took for what */
    double event_ratio; /* of the events' time to the host's (event_clock.h); 0: not compared */
};

/* The host calls that are timed, BENCH_LATENCIES_MAX at most: a table of this program. */
int bench_latency_count(void);
const char *bench_latency_name(int index);

/* Generated programs: the supervisor's request to a worker, and the answer. */

enum { PROGRAM_JOB_MAX = 128 /* programs of one job, which become one module */ };

/* To the worker. Plain data; the text follows it, a line for each program and a 0 at its end. */
struct program_job {
    uint64_t job;
    int32_t count;
    int32_t path;
    int32_t compute_capability; /* that the code is made for */
    int32_t only_compiles;      /* 1: the device cannot run it */
    int32_t keeps_code;         /* 1: later runs ask the same, so what was made is kept for them */
    int32_t cpu_limit_s;        /* of a compiler in its own process; 0: none */
    double limit_s;             /* of the same, by the clock */
    char lines[];
};

static inline size_t program_job_bytes(size_t text_bytes)
{
    return offsetof(struct program_job, lines) + text_bytes + 1;
}

/* The result of one program. */
struct program_result {
    uint32_t compared;  /* output words that were compared with the golden's; 0: it did not run */
    uint32_t wrong;     /* of these; what the launch wrote elsewhere counts, too */
    uint32_t unwritten; /* of the wrong ones: the launch left what was there before it */
    int32_t variable;   /* of the first wrong word, or one of the places below */
    int32_t thread;
    int32_t is_unwritten;  /* 1: the first wrong word */
    int32_t is_unscrubbed; /* 1: memory for the scrub before each launch lacked */
    int32_t word;          /* of the thread's global memory */
    uint64_t expected, got;
    uint64_t wrong_bits; /* digest of the wrong words: where they are and what they hold; 0: none */
    uint64_t wrong_places; /* of where they are alone */
};

/* A word of the thread's global memory; one that belongs to nothing. */
enum { PROGRAM_PLACE_OWN = -1, PROGRAM_PLACE_GAP = -2 };

/* The stage that failed. A worker that dies leaves a note with these words. */
#define PROGRAM_COMPILING "while compiling"
enum program_stage {
    PROGRAM_STAGE_MAKE,
    PROGRAM_STAGE_COMPILE,
    PROGRAM_STAGE_LOAD,
    PROGRAM_STAGE_RUN,
    PROGRAM_STAGES
};

/* The answer. PASS: each program has its result. Otherwise the module as a whole has no result:
 * FAIL: the memory that it ran in is wrong, so nothing that was right there passes;
 * INCONCLUSIVE: the compiler rejects it, perhaps because of one program; CRASH, TIMEOUT: the
 * compiler or the launch crashed or hung; SKIP: the compiler or the driver does not support this
 * device, or this language, or there is too little memory; ERROR: the harness itself failed. */
struct program_answer {
    uint64_t job;
    struct finding finding;
    int32_t stage; /* the last that it reached */
    int32_t count;
    int32_t is_kept; /* 1: its code was made by an earlier run */
    double stage_s[PROGRAM_STAGES];
    struct program_result results[PROGRAM_JOB_MAX];
};
