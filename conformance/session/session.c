/* The devices and records of a session, and its end (session.h). Clauses:
 * runner.device.path, runner.device.expected, runner.exit.status, runner.worker.closed,
 * shard.verdict.never. */
#include "conformance/session/session.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "conformance/base/file.h"
#include "conformance/base/heap.h"
#include "conformance/base/process.h"

bool session_select(struct session *session, const char *const *patterns, int count)
{
    struct reason reason;
    session->plan.paths = session->options->paths;
    if (plan_select(&session->plan, patterns, count, &reason))
        return true;
    fprintf(stderr, "assay %s: %s\n", session->command, reason.text);
    return false;
}

bool session_is_emulated(const struct session *session)
{
    return device_kind(&session->devices[0].info)->is_emulated;
}

bool session_is_exclusive(const struct session *session)
{
    bool is_exclusive = false;
    for (int index = 0; index < session->device_count; index++)
        is_exclusive =
            is_exclusive || session->devices[index].info.compute_mode != CU_COMPUTE_MODE_DEFAULT;
    return is_exclusive;
}

bool session_open_client(void *context, int device, struct client *client,
                         struct reason *ret_reason)
{
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER; /* of what workers say of devices */
    struct session *session = context;
    struct session_device *it = &session->devices[device];
    pthread_mutex_lock(&lock);
    struct device_info info = it->info;
    pthread_mutex_unlock(&lock);
    const struct message_open open = {
        .id = info.id, .index = info.index, .threads = 1, .careful = 1, .sharers = 1};
    if (!client_open(client, &open, &info, ret_reason))
        return false;
    pthread_mutex_lock(&lock);
    /* Written only where it says something new, as others may look at it. What its padding holds is
     * no matter: then it is written once more. */
    if (!it->opened ||
        memcmp((const unsigned char *)&it->info, (const unsigned char *)&info, sizeof info) != 0)
        it->info = info;
    it->opened = true;
    pthread_mutex_unlock(&lock);
    return true;
}

/* Opens the records that the options ask for. False when one cannot be: a line has said why. */
static bool open_records(struct session *session)
{
    struct reason reason;
    const char *paths[2] = {session->options->record,
                            session->options->format == FORMAT_JSON ? "-" : NULL};
    if (session->options->channel) {
        session->records[session->record_count++] = record_of_pipe(session->options->channel);
        return true;
    }
    for (int index = 0; index < 2; index++) {
        struct record *record = paths[index] ? record_create(paths[index], &reason) : NULL;
        if (paths[index] && record == NULL) {
            fprintf(stderr, "assay %s: %s\n", session->command, reason.text);
            return false;
        }
        if (record)
            session->records[session->record_count++] = record;
    }
    return true;
}

/* Of several reasons the first is said. */
static void stop_output(struct session *session, const char *what, const char *why)
{
    if (!session->output_failed)
        fprintf(stderr, "assay: %s%s; the run stops\n", what, why);
    session->output_failed = true;
    stop_signal = SIGPIPE;
}

void session_explain(struct session *session, enum verdict verdict, const char *what,
                     const char *why)
{
    char cut[sizeof session->why[0].why];
    if (verdict >= VERDICT_COUNT || !verdict_has_finding(verdict))
        return;
    snprintf(cut, sizeof cut, "%s", why);
    if (session->why[verdict].is_given) {
        session->why[verdict].differs |= strcmp(session->why[verdict].why, cut) != 0;
        return;
    }
    session->why[verdict].is_given = true;
    memcpy(session->why[verdict].why, cut, sizeof cut);
    snprintf(session->why[verdict].what, sizeof session->why[verdict].what, "%s", what);
}

/* Keeps why a line of something measured is no PASS. */
static void explain_line(struct session *session, const struct line *line)
{
    const struct line_view view = line_view(line);
    const struct line_latency *call = LINE_AS(latency, line);
    const bool is_copy = line->kind == RECORD_ceiling || line->kind == RECORD_peak;
    const char *what = view.kernel[0] ? view.kernel : is_copy ? "copy" : call ? call->call : "";
    enum verdict verdicts[LINE_VERDICTS_MAX];
    /* A run gives the reason of its checks itself. */
    const bool is_of_run = line->kind == RECORD_finding || line->kind == RECORD_bits;
    const size_t count = is_of_run ? 0 : line_verdicts(line, verdicts);
    /* A skipped relation is information: its bounds are of other GPU models. */
    for (size_t index = 0; index < count; index++)
        if (line->kind != RECORD_relation || verdicts[index] != VERDICT_SKIP)
            session_explain(session, verdicts[index], what, view.note);
}

