/* What driver.c is made of, shown to its tests. */
#ifndef ASSAY_CUDA_DRIVER_INTERNAL_H
#define ASSAY_CUDA_DRIVER_INTERNAL_H

#include "cuda/driver.h"

/* driver_open_libcuda with the library's name as a parameter. `library_name` lives as long as
 * *ret. */
bool driver_open_library(const char *library_name, struct cuda_driver *ret,
                         struct driver_refusal *ret_refusal);

#endif
