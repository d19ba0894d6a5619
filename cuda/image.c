/* Which of an image's PTX a device gets, and units' texts (image.h). */
#include "cuda/image.h"

#include <string.h>

const struct image_ptx *image_highest_ptx(const struct image *image, int compute_capability)
{
    int highest = 0;
    for (int index = 0; index < image->ptx_count; index++)
        if (image->ptx[index].compute_capability <= compute_capability)
            highest = index;
    return image->ptx_count > 0 ? &image->ptx[highest] : NULL;
}

const struct kernel_text *kernel_text_of(const char *unit)
{
    for (int index = 0; index < kernel_text_count; index++)
        if (strcmp(kernel_texts[index].unit, unit) == 0)
            return &kernel_texts[index];
    return NULL;
}
