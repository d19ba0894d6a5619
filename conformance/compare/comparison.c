/* Compares the records of files (comparison.h). Clauses: compare.record.other,
 * compare.device.missing, compare.device.paired, compare.record.several,
 * compare.record.surplus, compare.record.new, compare.speed.finds. */
#include "conformance/compare/comparison.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "conformance/base/array.h"
#include "conformance/base/heap.h"
#include "conformance/base/text.h"
#include "conformance/compare/entries.h"
#include "conformance/model/device_info.h"

/* The speeds of kernels precede those of whole regimes. */
static const struct measure_row own_rows[] = {
    {RECORD_bits, true, compare_bits},
    {RECORD_coverage, false, compare_coverage},
    {RECORD_bench, false, compare_bench},
    {RECORD_peak, false, compare_bench},
    {RECORD_ceiling, true, compare_memcpy},
    {RECORD_sweep, false, NULL},
    {RECORD_relation, false, NULL},
    {RECORD_latency, false, compare_call},
    {RECORD_programs, false, compare_programs},
    {RECORD_operations, true, compare_operations},
    {RECORD_known, true, compare_known},
    {RECORD_codegen, false, compare_code},
};
enum { OWN_ROWS = sizeof own_rows / sizeof own_rows[0] };

static bool has_own_row(enum record_kind kind)
{
    for (size_t row = 0; row < OWN_ROWS; row++)
        if (own_rows[row].kind == kind)
            return true;
    return false;
}

/* Sets *ret to row `at`: own_rows, then a row for every other measured kind. False after the
 * last. */
static bool measure_at(size_t at, struct measure_row *ret)
{
    size_t others = 0;
    if (at < OWN_ROWS)
        *ret = own_rows[at];
    for (int each = 0; at >= OWN_ROWS && each < RECORD_KIND_COUNT; each++) {
        const enum record_kind kind = (enum record_kind)each;
        if (has_own_row(kind) || !line_kind(kind).is_measured || OWN_ROWS + others++ < at)
            continue;
        *ret = (struct measure_row){kind, false, compare_figures};
        return true;
    }
    return at < OWN_ROWS;
}

static const char *noun_of(const struct measure_row *measure)
{
    return line_kind(measure->kind).plural;
}

/* Which device of NEW is held against which of BASE. */

struct device_pair {
    const char *base, *next; /* their labels */
    bool other;              /* another GPU of the same name */
};

struct pairing {
    struct device_pair pairs[LOADED_DEVICES_MAX];
    size_t count;
    bool has_base[LOADED_DEVICES_MAX]; /* of BASE's devices: one of NEW is held against it */
    bool has_next[LOADED_DEVICES_MAX];
};

static bool is_gpu(const char *label)
{
    return device_kind_of(label)->is_gpu;
}

/* The UUID of a GPU if the record has it, else the label. */
static const char *pairing_identity(const struct loaded_record *record, const char *label)
{
    const char *uuid = is_gpu(label) ? loaded_device_uuid(record, label) : "";
    return uuid[0] ? uuid : label;
}

static bool pairing_has_gpu(const struct loaded_record *record)
{
    for (size_t index = 0; index < record->device_count; index++)
        if (is_gpu(record->devices[index]))
            return true;
    return false;
}

static bool pairing_has_cpu(const struct loaded_record *record)
{
    for (size_t index = 0; index < record->device_count; index++)
        if (device_kind_of(record->devices[index])->is_emulated)
            return true;
    return false;
}

/* A GPU against that of the same UUID, or of the same label if neither has one; else against one of
 * the same name that none is held against, or, where there are more in NEW than in BASE, against
 * the first of that name. Other devices by their labels. */
