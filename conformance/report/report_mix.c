/* Instructions of hot loops and functions (report_mix.h). Clause: codegen.mix.counted. */
#include "conformance/report/report_mix.h"

#include <stdio.h>

static void put_counts(const struct mix_counts *it)
{
    printf(" %6u %6u %6u %8u %6u", it->loads, it->stores, it->ffma, it->barriers, it->total);
}

static void put_row(const struct codegen *codegen, const struct codegen_row *row)
{
    const struct code_mix *mix = &row->mix;
    printf("%-28s %-*s %-6s", row->function, session_path_width(codegen->session),
           path_name(row->subject.path), codegen->session->devices[row->subject.device].label);
    put_counts(&mix->function);
    if (!mix->has_loop) {
        printf("  no loop\n");
        return;
    }
    printf("  0x%05x %5d", mix->loop_offset, mix->loop_depth);
    put_counts(&mix->loop);
    printf("\n");
}

void report_mix(const struct codegen *codegen)
{
    if (codegen->disassembler.program[0] == 0)
        return;
    printf("\nmix       instructions of each function, then of its hot loop, by %s\n\n",
           codegen->disassembler.program);
    printf("%-28s %-*s %-6s", "function", session_path_width(codegen->session), "path", "device");
    printf(" %6s %6s %6s %8s %6s", "loads", "stores", "FFMA", "barriers", "all");
    printf("  %7s %5s %6s %6s %6s %8s %6s\n", "loop at", "depth", "loads", "stores", "FFMA",
           "barriers", "all");
    for (int index = 0; index < codegen->done; index++)
        if (codegen->rows[index].has_mix)
            put_row(codegen, &codegen->rows[index]);
}
