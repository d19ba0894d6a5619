/* Two records as wholes (entries.h): how they ended, how much they looked at, and what the stacks
 * were, field by field. Clauses: compare.record.cut, compare.record.contradicted,
 * compare.record.new, compare.programs.undecided, compare.verdict.whole, compare.coverage.less,
 * compare.environment.fields, compare.environment.clocks, compare.device.worse,
 * compare.device.changed, compare.device.link. */
#include <stdio.h>
#include <string.h>

#include "conformance/base/text.h"
#include "conformance/compare/entries.h"
#include "conformance/model/device_info.h"
#include "conformance/report/assessment.h"

#define COUNT(array) (sizeof(array) / sizeof *(array))

static uint64_t cases_on(const struct loaded_record *record, const char *label)
{
    for (size_t index = 0; index < record->device_count; index++)
        if (strcmp(record->devices[index], label) == 0)
            return ranges_total(&record->finished[index]);
    return 0;
}

/* Cases that every device finished, of a run; of a measure the lines that are of its plan. */
static uint64_t finished(const struct loaded_record *record)
{
    const uint64_t planned = record->header->cases_planned;
    uint64_t least = planned, lines = 0;
    for (int kind = 0; kind < RECORD_KIND_COUNT; kind++)
        if (line_kind((enum record_kind)kind).is_planned)
            lines += record->kinds[kind].count + record->kinds[kind].left_out;
    for (size_t index = 0; index < record->device_count; index++) {
        uint64_t cases = cases_on(record, record->devices[index]);
        least = cases < least ? cases : least;
    }
    /* Programs that have a result through every path. */
    const struct loaded_lines *rows = &record->kinds[RECORD_programs];
    uint64_t programs = UINT64_MAX;
    for (size_t index = 0; index < rows->count; index++) {
        const struct line_programs *row = LINE_AS(programs, rows->each[index]);
        const uint64_t due = row->planned, open = row->counts.inconclusive;
        const uint64_t here = open < due ? due - open : 0;
        programs = here < programs ? here : programs;
    }
    if (rows->count > 0)
        return programs;
    return record->kinds[RECORD_bits].count > 0 ? least : lines;
}

/* What is added of the one, or of the other. */
static const struct {
    enum difference_kind cut, undecided, contradicted;
} wrongs[] = {
    {DIFFERENCE_base_cut, DIFFERENCE_base_undecided, DIFFERENCE_base_contradicted},
    {DIFFERENCE_new_cut, DIFFERENCE_new_undecided, DIFFERENCE_new_contradicted},
};

/* Adds what is wrong with one record by itself. If programs have no result, the reason says whether
 * they ran. */
static void look_at(struct compared *compared, const struct loaded_record *record,
                    struct assessment *ret)
{
    const bool is_base = record == compared->base;
    const bool has_rows = record->summary && record->kinds[RECORD_programs].count > 0;
    assess_record(record, ret);
    const char *base = is_base ? ret->reason : "", *next = is_base ? "" : ret->reason;
    const struct line_summary *summary = loaded_summary(record);
    const enum verdict verdict = summary->verdict;
    /* It left part of its plan undecided, or says why it ended; a deep run is made to end before.
     */
    const bool is_ended = verdict != VERDICT_PASS && summary->reason[0];
    const bool is_short = !loaded_is_deep(record) && !summary->awaits_merge &&
                          (verdict == VERDICT_INCONCLUSIVE || is_ended) &&
                          finished(record) < record->header->cases_planned;
    if (!loaded_is_whole(record) || is_short)
        compared_add(compared, has_rows ? wrongs[!is_base].undecided : wrongs[!is_base].cut, "",
                     base, next);
    else if (verdict_of_whole(verdict) != ret->verdict)
        compared_add(compared, wrongs[!is_base].contradicted, "", base, next);
    static const char early[] = "its gate ended early or with ERROR";
    if (record->is_of_cut)
        compared_add(compared, wrongs[!is_base].cut, "", is_base ? early : "",
                     is_base ? "" : early);
    for (int kind = 0; kind < RECORD_KIND_COUNT; kind++) {
        const size_t left_out = compared_left_out(record, kind);
        if (left_out > 0)
            compared_add(compared, DIFFERENCE_lines_left_out, record->path,
                         NUMBER_COUNT(left_out, "line"), line_kind((enum record_kind)kind).noun);
    }
}

