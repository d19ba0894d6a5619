/* Values that differ from the rest's (fleet_exact.h). Clauses: fleet.rest.most, fleet.rest.group,
 * fleet.rest.two, fleet.rest.base, fleet.bits.outlier, fleet.environment.less. */
#include "conformance/fleet/fleet_exact.h"

#include <stdlib.h>
#include <string.h>

#include "conformance/base/heap.h"

/* A value of a column, of one row. */
struct item {
    uint32_t class, row;
    fleet_text_id value;
};

/* Values of one class that are equal. */
struct run {
    fleet_text_id value;
    const struct item *first; /* NULL: rows that lack it */
    size_t count, voters, machines;
    double number;
    bool is_rest; /* no outlier */
};

struct column_state {
    struct fleet *fleet;
    const struct fleet_table *table;
    const struct fleet_column *column;
    const struct fleet_classes *classes;
    uint32_t class;
    struct run *runs; /* room for one more than any class has rows */
    size_t run_count;
};

static int sort_items(const void *left, const void *right)
{
    const struct item *a = left, *b = right;
    if (a->class != b->class)
        return a->class < b->class ? -1 : 1;
    if (a->value != b->value)
        return a->value < b->value ? -1 : 1;
    return (a->row > b->row) - (a->row < b->row);
}

static size_t machines_of(const struct column_state *state, const struct item *first, size_t count)
{
    size_t machines = 0, last = SIZE_MAX; /* rows of a machine are together */
    for (size_t index = 0; index < count; index++) {
        const size_t own =
            fleet_machine_of(state->table, state->column->siblings, first[index].row);
        machines += own != last;
        last = own;
    }
    return machines;
}

/* The runs of the items of one class; the last is that of the rows without a value. */
static void make_runs(struct column_state *state, const struct item *items, size_t count)
{
    const struct fleet_classes *classes = state->classes;
    size_t voters = 0;
    state->run_count = 0;
    for (size_t first = 0, end; first < count; first = end) {
        struct run *run = &state->runs[state->run_count++];
        for (end = first; end < count && items[end].value == items[first].value; end++)
            ;
        *run =
            (struct run){.value = items[first].value,
                         .first = &items[first],
                         .count = end - first,
                         .machines = machines_of(state, &items[first], end - first),
                         .number = strtod(fleet_text_of(state->table, items[first].value), NULL)};
        for (size_t index = first; index < end; index++)
            run->voters += fleet_is_voter(state->table, state->column->siblings, items[index].row);
        voters += run->voters;
    }
    const size_t all = classes->begins[state->class + 1] - classes->begins[state->class];
    if (count < all && !state->column->may_lack)
        state->runs[state->run_count++] =
            (struct run){.count = all - count, .voters = classes->voters[state->class] - voters};
}

/* True for bits and for the number of checks: machines that share a wrong value are no group, but
 * wrong. */
static bool is_strict(const struct fleet_column *column)
{
    return fleet_finding_rows[column->finding].section == SECTION_BITS &&
           fleet_finding_rows[column->finding].severity == SEVERITY_WORSE;
}

/* Marks the runs that are the rest: the value of more than half of the voters, or else the groups
 * that are more than half together; with a base, each of its values. False if there is no rest. */
static bool find_rest(struct column_state *state, struct run **ret_top)
{
    size_t voters = 0, grouped = 0;
    struct run *top = NULL;
    for (size_t index = 0; index < state->run_count; index++) {
        struct run *run = &state->runs[index];
        voters += run->voters;
        if (top == NULL || run->voters > top->voters)
            top = run;
    }
    *ret_top = top;
    if (top == NULL || top->voters == 0 || (voters < 3 && !state->table->has_base))
        return false;
    for (size_t index = 0; index < state->run_count; index++) {
        struct run *run = &state->runs[index];
        run->is_rest = state->table->has_base
                           ? run->voters > 0
                           : run == top || (!is_strict(state->column) &&
                                            fleet_is_group(run->voters, run->machines, voters));
        grouped += run->is_rest && (run != top || 2 * top->voters > voters ||
                                    fleet_is_group(run->voters, run->machines, voters))
                       ? run->voters
                       : 0;
    }
    return state->table->has_base || 2 * grouped > voters;
}

