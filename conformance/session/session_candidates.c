/* The compilers and images files that the user names, as code paths, and what those compilers make
 * of a session's units, side by side (session.h). Clauses: driver.candidate.named,
 * driver.candidate.found, driver.candidate.probed, driver.images.paths, driver.images.recorded. */
#include "conformance/session/session.h"

#include <elf.h>
#include <glob.h>
#include <inttypes.h>
#include <limits.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "conformance/base/heap.h"
#include "conformance/base/cache.h"
#include "conformance/base/host.h"
#include "conformance/base/input_file.h"
#include "conformance/base/process.h"
#include "conformance/model/program_text.h"
#include "conformance/work/compile_text.h"
#include "conformance/work/harness.h"
#include "conformance/work/windows.h"
#include "fuzz/programs/render.h"

static const double version_limit_s = 20;

/* The options that name compilers, a row each; what such a file makes may come in two forms. */
struct candidates {
    const struct option_files *files;
    const struct compiler *forms[2];
    enum source_text language; /* that it takes */
};

/* A compiler's file in a folder, in the first place that has one. */
static bool find_in(const struct compiler *compiler, const char *folder, char ret[PATH_TOOL_BYTES],
                    struct reason *ret_reason)
{
    char pattern[PATH_TOOL_BYTES];
    for (const char *const *place = compiler->places; *place; place++) {
        glob_t found = {.gl_pathc = 0};
        const int length = snprintf(pattern, sizeof pattern, "%s/%s", folder, *place);
        const bool any = length < (int)sizeof pattern && glob(pattern, 0, NULL, &found) == 0;
        const size_t count = any ? found.gl_pathc : 0;
        /* Several names may be those of one file: a library has some. */
        struct stat first, other;
        bool is_one = count > 0 && stat(found.gl_pathv[0], &first) == 0;
        for (size_t index = 1; is_one && index < count; index++)
            is_one = stat(found.gl_pathv[index], &other) == 0 && other.st_dev == first.st_dev &&
                     other.st_ino == first.st_ino;
        if (is_one)
            snprintf(ret, PATH_TOOL_BYTES, "%s", found.gl_pathv[0]);
        if (count > 0 && !is_one)
            reason_set(ret_reason, REASON_INPUT, "%s holds %zu: %s and %s; name one", folder, count,
                       found.gl_pathv[0], found.gl_pathv[count - 1]);
        if (any)
            globfree(&found);
        if (count > 0)
            return is_one;
    }
    return reason_set(ret_reason, REASON_ABSENT, "%s holds no %s", folder, compiler->name);
}

static bool find_file(const struct compiler *compiler, const char *name, char ret[PATH_TOOL_BYTES],
                      struct reason *ret_reason)
{
    struct stat status;
    if (strlen(name) >= PATH_TOOL_BYTES)
        return reason_set(ret_reason, REASON_INPUT, "its name is longer than %d bytes",
                          PATH_TOOL_BYTES - 1);
    if (stat(name, &status) == 0 && S_ISDIR(status.st_mode)) {
        if (!find_in(compiler, name, ret, ret_reason))
            return false;
        name = ret;
    }
    if (stat(name, &status) != 0)
        return reason_set(ret_reason, REASON_ABSENT, "there is no such file");
    if (!S_ISREG(status.st_mode))
        return reason_set(ret_reason, REASON_INPUT, "not a regular file");
    if (name == ret)
        return true;
    if (strlen(name) > 4 && strcmp(name + strlen(name) - 4, ".whl") == 0)
        return reason_set(ret_reason, REASON_INPUT, "it is packed: unzip it, and name the folder");
    /* A word without a slash is a file here, and no program of PATH. */
    snprintf(ret, PATH_TOOL_BYTES, "%s%s", strchr(name, '/') ? "" : "./", name);
    return true;
}

/* `ret_key`: the key of the file, of the files in its folder that it loads, and of all its
 * answers. */
