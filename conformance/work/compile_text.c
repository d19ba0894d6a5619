/* One text, one process, one answer (compile_text.h). Clauses: driver.candidate.refused,
 * driver.candidate.alone, driver.candidate.cached. */
#include "conformance/work/compile_text.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "conformance/base/cache.h"
#include "conformance/base/input_file.h"
#include "conformance/base/text.h"

/* The compiler's output in one line; if that is too long, from its most telling line on. */
static void put_words(struct compiled *ret, const char *before, const char *printed,
                      const char *most)
{
    char line[TOOL_TEXT_BYTES];
    const size_t room = sizeof ret->note - strlen(before) - sizeof ": ";
    if (strlen(tool_line(printed, line, sizeof line)) > room)
        tool_line(most, line, sizeof line);
    snprintf(ret->note, sizeof ret->note, "%s%s%.*s", before, before[0] && line[0] ? ": " : "",
             (int)room, line);
    utf8_tame(ret->note); /* a letter may be cut */
}

/* Words of compilers for a mistake of their own, and of a host without room for their files or
 * without memory. */
static const char *const own_faults[] = {"internal error", "internal compiler error",
                                         "assertion failed", "assertion `", NULL};
static const char *const host_faults[] = {"no space left on device",
                                          "disk quota exceeded",
                                          "out of memory",
                                          "cannot allocate memory",
                                          "memory allocation failure",
                                          "bad_alloc",
                                          "failed to map segment from shared object",
                                          "killed signal terminated program",
                                          NULL};

static bool has_one(const char *errors, const char *const *phrases)
{
    for (const char *at = errors; *at; at++)
        for (const char *const *phrase = phrases; *phrase; phrase++)
            if (strncasecmp(at, *phrase, strlen(*phrase)) == 0)
                return true;
    return false;
}

/* As compile_text, of any program that makes a file of a text: `run` has its words. `compiler` is
 * NULL if no row has its answers. */
static void compile_run(const struct tool_run *run, const char *text,
                        const struct compiler *compiler, struct compiled *ret)
{
    struct tool_run it = *run;
    struct tool_end end;
    struct reason reason = {.kind = REASON_SYSTEM, .text = ""};
    char words[REASON_TEXT_BYTES];
    *ret = (struct compiled){.state = MADE_UNTRIED};
    it.input = tool_file(text, strlen(text), &reason);
    it.output = it.input < 0 ? -1 : tool_file("", 0, &reason);
    const bool has_run = it.output >= 0 && tool_run(&it, &end, &reason);
    if (has_run && (tool_is_good(&end) || input_is_large(INPUT_CODE, it.output))) {
        ret->code = input_read_memory(INPUT_CODE, it.output, &ret->bytes, &reason);
        if (ret->code == NULL && reason.kind == REASON_BROKEN)
            ret->state = MADE_FAILED;
    } else if (has_run) { /* what the compiler's end says of it */
        const char *refusal = end.late || !compiler ? NULL : compiler->refusal(end.errors);
        /* Only a system that lacks memory kills one that is not late. */
        const bool is_killed = WIFSIGNALED(end.wait_status) && WTERMSIG(end.wait_status) == SIGKILL;
        const bool is_of_host =
            !refusal && !end.late && (is_killed || has_one(end.errors, host_faults));
        ret->state = refusal ? MADE_REFUSED : is_of_host ? MADE_UNTRIED : MADE_FAILED;
        ret->late = end.late;
        ret->crashed = !refusal && !end.late && !is_of_host &&
                       (WIFSIGNALED(end.wait_status) || has_one(end.errors, own_faults));
        if (refusal) {
            snprintf(words, sizeof words, "%.*s", (int)strcspn(refusal, "\n"), refusal);
            put_words(ret, "", words, words);
        } else {
            put_words(ret,
                      is_killed && is_of_host ? "the system killed it, as if memory ran out"
                                              : tool_end_text(&it, &end, words),
                      end.errors, compiler ? compiler->complaint(end.errors) : end.errors);
        }
    }
    if (ret->code)
        ret->state = MADE_CODE;
    else if (reason.kind == REASON_ABSENT)
        ret->state = MADE_REFUSED; /* the system lacks what it needs */
    if (ret->code == NULL && ret->note[0] == 0)
        put_words(ret, reason.text, "", "");
    if (it.input >= 0)
        close(it.input);
    if (it.output >= 0)
        close(it.output);
}

