/* Windows in L2: which one a row and a case ask for, what a launch finds, what the next one finds,
 * and what a driver comes to that sets another or none. */
#include "conformance/test/made_check.h"

enum { LAUNCHES_MAX = 64 };

/* A driver that notes the window at each launch, and fails where a test wants it to. */
static struct {
    struct device *device;
    struct cuda_driver inner;
    struct cu_window launched[LAUNCHES_MAX];
    int launches;
    size_t set_aside;
    int resets;
    cu_result set_error, limit_error;
    bool lies; /* of what was set */
} spy;

static cu_result spy_launch(LAUNCH_PARAMETERS)
{
    ck_assert_int_lt(spy.launches, LAUNCHES_MAX);
    ck_assert_int_eq(spy.inner.stream_get_attribute(stream,
                                                    CU_STREAM_ATTRIBUTE_ACCESS_POLICY_WINDOW,
                                                    &spy.launched[spy.launches++]),
                     0);
    return spy.inner.launch_kernel(LAUNCH_ARGUMENTS);
}

static cu_result spy_set(cu_stream stream, int attribute, const struct cu_window *value)
{
    return spy.set_error ? spy.set_error : spy.inner.stream_set_attribute(stream, attribute, value);
}

static cu_result spy_get(cu_stream stream, int attribute, struct cu_window *ret)
{
    cu_result error = spy.inner.stream_get_attribute(stream, attribute, ret);
    ret->bytes += spy.lies;
    return error;
}

static cu_result spy_limit(int limit, size_t value)
{
    ck_assert_int_eq(limit, CU_LIMIT_PERSISTING_L2_CACHE_SIZE);
    spy.set_aside = spy.limit_error ? spy.set_aside : value;
    return spy.limit_error;
}

static void open_spy(void)
{
    memset(&spy, 0, sizeof spy);
    spy.device = made_device();
    spy.inner = spy.device->driver;
    spy.device->driver.launch_kernel = spy_launch;
    spy.device->driver.stream_set_attribute = spy_set;
    spy.device->driver.stream_get_attribute = spy_get;
    spy.device->driver.ctx_set_limit = spy_limit;
}

/* Of the document: 10, 20 and 60 MB of hot data, 20 of them to stay. */
START_TEST(a_row_and_a_case_make_a_window, "memory.window.set")
{
    static const struct {
        const char *kernel, *line;
        size_t bytes;
        double hit_ratio;
    } rows[] = {
        {"plain", "hot=5242880 resident=5242880", 0, 0},
        {"aside", "hot=5242880 resident=5242880", 0, 0},
        {"atomic", "hot=5242880 resident=5242880", 0, 0},
        {"window", "hot=2621440 resident=5242880", 10485760, 1},
        {"window", "hot=15728640 resident=5242880 hot_offset=3", 62914560, 1},
        {"tuned", "hot=2621440 resident=5242880", 10485760, 1},
        {"tuned", "hot=5242880 resident=5242880", 20971520, 1},
        {"tuned", "hot=15728640 resident=3932160", 15728640, 0.25},
        {"spread", "hot=15728640 resident=3932160", 62914560, 0.25},
        {"spread", "hot=2621440 resident=5242880", 10485760, 1},
        {"spread", "hot=7 resident=0", 28, 0},
        {"tuned", "hot=7 resident=0", 0, 0},
        {"window", "hot=33554433 resident=1", 134217728, 1},
        {"spread", "hot=67108864 resident=1048576", 134217728, 0.015625},
        {"window", "hot=0 resident=1", 0, 1},
        {"atomic_window", "hot=2621440 resident=1", 10485760, 1},
        {"atomic_tuned", "hot=10485760 resident=5242880", 20971520, 0.5},
    };
    const struct device_limits limits = {.persisting_bytes = 39321600, .window_bytes = 134217728};
    for (size_t index = 0; index < sizeof rows / sizeof rows[0]; index++) {
        char line[CASE_TEXT_BYTES], name[64];
        snprintf(line, sizeof line, "sliding_window n=1 %s fill=uniform seed=1", rows[index].line);
        snprintf(name, sizeof name, "sliding_window/%s", rows[index].kernel);
        struct fuzz_case test_case = made_case(line);
        struct arena arena = arena_layout(&test_case);
        const struct kernel *kernel = catalog_kernel(catalog_find(name));
        struct l2_window window = l2_window_of(kernel, &arena, &limits);
        ck_assert_msg(window.bytes == rows[index].bytes, "%s of %s: %zu", name, line, window.bytes);
        if (window.bytes > 0) {
            ck_assert_msg((double)window.hit_ratio == rows[index].hit_ratio, "%s of %s: %g", name,
                          line, (double)window.hit_ratio);
            ck_assert_uint_eq(window.begin, arena.operands[0].begin);
        }
        ck_assert_int_eq(window.is_set_aside, kernel->window.operand != NULL);
    }
}

