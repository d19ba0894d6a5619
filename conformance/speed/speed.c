/* The measure of speed: options into benches, one a device, and each from its first group to its
 * last relation (bench.h). Clauses: bandwidth.repeat.settled, bandwidth.verdict.repeats,
 * bandwidth.shape.none, bandwidth.sweep.unjudged. */
#include "conformance/speed/bench.h"

#include <stdlib.h>
#include <string.h>

#include "conformance/base/heap.h"
#include "conformance/base/process.h"
#include "conformance/work/windows.h"

static bool is_row_due(const struct bench *bench, int group)
{
    const struct bench_group *it = &bench->plan.groups[group];
    for (int row = it->row_begin; row < it->row_end; row++)
        if (bench->results[row].due)
            return true;
    return false;
}

/* True if a row, or a peak, that is due is held against the group's copies. */
static bool is_ceiling_due(const struct bench *bench, int group)
{
    for (int regime = 0; regime < REGIME_COUNT; regime++)
        if (bench->peaks[regime].due && group == bench->peak_groups[regime])
            return true;
    for (int other = group; other < bench->plan.group_count; other++)
        if (bench->plan.groups[other].ceiling == group && is_row_due(bench, other))
            return true;
    return false;
}

static bool group_has_work(const struct bench *bench, int group)
{
    return is_row_due(bench, group) || is_ceiling_due(bench, group);
}

/* Subjects of repeats that are judged, in this order. */
enum bench_sort { BENCH_SORT_CALL, BENCH_SORT_ROW, BENCH_SORT_PEAK, BENCH_SORT_COUNT };

static int count_of(const struct bench *bench, int sort)
{
    return sort == BENCH_SORT_ROW    ? bench->plan.row_count
           : sort == BENCH_SORT_PEAK ? (int)REGIME_COUNT
                                     : bench->latency_count;
}

static struct bench_result *result_of(struct bench *bench, int sort, int index)
{
    return sort == BENCH_SORT_ROW    ? &bench->results[index]
           : sort == BENCH_SORT_PEAK ? &bench->peaks[index]
                                     : &bench->latencies[index];
}

/* True when more samples may help. */
static bool judge(struct bench *bench, int sort, int index)
{
    return sort == BENCH_SORT_ROW    ? bench_judge_row(bench, index)
           : sort == BENCH_SORT_PEAK ? bench_judge_peak(bench, (enum regime)index)
                                     : bench_judge_latency(bench, index);
}

/* A kernel waits for its copies: as soon as nothing is compared with them they end. */
static bool is_settled(const struct bench *bench, int sort, int index, enum verdict verdict)
{
    const struct bench_known *known = bench->session->options->known;
    struct zone zone = {.blocks = NULL};
    const struct line *line = sort == BENCH_SORT_ROW ? bench_line_row(bench, index, &zone)
                              : sort == BENCH_SORT_PEAK
                                  ? bench_line_peak(bench, (enum regime)index, &zone)
                                  : bench_line_latency(bench, index, &zone);
    const int ceiling =
        sort == BENCH_SORT_ROW ? bench->plan.groups[bench->plan.rows[index].group].ceiling : -1;
    const bool is_known =
        verdict == VERDICT_PASS && known->is_settled(known->context, bench, line) &&
        (ceiling < 0 ||
         known->is_settled(known->context, bench, bench_line_ceiling(bench, ceiling, &zone)));
    zone_free(&zone);
    return is_known;
}

static void end_repeats(const struct bench *bench, struct bench_result *it)
{
    it->settled = bench->taken;
    it->settled_of = bench->repeats;
}

/* After `repeats` of the first round's: what passes so far, and is settled by what is known, is due
 * no more. A kernel that a relation holds against another has all its repeats; nothing else than a
 * PASS is settled. */
