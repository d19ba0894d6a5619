/* Parts of a gate as processes, with measures that take nothing but their turns: when each begins
 * and ends, and where its record goes. */
#include <signal.h>
#include <stdatomic.h>
#include <sys/mman.h>
#include <unistd.h>

#include "conformance/base/process.h"
#include "conformance/gate/gate_parts.h"
#include "conformance/session/session.h"
#include "conformance/test/fake_worker.h"

enum { STUCK_S = 60 };

/* What all processes have written: a letter each time something begins or ends. */
static struct {
    atomic_int count;
    char letters[64];
    bool is_stuck; /* parts end by a signal alone */
} * events;

static void note(char letter)
{
    events->letters[atomic_fetch_add(&events->count, 1)] = letter;
}

static bool is_noted(char letter)
{
    return strchr(events->letters, letter) != NULL;
}

/* Parts that did not begin at once would never see each other. */
static void wait_until_noted(const char *letters)
{
    const double until_s = clock_now_s() + STUCK_S;
    for (; *letters; letters++)
        while ((events->is_stuck || !is_noted(*letters)) && clock_now_s() < until_s &&
               !stop_is_signalled())
            usleep(1000);
}

struct state {
    struct session *session;
};

static bool open_part(void *state, struct session *session, struct options *options)
{
    (void)options;
    ((struct state *)state)->session = session;
    return true;
}

static bool plan_nothing(void *state, int *ret_status)
{
    (void)state, (void)ret_status;
    return true;
}

static void take_first(void *state)
{
    struct token *opened = ((struct state *)state)->session->options->opened;
    note('a');
    if (opened)
        token_give(opened);
    wait_until_noted("bt");
    note('A');
}

static void take_second(void *state)
{
    (void)state;
    note('b');
    wait_until_noted("at");
    note('B');
}

static void take_timed(void *state)
{
    struct token *token = ((struct state *)state)->session->options->token;
    note('t');
    if (token && token_wait(token, 0))
        note('T');
}

static void judge(struct outcome *ret, const char *reason)
{
    ret->verdict = VERDICT_PASS;
    ret->counts[VERDICT_PASS] = 1;
    snprintf(ret->reason, sizeof ret->reason, "%s", reason);
}

static void judge_first(const void *state, struct outcome *ret)
{
    (void)state;
    judge(ret, "of the first");
}

static void judge_second(const void *state, struct outcome *ret)
{
    (void)state;
    judge(ret, "of the second");
}

static void judge_timed(const void *state, struct outcome *ret)
{
    (void)state;
    judge(ret, "of the timed");
}

static void close_nothing(void *state)
{
    (void)state;
}

#define MEASURE(part)                                                                              \
    static const struct measure part##_measure = {.command = #part,                                \
                                                  .noun = #part,                                   \
                                                  .state_bytes = sizeof(struct state),             \
                                                  .open = open_part,                               \
                                                  .plan = plan_nothing,                            \
                                                  .take = take_##part,                             \
                                                  .judge = judge_##part,                           \
                                                  .close = close_nothing};
MEASURE(first)
MEASURE(second)
MEASURE(timed)

static void adjust_nothing(struct options *options, const struct device_info *device)
{
    (void)device;
    (void)options;
}

/* In place of a gate's own. */
const struct gate_part gate_parts[] = {
    {"first", "one", false, false, NULL, adjust_nothing, &first_measure},
    {"second", "one", false, false, NULL, adjust_nothing, &second_measure},
    {"timed", "one", false, true, NULL, adjust_nothing, &timed_measure},
    {"of a GPU", "one", true, false, NULL, adjust_nothing, &first_measure},
};
const int gate_part_count = sizeof gate_parts / sizeof gate_parts[0];

