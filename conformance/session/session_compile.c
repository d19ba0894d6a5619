/* Units through compilers, side by side (session_compile.h). */
#include "conformance/session/session_compile.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "conformance/base/array.h"
#include "conformance/base/clock.h"
#include "conformance/model/catalog.h"
#include "conformance/model/made_code.h"
#include "conformance/work/compile_text.h"
#include "conformance/work/harness.h"

/* A compiler takes longer than a check; one that hangs is not waited for again and again. */
enum { LIMIT_CHECKS = 6, HANGS_MAX = 3, THREADS_MAX = 64 };
static const double check_limit_s = 10; /* of a command without --timeout */

struct job {
    int path, compute_capability;
    const char *unit;
    const char *text; /* what is compiled; NULL where the program has none for the device */
};

struct compile {
    struct session *session;
    struct job *jobs;
    size_t job_count;
    atomic_int *hangs; /* of each path */
    struct compile_limits limits;
    atomic_size_t next;
    atomic_int from_cache;
    atomic_bool failed; /* memory for what was made */
};

/* Listed, or made before: a measure that needs it early has asked for it itself. */
static bool is_there(const struct compile *compile, const struct job *job)
{
    const void *code;
    if (made_code_find(job->path, job->unit, job->compute_capability, &code))
        return true;
    for (size_t index = 0; index < compile->job_count; index++)
        if (compile->jobs[index].path == job->path &&
            compile->jobs[index].compute_capability == job->compute_capability &&
            strcmp(compile->jobs[index].unit, job->unit) == 0)
            return true;
    return false;
}

static bool add_job(struct compile *compile, struct subject subject, const char *unit)
{
    struct job job = {.path = subject.path,
                      .compute_capability =
                          compile->session->devices[subject.device].info.limits.compute_capability,
                      .unit = unit};
    const void *code;
    job.text = catalog_code(job.unit, job.path, job.compute_capability);
    if (is_there(compile, &job) ||
        made_code_find(job.path, job.unit, job.compute_capability, &code)) /* before */
        return true;
    if (!ARRAY_ROOM(compile->jobs, compile->job_count))
        return false;
    compile->jobs[compile->job_count++] = job;
    return true;
}

/* What is planned through paths that have a compiler; with the harness's own kernels where the
 * build had no toolkit for them. */
static bool list_jobs(struct compile *compile, const char *more)
{
    const struct session *session = compile->session;
    bool good = true;
    for (int index = 0; index < subject_count(session->device_count); index++) {
        const struct subject subject = subject_at(index);
        if (path_row(subject.path)->tool == NULL || !session_has(session, subject))
            continue;
        good = good && add_job(compile, subject, catalog_kernel(subject.kernel)->unit) &&
               (more == NULL || add_job(compile, subject, more));
        for (const char *const *unit = harness_units; good && !image_toolkit[0] && *unit; unit++)
            good = add_job(compile, subject, *unit);
    }
    return good;
}

/* Whose words follow. */
static void put_note(struct made_code *made, const char *words)
{
    snprintf(made->note, sizeof made->note, "%s on unit %s for sm_%d: %.170s",
             path_name(made->path), made->unit, made->compute_capability, words);
}

static void *make(struct compile *compile, const struct job *job, struct made_code *made)
{
    struct compiler_words words;
    struct compiled compiled;
    compile_words(job->path, job->compute_capability, &words);
    if (compile_find(job->path, &words, job->text, &compiled)) {
        compile->from_cache++;
    } else if (compile->hangs[job->path] >= HANGS_MAX) {
        put_note(made, "not tried: the compiler hung on others");
        return NULL;
    } else {
        compile_text(job->path, &words, job->text, &compile->limits, &compiled);
        compile->hangs[job->path] += compiled.late;
        compile_keep(job->path, &words, job->text, &compiled);
    }
    made->state = compiled.state;
    made->bytes = compiled.bytes;
    if (compiled.code == NULL)
        put_note(made, compiled.note);
    return compiled.code;
}

static void do_job(struct compile *compile, const struct job *job)
{
    struct made_code made = {
        .state = MADE_FAILED, .path = job->path, .compute_capability = job->compute_capability};
    struct reason reason;
    snprintf(made.unit, sizeof made.unit, "%s", job->unit);
    void *code = NULL;
    if (job->text)
        code = make(compile, job, &made);
    else
        return; /* no image: as through every other path */
    if (code) {
        made.state = MADE_CODE;
        made.note[0] = 0;
    }
    if (!made_code_add(&made, code, &reason))
        compile->failed = true;
    free(code);
}

static void *work(void *context)
{
    struct compile *compile = context;
    for (size_t index; (index = compile->next++) < compile->job_count && !compile->failed;)
        do_job(compile, &compile->jobs[index]);
    return NULL;
}

static void work_all(struct compile *compile)
{
    pthread_t threads[THREADS_MAX];
    const long processors = sysconf(_SC_NPROCESSORS_ONLN);
    int count = 0;
    while (count < THREADS_MAX && count + 1 < processors &&
           (size_t)count + 1 < compile->job_count &&
           pthread_create(&threads[count], NULL, work, compile) == 0)
        count++;
    work(compile);
    for (int index = 0; index < count; index++)
        pthread_join(threads[index], NULL);
}

bool session_compile(struct session *session, const char *unit, struct reason *ret_reason)
{
    const double timeout_s = session->options->timeout_s;
    struct compile compile = {
        .session = session,
        .hangs = calloc((size_t)path_count(), sizeof *compile.hangs),
        .limits = {.wall_s = LIMIT_CHECKS * (timeout_s > 0 ? timeout_s : check_limit_s)}};
    const double began_s = clock_now_s();
    bool good = compile.hangs && list_jobs(&compile, unit);
    if (!good)
        reason_set(ret_reason, REASON_SYSTEM, "no memory to compile");
    else if (compile.job_count > 0) {
        work_all(&compile);
        good =
            !compile.failed || reason_set(ret_reason, REASON_SYSTEM, "no memory for compiled code");
        session->compiled_count += (int)compile.job_count;
        session->compiled_cached += compile.from_cache;
        session->compiled_s += clock_now_s() - began_s;
    }
    free(compile.jobs);
    free(compile.hangs);
    return good;
}

const char *session_compiled_text(const struct session *session,
                                  char ret_text[SESSION_COMPILED_BYTES])
{
    const int all = session->compiled_count, cached = session->compiled_cached;
    ret_text[0] = 0;
    if (all > 0)
        snprintf(ret_text, SESSION_COMPILED_BYTES,
                 "; of %d unit%s %d %s compiled now, and %d came from the cache", all,
                 all == 1 ? "" : "s", all - cached, all - cached == 1 ? "was" : "were", cached);
    return ret_text;
}