static void settle_all(struct bench *bench, int repeats)
{
    if (bench->session->options->known == NULL || repeats >= bench->repeats)
        return;
    bench->taken = repeats;
    for (int sort = 0; sort < BENCH_SORT_COUNT; sort++)
        for (int index = 0; index < count_of(bench, sort); index++) {
            /* A result that is not settled stays as it was: half of the repeats make no verdict. */
            struct bench_result *it = result_of(bench, sort, index);
            const struct bench_result before = *it;
            if (!before.due || (sort == BENCH_SORT_ROW && bench_is_related(bench, index)))
                continue;
            if (judge(bench, sort, index) || !is_settled(bench, sort, index, it->finding.verdict)) {
                *it = before;
                continue;
            }
            it->due = false;
            end_repeats(bench, it);
        }
    for (int group = 0; group < bench->plan.group_count; group++) {
        struct bench_ceiling *ceiling = &bench->ceilings[group];
        if (is_ceiling_due(bench, group))
            continue;
        if (ceiling->memcpy_result.settled == 0)
            end_repeats(bench, &ceiling->memcpy_result);
        if (ceiling->copy_result.settled == 0)
            end_repeats(bench, &ceiling->copy_result);
    }
    bench->taken = 0;
}

/* Shows what is measured next; false if nobody reads any more. */
static bool is_shown(struct bench *bench, int group, int repeat)
{
    const struct session_sink *sink = bench->session->sink;
    char doing[160] = "";
    if (group >= 0) {
        const struct bench_group *it = &bench->plan.groups[group];
        snprintf(doing, sizeof doing, "%s: repeat %d of %d: %s %s %s",
                 bench->session->devices[bench->device].label, repeat + 1, bench->repeats,
                 bench_shapes[it->shape].algorithm, bench_shapes[it->shape].name,
                 regime_name(it->regime));
    }
    pthread_mutex_lock(&bench->threads->output);
    const bool works = session_output_works(bench->session);
    if (works && sink)
        sink->progress(sink->context, &(struct session_progress){.doing = doing});
    pthread_mutex_unlock(&bench->threads->output);
    return works;
}

static bool has_work(const struct bench *bench)
{
    for (int call = 0; call < bench->latency_count; call++)
        if (bench->latencies[call].due)
            return true;
    for (int group = 0; group < bench->plan.group_count; group++)
        if (group_has_work(bench, group))
            return true;
    return false;
}

/* A subject too near to its floor is measured again with twice and four times the samples, and is
 * INCONCLUSIVE if that does not decide. */
static void measure_all(struct bench *bench)
{
    int samples = bench->samples;
    bool undecided = true;
    bench->latency_count = bench->session->options->pattern_count == 0 ? bench_latency_count() : 0;
    for (int regime = 0; regime < REGIME_COUNT; regime++) {
        bench->peaks[regime].due = bench_has_peak(bench, (enum regime)regime);
        bench->peak_groups[regime] = -1;
    }
    for (int row = 0; row < bench->plan.row_count; row++)
        bench->results[row].due = true;
    for (int call = 0; call < bench->latency_count; call++)
        bench->latencies[call].due = true;
    for (int extra = 0; undecided && extra <= BENCH_ESCALATIONS; extra++) {
        for (int repeat = 0; repeat < bench->repeats && has_work(bench); repeat++) {
            /* One repeat of all of it, in a worker of its own: where the driver puts the buffers is
             * part of what is measured, and changes from one process to the next by more than the
             * noise within one. */
            pthread_rwlock_rdlock(&bench->threads->measuring);
            bench_renew(bench);
            pthread_rwlock_unlock(&bench->threads->measuring);
            pthread_rwlock_wrlock(&bench->threads->measuring);
            for (int call = 0; call < bench->latency_count; call++)
                if (bench->latencies[call].due)
                    bench_measure_latency(bench, call, repeat, samples);
            pthread_rwlock_unlock(&bench->threads->measuring);
            for (int group = 0; group < bench->plan.group_count; group++) {
                if (!group_has_work(bench, group))
                    continue;
                if (!is_shown(bench, group, repeat))
                    break;
                pthread_rwlock_rdlock(&bench->threads->measuring);
                const struct bench_group *it = &bench->plan.groups[group];
                if (is_ceiling_due(bench, group))
                    bench_measure_ceiling(bench, it, repeat, samples, &bench->ceilings[group]);
                for (int row = it->row_begin; row < it->row_end; row++)
                    if (bench->results[row].due)
                        bench_measure_kernel(bench, it, bench->plan.rows[row].subject, repeat,
                                             samples, &bench->results[row]);
                pthread_rwlock_unlock(&bench->threads->measuring);
            }
            if (extra == 0)
                settle_all(bench, repeat + 1);
        }
        /* Judges what was measured in the round, the copies first: another round measures them
         * again and must not forget what was wrong with them. `any`: more samples may decide some
         * of it, and the round goes on. */
        bool any = false;
        for (int group = 0; group < bench->plan.group_count; group++) {
            bench_judge_soundness(bench, &bench->ceilings[group].memcpy_result);
            bench_judge_soundness(bench, &bench->ceilings[group].copy_result);
        }
        for (int sort = 0; sort < BENCH_SORT_COUNT; sort++)
            for (int index = 0; index < count_of(bench, sort); index++) {
                struct bench_result *it = result_of(bench, sort, index);
                it->due = it->due && judge(bench, sort, index);
                any |= it->due;
            }
        undecided = any;
        samples *= 2;
    }
    is_shown(bench, -1, 0);
}