/* "FAIL: 3 failures". */
static const char *in_words(const struct assessment *it, char ret[DIFFERENCE_VALUE_BYTES])
{
    snprintf(ret, DIFFERENCE_VALUE_BYTES, "%s%s%.200s", verdict_name(it->verdict),
             it->reason[0] ? ": " : "", it->reason);
    return ret;
}

void compare_whole(struct compared *compared)
{
    static const enum difference_kind kinds[VERDICT_COUNT] = {
        [VERDICT_PASS] = DIFFERENCE_run_passes,
        [VERDICT_FAIL] = DIFFERENCE_run_failed,
        [VERDICT_CRASH] = DIFFERENCE_run_passes,
        [VERDICT_TIMEOUT] = DIFFERENCE_run_passes,
        [VERDICT_ERROR] = DIFFERENCE_run_broken,
        [VERDICT_SKIP] = DIFFERENCE_run_undecided,
        [VERDICT_INCONCLUSIVE] = DIFFERENCE_run_undecided,
        [VERDICT_DECLINED] = DIFFERENCE_run_passes,
        [VERDICT_EMPTY] = DIFFERENCE_run_passes};
    struct assessment base, next;
    char left[DIFFERENCE_VALUE_BYTES], right[DIFFERENCE_VALUE_BYTES];
    look_at(compared, compared->base, &base);
    look_at(compared, compared->next, &next);
    /* Two FAILs are compared subject by subject. */
    const bool is_worse = verdict_is_worse(next.verdict, base.verdict);
    if (base.verdict != next.verdict)
        compared_add(compared, is_worse ? kinds[next.verdict] : DIFFERENCE_run_passes, "",
                     in_words(&base, left), in_words(&next, right));
}

void compare_alone(struct compared *compared, const struct loaded_record *record, const char *kind)
{
    struct assessment it;
    char words[DIFFERENCE_VALUE_BYTES];
    assess_record(record, &it);
    compared_add(compared,
                 it.verdict == VERDICT_PASS ? DIFFERENCE_measure_uncompared
                                            : DIFFERENCE_measure_unpassed,
                 kind, "", in_words(&it, words));
}

void compare_cases(const struct meeting *meeting)
{
    struct compared *compared = meeting->compared;
    uint64_t base = cases_on(compared->base, meeting->base_label);
    uint64_t next = cases_on(compared->next, meeting->next_label);
    /* A deep run has as many cases as its time allowed: there a tenth less is chance. */
    const bool is_deep = loaded_is_deep(compared->base) && loaded_is_deep(compared->next);
    const bool is_chance = is_deep && next < base && next >= base - base / 10;
    if (base == next || is_chance || compared->base->summary == NULL ||
        compared->next->summary == NULL)
        return;
    compared_add(compared, next < base ? DIFFERENCE_cases_fewer : DIFFERENCE_cases_more,
                 meeting->next_label, NUMBER_COUNT(base, "case"), NUMBER_COUNT(next, "case"));
}

/* Comparison of the stacks, field by field. */

/* A clock or power limit of at least this share is the same: clocks vary by less from run to run.
 */
#define CLOCK_NEAR 0.97

/* Fields, besides those of a run (OF_RUN), that say nothing of the stack, or are compared
 * elsewhere.
 */
static const char *const header_skips[] = {FIELD_KEY(header, images)};
static const char *const device_skips[] = {FIELD_KEY(device, label), FIELD_KEY(device, uuid),
                                           FIELD_KEY(device, serial), FIELD_KEY(device, pci),
                                           FIELD_KEY(device, ptx)};

/* "memory bytes on cuda:0", "digest of images 13.5.37": `where` is what follows the words of the
 * key. */
static void write_place(const char *key, const char *where, char ret[DIFFERENCE_PLACE_BYTES])
{
    snprintf(ret, DIFFERENCE_PLACE_BYTES, "%.64s%.64s", key, where);
    for (char *at = ret; *at && at < ret + strlen(key); at++)
        *at = *at == '_' || *at == '-' ? ' ' : *at;
}

