/* Copies between two devices, on the host's, one of whose copies is made wrongly: none passes. */
#include "conformance/test/made_check.h"
#include "cuda/peer_copy/call.h"

static const char *const subjects[] = {"peer_copy/put", "peer_copy/get", "peer_copy/write",
                                       "peer_copy/read"};
enum { SUBJECTS = sizeof subjects / sizeof subjects[0] };

static const char *const lines[] = {
    "peer_copy n=4099 element=1 source_offset=1 target_offset=3 fill=uniform seed=1",
    "peer_copy n=1025 source_offset=3 fill=random seed=2",
    "peer_copy n=517 element=8 target_offset=1 fill=random seed=3",
    "peer_copy n=257 element=16 target_offset=1 fill=random seed=4",
};
enum { LINES = sizeof lines / sizeof lines[0] };

enum mistake {
    RIGHT,
    LOST,
    SHORT,       /* the last byte */
    LONG,        /* one byte more */
    SHIFTED,     /* the target is one byte later */
    FROM_NEXT,   /* the source is */
    DOUBLED,     /* made once more, after itself */
    TORN,        /* a byte in the middle is not written */
    HALF_STORE,  /* of each 16 bytes the last 8 are not */
    STALE_HALF,  /* the second half has the first one's bytes */
    FAR,         /* also made 48 KiB later, in the memory of the target */
    BEFORE,      /* also made 48 KiB before it */
    OTHER_PLACE, /* also on the first device, where the other's operand had its place */
    SOURCE,      /* a byte of the source is changed */
    MISTAKES
};

/* The subject's copy is the first after its operand's place was poisoned. */
static struct {
    struct cuda_driver inner;
    enum mistake mistake;
    bool is_armed;
    int copies;
    unsigned char *poisoned;
    cu_context target_context, source_context;
} spy;

static void make(unsigned char *target, unsigned char *source, size_t bytes)
{
    enum { FAR_BYTES = 48 << 10 };
    static unsigned char right[1 << 16];
    const enum mistake mistake = spy.mistake;
    unsigned char middle = target[bytes / 2];
    memcpy(right, source + (mistake == FROM_NEXT), bytes);
    spy.is_armed = false;
    spy.copies++;
    if (mistake == STALE_HALF)
        memmove(right + bytes / 2, right, bytes / 2);
    for (size_t at = 0; at < bytes - (mistake == SHORT) && mistake != LOST; at++)
        if (mistake != HALF_STORE || at % 16 < 8)
            target[at + (mistake == SHIFTED)] = right[at];
    if (mistake == LONG)
        target[bytes] ^= 1;
    if (mistake == DOUBLED)
        memcpy(target + bytes, right, bytes);
    if (mistake == TORN)
        target[bytes / 2] = middle;
    if (mistake == FAR)
        memcpy(target + FAR_BYTES, right, bytes);
    if (mistake == BEFORE)
        memcpy(target - FAR_BYTES, right, bytes);
    if (mistake == OTHER_PLACE)
        *spy.poisoned ^= 1;
    if (mistake == SOURCE)
        source[bytes / 3] ^= 1;
}

static cu_result copy(cu_address target, cu_context target_context, cu_address source,
                      cu_context source_context, size_t bytes, cu_stream stream)
{
    (void)stream;
    spy.target_context = target_context;
    spy.source_context = source_context;
    make((unsigned char *)(uintptr_t)target, (unsigned char *)(uintptr_t)source, bytes);
    return CU_SUCCESS;
}

static cu_result launch(LAUNCH_PARAMETERS)
{
    const struct peer_copy_call *call = parameters[0];
    if (!spy.is_armed || spy.mistake == RIGHT) {
        spy.copies += spy.is_armed;
        spy.is_armed = false;
        return spy.inner.launch_kernel(LAUNCH_ARGUMENTS);
    }
    make(call->target, (void *)(uintptr_t)call->source, (size_t)(call->n * call->element));
    return CU_SUCCESS;
}