static void pairing_make(const struct loaded_record *base, const struct loaded_record *next,
                         struct pairing *ret)
{
    enum { ROUND_SAME, ROUND_ALIKE, ROUND_AGAIN, ROUNDS };
    memset(ret, 0, sizeof *ret);
    for (int round = 0; round < ROUNDS; round++)
        for (size_t right = 0; right < next->device_count; right++)
            for (size_t left = 0; left < base->device_count && !ret->has_next[right]; left++) {
                const char *old = base->devices[left], *new = next->devices[right];
                const char *name = loaded_device_name(base, old),
                           *new_name = loaded_device_name(next, new),
                           *identity = pairing_identity(base, old);
                const bool is_alike = strcmp(name, new_name) == 0;
                /* Without UUIDs GPUs of one label may be of two models. */
                const bool fits = round != ROUND_SAME
                                      ? is_gpu(old) && is_gpu(new) && name[0] && is_alike &&
                                            device_is_single(old) == device_is_single(new)
                                      : strcmp(identity, pairing_identity(next, new)) == 0 &&
                                            (!is_gpu(old) || identity != old || is_alike ||
                                             !name[0] || !new_name[0]);
                if (!fits || (ret->has_base[left] && round != ROUND_AGAIN))
                    continue;
                ret->has_base[left] = ret->has_next[right] = true;
                ret->pairs[ret->count++] = (struct device_pair){old, new, round != ROUND_SAME};
            }
}

/* "cuda:0, NVIDIA H200, GPU-...". */
static void add_alone(struct compared *compared, const struct loaded_record *record, size_t index,
                      enum difference_kind kind)
{
    const char *label = record->devices[index];
    const char *name = loaded_device_name(record, label);
    char place[DIFFERENCE_PLACE_BYTES];
    snprintf(place, sizeof place, "%.16s%s%.100s%s%.60s", label, name[0] ? ", " : "", name,
             strcmp(pairing_identity(record, label), label) == 0 ? "" : ", ",
             strcmp(pairing_identity(record, label), label) == 0 ? ""
                                                                 : pairing_identity(record, label));
    compared_add(compared, kind, place, "", "");
}

/* The devices that only one of the records has. */
static void compare_presence(struct compared *compared, const struct pairing *pairing)
{
    const struct loaded_record *base = compared->base, *next = compared->next;
    for (size_t index = 0; index < base->device_count; index++)
        if (!pairing->has_base[index])
            add_alone(compared, base, index,
                      device_kind_of(base->devices[index])->is_gpu ? DIFFERENCE_gpu_missing
                                                                   : DIFFERENCE_device_missing);
    for (size_t index = 0; index < next->device_count; index++)
        if (!pairing->has_next[index])
            add_alone(compared, next, index, DIFFERENCE_device_new);
    for (size_t index = 0; index < pairing->count; index++)
        if (pairing->pairs[index].other)
            compared_add(compared, DIFFERENCE_gpu_other, pairing->pairs[index].next,
                         pairing_identity(base, pairing->pairs[index].base),
                         pairing_identity(next, pairing->pairs[index].next));
}

/* One measure on one pair of devices, or on one that BASE has not. */
static void compare_measure(const struct meeting *meeting, const struct measure_row *measure)
{
    struct compared *compared = meeting->compared;
    struct meeting here = *meeting;
    struct entries base, next;
    const char *before = line_kind(measure->kind).before;
    here.what = before ? before : "";
    entries_open(&base, measure, compared->base, meeting->base_label ? meeting->base_label : "");
    entries_open(&next, measure, compared->next, meeting->next_label);
    if (meeting->base_label == NULL || entries_count(measure, compared->base) == 0)
        entries_alone(&here, &next);
    else if (entries_count(measure, compared->next) > 0)
        entries_compare(&here, measure, &base, &next);
    entries_close(&base);
    entries_close(&next);
}

static const char nothing[] = "nothing that is compared";

/* The measure that a record is of, the first that it has lines of; two of one measure have the same
 * pointer. */
static const char *kind_of(const struct loaded_record *record)
{
    struct measure_row measure;
    for (size_t row = 0; measure_at(row, &measure); row++)
        if (entries_count(&measure, record) > 0)
            return noun_of(&measure);
    return nothing;
}

/* The first device's name, or its label. */
static const char *model_of(const struct loaded_record *record)
{
    const char *label = record->device_count ? record->devices[0] : "no device";
    const char *name = loaded_device_name(record, label);
    return name[0] ? name : label;
}

#define COUNT(array) (sizeof(array) / sizeof *(array))

/* If these are equal, so are the cases of two runs. */
static const char *const plan_keys[] = {
    FIELD_KEY(header, assay), FIELD_KEY(header, commit), FIELD_KEY(header, tier),
    FIELD_KEY(header, seed),  FIELD_KEY(header, corpus), FIELD_KEY(header, cases_planned)};

