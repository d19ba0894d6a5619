/* A bench from its first group to its last relation (bench_rounds.h). Clause:
 * bandwidth.verdict.repeats, bandwidth.shape.none. */
#include "conformance/speed/bench_rounds.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "conformance/base/clock.h"
#include "conformance/speed/bench_child.h"
#include "conformance/speed/bench_judge.h"
#include "conformance/speed/bench_lines.h"
#include "conformance/speed/bench_settle.h"
#include "conformance/speed/bench_take.h"
#include "conformance/speed/sweep.h"
#include "conformance/base/stop.h"
#include "conformance/base/turn.h"

static bool is_row_of(const struct bench *bench, int row, int group)
{
    return bench->plan.rows[row].group == group;
}

static void measure_group(struct bench *bench, int samples, int group, int repeat)
{
    const struct bench_group *it = &bench->plan.groups[group];
    bench_measure_ceiling(bench, it, repeat, samples, &bench->ceilings[group]);
    for (int row = 0; row < bench->plan.row_count; row++)
        if (is_row_of(bench, row, group) && bench->results[row].due)
            bench_measure_kernel(bench, it, bench->plan.rows[row].subject, repeat, samples,
                                 &bench->results[row]);
}

/* Shows what is measured next; false where nobody reads any more. */
static bool is_shown(struct bench *bench, int group, int repeat, const struct bench_report *report)
{
    beside_output_lock(bench->beside);
    const bool works = session_output_works(bench->session);
    if (works && report && report->progress)
        report->progress(bench, group, repeat);
    beside_output_unlock(bench->beside);
    return works;
}

/* One repeat of all of it, in a worker of its own: where the driver puts the buffers is part of
 * what is measured, and changes from one process to the next by more than the noise within one. */
static void measure_repeat(struct bench *bench, int samples, int repeat,
                           const struct bench_report *report)
{
    beside_enter(bench->beside);
    bench_renew(bench);
    beside_leave(bench->beside);
    beside_enter_alone(bench->beside);
    for (int call = 0; call < bench->latency_count; call++)
        if (bench->latencies[call].due)
            bench_measure_latency(bench, call, repeat, samples);
    beside_leave(bench->beside);
    for (int group = 0; group < bench->plan.group_count; group++) {
        if (!bench_group_has_work(bench, group))
            continue;
        if (!is_shown(bench, group, repeat, report))
            break;
        beside_enter(bench->beside);
        measure_group(bench, samples, group, repeat);
        beside_leave(bench->beside);
    }
}

/* Judges what was measured in the round, the copies first: another round measures them again and
 * must not forget what was wrong with them. True when some of it may be decided by more samples,
 * which is what is left in the round then. */
static bool judge_round(struct bench *bench)
{
    struct bench_result *it;
    bool any = false;
    for (int group = 0; group < bench->plan.group_count; group++) {
        bench_judge_soundness(bench, &bench->ceilings[group].memcpy_result);
        bench_judge_soundness(bench, &bench->ceilings[group].copy_result);
    }
    for (int call = 0; call < bench->latency_count; call++) {
        it = &bench->latencies[call];
        any |= it->due = it->due && bench_judge_latency(bench, call);
    }
    for (int row = 0; row < bench->plan.row_count; row++) {
        it = &bench->results[row];
        any |= it->due = it->due && bench_judge_row(bench, row);
    }
    for (int regime = 0; regime < REGIME_COUNT; regime++) {
        it = &bench->peaks[regime];
        any |= it->due = it->due && bench_judge_peak(bench, (enum regime)regime);
    }
    return any;
}

static bool has_work(const struct bench *bench)
{
    for (int call = 0; call < bench->latency_count; call++)
        if (bench->latencies[call].due)
            return true;
    for (int group = 0; group < bench->plan.group_count; group++)
        if (bench_group_has_work(bench, group))
            return true;
    return false;
}

/* What stays too near to its floor is measured again with twice and four times the samples, and is
 * INCONCLUSIVE if that does not decide. */
static void measure_all(struct bench *bench, const struct bench_report *report)
{
    int samples = bench->samples;
    bool undecided = true;
    bench->latency_count = bench->session->options->pattern_count == 0 ? bench_latency_count() : 0;
    for (int regime = 0; regime < REGIME_COUNT; regime++)
        bench->peaks[regime].due = bench_has_peak(bench, (enum regime)regime);
    for (int row = 0; row < bench->plan.row_count; row++)
        bench->results[row].due = true;
    for (int call = 0; call < bench->latency_count; call++)
        bench->latencies[call].due = true;
    for (int extra = 0; undecided && extra <= BENCH_ESCALATIONS; extra++) {
        for (int repeat = 0; repeat < bench->repeats && has_work(bench); repeat++) {
            measure_repeat(bench, samples, repeat, report);
            if (extra == 0)
                bench_settle(bench, repeat + 1);
        }
        undecided = judge_round(bench);
        samples *= 2;
    }
    is_shown(bench, -1, 0, report);
}

