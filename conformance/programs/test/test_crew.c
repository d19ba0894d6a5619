/* Workers that are asked for programs: who is asked again, and when another is started. */
#include <stdlib.h>

#include "conformance/base/stop.h"
#include "conformance/programs/crew.h"
#include "conformance/test/fake_worker.h"
#include "spec/testing.h"

enum { ASKED = 3 };

struct asked {
    int count;
    enum verdict verdicts[ASKED];
};

static bool ask(void *context, struct crew_hand *hand)
{
    struct asked *asked = context;
    struct program_job job = {.limit_s = 5, .count = 1};
    struct program_answer *answer = malloc(sizeof *answer);
    crew_ask(hand, &job, sizeof job, answer);
    asked->verdicts[asked->count++] = answer->finding.verdict;
    free(answer);
    return asked->count < ASKED;
}

/* A worker whose context is lost would answer for all later programs; any other is kept. */
START_TEST(a_lost_context_answers_no_more)
{
    CLAUSE("verdicts.crash.reported");
    static const struct {
        const char *script;
        int workers, crashes, passes;
    } rows[] = {
        {"pass", 1, 0, ASKED}, {"uncompiled", 1, ASKED, 0}, {"lost lost pass", ASKED, 2, 1}};
    for (size_t row = 0; row < sizeof rows / sizeof rows[0]; row++) {
        static struct options options;
        struct session *session = calloc(1, sizeof *session);
        struct asked asked = {.count = 0};
        int crashes = 0, passes = 0;
        session->options = &options;
        session->device_count = 1;
        fake_worker_script(rows[row].script);
        struct crew *crew = crew_open(session, 1);
        ck_assert_ptr_nonnull(crew);
        crew_work(crew, ask, &asked);
        crew_close(crew);
        ck_assert_int_eq(asked.count, ASKED);
        for (int index = 0; index < ASKED; index++) {
            crashes += asked.verdicts[index] == VERDICT_CRASH;
            passes += asked.verdicts[index] == VERDICT_PASS;
        }
        ck_assert_int_eq(crashes, rows[row].crashes);
        ck_assert_int_eq(passes, rows[row].passes);
        ck_assert_int_eq(fake_worker_count(), rows[row].workers);
        free(session);
    }
}
END_TEST

static bool ask_two(void *context, struct crew_hand *hand)
{
    struct finding *finding = context;
    struct program_job job = {.limit_s = 5, .count = 2};
    struct program_answer *answer = malloc(sizeof *answer);
    crew_ask(hand, &job, sizeof job, answer);
    *finding = answer->finding;
    free(answer);
    return false;
}

START_TEST(an_answer_is_of_all_programs)
{
    CLAUSE("program_runs.count.whole");
    static struct options options;
    struct session *session = calloc(1, sizeof *session);
    struct finding finding;
    session->options = &options;
    session->device_count = 1;
    fake_worker_script("pass");
    struct crew *crew = crew_open(session, 1);
    ck_assert_ptr_nonnull(crew);
    crew_work(crew, ask_two, &finding);
    crew_close(crew);
    ck_assert_int_eq(finding.verdict, VERDICT_ERROR);
    ck_assert_str_eq(finding.note, "the worker answered for 1 programs of 2");
    free(session);
}
END_TEST

int main(int argc, char **argv)
{
    return fake_worker_begin(argc, argv);
}
