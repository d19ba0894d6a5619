/* What the streamed check (stream.c) and the taking of its memory (stream_memory.c) share. */
#ifndef ASSAY_CONFORMANCE_WORK_STREAM_INTERNAL_H
#define ASSAY_CONFORMANCE_WORK_STREAM_INTERNAL_H

#include "conformance/work/checker.h"
#include "conformance/work/compare.h"
#include "conformance/work/windows.h"

#define STREAM_PATTERN_KEY UINT64_C(0xbb67ae8584caa73b)

enum { STREAM_CHUNK_WINDOWS = 128, STREAM_CHUNKS = 2, STREAM_STALE_BYTE = 0xa5 };

/* One case on its way through all of its checks. */
struct stream {
    struct checker *checker;
    const struct arena *arena;
    struct stream_source source;
    struct team *team;
    size_t window_bytes;
    /* Pinned: while one is uploaded or downloaded, the other is made or compared. */
    unsigned char *chunks[STREAM_CHUNKS];
    /* What the arena must hold: all of it, made once for every check, or two chunks in turn, made
     * whenever they are needed. */
    unsigned char *expected;
    bool holds_all, expected_made;
    unsigned char *images; /* a window for each thread */
    cu_address address;    /* the arena that kernels run on */
    cu_address memory;     /* the allocation: a report, then what is around the arena */
    bool around_made;
    struct harness_range around; /* with a pattern on both sides */
    /* The arena as it is uploaded, kept on the device; 0 where there is no room. Made again after a
     * check that did not pass, which may have harmed it. */
    cu_address pristine;
    bool pristine_made;
    struct harness_report pristine_right; /* its digest, taken before any launch */
    bool digested;
    uint64_t digest[2];           /* of the expected output; a check that passes has the same */
    struct comparison comparison; /* of the check under way */
    struct comparison *windows;   /* STREAM_CHUNK_WINDOWS: what is wrong in its chunk */
};

/* Takes the memory that the case needs. False with the reason, in numbers. */
bool stream_open(struct stream *ret, struct checker *checker, const struct arena *arena,
                 struct check_result *ret_refusal);
void stream_close(struct stream *stream);

struct harness_range stream_pristine_range(const struct stream *stream);

/* A look at the range, with the last change where there is one. False where a call failed: the
 * result says so, and the state may be anything. */
bool stream_look(struct stream *stream, const struct harness_range *range,
                 enum harness_state *ret_state, struct harness_change *ret_change,
                 struct check_result *result);

/* The device's digest of the pristine arena as it is now. False as stream_look. */
bool stream_digest_pristine(struct stream *stream, struct harness_report *ret,
                            struct check_result *result);

#endif