void session_write_line(struct session *session, const struct line *line)
{
    explain_line(session, line);
    for (int index = 0; index < session->record_count; index++)
        if (!record_line(session->records[index], line))
            stop_output(session,
                        "cannot write the record: ", record_error(session->records[index]));
    if (session->sink)
        session->sink->line(session->sink->context, line);
}

void session_write_device(struct session *session, int device)
{
    const struct session_device *it = &session->devices[device];
    const struct options *options = session->options;
    struct zone zone = {.blocks = NULL};
    session_write_line(session, session_device_line(session, it, &zone));
    const struct line *gaps =
        options->gaps && it->info.id.others == 0 /* each of a set has its own */
            ? options->gaps(options, &it->info, &it->board, &zone)
            : NULL;
    if (gaps)
        session_write_line(session, gaps);
    zone_free(&zone);
}

bool session_close_records(struct session *session)
{
    struct reason reason;
    for (int index = 0; index < session->record_count; index++) {
        if (record_close(session->records[index], &reason))
            continue;
        fprintf(stderr, "assay: cannot write the record: %s\n", reason.text);
        session->output_failed = true;
    }
    session->record_count = 0;
    return !session->output_failed;
}

bool session_output_works(struct session *session)
{
    const bool is_unread = output_is_unread();
    if (!session->output_failed && (is_unread || ferror(stdout)))
        stop_output(session, is_unread ? "nobody reads" : "cannot write", " standard output");
    return !session->output_failed;
}

/* "7 inconclusive, the first: matmul/tiled: no budget for sm_100"; where all have one reason it
 * follows the number. */
static void give_reason(const struct session *session, struct outcome *outcome)
{
    static const struct {
        enum verdict verdict;
        const char *word;
    } rows[] = {{VERDICT_ERROR, "in error"},
                {VERDICT_INCONCLUSIVE, "inconclusive"},
                {VERDICT_SKIP, "skipped"}};
    char *text = outcome->reason, number[NUMBER_TEXT_BYTES];
    if (text[0] || outcome->verdict == VERDICT_PASS || verdict_is_failure(outcome->verdict))
        return;
    outcome->is_whole = true;
    snprintf(text, sizeof outcome->reason, "nothing could be checked");
    for (size_t index = sizeof rows / sizeof rows[0]; index-- > 0;) {
        const enum verdict verdict = rows[index].verdict;
        if (outcome->counts[verdict] == 0)
            continue;
        const char *what = session->why[verdict].what, *why = session->why[verdict].why;
        snprintf(text, sizeof outcome->reason, "%s %s",
                 number_whole(outcome->counts[verdict], number), rows[index].word);
        if (session->why[verdict].differs || (outcome->counts[verdict] == 1 && what[0]))
            text_add(text, sizeof outcome->reason, "%s%s",
                     outcome->counts[verdict] > 1 ? ", the first: " : ": ", what);
        if (why[0])
            text_add(text, sizeof outcome->reason, ": %s", why);
    }
}

void session_conclude(const struct session *session, struct outcome *outcome)
{
    const bool lacks_gpus = session->gpu_count < session->options->expect_gpus;
    const struct client_ends ends = client_ends();
    const char *cut = session->output_failed             ? "the output could not be written"
                      : session->interrupted             ? "interrupted before the end of the plan"
                      : lacks_gpus                       ? "fewer GPUs than --expect-gpus asks for"
                      : outcome->verdict != VERDICT_PASS ? ""
                      : ends.count > 0                   ? ends.first
                                                         : session->no_gpu;
    enum verdict verdict = outcome->verdict;
    if (session->output_failed)
        verdict = verdict_join(verdict, VERDICT_ERROR);
    if (session->interrupted || lacks_gpus || ends.count > 0 || (cut == session->no_gpu && cut[0]))
        verdict = verdict_join(verdict, VERDICT_INCONCLUSIVE);
    outcome->verdict = verdict_of_whole(verdict);
    if (cut[0])
        snprintf(outcome->reason, sizeof outcome->reason, "%s", cut);
    outcome->awaits_merge = session->plan.shard.count > 0 && outcome->verdict == VERDICT_PASS;
    if (outcome->awaits_merge) {
        char shard[SHARD_TEXT_BYTES];
        outcome->verdict = VERDICT_INCONCLUSIVE;
        snprintf(outcome->reason, sizeof outcome->reason,
                 "%s: `assay merge` gives the verdict of all",
                 shard_text(&session->plan.shard, shard));
    }
    give_reason(session, outcome);
}

