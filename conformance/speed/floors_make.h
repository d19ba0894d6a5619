/* Floors made of records of benches. floors_measure() takes from each record a measurement for each
 * kernel, ceiling and host call of each GPU; floors_make() joins those of GPUs of one kind and
 * makes the file's entries of them again:
 *
 *     struct floor_measurements all = {0};
 *     floors_measure(&all, "record.json", &reason);
 *     json_t *made = floors_make(&floors, &all, &reason);
 *     floors_measurements_free(&all);
 */
#ifndef ASSAY_CONFORMANCE_SPEED_FLOORS_MAKE_H
#define ASSAY_CONFORMANCE_SPEED_FLOORS_MAKE_H

#include <stdbool.h>
#include <stddef.h>

#include "conformance/base/host.h"
#include "conformance/base/reason.h"
#include "conformance/model/job.h"
#include "conformance/speed/floors.h"

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

/* A copy of the file in which the entries of what was measured are made again, of these
 * measurements alone, and everything else is kept. A new reference; NULL with the reason. */
json_t *floors_make(const struct floors *floors, const struct floor_measurements *measurements,
                    struct reason *ret_reason);

/* What healthy GPUs of a kind reach: each one's median fraction less and more twice its spread. */
struct floor_span {
    double lowest, highest;
    double bound;  /* the lowest lower bound of a repeat's own interval, where it is known */
    double spread; /* the largest of a GPU's own repeats */
    int gpus;      /* that were measured */
};

/* The span of one GPU, and of several. */
struct floor_span floor_span_of(double fraction, double spread);
struct floor_span floor_span_join(struct floor_span left, struct floor_span right);

/* The floor that follows: halfway between the lowest that is well and the highest that has lost
 * BENCH_LOSS, so that it is as far from a false alarm as from a loss unseen. Where those overlap it
 * is below the lowest, by a spread where that is wide, and then below the lowest bound, too, so
 * that healthy repeats are decided. 0 where it would be no floor: too low a fraction. */
double floor_span_fraction(struct floor_span span);

/* The same where the span may be of too few GPUs to show how far those of a kind lie apart. */
double floor_span_fraction_of_kind(struct floor_span span);

#endif