/* Everything that was measured, then the sweep, which is told as it is measured. */
static void tell(struct bench *bench)
{
    for (int id = 0; id < catalog_count(); id++) {
        const char *why;
        const enum verdict verdict = bench_unmeasured(bench, id, &why);
        bench->verdicts[verdict] += verdict != VERDICT_PASS;
        session_explain(bench->session, verdict, CATALOG_NAME(id), why);
    }
    for (int call = 0; call < bench->latency_count; call++) {
        bench->verdicts[bench->latencies[call].finding.verdict]++;
        session_write_line(bench->session, bench_line_latency(bench, call, &bench->session->zone));
    }
    for (int group = 0; group < bench->plan.group_count && session_output_works(bench->session);
         group++) {
        const struct bench_group *it = &bench->plan.groups[group];
        if (it->ceiling == group) {
            bench_count_ceiling(bench, &bench->ceilings[group]);
            session_write_line(bench->session,
                               bench_line_ceiling(bench, group, &bench->session->zone));
        }
        for (int row = it->row_begin; row < it->row_end; row++) {
            bench->verdicts[bench->results[row].finding.verdict]++;
            if (bench_was_interrupted(&bench->results[row]))
                continue;
            session_write_line(bench->session, bench_line_row(bench, row, &bench->session->zone));
        }
    }
    for (int regime = 0; regime < REGIME_COUNT; regime++) {
        if (!bench_has_peak(bench, (enum regime)regime))
            continue;
        bench->verdicts[bench->peaks[regime].finding.verdict]++;
        session_write_line(bench->session,
                           bench_line_peak(bench, (enum regime)regime, &bench->session->zone));
    }
    bench_judge_relations(bench);
    for (int index = 0; index < bench->relation_count; index++) {
        /* One that is not known to hold on this generation is knowledge, and nothing was due. */
        if (bench->relations[index].finding.verdict != VERDICT_SKIP)
            bench->verdicts[bench->relations[index].finding.verdict]++;
        session_write_line(bench->session,
                           bench_line_relation(bench, index, &bench->session->zone));
    }
    /* Measures every point of the sweep once and tells it as soon as it is known. */
    struct sweep *sweep = &bench->sweep;
    for (int index = 0;
         index < sweep->plan.group_count && !bench->session->output_failed && !stop_is_signalled();
         index++) {
        const struct bench_group *point = &sweep->plan.groups[index];
        sweep->ceiling = (struct bench_ceiling){0};
        bench_measure_ceiling(bench, point, 0, bench->samples, &sweep->ceiling);
        bench_count_ceiling(bench, &sweep->ceiling);
        for (int row = point->row_begin; row < point->row_end; row++) {
            struct bench_result *result = &sweep->results[row];
            bench_measure_kernel(bench, point, sweep->plan.rows[row].subject, 0, bench->samples,
                                 result);
            bench_judge_soundness(bench, result);
            if (result->finding.verdict !=
                VERDICT_PASS) /* a PASS of bits alone makes no run pass */
                bench->verdicts[result->finding.verdict]++;
        }
        /* Last, and in a worker that then ends: nothing of the library is left for a kernel. */
        sweep->has_library = bench_measure_library(bench, point, bench->samples, &sweep->library);
        if (sweep->has_library)
            bench_renew(bench);
        for (int row = point->row_begin; row < point->row_end; row++)
            session_write_line(bench->session, bench_line_sweep(bench, row, &bench->session->zone));
    }
}

