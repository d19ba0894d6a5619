/* The one way that every measure goes, with a measure that takes nothing: in which order its
 * functions are called, how far it comes, what is written, and what the command ends with. */
#include <unistd.h>

#include "conformance/base/process.h"
#include "conformance/record/record_fields.h"
#include "conformance/session/session.h"
#include "conformance/test/made_json.h"
#include "spec/testing.h"

/* What the measure does, and what came of it. */
static struct {
    bool fails_open, fails_plan, is_interrupted;
    int plan_status;  /* 0: left as it is */
    const char *note; /* of a line with the verdict; NULL: no line */
    bool is_alike;    /* and of the next line */
    uint64_t count;   /* of what has the verdict; 0: one */
    enum verdict verdict;
    char way[128]; /* the functions that were called, in their order */
    enum verdict shown;
    char reason[FINDING_NOTE_BYTES];
} it;

struct state {
    struct session *session;
    int touched;
};

static void note(const char *name)
{
    strcat(strcat(it.way, it.way[0] ? " " : ""), name);
}

static bool open_nothing(void *context, struct session *session, struct options *options)
{
    struct state *state = context;
    note("open");
    ck_assert_int_eq(state->touched++, 0); /* all 0 */
    ck_assert_str_eq(session->command, "try");
    ck_assert_ptr_eq(session->options, options);
    ck_assert_ptr_nonnull(session->sink);
    state->session = session;
    return !it.fails_open;
}

static bool plan_nothing(void *context, int *ret_status)
{
    struct state *state = context;
    note("plan");
    ck_assert_int_eq(state->session->device_count, 1);
    ck_assert_int_eq(state->session->record_count, 0); /* no file where nothing is taken */
    state->session->plan.count = 7;
    if (it.plan_status)
        *ret_status = it.plan_status;
    return !it.fails_plan;
}

static void take_nothing(void *context)
{
    struct state *state = context;
    note("take");
    ck_assert_int_eq(state->session->record_count, state->session->options->record != NULL);
    struct zone *zone = &state->session->zone;
    session_write_line(state->session,
                       session_device_line(state->session, &state->session->devices[0], zone));
    if (it.note)
        for (int line = 0; line < 2; line++) /* the first is the reason */
            session_write_line(state->session,
                               LINE(zone, codegen, .subject = {.kernel = "matmul/tiled"},
                                    .verdict = it.verdict,
                                    .note = line && !it.is_alike ? "another" : it.note));
    if (it.is_interrupted)
        raise(SIGTERM);
}

static void settle_nothing(void *context)
{
    const struct state *state = context;
    note("settle");
    ck_assert(state->session->ended_s > 0);
}

static void judge_nothing(const void *context, struct outcome *ret)
{
    (void)context;
    note("judge");
    ret->counts[it.verdict] = it.count ? it.count : 1;
    ret->cases_done = 7;
    ret->verdict = it.verdict;
}

/* The summary is the last line that is shown. */
static void show_line(void *context, const struct line *line)
{
    const struct line_summary *summary = LINE_AS(summary, line);
    (void)context;
    if (summary == NULL)
        return;
    note("end");
    it.shown = summary->verdict;
    snprintf(it.reason, sizeof it.reason, "%s", summary->reason);
}

static void close_nothing(void *context)
{
    note("close");
    ck_assert_int_eq(((struct state *)context)->touched, 1);
}

static const struct measure nothing = {.command = "try",
                                       .state_bytes = sizeof(struct state),
                                       .open = open_nothing,
                                       .plan = plan_nothing,
                                       .take = take_nothing,
                                       .settle = settle_nothing,
                                       .judge = judge_nothing,
                                       .close = close_nothing};

static const struct session_sink sink = {.line = show_line};

static const char whole_way[] = "open plan take settle judge end close";

