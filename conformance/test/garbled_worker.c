/* What a worker whose memory was overwritten may send (garbled_worker.h). */
#include "conformance/test/garbled_worker.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "conformance/base/process.h"
#include "fuzz/random.h"

/* A message before it is sent. */
struct draft {
    struct message_header header;
    union {
        struct message_result result;
        struct message_done done;
        struct device_info info;
        char text[PROTOCOL_MESSAGE_BYTES_MAX];
    } body;
};

#define GARBLE(name, statement)                                                                    \
    static void garble_##name(struct draft *it)                                                    \
    {                                                                                              \
        statement;                                                                                 \
    }
#define RESULT it->body.result.result
GARBLE(verdict, RESULT.verdict = (enum verdict)77)
GARBLE(verdict_huge, RESULT.verdict = (enum verdict)0x80000000u)
GARBLE(finding_verdict, RESULT.finding.verdict = VERDICT_CRASH)
GARBLE(place, RESULT.finding.place = (enum place)PLACE_COUNT)
GARBLE(operand, RESULT.finding.operand = 1000)
GARBLE(operand_next, RESULT.finding.operand = 3) /* matmul has three */
GARBLE(operand_none, RESULT.finding.operand = -1; RESULT.finding.place = PLACE_ELEMENT)
GARBLE(kernel, RESULT.subject.kernel = 60000)
GARBLE(path, RESULT.subject.path = (uint16_t)path_count())
GARBLE(check, RESULT.subject.kernel = 7)
GARBLE(device, RESULT.subject.device = 7)
GARBLE(unit, RESULT.finding.unit_bytes = 4000)
GARBLE(unwritten, RESULT.finding.unwritten = 2)
GARBLE(clause, memset(RESULT.finding.clause, 'x', sizeof RESULT.finding.clause))
GARBLE(note, memset(RESULT.finding.note, 'x', sizeof RESULT.finding.note))
GARBLE(job, it->body.result.job += 1000)
GARBLE(pass, RESULT.verdict = VERDICT_PASS) /* which has no finding */
GARBLE(short, it->header.bytes = 20)
GARBLE(long, it->header.bytes = 1u << 30)
GARBLE(type, it->header.type = 999)
GARBLE(request, it->header.type = MESSAGE_CASE)
GARBLE(ready, it->header.type = MESSAGE_READY)
GARBLE(refuse, it->header.type = MESSAGE_REFUSE; strcpy(it->body.text, "late");
       it->header.bytes = 5)
GARBLE(done, it->header.type = MESSAGE_DONE; it->header.bytes = sizeof it->body.done)
GARBLE(time, garble_done(it); it->body.done.stage_s[0] = (double)NAN)

static const struct {
    const char *kind;
    void (*garble)(struct draft *it);
} kinds[] = {
    {"verdict", garble_verdict},
    {"verdict_huge", garble_verdict_huge},
    {"finding", garble_finding_verdict},
    {"place", garble_place},
    {"operand", garble_operand},
    {"operand_next", garble_operand_next},
    {"operand_none", garble_operand_none},
    {"kernel", garble_kernel},
    {"path", garble_path},
    {"check", garble_check},
    {"device", garble_device},
    {"unit", garble_unit},
    {"unwritten", garble_unwritten},
    {"clause", garble_clause},
    {"note", garble_note},
    {"job", garble_job},
    {"pass", garble_pass},
    {"short", garble_short},
    {"long", garble_long},
    {"type", garble_type},
    {"request", garble_request},
    {"ready", garble_ready},
    {"refuse", garble_refuse},
    {"time", garble_time},
};
enum { KIND_COUNT = sizeof kinds / sizeof kinds[0] };

const char *garbled_kind(int number)
{
    return number < KIND_COUNT ? kinds[number].kind : NULL;
}

static _Noreturn void send_all(const void *bytes, size_t count)
{
    process_write(PROTOCOL_RESULT_FD, bytes, count);
    _exit(0);
}

static struct message_result failure(const struct message_case *it, int index)
{
    return (struct message_result){.job = it->job,
                                   .result = {.subject = it->checks[index],
                                              .verdict = VERDICT_FAIL,
                                              .finding = {.verdict = VERDICT_FAIL,
                                                          .place = PLACE_ELEMENT,
                                                          .unit_bytes = 4,
                                                          .clause = "matmul.order.ascending",
                                                          .note = "as the script says"}}};
}

static void fuzz(uint64_t seed, const struct message_case *it)
{
    static unsigned char buffer[2 * PROTOCOL_MESSAGE_BYTES_MAX];
    size_t length = 0;
    uint64_t number = 0;
    for (int index = 0; index < it->check_count && index < 3; index++) {
        struct message_result message = failure(it, index);
        length = message_append(buffer, length, MESSAGE_RESULT, &message, sizeof message);
    }
    struct message_done done = {.job = it->job};
    length = message_append(buffer, length, MESSAGE_DONE, &done, sizeof done);
    uint64_t changes = 1 + random_below(seed, number++, 8);
    for (uint64_t change = 0; change < changes; change++) {
        size_t at = random_below(seed, number++, length);
        switch (random_below(seed, number++, 4)) {
        case 0:
            buffer[at] = (unsigned char)random_below(seed, number++, 256);
            break;
        case 1: /* a word of the header or of a count */
            memset(buffer + at / 8 * 8, 0xff, 8 < length - at / 8 * 8 ? 8 : length - at / 8 * 8);
            break;
        case 2: /* left out from here on */
            length = at + 1;
            break;
        default: /* the beginning again, from here on */
            memmove(buffer + at, buffer, length - at);
        }
    }
    send_all(buffer, length);
}

_Noreturn void garbled_answer(const char *word, const struct message_case *it)
{
    static const char fuzzed[] = "fuzz_", garbled[] = "garbled_";
    if (strncmp(word, fuzzed, sizeof fuzzed - 1) == 0)
        fuzz(strtoull(word + sizeof fuzzed - 1, NULL, 10), it);
    struct draft draft = {.header = {.type = MESSAGE_RESULT, .bytes = sizeof draft.body.result}};
    draft.body.result = failure(it, 0);
    for (int number = 0; number < KIND_COUNT; number++)
        if (strcmp(word + sizeof garbled - 1, kinds[number].kind) == 0)
            kinds[number].garble(&draft);
    size_t bytes = draft.header.bytes < sizeof draft.body ? draft.header.bytes : sizeof draft.body;
    process_write(PROTOCOL_RESULT_FD, &draft.header, sizeof draft.header);
    send_all(&draft.body, bytes);
}
