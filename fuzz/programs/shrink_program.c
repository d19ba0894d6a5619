/* Shrinks programs (program_shrink in program_case.h). A tactic is an edit in that many forms; all
 * are asked of at once, and those that keep the failure are tried together, then half of them, and
 * so on. */

#include <stdlib.h>

#include "cpu_ref/programs/operations.h"
#include "fuzz/programs/program_case.h"

enum { ROUNDS_MAX = 64 };

struct shrinker {
    struct program_case *best;
    struct program program; /* of best */
    struct program_case *candidate;
    program_fails *fails;
    void *context;
    int chunk; /* statements that one edit drops */
    bool is_stopped;
};

/* An edit of the best case, put into `it`; false if it changes nothing. */
typedef bool edit(const struct shrinker *shrinker, int number, struct program_case *it);

static bool drop_of_group(const struct shrinker *shrinker, int number, struct program_case *it)
{
    bool has_changed = false;
    for (int index = 0; index < shrinker->program.statement_count; index++) {
        const struct program_statement *statement = &shrinker->program.statement[index];
        if (operations[statement->operation].group == number)
            has_changed = it->dropped[statement->number] = true;
    }
    return has_changed;
}

static bool drop_of_chunk(const struct shrinker *shrinker, int number, struct program_case *it)
{
    int first = number * shrinker->chunk;
    for (int index = first;
         index < first + shrinker->chunk && index < shrinker->program.statement_count; index++)
        it->dropped[shrinker->program.statement[index].number] = true;
    return true;
}

/* Falling, so that of several edits the last one, which is the smallest, holds. */
static const uint8_t thread_counts[] = {128, 96, 64, 33, 32, 16, 4, 2, 1};

static bool set_threads(const struct shrinker *shrinker, int number, struct program_case *it)
{
    if (thread_counts[number] >= shrinker->best->threads)
        return false;
    it->threads = thread_counts[number];
    return true;
}

/* From the least simple on. */
static const uint64_t simple[] = {UINT64_MAX, 2, 1, 0};
enum { SIMPLE = sizeof simple / sizeof *simple };

static bool set_argument(const struct shrinker *shrinker, int number, struct program_case *it)
{
    const struct program_statement *statement =
        &shrinker->program.statement[number / SIMPLE / PROGRAM_ARGUMENTS_MAX];
    const struct operation *operation = &operations[statement->operation];
    int place = 1 + number / SIMPLE % PROGRAM_ARGUMENTS_MAX;
    if (place > operation_arguments(operation))
        return false;
    const struct program_argument *argument = &statement->argument[place - 1];
    enum program_class of_class = operation_class(operation, statement->type, place);
    uint64_t bits = class_cut(of_class, simple[number % SIMPLE]);
    uint64_t bound = 0;
    operation_is_constant(operation, statement->type, place, &bound);
    if (bound != 0 && bits >= bound)
        return false;
    for (int simpler = 0; argument->kind == ARGUMENT_CONSTANT && simpler < SIMPLE; simpler++)
        if (argument->bits == class_cut(of_class, simple[simpler]) && simpler >= number % SIMPLE)
            return false;
    return program_case_set(it, statement->number, place, bits);
}

/* Runs the candidates; returns false if shrinking is to stop. */
static bool ask(struct shrinker *shrinker, int count, bool *ret_fails)
{
    if (!shrinker->is_stopped)
        shrinker->is_stopped =
            !shrinker->fails(shrinker->context, shrinker->candidate, count, ret_fails);
    return !shrinker->is_stopped;
}

/* Applies as many of the edits, each of which keeps the failure, as keep it together. */
static void adopt(struct shrinker *shrinker, edit *apply, const int *edits, int count)
{
    bool fails[PROGRAM_SHRINK_BATCH];
    int candidates = 0;
    for (int taken = count; taken > 0 && candidates < PROGRAM_SHRINK_BATCH; taken /= 2) {
        struct program_case *it = &shrinker->candidate[candidates++];
        *it = *shrinker->best;
        for (int index = 0; index < taken; index++)
            apply(shrinker, edits[index], it);
    }
    int first = 0;
    if (candidates > 1 && !ask(shrinker, candidates - 1, fails))
        return;
    while (first < candidates - 1 && !fails[first])
        first++;
    *shrinker->best = shrinker->candidate[first]; /* the first edit by itself keeps it */
    program_case_make(shrinker->best, &shrinker->program);
}

/* Tries that many edits. True if it made the case smaller. */
static bool use(struct shrinker *shrinker, edit *apply, int edits)
{
    int number = 0;
    while (number < edits && !shrinker->is_stopped) {
        bool fails[PROGRAM_SHRINK_BATCH];
        int asked[PROGRAM_SHRINK_BATCH];
        int kept[PROGRAM_SHRINK_BATCH];
        int count = 0;
        int kept_count = 0;
        for (; number < edits && count < PROGRAM_SHRINK_BATCH; number++) {
            shrinker->candidate[count] = *shrinker->best;
            if (apply(shrinker, number, &shrinker->candidate[count]))
                asked[count++] = number;
        }
        if (count == 0 || !ask(shrinker, count, fails))
            return false;
        for (int index = 0; index < count; index++)
            if (fails[index])
                kept[kept_count++] = asked[index];
        if (kept_count > 0) {
            adopt(shrinker, apply, kept, kept_count);
            return !shrinker->is_stopped;
        }
    }
    return false;
}

/* Halves first, then quarters, down to single statements, until none can go. */
static bool drop_statements(struct shrinker *shrinker)
{
    bool has_changed = false;
    shrinker->chunk = (shrinker->program.statement_count + 1) / 2;
    while (shrinker->chunk > 0 && !shrinker->is_stopped) {
        const int chunks =
            (shrinker->program.statement_count + shrinker->chunk - 1) / shrinker->chunk;
        if (use(shrinker, drop_of_chunk, chunks))
            has_changed = true;
        else
            shrinker->chunk = shrinker->chunk == 1 ? 0 : (shrinker->chunk + 1) / 2;
        if (shrinker->chunk > shrinker->program.statement_count)
            shrinker->chunk = (shrinker->program.statement_count + 1) / 2;
    }
    return has_changed;
}

void program_shrink(struct program_case *it, program_fails *fails, void *context)
{
    struct shrinker *shrinker = calloc(1, sizeof *shrinker);
    struct program_case *candidates = calloc(PROGRAM_SHRINK_BATCH, sizeof *candidates);
    if (shrinker != NULL && candidates != NULL) {
        *shrinker = (struct shrinker){
            .best = it, .candidate = candidates, .fails = fails, .context = context};
        program_case_make(it, &shrinker->program);
        bool has_changed = true;
        for (int round = 0; round < ROUNDS_MAX && has_changed && !shrinker->is_stopped; round++) {
            has_changed = use(shrinker, drop_of_group, OPERATION_GROUPS);
            has_changed |= drop_statements(shrinker);
            has_changed |= use(shrinker, set_threads, sizeof thread_counts);
            has_changed |= use(shrinker, set_argument,
                               shrinker->program.statement_count * PROGRAM_ARGUMENTS_MAX * SIMPLE);
        }
    }
    free(candidates);
    free(shrinker);
}
