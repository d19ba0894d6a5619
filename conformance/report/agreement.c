/* Runs compared by their digests (agreement.h). */
#include "conformance/report/agreement.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "conformance/base/text.h"
#include "conformance/model/device_info.h"
#include "conformance/model/path.h"
#include "conformance/record/record_fields.h"

static int compare_keys(const void *left, const void *right)
{
    const struct row_key *a = left, *b = right;
    int order = strcmp(a->device, b->device);
    if (order == 0)
        order = strcmp(a->kernel, b->kernel);
    return order ? order : strcmp(a->path, b->path);
}

/* The UUID of a GPU of the record, or its label; "host" for the host device. */
static const char *row_index_identity(const struct loaded_record *record, const char *label)
{
    if (device_kind_of(label)->is_emulated)
        return label; /* its rows are held against those of every GPU */
    const char *uuid = field_device_uuid(loaded_device(record, label));
    return uuid[0] ? uuid : label;
}

bool row_index_open(struct row_index *ret, const struct loaded_record *record, bool by_uuid)
{
    const json_t *rows = loaded_rows(record), *row;
    size_t count = json_array_size(rows), index;
    struct row_key *keys = malloc((count + 1) * sizeof *keys);
    if (keys == NULL)
        return false;
    json_array_foreach(rows, index, row)
    {
        const char *label = field_subject_device(row);
        keys[index] = (struct row_key){by_uuid ? row_index_identity(record, label) : label,
                                       field_subject_kernel(row), field_subject_path(row), row};
    }
    qsort(keys, count, sizeof *keys, compare_keys);
    *ret = (struct row_index){keys, count};
    return true;
}

void row_index_close(struct row_index *index)
{
    free(index->keys);
    *index = (struct row_index){.keys = NULL};
}