/* Goes the way, out of the way of the test's own output. */
static int go(const struct measure *measure, const char *record, enum output_format format)
{
    static struct options options;
    options = (struct options){.device = "host", .paths = "all", .record = record};
    options.format = (int)format;
    options.exit_zero = format == FORMAT_TAP;
    it.way[0] = 0;
    testing_capture(STDOUT_FILENO);
    testing_capture(STDERR_FILENO);
    const int status = measure_run(measure, &options, &sink);
    testing_captured(STDERR_FILENO);
    testing_captured(STDOUT_FILENO);
    return status;
}

/* The lines of a record: a header, then what was taken, then the summary. */
struct lines {
    int count;
    enum verdict verdict;
    char reason[64], command[16];
    uint64_t planned;
};

static void take_line(void *context, const struct record_entry *entry)
{
    struct lines *lines = context;
    lines->count++;
    const struct line *line = line_read(made_zone(), entry->kind, entry->object);
    const struct line_header *header = LINE_AS(header, line);
    const struct line_summary *summary = LINE_AS(summary, line);
    if (header) {
        lines->planned = header->cases_planned;
        snprintf(lines->command, sizeof lines->command, "%s", header->command);
    }
    if (summary) {
        lines->verdict = summary->verdict;
        snprintf(lines->reason, sizeof lines->reason, "%s", summary->reason);
    }
}

static struct lines read_lines(const char *path)
{
    struct lines lines = {.verdict = VERDICT_COUNT};
    struct reason reason;
    ck_assert_msg(record_read(path, NULL, 0, take_line, &lines, &reason), "%s", reason.text);
    return lines;
}

START_TEST(every_verdict_goes_the_whole_way, "runner.exit.status")
{
    static const struct {
        enum verdict verdict;
        int status;
    } table[] = {{VERDICT_PASS, EXIT_STATUS_PASS},
                 {VERDICT_FAIL, EXIT_STATUS_FAIL},
                 {VERDICT_INCONCLUSIVE, EXIT_STATUS_INCONCLUSIVE},
                 {VERDICT_SKIP, EXIT_STATUS_NOTHING_RAN},
                 {VERDICT_ERROR, EXIT_STATUS_HARNESS}};
    const char *path = testing_file("");
    for (size_t row = 0; row < sizeof table / sizeof table[0]; row++) {
        it.verdict = table[row].verdict;
        ck_assert_int_eq(go(&nothing, path, FORMAT_TEXT), table[row].status);
        ck_assert_str_eq(it.way, whole_way);
        const struct lines lines = read_lines(path);
        ck_assert_int_eq(lines.count, 4);
        ck_assert_uint_eq(lines.planned, 7);
        ck_assert_str_eq(lines.command, "try");
        ck_assert_int_eq(lines.verdict, table[row].verdict);
    }
    it.verdict = VERDICT_FAIL;
    ck_assert_int_eq(go(&nothing, NULL, FORMAT_TAP), EXIT_STATUS_PASS); /* with --exit-zero */
    struct measure bare = nothing;
    bare.settle = NULL;
    ck_assert_int_eq(go(&bare, NULL, FORMAT_TEXT), EXIT_STATUS_FAIL);
    ck_assert_str_eq(it.way, "open plan take judge end close");
}

START_TEST(a_verdict_that_is_not_pass_has_a_reason, "verdicts.reason.given")
{
    static const struct {
        enum verdict verdict;
        const char *note, *reason;
        uint64_t count;
        bool is_alike;
    } table[] = {
        {VERDICT_PASS, NULL, "", 1, false},
        {VERDICT_INCONCLUSIVE, "no budget", "2 inconclusive, the first: matmul/tiled: no budget", 2,
         false},
        {VERDICT_SKIP, "no code", "2 skipped: no code", 2, true},
        {VERDICT_SKIP, "no code", "1 skipped: matmul/tiled: no code", 1, true},
        {VERDICT_ERROR, "no memory", "2 in error, the first: matmul/tiled: no memory", 2, false},
        {VERDICT_INCONCLUSIVE, NULL, "1 inconclusive", 1, false},
        {VERDICT_FAIL, "30 registers", "", 1, false}, /* the failure itself is shown */
    };
    const char *path = testing_file("");
    for (size_t row = 0; row < sizeof table / sizeof table[0]; row++) {
        it.verdict = table[row].verdict;
        it.note = table[row].note;
        it.count = table[row].count;
        it.is_alike = table[row].is_alike;
        go(&nothing, path, FORMAT_TEXT);
        ck_assert_str_eq(it.reason, table[row].reason);
        const struct lines lines = read_lines(path);
        ck_assert_str_eq(lines.reason, it.reason);
    }
}