/* True for members with the same value; what both lack is unknown, and not the same. */
static bool is_same(const struct line_member *left, const struct line_member *right)
{
    char one[LINE_WORDS_BYTES], other[LINE_WORDS_BYTES];
    bool same = line_item_count(left) == line_item_count(right);
    for (size_t index = 0; same && index < line_item_count(left); index++) {
        const struct line_item item = line_item(left, index), like = line_item(right, index);
        same = line_item_is(&item, &like);
    }
    line_words(left, one, sizeof one);
    line_words(right, other, sizeof other);
    return same && strcmp(one, other) == 0 && (one[0] || left->field->need != FORM_OPTIONAL);
}

/* True if the headers have the same in the field of that name. */
static bool is_equal(const struct loaded_record *left, const struct loaded_record *right,
                     const char *key)
{
    struct form_walk walk = form_walk(&form_header), other = walk;
    struct line_member one, like;
    while (line_next(&walk, left->header, &one) && line_next(&other, right->header, &like))
        if (strcmp(one.field->name, key) == 0)
            return is_same(&one, &like);
    return false;
}

static bool are_equal(const struct loaded_record *left, const struct loaded_record *right,
                      const char *const *keys, size_t count)
{
    bool same = true;
    for (size_t index = 0; index < count; index++)
        same = same && is_equal(left, right, keys[index]);
    return same;
}

/* A deep run has as many cases as its time allowed. */
static bool has_as_many(const struct compared *compared)
{
    return !loaded_is_deep(compared->base) ||
           loaded_summary(compared->base)->cases_done == loaded_summary(compared->next)->cases_done;
}

static void compare_all(struct compared *compared, const struct pairing *pairing)
{
    bool whole = compared->base->summary && compared->next->summary;
    bool same_cases = are_equal(compared->base, compared->next, plan_keys, COUNT(plan_keys)) &&
                      has_as_many(compared);
    /* A measure that only one of them has at all. */
    struct measure_row measure;
    for (size_t row = 0; measure_at(row, &measure); row++) {
        const char *noun = noun_of(&measure);
        const bool base = entries_count(&measure, compared->base) > 0;
        const bool next = entries_count(&measure, compared->next) > 0;
        if (base && !next && compared->next->summary)
            compared_add(compared, DIFFERENCE_measure_missing, noun, "", "");
        if (next && !base && compared->base->summary)
            compared_add(compared, DIFFERENCE_measure_new, noun, "", "");
    }
    compare_presence(compared, pairing);
    for (size_t index = 0; index < pairing->count; index++) {
        const struct device_pair *pair = &pairing->pairs[index];
        const struct meeting meeting = {compared, pair->base,  pair->next,
                                        "",       pair->other, same_cases};
        compared->regimes_apart = 0;
        compare_cases(&meeting);
        for (size_t row = 0; measure_at(row, &measure); row++)
            compare_measure(&meeting, &measure);
        compare_devices(&meeting);
    }
    for (size_t index = 0; index < compared->next->device_count; index++) {
        const struct meeting alone = {compared, NULL,  compared->next->devices[index],
                                      "",       false, same_cases};
        for (size_t row = 0; !pairing->has_next[index] && measure_at(row, &measure); row++)
            compare_measure(&alone, &measure);
    }
    if (whole && !same_cases && compared->base->kinds[RECORD_bits].count > 0 &&
        compared->next->kinds[RECORD_bits].count > 0) {
        /* Bits of other cases cannot be compared: the fields in which these differ, "seed, corpus".
         */
        char differing[128] = "", place[DIFFERENCE_PLACE_BYTES];
        if (!has_as_many(compared))
            value_list_add(differing, sizeof differing,
                           "number of cases that a deep run had time for");
        for (size_t index = 0; index < COUNT(plan_keys); index++)
            if (!is_equal(compared->base, compared->next, plan_keys[index]))
                value_list_add(differing, sizeof differing, plan_keys[index]);
        for (char *at = differing; *at; at++)
            *at = *at == '_' ? ' ' : *at;
        snprintf(place, sizeof place,
                 "%s; compare runs of one version, --tier, --seed and --corpus, and of the same "
                 "algorithms",
                 differing);
        compared_add(compared, DIFFERENCE_digests_apart, place, "", "");
    }
    compare_headers(compared);
}

