/* The repeats that records of benches hold, row by row. */
#pragma once

#include "conformance/speed/floors.h"
#include "conformance/speed/bench.h"
#include "spec/testing.h"

enum { RECORDING_ROWS_MAX = 4096, RECORDING_FILES_MAX = 64 };

/* A kernel in one shape and regime on one GPU, the regime's best copy, or the driver's copy. */
struct series {
    char name[256], uuid[64];
    char kernel[64], shape[32]; /* "": the best copy */
    enum regime regime;
    int element_bytes;
    double memcpy_bytes; /* of the driver's copy; 0: it is not that */
    double shipped;      /* the floor of spec/floors.json, 0 if none was measured */
    int shipped_gpus;    /* that it was made of */
    int repeats;
    double gbps[BENCH_REPEATS_MAX]; /* medians */
    struct interval fraction[BENCH_REPEATS_MAX];
};

struct recording {
    int count, files;
    char paths[RECORDING_FILES_MAX][512];
    char uuids[RECORDING_FILES_MAX][64]; /* the GPU of each file */
    struct device_info info;             /* the last one's name and compute capability */
    struct series rows[RECORDING_ROWS_MAX];
};

/* The records of the folder AA_RECORDS, or one that is made up with an H200's noise. To be freed.
 */
struct recording *recording_read(void);

/* The measured floor of a row, or 0. *ret_gpus: how many it was made of. */
double recording_floor(const struct floors *floors, const struct device_info *info,
                       const struct series *row, int *ret_gpus);
