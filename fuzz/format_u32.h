/* How numbers of 32 bits are written and read, in decimal: of every format that has such. */
#ifndef ASSAY_FUZZ_FORMAT_U32_H
#define ASSAY_FUZZ_FORMAT_U32_H

#include "fuzz/format.h"

void format_u32_write(const void *element, char ret_text[FORMAT_TEXT_BYTES]);

/* False where the text is no such number, in digits alone. */
bool format_u32_read(const char *text, void *ret);

#endif