/* Two shards have other cases, unless each has them all. */
static bool are_other_shards(const struct loaded_record *base, const struct loaded_record *next)
{
    const struct shard left = loaded_shard(base), right = loaded_shard(next);
    return (shard_is_part(&left) || shard_is_part(&right)) &&
           (left.number != right.number || left.count != right.count ||
            left.is_same != right.is_same);
}

static void refuse_shards(struct compared *ret, const struct loaded_record *base,
                          const struct loaded_record *next)
{
    char why[COMPARED_WHY_BYTES], texts[2][SHARD_TEXT_BYTES];
    const struct shard shards[] = {loaded_shard(base), loaded_shard(next)};
    for (int index = 0; index < 2; index++)
        snprintf(texts[index], sizeof texts[index], "a whole plan");
    for (int index = 0; index < 2; index++)
        if (shards[index].count > 0)
            shard_text(&shards[index], texts[index]);
    snprintf(why, sizeof why,
             "BASE is %s, NEW is %s: they have different cases; `assay merge` joins "
             "shards",
             texts[0], texts[1]);
    compared_refuse(ret, why);
}

static void refuse_devices(struct compared *ret, const struct loaded_record *base,
                           const struct loaded_record *next)
{
    char why[COMPARED_WHY_BYTES];
    snprintf(why, sizeof why, "no device in common: BASE is of %.100s, NEW of %.100s",
             model_of(base), model_of(next));
    compared_refuse(ret, why);
}

/* Compares; compared_close in any case. */
static void open_pair(struct compared *ret, const struct loaded_record *base,
                      const struct loaded_record *next)
{
    /* If these are equal, two records were to look at the same things. */
    static const char *const keys[] = {FIELD_KEY(header, assay), FIELD_KEY(header, commit),
                                       FIELD_KEY(header, tier),  FIELD_KEY(header, cases_planned),
                                       FIELD_KEY(header, paths), FIELD_KEY(header, kernels)};
    struct pairing *pairing = heap_take(1, sizeof *pairing);
    char why[COMPARED_WHY_BYTES];
    *ret = (struct compared){.base = base, .next = next};
    pairing_make(base, next, pairing);
    ret->same_plan = are_equal(base, next, keys, COUNT(keys));
    ret->other_bytes = base->header->bytes != next->header->bytes;
    /* GPUs that are gone altogether are a loss, and no other kind of record, unless NEW is of the
     * CPU. A record that was cut short may have had more. */
    const bool gone = pairing_has_gpu(base) && !pairing_has_gpu(next) && !pairing_has_cpu(next);
    bool common = base->summary == NULL || next->summary == NULL;
    struct measure_row measure;
    for (size_t row = 0; measure_at(row, &measure); row++)
        common = common || (entries_count(&measure, base) > 0 && entries_count(&measure, next) > 0);
    if (are_other_shards(base, next)) {
        refuse_shards(ret, base, next);
    } else if (pairing->count == 0 && !gone && base->device_count > 0) {
        refuse_devices(ret, base, next);
    } else if (!common) {
        snprintf(why, sizeof why, "records of different kinds: BASE has %s, NEW has %s",
                 kind_of(base), kind_of(next));
        compared_refuse(ret, why);
    } else {
        compare_whole(ret);
        compare_all(ret, pairing);
        compared_judge(ret);
    }
    free(pairing);
}

/* The same if NEW has no record of BASE's measure; `next` is its last record, which may have been
 * cut short. */
static void open_lacking(struct compared *ret, const struct loaded_record *base,
                         const struct loaded_record *next)
{
    const bool may_be_any = base->summary == NULL && kind_of(base) == nothing;
    *ret = (struct compared){.base = base, .next = next};
    compared_add(ret,
                 may_be_any                          ? DIFFERENCE_base_cut
                 : next->summary && !next->is_of_cut ? DIFFERENCE_measure_missing
                                                     : DIFFERENCE_new_cut,
                 kind_of(base), "", "");
    compared_judge(ret);
}

