/* nvdisasm, where the user has one: cubins as text. */
#ifndef ASSAY_CONFORMANCE_CODEGEN_DISASSEMBLE_H
#define ASSAY_CONFORMANCE_CODEGEN_DISASSEMBLE_H

#include "conformance/base/reason.h"
#include "conformance/codegen/cubin.h"

/* A program, and what it said of the last cubin. */
struct disassembler {
    char program[1024]; /* "": there is none */
    struct cubin_bytes last;
    char *text; /* NULL: nothing, and why: */
    struct reason reason;
};

/* Finds the program: the file or the folder of that name or, where it is NULL, in PATH and where a
 * toolkit has it. False with the reason. */
bool disassembler_find(const char *name, struct disassembler *ret, struct reason *ret_reason);
void disassembler_close(struct disassembler *it);

/* The text of a cubin, which stays until the next one is asked for. NULL with the reason: the
 * program failed, or did not end in time. */
const char *disassemble(struct disassembler *it, struct cubin_bytes cubin, double limit_s,
                        struct reason *ret_reason);

#endif
