/* Which programs a run has that names none. */
#include "conformance/programs/programs.h"

#include "conformance/programs/known.h"
#include "cpu_ref/programs/operations.h"
#include "conformance/model/program_text.h"
#include "spec/testing.h"

/* The same programs each time, whatever seed the user gives; a deep run searches. */
START_TEST(tiers_have_the_same_programs, "program_runs.tiers.same")
{
    struct options options = {.seed = 5, .tier = TIER_SMOKE},
                   other = {.seed = 6, .tier = TIER_SMOKE};
    programs_take_tier(&options);
    programs_take_tier(&other);
    ck_assert_uint_eq(options.programs, 200);
    ck_assert_uint_eq(options.seed, other.seed);
    other = (struct options){.seed = 6, .tier = TIER_STANDARD, .given.seed = true};
    programs_take_tier(&other);
    ck_assert_uint_eq(other.programs, 5000);
    ck_assert_uint_eq(other.seed, options.seed);
    ck_assert(other.same_programs);
    other = (struct options){.seed = 6, .tier = TIER_DEEP};
    programs_take_tier(&other);
    ck_assert_uint_eq(other.seed, 6);
    ck_assert(!other.same_programs);
}

/* A search that --time ended sooner than tier standard would is undecided. */
START_TEST(a_short_search_is_undecided, "program_runs.tiers.deep")
{
    struct options options = {.seed = 6, .tier = TIER_DEEP};
    struct session session = {.options = &options, .out_of_time = true};
    for (uint64_t count = 4999; count <= 5000; count++) {
        struct programs_row row = {.path = path_find("ptx"), .planned = count};
        struct programs programs = {.session = &session,
                                    .rows = &row,
                                    .row_count = 1,
                                    .count = UINT64_MAX,
                                    .is_endless = true};
        struct outcome outcome = {.verdict = VERDICT_PASS};
        row.counts[VERDICT_PASS] = count;
        programs_measure.judge(&programs, &outcome);
        free(outcome.phases);
        ck_assert_int_eq(outcome.verdict, count < 5000 ? VERDICT_INCONCLUSIVE : VERDICT_PASS);
        ck_assert_str_eq(outcome.reason,
                         count < 5000
                             ? "--time ended it after 4999 programs, fewer than in tier standard"
                             : "--time ended it after 5000 programs");
    }
}

/* That many in place of the tier's; 0 leaves the part of a gate out, by that word. */
START_TEST(a_gate_has_as_many_as_are_named, "program_runs.tiers.chosen")
{
    struct options options = {.tier = TIER_STANDARD, .programs = 7, .given.programs = true};
    programs_take_tier(&options);
    ck_assert_uint_eq(options.programs, 7);
    ck_assert_ptr_null(programs_left_out(&options));
    options.programs = 0;
    ck_assert_str_eq(programs_left_out(&options), "--programs 0");
    options.given.programs = false;
    ck_assert_ptr_null(programs_left_out(&options));
}

/* Programs of tier standard whose code of ptxas 12.0.140 has an instruction without an opcode: a
 * barrier of what another one gave, or of what has no thread's number in it. */
START_TEST(barriers_of_what_all_threads_share_are_avoided, "program_runs.known.avoided")
{
    static const struct {
        uint64_t number;
        const char *line;
    } rows[] = {{435, "seed=543344851093 statements=70 threads=17 drop=12,21,29"},
                {1587, "seed=537465222404 statements=91 threads=96 drop=18,63"},
                {1757, "seed=212464751348 statements=77 threads=128 drop=4,38"},
                {2721, "seed=615907246197 statements=68 threads=128 drop=36"},
                {3531, "seed=465703691246 statements=59 threads=128 drop=50"},
                {3672, "seed=392130779112 statements=88 threads=128 drop=6,13"},
                {4596, "seed=990795885528 statements=90 threads=64 drop=51,83"}};
    static const char before[] = "program version=2 ";
    struct program_case *it = testing_new(sizeof *it);
    char *line = testing_new(PROGRAM_TEXT_BYTES);
    struct known_list list;
    struct reason reason;
    ck_assert_msg(known_open(NULL, &list, &reason), "%s", reason.text);
    for (int row = 0; row < list.count; row++)
        list.is_avoided[row] = strncmp(list.rows[row].trigger, "barrier_", 8) == 0 &&
                               known_has(&list.rows[row], "ptxas", "12.0.140");
    for (size_t row = 0; row < sizeof rows / sizeof rows[0]; row++) {
        program_case_pick(PROGRAMS_SEED, rows[row].number, it);
        known_avoid(&list, it);
        program_case_print(it, line);
        ck_assert_str_eq(line + sizeof before - 1, rows[row].line);
    }
    known_close(&list);
}

/* Each program of the plan is in one shard, with its own text; and each operation's. */
START_TEST(shards_have_the_programs_of_the_plan, "shard.plan.dealt", "shard.plan.same")
{
    enum { PLANNED = 100, SHARDS = 3 };
    struct options options = {.seed = PROGRAMS_SEED, .triggers = true};
    struct session session = {.options = &options, .device_count = 1};
    struct programs_row row = {.path = path_find("ptx")};
    struct programs programs = {.session = &session, .rows = &row, .row_count = 1};
    programs.operation_count = operation_programs();
    programs.planned = programs.count = (uint64_t)programs.operation_count + PLANNED;
    char *whole = programs_lines_of(&programs, 0, (int)programs.count);
    uint64_t lines = 0, checked = 0;
    for (uint32_t number = 1; number <= SHARDS; number++) {
        struct zone zone = {.blocks = NULL};
        session.plan.shard = (struct shard){number, SHARDS, false};
        programs.count = shard_size(&session.plan.shard, programs.planned);
        char *own = programs_lines_of(&programs, 0, (int)programs.count);
        const char *at = own, *of_plan = whole;
        for (uint64_t index = 0; index < programs.planned; index++) {
            const size_t letters = strcspn(of_plan, "\n") + 1;
            if (shard_has(&session.plan.shard, programs.planned, index)) {
                ck_assert_int_eq(strncmp(at, of_plan, letters), 0);
                at += letters;
                lines++;
            }
            of_plan += letters;
        }
        ck_assert_str_eq(at, "");
        programs_open_operations(&programs);
        for (uint64_t place = 0; place < programs.count; place++)
            programs_note_operation(&programs, 0, place, VERDICT_PASS);
        const struct line_operations *line =
            LINE_AS(operations, programs_operations_line(&programs, 0, &zone));
        ck_assert_int_eq(line->verdict, VERDICT_PASS);
        ck_assert(line->right == line->planned && line->planned < (uint64_t)operation_count);
        checked += line->programs;
        zone_free(&zone);
        free(programs.operations);
        free(own);
    }
    ck_assert_uint_eq(lines, programs.planned);
    ck_assert_uint_eq(checked, (uint64_t)programs.operation_count);
    /* A program's number in the record is that of the plan. */
    session.plan.shard = (struct shard){2, SHARDS, false};
    programs.count = shard_size(&session.plan.shard, programs.planned);
    ck_assert_uint_eq(programs_number(&programs, 0),
                      shard_at(&session.plan.shard, programs.planned, 0));
    ck_assert_uint_gt(programs_number(&programs, 0), 0);
    session.plan.shard.is_same = true;
    ck_assert_uint_eq(programs_number(&programs, 5), 5);
    free(whole);
}