/* NEW's records of a measure that BASE has no record of, among the `count` that begin at `next`. */
static void open_new(struct compared *ret, const struct loaded_record *base,
                     const struct loaded_record *next, size_t count, const char *kind)
{
    *ret = (struct compared){.base = base, .next = next};
    for (size_t index = 0; index < count; index++)
        if (kind_of(next + index) == kind)
            compare_alone(ret, next + index, kind);
    compared_judge(ret);
    if (ret->count == 0) {
        ret->change = CHANGE_SAME; /* there was nothing to compare */
        snprintf(ret->why, sizeof ret->why, "no record of it, as in BASE");
    }
}

/* Files of several records. */

/* The records of a file that are of the kind, or all with NULL; *ret_chosen is the one at that
 * place, or the last. */
static size_t records_of(const struct loaded *loaded, size_t file, const char *kind, size_t place,
                         const struct loaded_record **ret_chosen)
{
    size_t count = 0;
    for (size_t index = 0; index < loaded->count; index++) {
        const struct loaded_record *record = &loaded->records[index];
        if (record->file == file && (kind == NULL || kind_of(record) == kind) && count++ <= place)
            *ret_chosen = record;
    }
    return count;
}

/* What a whole file is, by all its records. */
struct file_kind {
    bool is_gate; /* each record names the gate's part */
    bool has_gpu, has_cpu;
    const struct loaded_record *first;
};

static struct file_kind file_kind_of(const struct loaded *loaded, size_t file)
{
    struct file_kind kind = {.first = NULL};
    for (size_t index = 0; index < loaded->count; index++) {
        const struct loaded_record *record = &loaded->records[index];
        if (record->file != file)
            continue;
        kind.first = kind.first ? kind.first : record;
        kind.is_gate = kind.is_gate || record->header->part[0];
        kind.has_gpu = kind.has_gpu || pairing_has_gpu(record);
        kind.has_cpu = kind.has_cpu || pairing_has_cpu(record);
    }
    return kind;
}

/* A gate beside a bench or a run, GPUs beside the CPU: parts that only one of them has are no loss.
 * True with the reason. */
static bool refuse_file(struct compared *ret, const struct loaded *loaded, size_t file)
{
    const struct file_kind base = file_kind_of(loaded, 0), next = file_kind_of(loaded, file);
    char why[COMPARED_WHY_BYTES];
    const bool is_other_device = (base.has_gpu && !base.has_cpu && next.has_cpu && !next.has_gpu) ||
                                 (base.has_cpu && !base.has_gpu && next.has_gpu && !next.has_cpu);
    if (base.is_gate == next.is_gate && !is_other_device)
        return false;
    *ret = (struct compared){.base = base.first, .next = next.first};
    if (is_other_device) {
        refuse_devices(ret, base.first, next.first);
        return true;
    }
    snprintf(why, sizeof why, "records of different kinds: BASE %s%s, NEW %s%s",
             base.is_gate ? "is a gate" : "has ", base.is_gate ? "" : kind_of(base.first),
             next.is_gate ? "is a gate" : "has ", next.is_gate ? "" : kind_of(next.first));
    compared_refuse(ret, why);
    return true;
}

void comparison_open(struct comparison_set *ret, const struct loaded *loaded,
                     const struct loaded_record *base, const char *kind, size_t place)
{
    kind = base ? kind_of(base) : kind;
    bool has_parts = base == NULL; /* a file holds several records, side by side */
    for (size_t index = 1; index < loaded->count; index++)
        has_parts |= loaded->records[index].file == loaded->records[index - 1].file;
    *ret = (struct comparison_set){
        .base = base ? base : loaded->records, .part = has_parts ? kind : NULL, .kind = kind};
    enum { NEW_FILE = 1 };
    struct compared *it = &ret->compared;
    const struct loaded_record *first = ret->base, *other = ret->base;
    const size_t count = records_of(loaded, NEW_FILE, NULL, 0, &first);
    if (refuse_file(it, loaded, NEW_FILE))
        return;
    /* If both files have one record each, these are compared, whatever they are. */
    if (base == NULL)
        open_new(it, ret->base, first, count, kind);
    else if (count == 1 && records_of(loaded, base->file, NULL, 0, &other) == 1)
        open_pair(it, base, first);
    else if (records_of(loaded, NEW_FILE, kind, place, &other) > 0)
        open_pair(it, base, other);
    else
        open_lacking(it, base, first + count - 1);
}

