/* The host device as its tests use it: opened, with a kernel of the test units to launch. */
#pragma once

#include "cuda/driver.h"
#include "cuda/host/test_call.h"

struct test_device {
    struct cuda_driver driver;
    char note[256];
};

/* Initialised, with the context current and notes going to `note`, till the test ends. Fails the
 * test on errors. */
struct test_device *test_device_open(void);

/* Device memory, the bytes copied there where source is not NULL. Fails the test on errors. */
void *test_device_memory(struct test_device *device, size_t bytes, const void *source);

struct test_shape {
    unsigned grid_x, grid_y, grid_z, block_x, block_y, block_z, shared_bytes;
};

/* Loads the unit, finds the kernel, launches and synchronises: the first error, or 0. */
cu_result test_device_launch(struct test_device *device, const char *unit, const char *name,
                             struct test_shape shape, struct test_call call);

/* Does it in a child process and returns its waitpid status; its note is copied to device->note. */
int test_device_die(struct test_device *device, const char *unit, const char *name,
                    struct test_shape shape, struct test_call call);
