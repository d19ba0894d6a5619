/* Units' texts (kernel_text.h). */
#include "cuda/kernel_text.h"

#include <string.h>

const struct kernel_text *kernel_text_of(const char *unit)
{
    for (int index = 0; index < kernel_text_count; index++)
        if (strcmp(kernel_texts[index].unit, unit) == 0)
            return &kernel_texts[index];
    return NULL;
}