/* Opens one more part. */
static void add_part(struct comparisons *comparison, const struct loaded *loaded,
                     const struct loaded_record *base, const char *kind, size_t place)
{
    HEAP_ROOM(comparison->parts, comparison->count);
    comparison_open(&comparison->parts[comparison->count++], loaded, base, kind, place);
}

/* The records of BASE in their order, and after the last of each kind what only NEW has more of. */
static void add_base(struct comparisons *comparison, const struct loaded *loaded)
{
    for (size_t index = 0; index < loaded->count && loaded->records[index].file == 0; index++) {
        const struct loaded_record *record = &loaded->records[index], *other;
        const char *kind = kind_of(record);
        size_t place = 0;
        for (size_t before = 0; before < index; before++)
            place += kind_of(&loaded->records[before]) == kind;
        size_t end = place + 1;
        const bool is_last = end == records_of(loaded, 0, kind, 0, &other);
        for (size_t file = 1; is_last && file < loaded->file_count; file++) {
            const size_t count = records_of(loaded, file, kind, 0, &other);
            end = count > end ? count : end;
        }
        for (size_t at = place; at < end; at++)
            add_part(comparison, loaded, record, kind, at);
    }
}

/* BASE has no record of that measure. If both files have one record each, these are compared. */
static bool is_new_measure(const struct loaded *loaded, const struct loaded_record *record)
{
    const struct loaded_record *other;
    return record->file != 0 && records_of(loaded, 0, kind_of(record), 0, &other) == 0 &&
           (records_of(loaded, 0, NULL, 0, &other) > 1 ||
            records_of(loaded, record->file, NULL, 0, &other) > 1);
}

/* Each of these measures once. */
static void add_new(struct comparisons *comparison, const struct loaded *loaded)
{
    for (const struct loaded_record *record = loaded->records;
         record < loaded->records + loaded->count; record++) {
        bool due = is_new_measure(loaded, record);
        for (const struct loaded_record *before = loaded->records; due && before < record; before++)
            due = !is_new_measure(loaded, before) || kind_of(before) != kind_of(record);
        if (due)
            add_part(comparison, loaded, NULL, kind_of(record), 0);
    }
}

void comparisons_open(struct comparisons *ret, const struct loaded *loaded)
{
    *ret = (struct comparisons){.parts = NULL};
    if (loaded->file_count < 2) /* there is no NEW */
        return;
    add_base(ret, loaded);
    add_new(ret, loaded);
    for (size_t index = 0; index < ret->count; index++) {
        const enum change change = ret->parts[index].compared.change;
        ret->change = change > ret->change ? change : ret->change;
    }
}

void comparisons_close(struct comparisons *comparison)
{
    for (size_t index = 0; index < comparison->count; index++)
        comparison_close(&comparison->parts[index]);
    free(comparison->parts);
}

enum change comparison_write(FILE *file, const struct loaded *loaded, comparison_writer *write,
                             bool is_gate)
{
    struct comparisons comparison;
    comparisons_open(&comparison, loaded);
    comparison.is_gate = is_gate;
    if (comparison.count > 0)
        write(file, &comparison);
    comparisons_close(&comparison);
    return comparison.change;
}

void comparison_close(struct comparison_set *set)
{
    compared_close(&set->compared);
    *set = (struct comparison_set){.base = NULL};
}

/* The figures of one sort, and the least and the most that is detected of those above the aim. */
struct found {
    size_t count, fine;
    double least, most;
};

static struct found found_of(const struct compared *compared, enum figure_sort sort)
{
    static const double aim = 0.015;
    struct found it = {.least = INFINITY};
    for (size_t index = 0; index < compared->figure_count; index++) {
        const double finds = compared->figures[index].finds;
        if (compared->figures[index].sort != sort)
            continue;
        it.count++;
        it.fine += finds <= aim;
        it.least = finds > aim ? fmin(it.least, finds) : it.least;
        it.most = fmax(it.most, finds);
    }
    return it;
}