static bool ask_version(const struct compiler *compiler, const char *file,
                        char ret_version[COMPILER_VERSION_BYTES], struct cache_key *ret_key,
                        struct reason *ret_reason)
{
    struct cache_key key;
    struct tool_run run = {.input = -1, .output = -1, .limit_s = version_limit_s};
    const int before = compiler_program(compiler, file, run.words);
    struct tool_end end;
    char text[REASON_TEXT_BYTES], words[REASON_TEXT_BYTES];
    char folder[PATH_MAX], pattern[PATH_MAX + 64];
    glob_t found = {.gl_pathc = 0};
    run.words[before] = "--version";
    if (!tool_run(&run, &end, ret_reason))
        return false;
    if (!tool_is_good(&end))
        return reason_set(ret_reason, REASON_BROKEN, "%s --version: %s%s%s", file,
                          tool_end_text(&run, &end, text), end.errors[0] ? ": " : "",
                          tool_line(end.errors, words, sizeof words));
    bool good = cache_key_of_file(file, &key, ret_reason);
    if (good && compiler->companions && realpath(file, folder)) {
        *strrchr(folder, '/') = 0;
        snprintf(pattern, sizeof pattern, "%s/%s", folder, compiler->companions);
        const bool any = glob(pattern, 0, NULL, &found) == 0;
        for (size_t index = 0; any && good && index < found.gl_pathc; index++) {
            struct cache_key keys[2] = {key};
            good = cache_key_of_file(found.gl_pathv[index], &keys[1], ret_reason);
            key = cache_key(&(struct cache_part){keys, sizeof keys}, 1);
        }
        if (any)
            globfree(&found);
    }
    if (!good)
        return false;
    const struct cache_part parts[] = {{&key, sizeof key}, {end.out, strlen(end.out)}};
    *ret_key = cache_key(parts, 2);
    return compiler->version(end.out, ret_version) ||
           reason_set(ret_reason, REASON_INPUT, "%s is not a %s: unexpected --version output", file,
                      compiler->name);
}

/* A compiler takes longer than a check; one that hangs is not waited for again and again. */
enum { LIMIT_CHECKS = 6, HANGS_MAX = 3 };
static const double check_limit_s = 10; /* of a command without --timeout */

static struct compile_limits limits_of(const struct options *options)
{
    const double timeout_s = options->timeout_s > 0 ? options->timeout_s : check_limit_s;
    return (struct compile_limits){.wall_s = LIMIT_CHECKS * timeout_s};
}

/* No run waits longer before it begins. */
static struct compile_limits limits_of_probe(const struct options *options)
{
    const struct compile_limits limits = limits_of(options);
    return limits.wall_s < version_limit_s ? limits
                                           : (struct compile_limits){.wall_s = version_limit_s};
}

/* The text of a probe, in that language; for free(), or NULL. */
static char *probe_text(enum source_text language, int compute_capability)
{
    struct program_case *test_case = heap_take(1, sizeof *test_case);
    struct program *program = heap_take(1, sizeof *program);
    char line[PROGRAM_TEXT_BYTES];
    struct program_text text = {.text = NULL};
    struct reason reason;
    snprintf(line, sizeof line, "program version=%d seed=1 statements=100 threads=32",
             PROGRAM_VERSION);
    if (!program_text_make(line, test_case, program, &reason)) {
        text.is_out_of_memory = true;
    } else if (language == SOURCE_TEXT_PTX) {
        render_ptx_begin(&text, compute_capability);
        render_ptx(&text, program, "probe");
    } else {
        render_c_begin(&text);
        render_c(&text, program, "probe");
    }
    free(program);
    free(test_case);
    if (!text.is_out_of_memory)
        return text.text;
    free(text.text);
    return NULL;
}

