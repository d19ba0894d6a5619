/* Cases of many checks: every check is run and counted once, and the case has one line. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "conformance/bits/carry_out.h"
#include "conformance/session/session_lines.h"
#include "conformance/base/reason.h"
#include "conformance/test/fake_worker.h"
#include "spec/testing.h"

/* How many cases of a record have so many checks. */
struct case_lines {
    json_int_t checks;
    int cases, others;
};

static void count_case_line(void *context, const json_t *line)
{
    struct case_lines *lines = context;
    if (!json_object_get(line, "case"))
        return;
    bool whole = json_integer_value(json_object_get(line, "checks")) == lines->checks;
    lines->cases += whole;
    lines->others += !whole;
}

/* However many checks a case has, each kernel through so many paths, and whether or not a worker
 * leaves some out. `paths`: of a GPU, or NULL for the host device. */
static void run_all(const struct corpus *corpus, const char *script, const char *paths, int count)
{
    int kernels_here = 0;
    char path[] = "/tmp/assay-checks-XXXXXX";
    struct reason reason;
    struct case_lines lines = {.checks = 0};
    struct options options = {.timeout_s = 5, .jobs = 2};
    struct session session = {.options = &options, .device_count = 1};
    struct run *run = calloc(1, sizeof *run);
    close(mkstemp(path));
    run->session = &session;
    run->session->devices[0].info.id.kind = paths ? DEVICE_GPU : DEVICE_HOST;
    run->session->plan.paths = paths;
    run->session->records[run->session->record_count++] = record_create(path, &reason);
    for (int id = 0; id < catalog_count(); id++)
        kernels_here += session.plan.selected[id] =
            strcmp(catalog_kernel(id)->algorithm, "matmul") == 0;
    for (int index = 0; index < subject_count(1); index++)
        lines.checks += session_has(&session, subject_at(index));
    ck_assert_int_eq(lines.checks, kernels_here * count);
    plan_open_corpus(&run->session->plan, corpus->cases, corpus->count);
    fake_worker_script(script);
    ck_assert(run_open(run));
    session_write(&session, session_header(&session));
    run_take(run);
    ck_assert(session_close_records(run->session));
    ck_assert_uint_eq(run->devices[0].cases_done, corpus->count);
    for (int index = 0; index < subject_count(1); index++)
        ck_assert_uint_eq(tally_row(&run->tally, subject_at(index))->counts[VERDICT_PASS],
                          session_has(&session, subject_at(index)) ? corpus->count : 0);
    ck_assert_msg(record_read(path, count_case_line, &lines, &reason), "%s", reason.text);
    ck_assert_int_eq(lines.cases, (int)corpus->count);
    ck_assert_int_eq(lines.others, 0);
    unlink(path);
    run_close(run);
    free(run);
}

START_TEST(a_case_goes_out_whole)
{
    CLAUSE("runner.checks.parts");
    CLAUSE("driver.path.named");
    struct corpus corpus;
    struct corpus_error error;
    ck_assert(corpus_parse("x",
                           "matmul m=0 n=0 k=0 fill=uniform seed=1\n"
                           "matmul m=0 n=0 k=1 fill=uniform seed=1\n"
                           "matmul m=0 n=0 k=2 fill=uniform seed=1\n",
                           &corpus, &error));
    run_all(&corpus, "", NULL, 1);
    run_all(&corpus, "forget", NULL, 1);
    /* Paths with options are rows that the worker gets: without them it would know no such check.
     */
    static const char *const levels[] = {"ptx-O0", "ptx-O1", "ptx-O2", "ptx-O3", "ptx-O4"};
    for (size_t level = 0; level < sizeof levels / sizeof levels[0]; level++)
        ck_assert_int_ge(path_find_or_add(levels[level]), 0);
    run_all(&corpus, "", "sass,ptx,ptx-O0,ptx-O1,ptx-O2,ptx-O3,ptx-O4", 7);
    run_all(&corpus, "forget", "sass,ptx,ptx-O0,ptx-O1,ptx-O2,ptx-O3,ptx-O4", 7);
    corpus_free(&corpus);
}
END_TEST

/* The arrays that have a place for each. */
START_TEST(the_catalog_has_room)
{
    CLAUSE("runner.checks.parts");
    ck_assert_int_eq(catalog_count(), kernel_count + mutant_count);
    ck_assert_int_le(algorithm_count, ALGORITHMS_MAX);
}
END_TEST

int main(int argc, char **argv)
{
    return fake_worker_begin(argc, argv);
}