int session_nothing(const struct session *session, const char *why)
{
    const struct options *options = session->options;
    if (options->why)
        snprintf(options->why, FINDING_NOTE_BYTES, "%s", why);
    if (options->part) /* the whole says so */
        return EXIT_STATUS_NOTHING_RAN;
    if (session->sink)
        session->sink->nothing(session->sink->context, VERDICT_SKIP, why);
    if (options->format == FORMAT_TAP)
        return output_end(session->command, EXIT_STATUS_NOTHING_RAN);
    fprintf(stderr, "assay %s: %s\n", session->command, why);
    return EXIT_STATUS_NOTHING_RAN;
}

bool session_has_path(const struct session *session, const struct device_info *device,
                      const char *line, int *ret_status)
{
    const char *command = session->command;
    const struct options *options = session->options;
    bool is_named = false, is_candidate = false;
    const char *option = "path", *value = options->paths;
    for (int other = 0; other < path_count(); other++) {
        const struct path *it = path_row(other);
        is_candidate = is_candidate || it->tool || it->images;
        is_named = is_named || (it->kind == DEVICE_GPU &&
                                path_is_among(other, options->paths) != path_is_among(other, NULL));
        option = it->tool ? it->source->compiler->name : it->images ? "images" : option;
        value = it->tool ? it->tool : it->images ? it->images->file : value;
    }
    struct reason reason;
    if (!(is_named || is_candidate) || device_kind(device)->has_choice)
        return true;
    if (!is_named && options->leaves_candidates) {
        fprintf(stderr, "assay %s: --%s %s needs a GPU: skipped on %s\n", command, option, value,
                line);
        return true;
    }
    if (device_kind_of(options->device)->is_emulated) {
        fprintf(stderr, "assay %s: --%s %s needs a GPU and conflicts with --device host\n", command,
                option, value);
        *ret_status = EXIT_STATUS_USAGE;
        return false;
    }
    reason_set(&reason, REASON_INPUT, "--%s %s needs a GPU, so nothing runs; device: %s", option,
               value, line);
    *ret_status = session_nothing(session, reason.text);
    return false;
}

bool session_choose(const char *command, const struct options *options, struct probe_choice *ret)
{
    char line[sizeof ret->line];
    const int expected = options->expect_gpus;
    const bool is_host = device_kind_of(options->device)->is_emulated;
    probe_choose(options->device, ret);
    snprintf(line, sizeof line, "%s", ret->line);
    if (expected == 0 || (!ret->is_made && !ret->has_none))
        return ret->is_made;
    if (is_host) {
        ret->is_made = false;
        ret->status = EXIT_STATUS_USAGE;
        snprintf(ret->line, sizeof ret->line,
                 "%s: --expect-gpus %d: it conflicts with --device host", command, expected);
    } else if (ret->has_none) {
        ret->is_made = false;
        ret->status = EXIT_STATUS_FAIL;
        snprintf(ret->line, sizeof ret->line, "--expect-gpus %d: nothing runs; device: %.900s",
                 expected, line);
    } else if (probe_gpus(ret) < expected) {
        snprintf(ret->line, sizeof ret->line,
                 "%.300s; --expect-gpus asks for %d: this cannot end in PASS", line, expected);
    }
    return ret->is_made;
}

void session_no_choice(const char *command, const struct probe_choice *choice)
{
    static const struct {
        enum exit_status status;
        const char *word;
    } words[] = {{EXIT_STATUS_FAIL, "FAIL: "},
                 {EXIT_STATUS_INCONCLUSIVE, "INCONCLUSIVE: "},
                 {EXIT_STATUS_HARNESS, "ERROR: "}};
    const char *word = "";
    for (size_t index = 0; index < sizeof words / sizeof words[0]; index++)
        if (choice->status == words[index].status && choice->line[0])
            word = words[index].word;
    fprintf(stderr, "assay%s%s: %s%s\n", command[0] ? " " : "", command, word, choice->line);
}

/* Fills in the devices that the options ask for. False without one: a line has said why,
 * and *ret_status is what the command ends with. */