static void tell_group(struct bench *bench, int group, const struct bench_report *report)
{
    bench_count_ceiling(bench, &bench->ceilings[group]);
    session_write(bench->session, bench_line_ceiling(bench, group));
    for (int row = 0; row < bench->plan.row_count; row++) {
        if (!is_row_of(bench, row, group))
            continue;
        bench->verdicts[bench->results[row].finding.verdict]++;
        if (bench_was_interrupted(&bench->results[row]))
            continue;
        session_write(bench->session, bench_line_row(bench, row));
        if (report)
            report->row(bench, row);
    }
}

static void tell_all(struct bench *bench, const struct bench_report *report)
{
    for (int call = 0; call < bench->latency_count; call++) {
        bench->verdicts[bench->latencies[call].finding.verdict]++;
        session_write(bench->session, bench_line_latency(bench, call));
    }
    for (int group = 0; group < bench->plan.group_count && session_output_works(bench->session);
         group++)
        tell_group(bench, group, report);
    for (int regime = 0; regime < REGIME_COUNT; regime++) {
        if (!bench_has_peak(bench, (enum regime)regime))
            continue;
        bench->verdicts[bench->peaks[regime].finding.verdict]++;
        session_write(bench->session, bench_line_peak(bench, (enum regime)regime));
    }
    bench_judge_relations(bench);
    for (int index = 0; index < bench->relation_count; index++) {
        /* One that is not known to hold on this generation is knowledge, and nothing was due. */
        if (bench->relations[index].finding.verdict != VERDICT_SKIP)
            bench->verdicts[bench->relations[index].finding.verdict]++;
        session_write(bench->session, bench_line_relation(bench, index));
    }
}

static void count_unmeasured(struct bench *bench)
{
    for (int id = 0; id < catalog_count(); id++) {
        const enum verdict verdict = bench_unmeasured(bench, id);
        bench->verdicts[verdict] += verdict != VERDICT_PASS;
    }
}

/* The worker is ended: it dies with the thread that started it. */
static void measure(struct bench *bench, const struct bench_report *report)
{
    measure_all(bench, report);
    bench_close(bench);
}

static void tell(struct bench *bench, const struct bench_report *report)
{
    count_unmeasured(bench);
    tell_all(bench, report);
    if (report)
        report->end(bench);
    if (bench->sweep)
        sweep_execute(bench, report);
}

/* What a thread gets. */
struct measured {
    struct bench *bench;
    const struct bench_report *report;
};

static void *measure_one(void *context)
{
    const struct measured *measured = context;
    measure(measured->bench, measured->report);
    return NULL;
}

/* What each bench needs, in the order in which all of them do. */
static void add_digests(struct digests_ahead *digests, const struct bench *bench)
{
    for (int group = 0; group < bench->plan.group_count; group++)
        digests_ahead_add(digests, &bench->plan.groups[group].test_case);
    for (int point = 0; bench->sweep && point < bench->sweep->plan.point_count; point++)
        digests_ahead_add(digests, &bench->sweep->plan.points[point].group.test_case);
}

/* What is before this disturbs no other part, and is not disturbed by one. */
static void wait_for_turn(struct bench *bench)
{
    struct turn *turn = bench->session->options->turn;
    const double began_s = clock_now_s();
    if (turn && !turn_wait(turn) && !stop_is_signalled())
        stop_signal = SIGTERM; /* the gate has ended */
    bench->phase_s[BENCH_PHASE_TURN] = clock_now_s() - began_s;
}

void bench_execute(struct bench *const *benches, int count, const struct bench_report *report)
{
    struct measured measured[PROBE_DEVICES_MAX];
    void *contexts[PROBE_DEVICES_MAX];
    struct beside beside;
    struct digests_ahead digests;
    make_digests *make = count > 0 ? benches[0]->make_digests : NULL;
    beside_open(&beside);
    digests_ahead_open(&digests, make ? make : case_digests, &beside);
    for (int index = 0; index < count; index++) {
        benches[index]->beside = &beside;
        benches[index]->digests = &digests;
        add_digests(&digests, benches[index]);
        measured[index] = (struct measured){benches[index], report};
        contexts[index] = &measured[index];
    }
    digests_ahead_start(&digests);
    if (count > 0)
        wait_for_turn(benches[0]);
    if (report && count > 0) /* now, so that a reader who has gone is noticed */
        report->begin(benches[0]);
    if (count == 1)
        measure(benches[0], report);
    else
        beside_each(contexts, count, measure_one);
    for (int index = 0; index < count; index++) {
        if (report && index > 0)
            report->begin(benches[index]);
        tell(benches[index], report);
        benches[index]->beside = NULL;
        benches[index]->digests = NULL;
    }
    digests_ahead_close(&digests);
    beside_close(&beside);
}
