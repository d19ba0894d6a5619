/* Sums over a worker's threads (reach.h). */
#include "conformance/worker/reach.h"
#include "conformance/base/array.h"
#include "conformance/model/catalog.h"

#include <stdlib.h>
#include <string.h>

struct reach {
    unsigned char (*sms)[LAUNCH_SMS_MAX / 8]; /* by kernel and path */
    struct checker_touched *ranges;           /* none touches another */
    int range_count;
    uint64_t touched_bytes;
};

struct reach *reach_open(void)
{
    struct reach *reach = calloc(1, sizeof *reach);
    if (reach)
        reach->sms = calloc((size_t)catalog_count() * (size_t)path_count(), sizeof *reach->sms);
    if (reach && reach->sms)
        return reach;
    free(reach);
    return NULL;
}

void reach_close(struct reach *reach)
{
    if (reach) {
        free(reach->sms);
        free(reach->ranges);
    }
    free(reach);
}

static bool add_sms(struct reach *reach, const struct checker *checker, struct subject subject)
{
    const unsigned char *noted = checker_sms(checker, subject);
    unsigned char *bits = reach->sms[subject.kernel * path_count() + subject.path];
    bool more = false;
    for (int sm = 0; noted && sm < LAUNCH_SMS_MAX; sm++) {
        unsigned char bit = (unsigned char)(1 << sm % 8);
        if (!noted[sm] || (bits[sm / 8] & bit))
            continue;
        bits[sm / 8] |= bit;
        more = true;
    }
    return more;
}

/* Joins the range with those that it meets. Without memory it is left out, so that the sum is never
 * too large. */
static bool add_range(struct reach *reach, struct checker_touched range)
{
    for (int index = 0; index < reach->range_count; index++) {
        struct checker_touched *it = &reach->ranges[index];
        if (it->begin <= range.begin && range.end <= it->end)
            return false;
    }
    for (int index = 0; index < reach->range_count;) {
        struct checker_touched *it = &reach->ranges[index];
        if (it->end < range.begin || range.end < it->begin) {
            index++;
            continue;
        }
        range.begin = it->begin < range.begin ? it->begin : range.begin;
        range.end = it->end > range.end ? it->end : range.end;
        reach->touched_bytes -= it->end - it->begin;
        *it = reach->ranges[--reach->range_count];
    }
    if (!ARRAY_ROOM(reach->ranges, (size_t)reach->range_count))
        return false;
    reach->ranges[reach->range_count++] = range;
    reach->touched_bytes += range.end - range.begin;
    return true;
}

bool reach_add(struct reach *reach, const struct checker *checker, struct subject subject,
               struct message_reached *ret)
{
    bool more = add_sms(reach, checker, subject);
    more = add_range(reach, checker->touched) || more;
    if (!more)
        return false;
    *ret = (struct message_reached){.subject = subject, .touched_bytes = reach->touched_bytes};
    memcpy(ret->sms, reach->sms[subject.kernel * path_count() + subject.path], sizeof ret->sms);
    return true;
}