/* Compiles a probe with that file. False if it makes no code. Its text is for free(), too. */
static bool compile_a_probe(const struct candidates *row, const char *file,
                            const struct options *options, struct compiled *ret, char **ret_text)
{
    static const int capabilities[] = {90, 75, 100}; /* most compilers know one of them */
    *ret = (struct compiled){.state = MADE_REFUSED};
    *ret_text = NULL;
    for (size_t index = 0; index < sizeof capabilities / sizeof capabilities[0]; index++) {
        free(*ret_text);
        *ret_text = probe_text(row->language, capabilities[index]);
        const struct compile_job job = {.compute_capability = capabilities[index],
                                        .text = *ret_text,
                                        .limits = limits_of_probe(options)};
        if (job.text)
            compile_probe(row->forms[0], file, &job, ret);
        if (ret->state != MADE_REFUSED)
            break;
    }
    return ret->code != NULL;
}

/* A compiler's file may run another one, which can change. So each run has it compile a probe, and
 * uses what was cached while it made the same of that. Returns the digest of the file and of what
 * it made, or 0 if nothing of it is to be cached: of a script, or of one that makes no code of the
 * probe. Prints a line if it made other code last time. */
static uint64_t open_cache(const struct candidates *row, const char *file, uint64_t digest,
                           const struct options *options)
{
    struct compiled compiled;
    struct cache_key now = {{0}};
    char *text = NULL;
    if (!input_begins(file, ELFMAG, SELFMAG)) /* a script */
        return 0;
    if (compile_a_probe(row, file, options, &compiled, &text)) {
        const struct cache_part parts[] = {
            {&digest, sizeof digest}, {text, strlen(text)}, {compiled.code, compiled.bytes}};
        const struct cache_key last = cache_key(parts, 2);
        now = cache_key(parts, 3);
        now.words[0] |= 1;
        size_t bytes = 0;
        struct cache_key *kept = cache_read(&last, &bytes);
        const bool is_same = kept && bytes == sizeof now && memcmp(kept, &now, bytes) == 0;
        if (kept && !is_same)
            fprintf(stderr,
                    "assay: --%s %s: it compiles to other code than in an earlier run: "
                    "output cached then is not used\n",
                    row->forms[0]->name, file);
        if (!is_same)
            cache_write(&last, &now, sizeof now);
        free(kept);
    }
    free(compiled.code);
    free(text);
    return now.words[0];
}

/* One path for each form and level; "" is the compiler's own. */
static bool add_candidate(const struct candidates *row, const char *name,
                          const struct options *options, struct reason *ret_reason)
{
    const struct compiler *const *forms = row->forms;
    const char *levels = options->levels;
    struct path_addition it = {.digest = 0};
    char version[COMPILER_VERSION_BYTES];
    struct cache_key key = {{0}};
    if (!find_file(forms[0], name, it.tool, ret_reason) ||
        !ask_version(forms[0], it.tool, version, &key, ret_reason))
        return false;
    it.digest = key.words[0];
    it.kept = open_cache(row, it.tool, it.digest, options);
    for (int form = 0; form < 2 && forms[form]; form++) {
        const struct compiler *compiler = forms[form];
        snprintf(it.like, sizeof it.like, "%s%s", compiler->name, compiler->form);
        for (const char *level = levels ? levels : ""; level;) {
            it.options[0] = 0;
            if (level[0])
                snprintf(it.options, sizeof it.options, "-O%c", level[0]);
            snprintf(it.name, sizeof it.name, "%s-%s%s%.3s", compiler->name, version,
                     compiler->form, it.options);
            if (!path_add(&it, ret_reason))
                return false;
            level = level[0] && level[1] ? level + 2 : NULL;
        }
    }
    return true;
}

bool candidates_add(const struct options *options, struct reason *ret_reason)
{
    const struct candidates all[] = {
        {&options->nvrtc, {&compiler_nvrtc, &compiler_nvrtc_ptx}, SOURCE_TEXT_C},
        {&options->ptxas, {&compiler_ptxas}, SOURCE_TEXT_PTX}};
    int count = 0;
    for (const struct candidates *row = all; row < all + sizeof all / sizeof all[0]; row++) {
        for (int index = 0; index < row->files->count; index++, count++) {
            const char *name = row->files->names[index];
            if (!add_candidate(row, name, options, ret_reason))
                return reason_before(ret_reason, "--%s %.300s: ", row->forms[0]->name, name);
        }
    }
    return count > 0 || options->levels == NULL ||
           reason_set(ret_reason, REASON_INPUT, "--opt %s needs --nvrtc or --ptxas",
                      options->levels);
}

