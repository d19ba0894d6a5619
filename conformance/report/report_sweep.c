/* A sweep as it goes, as text and as TAP: in text a table for each curve, a line a point.
 * Clause: bandwidth.sweep.unjudged. */
#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "conformance/speed/bench.h"
#include "conformance/base/number.h"
#include "conformance/session/session_lines.h"
#include "conformance/report/report_bench.h"

enum { WIDTH = 14 };

static bool is_first(const struct bench_plan *plan, int index)
{
    const struct bench_group *point = &plan->groups[index], *before = point - 1;
    return index == 0 || strcmp(point->figure, before->figure) != 0 ||
           point->test_case.algorithm != before->test_case.algorithm;
}

/* Of a curve: kernels without their algorithm's name, code paths below. */
static void print_head(const struct bench_plan *plan, const struct bench_group *point)
{
    char name[CATALOG_NAME_BYTES];
    const char *algorithm = point->test_case.algorithm->name;
    printf("\n%s of %s, GB/s\n%11s %-5s %*s %*s", point->figure, algorithm, "at", "where", WIDTH,
           "memcpy", WIDTH, "copy");
    for (int row = point->row_begin; row < point->row_end; row++) {
        const char *slash = strchr(catalog_name(plan->rows[row].subject.kernel, name), '/');
        printf(" %*s", WIDTH, slash ? slash + 1 : name);
    }
    printf("\n%11s %-5s %*s %*s", "", "", WIDTH, "", WIDTH, "");
    for (int row = point->row_begin; row < point->row_end; row++)
        printf(" %*s", WIDTH, path_name(plan->rows[row].subject.path));
    printf("\n");
}

static void print_cell(const struct bench_result *result)
{
    if (result->finding.verdict == VERDICT_PASS)
        printf(" %*.4g", WIDTH, result->gbps[0].median);
    else
        printf(" %*s", WIDTH, verdict_name(result->finding.verdict));
}

static void print_note(const char *what, const char *path, const struct bench_result *result)
{
    if (result->finding.verdict != VERDICT_PASS)
        printf("%11s %s%s%s: %s: %s\n", "", what, path[0] ? " through " : "", path,
               verdict_name(result->finding.verdict), result->finding.note);
}

void sweep_text_point(const struct bench *bench, int index)
{
    const struct sweep *sweep = &bench->sweep;
    const struct bench_group *point = &sweep->plan.groups[index];
    char name[CATALOG_NAME_BYTES], text[2][NUMBER_COUNT_BYTES];
    if (index == 0)
        printf("\nsweep     %s, 1 repeat of %s each; no speed is judged\n",
               number_count((uint64_t)sweep->plan.group_count, "point", text[0]),
               number_count((uint64_t)bench->samples, "sample", text[1]));
    if (is_first(&sweep->plan, index))
        print_head(&sweep->plan, point);
    printf("%11" PRId64 " %-5s", point->at, regime_name(point->regime));
    print_cell(&sweep->ceiling.memcpy_result);
    print_cell(&sweep->ceiling.copy_result);
    for (int row = point->row_begin; row < point->row_end; row++)
        print_cell(&sweep->results[row]);
    printf("\n");
    print_note("memcpy", "", &sweep->ceiling.memcpy_result);
    print_note("copy", "", &sweep->ceiling.copy_result);
    for (int row = point->row_begin; row < point->row_end; row++) {
        const struct subject *subject = &sweep->plan.rows[row].subject;
        print_note(catalog_name(subject->kernel, name), path_name(subject->path),
                   &sweep->results[row]);
    }
    fflush(stdout);
}

void sweep_tap_point(const struct bench *bench, int index)
{
    const struct sweep *sweep = &bench->sweep;
    const struct bench_group *point = &sweep->plan.groups[index];
    char where[128];
    snprintf(where, sizeof where, "for %s %" PRId64 " %s %s", point->figure, point->at,
             bench->session->devices[bench->device].label, point->test_case.algorithm->name);
    bench_report_wrong_copies(&sweep->ceiling, where, bench_tap_copy);
    for (int row = point->row_begin; row < point->row_end; row++) {
        const struct bench_row *it = &sweep->plan.rows[row];
        const struct bench_result *result = &sweep->results[row];
        char name[CATALOG_NAME_BYTES], what[256];
        snprintf(what, sizeof what, "sweep of %s %" PRId64 " %s %s %s %s: %.4g GB/s", point->figure,
                 point->at, catalog_name(it->subject.kernel, name),
                 bench->session->devices[bench->device].label, path_name(it->subject.path),
                 regime_name(point->regime), result->gbps[0].median);
        tap_line(result->finding.verdict, what, result->finding.note);
    }
}
