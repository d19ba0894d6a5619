/* Classes of siblings (fleet_siblings.h). Clause: fleet.base.model. */
#include "conformance/fleet/fleet_siblings.h"

#include <stdlib.h>

#include "conformance/base/heap.h"

bool fleet_is_voter(const struct fleet_table *table, enum fleet_siblings siblings, uint32_t row)
{
    return !table->has_base || (siblings == SIBLINGS_MACHINES ? table->machines[row].is_base
                                                              : table->gpus[row].is_base);
}

size_t fleet_machine_of(const struct fleet_table *table, enum fleet_siblings siblings, uint32_t row)
{
    return siblings == SIBLINGS_MACHINES ? row : table->gpus[row].machine;
}

bool fleet_is_group(size_t count, size_t machines, size_t all)
{
    enum { ONE_OF = 10 };
    return machines >= FLEET_GROUP_MACHINES && count * ONE_OF >= all;
}

/* Two rows with the same are of one class; 0: the row is of none. */
static uint64_t identity(const struct fleet_table *table, enum fleet_siblings siblings, size_t row)
{
    const struct fleet_gpu *gpu = siblings == SIBLINGS_MACHINES ? NULL : &table->gpus[row];
    switch (siblings) {
    case SIBLINGS_MODEL:
        return gpu->model;
    case SIBLINGS_CAPABILITY:
        return gpu->capability;
    case SIBLINGS_PLAN:
        return gpu->plan;
    case SIBLINGS_MODEL_PLAN:
        return gpu->model && gpu->plan ? (uint64_t)gpu->model << 32 | gpu->plan : 0;
    default:
        return 1;
    }
}

struct row {
    uint64_t identity;
    uint32_t row;
};

static int sort_rows(const void *left, const void *right)
{
    const struct row *a = left, *b = right;
    if (a->identity != b->identity)
        return a->identity < b->identity ? -1 : 1;
    return (a->row > b->row) - (a->row < b->row);
}

void fleet_classes_open(struct fleet_classes *ret, const struct fleet_table *table,
                        enum fleet_siblings siblings)
{
    const size_t count = siblings == SIBLINGS_MACHINES ? table->machine_count : table->gpu_count;
    struct row *rows = heap_take(count, sizeof *rows);
    *ret = (struct fleet_classes){.of = heap_take(count, sizeof *ret->of),
                                  .rows = heap_take(count, sizeof *ret->rows),
                                  .begins = heap_take(count + 1, sizeof *ret->begins),
                                  .voters = heap_take(count, sizeof *ret->voters)};
    for (size_t row = 0; row < count; row++)
        rows[row] = (struct row){identity(table, siblings, row), (uint32_t)row};
    qsort(rows, count, sizeof *rows, sort_rows);
    for (size_t index = 0; index < count; index++) {
        const uint32_t row = rows[index].row;
        ret->of[row] = FLEET_NO_CLASS;
        if (rows[index].identity == 0)
            continue;
        if (ret->row_count == 0 || rows[index].identity != rows[index - 1].identity)
            ret->begins[ret->count++] = ret->row_count;
        ret->of[row] = (uint32_t)ret->count - 1;
        ret->rows[ret->row_count++] = row;
        ret->voters[ret->count - 1] += fleet_is_voter(table, siblings, row);
    }
    ret->begins[ret->count] = ret->row_count;
    free(rows);
}

void fleet_classes_close(struct fleet_classes *classes)
{
    free(classes->of);
    free(classes->rows);
    free(classes->begins);
    free(classes->voters);
}
