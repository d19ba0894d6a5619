/* Sorts of GPUs of one model (fleet_sorts.h). Clause: fleet.speed.sorts. */
#include "conformance/fleet/fleet_sorts.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "conformance/base/heap.h"
#include "conformance/fleet/fleet_siblings.h"

/* Fewer GPUs show no sorts. */
enum { GPUS_LEAST = 40 };

/* A figure tells two sorts apart if their means differ by apart_least, a logarithm, and by
 * apart_deviations standard deviations within a sort: the halves of a normal distribution are 2.6
 * apart, those of a uniform one 3.5. A second figure must agree; it needs less, since it was not
 * chosen for being far apart. */
static const double apart_least = 0.01, apart_deviations = 5, agree_least = 0.003,
                    agree_deviations = 2;

int fleet_sort_numbers(const void *left, const void *right)
{
    const double a = *(const double *)left, b = *(const double *)right;
    return (a > b) - (a < b);
}

/* Numbers the columns that a GPU has figures in. */
static uint32_t *number_columns(struct fleet_matrix *ret, const struct fleet_table *table)
{
    const size_t all = fleet_column_count(table);
    uint32_t *numbers = heap_take(all, sizeof *numbers); /* and one; 0: not there */
    for (size_t gpu = 0; gpu < ret->gpu_count; gpu++) {
        const struct fleet_gpu *it = &table->gpus[ret->rows[gpu]];
        for (size_t index = 0; index < it->figure_count; index++) {
            const uint32_t column = it->figures[index].column;
            if (numbers[column] > 0)
                continue;
            HEAP_ROOM(ret->columns, ret->column_count);
            ret->columns[ret->column_count++] = column;
            numbers[column] = (uint32_t)ret->column_count;
        }
    }
    return numbers;
}

/* A GPU of the matrix by its UUID. */
struct named {
    fleet_text_id uuid;
    size_t gpu;
};

static int sort_named(const void *left, const void *right)
{
    const struct named *a = left, *b = right;
    return (a->uuid > b->uuid) - (a->uuid < b->uuid);
}

/* Finds each GPU's own record among those of the base. */
static void find_own(struct fleet_matrix *ret, const struct fleet_table *table)
{
    struct named *base = heap_take(ret->gpu_count, sizeof *base);
    size_t count = 0;
    for (size_t gpu = 0; gpu < ret->gpu_count; gpu++) {
        const struct fleet_gpu *it = &table->gpus[ret->rows[gpu]];
        ret->own[gpu] = FLEET_NO_OWN;
        if (it->is_base && it->uuid != 0)
            base[count++] = (struct named){it->uuid, gpu};
    }
    qsort(base, count, sizeof *base, sort_named);
    for (size_t gpu = 0; count > 0 && gpu < ret->gpu_count; gpu++) {
        const struct fleet_gpu *it = &table->gpus[ret->rows[gpu]];
        const struct named *own = it->is_base ? NULL
                                              : bsearch(&(struct named){.uuid = it->uuid}, base,
                                                        count, sizeof *base, sort_named);
        ret->own[gpu] = own ? own->gpu : FLEET_NO_OWN;
    }
    free(base);
}

void fleet_matrix_open(struct fleet_matrix *ret, const struct fleet_table *table,
                       const uint32_t *rows, size_t count)
{
    *ret = (struct fleet_matrix){.rows = rows, .gpu_count = count, .sort_count = 1};
    uint32_t *numbers = number_columns(ret, table);
    const size_t cells = count * ret->column_count;
    ret->figures = heap_take(cells, sizeof *ret->figures);
    ret->slowness = heap_take(cells, sizeof *ret->slowness);
    ret->is_voter = heap_take(count, sizeof *ret->is_voter);
    ret->own = heap_take(count, sizeof *ret->own);
    ret->sort = heap_take(count, sizeof *ret->sort);
    ret->room = heap_take(count + ret->column_count, sizeof *ret->room);
    for (size_t cell = 0; cell < cells; cell++)
        ret->slowness[cell] = NAN;
    for (size_t gpu = 0; gpu < count; gpu++) {
        const struct fleet_gpu *it = &table->gpus[rows[gpu]];
        ret->is_voter[gpu] = fleet_is_voter(table, SIBLINGS_MODEL, rows[gpu]);
        for (size_t index = 0; index < it->figure_count; index++) {
            const struct fleet_figure *figure = &it->figures[index];
            const struct chance chance = fleet_column_of(table, figure->column)->chance;
            const size_t cell = gpu * ret->column_count + numbers[figure->column] - 1;
            const double value = log(figure->median + chance.grain);
            ret->figures[cell] = figure;
            ret->slowness[cell] = chance.is_time ? value : -value;
        }
    }
    find_own(ret, table);
    free(numbers);
}

void fleet_matrix_close(struct fleet_matrix *matrix)
{
    free(matrix->columns);
    free(matrix->figures);
    free(matrix->slowness);
    free(matrix->is_voter);
    free(matrix->own);
    free(matrix->sort);
    free(matrix->room);
}

/* Two parts of a sort: GPUs below and above a slowness in a column. */
struct split {
    size_t column;
    double threshold, apart, deviations;
};

