/* Sentences of a fleet (fleet_words.h). */
#include "conformance/fleet/fleet_words.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "conformance/base/heap.h"
#include "conformance/base/text.h"

const char *fleet_words_all(const struct fleet *fleet, char ret_text[FLEET_WORDS_BYTES])
{
    enum { MODELS_MOST = 8 };
    snprintf(ret_text, FLEET_WORDS_BYTES, "%s, %s", NUMBER_COUNT(fleet->machine_count, "machine"),
             NUMBER_COUNT(fleet->gpu_count, "GPU"));
    for (size_t index = 0; index < fleet->model_count && index < MODELS_MOST; index++)
        text_add(ret_text, FLEET_WORDS_BYTES, "%s%s %.80s", index == 0 ? ": " : ", ",
                 NUMBER_WHOLE(fleet->models[index].count), fleet->models[index].name);
    if (fleet->model_count > MODELS_MOST)
        text_add(ret_text, FLEET_WORDS_BYTES, " and %s",
                 NUMBER_COUNT(fleet->model_count - MODELS_MOST, "more model"));
    return ret_text;
}

const char *fleet_words_counts(const struct fleet *fleet, char ret_text[FLEET_WORDS_BYTES])
{
    static const char *const states[FLEET_FILE_STATES] = {[FLEET_FILE_CUT] = "cut short",
                                                          [FLEET_FILE_UNREAD] = "not read",
                                                          [FLEET_FILE_DUPLICATE] = "given twice",
                                                          [FLEET_FILE_OLDER] =
                                                              "older than another"};
    ret_text[0] = 0;
    for (int verdict = FLEET_VERDICTS; verdict-- > 0;)
        if (fleet->counts[verdict] > 0)
            text_join(ret_text, FLEET_WORDS_BYTES, ", ", "%s %s",
                      NUMBER_COUNT(fleet->counts[verdict], "machine"),
                      fleet_verdict_name((enum fleet_verdict)verdict));
    for (int state = 0, count = 0; state < FLEET_FILE_STATES; state++)
        if (states[state] && fleet->files[state] > 0)
            text_join(ret_text, FLEET_WORDS_BYTES, count++ == 0 ? "; " : ", ", "%s %s",
                      NUMBER_COUNT(fleet->files[state], "file"), states[state]);
    return ret_text;
}

const char *fleet_words_base(const struct fleet *fleet, char ret_text[FLEET_WORDS_BYTES])
{
    const struct fleet_table *table = fleet->table;
    size_t machines = 0;
    for (size_t index = 0; index < table->machine_count; index++)
        machines += table->machines[index].is_base;
    if (table->has_base)
        snprintf(ret_text, FLEET_WORDS_BYTES, "%s of --baseline",
                 NUMBER_COUNT(machines, "machine"));
    else
        snprintf(ret_text, FLEET_WORDS_BYTES, "the fleet itself: what most GPUs of a model have");
    return ret_text;
}

const char *fleet_words_group(const struct fleet_group *group, char ret_text[FLEET_WORDS_BYTES])
{
    snprintf(ret_text, FLEET_WORDS_BYTES, "%.100s: %.300s on %s%s%.100s", group->place,
             group->value, NUMBER_COUNT(group->count, group->noun), group->of[0] ? " of " : "",
             group->of);
    return ret_text;
}

const char *fleet_sort_name(enum figure_sort sort)
{
    static const char *const names[FIGURE_SORT_COUNT] = {[FIGURE_OF_DRAM] = "DRAM",
                                                         [FIGURE_OF_L2] = "L2",
                                                         [FIGURE_OF_LOCAL] = "local memory",
                                                         [FIGURE_OF_CALL] = "host calls"};
    return names[sort];
}

double fleet_found(enum figure_sort sort, double shift)
{
    return sort == FIGURE_OF_CALL ? expm1(shift) : -expm1(-shift);
}

const char *fleet_words_speeds(const struct fleet *fleet, char ret_text[FLEET_WORDS_BYTES])
{
    const struct fleet_speeds *speeds = &fleet->speeds;
    char finds[FLEET_WORDS_BYTES / 2] = "";
    ret_text[0] = 0;
    if (speeds->looks == 0)
        return ret_text;
    for (int each = 0; each < FIGURE_SORT_COUNT; each++) {
        const enum figure_sort sort = (enum figure_sort)each;
        if (speeds->finds[sort] > 0)
            text_join(finds, sizeof finds, ", ", "%.1f %% in %s",
                      100 * fleet_found(sort, speeds->finds[sort]), fleet_sort_name(sort));
    }
    snprintf(ret_text, FLEET_WORDS_BYTES,
             "at most %g false alarms are expected in the whole fleet (%s)", speeds->false_alarms,
             NUMBER_COUNT(speeds->looks, "comparison"));
    if (finds[0])
        text_add(ret_text, FLEET_WORDS_BYTES, "; finds 99 of 100 GPUs that lose %.400s", finds);
    return ret_text;
}

