/* Any bytes as what a worker sends: taken message by message out of a child's inbox; what is given
 * out is of a worker's kinds, in its ranges, with texts that end and that a terminal shows. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "conformance/wire/child.h"
#include "conformance/wire/message.h"
#include "conformance/bits/run.h"
#include "fuzz/targets/target.h"

union body {
    struct device_info info;
    struct message_count count;
    struct message_result result;
    struct message_done done;
    char text[PROTOCOL_MESSAGE_BYTES_MAX];
};

static void must_be_shown(const char *text, size_t bytes)
{
    MUST(memchr(text, 0, bytes) != NULL);
    for (; *text; text++)
        MUST((unsigned char)*text >= ' ' && *text != 0x7f);
}

/* Uses the result as the supervisor does: counts it, and names the operand. */
static void use_result(const struct check_result *result)
{
    struct tally row = {.counts = {0}};
    MUST(result->subject.kernel < catalog_count() && result->subject.path < path_count());
    MUST(place_name(result->finding.place) && verdict_name(result->verdict));
    tally_add(&row, 0, result);
    free(row.ranges);
    must_be_shown(result->finding.note, sizeof result->finding.note);
    must_be_shown(result->finding.clause, sizeof result->finding.clause);
    const struct algorithm *algorithm =
        algorithm_find(catalog_kernel(result->subject.kernel)->algorithm);
    if (message_finding_fits(&result->finding, algorithm) && result->finding.operand >= 0)
        MUST(algorithm->operands[result->finding.operand].name[0] != 0);
}

static void use(const struct message_header *header, const union body *body)
{
    switch (header->type) {
    case MESSAGE_READY:
        must_be_shown(body->info.name, sizeof body->info.name);
        must_be_shown(body->info.uuid, sizeof body->info.uuid);
        must_be_shown(body->info.driver_release, sizeof body->info.driver_release);
        break;
    case MESSAGE_COUNT:
        MUST(body->count.count >= 0);
        break;
    case MESSAGE_BROKEN:
    case MESSAGE_REFUSE:
        must_be_shown(body->text, header->bytes);
        break;
    case MESSAGE_RESULT:
        use_result(&body->result.result);
        break;
    default:
        MUST(header->type != MESSAGE_OPEN && header->type != MESSAGE_CASE);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
    static struct child child;
    static union body body;
    struct message_header header;
    child.garbled[0] = 0;
    child.inbox_begin = 0;
    child.inbox_end = bytes < sizeof child.inbox ? bytes : sizeof child.inbox;
    memcpy(child.inbox, data, child.inbox_end);
    while (child_next(&child, &header, &body, sizeof body))
        use(&header, &body);
    must_be_shown(child.garbled, sizeof child.garbled);
    MUST(!child_next(&child, &header, &body, sizeof body));
    return 0;
}
