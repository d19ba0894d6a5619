/* Deep runs' record lines (journal.h). A result waits here until its case is finished: a line says
 * of whole cases only. */
#include "conformance/bits/journal.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "conformance/base/array.h"
#include "conformance/base/clock.h"
#include "conformance/bits/run_lines.h"
#include "conformance/record/ranges.h"

static const double interval_s = 1;

/* A case that has results and is not finished. */
struct pending_result {
    struct subject subject;
    enum verdict verdict;
    uint64_t digest[2];
};

struct pending {
    uint64_t index;
    size_t count;
    struct pending_result *results;
};

struct journal_device {
    struct pending *pending;
    size_t pending_count;
    struct ranges finished; /* since the last line */
};

struct journal {
    struct tally_table tally; /* since the last line */
    struct journal_device *devices;
    double written_s;
    bool out_of_memory;
};

struct journal *journal_open(int device_count)
{
    struct journal *journal = calloc(1, sizeof *journal);
    if (journal == NULL)
        return NULL;
    journal->written_s = clock_now_s();
    journal->devices = calloc((size_t)device_count, sizeof *journal->devices);
    if (journal->devices == NULL || !tally_open(&journal->tally, device_count)) {
        free(journal->devices);
        free(journal);
        return NULL;
    }
    return journal;
}

void journal_close(struct journal *journal)
{
    for (int device = 0; device < journal->tally.device_count; device++) {
        for (size_t place = 0; place < journal->devices[device].pending_count; place++)
            free(journal->devices[device].pending[place].results);
        free(journal->devices[device].pending);
        ranges_free(&journal->devices[device].finished);
    }
    free(journal->devices);
    tally_close(&journal->tally);
    free(journal);
}

/* The place of a case among the pending, made when it has none; NULL without memory. */
static struct pending *find_pending(struct journal_device *device, uint64_t index)
{
    for (size_t place = 0; place < device->pending_count; place++)
        if (device->pending[place].index == index)
            return &device->pending[place];
    if (!ARRAY_ROOM(device->pending, device->pending_count))
        return NULL;
    struct pending *pending = &device->pending[device->pending_count++];
    *pending = (struct pending){.index = index};
    return pending;
}

void journal_result(struct journal *journal, int device, uint64_t index,
                    const struct check_result *result)
{
    struct pending *pending = find_pending(&journal->devices[device], index);
    if (pending == NULL || !ARRAY_ROOM(pending->results, pending->count)) {
        journal->out_of_memory = true;
        return;
    }
    struct pending_result *kept = &pending->results[pending->count++];
    *kept = (struct pending_result){.subject = result->subject, .verdict = result->verdict};
    memcpy(kept->digest, result->digest, sizeof kept->digest);
}

void journal_done(struct journal *journal, int device, uint64_t index)
{
    struct journal_device *it = &journal->devices[device];
    struct pending *pending = find_pending(it, index);
    if (pending == NULL || !ranges_add(&it->finished, index, index)) {
        journal->out_of_memory = true;
        return;
    }
    for (size_t number = 0; number < pending->count; number++) {
        struct check_result result = {.subject = pending->results[number].subject,
                                      .verdict = pending->results[number].verdict};
        memcpy(result.digest, pending->results[number].digest, sizeof result.digest);
        tally_add(tally_row(&journal->tally, result.subject), &result);
    }
    free(pending->results);
    *pending = it->pending[--it->pending_count];
}

static json_t *ranges_json(const struct ranges *ranges)
{
    json_t *array = json_array();
    for (size_t index = 0; index < ranges->count; index++)
        json_array_append_new(array, json_pack("[I, I]", (json_int_t)ranges->items[index].first,
                                               (json_int_t)ranges->items[index].last));
    return array;
}

static void write_device(struct journal *journal, struct run *run, int device)
{
    struct ranges *finished = &journal->devices[device].finished;
    if (finished->count == 0)
        return;
    ranges_settle(finished);
    const int first = subject_count(device);
    for (int row = first; row < subject_count(device + 1); row++)
        snprintf(journal->tally.rows[row].reason, FINDING_NOTE_BYTES, "%s",
                 run->tally.rows[row].reason);
    session_write(run->session, record_cases(run, device, ranges_json(finished), &journal->tally));
    memset(&journal->tally.rows[first], 0,
           (size_t)subject_count(1) * sizeof journal->tally.rows[0]);
    finished->count = 0;
}

void journal_write(struct journal *journal, struct run *run, bool now)
{
    double moment_s = clock_now_s();
    if (!now && moment_s - journal->written_s < interval_s)
        return;
    journal->written_s = moment_s;
    if (journal->out_of_memory) /* an incomplete line would be a wrong one */
        return;
    for (int device = 0; device < journal->tally.device_count; device++)
        write_device(journal, run, device);
}
