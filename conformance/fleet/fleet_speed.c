/* Judges the figures of a fleet (fleet_speed.h). Clauses: fleet.speed.limit, fleet.speed.chance,
 * fleet.speed.together, fleet.speed.few, fleet.base.own. */
#include "conformance/fleet/fleet_speed.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "conformance/base/array.h"
#include "conformance/base/heap.h"
#include "conformance/base/text.h"
#include "conformance/fleet/fleet_sorts.h"
#include "conformance/fleet/fleet_words.h"

/* The false alarms that a whole fleet may have, of all that is looked at together. */
static const double alarms_most = 0.01;

/* The spread of GPUS_MANY GPUs or more is their own. That of fewer is at least the one recorded for
 * GPUs of one model (spec/measured), and no change below `least` counts, as in a comparison of two.
 */
enum { GPUS_MANY = 30, COLUMNS_LEAST = 3 };
static const struct {
    double one, one_least; /* one figure of two GPUs */
    double all, all_least; /* the median of all figures of the sort */
} recorded[FIGURE_SORT_COUNT] = {
    [FIGURE_OF_DRAM] = {0.01, 0.06, 0.005, 0.02},
    [FIGURE_OF_L2] = {0.02, 0.06, 0.015, 0.06},
    [FIGURE_OF_LOCAL] = {0.01, 0.06, 0.01, 0.06},
    [FIGURE_OF_CALL] = {0.25, 0.6, 0.25, 0.6},
};
static const double found_below = 2.326, median_factor = 1.2533;

/* The distance from the mean, in standard deviations, that a normal variable exceeds with that
 * probability. */
static double normal_quantile(double probability)
{
    double low = 0, high = 40;
    for (int step = 0; step < 60; step++) {
        const double middle = (low + high) / 2;
        *(erfc(middle / sqrt(2)) / 2 > probability ? &low : &high) = middle;
    }
    return high;
}

/* The same, of the probability that a normal variable has beyond `normal`, where the standard
 * deviation is an estimate of so many degrees of freedom (Wallace's approximation to Student's
 * distribution). */
static double student_quantile(double normal, double freedom)
{
    const double scale = (freedom - 1.5) / ((freedom - 1) * (freedom - 1));
    return sqrt(freedom * expm1(scale * normal * normal));
}

/* What values of siblings have in common. */
struct centre {
    double median, spread;
    size_t count;
};

/* Sorts the values. The spread is that of a normal distribution with the same outer quarter on the
 * wider side, or tenth of a hundred or more: outliers, which are fewer, do not widen it. */
static struct centre centre_of(double *values, size_t count)
{
    static const double tail[2] = {0.25, 0.1}, deviations[2] = {0.6745, 1.2816};
    const bool are_many = count >= 100;
    if (count == 0)
        return (struct centre){.count = 0};
    qsort(values, count, sizeof *values, fleet_sort_numbers);
    const double last = (double)(count - 1);
    const size_t low = (size_t)ceil(tail[are_many] * last),
                 high = (size_t)floor((1 - tail[are_many]) * last);
    const double median = (values[(count - 1) / 2] + values[count / 2]) / 2;
    return (struct centre){.median = median,
                           .spread = fmax(values[high] - median, median - values[low]) /
                                     deviations[are_many],
                           .count = count};
}

/* How far from the centre a value counts, and how far the spread goes. */
struct limit {
    double from, spread;
};

/* True if `count` siblings are enough to tell the usual value: three, or one of a base. Of two that
 * differ, neither is usual. */
static bool are_enough(const struct fleet_table *table, size_t count)
{
    return count >= (table->has_base ? 1 : 3);
}

static struct limit limit_of(const struct centre *centre, double deviations, double within,
                             double least, double few_spread, double few_least)
{
    const bool are_many = centre->count >= GPUS_MANY;
    /* The median of one or two GPUs is as uncertain as a GPU. */
    const double few = few_spread * (centre->count < 3 ? sqrt(2) : 1);
    const double spread =
        are_many ? fmax(centre->spread, within) : fmax(fmax(centre->spread, within), few);
    /* Order statistics tell less of a spread than all values do. */
    const double freedom = 0.4 * (double)(centre->count - 1);
    const double quantile = are_many ? student_quantile(deviations, freedom) : deviations;
    return (struct limit){.from = fmax(are_many ? least : few_least, quantile * spread),
                          .spread = spread};
}