/* A jobs that has begun, with the file of its gate. */
static struct gate_jobs *begin(const char *device, const char *path, bool is_stuck)
{
    static struct options options;
    static struct gate_jobs jobs;
    options.device = device;
    events = mmap(NULL, sizeof *events, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    ck_assert(events != MAP_FAILED);
    events->is_stuck = is_stuck;
    stop_catch_signals(); /* as a gate does */
    gate_jobs_begin(&jobs, &options, path);
    return &jobs;
}

START_TEST(what_is_timed_waits_for_all_others, "gate.parts.concurrent")
{
    char lines[65536] = "";
    const char *path = testing_file("");
    struct gate_jobs *jobs = begin("host", path, false);
    for (int index = 0; index < 3; index++)
        ck_assert_int_eq(gate_jobs_end(jobs, &gate_parts[index], index > 0), EXIT_STATUS_PASS);
    gate_jobs_abandon(jobs);
    ck_assert_int_eq(events->count, 6);
    ck_assert_int_eq(events->letters[0], 'a'); /* it opens its devices first */
    ck_assert_int_eq(events->letters[5], 'T');
    FILE *file = fopen(path, "r");
    ck_assert_ptr_nonnull(file);
    ck_assert_uint_gt(fread(lines, 1, sizeof lines - 1, file), 0);
    fclose(file);
    const char *first = strstr(lines, "of the first"), *second = strstr(lines, "of the second");
    const char *timed = strstr(lines, "of the timed");
    ck_assert(first && second && timed && first < second && second < timed);
}

/* Its own file has no name that a kill could leave behind. */
START_TEST(what_is_abandoned_measures_nothing, "gate.parts.concurrent", "gate.parts.files")
{
    char own[64], file[64] = "";
    struct gate_jobs *jobs = begin("host", testing_file(""), false);
    wait_until_noted("t");
    snprintf(own, sizeof own, "%s", jobs->each[2].record);
    ck_assert_int_gt(readlink(own, file, sizeof file - 1), 0);
    ck_assert_msg(strncmp(file, "/memfd:", 7) == 0, "%s", file);
    ck_assert_int_eq(gate_jobs_end(jobs, &gate_parts[0], false), EXIT_STATUS_PASS);
    gate_jobs_abandon(jobs);
    ck_assert(!is_noted('T'));
    ck_assert_int_ne(access(own, F_OK), 0);
}

START_TEST(one_without_its_gpu_is_not_due, "gate.parts.gpu")
{
    enum verdict verdict = VERDICT_PASS;
    struct gate_jobs *jobs = begin("host", testing_file(""), false);
    ck_assert_str_eq(gate_jobs_why_not(jobs, &gate_parts[3], &verdict), "no GPU");
    ck_assert_int_eq(verdict, VERDICT_SKIP);
    ck_assert_int_eq(jobs->each[3].pid, 0);
    gate_jobs_abandon(jobs);
}

/* A second process would find such a GPU taken. */
START_TEST(one_process_at_a_time_has_the_gpu, "gate.parts.exclusive")
{
    for (int is_exclusive = 0; is_exclusive < 2; is_exclusive++) {
        fake_worker_script(is_exclusive ? "exclusive" : "pass");
        struct gate_jobs *jobs = begin("cuda:0", testing_file(""), false);
        ck_assert_msg(jobs->devices.is_made, "%s", jobs->devices.line);
        for (int index = 0; index < gate_part_count; index++)
            ck_assert_int_eq(jobs->each[index].pid > 0, !is_exclusive);
        gate_jobs_abandon(jobs);
    }
}

/* It came before anything waited for the part. */
START_TEST(an_early_signal_ends_a_part, "gate.parts.apart")
{
    struct gate_jobs *jobs = begin("host", testing_file(""), true);
    const double began_s = clock_now_s();
    raise(SIGTERM);
    gate_jobs_end(jobs, &gate_parts[0], false);
    gate_jobs_abandon(jobs);
    ck_assert(is_noted('A'));
    ck_assert(clock_now_s() - began_s < STUCK_S);
}
