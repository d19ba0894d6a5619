/* Two runs beside each other (agreement.h). Clauses: report.digest.compared,
 * report.digest.complete. */
#include "conformance/report/agreement.h"
#include "conformance/record/record_fields.h"

#include <stdio.h>
#include <string.h>

#include "conformance/base/number.h"
#include "conformance/report/row_index.h"
#include "conformance/model/path.h"

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

void agreement_lost(const struct loaded *loaded, size_t index, size_t start, agreement_put *put,
                    void *context)
{
    hold(loaded, index, start, put, context);
}
