/* What is compiled before the first worker starts: each unit once for each architecture. */
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "conformance/model/path.h"
#include "conformance/session/session.h"
#include "conformance/work/compile_text.h"
#include "spec/testing.h"

/* How many units are compiled for GPUs of these two capabilities; with a compiler that is not
 * there, so that each fails at once. */
static int compiled_for(struct session *session, const char *path, int left, int right)
{
    struct path_addition addition = {.like = "nvrtc", .tool = "/no/such/compiler"};
    struct reason reason;
    snprintf(addition.name, sizeof addition.name, "%s", path);
    ck_assert_msg(path_add(&addition, &reason), "%s", reason.text);
    session->plan.paths = path;
    session->devices[0].info.limits.compute_capability = left;
    session->devices[1].info.limits.compute_capability = right;
    session->compiled_count = 0;
    ck_assert_msg(session_compile(session, NULL, &reason), "%s", reason.text);
    return session->compiled_count;
}

START_TEST(each_architecture_has_its_code, "driver.candidate.alone")
{
    static const struct options options = {.timeout_s = 5};
    struct session *session = testing_new(sizeof *session);
    const int kernel = catalog_find("matmul/naive");
    const void *code;
    struct reason reason;
    ck_assert(session && kernel >= 0);
    session->options = &options;
    session->device_count = 2;
    session->plan.selected[kernel] = true;
    const int alike = compiled_for(session, "nvrtc-1.0", 90, 90);
    ck_assert_int_gt(alike, 0);
    ck_assert_int_eq(compiled_for(session, "nvrtc-2.0", 80, 90), 2 * alike);
    const char *unit = catalog_kernel(kernel)->unit;
    const int first = path_find("nvrtc-1.0"), second = path_find("nvrtc-2.0");
    ck_assert_ptr_null(made_code_find(first, unit, 80, &code));
    ck_assert_ptr_nonnull(made_code_find(first, unit, 90, &code));
    for (int capability = 80; capability <= 90; capability += 10) {
        const struct made_code *made = made_code_find(second, unit, capability, &code);
        ck_assert(made && code == NULL && made->state != MADE_CODE && made->note[0]);
    }
    session->compiled_count = 0;
    ck_assert(session_compile(session, NULL, &reason));
    ck_assert_int_eq(session->compiled_count, 0); /* all was made before */
}

/* In a worker without room for it: there is none, and nobody reads what is not there. */
START_TEST(code_that_cannot_be_mapped_is_not_there, "driver.candidate.alone")
{
    enum { BYTES = 4096 };
    char path[] = "/tmp/assay-code-XXXXXX";
    const void *code;
    const int both = mkstemp(path), file = open(path, O_WRONLY); /* which cannot be mapped */
    ck_assert(both >= 0 && file >= 0 && ftruncate(file, BYTES) == 0);
    ck_assert(made_code_take(file, BYTES));
    ck_assert_ptr_null(made_code_find(path_find("nvrtc-1.0"), "matmul_naive", 90, &code));
    close(both);
    close(file);
    unlink(path);
}

static int lowest_free_descriptor(void)
{
    const int file = open("/dev/null", O_RDONLY);
    ck_assert_int_ge(file, 0);
    close(file);
    return file;
}

/* Each of a thousand units is looked up, and a process has as many files. */
START_TEST(a_looked_up_compiler_is_closed, "driver.candidate.cached")
{
    struct path_addition addition = {
        .name = "nvrtc-3.0", .like = "nvrtc", .tool = "/bin/sh", .kept = 1};
    struct reason reason;
    ck_assert_msg(path_add(&addition, &reason), "%s", reason.text);
    const struct compile_job job = {.path = path_find("nvrtc-3.0"),
                                    .compute_capability = 90,
                                    .text = "of no unit",
                                    .is_kept = true};
    struct compiled compiled;
    const int before = lowest_free_descriptor();
    ck_assert(!compile_find(&job, &compiled));
    ck_assert_int_eq(lowest_free_descriptor(), before);
}

/* A host that lacks memory says nothing of the compiler: the kernel kills it, or it gives up. */
START_TEST(a_host_without_memory_is_no_crash, "verdicts.error.host")
{
    static const struct {
        const char *does;
        enum made_state state;
        bool crashed;
    } rows[] = {
        {"kill -SEGV $$", MADE_FAILED, true},
        {"echo 'internal error' >&2; exit 1", MADE_FAILED, true},
        {"echo 'line 7: too hard' >&2; exit 1", MADE_FAILED, false},
        {"kill -KILL $$", MADE_UNTRIED, false},
        {"echo 'cc: fatal error: Killed signal terminated program cc1' >&2; exit 1", MADE_UNTRIED,
         false},
        {"echo 'LLVM ERROR: out of memory' >&2; kill -ABRT $$", MADE_UNTRIED, false},
        {"echo 'virtual memory exhausted: Cannot allocate memory' >&2; exit 1", MADE_UNTRIED,
         false},
        {"echo 'ptxas fatal   : Memory allocation failure' >&2; exit 1", MADE_UNTRIED, false},
        {"echo \"what():  std::bad_alloc\" >&2; kill -ABRT $$", MADE_UNTRIED, false},
        {"echo 'cc1: libc.so.6: failed to map segment from shared object' >&2; exit 1",
         MADE_UNTRIED, false},
        {"echo 'as: cannot create x.o: No space left on device' >&2; exit 1", MADE_UNTRIED, false},
    };
    static const struct compile_limits limits = {.wall_s = 60};
    for (size_t row = 0; row < sizeof rows / sizeof rows[0]; row++) {
        char text[200];
        struct compiled compiled;
        const int bytes = snprintf(text, sizeof text, "#!/bin/sh\n%s\n", rows[row].does);
        const char *tool = testing_put(testing_folder(), "cc", text, (size_t)bytes);
        ck_assert_int_eq(chmod(tool, S_IRWXU), 0);
        host_compiler_run(tool, "int it;", &limits, &compiled);
        ck_assert_ptr_null(compiled.code);
        if (strstr(rows[row].does, "-KILL"))
            ASSERT_HAS(compiled.note, "memory");
        ck_assert_msg(compiled.state == rows[row].state && compiled.crashed == rows[row].crashed,
                      "%s: %s", rows[row].does, compiled.note);
    }
}
