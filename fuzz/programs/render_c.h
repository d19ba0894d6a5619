/* What the files that render C share. */
#ifndef ASSAY_FUZZ_PROGRAMS_RENDER_C_H
#define ASSAY_FUZZ_PROGRAMS_RENDER_C_H

#include "fuzz/programs/render_text.h"

extern const char *const c_type_names[PROGRAM_CLASSES];

/* "0x1fu", at the end of the string `operand`. */
void c_constant(char *operand, enum program_class of_class, uint64_t bits);

void c_statements(const struct kernel *kernel, int first, int end);

/* Of every call a function, those first that others call. */
void c_functions(const struct kernel *kernel);

#endif
