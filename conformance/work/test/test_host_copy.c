/* Copies between host and device, on the host device, whose driver makes one of them wrongly: none
 * passes. */
#include "conformance/test/made_check.h"

static const char *const subjects[] = {
    "host_copy/upload",   "host_copy/upload_pageable",   "host_copy/upload_mapped",
    "host_copy/download", "host_copy/download_pageable", "host_copy/download_mapped",
};
enum { SUBJECTS = sizeof subjects / sizeof subjects[0] };

static const char *const lines[] = {
    "host_copy width=4099 source_offset=1 target_offset=3 fill=uniform seed=1",
    "host_copy width=4099 two_streams=1 target_offset=16 fill=uniform seed=2",
    "host_copy width=37 rows=5 source_pitch=41 target_pitch=64 fill=uniform seed=3",
    "host_copy width=37 rows=5 source_pitch=41 two_streams=1 target_offset=2 fill=uniform seed=4",
};
enum { LINES = sizeof lines / sizeof lines[0] };

enum mistake {
    RIGHT,
    LOST,
    SHORT,       /* of each row the last byte */
    LONG,        /* one byte more of each row */
    SHIFTED,     /* the target is one byte later */
    FROM_NEXT,   /* the source is */
    ROW_LOST,    /* the last one */
    DOUBLED,     /* made once more, after itself */
    TORN,        /* a byte in the middle is not written */
    STALE_HALF,  /* the second half has the first one's bytes */
    OTHER_PLACE, /* it is also made on the device, where the operand on the host had its place */
    MISTAKES
};

/* The call of the subject begins after the poison; which of its copies is wrong, from 1. */
static struct {
    struct cuda_driver inner;
    enum mistake mistake;
    int which, copies, fails;
    bool is_armed;
    unsigned char *poisoned;
    char log[256]; /* events and copies, by the stream that they are on */
    cu_stream first;
} spy;

struct rows {
    unsigned char *target;
    const unsigned char *source;
    size_t count, width, source_pitch, target_pitch;
};

static void note(char what, cu_stream stream)
{
    const size_t used = strlen(spy.log);
    if (spy.is_armed)
        snprintf(spy.log + used, sizeof spy.log - used, "%c%d ", what, stream == spy.first ? 1 : 2);
}

/* False if the copy is not the subject's. */
static bool make(struct rows rows, cu_stream stream)
{
    if (!spy.is_armed)
        return false;
    note('c', stream);
    const enum mistake mistake = ++spy.copies == spy.which ? spy.mistake : RIGHT;
    unsigned char *middle = rows.target + rows.count / 2 * rows.target_pitch + rows.width / 2;
    const unsigned char before = *middle;
    rows.width += (mistake == LONG) - (size_t)(mistake == SHORT);
    rows.target += mistake == SHIFTED;
    rows.source += mistake == FROM_NEXT;
    rows.count = mistake == LOST ? 0 : rows.count - (mistake == ROW_LOST);
    for (size_t row = 0; row < rows.count; row++) {
        unsigned char *target = rows.target + row * rows.target_pitch;
        const unsigned char *source = rows.source + row * rows.source_pitch;
        const size_t half = rows.width / 2;
        memmove(target, source, rows.width);
        if (mistake == DOUBLED)
            memmove(target + rows.width, source, rows.width);
        if (mistake == STALE_HALF)
            memmove(target + half, source, half);
    }
    if (mistake == TORN)
        *middle = before;
    if (mistake == OTHER_PLACE)
        *spy.poisoned ^= 1;
    return true;
}

static cu_result up(cu_address target, const void *source, size_t bytes, cu_stream stream)
{
    const struct rows rows = {(unsigned char *)(uintptr_t)target, source, 1, bytes, 0, 0};
    return make(rows, stream) ? CU_SUCCESS
                              : spy.inner.memcpy_htod_async(target, source, bytes, stream);
}

