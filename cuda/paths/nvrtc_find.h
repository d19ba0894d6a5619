/* Where NVRTC lies in what a user names. */
#ifndef ASSAY_CUDA_PATHS_NVRTC_FIND_H
#define ASSAY_CUDA_PATHS_NVRTC_FIND_H

#include <stdbool.h>

#include "cuda/paths/nvrtc.h"

enum { NVRTC_PATH_BYTES = 4096 };

/* The library's file, no link: `path` itself, or the one libnvrtc.so* in the folder, however deep
 * (a toolkit, an unpacked wheel). False with the reason: there is none, or more than one. */
bool nvrtc_find(const char *path, char ret_file[NVRTC_PATH_BYTES], char ret_why[NVRTC_TEXT_BYTES]);

#endif
