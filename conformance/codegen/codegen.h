/* The measure of machine code: the figures of each kernel's functions, from the driver on a GPU or
 * from this program's cubins without one, compared with budgets. */
#pragma once

#include <pthread.h>
#include <stdio.h>

#include "conformance/codegen/budgets.h"
#include "conformance/model/device_info.h"
#include "conformance/model/path.h"
#include "conformance/session/session.h"

extern const struct measure codegen_measure;

/* Machine code, a row for each function, through each path, on each device: what a row holds, what
 * it is compared in, and how it is written. Rows are taken by codegen.h, in the order of
 * codegen.c. */

/* One function of a kernel, through one path, on one device. */
struct codegen_row {
    struct subject subject;
    int index; /* among the kernel's functions */
    const char *function;
    bool is_of_cubin; /* no device: its figures come from this program */
    bool is_taken;    /* under the lock */
    bool is_read;     /* its figures are known */
    struct code_figures figures;
    bool has_other;
    struct line_made other;                /* of the code that it is compared with */
    const json_t *budget;                  /* in the file of budgets, or NULL */
    struct occupancy_comparison occupancy; /* of the driver with the model */
    struct finding finding;
    double took_s; /* that the driver or the cubin was asked */
};

/* A function in a record. */
struct against_line {
    const struct line_codegen *line;
    int architecture;
};

/* Another toolkit's code of the same functions, from a record or an images file. */
struct against {
    const char *file; /* its name; NULL: nothing is compared */
    char toolkit[32];
    const struct image_file *units; /* NULL: it is a record */
    struct zone zone;               /* of the lines, and of what is read from the units */
    struct against_line *lines;
    size_t line_count;
    const struct line_device **devices; /* whose architectures its lines are of */
    size_t device_count;
    bool is_full; /* no memory for its lines */
};

struct codegen {
    struct session *session;
    json_t *budgets;
    struct against against;
    char paths[PATH_NAMES_BYTES]; /* that need no driver */
    struct codegen_row *rows;     /* in the order of devices */
    int row_count;
    pthread_mutex_t lock;    /* of what the threads share: the next row, and which are taken */
    int next;                /* row that no thread has */
    pthread_mutex_t writing; /* held by the thread that judges and writes rows: */
    int done;                /* rows read and judged; the remaining ones were interrupted */
    int devices_written;
};

/* Fills in what the summary says of machine code. */
void codegen_summary(const struct codegen *codegen, struct outcome *ret);

/* The line of a row, which borrows the row's texts. */
const struct line *codegen_line(const struct codegen *codegen, const struct codegen_row *row,
                                struct zone *zone);

/* Taking the figures of machine code, and judging them. */

/* Reads a row's figures, from that worker if its device has a driver, or puts into its finding why
 * it has none. Several threads, each with its own worker, may read rows at once. */
void codegen_take_row(const struct codegen *codegen, struct client *client,
                      struct codegen_row *row);

/* Compares a row's figures with its budget. */
void codegen_judge_row(const struct codegen *codegen, struct codegen_row *row);

/* Holds the driver's occupancy to the model's: where they differ, a row that is
 * not worse already is a FAIL, or INCONCLUSIVE where the architecture is not in the model's
 * table. */
void codegen_judge_occupancy(const struct codegen *codegen, struct codegen_row *row);

/* Reads the file to compare with. Returns false with the reason if it is neither a record nor an
 * images file, or has no machine code. */
bool against_open(const char *file, struct against *ret, struct reason *ret_reason);
void against_close(struct against *against);

/* Gives the row the other toolkit's figures of its function for its architecture: in a record those
 * of the path of that name, else those of the code compiled offline. */
void codegen_compare_row(struct codegen *codegen, struct codegen_row *row);