/* What follows the subject's copies is the arena's download, with its guards; of a streamed case
 * after the stream was waited for. */
static cu_result down(void *target, cu_address source, size_t bytes, cu_stream stream)
{
    const struct rows rows = {target, (const unsigned char *)(uintptr_t)source, 1, bytes, 0, 0};
    spy.is_armed = spy.is_armed && bytes < 2 * ARENA_GUARD_BYTES;
    return make(rows, stream) ? CU_SUCCESS
                              : spy.inner.memcpy_dtoh_async(target, source, bytes, stream);
}

static cu_result across(cu_address target, cu_address source, size_t bytes, cu_stream stream)
{
    const unsigned char *from = (const unsigned char *)(uintptr_t)source;
    const struct rows rows = {(unsigned char *)(uintptr_t)target, from, 1, bytes, 0, 0};
    return make(rows, stream) ? CU_SUCCESS
                              : spy.inner.memcpy_dtod_async(target, source, bytes, stream);
}

static unsigned char *side_of(const struct cu_copy_side *side)
{
    return side->memory == CU_MEMORY_HOST ? side->host : (unsigned char *)(uintptr_t)side->device;
}

static cu_result flat(const struct cu_copy *copy, cu_stream stream)
{
    const struct rows rows = {side_of(&copy->target), side_of(&copy->source), copy->height,
                              copy->width_bytes,      copy->source.pitch,     copy->target.pitch};
    return make(rows, stream) ? CU_SUCCESS : spy.inner.memcpy_2d_async(copy, stream);
}

static cu_result poison(cu_address target, unsigned char value, size_t bytes, cu_stream stream)
{
    spy.is_armed = value == 0x5c;
    spy.poisoned = (unsigned char *)(uintptr_t)target;
    return spy.inner.memset_d8_async(target, value, bytes, stream);
}

static cu_result record(cu_event event, cu_stream stream)
{
    note('e', stream);
    return spy.inner.event_record(event, stream);
}

static cu_result wait_event(cu_stream stream, cu_event event, unsigned flags)
{
    note('w', stream);
    return spy.inner.stream_wait_event(stream, event, flags);
}

static cu_result synchronize(cu_stream stream)
{
    spy.is_armed = false;
    return spy.inner.stream_synchronize(stream);
}

static cu_result take_pinned(void **ret, size_t bytes, unsigned flags)
{
    return flags == CU_MEM_HOST_MAPPED && spy.fails ? CU_ERROR_OUT_OF_MEMORY
                                                    : spy.inner.mem_host_alloc(ret, bytes, flags);
}

static struct checker *open_checker(void)
{
    memset(&spy, 0, sizeof spy);
    spy.inner = made_driver();
    struct cuda_driver driver = spy.inner;
    driver.memcpy_htod_async = up;
    driver.memcpy_dtoh_async = down;
    driver.memcpy_dtod_async = across;
    driver.memcpy_2d_async = flat;
    driver.memset_d8_async = poison;
    driver.event_record = record;
    driver.stream_wait_event = wait_event;
    driver.stream_synchronize = synchronize;
    driver.mem_host_alloc = take_pinned;
    struct checker *checker = made_checker(made_device_with(&driver));
    checker->has_edges = false;
    spy.first = checker->stream;
    return checker;
}

static struct check_result check(struct checker *checker, const char *name, const char *line)
{
    spy.copies = 0;
    spy.log[0] = 0;
    return made_check(checker, name, line);
}

/* What one of several copies writes after its end is where another one's bytes go, or are already.
 */
static bool is_seen(enum mistake mistake, int copies)
{
    return copies == 1 || (mistake != LONG && mistake != DOUBLED);
}

