/* What came of holding records against each other, in sentences (agreement.h). Clauses:
 * report.digest.compared, report.digest.complete, report.verdict.scope. */
#include <string.h>

#include "conformance/base/number.h"
#include "conformance/record/record_fields.h"
#include "conformance/report/agreement.h"
#include "conformance/base/escape.h"

enum { LOSSES_SHOWN_MAX = 12 };

/* "b.json compared with a.json: ", what a sentence of two records begins with. */
static void put_both(FILE *file, const struct loaded_record *record,
                     const struct loaded_record *first)
{
    escape_sentence(file, "%s compared with %s: ", record->path, first->path);
}

void agreement_put_same(FILE *file, const struct loaded *loaded, size_t index)
{
    char same[NUMBER_COUNT_BYTES], all[NUMBER_COUNT_BYTES], devices[NUMBER_COUNT_BYTES];
    struct agreement it = agreement_of(loaded, index, 0);
    for (; it.first; it = agreement_of(loaded, index, it.next)) {
        if (it.same + it.differ == 0)
            continue;
        put_both(file, &loaded->records[index], it.first);
        fprintf(file, "the same bits in %s of %s (kernel and path), on %s that both have.\n",
                number_whole(it.same, same), number_count(it.same + it.differ, "digest", all),
                number_count(it.devices, "device", devices));
    }
}

/* The first record that has the device with this label, or NULL. */
static const struct loaded_record *first_of(const struct loaded *loaded, const char *label)
{
    for (size_t index = 0; index < loaded->count; index++)
        if (loaded_device(&loaded->records[index], label))
            return &loaded->records[index];
    return NULL;
}

/* Records of devices with one label must be of one device: else nothing is merged in truth. */
void agreement_put_unpaired(FILE *file, const struct loaded *loaded)
{
    for (size_t index = 1; index < loaded->count; index++) {
        const struct loaded_record *it = &loaded->records[index];
        for (size_t device = 0; device < it->device_count; device++) {
            const struct loaded_record *first = first_of(loaded, it->devices[device]);
            if (first == NULL || first == it)
                continue;
            const json_t *one = loaded_device(first, it->devices[device]);
            const json_t *other = loaded_device(it, it->devices[device]);
            if (other == NULL ||
                (strcmp(field_device_uuid(one), field_device_uuid(other)) == 0 &&
                 strcmp(field_device_driver(one), field_device_driver(other)) == 0))
                continue;
            escape_sentence(file,
                            "%s has another identity or driver in %s than in %s: the records are "
                            "not of the same stack.\n",
                            it->devices[device], it->path, first->path);
        }
    }
}

/* What the earlier of two runs checked and the later did not. */
struct losses {
    FILE *file;
    const struct loaded *loaded;
    size_t index;
    const struct loaded_record *first;
    size_t count;
};

static void put_loss(void *context, const char *what)
{
    struct losses *losses = context;
    if (losses->count++ >= LOSSES_SHOWN_MAX)
        return;
    put_both(losses->file, &losses->loaded->records[losses->index], losses->first);
    escape_sentence(losses->file, "%s.\n", what);
}

/* What was lost compared with one earlier run, the first that is found from `start` on. */
static void put_losses(FILE *file, const struct loaded *loaded, size_t index, size_t start,
                       const struct loaded_record *first)
{
    struct losses losses = {file, loaded, index, first, 0};
    char number[NUMBER_COUNT_BYTES];
    agreement_lost(loaded, index, start, put_loss, &losses);
    if (losses.count <= LOSSES_SHOWN_MAX)
        return;
    put_both(file, &loaded->records[index], first);
    fprintf(file, "fewer checks in %s.\n",
            number_count(losses.count - LOSSES_SHOWN_MAX, "more row", number));
}

static void put_not_compared(FILE *file, const struct loaded_record *record,
                             const struct agreement *it)
{
    char number[NUMBER_COUNT_BYTES];
    if (it->same_cases && it->uneven == 0)
        return;
    put_both(file, record, it->first);
    if (it->same_cases)
        fprintf(file, "not compared, as the number of passed checks differs: %s.\n",
                number_count(it->uneven, "digest", number));
    else
        fputs("digests not compared, as version, tier, seed or corpus differ: give both runs one "
              "--seed.\n",
              file);
}

/* What the earlier runs have more, and digests that were not compared, with the reason. */
void agreement_put_rest(FILE *file, const struct loaded *loaded, size_t index)
{
    size_t start = 0;
    struct agreement it = agreement_of(loaded, index, start);
    while (it.first) {
        put_losses(file, loaded, index, start, it.first);
        if (start == 0 || it.same_cases)
            put_not_compared(file, &loaded->records[index], &it);
        start = it.next;
        it = agreement_of(loaded, index, start);
    }
}
