/* Parts as processes, with measures that take nothing but their turns: when each begins and ends,
 * and where its record goes. */
#include <fcntl.h>
#include <signal.h>
#include <stdatomic.h>
#include <sys/mman.h>
#include <unistd.h>

#include "conformance/base/process.h"
#include "conformance/record/record_fields.h"
#include "conformance/session/parts.h"
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
                                                  .state_bytes = sizeof(struct state),             \
                                                  .open = open_part,                               \
                                                  .plan = plan_nothing,                            \
                                                  .take = take_##part,                             \
                                                  .judge = judge_##part,                           \
                                                  .close = close_nothing};
MEASURE(first)
MEASURE(second)
MEASURE(timed)

enum { FIRST, SECOND, TIMED, PARTS };
static const char *const part_names[] = {"first", "second", "timed", NULL};

/* All that its parts wrote, in the order in which it came. */
static char arrived[256];

static void take_line(void *context, const struct session_part *part,
                      const struct record_entry *entry)
{
    (void)context;
    if (entry->kind == RECORD_summary)
        strcat(strcat(arrived, " "), part->name);
}

/* " try first: of the first." for each record of the file. */
static void take_names(void *context, const struct record_entry *entry)
{
    const json_t *it = entry->object;
    char *text = context;
    if (entry->kind == RECORD_header)
        sprintf(text + strlen(text), " %s %s", json_string_value(json_object_get(it, "command")),
                json_string_value(json_object_get(it, "part")));
    else if (entry->kind == RECORD_summary)
        sprintf(text + strlen(text), ": %s.", json_string_value(json_object_get(it, "reason")));
}