const char *fleet_words_sort(const struct fleet_sort *sort, char ret_text[FLEET_WORDS_BYTES])
{
    snprintf(ret_text, FLEET_WORDS_BYTES, "%s of %.80s", NUMBER_COUNT(sort->count, "GPU"),
             sort->model);
    if (sort->figures > 0)
        text_add(ret_text, FLEET_WORDS_BYTES, ": %+.1f %% in %.200s", 100 * expm1(sort->shift),
                 sort->place);
    if (sort->figures > 1)
        text_add(ret_text, FLEET_WORDS_BYTES, ", and %s apart",
                 NUMBER_COUNT(sort->figures - 1, "more figure"));
    return ret_text;
}

void fleet_table_sections(const struct fleet *fleet, struct table *ret)
{
    table_open(ret, "what differs|>machines|>worse in");
    for (int section = 0; section < SECTION_COUNT; section++) {
        size_t machines = 0, worse = 0;
        for (size_t index = 0; index < fleet->row_count; index++) {
            const struct fleet_row *row = &fleet->rows[index];
            bool has = false, has_worse = false;
            for (size_t at = 0; at < row->finding_count; at++) {
                const struct fleet_finding *it = &row->findings[at];
                const bool is_own = (int)fleet_finding_rows[it->kind].section == section;
                has = has || is_own;
                has_worse = has_worse || (is_own && it->severity == SEVERITY_WORSE);
            }
            machines += has;
            worse += has_worse;
        }
        if (machines == 0)
            continue;
        TABLE_TEXTS(ret, section_titles[section], NUMBER_WHOLE(machines));
        table_cell(ret, worse ? "%s" : "%.0s", NUMBER_WHOLE(worse));
    }
}

/* What a stack is made of: columns by name. */
static const char *const stack_fields[] = {"driver", "SM clock under load",
                                           "memory clock under load", "power limit w", "ecc"};
enum { STACK_FIELDS = sizeof stack_fields / sizeof stack_fields[0] };

struct stack {
    fleet_text_id model, values[STACK_FIELDS];
    size_t count;
};

static int sort_stacks(const void *left, const void *right)
{
    const struct stack *a = left, *b = right;
    const int order = memcmp(a->values, b->values, sizeof a->values);
    return a->model != b->model ? a->model < b->model ? -1 : 1 : order;
}

static int sort_counts(const void *left, const void *right)
{
    const struct stack *a = left, *b = right;
    return a->count != b->count ? a->count > b->count ? -1 : 1 : sort_stacks(left, right);
}

static struct stack stack_of(const struct fleet *fleet, const struct fleet_gpu *gpu)
{
    struct stack stack = {.model = gpu->model, .count = 1};
    for (size_t index = 0; index < gpu->cells.count; index++) {
        const struct fleet_cell *cell = &gpu->cells.each[index];
        const struct fleet_column *column = fleet_column_of(fleet->table, cell->column);
        const bool is_field = fleet_finding_rows[column->finding].section == SECTION_ENVIRONMENT;
        for (size_t field = 0; is_field && field < STACK_FIELDS; field++)
            if (strcmp(column->name, stack_fields[field]) == 0)
                stack.values[field] = cell->value;
    }
    return stack;
}

void fleet_table_stacks(const struct fleet *fleet, struct table *ret)
{
    const struct fleet_table *table = fleet->table;
    struct stack *stacks = heap_take(table->gpu_count, sizeof *stacks);
    size_t count = 0, kept = 0;
    for (size_t gpu = 0; gpu < table->gpu_count; gpu++)
        if (!table->gpus[gpu].is_base)
            stacks[count++] = stack_of(fleet, &table->gpus[gpu]);
    qsort(stacks, count, sizeof *stacks, sort_stacks);
    for (size_t index = 0; index < count; index++)
        if (kept > 0 && sort_stacks(&stacks[kept - 1], &stacks[index]) == 0)
            stacks[kept - 1].count++;
        else
            stacks[kept++] = stacks[index];
    qsort(stacks, kept, sizeof *stacks, sort_counts);
    table_open(ret, "model|driver|SM clock|memory clock|power limit (W)|ECC|>GPUs");
    for (size_t index = 0; index < kept; index++) {
        TABLE_TEXTS(ret, fleet_text_of(table, stacks[index].model));
        for (size_t field = 0; field < STACK_FIELDS; field++)
            table_cell(ret, "%s", fleet_text_of(table, stacks[index].values[field]));
        table_cell(ret, "%s", NUMBER_WHOLE(stacks[index].count));
    }
    free(stacks);
}