/* A number is the same as another that is near it. */
static bool is_near(const struct fleet_column *column, const struct run *run, const struct run *top)
{
    return column->keeps > 0 && column->keeps < 1 && run->number > 0 && top->number > 0 &&
           run->number >= column->keeps * top->number && run->number * column->keeps <= top->number;
}

static enum fleet_finding_kind kind_of(const struct column_state *state, const struct run *run,
                                       const struct run *top)
{
    const struct fleet_column *column = state->column;
    const bool is_field = fleet_finding_rows[column->finding].section == SECTION_ENVIRONMENT;
    if (run->first == NULL)
        return is_field ? FLEET_environment : FLEET_not_checked;
    if (column->lost && strcmp(fleet_text_of(state->table, run->value), column->lost) != 0)
        return FLEET_environment;
    if (column->keeps > 0 && !(run->number < column->keeps * top->number))
        return FLEET_environment;
    return column->finding;
}

static const char *value_of(const struct column_state *state, const struct run *run)
{
    return run->first ? fleet_text_of(state->table, run->value) : "none";
}

static void add_row(struct column_state *state, uint32_t row, const struct run *run,
                    const struct run *top, bool is_undecided)
{
    const enum fleet_siblings siblings = state->column->siblings;
    const struct fleet_finding finding = {.machine = fleet_machine_of(state->table, siblings, row),
                                          .gpu = siblings == SIBLINGS_MACHINES ? FLEET_OF_MACHINE
                                                                               : (long)row,
                                          .kind = kind_of(state, run, top),
                                          .place = state->column->name,
                                          .noun = state->column->noun,
                                          .own = value_of(state, run),
                                          .rest = value_of(state, top),
                                          .count = 1};
    if (!state->table->has_base || !fleet_is_voter(state->table, siblings, row))
        fleet_add(state->fleet, &finding, is_undecided);
}

/* Every row of a run, of those that lack a value too. */
static void add_run(struct column_state *state, const struct run *run, const struct run *top,
                    bool is_undecided, const struct item *items, size_t count)
{
    const struct fleet_classes *classes = state->classes;
    for (size_t index = 0; run->first && index < run->count; index++)
        add_row(state, run->first[index].row, run, top, is_undecided);
    bool *has = run->first ? NULL : heap_take(classes->begins[classes->count], sizeof *has);
    const size_t begin = classes->begins[state->class], end = classes->begins[state->class + 1];
    uint32_t *rows = classes->rows;
    for (size_t index = 0; has && index < count; index++)
        for (size_t low = begin, high = end; low < high;) { /* rows of a class are in order */
            const size_t middle = low + (high - low) / 2;
            has[middle] = has[middle] || rows[middle] == items[index].row;
            if (rows[middle] < items[index].row)
                low = middle + 1;
            else
                high = middle;
        }
    for (size_t index = begin; has && index < end; index++)
        if (!has[index])
            add_row(state, rows[index], run, top, is_undecided);
    free(has);
}

/* Several values of the rest, each a group: a sort of machines, or of GPUs. */
static void add_groups(struct column_state *state)
{
    const struct fleet_classes *classes = state->classes;
    const enum fleet_siblings siblings = state->column->siblings;
    const uint32_t row = classes->rows[classes->begins[state->class]];
    size_t rests = 0;
    for (size_t index = 0; index < state->run_count; index++)
        rests += state->runs[index].is_rest;
    if (rests < 2 || fleet_finding_rows[state->column->finding].section != SECTION_ENVIRONMENT)
        return;
    for (size_t index = 0; index < state->run_count; index++)
        if (state->runs[index].is_rest)
            fleet_add_group(
                state->fleet,
                &(struct fleet_group){
                    .place = state->column->name,
                    .value = value_of(state, &state->runs[index]),
                    .of = siblings == SIBLINGS_MODEL
                              ? fleet_text_of(state->table, state->table->gpus[row].model)
                              : "",
                    .count = state->runs[index].count,
                    .total = classes->begins[state->class + 1] - classes->begins[state->class],
                    .noun = siblings == SIBLINGS_MACHINES ? "machine" : "GPU"});
}