/* Parts that have begun, with the file of their records. */
static struct parts *begin(const char *device, const char *path, bool is_stuck)
{
    static const struct measure *const measures[PARTS] = {&first_measure, &second_measure,
                                                          &timed_measure};
    static struct options options;
    static struct probe_choice chosen;
    struct reason reason;
    options = (struct options){.device = device, .record = path};
    events = mmap(NULL, sizeof *events, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    ck_assert(events != MAP_FAILED);
    events->is_stuck = is_stuck;
    arrived[0] = 0;
    stop_catch_signals(); /* as a gate does */
    ck_assert_msg(session_choose("try", &options, &chosen), "%s", chosen.line);
    struct parts *parts = parts_open("try", &options, false, &chosen, part_names, &reason);
    ck_assert_msg(parts != NULL, "%s", reason.text);
    parts->take = take_line;
    parts->are_at_once = !probe_is_exclusive(&chosen);
    for (int index = 0; index < PARTS; index++) {
        struct session_part *part = parts_add(parts, part_names[index], measures[index], &options);
        part->options.format = FORMAT_TEXT;
        part->is_timed = index == TIMED;
    }
    parts_begin(parts);
    return parts;
}

/* The verdicts of the parts as they arrived, and the file, whose lines say whose they are. */
START_TEST(what_is_timed_waits_for_all_others, "gate.parts.concurrent", "record.parts.marked")
{
    const char *path = testing_file("");
    struct reason reason;
    struct parts *parts = begin("host", path, false);
    for (int index = 0; index < PARTS; index++)
        ck_assert_int_eq(parts_end(parts, &parts->each[index]), EXIT_STATUS_PASS);
    ck_assert_int_eq(events->count, 6);
    ck_assert_int_eq(events->letters[0], 'a'); /* it opens its devices first */
    ck_assert_int_eq(events->letters[5], 'T');
    ck_assert_str_eq(parts->each[FIRST].why, "of the first");
    ck_assert_str_eq(parts->each[SECOND].why, "of the second");
    ck_assert_int_eq(parts->each[TIMED].verdict, VERDICT_PASS);
    ck_assert(parts_close(parts));
    ASSERT_HAS(arrived, " timed");
    ck_assert_uint_eq(strlen(arrived), strlen(" first second timed"));
    char words[512] = "";
    ck_assert_msg(records_read(path, NULL, 0, take_names, words, &reason), "%s", reason.text);
    ck_assert_str_eq(words, " try first: of the first. try second: of the second. try timed: of "
                            "the timed.");
}

START_TEST(what_is_abandoned_measures_nothing, "gate.parts.concurrent", "gate.parts.files")
{
    struct parts *parts = begin("host", testing_file(""), false);
    ck_assert_int_eq(parts_end(parts, &parts->each[FIRST]), EXIT_STATUS_PASS);
    parts_abandon(parts);
    ck_assert(is_noted('t') && !is_noted('T'));
    ck_assert_int_eq(parts->each[TIMED].verdict, VERDICT_INCONCLUSIVE);
    ck_assert(parts_close(parts));
}

/* A second process would find such a GPU taken. */
START_TEST(one_process_at_a_time_has_the_gpu, "gate.parts.exclusive")
{
    for (int is_exclusive = 0; is_exclusive < 2; is_exclusive++) {
        fake_worker_script(is_exclusive ? "exclusive" : "pass");
        struct parts *parts = begin("cuda:0", testing_file(""), false);
        for (int index = 0; index < PARTS; index++)
            ck_assert_int_eq(parts->each[index].has_begun, !is_exclusive);
        parts_abandon(parts);
        ck_assert(parts_close(parts));
    }
}

/* It came before anything waited for the part. */
START_TEST(an_early_signal_ends_a_part, "gate.parts.apart")
{
    struct parts *parts = begin("host", testing_file(""), true);
    const double began_s = clock_now_s();
    raise(SIGTERM);
    parts_end(parts, &parts->each[FIRST]);
    parts_abandon(parts);
    ck_assert(is_noted('A'));
    ck_assert(clock_now_s() - began_s < STUCK_S);
    ck_assert(parts_close(parts));
}

/* Its lines are in the file, and the others go on. */
START_TEST(one_that_is_killed_is_said, "gate.parts.apart")
{
    struct parts *parts = begin("host", testing_file(""), true);
    while (!is_noted('b') || !is_noted('t'))
        usleep(1000);
    ck_assert_int_eq(kill(parts->each[SECOND].watch.pid, SIGKILL), 0);
    ck_assert_int_eq(parts_end(parts, &parts->each[SECOND]), EXIT_STATUS_HARNESS);
    events->is_stuck = false;
    ck_assert(parts->each[SECOND].has_record);
    ck_assert_int_eq(parts->each[SECOND].verdict, VERDICT_COUNT);
    ck_assert_int_eq(parts_end(parts, &parts->each[FIRST]), EXIT_STATUS_PASS);
    ck_assert_int_eq(parts_end(parts, &parts->each[TIMED]), EXIT_STATUS_PASS);
    ck_assert(parts_close(parts));
}

/* What is no line of a record does not go into the file, and the command fails. */
START_TEST(a_part_that_sends_something_else_is_refused, "gate.parts.apart")
{
    const char *path = testing_file("");
    struct reason reason;
    struct parts *parts = begin("host", path, true);
    while (!is_noted('t'))
        usleep(1000);
    int lines[2];
    ck_assert_int_eq(pipe2(lines, O_NONBLOCK), 0);
    ck_assert_int_eq(dup2(lines[0], parts->each[SECOND].lines_fd),
                     parts->each[SECOND].lines_fd); /* in place of the part's own */
    ck_assert_int_eq(write(lines[1], "{\"cake\":1}\n", 11), 11);
    parts_end(parts, &parts->each[SECOND]);
    parts_abandon(parts);
    ASSERT_HAS(parts->error, "no line of a record");
    ck_assert(!parts_close(parts));
    char words[512] = "";
    ck_assert_msg(records_read(path, NULL, 0, take_names, words, &reason), "%s", reason.text);
}

/* A file that is new and gets nothing is removed, and an older one stays as it was. */
START_TEST(without_a_line_the_file_is_untouched, "gate.file.held")
{
    static struct options options;
    static struct probe_choice chosen;
    const char *path = testing_file("what was there\n");
    struct reason reason;
    for (int is_new = 0; is_new < 2; is_new++) {
        char text[64] = "";
        options.record = path;
        struct parts *parts = parts_open("try", &options, false, &chosen, part_names, &reason);
        ck_assert_msg(parts != NULL, "%s", reason.text);
        ck_assert_ptr_null(parts_open("try", &options, false, &chosen, part_names, &reason));
        ASSERT_HAS(reason.text, "another program is writing it");
        ck_assert(parts_close(parts));
        FILE *file = fopen(path, "r");
        ck_assert(is_new ? file == NULL : fgets(text, sizeof text, file) != NULL);
        ck_assert_str_eq(text, is_new ? "" : "what was there\n");
        if (file)
            fclose(file);
        unlink(path);
    }
}