static bool choose_devices(struct session *session, int *ret_status)
{
    const struct probe_choice *chosen = session->options->chosen;
    struct probe_choice *own = chosen ? NULL : heap_take(1, sizeof *own);
    struct device_info devices[PROBE_DEVICES_MAX];
    if (own)
        session_choose(session->command, session->options, own);
    chosen = chosen ? chosen : own;
    const bool is_made = chosen->is_made;
    const enum exit_status status = chosen->status;
    memcpy(devices, chosen->devices, sizeof devices);
    session->device_count = session->chosen_count = chosen->count;
    session->gpu_count = probe_gpus(chosen);
    session->stack = chosen->stack;
    memcpy(session->devices_line, chosen->line, sizeof chosen->line);
    memcpy(session->no_gpu, chosen->no_gpu, sizeof chosen->no_gpu);
    if (!is_made)
        session_no_choice("", chosen);
    free(own);
    if (!is_made) {
        /* To a TAP reader silence would be no answer; this one fails, whatever the status. */
        if (status != EXIT_STATUS_USAGE && status != EXIT_STATUS_HARNESS && session->sink)
            session->sink->nothing(session->sink->context, VERDICT_ERROR, session->devices_line);
        *ret_status = (int)status;
        return false;
    }
    for (int index = 0; index < session->device_count; index++) {
        struct session_device *it = &session->devices[index];
        it->info = devices[index];
        if (device_kind(&it->info)->is_gpu && it->info.id.ordinal[0] < PROBE_DEVICES_MAX)
            it->board = session->stack.boards[it->info.id.ordinal[0]];
        device_label(it->info.id, it->label);
    }
    return true;
}

/* Sets of the devices that were chosen. Clauses: peer_copy.set.only, peer_copy.set.pairs. */

static bool is_selected(const struct plan *plan, bool of_set)
{
    bool is = false;
    for (int id = 0; id < catalog_count(); id++)
        is = is || (plan->selected[id] && kernel_is_of_set(catalog_kernel(id)) == of_set);
    return is;
}

static void deselect(struct plan *plan, bool of_set)
{
    for (int id = 0; id < catalog_count(); id++)
        if (kernel_is_of_set(catalog_kernel(id)) == of_set)
            plan->selected[id] = false;
}

/* Appends the set, as far as it is known before its devices are open: by their identities. */
static void add_set(struct session *session, const struct device_set *set)
{
    struct session_device *it = &session->devices[session->device_count];
    for (int index = 0; index < session->chosen_count; index++)
        if (session->devices[index].info.id.ordinal[0] == set->ordinal[0])
            *it = session->devices[index];
    it->info.id = *set;
    it->info.index = session->device_count++;
    it->info.uuid[0] = 0; /* once it is open */
    device_label(*set, it->label);
}

static bool is_chosen(const struct session *session, const struct device_set *set)
{
    bool is = false;
    for (int index = 0; index < session->chosen_count; index++)
        is = is || device_is_same(session->devices[index].info.id, *set);
    return is;
}

/* Appends each ordered pair of the single devices that were chosen; of the host device of those
 * that the emulation has. At most as many as a session has devices. */
static void add_pairs(struct session *session)
{
    enum { SINGLES_MOST = 16 };
    struct device_set singles[SINGLES_MOST], *pairs = NULL;
    int count = 0;
    const bool is_host = session_is_emulated(session);
    const int most = is_host ? driver_host_devices() : session->chosen_count;
    for (int index = 0; index < most && count < SINGLES_MOST; index++) {
        const struct device_set *it = &session->devices[is_host ? 0 : index].info.id;
        if (it->others == 0 && device_kinds[it->kind].has_sets)
            singles[count++] = is_host ? device_set_of(it->kind, index) : *it;
    }
    pairs = heap_take((size_t)(count * count) + 1, sizeof *pairs);
    const int made = device_pairs(singles, count, pairs);
    for (int index = 0; index < made && session->device_count < PROBE_DEVICES_MAX; index++)
        if (!is_chosen(session, &pairs[index]))
            add_set(session, &pairs[index]);
    free(pairs);
}

/* Leaves out the single devices. */
static void drop_singles(struct session *session)
{
    int count = 0;
    for (int index = 0; index < session->device_count; index++)
        if (session->devices[index].info.id.others > 0) {
            session->devices[count] = session->devices[index];
            session->devices[count].info.index = count;
            count++;
        }
    session->device_count = count;
}

/* Makes the sets of the chosen devices that kernels need which run on sets alone, where these are
 * named, and leaves out devices that nothing selected runs on, and kernels without a device. False
 * if nothing is left: a line has said so. */