/* The first that is not below the key. */
static size_t lower_bound(const struct row_index *index, const struct row_key *key)
{
    size_t low = 0, high = index->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (compare_keys(&index->keys[middle], key) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static const struct row_key *row_index_find(const struct row_index *index, const char *device,
                                            const char *kernel, const char *path)
{
    const struct row_key key = {.device = device, .kernel = kernel, .path = path};
    size_t at = lower_bound(index, &key);
    return at < index->count && compare_keys(&index->keys[at], &key) == 0 ? &index->keys[at] : NULL;
}

/* The first row of the device, or NULL; its others follow. */
static const struct row_key *row_index_device(const struct row_index *index, const char *device)
{
    const struct row_key key = {.device = device, .kernel = "", .path = ""};
    size_t at = lower_bound(index, &key);
    return at < index->count && strcmp(index->keys[at].device, device) == 0 ? &index->keys[at]
                                                                            : NULL;
}

bool row_index_has_twins(const struct row_index *index)
{
    for (size_t at = 1; at < index->count; at++)
        if (compare_keys(&index->keys[at - 1], &index->keys[at]) == 0)
            return true;
    return false;
}

/* Two runs beside each other. Clauses: report.digest.compared,
 * report.digest.complete. */

/* Where these are equal, so are the cases of two runs. */
static const char *const plan_keys[] = {
    FIELD_KEY(header, assay), FIELD_KEY(header, commit), FIELD_KEY(header, tier),
    FIELD_KEY(header, seed),  FIELD_KEY(header, corpus), FIELD_KEY(header, cases_planned)};

static bool has_digests(const struct loaded_record *record)
{
    const json_t *row;
    size_t index;
    json_array_foreach(loaded_rows(record), index, row)
    {
        if (field_row_xxh3_128(row)[0])
            return true;
    }
    return false;
}

static bool is_equal(const struct loaded_record *left, const struct loaded_record *right,
                     const char *key)
{
    return json_equal(json_object_get(left->header, key), json_object_get(right->header, key));
}

bool agreement_same_cases(const struct loaded_record *left, const struct loaded_record *right)
{
    bool same = true;
    for (size_t index = 0; index < sizeof plan_keys / sizeof plan_keys[0]; index++)
        same = same && is_equal(left, right, plan_keys[index]);
    return same;
}

void agreement_differing(const struct loaded_record *left, const struct loaded_record *right,
                         char *ret_words, size_t bytes)
{
    ret_words[0] = 0;
    for (size_t index = 0; index < sizeof plan_keys / sizeof plan_keys[0]; index++)
        if (!is_equal(left, right, plan_keys[index]))
            value_list_add(ret_words, bytes, plan_keys[index]);
    for (char *at = ret_words; *at; at++)
        *at = *at == '_' ? ' ' : *at;
}

/* Of one tier, with other cases, as the version, the seed or the corpus differ: what it checks is
 * comparable, and how much is not. Another tier has another purpose; a bench has no rows. */
static bool has_other_cases(const struct loaded_record *left, const struct loaded_record *right)
{
    return is_equal(left, right, FIELD_KEY(header, tier)) && !agreement_same_cases(left, right) &&
           json_array_size(loaded_rows(right)) > 0;
}

/* Both runs' rows, and what is to be said of them. */
struct pair {
    struct row_index before, after;
    struct agreement *ret;
    agreement_put *put; /* or NULL */
    void *context;
};

static bool is_host(const struct row_key *key)
{
    return device_kind_of(key->device)->is_emulated;
}

static const struct row_key *find_host(const struct row_index *index, const char *kernel)
{
    return row_index_find(index, device_kinds[DEVICE_HOST].label, kernel,
                          path_name(path_first(DEVICE_HOST, NULL)));
}

static void compare_rows(const struct row_key *before, const struct row_key *after,
                         struct agreement *ret)
{
    const char *left, *right;
    if (before == NULL || after == NULL)
        return;
    left = field_row_xxh3_128(before->row);
    right = field_row_xxh3_128(after->row);
    if (left[0] == 0 || right[0] == 0)
        return;
    if (field_counts_passed(before->row) != field_counts_passed(after->row)) {
        ret->uneven++;
    } else if (strcmp(left, right) == 0) {
        ret->same++;
    } else if (ret->differ++ == 0) {
        ret->kernel = after->kernel;
        ret->path = after->path;
    }
}

/* Each row against its like; the host device's only path against every path of a GPU. */
static void compare_all(struct pair *pair)
{
    const struct row_index *before = &pair->before, *after = &pair->after;
    for (size_t at = 0; at < after->count; at++) {
        const struct row_key *it = &after->keys[at];
        compare_rows(row_index_find(before, it->device, it->kernel, it->path), it, pair->ret);
        if (!is_host(it))
            compare_rows(find_host(before, it->kernel), it, pair->ret);
    }
    for (size_t at = 0; at < before->count; at++) {
        const struct row_key *it = &before->keys[at];
        if (!is_host(it))
            compare_rows(it, find_host(after, it->kernel), pair->ret);
    }
}

static void lose(struct pair *pair, const char *what)
{
    if (pair->ret->lost++ == 0)
        snprintf(pair->ret->lost_first, sizeof pair->ret->lost_first, "%s", what);
    if (pair->put)
        pair->put(pair->context, what);
}

/* One row of the earlier run, on a device that both have. */
static void look_for(struct pair *pair, const struct row_key *it)
{
    const struct row_key *after = row_index_find(&pair->after, it->device, it->kernel, it->path);
    char what[AGREEMENT_LOST_BYTES], now[NUMBER_TEXT_BYTES], number[NUMBER_COUNT_BYTES];
    uint64_t then = field_counts_passed(it->row);
    if (after == NULL)
        snprintf(what, sizeof what, "%.60s through %.31s was not checked on %.60s", it->kernel,
                 it->path, it->device);
    else if (pair->ret->same_cases && field_counts_passed(after->row) < then)
        snprintf(what, sizeof what, "%.60s through %.31s passed %s of %s that it had on %.60s",
                 it->kernel, it->path, number_whole(field_counts_passed(after->row), now),
                 number_count(then, "check", number), it->device);
    else
        return;
    lose(pair, what);
}

/* What the earlier run checked and the later one did not. A GPU counts for more than the host
 * device, whose rows it need not have. */
static void look_for_all(struct pair *pair)
{
    char what[AGREEMENT_LOST_BYTES];
    const char *device = NULL;
    bool here = false;
    for (size_t at = 0; at < pair->before.count; at++) {
        const struct row_key *it = &pair->before.keys[at];
        bool begins = device == NULL || strcmp(device, it->device) != 0;
        if (begins) {
            device = it->device;
            here = row_index_device(&pair->after, device) != NULL;
            pair->ret->devices += here;
        }
        if (here) {
            look_for(pair, it);
        } else if (begins && (!is_host(it) || pair->after.count == 0)) {
            snprintf(what, sizeof what, "%.100s was not checked", device);
            lose(pair, what);
        }
    }
}

/* The first record from `start` on that has the same cases, or others of its tier; from the first
 * record on, else the first that has digests. Its number, or `index` where there is none. */
static size_t find_earlier(const struct loaded *loaded, size_t index, size_t start,
                           struct agreement *ret)
{
    const struct loaded_record *record = &loaded->records[index];
    size_t found = index;
    for (size_t before = start; before < index && !ret->same_cases && !ret->other_cases; before++) {
        const struct loaded_record *it = &loaded->records[before];
        if (!has_digests(it) || record->summary == NULL || loaded_rows(record) == NULL)
            continue;
        ret->same_cases = agreement_same_cases(it, record);
        ret->other_cases = has_other_cases(it, record);
        if (ret->same_cases || ret->other_cases ||
            (start == 0 && found == index && has_digests(record)))
            found = before;
    }
    return found;
}

static struct agreement hold(const struct loaded *loaded, size_t index, size_t start,
                             agreement_put *put, void *context)
{
    struct agreement ret = {.first = NULL};
    struct pair pair = {.ret = &ret, .put = put, .context = context};
    size_t earlier = find_earlier(loaded, index, start, &ret);
    bool is_held = ret.same_cases || ret.other_cases;
    ret.next = is_held ? earlier + 1 : index;
    if (earlier < index)
        ret.first = &loaded->records[earlier];
    if (!is_held)
        return ret;
    if (row_index_open(&pair.before, ret.first, true) &&
        row_index_open(&pair.after, &loaded->records[index], true)) {
        if (ret.same_cases)
            compare_all(&pair);
        look_for_all(&pair);
    } else {
        lose(&pair, "no memory to compare them");
    }
    row_index_close(&pair.before);
    row_index_close(&pair.after);
    return ret;
}

struct agreement agreement_of(const struct loaded *loaded, size_t index, size_t start)
{
    return hold(loaded, index, start, NULL, NULL);
}

static void agreement_lost(const struct loaded *loaded, size_t index, size_t start,
                           agreement_put *put, void *context)
{
    hold(loaded, index, start, put, context);
}

/* What came of holding records against each other, in sentences. Clauses:
 * report.digest.compared, report.digest.complete, report.verdict.scope. */

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