/* `near` is where the item is likely to be. */
static bool has_item(const struct line_member *list, const struct line_item *wanted, size_t near)
{
    if (near < line_item_count(list)) {
        const struct line_item item = line_item(list, near);
        if (line_item_is(&item, wanted))
            return true;
    }
    for (size_t index = 0; index < line_item_count(list); index++) {
        const struct line_item item = line_item(list, index);
        if (line_item_is(&item, wanted))
            return true;
    }
    return false;
}

/* An element in words; of an object those of its fields, in the form's order. */
static void write_item(const struct line_item *item, char ret[DIFFERENCE_VALUE_BYTES])
{
    struct line_member member;
    snprintf(ret, DIFFERENCE_VALUE_BYTES, "%s", item->text ? item->text : "");
    if (item->text)
        return;
    for (struct form_walk walk = form_walk(item->form); line_next(&walk, item->object, &member);) {
        char words[128];
        text_join(ret, DIFFERENCE_VALUE_BYTES, " ", "%.120s",
                  line_words(&member, words, sizeof words));
    }
}

/* Items that one list has and the other has not. A code path that the other record has not is named
 * as such, and its items are not. */
static void add_items(struct compared *compared, const char *place, const struct line_member *from,
                      const struct line_member *other, bool is_base)
{
    const struct texts paths = (is_base ? compared->next : compared->base)->header->paths;
    for (size_t index = 0; index < line_item_count(from); index++) {
        char text[DIFFERENCE_VALUE_BYTES];
        const struct line_item item = line_item(from, index);
        const struct line_kernel_ptx *kernel = item.form == &form_kernel_ptx ? item.object : NULL;
        if (has_item(other, &item, index) ||
            (kernel && kernel->path[0] && !texts_have(paths, kernel->path)))
            continue;
        write_item(&item, text);
        compared_add(compared, DIFFERENCE_environment, place, is_base ? text : "",
                     is_base ? "" : text);
    }
}

/* What a GPU should keep: a value in NEW below `keeps` of BASE's, the word `lost` in place of
 * another, or no value although BASE has one, is of that kind. The link's current width and
 * generation are not here: they are read before the run, and an idle link lowers them. */
static const struct {
    const char *key;
    enum difference_kind kind;
    double keeps;
    const char *lost;
    bool is_reported; /* it has a value wherever NVML is */
} properties[] = {
    {FIELD_KEY(device, ecc), DIFFERENCE_ecc_off, 0, "off", true},
    {FIELD_KEY(device, mig), DIFFERENCE_mig_on, 0, "on", true},
    {FIELD_KEY(device, memory_bytes), DIFFERENCE_memory_less, 0.98, NULL, false},
    {FIELD_KEY(device, multiprocessors), DIFFERENCE_device_less, 1, NULL, false},
    {FIELD_KEY(device, l2_bytes), DIFFERENCE_device_less, 1, NULL, false},
    {FIELD_KEY(device, memory_bus_bits), DIFFERENCE_device_less, 1, NULL, false},
    {FIELD_KEY(device, memory_clock_khz), DIFFERENCE_device_less, CLOCK_NEAR, NULL, false},
    {FIELD_KEY(device, sm_clock_khz), DIFFERENCE_device_less, CLOCK_NEAR, NULL, false},
    {FIELD_KEY(device, application_sm_mhz), DIFFERENCE_device_less, CLOCK_NEAR, NULL, false},
    {FIELD_KEY(device, application_memory_mhz), DIFFERENCE_device_less, CLOCK_NEAR, NULL, false},
    {FIELD_KEY(device, power_limit_w), DIFFERENCE_device_less, CLOCK_NEAR, NULL, true},
    {FIELD_KEY(device, pcie_generation_max), DIFFERENCE_device_less, 1, NULL, false},
    {FIELD_KEY(device, pcie_width_max), DIFFERENCE_device_less, 1, NULL, false},
};

/* ECC takes a sixteenth of a GPU's memory if that has no bits of its own for it. */
static double ecc_takes(const struct line_device *base, const struct line_device *next)
{
    const bool was_on = strcmp(base->ecc, "on") == 0, is_on = strcmp(next->ecc, "on") == 0;
    return is_on && !was_on ? 1 / 16.0 : 0;
}

