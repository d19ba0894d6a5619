/* The checks of one case: inputs, golden, poison, upload, launch, download, compare. A checker
 * belongs to one thread; several may share a device, each on its own stream. */
#ifndef ASSAY_CONFORMANCE_WORK_CHECKER_H
#define ASSAY_CONFORMANCE_WORK_CHECKER_H

#include "conformance/model/check.h"
#include "conformance/work/arena.h"
#include "conformance/work/opened_device.h"
#include "conformance/work/harness.h"
#include "conformance/work/region.h"
#include "conformance/work/bindings.h"

/* Receives each result as soon as it is known; `index` is the check's place in the list. */
typedef void check_sink(void *context, int index, const struct check_result *result);

/* The checks of one case. `careful`: one at a time, so that a crash has one suspect and is a
 * result; otherwise all are enqueued before the first is waited for, and a crash ends with
 * CHECK_END_LOST and no result for those not yet compared. */
struct check_list {
    const struct subject *checks;
    int count;
    bool careful;
    check_sink *sink; /* of each result */
    void *context;
};

/* Addresses [begin, end) of device memory. */
struct checker_touched {
    cu_address begin, end;
};

struct checker {
    struct device *device;
    cu_stream stream;
    struct harness harness;   /* from the first launch on; its device is NULL before */
    uint64_t scrubs;          /* so far: no two have the same pattern */
    struct region region;     /* where arenas lie on the device */
    struct textures textures; /* that kernels fetch an operand through */
    struct region edge;       /* where one lies whose operand is at an edge */
    bool has_edges;           /* some are: checker_open says so */
    unsigned char *expected;  /* what an arena must hold, in ordinary memory */
    size_t expected_bytes;
    unsigned char *sms;             /* pinned; use checker_sms */
    struct checker_touched touched; /* of the last case */
    double stage_s[STAGE_COUNT];    /* spent so far */
    size_t stream_from_bytes;       /* arenas so large go through the host in chunks (stream.h) */
    size_t stream_chunk_bytes;      /* a multiple of 4096 */
    int stream_threads;             /* that make and compare them */
    size_t held_bytes_max;          /* of `held`; with the three above set by checker_open */
    struct reads reads;             /* watched ones, of the case under way */
    int sharers;         /* that hold as much at the same time: 1, or as the worker knows */
    unsigned char *held; /* what such an arena must hold, where the host has the memory */
    size_t held_bytes;
};

enum check_end {
    CHECK_END_DONE, /* every check has its result */
    CHECK_END_LOST, /* the device's context is lost: what has no result yet was not checked, and
                     * nothing more can be */
};

/* Makes the stream; memory is taken when a case needs it. Returns the driver's error. */
cu_result checker_open(struct checker *ret, struct device *device);
void checker_close(struct checker *checker);

/* LAUNCH_SMS_MAX bytes, 1 for each SM that ran a block of the subject so far; NULL where nothing
 * was launched yet. */
unsigned char *checker_sms(const struct checker *checker, struct subject subject);

/* Runs the checks of one case. */
enum check_end checker_run(struct checker *checker, const struct fuzz_case *test_case,
                           const struct check_list *list);

#endif
