/* The buffers that a timing rotates through, and the digests that they must have, by the golden:
 * these depend only on the case, so they are computed once for all processes and GPUs that measure
 * it. */
#pragma once

#include <stdatomic.h>

#include "conformance/model/job.h"
#include "conformance/work/arena.h"
#include "conformance/work/opened_device.h"
#include "conformance/work/windows.h"

/* Bytes that a copy moves one way, so that it moves as many in all as the case's kernel. */
size_t bench_copy_bytes(const struct fuzz_case *test_case);

bool bench_is_output(const struct arena *arena, int operand);

/* Whether bytes of the operand's span are of no element. */
bool bench_has_gaps(const struct arena *arena, int operand);

/* The bytes of an arena from before its first output to after its last, multiples of 16. */
void bench_written(const struct arena *arena, size_t *ret_from, size_t *ret_to);

/* As harness_sum takes them, by several threads; none of the case is kept. False without memory,
 * and where the run is interrupted or `ended` (NULL: never) becomes true meanwhile. */
bool case_digests(const struct fuzz_case *test_case, const atomic_bool *ended,
                  uint64_t ret[BENCH_CONTENT_COUNT]);

/* Makes the whole of it, and what the golden expects there. False without memory. */
bool bench_make_whole(const struct arena *arena, unsigned char *image, unsigned char *expected);

/* The buffers that a kernel is timed on: copies of one arena on the device, each whole with guards,
 * and the digests of what they must hold. The host makes what is uploaded piece by piece, and keeps
 * none of it. */

enum { BENCH_BUFFERS_MAX = 256 };

struct bench_buffers {
    struct device *device;
    struct team *team;          /* that makes images; NULL before the first */
    char text[CASE_TEXT_BYTES]; /* the case that they hold; "" for none */
    struct bench_rotation rotation;
    size_t copy_bytes;
    struct fuzz_case test_case;
    struct arena arena;
    size_t staging_bytes;   /* of each of two pieces */
    unsigned char *staging; /* pinned: pieces of the image on their way */
    size_t device_bytes;
    cu_address memory;
    cu_address pristine; /* the image, never written by a kernel */
    int all;             /* that there are */
    int least;           /* of them enough for long launches, of which a sample has few */
    int count;           /* in use */
    bool rotates;        /* each launch has another buffer than the one before it */
    cu_address buffers[BENCH_BUFFERS_MAX];
    uint64_t digests[BENCH_CONTENT_COUNT]; /* as the job gives them */
};

/* Makes the buffers hold the job's case; nothing to do when they do already. There are enough that
 * all of them together, and the first `copy_bytes` of each, which copies go between in pairs, hold
 * `cold_bytes`; where that takes more than one, `round_bytes` too, as far as the share of the
 * memory goes; else as many as pieces take turns on. `least` of them are in use.
 * CU_SUCCESS, or the driver's error with what was being done. */
cu_result bench_buffers_hold(struct bench_buffers *buffers, const struct bench_job *job,
                             const struct fuzz_case *test_case, size_t copy_bytes,
                             const char **ret_doing);

/* The source and the target of a copy in a turn: a buffer of the first half, and one of the second;
 * of a single buffer the pristine image, and itself. The target's index. */
int bench_buffers_pair(const struct bench_buffers *buffers, uint64_t turn, cu_address *ret_source,
                       cu_address *ret_target);

/* The number of pairs. */
int bench_buffers_pairs(const struct bench_buffers *buffers);
void bench_buffers_free(struct bench_buffers *buffers);

/* Enqueues: every buffer as it was. */
cu_result bench_buffers_restore(const struct bench_buffers *buffers, cu_stream stream);

/* For a buffer that must hold `content` and does not (it held `before` before its last launch):
 * makes the case again on the host, downloads the buffer and compares every byte, guards and gaps
 * too. PASS, FAIL with where and what, or ERROR when it cannot be done. Of what no kernel was
 * launched on the clause says whether the bytes are past those that are copied, and the note from
 * which byte on.
 */
enum verdict bench_buffers_find(const struct bench_buffers *buffers, cu_address buffer,
                                enum bench_content content, enum bench_content before,
                                cu_stream stream, struct finding *ret);