/* The kind of a change of that field of a GPU: a note unless NEW has less. */
static enum difference_kind device_change(const struct line_device *base,
                                          const struct line_device *next,
                                          const struct line_member *before,
                                          const struct line_member *after)
{
    const double had = line_number(before), has = line_number(after);
    char was[DIFFERENCE_VALUE_BYTES], is[DIFFERENCE_VALUE_BYTES];
    size_t row = 0;
    while (row < COUNT(properties) && strcmp(properties[row].key, before->field->name) != 0)
        row++;
    line_words(before, was, sizeof was);
    line_words(after, is, sizeof is);
    if (row == COUNT(properties) || was[0] == 0)
        return DIFFERENCE_environment;
    if (is[0] == 0 && properties[row].is_reported)
        return DIFFERENCE_device_unreported;
    const bool is_memory = properties[row].kind == DIFFERENCE_memory_less;
    const double keeps = properties[row].keeps - (is_memory ? ecc_takes(base, next) : 0);
    const bool is_less =
        properties[row].lost ? strcmp(is, properties[row].lost) == 0 : has > 0 && has < keeps * had;
    return is_less ? properties[row].kind : DIFFERENCE_environment;
}

static void compare_member(struct compared *compared, enum difference_kind kind, const char *where,
                           const struct line_member *base, const struct line_member *next)
{
    char place[DIFFERENCE_PLACE_BYTES], left[DIFFERENCE_VALUE_BYTES], right[DIFFERENCE_VALUE_BYTES];
    write_place(base->field->name, where, place);
    add_items(compared, place, base, next, true);
    add_items(compared, place, next, base, false);
    line_words(base, left, sizeof left);
    line_words(next, right, sizeof right);
    if (strcmp(left, right) != 0)
        compared_add(compared, kind, place, left, right);
}

/* The fields of a form one by one: a record of an earlier version, which lacks some, has "" there.
 */
static void compare_objects(struct compared *compared, const struct form *form, const char *where,
                            const void *base, const void *next, const char *const *skips,
                            size_t skip_count)
{
    const struct line_device *device = form == &form_device ? next : NULL;
    const bool is_gpu = device && device_kind_of(device->label)->is_gpu;
    struct form_walk walk = form_walk(form), other = walk;
    for (struct line_member left, right;
         line_next(&walk, base, &left) && line_next(&other, next, &right);) {
        size_t skip = left.field->role == ROLE_RUN ? skip_count + 1 : 0;
        while (skip < skip_count && strcmp(left.field->name, skips[skip]) != 0)
            skip++;
        if (skip == skip_count)
            compare_member(compared,
                           is_gpu ? device_change(base, device, &left, &right)
                                  : DIFFERENCE_environment,
                           where, &left, &right);
    }
}

/* The architecture of the PTX of that code path; "" without it. */
static const char *ptx_of(const struct line_device *device, const char *path)
{
    for (size_t index = 0; index < device->ptx.count; index++)
        if (strcmp(device->ptx.each[index].path, path) == 0)
            return device->ptx.each[index].ptx;
    return "";
}

/* Code paths that `from` has, or those alone that `except` has not. */
static void compare_ptx(struct compared *compared, const char *where,
                        const struct line_device *from, const struct line_device *except,
                        const struct line_device *base, const struct line_device *next)
{
    for (size_t index = 0; index < from->ptx.count; index++) {
        const char *path = from->ptx.each[index].path;
        const char *left = ptx_of(base, path), *right = ptx_of(next, path);
        char place[DIFFERENCE_PLACE_BYTES];
        if ((except && ptx_of(except, path)[0]) || strcmp(left, right) == 0)
            continue;
        write_place(path, where, place);
        compared_add(compared, DIFFERENCE_environment, place, left, right);
    }
}

/* The least clock under load of all that was timed on a device; 0 if nobody says. */
static uint64_t least_clock(const struct loaded_record *record, const char *label, bool is_memory)
{
    const struct loaded_lines *lines = &record->kinds[RECORD_bench];
    uint64_t least = 0;
    for (size_t index = 0; index < lines->count; index++) {
        const struct line_bench *line = LINE_AS(bench, lines->each[index]);
        const struct line_sensors *sensors = line->result.sensors;
        const uint64_t mhz = is_memory ? sensors->memory_mhz : sensors->sm_mhz;
        if (strcmp(line->subject.device, label) == 0 && mhz > 0 && (least == 0 || mhz < least))
            least = mhz;
    }
    return least;
}

