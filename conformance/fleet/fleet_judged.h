/* What was found of a fleet: differences, groups, verdicts. fleet_judge.h fills it in, and the
 * writers (fleet_text.h and the like) walk it. */
#pragma once

#include "conformance/base/reason.h"
#include "conformance/fleet/fleet_table.h"

/* The verdict on a machine, a file or the fleet, from good to bad. */
enum fleet_verdict {
    FLEET_SAME,
    FLEET_DIFFERS,      /* in nothing that is worse */
    FLEET_INCONCLUSIVE, /* it could not be read or compared, or its record is undecided */
    FLEET_REGRESSED,    /* something of it is worse than the rest's, or than the base's */
    FLEET_FAIL,         /* its record fails */
    FLEET_VERDICTS
};

/* "SAME", ... */
const char *fleet_verdict_name(enum fleet_verdict verdict);

/* PASS for SAME, FAIL for REGRESSED and FAIL, INCONCLUSIVE for the others. */
enum verdict fleet_verdict_of(enum fleet_verdict verdict);

/* One difference. All texts are the table's or the fleet's. */
enum { FLEET_OF_MACHINE = -1 };
struct fleet_finding {
    size_t machine;
    long gpu; /* the table's row, or FLEET_OF_MACHINE */
    enum fleet_finding_kind kind;
    enum severity severity;
    const char *place;      /* "driver", "matmul/tiled through sass" */
    const char *noun;       /* what that is one of: "function of machine code" */
    const char *own, *rest; /* "none": it has no such thing */
    bool is_own;            /* `rest` is of the GPU's own record in the base */
    bool follows;           /* from another finding of the machine, as code does from a driver */
    double shift;           /* of a figure: the logarithm of own / rest */
    size_t count;           /* of a sort of figures: how many differ; else 1 */
};

/* A value that many have: another is no outlier. */
struct fleet_group {
    const char *place, *value;
    const char *of; /* the model, or "" */
    size_t count, total;
    const char *noun; /* "machine", "GPU" */
};

/* A machine or a file that is no PASS. */
struct fleet_row {
    enum fleet_verdict verdict;
    const char *name;
    const struct fleet_machine *machine; /* NULL: of a file that is of none */
    const struct fleet_file *file;
    const struct fleet_finding *findings; /* the worst first */
    size_t finding_count;
};

/* What the figures were compared by. */
struct fleet_speeds {
    size_t looks;        /* a GPU's figure, or its figures of one sort together, is one look */
    double false_alarms; /* expected in the whole fleet, at most */
    double finds[FIGURE_SORT_COUNT]; /* the smallest slowdown of a GPU in most figures of the sort
                                      * that is found in 99 of 100, a logarithm; 0: no figures */
};

/* GPUs of one model that differ from its others in the same figures and in the same way: most
 * likely another board, and no outliers. */
struct fleet_sort {
    const char *model;
    size_t count;      /* GPUs of it */
    size_t figures;    /* in which it differs from the model's most frequent sort */
    const char *place; /* the one that differs most */
    double shift;      /* by so much: the logarithm of its speed over the other's */
};

/* A model of GPU. */
struct fleet_model {
    const char *name;
    size_t count;
};

struct fleet {
    const struct fleet_table *table;
    struct zone zone;
    enum fleet_verdict verdict;
    struct fleet_finding *findings; /* by machine */
    size_t finding_count;
    struct fleet_group *groups;
    size_t group_count;
    struct fleet_speeds speeds;
    struct fleet_sort *sorts;
    size_t sort_count;
    struct fleet_model *models; /* the most frequent first */
    size_t model_count;
    struct fleet_row *rows;
    size_t row_count;
    const struct fleet_machine **same; /* the other machines, by name */
    size_t same_count;
    size_t machine_count, gpu_count; /* without those of a base */
    size_t counts[FLEET_VERDICTS];   /* of machines */
    size_t files[FLEET_FILE_STATES]; /* of files */
};

/* Adds a difference, with the severity of its kind; `is_undecided`: at most INCONCLUSIVE, as it is
 * open which of two is the odd one. */
void fleet_add(struct fleet *fleet, const struct fleet_finding *finding, bool is_undecided);

void fleet_add_group(struct fleet *fleet, const struct fleet_group *group);

/* A copy of a text, as long as the fleet lasts. */
const char *fleet_words(struct fleet *fleet, const char *text);

void fleet_judged_close(struct fleet *fleet);
