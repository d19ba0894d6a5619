/* Limits for tests: an H200's, but for its instructions and its number of multiprocessors. */
#pragma once

#include "cuda/grid.h"

#define LARGE_GPU                                                                                  \
    .warp_size = 32, .max_threads_per_block = 1024, .max_grid = {2147483647, 65535, 65535},        \
    .shared_bytes_per_block = 49152, .shared_bytes_opt_in = 65536, .persisting_bytes = 39321600,   \
    .window_bytes = 134217728
