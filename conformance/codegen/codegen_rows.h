/* What a session of machine code consists of: a row for each function, through each path, on each
 * device. */
#ifndef ASSAY_CONFORMANCE_CODEGEN_CODEGEN_ROWS_H
#define ASSAY_CONFORMANCE_CODEGEN_CODEGEN_ROWS_H

#include "conformance/codegen/against.h"
#include "conformance/codegen/budgets.h"
#include "conformance/codegen/instruction_mix.h"
#include "conformance/model/occupancy.h"
#include "conformance/session/session_ask.h"

/* One function of a kernel, through one path, on one device. */
struct codegen_row {
    struct subject subject;
    int index; /* among the kernel's functions */
    const char *function;
    bool is_of_cubin; /* its device is none: its figures are in this program */
    bool is_taken;    /* under the crew's lock (codegen_crew.h) */
    bool is_read;     /* its figures are there */
    bool has_budget;
    bool has_other; /* so has what it is compared with: */
    struct code_figures other;
    bool has_mix;
    struct code_mix mix;
    struct code_figures figures;
    struct budget budget;
    struct occupancy_comparison occupancy; /* of the driver with the model */
    struct finding finding;
    double took_s; /* that the driver or the cubin was asked */
};

struct codegen {
    struct session *session;
    struct budgets budgets;
    struct against against;
    struct disassembler disassembler; /* without a program nothing is disassembled */
    char paths[PATH_NAMES_BYTES];     /* that need no driver */
    struct codegen_row *rows;         /* those of a device lie together */
    int row_count;
    int done; /* that were read and judged; the remaining ones were interrupted */
};

/* Its report: how it is shown as it goes. */
struct codegen_report {
    void (*begin)(const struct codegen *codegen);
    void (*row)(const struct codegen *codegen, const struct codegen_row *row);
    void (*end)(const struct codegen *codegen, const struct outcome *outcome);
};

#endif