/* The split of sorted values into two that differ most from their own means. */
static struct split split_of(const double *values, size_t count)
{
    struct split best = {.deviations = 0};
    double sum = 0, squares = 0, left = 0, left_squares = 0, most = 0;
    for (size_t index = 0; index < count; index++) {
        sum += values[index] - values[0];
        squares += pow(values[index] - values[0], 2);
    }
    for (size_t cut = 1; cut < count; cut++) {
        const double it = values[cut - 1] - values[0];
        left += it;
        left_squares += it * it;
        const double low = (double)cut, high = (double)(count - cut);
        const double apart = (sum - left) / high - left / low;
        const double between = low * high * apart * apart;
        const double within = (left_squares - left * left / low) +
                              (squares - left_squares - (sum - left) * (sum - left) / high);
        if (between <= most || !fleet_is_group(cut, FLEET_GROUP_MACHINES, count) ||
            !fleet_is_group(count - cut, FLEET_GROUP_MACHINES, count))
            continue;
        most = between;
        best.apart = apart;
        best.threshold = (values[cut - 1] + values[cut]) / 2;
        best.deviations = apart / sqrt(fmax(within, 1e-18) / (double)count);
    }
    return best;
}

/* The values of a column of the voters of one sort. Returns how many. */
static size_t take_values(const struct fleet_matrix *matrix, size_t sort, size_t column)
{
    size_t count = 0;
    for (size_t gpu = 0; gpu < matrix->gpu_count; gpu++) {
        const double value = matrix->slowness[gpu * matrix->column_count + column];
        if (matrix->sort[gpu] == sort && matrix->is_voter[gpu] && !isnan(value))
            matrix->room[count++] = value;
    }
    return count;
}

/* True if the GPU is of the second part; one without the figure is of the first. */
static bool is_second(const struct fleet_matrix *matrix, size_t gpu, const struct split *split)
{
    return matrix->slowness[gpu * matrix->column_count + split->column] > split->threshold;
}

/* True if the parts that a figure makes differ in another one too. */
static bool agrees(const struct fleet_matrix *matrix, size_t sort, const struct split *split,
                   size_t column)
{
    double sums[2] = {0}, squares[2] = {0};
    size_t counts[2] = {0};
    for (size_t gpu = 0; gpu < matrix->gpu_count; gpu++) {
        const double value = matrix->slowness[gpu * matrix->column_count + column];
        const bool part = is_second(matrix, gpu, split);
        if (matrix->sort[gpu] != sort || !matrix->is_voter[gpu] || isnan(value))
            continue;
        counts[part]++;
        sums[part] += value;
        squares[part] += value * value;
    }
    if (counts[0] < 2 || counts[1] < 2)
        return false;
    double within = 0;
    for (int part = 0; part < 2; part++)
        within += squares[part] - sums[part] * sums[part] / (double)counts[part];
    const double apart = fabs(sums[0] / (double)counts[0] - sums[1] / (double)counts[1]);
    return apart >= agree_least &&
           apart >= agree_deviations * sqrt(fmax(within, 0) / (double)(counts[0] + counts[1]));
}

/* Machines of the smaller part: a sort is on several. */
static bool are_groups(const struct fleet_matrix *matrix, const struct fleet_table *table,
                       size_t sort, const struct split *split)
{
    size_t machines[2] = {0}, last[2] = {SIZE_MAX, SIZE_MAX};
    for (size_t gpu = 0; gpu < matrix->gpu_count; gpu++) {
        const bool part = is_second(matrix, gpu, split);
        const size_t machine = table->gpus[matrix->rows[gpu]].machine;
        if (matrix->sort[gpu] != sort || !matrix->is_voter[gpu] || machine == last[part])
            continue;
        last[part] = machine;
        machines[part]++;
    }
    return machines[0] >= FLEET_GROUP_MACHINES && machines[1] >= FLEET_GROUP_MACHINES;
}

/* Splits a sort in two; false if it is one. */
static bool split_sort(struct fleet_matrix *matrix, const struct fleet_table *table, size_t sort)
{
    struct split best = {.deviations = 0};
    bool has_agreed = false;
    for (size_t column = 0; column < matrix->column_count; column++) {
        if (fleet_column_of(table, matrix->columns[column])->sort == FIGURE_OF_CALL)
            continue;
        const size_t count = take_values(matrix, sort, column);
        if (count < GPUS_LEAST)
            continue;
        qsort(matrix->room, count, sizeof *matrix->room, fleet_sort_numbers);
        struct split split = split_of(matrix->room, count);
        split.column = column;
        if (split.apart >= apart_least && split.deviations > best.deviations)
            best = split;
    }
    if (best.deviations < apart_deviations || !are_groups(matrix, table, sort, &best))
        return false;
    for (size_t column = 0; column < matrix->column_count; column++)
        has_agreed = has_agreed ||
                     (column != best.column &&
                      fleet_column_of(table, matrix->columns[column])->sort != FIGURE_OF_CALL &&
                      agrees(matrix, sort, &best, column));
    for (size_t gpu = 0; has_agreed && gpu < matrix->gpu_count; gpu++)
        if (matrix->sort[gpu] == sort && is_second(matrix, gpu, &best))
            matrix->sort[gpu] = (unsigned char)matrix->sort_count;
    matrix->sort_count += has_agreed;
    return has_agreed;
}

/* Makes the most frequent sort number 0. */
static void put_first(struct fleet_matrix *matrix)
{
    size_t counts[FLEET_SORTS_MAX] = {0}, most = 0;
    for (size_t gpu = 0; gpu < matrix->gpu_count; gpu++)
        counts[matrix->sort[gpu]]++;
    for (size_t sort = 1; sort < matrix->sort_count; sort++)
        most = counts[sort] > counts[most] ? sort : most;
    for (size_t gpu = 0; gpu < matrix->gpu_count; gpu++)
        matrix->sort[gpu] = matrix->sort[gpu] == most ? 0
                            : matrix->sort[gpu] == 0  ? (unsigned char)most
                                                      : matrix->sort[gpu];
}

void fleet_sorts_find(struct fleet_matrix *matrix, const struct fleet_table *table)
{
    for (size_t sort = 0; sort < matrix->sort_count;)
        if (matrix->sort_count == FLEET_SORTS_MAX || !split_sort(matrix, table, sort))
            sort++;
    put_first(matrix);
}
