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

static uint64_t add(uint64_t digest, const char *bytes, size_t count)
{
    for (size_t index = 0; index < count; index++)
        digest = (digest ^ (unsigned char)bytes[index]) * UINT64_C(0x100000001b3);
    return digest;
}

uint64_t kernel_texts_digest(void)
{
    uint64_t digest = UINT64_C(0xcbf29ce484222325);
    for (int index = 0; index < kernel_text_count; index++) {
        const struct kernel_text *it = &kernel_texts[index];
        digest = add(digest, it->unit, strlen(it->unit) + 1);
        digest = add(digest, it->text, it->bytes);
    }
    return digest;
}
