/* One bench job in this process, on the host device, whose driver says that something was done
 * which was not, or was done wrongly. Each number counts from 1; 0: never. */
#pragma once

#include <stdbool.h>

#include "conformance/model/job.h"
#include "cuda/driver.h"
#include "spec/testing.h"

/* Downloads, copies and launches that the last job made, and which of them is lost or, in one bit
 * of what it wrote, wrong; the harness's own are launches, but of `launches`. */
extern int downloads, lost_download;
extern int copies, lost_copy, lost_copies_from, flipped_copy;
extern int launches, flipped_launch;
extern int all_launches, lost_launch;
extern int scrubs, unscrubbed; /* before the first launch, counted by nothing else; launches
                                  before the first scrub */
extern int launches_left;      /* the others are lost */
extern int64_t unwritten_byte; /* of offset_copy's target: no launch writes it; -1: none */

/* From that one on copies go a byte too far, or change their source there. */
extern int copies_too_far_from;
extern bool too_far_in_source;

struct lossy_copy {
    cu_address source;
    size_t bytes;
};
extern struct lossy_copy last_copies[2];

extern int settled; /* launches after a digest that write again what the one before it wrote */
extern bool blind_digests; /* which find the same in whatever they see */
extern bool uploads_lost, uploads_flipped;
extern bool attributes_refused; /* what a digest needs first */

/* The job says so of what a buffer must hold, but for these bits, which are wrong. */
extern enum bench_content wrong_digest;
extern uint64_t wrong_digest_bits;

struct bench_times lossy_work(enum bench_kind kind, const char *kernel, const char *text,
                              uint64_t cold_bytes);
