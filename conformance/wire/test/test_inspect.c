/* Messages of workers that do not parse, one number or text at a time; what cases come to after
 * them is test_supervise.c's. */
#include <math.h>

#include "conformance/model/job.h"
#include "conformance/wire/message.h"
#include "spec/testing.h"

/* Any message, with room after it for a text that has no end. */
union body {
    struct device_info info;
    struct message_count count;
    struct board board;
    struct message_done done;
    struct bench_times times;
    struct library_file libraries[LIBRARY_COUNT];
    char text[PROTOCOL_MESSAGE_BYTES_MAX];
};

static const char *inspect(enum message_type type, const union body *body, size_t bytes)
{
    static struct reason reason;
    union body *copy = malloc(sizeof *copy);
    struct message_header header = {.type = (uint32_t)type, .bytes = (uint32_t)bytes};
    memcpy(copy, body, sizeof *copy);
    strcpy(reason.text, "");
    bool good = message_inspect(&header, copy, sizeof *copy, &reason);
    ck_assert(good == (reason.text[0] == 0));
    free(copy);
    return reason.text;
}

#define REFUSED(type, body, member)                                                                \
    ck_assert_msg(inspect(type, &body, sizeof member)[0], "line %d: it is taken", __LINE__)

START_TEST(a_device_parses, "runner.worker.parsed")
{
    union body good = {.info = {.name = "x"}};
    sm_limits_of(90, &good.info.sm);
    union body body = good;
    ck_assert_str_eq(inspect(MESSAGE_READY, &good, sizeof good.info), "");
    ck_assert(inspect(MESSAGE_READY, &good, sizeof good.info - 1)[0]);
    ck_assert(inspect(MESSAGE_READY, &good, sizeof good.info + 1)[0]);
    int *numbers[] = {&body.info.driver_version, &body.info.memory_clock_khz, &body.info.l2_bytes,
                      &body.info.limits.multiprocessor_count, &body.info.limits.warp_size};
    for (size_t index = 0; index < sizeof numbers / sizeof numbers[0]; index++) {
        body = good;
        *numbers[index] = -1;
        REFUSED(MESSAGE_READY, body, body.info);
    }
    int *divisors[] = {&body.info.sm.warp_size, &body.info.sm.register_unit,
                       &body.info.sm.partitions, &body.info.sm.shared_unit};
    for (size_t index = 0; index < sizeof divisors / sizeof divisors[0]; index++) {
        body = good;
        *divisors[index] = 0;
        REFUSED(MESSAGE_READY, body, body.info);
    }
    static const struct device_set sets[] = {{.others = -1},
                                             {.others = DEVICE_SET_MAX},
                                             {.others = 1, .ordinal = {2, 2}},
                                             {.ordinal = {-1}}};
    for (size_t index = 0; index < sizeof sets / sizeof sets[0]; index++) {
        body = good;
        body.info.id = sets[index];
        REFUSED(MESSAGE_READY, body, body.info);
    }
    struct {
        char *text;
        size_t bytes;
    } texts[] = {{body.info.name, sizeof body.info.name},
                 {body.info.uuid, sizeof body.info.uuid},
                 {body.info.pci, sizeof body.info.pci},
                 {body.info.driver_release, sizeof body.info.driver_release}};
    for (size_t index = 0; index < sizeof texts / sizeof texts[0]; index++) {
        body = good;
        memset(texts[index].text, 'x', texts[index].bytes);
        REFUSED(MESSAGE_READY, body, body.info);
    }
}

START_TEST(a_number_of_devices_parses, "runner.worker.parsed")
{
    union body good = {.count = {.count = 3}}, body = good;
    ck_assert_str_eq(inspect(MESSAGE_COUNT, &good, sizeof good.count), "");
    ck_assert(inspect(MESSAGE_COUNT, &good, sizeof good.count.count)[0]);
    body.count.count = -1;
    REFUSED(MESSAGE_COUNT, body, body.count);
    body = good;
    memset(body.count.devices[2].uuid, 'x', sizeof body.count.devices[2].uuid);
    REFUSED(MESSAGE_COUNT, body, body.count);
}

START_TEST(a_board_parses, "runner.worker.parsed")
{
    union body good = {.board = {.vbios = "96", .known = 1}}, body = good;
    ck_assert_str_eq(inspect(MESSAGE_BOARD, &good, sizeof good.board), "");
    ck_assert(inspect(MESSAGE_BOARD, &good, sizeof good.board - 1)[0]);
    body.board.known = UINT32_C(1) << BOARD_VALUE_COUNT;
    REFUSED(MESSAGE_BOARD, body, body.board);
    body = good;
    memset(body.board.vbios, 'x', sizeof body.board.vbios);
    REFUSED(MESSAGE_BOARD, body, body.board);
    body = good;
    memset(body.board.serial, 'x', sizeof body.board.serial);
    REFUSED(MESSAGE_BOARD, body, body.board);
}

