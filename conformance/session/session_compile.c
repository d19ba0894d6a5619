/* Units through compilers, side by side (session_compile.h). */
#include "conformance/session/session_compile.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "conformance/base/array.h"
#include "conformance/base/cache.h"
#include "conformance/base/clock.h"
#include "conformance/base/tool.h"
#include "conformance/base/utf8.h"
#include "conformance/model/catalog.h"
#include "conformance/model/made_code.h"
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
    double limit_s;
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

/* Up to the end of the line, without the name of the file that it was given. */
static void put_line(struct made_code *made, const char *before, const char *line)
{
    static const char input[] = TOOL_INPUT ", ";
    const size_t length = strcspn(line, "\n");
    const char *name = strstr(line, input);
    const size_t left_out =
        name && name < line + length ? (size_t)(name - line) + sizeof input - 1 : 0;
    snprintf(made->note, sizeof made->note, "%s on unit %s for sm_%d: %s%s%.*s",
             path_name(made->path), made->unit, made->compute_capability, before,
             before[0] && length ? ": " : "", (int)(length - left_out), line + left_out);
    utf8_tame(made->note);
}

/* What the compiler's end says of it. */
static void judge(const struct compiler *compiler, const struct tool_run *run,
                  const struct tool_end *end, struct made_code *made)
{
    char text[REASON_TEXT_BYTES];
    const char *refusal = end->late ? NULL : compiler->refusal(end->errors);
    made->state = refusal ? MADE_REFUSED : MADE_FAILED;
    put_line(made, refusal ? "" : tool_end_text(run, end, text),
             refusal ? refusal : compiler->complaint(end->errors));
}

/* Runs the compiler on it. Returns the code, for free(), or NULL and why. */
static void *run_compiler(struct compile *compile, const struct job *job,
                          const struct compiler_words *words, struct made_code *made)
{
    const struct path *path = path_row(job->path);
    struct tool_run run = {.limit_s = compile->limit_s};
    struct tool_end end;
    struct reason reason = {.text = ""};
    void *code = NULL;
    size_t bytes = 0;
    const int before = compiler_program(path->source->compiler, path->tool, run.words);
    for (int index = 0; index < words->count; index++)
        run.words[before + index] = words->words[index];
    run.input = tool_file(job->text, strlen(job->text), &reason);
    run.output = run.input < 0 ? -1 : tool_file("", 0, &reason);
    made->state = MADE_UNTRIED;
    if (run.output >= 0 && tool_run(&run, &end, &reason)) {
        if (tool_is_good(&end))
            code = tool_file_read(run.output, &bytes, &reason);
        else
            judge(path->source->compiler, &run, &end, made);
        if (code == NULL && tool_is_good(&end) && reason.kind == REASON_BROKEN)
            made->state = MADE_FAILED;
        compile->hangs[job->path] += end.late;
    }
    if (made->note[0] == 0)
        put_line(made, reason.text, "");
    if (run.input >= 0)
        close(run.input);
    if (run.output >= 0)
        close(run.output);
    made->bytes = bytes;
    return code;
}

/* Of the compiler, what it is asked, and what it gets. */
static struct cache_key key_of(const struct job *job, const struct compiler_words *words)
{
    struct cache_part parts[COMPILER_WORDS_MAX + 2] = {
        {&path_row(job->path)->digest, sizeof path_row(job->path)->digest},
        {job->text, strlen(job->text)}};
    for (int index = 0; index < words->count; index++)
        parts[2 + index] = (struct cache_part){words->words[index], strlen(words->words[index])};
    return cache_key(parts, 2 + words->count);
}

static void *make(struct compile *compile, const struct job *job, struct made_code *made)
{
    const struct path *path = path_row(job->path);
    struct compiler_words words;
    size_t bytes = 0;
    path->source->compiler->words(job->compute_capability, path->options, TOOL_INPUT, TOOL_OUTPUT,
                                  &words);
    const struct cache_key key = key_of(job, &words);
    void *code = cache_read(&key, &bytes);
    made->bytes = bytes;
    if (code) {
        compile->from_cache++;
    } else if (compile->hangs[job->path] >= HANGS_MAX) {
        put_line(made, "not tried: it came to no end on others", "");
    } else {
        code = run_compiler(compile, job, &words, made);
        if (code)
            cache_write(&key, code, made->bytes);
    }
    return code;
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
    struct compile compile = {.session = session,
                              .hangs = calloc((size_t)path_count(), sizeof *compile.hangs),
                              .limit_s =
                                  LIMIT_CHECKS * (timeout_s > 0 ? timeout_s : check_limit_s)};
    const double began_s = clock_now_s();
    bool good = compile.hangs && list_jobs(&compile, unit);
    if (!good)
        reason_set(ret_reason, REASON_SYSTEM, "no memory to compile");
    else if (compile.job_count > 0) {
        work_all(&compile);
        good =
            !compile.failed || reason_set(ret_reason, REASON_SYSTEM, "no memory for compiled code");
        session->compiled_count = (int)compile.job_count;
        session->compiled_cached = compile.from_cache;
        session->compiled_s = clock_now_s() - began_s;
    }
    free(compile.jobs);
    free(compile.hangs);
    return good;
}
