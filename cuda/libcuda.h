/* What driver.c is made of, shown to its tests. */
#ifndef ASSAY_CUDA_LIBCUDA_H
#define ASSAY_CUDA_LIBCUDA_H

#include "cuda/driver.h"

/* driver_open_libcuda with the library's name as a parameter. `library_name` lives as long as
 * *ret. False, with the reason in `why` and *ret untouched, where the library cannot be opened or
 * lacks a function. */
bool driver_open_library(const char *library_name, struct cuda_driver *ret, char *why,
                         size_t why_bytes);

/* True when no file of that name is where the loader looks. One that is there and cannot be loaded
 * (empty, without a library that it needs, without a function) is another thing: a broken driver.
 */
bool driver_library_is_absent(const char *library_name);

#endif