bool comparison_finds(const struct compared *compared, char ret_text[COMPARISON_FINDS_BYTES])
{
    static const struct {
        const char *noun, *of;
    } sorts[FIGURE_SORT_COUNT] = {[FIGURE_OF_DRAM] = {"speed", " in DRAM"},
                                  [FIGURE_OF_L2] = {"speed", " in L2"},
                                  [FIGURE_OF_LOCAL] = {"speed", " of thread_array"},
                                  [FIGURE_OF_CALL] = {"host call", ""}};
    ret_text[0] = 0;
    for (int sort = 0; sort < FIGURE_SORT_COUNT; sort++) {
        const struct found it = found_of(compared, (enum figure_sort)sort);
        const char *what = NUMBER_COUNT(it.count, sorts[sort].noun), *of = sorts[sort].of;
        const double least = ceil(1000 * it.least) / 10, most = ceil(1000 * it.most) / 10;
        char range[64] = "";
        if (it.count == 0)
            continue;
        if (least < most)
            snprintf(range, sizeof range, "%.1f to ", least);
        text_join(range, sizeof range, "", "%.1f %%", most);
        if (it.fine == it.count)
            text_join(ret_text, COMPARISON_FINDS_BYTES, "; ", "a 1.5 %% slowdown in each of %s%s",
                      what, of);
        else if (it.fine > 0)
            text_join(ret_text, COMPARISON_FINDS_BYTES, "; ",
                      "a 1.5 %% slowdown in %s of %s%s, and one of %s or more in the others",
                      NUMBER_WHOLE(it.fine), what, of, range);
        else
            text_join(ret_text, COMPARISON_FINDS_BYTES, "; ", "a slowdown of %s or more in %s%s",
                      range, what, of);
    }
    return ret_text[0] != 0;
}

/* Records of one measure and one tier. */
static bool is_like(const struct loaded_record *left, const struct loaded_record *right)
{
    const char *kind = kind_of(left);
    return kind != nothing && kind == kind_of(right) &&
           is_equal(left, right, FIELD_KEY(header, tier));
}

/* The record that this one is compared with in a report: of the first file that has its like, that
 * at the same place, or the last. NULL if no earlier file has its like. */
static const struct loaded_record *earlier_of(const struct loaded *loaded,
                                              const struct loaded_record *own)
{
    const struct loaded_record *found = NULL;
    size_t place = 0, count = 0;
    for (const struct loaded_record *it = loaded->records; it < own; it++)
        place += it->file == own->file && is_like(it, own);
    for (const struct loaded_record *it = loaded->records; it < own; it++)
        if (it->file != own->file && is_like(it, own) && (!found || it->file == found->file) &&
            count++ <= place)
            found = it;
    return found;
}

void comparison_of_files(struct loaded *loaded)
{
    static const enum verdict verdicts[CHANGE_COUNT] = {
        [CHANGE_NOT_COMPARABLE] = VERDICT_INCONCLUSIVE, [CHANGE_REGRESSED] = VERDICT_FAIL};
    struct loaded_comparison *comparison = &loaded->comparison;
    enum change worst = CHANGE_BETTER;
    struct written same, other;
    written_open(&same);
    written_open(&other);
    for (size_t index = 0; index < loaded->count; index++) {
        const struct loaded_record *next = &loaded->records[index],
                                   *base = earlier_of(loaded, next);
        struct compared compared;
        if (base == NULL)
            continue;
        open_pair(&compared, base, next);
        FILE *file = compared.change <= CHANGE_BETTER ? same.file : other.file;
        char names[2][RECORD_NAME_BYTES];
        escape_sentence(file, "%s compared with %s: %s: ", record_name(next, base, names[0]),
                        record_name(base, next, names[1]), change_name(compared.change));
        escape_sentence(file, "%s.\n", compared.why);
        if (compared.change > worst) {
            worst = compared.change;
            comparison->verdict = verdicts[worst];
            snprintf(comparison->reason, sizeof comparison->reason,
                     "%.100s compared with %.100s is %s: %.200s", next->path, base->path,
                     change_name(worst), compared.why);
        }
        compared_close(&compared);
    }
    comparison->same = written_close(&same);
    comparison->other = written_close(&other);
}