/* The worker is ended: it dies with the thread that started it. */
static void measure_one(void *context, int thread, int index)
{
    struct bench *const *benches = context;
    (void)thread;
    measure_all(benches[index]);
    bench_close(benches[index]);
}

/* Adds the digests that a bench needs, in the order of its work. */
static void add_digests(struct bench_threads *threads, const struct bench *bench,
                        const struct bench_plan *plan)
{
    for (int group = 0; group < plan->group_count; group++)
        bench_digests_add(threads, &plan->groups[group].test_case, gpu_row_filter(bench->info));
}

void bench_execute(struct bench *const *benches, int count)
{
    struct team *team = team_open(count);
    struct bench_threads threads;
    make_digests *make = count > 0 ? benches[0]->make_digests : NULL;
    bench_threads_open(&threads, make ? make : case_digests);
    for (int index = 0; index < count; index++) {
        benches[index]->threads = &threads;
        add_digests(&threads, benches[index], &benches[index]->plan);
        add_digests(&threads, benches[index], &benches[index]->sweep.plan);
    }
    bench_digests_start(&threads);
    if (count > 0) {
        /* The work before this disturbs no other part, and is not disturbed by one. */
        struct token *token = benches[0]->session->options->token;
        const double began_s = clock_now_s();
        if (token && !token_wait(token, 0) && !stop_is_signalled())
            stop_signal = SIGTERM; /* the gate has ended */
        benches[0]->phase_s[BENCH_PHASE_WAIT] = clock_now_s() - began_s;
    }
    team_run(team, measure_one, (void *)benches, count);
    team_close(team);
    for (int index = 0; index < count; index++) {
        tell(benches[index]);
        benches[index]->threads = NULL;
    }
    bench_threads_close(&threads);
}

struct benches {
    struct session *session;
    struct floors floors;
    struct bench *benches[PROBE_DEVICES_MAX];
};

static bool open_speed(void *state, struct session *session, struct options *options)
{
    struct benches *benches = state;
    struct reason reason;
    benches->session = session;
    if (!options_output_is_free(session->command, options->record, options->floors))
        return false;
    if (!floors_open(options->floors, &benches->floors, &reason))
        return error_line("bench", "%s", reason.text);
    session->plan.without_notes = !options->given.paths;
    session->plan.is_brief = options->is_brief;
    session->plan.is_quick = options->is_brief && options->quick;
    session->plan.regime = options->regime;
    if (!session_select(session, options->patterns, options->pattern_count))
        return false;
    if (session->plan.is_brief)
        bench_brief_select(&session->plan, session->plan.is_quick);
    return true;
}

/* Opens a device's worker and plans for it. */
static bool open_bench(struct benches *benches, int device)
{
    struct session *session = benches->session;
    struct bench *bench = heap_take(1, sizeof *bench);
    struct reason reason;
    benches->benches[device] = bench;
    bench->session = session;
    bench->device = device;
    bench->floors = &benches->floors;
    bench->own_sizes = session->options->bytes == 0;
    bench->host = host_machine_read();
    bool is_timed = device_kind(&session->devices[device].info)->is_timed;
    bench->repeats = session->options->repeats ? session->options->repeats : BENCH_REPEATS;
    bench->samples = session->options->samples ? session->options->samples
                     : is_timed                ? BENCH_SAMPLES
                                               : BENCH_SAMPLES_HOST;
    session->repeats = (uint64_t)bench->repeats;
    session->samples = (uint64_t)bench->samples;
    if (!bench_open(bench, &reason))
        return error_line("bench", "%s: %s", session->devices[device].label, reason.text);
    bench_make_plan(bench, &session->plan, session->options->bytes, session->options->seed);
    session->plan.count += (uint64_t)bench->plan.row_count + (uint64_t)bench->sweep.plan.row_count;
    return true;
}

