/* What the files that render PTX share. */
#ifndef ASSAY_FUZZ_PROGRAMS_RENDER_PTX_H
#define ASSAY_FUZZ_PROGRAMS_RENDER_PTX_H

#include "fuzz/programs/render_text.h"

/* Classes as types of registers: "b32". */
extern const char *const ptx_register_types[PROGRAM_CLASSES];

/* Registers of the variables that are named, and those that every text counts on. */
void ptx_registers(const struct kernel *kernel, const bool *is_named);

/* A block statement with its body. */
void ptx_block(const struct kernel *kernel, int index, const struct places *places);

void ptx_statements(const struct kernel *kernel, int first, int end);

/* Of every call that is not inlined a function, those first that others call. */
void ptx_functions(const struct kernel *kernel);

#endif
