/* A sweep from its first point to its last (sweep.h). Clause: bandwidth.sweep.unjudged. */
#include "conformance/speed/sweep.h"
#include "conformance/speed/bench_judge.h"
#include "conformance/speed/bench_lines.h"
#include "conformance/speed/bench_take.h"
#include "conformance/base/stop.h"
#include "conformance/record/record_fields.h"

#include <stdio.h>
#include <stdlib.h>

/* The most rows that a point has. */
static int rows_most(const struct sweep_plan *plan)
{
    int most = 1;
    for (int index = 0; index < plan->point_count; index++) {
        int rows = plan->points[index].row_end - plan->points[index].row_begin;
        most = rows > most ? rows : most;
    }
    return most;
}

struct sweep *sweep_open(const struct bench *bench, struct reason *ret_reason)
{
    const struct options *options = bench->session->options;
    struct sweep *sweep = calloc(1, sizeof *sweep);
    reason_set(ret_reason, REASON_SYSTEM, "no memory for a sweep");
    if (sweep && sweep_plan_make(&sweep->plan, &bench->session->plan, bench->info, options->bytes,
                                 options->seed, ret_reason)) {
        sweep->results = calloc((size_t)rows_most(&sweep->plan), sizeof *sweep->results);
        if (sweep->results)
            return sweep;
    }
    sweep_close(sweep);
    return NULL;
}

void sweep_close(struct sweep *sweep)
{
    if (sweep == NULL)
        return;
    sweep_plan_free(&sweep->plan);
    free(sweep->results);
    free(sweep);
}

static void measure_point(struct bench *bench, const struct sweep_point *point)
{
    struct sweep *sweep = bench->sweep;
    sweep->ceiling = (struct bench_ceiling){0};
    bench_measure_ceiling(bench, &point->group, 0, bench->samples, &sweep->ceiling);
    bench_count_ceiling(bench, &sweep->ceiling);
    for (int row = point->row_begin; row < point->row_end; row++) {
        struct bench_result *result = &sweep->results[row - point->row_begin];
        bench_measure_kernel(bench, &point->group, sweep->plan.rows[row].subject, 0, bench->samples,
                             result);
        bench_judge_soundness(bench, result);
        if (result->finding.verdict != VERDICT_PASS) /* a PASS of bits alone makes no run pass */
            bench->verdicts[result->finding.verdict]++;
    }
}

/* One row of the point as a line of a record. A new reference. */
static json_t *sweep_line(const struct bench *bench, int index, int row)
{
    const struct sweep *sweep = bench->sweep;
    const struct sweep_point *point = &sweep->plan.points[index];
    const struct bench_group *group = &point->group;
    const struct subject *subject = &sweep->plan.rows[row].subject;
    const struct bench_result *result = &sweep->results[row - point->row_begin];
    char name[CATALOG_NAME_BYTES];
    json_t *object = json_object();
    put_sweep_figure(object, point->figure);
    put_sweep_at(object, (uint64_t)point->at);
    bench_line_put_subject(object, bench, catalog_name(subject->kernel, name), subject->path);
    put_sweep_element_bytes(object, (uint64_t)case_view(&group->test_case, 0).element_bytes);
    bench_line_put_case(object, group, point->shape);
    bench_line_put_work(object, group, result->gbps[0].median);
    bench_line_put_result(object, result);
    put_sweep_buffers(object, (uint64_t)result->buffers);
    put_sweep_gbps(object, bench_line_intervals(result->gbps));
    put_sweep_memcpy_verdict(object, sweep->ceiling.memcpy_result.finding.verdict);
    put_sweep_memcpy_gbps(object, bench_line_intervals(sweep->ceiling.memcpy_result.gbps));
    put_sweep_copy_verdict(object, sweep->ceiling.copy_result.finding.verdict);
    put_sweep_copy_gbps(object, bench_line_intervals(sweep->ceiling.copy_result.gbps));
    return wrap_sweep(object);
}

void sweep_execute(struct bench *bench, const struct bench_report *report)
{
    const struct sweep_plan *plan = &bench->sweep->plan;
    for (int point = 0;
         point < plan->point_count && !bench->session->output_failed && !stop_is_signalled();
         point++) {
        measure_point(bench, &plan->points[point]);
        for (int row = plan->points[point].row_begin; row < plan->points[point].row_end; row++)
            session_write(bench->session, sweep_line(bench, point, row));
        if (report)
            report->point(bench, point);
    }
}
