/* Compares the machines of a fleet with each other (comparison.h). Clauses: compare.fleet.speed,
 * compare.fleet.apart. */
#include "conformance/compare/comparison.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "conformance/base/array.h"
#include "conformance/base/heap.h"
#include "conformance/base/text.h"
#include "conformance/speed/statistics.h"

/* A thing of one machine, among those of all that are of the same place. */
struct item {
    size_t machine;
    enum difference_kind kind;
    const char *place, *value;
    const struct figure_change *figure;
};

struct items {
    struct item *all;
    size_t count;
};

static void add_item(struct items *items, struct item item)
{
    HEAP_ROOM(items->all, items->count);
    items->all[items->count++] = item;
}

/* By kind and place, then by machine. */
static int sort_items(const void *left, const void *right)
{
    const struct item *a = left, *b = right;
    if (a->kind != b->kind)
        return a->kind < b->kind ? -1 : 1;
    int order = strcmp(a->place, b->place);
    return order ? order : (a->machine > b->machine) - (a->machine < b->machine);
}

static void sort(struct items *items)
{
    if (items->count > 0)
        qsort(items->all, items->count, sizeof items->all[0], sort_items);
}

/* The end of the group that begins there: sorted items of one kind and place. */
static size_t group_end(const struct items *items, size_t first)
{
    size_t end = first + 1;
    while (end < items->count && items->all[end].kind == items->all[first].kind &&
           strcmp(items->all[end].place, items->all[first].place) == 0)
        end++;
    return end;
}

/* One speed of all machines that have it; `values` has room for theirs. */
static void compare_group(struct compared *each, const struct item *first, size_t count,
                          double *values)
{
    if (count < FLEET_LEAST || strcmp(first->figure->unit, FIGURE_SPEED) != 0)
        return;
    for (size_t index = 0; index < count; index++)
        values[index] = first[index].figure->next;
    const double median = statistics_median(values, (int)count);
    for (size_t index = 0; index < count; index++) {
        const struct figure_change *it = first[index].figure;
        const double change = it->next / median - 1;
        char own[DIFFERENCE_VALUE_BYTES], rest[DIFFERENCE_VALUE_BYTES];
        if (fabs(log1p(change)) <= it->apart)
            continue;
        snprintf(rest, sizeof rest, "%s %s", NUMBER_SHORT(median), FIGURE_SPEED);
        snprintf(own, sizeof own, "%s %s (%+.1f %%)", NUMBER_SHORT(it->next), FIGURE_SPEED,
                 100 * change);
        compared_add(&each[first[index].machine], change < 0 ? it->behind : DIFFERENCE_speed_ahead,
                     it->place, rest, own);
    }
}

void fleet_compare_speeds(struct compared *each, size_t count)
{
    struct items items = {.all = NULL};
    for (size_t machine = 0; count >= FLEET_LEAST && machine < count; machine++)
        for (size_t index = 0; index < each[machine].figure_count; index++) {
            const struct figure_change *it = &each[machine].figures[index];
            add_item(&items, (struct item){.machine = machine, .place = it->place, .figure = it});
        }
    double *values = heap_take(items.count, sizeof *values);
    sort(&items);
    for (size_t first = 0, end; first < items.count; first = end) {
        end = group_end(&items, first);
        compare_group(each, &items.all[first], end - first, values);
    }
    free(values);
    free(items.all);
}

static const char as_base[] = "as BASE";

/* One difference of all machines that have it. Where no value is that of most, there is no rest. */
static void find_apart(struct fleet *fleet, size_t machines, const struct item *first, size_t count)
{
    const char *values[LOADED_RECORDS_MAX]; /* a machine has a record */
    for (size_t machine = 0; machine < machines; machine++)
        values[machine] = as_base;
    for (size_t index = 0; index < count; index++)
        values[first[index].machine] = first[index].value;
    /* The value that more than half of the machines have, or NULL. */
    const char *rest = NULL;
    for (size_t index = 0; rest == NULL && index <= machines / 2; index++) {
        size_t alike = 0;
        for (size_t other = 0; other < machines; other++)
            alike += strcmp(values[index], values[other]) == 0;
        if (2 * alike > machines)
            rest = values[index];
    }
    for (size_t machine = 0; rest && machine < machines; machine++) {
        if (strcmp(values[machine], rest) == 0)
            continue;
        if (fleet->count == FLEET_ROWS_MAX) {
            fleet->left_out++;
            continue;
        }
        HEAP_ROOM(fleet->rows, fleet->count);
        fleet->rows[fleet->count++] =
            (struct fleet_row){machine, first->kind, first->place, values[machine], rest};
    }
}

static int sort_rows(const void *left, const void *right)
{
    const struct fleet_row *a = left, *b = right;
    if (a->machine != b->machine)
        return a->machine < b->machine ? -1 : 1;
    if (a->kind != b->kind)
        return a->kind < b->kind ? -1 : 1;
    return strcmp(a->place, b->place);
}

void fleet_open(struct fleet *ret, const struct compared *each, size_t count)
{
    struct items items = {.all = NULL};
    *ret = (struct fleet){.rows = NULL};
    for (size_t machine = 0; count >= FLEET_LEAST && machine < count; machine++)
        for (size_t index = 0; index < each[machine].count; index++) {
            const struct difference *it = &each[machine].differences[index];
            /* That GPUs are others is so everywhere, and what differs from the median was compared
             * with the rest. */
            if (it->kind == DIFFERENCE_gpu_other || it->kind == DIFFERENCE_speed_lost ||
                it->kind == DIFFERENCE_speed_gained)
                continue;
            const char *value = it->next[0] ? it->next : it->base[0] ? "(none)" : "yes";
            add_item(&items, (struct item){machine, it->kind, it->place, value, NULL});
        }
    sort(&items);
    for (size_t first = 0, end; first < items.count; first = end) {
        end = group_end(&items, first);
        find_apart(ret, count, &items.all[first], end - first);
    }
    if (ret->count > 0)
        qsort(ret->rows, ret->count, sizeof ret->rows[0], sort_rows);
    for (size_t index = 0; index < ret->count; index++)
        ret->apart += index == 0 || ret->rows[index].machine != ret->rows[index - 1].machine;
    free(items.all);
}

void fleet_close(struct fleet *fleet)
{
    free(fleet->rows);
    *fleet = (struct fleet){.rows = NULL};
}