static bool choose_sets(struct session *session, int *ret_status)
{
    struct plan *plan = &session->plan;
    int sets = 0, singles = 0;
    plan->has_sets = true;
    if (is_selected(plan, true) && session->options->pattern_count > 0)
        add_pairs(session);
    for (int index = 0; index < session->device_count; index++)
        *(session->devices[index].info.id.others > 0 ? &sets : &singles) += 1;
    if (sets == 0)
        deselect(plan, true);
    if (singles == 0)
        deselect(plan, false);
    if (is_selected(plan, true) || is_selected(plan, false)) {
        if (!is_selected(plan, false))
            drop_singles(session);
        return true;
    }
    *ret_status =
        session_nothing(session, sets ? "only copies between devices run on a set of devices"
                                      : "copies between devices need two devices, and one "
                                        "is chosen");
    return false;
}

/* Settings that follow from options (options.h). Clauses: runner.exit.zero, runner.output.input. */

int options_status(const struct options *options, int status)
{
    bool reached_verdict = status == EXIT_STATUS_FAIL || status == EXIT_STATUS_INCONCLUSIVE ||
                           status == EXIT_STATUS_NOTHING_RAN;
    return options->exit_zero && reached_verdict ? EXIT_STATUS_PASS : status;
}

bool options_output_is_free(const char *command, const char *output, const char *input)
{
    if (output == NULL || input == NULL || !file_same(output, input))
        return true;
    fprintf(stderr, "assay %s: -o %s: the command reads that file: name another file\n", command,
            output);
    return false;
}

/* Copies alone run on sets, and only between two devices. False: a line has said so. */
static bool takes_devices(const struct measure *measure, const struct session *session)
{
    for (int index = 0; index < session->chosen_count; index++) {
        const int others = session->devices[index].info.id.others;
        if (others > 0 && !measure->has_sets)
            return error_line(session->command, "%s is a set of devices, on which only copies run",
                              session->devices[index].label);
        if (others > 1)
            return error_line(session->command, "%s: copies run on sets of two devices",
                              session->devices[index].label);
    }
    return true;
}

static int take(const struct measure *measure, void *state, struct session *session)
{
    struct outcome outcome = {.cases_done = 0};
    const struct probe_choice *chosen = session->options->chosen;
    const double opened_s = session->began_s - (chosen ? chosen->took_s : 0);
    /* Notes the time, and from here on signals end the session in order; and the time of its
     * end. */
    stop_catch_signals();
    session->began_s = clock_now_s();
    session->ended_s = 0;
    session_phase(&outcome, "opening devices", session->began_s - opened_s);
    if (session->compiled_count > 0)
        session_phase(&outcome, "compiling modules", session->compiled_s);
    session_write_line(session, session_header(session, &session->zone));
    measure->take(state);
    session->interrupted = stop_is_signalled();
    session->ended_s = clock_now_s();
    if (measure->settle)
        measure->settle(state);
    measure->judge(state, &outcome);
    session_conclude(session, &outcome);
    if (session->options->why)
        snprintf(session->options->why, FINDING_NOTE_BYTES, "%s", outcome.reason);
    session_write_line(session, session_summary(session, &outcome, &session->zone));
    free(outcome.phases);
    free(outcome.unmeasured);
    bool printed = session_output_works(session);
    return session_close_records(session) && printed ? (int)verdict_exit_status(outcome.verdict)
                                                     : EXIT_STATUS_HARNESS;
}

int measure_run(const struct measure *measure, struct options *options,
                const struct session_sink *sink)
{
    struct session *session = heap_take(1, sizeof *session);
    void *state = heap_take(1, measure->state_bytes);
    struct reason reason;
    int status = EXIT_STATUS_USAGE;
    *session = (struct session){.command = measure->command, .options = options, .sink = sink};
    session->began_s = clock_now_s();
    bool goes_on = measure->open(state, session, options) && choose_devices(session, &status);
    if (goes_on)
        goes_on = measure->devices ? measure->devices(state, &status)
                                   : session_has_path(session, &session->devices[0].info,
                                                      session->devices_line, &status);
    goes_on = goes_on && takes_devices(measure, session) &&
              (!measure->has_sets || choose_sets(session, &status));
    goes_on = goes_on && measure->plan(state, &status);
    if (goes_on && !session_compile(session, NULL, &reason)) {
        fprintf(stderr, "assay %s: %s\n", measure->command, reason.text);
        status = (int)reason_exit_status(&reason);
    } else if (goes_on) {
        status = open_records(session) ? take(measure, state, session) : EXIT_STATUS_USAGE;
    }
    session_close_records(session);
    measure->close(state);
    zone_free(&session->zone);
    free(state);
    free(session);
    return options_status(options, status);
}