static cu_result poison(cu_address target, unsigned char value, size_t bytes, cu_stream stream)
{
    spy.is_armed = value == 0x5c;
    if (spy.is_armed)
        spy.poisoned = (unsigned char *)(uintptr_t)target;
    return spy.inner.memset_d8_async(target, value, bytes, stream);
}

static void forget_devices(void *nothing)
{
    (void)nothing;
    unsetenv("ASSAY_HOST_DEVICES");
}

static struct checker *open_checker(void)
{
    static const struct device_set pair = {.kind = DEVICE_HOST, .others = 1, .ordinal = {0, 1}};
    struct device *device = testing_new(sizeof *device);
    struct reason reason;
    setenv("ASSAY_HOST_DEVICES", "2", 1);
    testing_keep(&spy, forget_devices);
    memset(&spy, 0, sizeof spy);
    spy.inner = made_driver();
    struct cuda_driver driver = spy.inner;
    driver.memcpy_peer_async = copy;
    driver.launch_kernel = launch;
    driver.memset_d8_async = poison;
    ck_assert_msg(device_open_with(device, &driver, pair, &reason), "%s", reason.text);
    testing_keep(device, made_device_release);
    struct checker *checker = made_checker(device);
    checker->has_edges = false;
    return checker;
}

/* Whoever left the other device's context current would hear of it here. */
static void expect_first_current(const struct checker *checker)
{
    ck_assert_int_eq(spy.inner.stream_synchronize(checker->stream), CU_SUCCESS);
}

static void expect_none_passes(struct checker *checker)
{
    for (int subject = 0; subject < SUBJECTS; subject++)
        for (int line = 0; line < LINES; line++)
            for (int mistake = RIGHT; mistake < MISTAKES; mistake++) {
                spy.mistake = (enum mistake)mistake;
                spy.copies = 0;
                if (subject % 2 != 0 && (mistake == FAR || mistake == BEFORE))
                    continue; /* the memory of the first is another matter (region.h) */
                const struct check_result result =
                    made_check(checker, subjects[subject], lines[line]);
                ck_assert_msg(result.verdict == (mistake ? VERDICT_FAIL : VERDICT_PASS),
                              "%s of %s, mistake %d: %s: %s", subjects[subject], lines[line],
                              mistake, verdict_name(result.verdict), result.finding.note);
                ck_assert_int_eq(spy.copies, 1);
                if (mistake == FAR || mistake == BEFORE || mistake == OTHER_PLACE)
                    ck_assert_str_eq(result.finding.clause, "memory.outside.untouched");
                if (mistake == LOST)
                    ck_assert_str_eq(result.finding.clause, "memory.output.written");
                expect_first_current(checker);
            }
}

START_TEST(a_wrong_copy_is_no_pass, "peer_copy.value.same", "peer_copy.remote.guarded")
{
    expect_none_passes(open_checker());
}

/* As cases of tier huge are: in chunks. */
START_TEST(a_streamed_copy_is_the_same, "peer_copy.remote.guarded")
{
    struct checker *checker = open_checker();
    checker->stream_from_bytes = 1;
    checker->stream_chunk_bytes = 1 << 12;
    expect_none_passes(checker);
}

/* The engine is told whose memory is whose. */
START_TEST(contexts_are_of_the_operands, "peer_copy.value.same")
{
    struct checker *checker = open_checker();
    const struct device *first = checker->device, *second = first->peers[0];
    made_check(checker, "peer_copy/put", lines[0]);
    ck_assert(spy.source_context == first->context && spy.target_context == second->context);
    made_check(checker, "peer_copy/get", lines[0]);
    ck_assert(spy.source_context == second->context && spy.target_context == first->context);
}

START_TEST(nothing_is_copied_of_nothing, "peer_copy.size.zero")
{
    struct checker *checker = open_checker();
    for (int subject = 0; subject < SUBJECTS; subject++) {
        const struct check_result result =
            made_check(checker, subjects[subject], "peer_copy n=0 fill=uniform seed=1");
        ck_assert_int_eq(result.verdict, VERDICT_EMPTY);
        ck_assert_int_eq(spy.copies, 0);
    }
}

