/* The speeds that conform: floors of bandwidth, ceilings of latency, relations between kernels,
 * read from a JSON file (spec/floors.json by default, which is built into the program), and derived
 * from a model for a GPU that the file does not name. */
#pragma once

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

#include "conformance/base/host.h"
#include "conformance/base/reason.h"
#include "conformance/base/zone.h"
#include "conformance/model/device_info.h"
#include "conformance/model/finding.h"
#include "conformance/model/job.h"
#include "conformance/record/record_fields.h"

/* The fields of a floor file by name: floor_fields.def as functions (record_fields.h says how). */
#define FORM_TABLE "conformance/speed/floor_fields.def"
#include "conformance/record/form_access.inc"
#include "conformance/record/form_json.inc"
#undef FORM_TABLE

enum { FLOORS_VERSION = 1 };

struct floors {
    json_t *root;
};

/* Reads and checks a file; NULL: the one that travels in the program. False with the reason, which
 * names file, line and entry. */
bool floors_open(const char *path, struct floors *ret, struct reason *ret_reason);
/* The same on a text; `path` is only named in messages. */
bool floors_parse(const char *path, const char *text, struct floors *ret,
                  struct reason *ret_reason);
void floors_close(struct floors *floors);

/* The entry of a GPU, by name and compute capability, or NULL: one that the file does not know. */
const json_t *floors_gpu(const struct floors *floors, const struct device_info *info);

/* The same to be changed. */
json_t *floors_find_gpu(const json_t *root, const char *name, int compute_capability);

/* The subject of a floor. */
struct floor_key {
    const char *kernel; /* "aat/padded" */
    const char *shape;  /* bench_shapes' name */
    int element_bytes;
    enum regime regime;
    double flops_per_byte;
    /* Useful bytes over the sector model's, 1 where it has none; over a warp's turns in constant
     * memory. */
    double sector_efficiency;
    bool crosses_link, is_pageable; /* a copy between host and device; from or to such memory */
};

/* The floor of a kernel, as a fraction of its ceiling (spec/bandwidth.md). */
struct limit floors_kernel(const struct floors *floors, const struct device_info *info,
                           const struct floor_key *key);

/* The floor of a regime's ceiling itself, as a fraction of its derived peak. */
struct limit floors_ceiling(const struct floors *floors, const struct device_info *info,
                            enum regime regime);

/* The member of a GPU that holds it. */
const char *floors_ceiling_key(enum regime regime);

/* The ceiling of a host call on that host, in microseconds. */
struct limit floors_latency(const struct floors *floors, const struct device_info *info,
                            const struct host_machine *host, const char *call);

/* A statement of the documents on two kernels, with bounds that measurements of some GPU models
 * confirm. */
struct relation {
    const char *clause;
    const char *kernel, *shape;
    const char *against, *against_shape;
    enum regime regime;
    double least_ratio, most_ratio; /* of the first's GB/s to the other's; most 0: no bound */
    const json_t *gpus;             /* names of these models, borrowed from the floors */
};

int floors_relation_count(const struct floors *floors);
struct relation floors_relation(const struct floors *floors, int index);

/* True if the relation's bounds are of the GPU's model: it is judged. On any other GPU it is
 * information. */
bool floors_relation_applies(const struct relation *relation, const struct device_info *info);

/* Which row of a clause a GPU has, since models differ: the one of its own model, or the clause's
 * first. True if that is the row `index`. */
bool floors_relation_is_chosen(const struct floors *floors, int index,
                               const struct device_info *info);

/* Checks a whole file. False with the entry's path ("gpus[0].floors[3]") and what
 * is wrong with it. */
bool floors_check(const json_t *root, char ret_path[FORM_PATH_BYTES], struct reason *ret_reason);

/* True if a floor is above 0.02, or within 10 % of a measurement whose spread is at most 5 %: a
 * lower one may be a wrong unit. */
bool floors_is_fraction(double fraction, double measured, double spread);

/* The fields that tell one floor, or one ceiling of a host call, from another; NULL follows. */
extern const char *const floors_entry_keys[];
extern const char *const floors_latency_keys[];

/* True for a host call that a bench measures. */
bool floors_is_call(const char *name);

/* Floors made of records of benches. floors_measure() takes from each record a measurement for each
 * kernel, ceiling and host call of each GPU; floors_make() joins those of GPUs of one kind and
 * makes the file's entries of them again:
 *
 *     struct floor_measurements all = {0};
 *     floors_measure(&all, "record.json", &reason);
 *     json_t *made = floors_make(&floors, &all, &reason);
 *     floors_measurements_free(&all);
 */

/* What a sound line has measured. */
struct floor_measurement {
    const struct line *line; /* a bench, a peak or a latency */
    const struct line_device *device;
    char date[16];
    int capability;
    enum regime regime;  /* not of a call */
    double median;       /* of the repeats: GB/s, or microseconds */
    double ceiling_gbps; /* what the fraction is taken of; 0 of a call */
    double spread;       /* the repeats' standard deviation over their mean */
    /* The bounds of the repeats' fractions; 0 if the record does not say. */
    int repeats;
    double lowers[BENCH_REPEATS_MAX], uppers[BENCH_REPEATS_MAX];
};

struct floor_measurements {
    struct floor_measurement *items;
    size_t count;
    struct zone lines; /* of all records that were read, those that were refused among them */
    /* The user knows that all of these GPUs are healthy: a run that failed counts where speeds
     * below their floors are all that failed, and GPUs may differ much. Set by the caller. */
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

/* The range of healthy GPUs of a kind: from the lowest median fraction minus two spreads to the
 * highest plus two. */
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
 * that healthy repeats are decided. */
double floor_span_fraction(struct floor_span span);

/* The same where the span may be of too few GPUs to show how much those of a kind differ. */
double floor_span_fraction_of_kind(struct floor_span span);