/* Neither a byte more nor a byte less. */
START_TEST(sizes_are_exact, "runner.worker.parsed")
{
    static const struct {
        enum message_type type;
        size_t bytes;
        const char *what;
    } table[] = {{MESSAGE_BOARD, sizeof(struct board), "a board's size"},
                 {MESSAGE_REACHED, sizeof(struct message_reached), "the size of a coverage report"},
                 {MESSAGE_DONE, sizeof(struct message_done), "the size of the end of a case"},
                 {MESSAGE_TIMES, sizeof(struct bench_times), "the size of measurements"},
                 {MESSAGE_FIGURES, sizeof(struct code_answer), "the size of figures of code"},
                 {MESSAGE_PROGRAM_RESULTS, sizeof(struct program_answer),
                  "the size of results of programs"}};
    static const union body body;
    for (size_t row = 0; row < sizeof table / sizeof table[0]; row++)
        for (int more = -1; more <= 1; more += 2) {
            const char *why = inspect(table[row].type, &body, table[row].bytes + (size_t)more);
            ASSERT_HAS(why, table[row].what);
        }
}

START_TEST(a_reason_parses, "runner.worker.parsed")
{
    union body body = {.text = "why"};
    ck_assert_str_eq(inspect(MESSAGE_REFUSE, &body, 4), "");
    ck_assert_str_eq(inspect(MESSAGE_BROKEN, &body, 4), "");
    ck_assert(inspect(MESSAGE_REFUSE, &body, 3)[0]); /* without its end */
    ck_assert(inspect(MESSAGE_REFUSE, &body, 0)[0]);
    ck_assert(inspect(MESSAGE_CLOSED, &body, 3)[0]);
    ck_assert_str_eq(inspect(MESSAGE_CLOSED, &(union body){.text = ""}, 1), "");
    memset(body.text, 'x', sizeof body.text);
    ck_assert(inspect(MESSAGE_REFUSE, &body, sizeof body.text)[0]);
    ck_assert(inspect(MESSAGE_BENCH, &body, sizeof(struct bench_job))[0]);
    ck_assert(inspect((enum message_type)999, &body, 4)[0]);
    ck_assert(inspect(MESSAGE_REFUSE, &body, SIZE_MAX / 2)[0]);
}

/* Each of these makes good times wrong. */
static void change_times(struct bench_times *times, int which)
{
    const unsigned char neither = 2;
    switch (which) {
    case 0:
        times->finding.verdict = VERDICT_COUNT;
        break;
    case 1:
        times->finding.verdict = -1;
        break;
    case 2:
        times->sample_count = BENCH_SAMPLES_MAX + 1;
        break;
    case 3:
        times->late = -1;
        break;
    case 4:
        times->unit_us[1] = (double)NAN;
        break;
    case 5:
        times->unit_us[0] = -1;
        break;
    case 6:
        memset(times->sensors_why, 'x', sizeof times->sensors_why);
        break;
    case 7:
        memset(times->finding.note, 'x', sizeof times->finding.note);
        break;
    case 8:
        times->finding.operand = 1 << 20;
        break;
    default:
        memcpy(&times->before.ecc_known, &neither, sizeof neither);
    }
}

START_TEST(times_parse, "runner.worker.parsed")
{
    union body good = {.times = {.sample_count = 2, .finding = {.operand = -1}}};
    good.times.unit_us[2] = (double)NAN; /* which does not count */
    ck_assert_str_eq(inspect(MESSAGE_TIMES, &good, sizeof good.times), "");
    for (int which = 0; which < 10; which++) {
        union body body = good;
        change_times(&body.times, which);
        ck_assert_msg(inspect(MESSAGE_TIMES, &body, sizeof body.times)[0], "change %d", which);
    }
}

START_TEST(libraries_parse, "runner.worker.parsed")
{
    union body good = {.libraries = {{.path = "/lib/libcuda.so.1.2", .bytes = 3}}};
    size_t bytes = sizeof good.libraries;
    ck_assert_str_eq(inspect(MESSAGE_LIBRARIES, &good, bytes), "");
    ck_assert(inspect(MESSAGE_LIBRARIES, &good, bytes - 1)[0]);
    union body body = good;
    memset(body.libraries[LIBRARY_JIT].path, 'x', sizeof body.libraries[0].path);
    ck_assert(inspect(MESSAGE_LIBRARIES, &body, bytes)[0]);
    body = good;
    memset(body.libraries[LIBRARY_NVML].version, 'x', sizeof body.libraries[0].version);
    ck_assert(inspect(MESSAGE_LIBRARIES, &body, bytes)[0]);
    body = good;
    body.libraries[LIBRARY_CUDA].bytes = UINT64_MAX;
    ck_assert(inspect(MESSAGE_LIBRARIES, &body, bytes)[0]);
}
