/* The code paths that a kernel comes through (spec/driver.md). */
#ifndef ASSAY_CONFORMANCE_MODEL_PATH_H
#define ASSAY_CONFORMANCE_MODEL_PATH_H

/* How a kernel's machine code came to be. */
enum path {
    PATH_SASS,       /* compiled offline by the toolkit, embedded */
    PATH_PTX,        /* embedded PTX, the highest that the device takes, compiled by the driver */
    PATH_PTX_LOWEST, /* the same of the lowest architecture */
    PATH_HOST,       /* compiled for this CPU: the host device's only path */
    PATH_COUNT
};

const char *path_name(enum path path);

#endif
