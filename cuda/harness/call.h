/* The arguments of the harness's own kernels. These check no algorithm: they overwrite what the
 * kernels under test must not find, and check memory that those must not write. */
#ifndef ASSAY_CUDA_HARNESS_CALL_H
#define ASSAY_CUDA_HARNESS_CALL_H

/* The most threads of a block that looks at a range. */
enum { HARNESS_RANGE_THREADS = 256 };

/* Words that a thread of harness_scrub holds in registers, and among how many words of shared
 * memory the first of them is. */
enum { HARNESS_SCRUB_HELD = 52, HARNESS_SCRUB_READ = 2048 };

/* The report of harness_check and harness_digest: every block adds to it, so it begins as zeros. */
struct harness_report {
    unsigned long long words; /* compared: all of them, or the kernel did not run to its end */
    unsigned long long wrong; /* that do not hold the pattern */
    unsigned long long last;  /* the place of the last wrong one, in words, plus 1 */
    unsigned long long sum;   /* of the digest */
};

/* Words of 8 bytes that hold a pattern, a function of the key and of the word's place, or what
 * other words hold; those of the hole are skipped. */
struct harness_range_call {
    unsigned long long *words;
    long long count; /* without the hole */
    long long hole_begin, hole_words;
    unsigned long long key;
    const unsigned long long *right; /* what harness_check expects; NULL: the pattern */
    struct harness_report *report;   /* of harness_check and harness_digest */
};

/* Elements of which every bit is changed: rows of columns, that many bytes apart. */
struct harness_flip_call {
    unsigned char *first;
    long long rows, columns;
    long long row_bytes, column_bytes; /* from one to the next */
    long long element_bytes;
};

struct harness_scrub_call {
    unsigned long long key;
    long long shared_words; /* of 8 bytes: the launch's dynamic shared memory */
    unsigned *sink;         /* NULL: nothing is written, but the compiler cannot know that */
};

#endif
