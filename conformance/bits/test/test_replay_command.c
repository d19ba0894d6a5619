/* The command that runs a check again. */
#include "conformance/bits/run.h"
#include "conformance/test/made_subject.h"

/* A case of one of a finding's jobs, through that kernel. */
static void put_job(struct sequence *history, const char *line, const char *kernel)
{
    static struct subject checks[POOL_HISTORY_MAX];
    struct subject *check = &checks[history->count];
    struct job *job = &history->jobs[history->count++];
    job->test_case = made_case(line);
    *check = made_subject(0, made_kernel(kernel), "host");
    job->checks = check;
    job->check_count = 1;
}

START_TEST(a_replay_command_names_every_case_and_kernel, "runner.replay.sequence")
{
    struct run *run = testing_new(sizeof *run);
    struct session *session = testing_new(sizeof *session);
    struct sequence *history = testing_new(sizeof *history);
    char text[RUN_REPLAY_BYTES];
    struct options options = {.gpu = NULL};
    session->options = &options;
    session->device_count = 1;
    session->devices[0].info.id = device_host;
    run->session = session;
    put_job(history, "aat m=3 k=2 fill=uniform seed=4", "aat/naive");
    put_job(history, "offset_copy n=9 fill=uniform seed=2", "offset_copy/scalar");
    put_job(history, "aat m=4 k=2 fill=uniform seed=4", "aat/naive");
    put_job(history, "offset_copy n=7 fill=uniform seed=2", "offset_copy/vector");
    struct run_finding finding = {.test_case = history->jobs[3].test_case,
                                  .subject = history->jobs[3].checks[0],
                                  .history = history};
    run_replay_command(run, &finding, text, sizeof text);
    ck_assert_str_eq(text, "assay replay --device host"
                           " 'offset_copy n=7 fill=uniform seed=2' offset_copy/vector");
    finding.needs_history = true;
    options.gpu = "its gpu.json";
    run_replay_command(run, &finding, text, sizeof text);
    ck_assert_str_eq(text, "assay replay --device host --gpu 'its gpu.json'"
                           " --after 'aat m=3 k=2 fill=uniform seed=4'"
                           " --after 'offset_copy n=9 fill=uniform seed=2'"
                           " --after 'aat m=4 k=2 fill=uniform seed=4'"
                           " 'offset_copy n=7 fill=uniform seed=2'"
                           " aat/naive offset_copy/scalar offset_copy/vector");
}
