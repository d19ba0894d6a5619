/* What records of benches say of floors: a measurement for each kernel, ceiling and host call of
 * each GPU. */
#ifndef ASSAY_CONFORMANCE_FLOORS_FLOORS_MEASURED_H
#define ASSAY_CONFORMANCE_FLOORS_FLOORS_MEASURED_H

#include <stdbool.h>
#include <stddef.h>

#include "conformance/base/reason.h"
#include "conformance/model/speed_job.h"
#include "conformance/base/host_machine.h"

enum floor_kind { FLOOR_KERNEL, FLOOR_CEILING, FLOOR_LATENCY };

/* The GPU, and the run that measured it. */
struct floor_source {
    char gpu[128], uuid[64], driver[32], date[16];
    int compute_capability;
};

struct floor_measurement {
    enum floor_kind kind;
    struct floor_source source;
    char kernel[64], shape[32]; /* of FLOOR_KERNEL */
    enum regime regime;         /* not of FLOOR_LATENCY */
    char path[32];              /* of FLOOR_KERNEL */
    int element_bytes;
    char call[32]; /* of FLOOR_LATENCY */
    struct host_machine host;
    double median;       /* of the repeats: GB/s, or microseconds */
    double ceiling_gbps; /* what the fraction is taken of; 0 of FLOOR_LATENCY */
    double spread;       /* the repeats' standard deviation over their mean */
    /* The bounds of the repeats' fractions; 0 where the record does not say. */
    int repeats;
    double lowers[BENCH_REPEATS_MAX], uppers[BENCH_REPEATS_MAX];
};

struct floor_measurements {
    struct floor_measurement *items;
    size_t count;
    /* The user knows that all of these GPUs are healthy: a run that failed counts where speeds
     * below their floors are all that failed, and GPUs may lie far apart. Set by the caller. */
    bool accept_slow;
    bool calls_only; /* nothing but host calls is taken; set by the caller */
};

/* Adds what a record measured. Only what was sound counts: false with the reason for a run that was
 * cut short or failed, for fewer than BENCH_REPEATS_FLOORS repeats, and where nothing can become a
 * floor. */
bool floors_measure(struct floor_measurements *measurements, const char *path,
                    struct reason *ret_reason);

/* The same of a record in memory; `path` is only named in messages. */
bool floors_measure_text(struct floor_measurements *measurements, const char *path,
                         const char *text, size_t bytes, struct reason *ret_reason);

void floors_measurements_free(struct floor_measurements *measurements);

#endif