/* Runs the kernels of these names on one case, in sequence, each alone. */
static void run(const char *const *names, int count, const char *line, struct check_result *ret)
{
    struct subject checks[8];
    const struct fuzz_case test_case = made_case(line);
    for (int index = 0; index < count; index++)
        checks[index] = made_subject(0, catalog_find(names[index]), "host");
    checker_run(made_checker(spy.device), &test_case,
                &(struct check_list){checks, count, true, made_take, ret});
}

/* Every kernel but those with a window finds none, the harness's own too. */
START_TEST(the_next_kernel_finds_none, "memory.window.off", "sliding_window.value.alike")
{
    static const char *const names[] = {"sliding_window/plain", "sliding_window/window",
                                        "sliding_window/plain", "sliding_window/tuned",
                                        "sliding_window/aside", "sliding_window/atomic_window",
                                        "sliding_window/atomic"};
    static const size_t expected[] = {1200, 400, 1200};
    struct check_result results[7];
    int found = 0;
    open_spy();
    run(names, 7, "sliding_window n=700 hot=300 resident=100 hot_offset=2 fill=random seed=1",
        results);
    for (int index = 0; index < 7; index++) {
        ck_assert_msg(results[index].verdict == VERDICT_PASS, "%s", results[index].finding.note);
        ck_assert_int_eq(memcmp(results[index].digest, results[0].digest, sizeof results[0].digest),
                         0);
    }
    for (int index = 0; index < spy.launches; index++) {
        const struct cu_window *window = &spy.launched[index];
        if (window->bytes == 0)
            continue;
        ck_assert_int_lt(found, 3);
        ck_assert_uint_eq(window->bytes, expected[found]);
        ck_assert(window->hit_ratio == (found == 1 ? (float)(100.0 / 300.0) : 1.0f));
        ck_assert_int_eq(window->hit_property, CU_ACCESS_PERSISTING);
        ck_assert_int_eq(window->miss_property, CU_ACCESS_STREAMING);
        found++;
    }
    ck_assert_int_eq(found, 3);
    ck_assert_uint_eq(spy.set_aside, 1 << 20); /* all that the host device says it has */
}

static void expect(enum verdict verdict, const char *clause, const char *note)
{
    static const char *const name = "sliding_window/window";
    struct check_result result;
    run(&name, 1, "sliding_window n=9 hot=3 resident=2 fill=random seed=1", &result);
    ck_assert_int_eq(result.verdict, verdict);
    ck_assert_str_eq(result.finding.clause, clause);
    ASSERT_HAS(result.finding.note, note);
}

START_TEST(a_window_that_is_not_there_is_no_pass, "memory.window.set", "memory.window.off")
{
    open_spy();
    spy.set_error = CU_ERROR_INVALID_VALUE;
    expect(VERDICT_FAIL, "memory.window.set", "refuses");
    open_spy();
    spy.set_error = CU_ERROR_LAUNCH_FAILED;
    expect(VERDICT_ERROR, "", "setting the stream's window");
    open_spy();
    spy.lies = true;
    expect(VERDICT_FAIL, "memory.window.set", "has 13 bytes");
}

START_TEST(what_cannot_be_set_is_a_skip, "memory.window.unable")
{
    open_spy();
    spy.device->info.limits.persisting_bytes = 0; /* as before 8.0, and of a part of a GPU */
    expect(VERDICT_DECLINED, "", "");
    open_spy();
    spy.device->info.limits.window_bytes = 0; /* which it should have with the other */
    expect(VERDICT_SKIP, "", "no L2 cache that can be set aside");
    open_spy();
    spy.limit_error = CU_ERROR_UNSUPPORTED_LIMIT;
    expect(VERDICT_SKIP, "", "CUDA_ERROR_UNSUPPORTED_LIMIT");
    open_spy();
    spy.limit_error = CU_ERROR_UNKNOWN;
    expect(VERDICT_CRASH, "verdicts.crash.reported", "CUDA_ERROR_UNKNOWN");
}