/* One model. */
struct judging {
    struct fleet *fleet;
    const struct fleet_table *table;
    struct fleet_matrix matrix;
    const char *model;
    double deviations;      /* of a normal variable, beyond which is a false alarm of one look */
    struct centre *centres; /* of each column in each sort */
    double *shifts;         /* of each GPU in each sort of figures; NAN: it has too few */
    struct centre together[FLEET_SORTS_MAX][FIGURE_SORT_COUNT];
    size_t sizes[FLEET_SORTS_MAX]; /* voters */
};

static const struct fleet_column *column_of(const struct judging *judging, size_t column)
{
    return fleet_column_of(judging->table, judging->matrix.columns[column]);
}

/* The same figure in the GPU's own record of the base; NULL if that has none that is sound. */
static const struct fleet_figure *own_figure(const struct judging *judging, size_t gpu,
                                             size_t column)
{
    const struct fleet_matrix *matrix = &judging->matrix;
    const size_t own = matrix->own[gpu];
    const struct fleet_figure *it =
        own == FLEET_NO_OWN ? NULL : matrix->figures[own * matrix->column_count + column];
    return it && it->is_sound ? it : NULL;
}

/* How much slower a GPU is than its own record of the base, or else than its siblings' median. */
static double residual(const struct judging *judging, size_t gpu, size_t column)
{
    const struct fleet_matrix *matrix = &judging->matrix;
    if (own_figure(judging, gpu, column))
        return matrix->slowness[gpu * matrix->column_count + column] -
               matrix->slowness[matrix->own[gpu] * matrix->column_count + column];
    const struct centre *centre =
        &judging->centres[matrix->sort[gpu] * matrix->column_count + column];
    return centre->count == 0
               ? NAN
               : matrix->slowness[gpu * matrix->column_count + column] - centre->median;
}

static void find_centres(struct judging *judging)
{
    const struct fleet_matrix *matrix = &judging->matrix;
    for (size_t sort = 0; sort < matrix->sort_count; sort++)
        for (size_t column = 0; column < matrix->column_count; column++) {
            size_t count = 0;
            for (size_t gpu = 0; gpu < matrix->gpu_count; gpu++) {
                const size_t cell = gpu * matrix->column_count + column;
                if (matrix->sort[gpu] == sort && matrix->is_voter[gpu] && matrix->figures[cell] &&
                    matrix->figures[cell]->is_sound)
                    matrix->room[count++] = matrix->slowness[cell];
            }
            judging->centres[sort * matrix->column_count + column] = centre_of(matrix->room, count);
        }
}

/* The median of a GPU's residuals in the figures of one sort. */
static double shift_of(const struct judging *judging, size_t gpu, enum figure_sort sort)
{
    const struct fleet_matrix *matrix = &judging->matrix;
    size_t count = 0, all = 0;
    for (size_t column = 0; column < matrix->column_count; column++) {
        const double it = residual(judging, gpu, column);
        if (column_of(judging, column)->sort != sort)
            continue;
        all++;
        if (!isnan(it) && matrix->figures[gpu * matrix->column_count + column]->is_sound)
            matrix->room[count++] = it;
    }
    if (count < COLUMNS_LEAST || 2 * count < all)
        return NAN;
    qsort(matrix->room, count, sizeof *matrix->room, fleet_sort_numbers);
    return (matrix->room[(count - 1) / 2] + matrix->room[count / 2]) / 2;
}

static void find_shifts(struct judging *judging)
{
    const struct fleet_matrix *matrix = &judging->matrix;
    for (size_t gpu = 0; gpu < matrix->gpu_count; gpu++)
        for (int sort = 0; sort < FIGURE_SORT_COUNT; sort++)
            judging->shifts[gpu * FIGURE_SORT_COUNT + (size_t)sort] =
                shift_of(judging, gpu, (enum figure_sort)sort);
    for (size_t own = 0; own < matrix->sort_count; own++)
        for (int sort = 0; sort < FIGURE_SORT_COUNT; sort++) {
            size_t count = 0;
            for (size_t gpu = 0; gpu < matrix->gpu_count; gpu++) {
                const double it = judging->shifts[gpu * FIGURE_SORT_COUNT + (size_t)sort];
                if (matrix->sort[gpu] == own && matrix->is_voter[gpu] && !isnan(it))
                    matrix->room[count++] = it;
            }
            judging->together[own][sort] = centre_of(matrix->room, count);
        }
}

/* How large the spread of a column's median of repeats is at least. */
static double within_of(const struct fleet_column *column, size_t repeats)
{
    return median_factor * column->chance.spread / sqrt((double)(repeats > 0 ? repeats : 1));
}

