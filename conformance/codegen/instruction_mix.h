/* nvdisasm, if the user has it: cubins as text, and the instruction mix of a function, counted in
 * that text. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "conformance/base/reason.h"
#include "conformance/model/cubin.h"

/* The program, and its output for the last cubin. */
struct disassembler {
    char program[1024]; /* "": not found */
    struct cubin_bytes last;
    char *text; /* NULL: no output, and the reason: */
    struct reason reason;
};

/* Finds the program: the file or the folder of that name or, if NULL, in PATH and in a toolkit's
 * folder. False with the reason. */
bool disassembler_find(const char *name, struct disassembler *ret, struct reason *ret_reason);
void disassembler_close(struct disassembler *it);

/* The text of a cubin, valid until the next call. NULL with the reason: the program failed, or did
 * not end in time. */
const char *disassemble(struct disassembler *it, struct cubin_bytes cubin, double limit_s,
                        struct reason *ret_reason);

struct mix_counts {
    uint32_t loads;    /* LD of any memory, and fetches of textures */
    uint32_t stores;   /* ST of any memory, and reductions */
    uint32_t ffma;     /* FFMA */
    uint32_t barriers; /* of a block or a warp */
    uint32_t total;    /* instructions */
};

struct code_mix {
    struct mix_counts function;
    /* The most deeply nested of the innermost loops, and among several the one with the most loads,
     * stores and FFMA, which is not a remainder's loop. */
    bool has_loop;
    struct mix_counts loop;
    uint32_t loop_offset, loop_bytes; /* from the function's first byte on */
    int loop_depth;                   /* 1: not inside another loop */
};

/* False with the reason if the text lacks the function, or is not in nvdisasm's form. */
bool mix_read(const char *text, const char *function, struct code_mix *ret,
              struct reason *ret_reason);