START_TEST(what_fails_is_closed, "runner.exit.status")
{
    it.fails_open = true;
    ck_assert_int_eq(go(&nothing, NULL, FORMAT_TEXT), EXIT_STATUS_USAGE);
    ck_assert_str_eq(it.way, "open close");
    it.fails_open = false;
    it.fails_plan = true;
    ck_assert_int_eq(go(&nothing, "/tmp/assay-measure-none", FORMAT_TEXT), EXIT_STATUS_USAGE);
    ck_assert_str_eq(it.way, "open plan close");
    ck_assert_int_ne(access("/tmp/assay-measure-none", F_OK), 0);
    it.plan_status = EXIT_STATUS_NOTHING_RAN;
    ck_assert_int_eq(go(&nothing, NULL, FORMAT_TEXT), EXIT_STATUS_NOTHING_RAN);
    it.fails_plan = false;
    it.plan_status = 0;
    ck_assert_int_eq(go(&nothing, "/no/such/folder/r.json", FORMAT_TEXT), EXIT_STATUS_USAGE);
    ck_assert_str_eq(it.way, "open plan close");
}

START_TEST(an_interrupted_one_is_judged, "runner.signal.told")
{
    const char *path = testing_file("");
    it.is_interrupted = true;
    ck_assert_int_eq(go(&nothing, path, FORMAT_TEXT), EXIT_STATUS_INCONCLUSIVE);
    ck_assert_str_eq(it.way, whole_way);
    ck_assert_str_eq(it.reason, "interrupted before the end of the plan");
    const struct lines lines = read_lines(path);
    ck_assert_int_eq(lines.verdict, VERDICT_INCONCLUSIVE);
    ck_assert_str_eq(lines.reason, it.reason);
    it.verdict = VERDICT_FAIL; /* what had failed by then still counts */
    ck_assert_int_eq(go(&nothing, NULL, FORMAT_TEXT), EXIT_STATUS_FAIL);
}

START_TEST(a_record_that_cannot_be_written_is_an_error, "runner.output.watched")
{
    it.verdict = VERDICT_PASS;
    ck_assert_int_eq(go(&nothing, "/dev/full", FORMAT_TEXT), EXIT_STATUS_HARNESS);
    ck_assert_str_eq(it.way, whole_way);
    ck_assert_int_eq(it.shown, VERDICT_ERROR);
    ck_assert_str_eq(it.reason, "the output could not be written");
    it.verdict = VERDICT_FAIL; /* the verdict stays, and the status says that it was not written */
    ck_assert_int_eq(go(&nothing, "/dev/full", FORMAT_TEXT), EXIT_STATUS_HARNESS);
    ck_assert_int_eq(it.shown, VERDICT_FAIL);
}

START_TEST(printed_commands_have_both_files, "bandwidth.verdict.replay")
{
    char text[LIMIT_OPTIONS_BYTES];
    const char *const gpu = "g.json";
    ck_assert_str_eq(limit_options(NULL, "floors", NULL, text), "");
    ck_assert_str_eq(limit_options(NULL, "floors", "it's", text), " --floors 'it'\\''s'");
    ck_assert_str_eq(limit_options(gpu, "floors", gpu, text), " --gpu 'g.json'");
    ck_assert_str_eq(limit_options(gpu, "floors", "f.json", text),
                     " --gpu 'g.json' --floors 'f.json'");
}
