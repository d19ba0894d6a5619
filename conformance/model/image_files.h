/* The unit files that this program has opened beside the images in itself (cuda/unit_file.h). */
#ifndef ASSAY_CONFORMANCE_MODEL_IMAGE_FILES_H
#define ASSAY_CONFORMANCE_MODEL_IMAGE_FILES_H

#include "conformance/base/reason.h"
#include "cuda/unit_file.h"

struct image_file {
    const char *file; /* its name, as the user gave it */
    struct unit_file units;
};

/* The file of that name, read once and kept for the life of the process. NULL with the reason. */
const struct image_file *image_file_open(const char *name, struct reason *ret_reason);

#endif