/* A clock that was held, or slowed, shows here. Speeds decide on the SM clock, which heat and power
 * move; memory has one clock under load. Sensors that BASE has readings of and NEW has none are
 * gone. */
static void compare_clocks(const struct meeting *meeting)
{
    static const struct {
        bool is_memory;
        const char *what;
        enum difference_kind lower;
    } clocks[] = {{false, "SM clock under load", DIFFERENCE_environment},
                  {true, "memory clock under load", DIFFERENCE_device_less}};
    const struct compared *compared = meeting->compared;
    for (size_t index = 0; index < COUNT(clocks); index++) {
        const uint64_t base =
            least_clock(compared->base, meeting->base_label, clocks[index].is_memory);
        const uint64_t next =
            least_clock(compared->next, meeting->next_label, clocks[index].is_memory);
        const bool is_lower = (double)next < CLOCK_NEAR * (double)base,
                   is_higher = (double)base < CLOCK_NEAR * (double)next;
        char place[DIFFERENCE_PLACE_BYTES], where[64], left[32], right[32] = "";
        if (base == 0 || (!is_lower && !is_higher))
            continue;
        snprintf(where, sizeof where, " on %.32s", meeting->next_label);
        write_place(clocks[index].what, where, place);
        snprintf(left, sizeof left, "%llu MHz", (unsigned long long)base);
        if (next > 0)
            snprintf(right, sizeof right, "%llu MHz", (unsigned long long)next);
        compared_add(meeting->compared,
                     next == 0  ? DIFFERENCE_device_unreported
                     : is_lower ? clocks[index].lower
                                : DIFFERENCE_environment,
                     place, left, right);
    }
}

/* The images file of that name, or NULL. */
static const struct line_image_file *find_images(const struct line_header *header, const char *name)
{
    for (size_t index = 0; index < header->images.count; index++)
        if (strcmp(header->images.each[index].name, name) == 0)
            return &header->images.each[index];
    return NULL;
}

/* Compares the images files of one name, which have the same code paths, field by field. If only
 * one record has the file, names every field. */
static void compare_images(struct compared *compared, const char *name)
{
    char where[64];
    snprintf(where, sizeof where, " of images %.32s", name);
    compare_objects(compared, &form_image_file, where, find_images(compared->base->header, name),
                    find_images(compared->next->header, name), NULL, 0);
}

void compare_headers(struct compared *compared)
{
    const struct line_header *base = compared->base->header, *next = compared->next->header;
    compare_objects(compared, &form_header, "", base, next, header_skips, COUNT(header_skips));
    for (size_t index = 0; index < base->images.count; index++)
        compare_images(compared, base->images.each[index].name);
    for (size_t index = 0; index < next->images.count; index++)
        if (find_images(base, next->images.each[index].name) == NULL)
            compare_images(compared, next->images.each[index].name);
}

void compare_coverage(const struct meeting *meeting, const char *place, const struct line *base,
                      const struct line *next)
{
    compare_sms(meeting, place, LINE_AS(coverage, base)->sms, LINE_AS(coverage, next)->sms);
}

void compare_devices(const struct meeting *meeting)
{
    const struct compared *compared = meeting->compared;
    const struct line_device *base = loaded_device(compared->base, meeting->base_label),
                             *next = loaded_device(compared->next, meeting->next_label);
    char where[64];
    if (base && next)
        entries_figures(meeting, meeting->next_label, &base->line, &next->line);
    compare_sms(meeting, meeting->next_label, base ? base->multiprocessors : 0,
                next ? next->multiprocessors : 0);
    compare_clocks(meeting);
    snprintf(where, sizeof where, " on %.32s", meeting->next_label);
    if (base == NULL || next == NULL)
        return;
    compare_objects(meeting->compared, &form_device, where, base, next, device_skips,
                    COUNT(device_skips));
    compare_ptx(meeting->compared, where, next, NULL, base, next);
    compare_ptx(meeting->compared, where, base, next, base, next);
}