bool candidates_are_named(const struct options *options, struct reason *ret_reason)
{
    for (int path = 0; path < path_count(); path++) {
        const struct path *it = path_row(path);
        bool named = it->tool == NULL;
        for (int other = 0; !named && other < path_count(); other++)
            named = path_row(other)->tool && strcmp(path_row(other)->tool, it->tool) == 0 &&
                    path_is_among(other, options->paths);
        if (!named)
            return reason_set(ret_reason, REASON_INPUT,
                              "--path %.200s has no path of --%s %.200s: name %s, or all",
                              options->paths, it->source->compiler->name, it->tool, it->name);
    }
    return true;
}

size_t candidates_lines(struct zone *zone, const struct line_compiler_file **ret_each)
{
    struct line_compiler_file *each = zone_take(zone, (size_t)path_count() * sizeof *each);
    size_t count = 0;
    for (int path = 0; path < path_count(); path++) {
        const struct path *it = path_row(path);
        if (it->tool)
            each[count++] = (struct line_compiler_file){
                .path = it->name, .file = it->tool, .digest = it->digest};
    }
    *ret_each = each;
    return count;
}

/* The paths of this program whose code comes from another's file, too. */
static const char *const likes[] = {"sass", "ptx"};

bool images_add_all(const struct options *options, struct reason *ret_reason)
{
    for (int number = 0; number < options->images.count; number++) {
        struct path_addition it = {.name = ""};
        const char *file = options->images.names[number];
        if (strlen(file) >= sizeof it.images)
            return reason_set(ret_reason, REASON_INPUT, "--images: a name of more than %d bytes",
                              PATH_FILE_BYTES - 1);
        snprintf(it.images, sizeof it.images, "%s", file);
        const struct image_file *opened = image_file_open(file, ret_reason);
        bool good = opened != NULL;
        for (size_t index = 0; good && index < sizeof likes / sizeof likes[0]; index++) {
            it.digest = opened->units.digest;
            snprintf(it.like, sizeof it.like, "%s", likes[index]);
            snprintf(it.name, sizeof it.name, "%s-%s", likes[index], opened->units.name);
            good = path_add(&it, ret_reason);
        }
        if (!good)
            return reason_before(ret_reason, "--images %.300s: ", file);
    }
    return true;
}

size_t images_lines(struct zone *zone, const struct line_image_file **ret_each)
{
    struct line_image_file *each = zone_take(zone, (size_t)path_count() * sizeof *each);
    const struct image_file *it = NULL;
    size_t count = 0;
    for (int path = 0; path < path_count(); path++) {
        if (path_row(path)->images == NULL || path_row(path)->images == it)
            continue; /* or the row before has it, too */
        it = path_row(path)->images;
        each[count++] = (struct line_image_file){.file = it->file,
                                                 .name = it->units.name,
                                                 .toolkit = it->units.toolkit,
                                                 .architectures = it->units.architectures,
                                                 .options = it->units.options,
                                                 .digest = it->units.digest};
    }
    *ret_each = each;
    return count;
}

struct job {
    const char *unit;
    struct compile_job asked; /* its text is NULL if the program has none for the device */
};

struct compile {
    struct session *session;
    struct job *jobs;
    size_t job_count;
    atomic_int *hangs; /* of each path */
    struct compile_limits limits;
    atomic_int from_cache;
    atomic_bool failed; /* memory for what was made */
};

/* Nothing to do for one that is listed, or was made before: a measure that
 * needs it early has asked for it itself. */
