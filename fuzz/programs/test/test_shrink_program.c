/* The shrinker of programs: keeps the failure, ends at a program from which nothing can be taken.
 */
#include "fuzz/programs/program_case.h"

#include "fuzz/programs/test/program_check.h"
#include "spec/testing.h"

/* A made-up miscompile: an operation followed by another one on its result, in that many threads.
 */
struct bug {
    enum operation_id first, second;
    uint32_t threads;
    int batches;
    int stops_after; /* batches; 0: never */
};

static struct program program;

/* The second one reads what the first one wrote, with no write between, as far as text shows. */
static bool shows(const struct bug *bug, const struct program_case *it)
{
    int statement;
    program_case_make(it, &program);
    ck_assert_ptr_null(program_check(&program, &statement));
    if (program.threads < bug->threads)
        return false;
    int written = -1;
    for (int index = 0; index < program.statement_count; index++) {
        const struct program_statement *at = &program.statement[index];
        for (int place = 0; written >= 0 && at->operation == bug->second && place < 4; place++)
            if (at->argument[place].kind == ARGUMENT_VARIABLE &&
                at->argument[place].variable == written)
                return true;
        if (at->operation == bug->first)
            written = at->result;
        else if (operation_has_result(&operations[at->operation]) && at->result == written)
            written = -1;
    }
    return false;
}

static bool ask(void *context, const struct program_case *cases, int count, bool *ret_fails)
{
    struct bug *bug = context;
    ck_assert_int_le(count, PROGRAM_SHRINK_BATCH);
    for (int index = 0; index < count; index++)
        ret_fails[index] = shows(bug, &cases[index]);
    return ++bug->batches != bug->stops_after;
}

/* The first program of the run in which it shows. */
static void find(const struct bug *bug, uint64_t *index, struct program_case *ret)
{
    do
        program_case_pick(1, (*index)++, ret);
    while (!shows(bug, ret));
}

static const struct bug bugs[] = {
    {.first = OPERATION_add, .second = OPERATION_prmt, .threads = 1},
    {.first = OPERATION_shl, .second = OPERATION_setp_lt, .threads = 33},
    {.first = OPERATION_bfe, .second = OPERATION_sad, .threads = 2},
    {.first = OPERATION_cvt_s8, .second = OPERATION_global_store, .threads = 1},
    {.first = OPERATION_shfl_bfly, .second = OPERATION_dp4a, .threads = 32},
};

START_TEST(what_fails_shrinks_to_what_matters, "program_cases.shrink.least")
{
    for (size_t row = 0; row < sizeof bugs / sizeof *bugs; row++) {
        uint64_t index = 0;
        for (int found = 0; found < 2; found++) {
            struct bug bug = bugs[row];
            static struct program_case it;
            find(&bug, &index, &it);
            program_shrink(&it, ask, &bug);
            ck_assert(shows(&bug, &it));
            ck_assert_int_eq(program.statement_count, 2);
            ck_assert_uint_eq(it.threads, bug.threads);
            ck_assert_int_le(bug.batches, 60);
            int variables = 0;
            for (int place = 0; place < 4; place++)
                for (int at = 0; at < 2; at++)
                    variables += program.statement[at].argument[place].kind == ARGUMENT_VARIABLE;
            ck_assert_int_eq(variables, 1); /* the result of the first one */
        }
    }
}

START_TEST(a_shrink_that_is_stopped_fails_still, "program_cases.shrink.kept")
{
    for (int batches = 1; batches < 12; batches++) {
        struct bug bug = bugs[0];
        uint64_t index = 0;
        static struct program_case it;
        find(&bug, &index, &it);
        bug.stops_after = batches;
        program_shrink(&it, ask, &bug);
        ck_assert_int_eq(bug.batches, batches);
        ck_assert(shows(&bug, &it));
    }
}