/* The limit of a comparison of two records, with the deviations of the fleet. */
static struct limit own_limit(const struct judging *judging, size_t gpu, size_t at)
{
    const struct fleet_matrix *matrix = &judging->matrix;
    const struct fleet_figure *own = own_figure(judging, gpu, at);
    const struct fleet_figure *figure = matrix->figures[gpu * matrix->column_count + at];
    const struct chance_limit it = chance_limit(column_of(judging, at)->chance, own->spread,
                                                own->repeats, figure->repeats, judging->deviations);
    return (struct limit){.from = it.from, .spread = it.sigma};
}

static struct limit column_limit(const struct judging *judging, size_t gpu, size_t at)
{
    const struct fleet_matrix *matrix = &judging->matrix;
    const struct fleet_column *column = column_of(judging, at);
    if (own_figure(judging, gpu, at))
        return own_limit(judging, gpu, at);
    return limit_of(
        &judging->centres[matrix->sort[gpu] * matrix->column_count + at], judging->deviations,
        within_of(column, matrix->figures[gpu * matrix->column_count + at]->repeats),
        column->chance.least, recorded[column->sort].one, recorded[column->sort].one_least);
}

/* The figures of one sort of a GPU together, if its own record has most of them: the median of
 * their limits, since the figures of a GPU may move as one. `from` is 0 without such a record. */
static struct limit own_together(const struct judging *judging, size_t gpu, enum figure_sort sort)
{
    const struct fleet_matrix *matrix = &judging->matrix;
    size_t count = 0, all = 0;
    for (size_t column = 0; column < matrix->column_count; column++) {
        const bool is_there = column_of(judging, column)->sort == sort &&
                              matrix->figures[gpu * matrix->column_count + column];
        all += is_there;
        if (is_there && own_figure(judging, gpu, column))
            matrix->room[count++] = own_limit(judging, gpu, column).from;
    }
    if (2 * count <= all)
        return (struct limit){.from = 0};
    qsort(matrix->room, count, sizeof *matrix->room, fleet_sort_numbers);
    const double from = matrix->room[count / 2];
    return (struct limit){.from = from, .spread = from / judging->deviations};
}

static struct limit together_limit(const struct judging *judging, size_t own, enum figure_sort sort)
{
    const double least =
        sort == FIGURE_OF_CALL
            ? chance_of_call().least
            : chance_of_speed(&(const struct chance_subject){.kernel = ""}, false).least;
    return limit_of(&judging->together[own][sort], judging->deviations, 0, least,
                    recorded[sort].all, recorded[sort].all_least);
}

static double change_percent(const struct fleet_column *column, double slowness)
{
    return 100 * expm1(column && !column->chance.is_time ? -slowness : slowness);
}

/* Adds a finding of that GPU, whose words are copied. */
static void add(struct judging *judging, size_t gpu, const struct fleet_finding *finding)
{
    struct fleet_finding it = *finding;
    const uint32_t row = judging->matrix.rows[gpu];
    it.machine = judging->table->gpus[row].machine;
    it.gpu = (long)row;
    it.noun = "figure";
    it.own = fleet_words(judging->fleet, it.own);
    it.rest = fleet_words(judging->fleet, it.rest);
    fleet_add(judging->fleet, &it, false);
}

/* All figures of one sort of a GPU together: a slow DRAM is one finding. Returns its shift, or 0 if
 * nothing is found. */
static double judge_together(struct judging *judging, size_t gpu, enum figure_sort sort)
{
    const struct fleet_matrix *matrix = &judging->matrix;
    const bool is_call = sort == FIGURE_OF_CALL;
    const size_t own_sort = matrix->sort[gpu];
    const double shift = judging->shifts[gpu * FIGURE_SORT_COUNT + (size_t)sort];
    const struct centre *centre = &judging->together[own_sort][sort];
    struct limit limit = own_together(judging, gpu, sort);
    const bool is_own = limit.from > 0;
    if (!is_own)
        limit = together_limit(judging, own_sort, sort);
    if (isnan(shift) || (!is_own && !are_enough(judging->table, centre->count)))
        return 0;
    double *finds = &judging->fleet->speeds.finds[sort]; /* of the GPU where they are largest */
    *finds = fmax(*finds, limit.from + found_below * limit.spread);
    if (fabs(shift - (is_own ? 0 : centre->median)) <= limit.from)
        return 0;
    size_t count = 0;
    for (size_t column = 0; column < matrix->column_count; column++) {
        const double it = residual(judging, gpu, column);
        count += column_of(judging, column)->sort == sort && !isnan(it) && it * shift > 0 &&
                 fabs(it) > fabs(shift) / 2;
    }
    char own[96], rest[160] = "its own record";
    snprintf(own, sizeof own, "%+.1f %% in %s", 100 * expm1(is_call ? shift : -shift),
             NUMBER_COUNT(count, "figure"));
    if (!is_own)
        snprintf(rest, sizeof rest, "%s of %.80s", NUMBER_COUNT(centre->count, "GPU"),
                 judging->model);
    const bool is_slow = shift > 0;
    add(judging, gpu,
        &(struct fleet_finding){.kind = is_call   ? is_slow ? FLEET_call_behind : FLEET_call_ahead
                                        : is_slow ? FLEET_speed_behind
                                                  : FLEET_speed_ahead,
                                .place = fleet_sort_name(sort),
                                .own = own,
                                .rest = rest,
                                .is_own = is_own,
                                .shift = -shift,
                                .count = count});
    return shift;
}

