/* Workers that are asked for programs: who is asked again, and when another is started. */
#include <signal.h>

#include "conformance/base/process.h"
#include "conformance/test/made_programs.h"

enum { ASKED = 3 };

static struct programs_row only;

static const struct options options = {.timeout_s = 5};

static struct asked {
    int count;
    enum verdict verdicts[ASKED];
} asked;

static bool ask(void *context, struct client *client)
{
    struct program_answer *answer = testing_new(sizeof *answer);
    programs_ask(context, client, &(struct programs_asked){.lines = "", .count = 1}, answer);
    asked.verdicts[asked.count++] = answer->finding.verdict;
    return asked.count < ASKED;
}

static void ask_all(struct programs *programs)
{
    clients_work(programs->clients, ask, programs);
}

/* A worker whose context is lost would answer for all later programs; any other is kept. */
START_TEST(a_lost_context_answers_no_more, "verdicts.crash.reported")
{
    static const struct {
        const char *script;
        int workers, crashes, passes;
    } rows[] = {
        {"pass", 1, 0, ASKED}, {"uncompiled", 1, ASKED, 0}, {"lost lost pass", ASKED, 2, 1}};
    for (size_t row = 0; row < sizeof rows / sizeof rows[0]; row++) {
        int crashes = 0, passes = 0;
        asked.count = 0;
        made_programs_work(made_programs(&options, &only, 1), rows[row].script, ask_all);
        ck_assert_int_eq(asked.count, ASKED);
        for (int index = 0; index < ASKED; index++) {
            crashes += asked.verdicts[index] == VERDICT_CRASH;
            passes += asked.verdicts[index] == VERDICT_PASS;
        }
        ck_assert_int_eq(crashes, rows[row].crashes);
        ck_assert_int_eq(passes, rows[row].passes);
        ck_assert_int_eq(fake_worker_count(), rows[row].workers);
    }
}

START_TEST(a_gpu_has_sixteen_workers, "runner.workers.default")
{
    static const struct {
        int cores, gpus, workers;
    } rows[] = {{2, 1, 2},    {16, 1, 16}, {64, 1, 16}, {64, 4, 64},
                {128, 4, 64}, {16, 8, 16}, {64, 0, 64}};
    for (size_t row = 0; row < sizeof rows / sizeof rows[0]; row++)
        ck_assert_int_eq(programs_workers(rows[row].cores, rows[row].gpus), rows[row].workers);
}

static bool ask_two(void *context, struct client *client)
{
    struct programs *programs = context;
    struct program_answer *answer = testing_new(sizeof *answer);
    programs_ask(programs, client, &(struct programs_asked){.lines = "", .count = 2}, answer);
    only.broken = answer->finding;
    return false;
}

static void ask_for_two(struct programs *programs)
{
    clients_work(programs->clients, ask_two, programs);
}

START_TEST(an_answer_is_of_all_programs, "program_runs.count.whole")
{
    made_programs_work(made_programs(&options, &only, 1), "pass", ask_for_two);
    ck_assert_int_eq(only.broken.verdict, VERDICT_ERROR);
    ck_assert_str_eq(only.broken.note, "the worker answered for 1 programs of 2");
}

/* A worker that says itself that it cannot go on, for want of memory, accuses nobody. */
START_TEST(a_worker_that_gives_up_is_the_harness, "verdicts.error.host")
{
    static const struct {
        int status;
        enum verdict verdict;
    } rows[] = {{EXIT_STATUS_HARNESS << 8, VERDICT_ERROR},
                {1 << 8, VERDICT_CRASH},
                {SIGSEGV, VERDICT_CRASH}};
    for (size_t row = 0; row < sizeof rows / sizeof rows[0]; row++) {
        struct client client = {.wait_status = rows[row].status};
        struct finding finding;
        client_blame(&client, false, &finding);
        ck_assert_int_eq(finding.verdict, rows[row].verdict);
    }
}