START_TEST(a_wrong_copy_is_no_pass, "host_copy.value.same", "host_copy.pitch.rows",
           "host_copy.host.guarded")
{
    struct checker *checker = open_checker();
    for (int subject = 0; subject < SUBJECTS; subject++)
        for (int line = 0; line < LINES; line++) {
            spy.which = 0;
            const struct check_result right = check(checker, subjects[subject], lines[line]);
            const int copies = spy.copies;
            ck_assert_msg(right.verdict == VERDICT_PASS, "%s of %s: %s", subjects[subject],
                          lines[line], right.finding.note);
            ck_assert_int_ge(copies, 1);
            ck_assert_uint_eq(right.blocks, 0); /* it fills no SM */
            for (int mistake = RIGHT + 1; mistake < MISTAKES; mistake++)
                for (spy.which = 1; spy.which <= copies; spy.which++) {
                    spy.mistake = (enum mistake)mistake;
                    const struct check_result wrong =
                        check(checker, subjects[subject], lines[line]);
                    ck_assert_msg(wrong.verdict == VERDICT_FAIL || !is_seen(spy.mistake, copies),
                                  "%s of %s: mistake %d of copy %d", subjects[subject], lines[line],
                                  mistake, spy.which);
                    if (mistake == OTHER_PLACE)
                        ck_assert_str_eq(wrong.finding.clause, "memory.outside.untouched");
                    if (mistake == LOST)
                        ck_assert_str_eq(wrong.finding.clause, "memory.output.written");
                }
        }
}

START_TEST(halves_are_on_two_streams, "host_copy.streams.both")
{
    struct checker *checker = open_checker();
    for (int subject = 0; subject < SUBJECTS; subject++) {
        const bool is_mapped = strstr(subjects[subject], "mapped") != NULL;
        check(checker, subjects[subject], lines[0]);
        ck_assert_str_eq(spy.log, "c1 ");
        check(checker, subjects[subject], lines[1]);
        ck_assert_str_eq(spy.log, "e1 w2 c2 c1 e2 w1 ");
        check(checker, subjects[subject], lines[3]);
        ck_assert_str_eq(spy.log, is_mapped ? "e1 w2 c2 c2 c2 c1 c1 e2 w1 " : "e1 w2 c2 c1 e2 w1 ");
    }
}

/* An edge of nothing, and a driver that has no such memory. */
START_TEST(nothing_is_copied_of_nothing, "host_copy.size.zero")
{
    struct checker *checker = open_checker();
    for (int subject = 0; subject < SUBJECTS; subject++) {
        struct check_result result =
            check(checker, subjects[subject], "host_copy width=0 fill=uniform seed=1");
        ck_assert_int_eq(result.verdict, VERDICT_PASS);
        result = check(checker, subjects[subject], "host_copy width=0 rows=3 fill=uniform seed=1");
        ck_assert_int_eq(result.verdict, VERDICT_PASS);
    }
    spy.fails = 1;
    const struct check_result refused =
        check(checker, "host_copy/upload_mapped", "host_copy width=9000000 fill=uniform seed=1");
    ck_assert_int_eq(refused.verdict, VERDICT_SKIP);
    ASSERT_HAS(refused.finding.note, "operand source");
}

/* As cases of tier huge are: in chunks, through the same host memory. */
START_TEST(a_streamed_copy_is_the_same, "host_copy.host.guarded")
{
    struct checker *checker = open_checker();
    checker->stream_from_bytes = 1;
    checker->stream_chunk_bytes = 1 << 12;
    for (int subject = 0; subject < SUBJECTS; subject++)
        for (int line = 0; line < LINES; line++)
            for (int mistake = RIGHT; mistake < MISTAKES; mistake++) {
                spy.mistake = (enum mistake)mistake;
                spy.which = 1;
                const struct check_result result = check(checker, subjects[subject], lines[line]);
                const bool is_wrong = result.verdict == VERDICT_FAIL;
                ck_assert_msg(is_wrong == (mistake != RIGHT) || !is_seen(spy.mistake, spy.copies),
                              "%s of %s, mistake %d: %s", subjects[subject], lines[line], mistake,
                              result.finding.note);
            }
}
