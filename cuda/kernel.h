/* What the runner knows of a kernel: one row of kernels[] (kernels.c) each. */
#ifndef ASSAY_CUDA_KERNEL_H
#define ASSAY_CUDA_KERNEL_H

#include <stdbool.h>
#include <stddef.h>

/* The limits of the device that a launch is planned for; all from the driver. */
struct device_limits {
    int compute_capability; /* 90 for 9.0; 0 on the host device */
    int warp_size;
    int multiprocessor_count;
    int max_threads_per_block;
    long long max_grid[3];
    size_t shared_bytes_per_block; /* without opting in to more */
    size_t shared_bytes_opt_in;    /* with it */
};

struct launch {
    const char *entry; /* the function's name in its unit */
    unsigned grid[3];  /* a 0 here: the case has no work, and nothing is launched */
    unsigned block[3];
    unsigned shared_bytes; /* dynamic shared memory */
};

/* What an axis must be for a kernel to take a shape; 0: that is free. */
struct kernel_axis {
    const char *name; /* as in a case line */
    long long equals;
    long long multiple_of;
};

enum { KERNEL_AXES_MAX = 3 };

struct kernel {
    const char *algorithm;
    const char *name;    /* `matmul/tiled` is algorithm, slash, name */
    const char *unit;    /* its file, as an image is named: "matmul_tiled" (image.h) */
    const char *shapes;  /* which shapes it accepts, in words: "any" */
    const char *summary; /* its idea, one line */
    /* True when it accepts the call; NULL: any. `call` is the algorithm's call struct (call.h). */
    bool (*accepts)(const void *call);
    /* The same said of the axes, up to the first without a name. Every case is held to both, so
     * that a kernel cannot decline more than its row says without a word (runner.kernels.shapes).
     * Only a mutant has an accepts and no axes here. */
    struct kernel_axis takes[KERNEL_AXES_MAX];
    /* Fills in how the call is launched; false where the device's limits cannot hold it. */
    bool (*plan)(const void *call, const struct device_limits *limits, struct launch *ret);
};

extern const struct kernel kernels[];
extern const int kernel_count;

/* A kernel that is wrong on purpose, and how it must be caught. */
struct mutant {
    struct kernel kernel; /* kernel.summary says what is wrong */
    const char *verdict;  /* "FAIL", "CRASH" or "TIMEOUT" */
    const char *place;    /* the place's word in the verdict: "element", "gap", "guard", "input" */
    const char *clause;   /* the clause that the verdict must cite */
    bool needs_gpu;       /* true: the mistake shows on real hardware alone */
    bool needs_host;      /* true: it shows, or shows so, on the host device alone */
    bool needs_huge;      /* true: it passes small cases, and shows in those of tier huge alone */
};

extern const struct mutant mutants[];
extern const int mutant_count;

#endif