/* One class of a column: items that are sorted by value. */
static void judge_class(struct column_state *state, const struct item *items, size_t count)
{
    struct run *top;
    make_runs(state, items, count);
    const bool has_rest = find_rest(state, &top);
    if (state->run_count < 2 || top == NULL || (state->table->has_base && top->voters == 0))
        return; /* the base may have none of this model */
    /* Of two values neither is the rest; of many, as a name of each host, nothing follows, unless
     * they had to be the same. */
    const bool are_two = !has_rest && state->run_count == 2;
    for (size_t index = 0; index < state->run_count; index++) {
        const struct run *run = &state->runs[index];
        const struct run *rest = has_rest || run != top ? top : &state->runs[top == state->runs];
        if (has_rest ? run->is_rest : !are_two && !is_strict(state->column))
            continue;
        if (has_rest && rest->first == NULL && kind_of(state, run, rest) != FLEET_environment)
            continue; /* more was checked than of the rest */
        if (!is_near(state->column, run, rest))
            add_run(state, run, rest, !has_rest, items, count);
    }
    if (has_rest)
        add_groups(state);
}

/* True if the items of a column have one value, and no row of theirs class lacks it: most columns.
 */
static bool are_alike(const struct fleet_column *column, const struct fleet_classes *classes,
                      const struct item *items, size_t count)
{
    bool alike = true;
    for (size_t index = 1; alike && index < count; index++)
        alike = items[index].value == items->value && items[index].class == items->class;
    return alike && (column->may_lack ||
                     count == classes->begins[items->class + 1] - classes->begins[items->class]);
}

static void judge_column(struct column_state *state, struct item *items, size_t count)
{
    if (count == 0 || are_alike(state->column, state->classes, items, count))
        return;
    qsort(items, count, sizeof *items, sort_items);
    for (size_t first = 0, end; first < count; first = end) {
        for (end = first; end < count && items[end].class == items[first].class;)
            end++;
        state->class = items[first].class;
        judge_class(state, &items[first], end - first);
    }
}

/* The cells of all rows, column by column. */
struct cells {
    struct item *all;
    size_t *ends; /* of each column in `all` */
};

/* Counts the cells of each column, or, the second time, puts them where they belong. */
static void add_cells(struct cells *cells, const struct fleet_table *table,
                      const struct fleet_classes *all, const struct fleet_cells *from, size_t row)
{
    for (size_t index = 0; index < from->count; index++) {
        const uint32_t column = from->each[index].column;
        const struct fleet_classes *classes = &all[fleet_column_of(table, column)->siblings];
        if (classes->of[row] == FLEET_NO_CLASS)
            continue;
        if (cells->all)
            cells->all[cells->ends[column]] =
                (struct item){classes->of[row], (uint32_t)row, from->each[index].value};
        cells->ends[column]++;
    }
}

static void add_all(struct cells *cells, const struct fleet_table *table,
                    const struct fleet_classes *all)
{
    for (size_t row = 0; row < table->machine_count; row++)
        add_cells(cells, table, all, &table->machines[row].cells, row);
    for (size_t row = 0; row < table->gpu_count; row++)
        add_cells(cells, table, all, &table->gpus[row].cells, row);
}

void fleet_judge_exact(struct fleet *fleet, const struct fleet_classes classes[SIBLINGS_COUNT])
{
    const struct fleet_table *table = fleet->table;
    const size_t columns = fleet_column_count(table);
    const size_t rows = table->gpu_count + table->machine_count;
    struct cells cells = {.ends = heap_take(columns + 1, sizeof *cells.ends)};
    struct column_state state = {
        .fleet = fleet, .table = table, .runs = heap_take(rows + 1, sizeof *state.runs)};
    size_t count = 0;
    add_all(&cells, table, classes);
    for (size_t column = 0; column < columns; column++) {
        const size_t own = cells.ends[column];
        cells.ends[column] = count;
        count += own;
    }
    cells.all = heap_take(count, sizeof *cells.all);
    add_all(&cells, table, classes);
    for (size_t column = 0; column < columns; column++) {
        const size_t begin = column > 0 ? cells.ends[column - 1] : 0;
        state.column = fleet_column_of(table, (uint32_t)column);
        state.classes = &classes[state.column->siblings];
        judge_column(&state, cells.all + begin, cells.ends[column] - begin);
    }
    free(state.runs);
    free(cells.ends);
    free(cells.all);
}