static void add_job(struct compile *compile, struct subject subject, const char *unit)
{
    const int path = subject.path;
    const int capability = compile->session->devices[subject.device].info.limits.compute_capability;
    const void *code;
    bool is_there = made_code_find(path, unit, capability, &code);
    for (const struct job *it = compile->jobs; !is_there && it < compile->jobs + compile->job_count;
         it++)
        is_there = it->asked.path == path && it->asked.compute_capability == capability &&
                   strcmp(it->unit, unit) == 0;
    if (is_there)
        return;
    HEAP_ROOM(compile->jobs, compile->job_count);
    compile->jobs[compile->job_count++] = (struct job){
        .unit = unit,
        .asked = {path, capability, catalog_code(unit, path, capability), compile->limits, true}};
}

static void compile_job(void *context, int thread, int index)
{
    struct compile *compile = context;
    const struct job *job = &compile->jobs[index];
    struct made_code made = {.path = job->asked.path,
                             .compute_capability = job->asked.compute_capability};
    atomic_int *hangs = &compile->hangs[made.path];
    struct compiled compiled = {.state = MADE_FAILED};
    struct reason reason;
    (void)thread;
    if (compile->failed || job->asked.text == NULL)
        return; /* no image: as through every other path */
    snprintf(made.unit, sizeof made.unit, "%s", job->unit);
    if (compile_find(&job->asked, &compiled)) {
        compile->from_cache++;
    } else if (*hangs >= HANGS_MAX) {
        compiled.state = MADE_UNTRIED;
        snprintf(compiled.note, sizeof compiled.note, "not tried: the compiler hung on others");
    } else {
        compile_text(&job->asked, &compiled);
        *hangs += compiled.late;
    }
    made.state = compiled.code ? MADE_CODE : compiled.state;
    made.bytes = compiled.bytes;
    if (compiled.code == NULL) /* whose words follow */
        snprintf(made.note, sizeof made.note, "%s on module %s for sm_%d: %.170s",
                 path_name(made.path), made.unit, made.compute_capability, compiled.note);
    if (!made_code_add(&made, compiled.code, &reason))
        compile->failed = true;
    free(compiled.code);
}

bool session_compile(struct session *session, const char *unit, struct reason *ret_reason)
{
    struct compile compile = {.session = session,
                              .hangs = heap_take((size_t)path_count(), sizeof *compile.hangs),
                              .limits = limits_of(session->options)};
    const double began_s = clock_now_s();
    bool good = true;
    /* Units of planned subjects whose path has a compiler; and the harness's own kernels if the
     * build had no toolkit for them. */
    for (int index = 0; index < subject_count(session->device_count); index++) {
        const struct subject subject = subject_at(index);
        const struct kernel *kernel = catalog_kernel(subject.kernel);
        if (path_row(subject.path)->tool == NULL || !session_has(session, subject) ||
            !catalog_has_code(kernel))
            continue;
        add_job(&compile, subject, kernel->unit);
        if (unit)
            add_job(&compile, subject, unit);
        for (const char *const *own = harness_units; !image_toolkit[0] && *own; own++)
            add_job(&compile, subject, *own);
    }
    if (compile.job_count > 0) {
        const int jobs = (int)compile.job_count, processors = host_cores();
        struct team *team = team_open(jobs < processors ? jobs : processors);
        team_run(team, compile_job, &compile, jobs);
        good =
            !compile.failed || reason_set(ret_reason, REASON_SYSTEM, "no memory for compiled code");
        team_close(team);
        session->compiled_count += (int)compile.job_count;
        session->compiled_cached += compile.from_cache;
        session->compiled_s += clock_now_s() - began_s;
    }
    free(compile.jobs);
    free(compile.hangs);
    return good;
}

const char *session_compiled_text(uint64_t count, uint64_t cached,
                                  char ret_text[SESSION_COMPILED_BYTES])
{
    const uint64_t now = count - cached;
    char units[NUMBER_COUNT_BYTES];
    ret_text[0] = 0;
    if (count > 0)
        snprintf(ret_text, SESSION_COMPILED_BYTES,
                 "; %s: %" PRIu64 " compiled, %" PRIu64 " from the cache",
                 number_count(count, "module", units), now, cached);
    return ret_text;
}
