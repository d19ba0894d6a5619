/* The figures of the GPUs of one model as a matrix, and the sorts that these GPUs are of: boards of
 * one name that differ in the same figures and in the same way.
 *
 *     struct fleet_matrix matrix;
 *     fleet_matrix_open(&matrix, table, rows, count);
 *     fleet_sorts_find(&matrix, table);
 *     matrix.sort[gpu], matrix.slowness[gpu * matrix.column_count + column]
 *     fleet_matrix_close(&matrix);
 */
#pragma once

#include "conformance/fleet/fleet_table.h"

enum { FLEET_SORTS_MAX = 4 };
#define FLEET_NO_OWN SIZE_MAX

struct fleet_matrix {
    const uint32_t *rows; /* of the GPUs in the table */
    size_t gpu_count;
    uint32_t *columns; /* of the table */
    size_t column_count;
    const struct fleet_figure **figures; /* a GPU after the other; NULL where it has none */
    double *slowness;                    /* logarithms, of which more is slower; NAN likewise */
    bool *is_voter;
    size_t *own;         /* the GPU of the base that is the same one, FLEET_NO_OWN without */
    unsigned char *sort; /* of each GPU; 0 is the most frequent */
    size_t sort_count;
    double *room; /* for as many values as there are GPUs or columns, for whoever needs them */
};

void fleet_matrix_open(struct fleet_matrix *ret, const struct fleet_table *table,
                       const uint32_t *rows, size_t count);
void fleet_matrix_close(struct fleet_matrix *matrix);

/* Sorts the GPUs: two sorts are apart by 1 % or more in a figure in which they hardly overlap, and
 * in one more figure at least; each is a group (fleet_is_group). Figures of host calls do not
 * count. */
void fleet_sorts_find(struct fleet_matrix *matrix, const struct fleet_table *table);

/* For qsort() of numbers. */
int fleet_sort_numbers(const void *left, const void *right);
