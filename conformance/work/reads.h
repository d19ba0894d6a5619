/* Watching what a kernel reads (memory.reads.watched): on the host device, whose emulation can, in
 * some of the cases. A GPU's reads show where they fault or change a result. */
#ifndef ASSAY_CONFORMANCE_WORK_READS_H
#define ASSAY_CONFORMANCE_WORK_READS_H

#include "conformance/work/arena.h"
#include "cuda/driver.h"

enum {
    READS_EVERY = 16, /* one case in so many, by its seed, as it costs time */
    READS_TEXT_BYTES = 200
};

struct reads {
    bool watched; /* this case's launches are */
    unsigned char *readable;
    size_t readable_bytes;
    struct driver_watch watch; /* of the last launch */
};

/* Decides whether the launches of this case are watched, and notes which bytes they may read. */
void reads_prepare(struct reads *reads, const struct cuda_driver *driver,
                   const struct arena *arena);

/* Around a launch on the arena at `address`. */
void reads_begin(struct reads *reads, const struct cuda_driver *driver, cu_address address);
void reads_end(struct reads *reads, const struct cuda_driver *driver);

/* True when the last launch read a byte that is no element's; `ret_text` says which thread did, and
 * where. */
bool reads_strayed(const struct reads *reads, const struct arena *arena,
                   char ret_text[READS_TEXT_BYTES]);

/* Gives back what reads_prepare keeps. */
void reads_release(struct reads *reads);

#endif