static bool plan_speed(void *state, int *ret_status)
{
    struct benches *benches = state;
    struct session *session = benches->session;
    const struct options *options = session->options;
    struct reason reason;
    bool automatic = strcmp(options->device, "auto") == 0;
    if (options->format == FORMAT_TAP && automatic && session_is_emulated(session)) {
        *ret_status = session_nothing(session, session->devices_line);
        return false;
    }
    *ret_status = EXIT_STATUS_HARNESS;
    if (!session_compile(session, bench_plan_copy_unit(), &reason))
        return error_line("bench", "%s", reason.text);
    for (int device = 0; device < session->device_count; device++)
        if (!open_bench(benches, device))
            return false;
    if (session->plan.count == 0)
        *ret_status = session_nothing(
            session, "nothing to measure: no shape of these kernels is measured here");
    return session->plan.count > 0;
}

static void take_speed(void *state)
{
    struct benches *benches = state;
    struct session *session = benches->session;
    for (int device = 0; device < session->device_count; device++)
        session_write_device(session, device);
    bench_execute(benches->benches, session->device_count);
}

/* The phases' names, for the times of all GPUs together. */
static const char *const phases[BENCH_PHASE_COUNT] = {[BENCH_PHASE_WAIT] = "waiting for its turn",
                                                      [BENCH_PHASE_START] = "starting workers",
                                                      [BENCH_PHASE_MAKE] = "making inputs",
                                                      [BENCH_PHASE_CHECK] = "checking bits",
                                                      [BENCH_PHASE_WARM_UP] = "warming up",
                                                      [BENCH_PHASE_SENSORS] = "reading sensors",
                                                      [BENCH_PHASE_SAMPLES] = "samples"};

/* Adds the selected kernels without a row. */
static void add_unmeasured(const struct bench *bench, struct outcome *ret)
{
    struct zone *zone = &bench->session->zone;
    for (int id = 0; id < catalog_count(); id++) {
        const char *why;
        const enum verdict verdict = bench_unmeasured(bench, id, &why);
        if (verdict == VERDICT_PASS)
            continue;
        HEAP_ROOM(ret->unmeasured, ret->unmeasured_count);
        ret->unmeasured[ret->unmeasured_count++] =
            (struct line_unmeasured){.device = bench->session->devices[bench->device].label,
                                     .kernel = zone_text(zone, CATALOG_NAME(id)),
                                     .note = why,
                                     .declined = verdict == VERDICT_DECLINED};
    }
}

static void judge_speed(const void *state, struct outcome *ret)
{
    const struct benches *benches = state;
    for (int device = 0; device < benches->session->device_count; device++) {
        for (int verdict = 0; verdict < VERDICT_COUNT; verdict++)
            ret->counts[verdict] += benches->benches[device]->verdicts[verdict];
        add_unmeasured(benches->benches[device], ret);
    }
    for (int verdict = 0; verdict < VERDICT_COUNT; verdict++)
        ret->cases_done += ret->counts[verdict];
    ret->verdict = verdict_of_counts(ret->counts);
    for (int phase = 0; phase < BENCH_PHASE_COUNT; phase++) {
        double took_s = 0;
        for (int device = 0; device < benches->session->device_count; device++)
            took_s += benches->benches[device]->phase_s[phase];
        session_phase(ret, phases[phase], took_s);
    }
}

static void close_speed(void *state)
{
    struct benches *benches = state;
    for (int device = 0; device < PROBE_DEVICES_MAX; device++) {
        struct bench *bench = benches->benches[device];
        if (bench == NULL)
            continue;
        bench_close(bench);
        bench_release_plan(bench);
        free(bench);
    }
    floors_close(&benches->floors);
}

const struct measure speed_measure = {.command = "bench",
                                      .state_bytes = sizeof(struct benches),
                                      .open = open_speed,
                                      .plan = plan_speed,
                                      .take = take_speed,
                                      .judge = judge_speed,
                                      .close = close_speed};