/* One figure of a GPU that is slower by itself, beyond the shift of all its figures. */
static void judge_column(struct judging *judging, size_t gpu, size_t at,
                         const double shifts[FIGURE_SORT_COUNT])
{
    const struct fleet_matrix *matrix = &judging->matrix;
    const struct fleet_column *column = column_of(judging, at);
    const struct fleet_figure *figure = matrix->figures[gpu * matrix->column_count + at];
    const struct centre *centre = &judging->centres[matrix->sort[gpu] * matrix->column_count + at];
    const struct fleet_figure *before = own_figure(judging, gpu, at);
    if (figure == NULL || (before == NULL && !are_enough(judging->table, centre->count)))
        return;
    const double slower = residual(judging, gpu, at);
    const struct limit limit = column_limit(judging, gpu, at);
    if (slower - fmax(shifts[column->sort], 0) <= limit.from)
        return;
    const double median = before ? before->median
                                 : exp(column->chance.is_time ? centre->median : -centre->median) -
                                       column->chance.grain;
    char own[96], rest[96];
    snprintf(own, sizeof own, "%s %s (%+.1f %%)", NUMBER_SHORT(figure->median), column->unit,
             change_percent(column, slower));
    snprintf(rest, sizeof rest, "%s %s%s", NUMBER_SHORT(median), column->unit,
             before ? " in its own record" : "");
    const bool is_call = column->sort == FIGURE_OF_CALL;
    add(judging, gpu,
        &(struct fleet_finding){.kind = figure->is_sound
                                            ? is_call ? FLEET_call_behind : FLEET_speed_behind
                                        : is_call ? FLEET_call_disturbed
                                                  : FLEET_speed_disturbed,
                                .place = column->name,
                                .own = own,
                                .rest = rest,
                                .is_own = before != NULL,
                                .shift = -slower,
                                .count = 1});
}

/* A figure that most of its siblings have, or its own record has, and this GPU has not. */
static void judge_lacking(struct judging *judging, size_t gpu, size_t at)
{
    const struct fleet_matrix *matrix = &judging->matrix;
    const struct fleet_column *column = column_of(judging, at);
    size_t have = 0;
    for (size_t sort = 0; sort < matrix->sort_count; sort++)
        have += judging->centres[sort * matrix->column_count + at].count;
    size_t voters = 0;
    for (size_t sort = 0; sort < matrix->sort_count; sort++)
        voters += judging->sizes[sort];
    if (matrix->figures[gpu * matrix->column_count + at] == NULL && !column->may_lack &&
        (own_figure(judging, gpu, at) || (are_enough(judging->table, voters) && 2 * have > voters)))
        add(judging, gpu,
            &(struct fleet_finding){.kind = FLEET_not_checked,
                                    .place = column->name,
                                    .own = "none",
                                    .rest = "measured",
                                    .count = 1});
}

/* A host call is one of the host: it counts if most GPUs of its machine show it. */
static bool is_of_host(const struct fleet *fleet, size_t first, const struct fleet_finding *it)
{
    size_t alike = 0;
    for (size_t index = first; index < fleet->finding_count; index++)
        alike += fleet->findings[index].machine == it->machine &&
                 fleet->findings[index].kind == it->kind &&
                 strcmp(fleet->findings[index].place, it->place) == 0;
    return 2 * alike > fleet->table->machines[it->machine].gpu_count;
}