/* What fails of the second device's side is no verdict on the copy; nor does it stay current. */
static int fails_in;

static cu_result down(void *target, cu_address source, size_t bytes, cu_stream stream)
{
    return fails_in > 0 && --fails_in == 0
               ? CU_ERROR_UNKNOWN
               : spy.inner.memcpy_dtoh_async(target, source, bytes, stream);
}

START_TEST(what_the_harness_cannot_do_is_an_error, "peer_copy.remote.owner")
{
    struct checker *checker = open_checker();
    struct device *device = checker->device;
    made_check(checker, "peer_copy/put", lines[0]);
    device->driver.memcpy_dtoh_async = down;
    for (int call = 1; call <= 3; call++) { /* to the second, the arena, from the second */
        fails_in = call;
        const struct check_result result = made_check(checker, "peer_copy/put", lines[0]);
        ck_assert_msg(result.verdict == VERDICT_ERROR, "call %d: %s: %s", call,
                      verdict_name(result.verdict), result.finding.note);
        expect_first_current(checker);
    }
    device->driver.memcpy_dtoh_async = spy.inner.memcpy_dtoh_async;
    ck_assert_int_eq(made_check(checker, "peer_copy/put", lines[0]).verdict, VERDICT_PASS);
}

/* Memory that the second device lacks once, for its harness too, is there for the next check. */
static cu_result allocate(cu_address *ret, size_t bytes)
{
    return fails_in > 0 && --fails_in == 0 ? CU_ERROR_OUT_OF_MEMORY
                                           : spy.inner.mem_alloc(ret, bytes);
}

START_TEST(memory_that_lacks_once_is_asked_for_again, "peer_copy.remote.owner")
{
    enum { ALLOCATIONS_MOST = 64 };
    bool has_failed = true;
    for (int number = 1; has_failed && number <= ALLOCATIONS_MOST; number++) {
        struct checker *checker = open_checker();
        struct device *first = checker->device, *second = first->peers[0];
        first->driver.mem_alloc = second->driver.mem_alloc = allocate;
        fails_in = number;
        const enum verdict verdict = made_check(checker, "peer_copy/put", lines[0]).verdict;
        has_failed = fails_in == 0;
        ck_assert_msg((verdict == VERDICT_PASS) == !has_failed && verdict != VERDICT_FAIL,
                      "allocation %d: %s", number, verdict_name(verdict));
        expect_first_current(checker);
        ck_assert_int_eq(made_check(checker, "peer_copy/put", lines[0]).verdict, VERDICT_PASS);
        testing_release();
    }
    ck_assert(!has_failed);
}

/* A download that says it was made, and was not: what the check before left in host memory is right
 * for this one too, and passes for nothing. */
static cu_result lose(void *target, cu_address source, size_t bytes, cu_stream stream)
{
    return fails_in > 0 && --fails_in == 0
               ? CU_SUCCESS
               : spy.inner.memcpy_dtoh_async(target, source, bytes, stream);
}

START_TEST(a_lost_download_is_no_pass, "peer_copy.remote.owner", "peer_copy.remote.guarded")
{
    enum { DOWNLOADS = 5 }; /* the first brings the operand there, and is not of what came of it */
    struct checker *checker = open_checker();
    struct device *first = checker->device, *second = first->peers[0];
    first->driver.memcpy_dtoh_async = second->driver.memcpy_dtoh_async = lose;
    for (int subject = 0; subject < SUBJECTS; subject++)
        for (int call = 2; call <= DOWNLOADS + 1; call++) {
            fails_in = 0;
            made_check(checker, subjects[subject], lines[0]);
            fails_in = call;
            const enum verdict verdict = made_check(checker, subjects[subject], lines[0]).verdict;
            ck_assert_msg((verdict == VERDICT_PASS) == (call > DOWNLOADS), "%s, download %d: %s",
                          subjects[subject], call, verdict_name(verdict));
        }
}