/* The command line of a compiler. */
static void find_words(const struct compiler *compiler, const char *options, int compute_capability,
                       struct compiler_words *ret)
{
    compiler->words(compute_capability, options, TOOL_INPUT, TOOL_OUTPUT, ret);
}

/* The key of the compiler, its command line and its input. False for a job whose result is not
 * kept. */
static bool find_key(const struct compile_job *job, struct cache_key *ret)
{
    const struct path *it = path_row(job->path);
    struct compiler_words words;
    struct cache_part parts[COMPILER_WORDS_MAX + 2] = {{&it->kept, sizeof it->kept},
                                                       {job->text, strlen(job->text)}};
    find_words(it->source->compiler, it->options, job->compute_capability, &words);
    for (int index = 0; index < words.count; index++)
        parts[2 + index] = (struct cache_part){words.words[index], strlen(words.words[index])};
    *ret = cache_key(parts, 2 + words.count);
    return job->is_kept && it->kept != 0;
}

bool compile_find(const struct compile_job *job, struct compiled *ret)
{
    struct cache_key key;
    struct compiled found = {.state = MADE_CODE};
    found.code = find_key(job, &key) ? cache_read(&key, &found.bytes) : NULL;
    if (found.code)
        *ret = found;
    return found.code != NULL;
}

static void compile_with(const struct compiler *compiler, const char *tool, const char *options,
                         const struct compile_job *job, struct compiled *ret)
{
    struct tool_run run = {.limit_s = job->limits.wall_s, .cpu_limit_s = job->limits.cpu_s};
    const int before = compiler_program(compiler, tool, run.words);
    struct compiler_words words;
    find_words(compiler, options, job->compute_capability, &words);
    for (int index = 0; index < words.count; index++)
        run.words[before + index] = words.words[index];
    compile_run(&run, job->text, compiler, ret);
}

void compile_probe(const struct compiler *compiler, const char *tool, const struct compile_job *job,
                   struct compiled *ret)
{
    compile_with(compiler, tool, NULL, job, ret);
}

void compile_text(const struct compile_job *job, struct compiled *ret)
{
    const struct path *it = path_row(job->path);
    struct cache_key key;
    compile_with(it->source->compiler, it->tool, it->options, job, ret);
    if (ret->state == MADE_CODE && find_key(job, &key))
        cache_write(&key, ret->code, ret->bytes);
}

/* C text into a library. */

bool host_compiler_find(char ret_file[HOST_COMPILER_BYTES], struct reason *ret_reason)
{
    static const char *const names[] = {"cc", "gcc", "clang"};
    const char *folders = getenv("PATH");
    struct stat status;
    for (size_t index = 0; folders && index < sizeof names / sizeof names[0]; index++)
        for (const char *at = folders; *at; at += strspn(at, ":")) {
            const size_t length = strcspn(at, ":");
            const int bytes =
                snprintf(ret_file, HOST_COMPILER_BYTES, "%.*s/%s", (int)length, at, names[index]);
            if (bytes < HOST_COMPILER_BYTES && ret_file[0] == '/' && stat(ret_file, &status) == 0 &&
                S_ISREG(status.st_mode) && access(ret_file, X_OK) == 0)
                return true;
            at += length;
        }
    return reason_set(ret_reason, REASON_ABSENT, "there is no C compiler on this host");
}

/* Values are as the text has them: no operation is joined with another, and no pointer is assumed
 * to be another's. */
void host_compiler_run(const char *file, const char *text, const struct compile_limits *limits,
                       struct compiled *ret)
{
    const struct tool_run run = {.words = {file, "-x", "c", "-std=gnu11", "-O1", "-w", "-fPIC",
                                           "-shared", "-ffp-contract=off", "-fno-strict-aliasing",
                                           "-o", TOOL_OUTPUT, TOOL_INPUT, "-lm", NULL},
                                 .limit_s = limits->wall_s,
                                 .cpu_limit_s = limits->cpu_s};
    compile_run(&run, text, NULL, ret);
}