/* Leaves out the calls, among the findings from `first` on, that are not the host's. */
static void leave_out_calls(struct fleet *fleet, size_t first)
{
    bool *keep = heap_take(fleet->finding_count - first, sizeof *keep);
    size_t kept = first;
    for (size_t index = first; index < fleet->finding_count; index++) {
        const struct fleet_finding *it = &fleet->findings[index];
        keep[index - first] =
            fleet_finding_rows[it->kind].section != SECTION_CALLS || is_of_host(fleet, first, it);
    }
    for (size_t index = first; index < fleet->finding_count; index++)
        if (keep[index - first])
            fleet->findings[kept++] = fleet->findings[index];
    fleet->finding_count = kept;
    free(keep);
}

static void judge_gpus(struct judging *judging)
{
    const struct fleet_matrix *matrix = &judging->matrix;
    const size_t first = judging->fleet->finding_count;
    for (size_t gpu = 0; gpu < matrix->gpu_count; gpu++) {
        double shifts[FIGURE_SORT_COUNT];
        if (judging->table->gpus[matrix->rows[gpu]].is_base)
            continue;
        for (int sort = 0; sort < FIGURE_SORT_COUNT; sort++)
            shifts[sort] = judge_together(judging, gpu, (enum figure_sort)sort);
        for (size_t column = 0; column < matrix->column_count; column++) {
            judge_column(judging, gpu, column, shifts);
            judge_lacking(judging, gpu, column);
        }
    }
    leave_out_calls(judging->fleet, first);
}

/* Names the sorts of a model: in what each differs most from the most frequent one. */
static void note_sorts(struct judging *judging)
{
    const struct fleet_matrix *matrix = &judging->matrix;
    struct fleet *fleet = judging->fleet;
    for (size_t sort = 0; matrix->sort_count > 1 && sort < matrix->sort_count; sort++) {
        struct fleet_sort it = {.model = judging->model, .place = ""};
        for (size_t gpu = 0; gpu < matrix->gpu_count; gpu++)
            it.count += matrix->sort[gpu] == sort;
        for (size_t column = 0; sort > 0 && column < matrix->column_count; column++) {
            const struct centre *own = &judging->centres[sort * matrix->column_count + column],
                                *first = &judging->centres[column];
            const double apart = first->median - own->median;
            if (own->count == 0 || first->count == 0 || fabs(apart) < 0.005 ||
                column_of(judging, column)->sort == FIGURE_OF_CALL)
                continue;
            it.figures++;
            if (fabs(apart) > fabs(it.shift)) {
                it.shift = apart;
                it.place = column_of(judging, column)->name;
            }
        }
        HEAP_ROOM(fleet->sorts, fleet->sort_count);
        fleet->sorts[fleet->sort_count++] = it;
    }
}

static void judge_model(struct fleet *fleet, const struct fleet_classes *models, size_t class,
                        double deviations)
{
    const uint32_t *rows = models->rows + models->begins[class];
    struct judging judging = {.fleet = fleet,
                              .table = fleet->table,
                              .model = fleet_text_of(fleet->table, fleet->table->gpus[*rows].model),
                              .deviations = deviations};
    struct fleet_matrix *matrix = &judging.matrix;
    fleet_matrix_open(matrix, fleet->table, rows,
                      models->begins[class + 1] - models->begins[class]);
    fleet_sorts_find(matrix, fleet->table);
    for (size_t gpu = 0; gpu < matrix->gpu_count; gpu++)
        judging.sizes[matrix->sort[gpu]] += matrix->is_voter[gpu];
    judging.centres = heap_take(matrix->sort_count * matrix->column_count, sizeof *judging.centres);
    judging.shifts = heap_take(matrix->gpu_count * FIGURE_SORT_COUNT, sizeof *judging.shifts);
    find_centres(&judging);
    find_shifts(&judging);
    judge_gpus(&judging);
    note_sorts(&judging);
    free(judging.centres);
    free(judging.shifts);
    fleet_matrix_close(matrix);
}

void fleet_judge_speeds(struct fleet *fleet, const struct fleet_classes *models)
{
    const struct fleet_table *table = fleet->table;
    size_t looks = 0;
    for (size_t gpu = 0; gpu < table->gpu_count; gpu++)
        if (!table->gpus[gpu].is_base && table->gpus[gpu].figure_count > 0)
            looks += table->gpus[gpu].figure_count + 2 * FIGURE_SORT_COUNT; /* and faster ones */
    fleet->speeds.looks = looks;
    fleet->speeds.false_alarms = looks > 0 ? alarms_most : 0;
    for (size_t class = 0; looks > 0 && class < models->count; class ++)
        judge_model(fleet, models, class, normal_quantile(alarms_most / (double)looks));
}
