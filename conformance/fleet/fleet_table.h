/* The records of a fleet as one table: a row for each GPU and for each machine, a column for each
 * thing that records say of one, such as the driver, a function's machine code, a speed. Equal
 * values have equal numbers, so that a thousand records are compared without their lines.
 *
 *     struct fleet_table table;
 *     fleet_table_open(&table);
 *     fleet_read(&table, paths, count, FLEET_SHOWN);    // fleet_read.h
 *     ...
 *     fleet_table_close(&table);
 *
 * Texts, columns and the cells of lines that many records have are shared: see fleet_text,
 * fleet_column and fleet_recall, which any thread may call. */
#pragma once

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "conformance/base/zone.h"
#include "conformance/compare/chance.h"
#include "conformance/compare/compared.h"
#include "conformance/fleet/fleet_findings.h"

/* Number of a text that was kept: 0 is "", which also stands for what a record lacks. */
typedef uint32_t fleet_text_id;

/* The rows that a column compares with each other. */
enum fleet_siblings {
    SIBLINGS_MACHINES,   /* all machines */
    SIBLINGS_MODEL,      /* GPUs of one model */
    SIBLINGS_CAPABILITY, /* of one compute capability: the same machine code */
    SIBLINGS_PLAN,       /* whose records checked the same cases, of whatever model */
    SIBLINGS_MODEL_PLAN, /* the same, of one model */
    SIBLINGS_COUNT
};

/* A column. Of a figure the cell has a median, of any other a text. */
struct fleet_column {
    const char *name;                /* "matmul/tiled through sass, matmul_tiled", "driver" */
    const char *unit;                /* of a figure, else NULL */
    const char *noun;                /* what one of these is: "function of machine code" */
    enum fleet_finding_kind finding; /* of a value that differs from the rest's */
    /* That finding is only of a number below `keeps` of the rest's, or of this word; of another
     * value it is `environment`. 0 and NULL: it is of any. */
    double keeps;
    const char *lost;
    enum fleet_siblings siblings;
    bool may_lack;         /* that some rows lack it shows nothing */
    enum figure_sort sort; /* of a figure */
    struct chance chance;  /* of a figure: how much repeats differ */
};

/* A text of a row. */
struct fleet_cell {
    uint32_t column;
    fleet_text_id value;
};

/* A figure of a GPU: the median of its repeats, and how many there are. */
struct fleet_figure {
    uint32_t column;
    uint16_t repeats;
    bool is_sound; /* nothing disturbed the measurement */
    float spread;  /* the standard deviation of a repeat, a logarithm */
    double median;
};

/* The cells of one GPU or machine. */
struct fleet_cells {
    struct fleet_cell *each;
    size_t count;
};

struct fleet_gpu {
    size_t machine;
    const char *label;
    const char *pci;
    fleet_text_id uuid, model, capability, plan; /* 0: its record does not say */
    struct fleet_cells cells;
    struct fleet_figure *figures;
    size_t figure_count;
    uint64_t sm_mhz, memory_mhz; /* the highest clocks of all its measurements */
    bool is_base;
};

struct fleet_machine {
    const char *name;     /* its host's, or that of its file */
    const char *identity; /* two records of one machine have the same */
    const char *path;     /* of the file that has its record; of several the first */
    enum verdict verdict; /* of its records */
    const char *reason;
    struct fleet_cells cells; /* what is of the machine, not of a GPU */
    size_t gpu_count;
    bool is_base;
};

/* How the reading of a file ended. All but the first are shown, and none of them is a PASS. */
enum fleet_file_state {
    FLEET_FILE_READ,
    FLEET_FILE_CUT,       /* a kill cut it short */
    FLEET_FILE_UNREAD,    /* damaged, of another version, no record, or not readable */
    FLEET_FILE_DUPLICATE, /* the same as another file */
    FLEET_FILE_OLDER,     /* a later record of the same GPU is there */
    FLEET_FILE_STATES
};

struct fleet_file {
    const char *path;
    enum fleet_file_state state;
    const char *reason; /* one line */
    size_t bytes;
    bool is_base;
};

struct fleet_table {
    pthread_mutex_t *lock; /* of what is shared while several threads read */
    struct zone zone;
    struct fleet_texts *texts;
    struct fleet_columns *columns;
    struct fleet_lines *lines;
    struct fleet_file *files;
    struct fleet_machine *machines;
    struct fleet_gpu *gpus; /* those of a machine together */
    size_t file_count, machine_count, gpu_count;
    bool has_base; /* rows are compared with those of the base, not with each other */
};

void fleet_table_open(struct fleet_table *ret);
void fleet_table_close(struct fleet_table *table);

/* The number of a text; the same for equal texts. */
fleet_text_id fleet_text(struct fleet_table *table, const char *text);
const char *fleet_text_of(const struct fleet_table *table, fleet_text_id text);

/* The number of a column, whose texts are copied. `key` tells it from all others; its name may be
 * that of several. */
uint32_t fleet_column(struct fleet_table *table, const char *key,
                      const struct fleet_column *column);
const struct fleet_column *fleet_column_of(const struct fleet_table *table, uint32_t column);
size_t fleet_column_count(const struct fleet_table *table);

/* The cells of a line that another record has, byte by byte; false if no record had it. */
struct fleet_line_key {
    uint64_t high, low;
};
struct fleet_line {
    struct fleet_line_key key; /* XXH3 of 128 bits of its bytes */
    const char *label;         /* of the device that it is of */
    enum record_kind kind;
    bool fails; /* it says that a check or a measurement failed */
    const struct fleet_cell *cells;
    size_t count;
};
struct fleet_line_key fleet_line_key(const char *text, size_t bytes);
bool fleet_recall(struct fleet_table *table, struct fleet_line_key key, struct fleet_line *ret);

/* Keeps the cells of a line for fleet_recall; the cells and the label are copied. Beyond a limit no
 * more lines are kept, and fleet_recall returns false for them. */
void fleet_keep(struct fleet_table *table, const struct fleet_line *line);

/* Adds a cell. */
void fleet_cell_add(struct fleet_cells *cells, uint32_t column, fleet_text_id value);
