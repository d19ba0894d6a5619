/* Holds two records against each other (compared.h). Clauses: compare.verdict.order,
 * compare.verdict.why, compare.record.other, compare.device.missing. */
#include "conformance/compare/compared.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "conformance/base/text.h"
#include "conformance/compare/compare_parts.h"
#include "conformance/model/device_info.h"
#include "conformance/report/agreement.h"
#include "fuzz/generator.h"

static const json_t *coverage_of(const struct loaded_record *record)
{
    return field_summary_coverage(record->summary);
}

static const struct measure_row measure_rows[] = {
    {.noun = "bits",
     .what = "",
     .kind = LOADED_KIND_COUNT,
     .list = loaded_rows,
     .verdict = FIELD_KEY(row, verdict),
     .figures = {{{FIELD_KEY(row, xxh3_128)}, false}, {{FIELD_KEY(row, sms)}, true}},
     .compare = compare_bits},
    {.noun = "coverage",
     .what = "coverage",
     .kind = LOADED_KIND_COUNT,
     .list = coverage_of,
     .figures = {{{FIELD_KEY(coverage, sms)}, true},
                 {{FIELD_KEY(coverage, memory_bytes)}, true},
                 {{FIELD_KEY(coverage, touched_bytes)}, true}},
     .compare = compare_coverage},
    {.noun = "speeds",
     .what = "",
     .kind = LOADED_BENCH,
     .keys = {FIELD_KEY(shaped, shape), FIELD_KEY(shaped, regime), FIELD_KEY(bench, element_bytes)},
     .verdict = FIELD_KEY(result, verdict),
     .is_timed = true,
     .figures = {{{FIELD_KEY(bench, gbps)}, false}},
     .compare = compare_bench},
    {.noun = "speeds of the best copy",
     .what = "best copy, ",
     .absent = "dram",
     .kind = LOADED_PEAK,
     .keys = {FIELD_KEY(peak, regime)},
     .verdict = FIELD_KEY(result, verdict),
     .is_timed = true,
     .figures = {{{FIELD_KEY(peak, gbps)}, false}},
     .compare = compare_peak},
    {.noun = "speeds of memcpy",
     .what = "memcpy, ",
     .kind = LOADED_CEILING,
     .keys = {FIELD_KEY(shaped, regime), FIELD_KEY(shaped, footprint_bytes)},
     .verdict = FIELD_KEY(ceiling, memcpy_verdict),
     .is_timed = true,
     .figures = {{{FIELD_KEY(ceiling, memcpy_gbps)}, false}},
     .compare = compare_memcpy},
    {.noun = "points of figures",
     .what = "",
     .kind = LOADED_SWEEP,
     .keys = {FIELD_KEY(sweep, figure), FIELD_KEY(sweep, at), FIELD_KEY(shaped, shape),
              FIELD_KEY(shaped, regime), FIELD_KEY(sweep, element_bytes)},
     .verdict = FIELD_KEY(result, verdict),
     .is_timed = true,
     .figures = {{{FIELD_KEY(sweep, gbps)}, false}},
     .compare = compare_verdict_alone},
    {.noun = "relations",
     .what = "",
     .kind = LOADED_RELATION,
     .keys = {FIELD_KEY(relation, clause)},
     .verdict = FIELD_KEY(relation, verdict),
     .is_timed = true,
     .figures = {{{FIELD_KEY(relation, ratio)}, false}},
     .compare = compare_verdict_alone},
    {.noun = "times of host calls",
     .what = "",
     .kind = LOADED_LATENCY,
     .keys = {FIELD_KEY(latency, call)},
     .verdict = FIELD_KEY(result, verdict),
     .is_timed = true,
     .figures = {{{FIELD_KEY(latency, us)}, false}},
     .compare = compare_call},
    {.noun = "programs",
     .what = "programs",
     .kind = LOADED_PROGRAMS,
     .verdict = FIELD_KEY(programs, verdict),
     .figures = {{{FIELD_KEY(programs, planned)}, true},
                 {{FIELD_KEY(programs, compared)}, false},
                 {{FIELD_KEY(counts, passed)}, false},
                 {{FIELD_KEY(programs, runs)}, false},
                 {{FIELD_KEY(programs, generator)}, true}},
     .compare = compare_programs},
    {.noun = "operations",
     .what = "operations",
     .kind = LOADED_OPERATIONS,
     .verdict = FIELD_KEY(operations, verdict),
     .figures = {{{FIELD_KEY(operations, planned)}, true},
                 {{FIELD_KEY(operations, right)}, false},
                 {{FIELD_KEY(operations, programs)}, true}},
     .compare = compare_operations},
    {.noun = "known miscompiles",
     .what = "known miscompile ",
     .kind = LOADED_KNOWN,
     .keys = {FIELD_KEY(known, id)},
     .verdict = FIELD_KEY(known, verdict),
     .figures = {{{FIELD_KEY(known, present)}, false}},
     .compare = compare_known},
    {.noun = "machine code",
     .what = "",
     .kind = LOADED_CODEGEN,
     .keys = {FIELD_KEY(codegen, function)},
     .verdict = FIELD_KEY(codegen, verdict),
     .figures = {{{FIELD_KEY(made, registers)}, true},
                 {{FIELD_KEY(made, local_bytes)}, false},
                 {{FIELD_KEY(made, shared_bytes)}, false},
                 {{FIELD_KEY(made, code_bytes)}, true},
                 {{FIELD_KEY(made, code_xxh3_128)}, false},
                 {{FIELD_KEY(codegen, occupancy), FIELD_KEY(occupancy, blocks)}, true}},
     .compare = compare_code},
};
enum { MEASURE_ROWS = sizeof measure_rows / sizeof measure_rows[0] };

/* Not comparable as a whole: the one reason. */
static bool refuse(struct compared *ret, const char *why)
{
    ret->change = CHANGE_NOT_COMPARABLE;
    snprintf(ret->why, sizeof ret->why, "%s", why);
    return false;
}

/* "cuda:0, NVIDIA H200, GPU-...". */
static void add_alone(struct compared *compared, const struct loaded_record *record, size_t index,
                      enum difference_kind kind)
{
    const char *label = record->devices[index];
    const char *name = field_device_name(loaded_device(record, label));
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
    here.what = measure->what;
    bool opened = entries_open(&base, measure, compared->base,
                               meeting->base_label ? meeting->base_label : "");
    opened = entries_open(&next, measure, compared->next, meeting->next_label) && opened;
    compared->failed |= !opened;
    if (opened && (meeting->base_label == NULL || entries_count(measure, compared->base) == 0))
        entries_alone(&here, &next);
    else if (opened && entries_count(measure, compared->next) > 0)
        entries_compare(&here, measure, &base, &next);
    entries_close(&base);
    entries_close(&next);
}

static const char nothing[] = "nothing that is compared";

/* The first measure that it has lines of. */
const char *compared_kind(const struct loaded_record *record)
{
    size_t row = 0;
    while (row < MEASURE_ROWS && entries_count(&measure_rows[row], record) == 0)
        row++;
    return row < MEASURE_ROWS ? measure_rows[row].noun : nothing;
}

/* False, with the reason, where the records are of different kinds; one that was cut short may have
 * had more. */
static bool have_common(struct compared *compared)
{
    const struct loaded_record *base = compared->base, *next = compared->next;
    char why[COMPARED_WHY_BYTES];
    bool common = base->summary == NULL || next->summary == NULL;
    for (size_t row = 0; row < MEASURE_ROWS; row++)
        common = common || (entries_count(&measure_rows[row], base) > 0 &&
                            entries_count(&measure_rows[row], next) > 0);
    snprintf(why, sizeof why, "records of different kinds: BASE has %s, NEW has %s",
             compared_kind(base), compared_kind(next));
    return common || refuse(compared, why);
}

/* A measure that only one of them has at all. */
static void compare_measures(struct compared *compared)
{
    for (size_t row = 0; row < MEASURE_ROWS; row++) {
        const struct measure_row *measure = &measure_rows[row];
        bool base = entries_count(measure, compared->base) > 0;
        bool next = entries_count(measure, compared->next) > 0;
        if (base && !next && compared->next->summary)
            compared_add(compared, DIFFERENCE_measure_missing, measure->noun, "", "");
        if (next && !base && compared->base->summary)
            compared_add(compared, DIFFERENCE_measure_new, measure->noun, "", "");
    }
}

/* The first device's name, or its label. */
static const char *model_of(const struct loaded_record *record)
{
    const char *label = record->device_count ? record->devices[0] : "no device";
    const char *name = field_device_name(loaded_device(record, label));
    return name[0] ? name : label;
}

/* False, with the reason, where no device of both is comparable. GPUs that are gone altogether are
 * a loss, and no other kind of record. */
static bool have_devices(struct compared *compared, const struct pairing *pairing)
{
    char why[COMPARED_WHY_BYTES];
    bool gone = pairing_has_gpu(compared->base) && !pairing_has_gpu(compared->next);
    if (pairing->count > 0 || gone || compared->base->device_count == 0)
        return true;
    snprintf(why, sizeof why, "no device in common: BASE is of %.100s, NEW of %.100s",
             model_of(compared->base), model_of(compared->next));
    return refuse(compared, why);
}

/* Bits of other cases cannot be compared: what has to be alike to do it. */
static void add_apart(struct compared *compared)
{
    char differing[128], place[DIFFERENCE_PLACE_BYTES];
    agreement_differing(compared->base, compared->next, differing, sizeof differing);
    snprintf(
        place, sizeof place,
        "%s; compare runs of one version, --tier, --seed and --corpus, and of the same algorithms",
        differing);
    compared_add(compared, DIFFERENCE_digests_apart, place, "", "");
}

static void compare_all(struct compared *compared, const struct pairing *pairing)
{
    bool whole = compared->base->summary && compared->next->summary;
    bool same_cases = agreement_same_cases(compared->base, compared->next);
    compare_measures(compared);
    compare_presence(compared, pairing);
    for (size_t index = 0; index < pairing->count; index++) {
        const struct device_pair *pair = &pairing->pairs[index];
        const struct meeting meeting = {compared, pair->base,  pair->next,
                                        "",       pair->other, same_cases};
        compare_cases(&meeting);
        for (size_t row = 0; row < MEASURE_ROWS; row++)
            if (whole || measure_rows[row].list == NULL)
                compare_measure(&meeting, &measure_rows[row]);
        compare_devices(&meeting);
    }
    for (size_t index = 0; index < compared->next->device_count; index++) {
        const struct meeting alone = {compared, NULL,  compared->next->devices[index],
                                      "",       false, same_cases};
        for (size_t row = 0; !pairing->has_next[index] && row < MEASURE_ROWS; row++)
            compare_measure(&alone, &measure_rows[row]);
    }
    if (whole && !same_cases && entries_count(&measure_rows[0], compared->base) > 0 &&
        entries_count(&measure_rows[0], compared->next) > 0)
        add_apart(compared);
    compare_headers(compared);
}

/* A quick run or bench looks at less than a whole one. */
static bool is_quick(const struct loaded_record *record)
{
    return strcmp(field_header_tier(record->header), tier_name(TIER_SMOKE)) == 0;
}

static bool follows_tier(const struct compared *compared, int kind)
{
    static const enum difference_kind kinds[] = {
        DIFFERENCE_measure_missing, DIFFERENCE_kernel_missing, DIFFERENCE_subject_missing,
        DIFFERENCE_cases_fewer,     DIFFERENCE_checks_fewer,   DIFFERENCE_programs_fewer};
    bool found = false;
    for (size_t index = 0; index < sizeof kinds / sizeof kinds[0]; index++)
        found = found || (int)kinds[index] == kind;
    return found && is_quick(compared->next) && !is_quick(compared->base);
}

/* NEW was cut short, or has more lines than are held: what lacks there may have been looked at. */
static bool is_partial(const struct compared *compared)
{
    bool is_cut = compared->kinds[DIFFERENCE_new_cut] > 0;
    for (int kind = 0; kind < LOADED_KIND_COUNT && compared->next; kind++)
        is_cut =
            is_cut || (loaded_sorts[kind].is_measured && compared->next->kinds[kind].left_out > 0);
    return is_cut;
}

/* A program that was not decided is no loss. */
static bool is_undecided(const struct compared *compared, int kind)
{
    return kind == DIFFERENCE_programs_fewer && compared->kinds[DIFFERENCE_new_undecided] > 0;
}

/* Where these are equal, two records were to look at the same things. */
static bool have_same_plan(const struct compared *compared)
{
    static const char *const keys[] = {FIELD_KEY(header, assay), FIELD_KEY(header, commit),
                                       FIELD_KEY(header, tier),  FIELD_KEY(header, cases_planned),
                                       FIELD_KEY(header, paths), FIELD_KEY(header, kernels)};
    bool same = true;
    for (size_t index = 0; index < sizeof keys / sizeof keys[0]; index++)
        same = same && json_equal(json_object_get(compared->base->header, keys[index]),
                                  json_object_get(compared->next->header, keys[index]));
    return same;
}

static bool is_new(int kind)
{
    return kind == DIFFERENCE_measure_new || kind == DIFFERENCE_path_new ||
           kind == DIFFERENCE_kernel_new || kind == DIFFERENCE_subject_new;
}

enum severity compared_severity(const struct compared *compared, int kind)
{
    if (is_new(kind) && compared->same_plan)
        return SEVERITY_DOUBT;
    const struct difference_row *row = &difference_rows[kind];
    const bool may_follow =
        row->section == SECTION_COVERAGE &&
        (is_partial(compared) || follows_tier(compared, kind) || is_undecided(compared, kind));
    return may_follow && row->severity == SEVERITY_WORSE ? SEVERITY_DOUBT : row->severity;
}

/* "2 GPU missing, 1 fails now": the kinds of one severity, as many as fit in a line. */
static void write_kinds(const struct compared *compared, enum severity severity, char *ret,
                        size_t bytes)
{
    enum { KINDS_SHOWN_MAX = 3 };
    size_t used = 0;
    int shown = 0;
    for (int kind = 0; kind < DIFFERENCE_KIND_COUNT; kind++) {
        if (compared_severity(compared, kind) != severity || compared->kinds[kind] == 0)
            continue;
        if (++shown > KINDS_SHOWN_MAX) {
            snprintf(ret + used, bytes - used, ", ...");
            return;
        }
        used += (size_t)snprintf(ret + used, bytes - used, "%s%s (%zu)", used ? ", " : "",
                                 difference_rows[kind].words, compared->kinds[kind]);
    }
}

/* "176 verdicts and 88 digests compared". */
static void write_agreed(const struct compared *compared, char *ret, size_t bytes)
{
    static const char *const nouns[COMPARED_WHAT_COUNT] = {"digest",   "speed",   "host call",
                                                           "function", "verdict", "program"};
    char number[NUMBER_COUNT_BYTES];
    size_t used = 0;
    for (int what = 0; what < COMPARED_WHAT_COUNT; what++)
        if (compared->looked_at[what] > 0)
            used += (size_t)snprintf(ret + used, bytes - used, "%s%s", used ? ", " : "",
                                     number_count(compared->looked_at[what], nouns[what], number));
    snprintf(ret + used, bytes - used, "%s", used ? " compared" : "nothing was compared");
}

static int sort_differences(const void *left, const void *right)
{
    const struct difference *a = left, *b = right;
    if (a->kind != b->kind)
        return a->kind < b->kind ? -1 : 1;
    int order = strcmp(a->place, b->place);
    return order ? order : strcmp(a->base, b->base);
}

/* The verdict follows from the severities alone. Without anything to compare nothing is the same.
 */
void compared_judge(struct compared *compared)
{
    static const enum change changes[SEVERITY_COUNT] = {
        [SEVERITY_NOTE] = CHANGE_SAME,
        [SEVERITY_BETTER] = CHANGE_BETTER,
        [SEVERITY_DOUBT] = CHANGE_NOT_COMPARABLE,
        [SEVERITY_WORSE] = CHANGE_REGRESSED,
    };
    enum severity worst = SEVERITY_NOTE;
    size_t looked_at = 0;
    for (int what = 0; what < COMPARED_WHAT_COUNT; what++)
        looked_at += compared->looked_at[what];
    for (int kind = 0; kind < DIFFERENCE_KIND_COUNT; kind++)
        if (compared->kinds[kind] > 0 && compared_severity(compared, kind) > worst)
            worst = compared_severity(compared, kind);
    if (compared->count > 0)
        qsort(compared->differences, compared->count, sizeof compared->differences[0],
              sort_differences);
    compared->change = changes[worst];
    if (worst == SEVERITY_NOTE)
        write_agreed(compared, compared->why, sizeof compared->why);
    else
        write_kinds(compared, worst, compared->why, sizeof compared->why);
    if (worst < SEVERITY_DOUBT && looked_at == 0)
        refuse(compared, "nothing was compared: the records have nothing in common");
}

bool compared_open(struct compared *ret, const struct loaded_record *base,
                   const struct loaded_record *next)
{
    struct pairing *pairing = malloc(sizeof *pairing);
    *ret = (struct compared){.base = base, .next = next, .failed = pairing == NULL};
    if (pairing == NULL)
        return false;
    pairing_make(base, next, pairing);
    ret->same_plan = have_same_plan(ret);
    if (have_devices(ret, pairing) && have_common(ret)) {
        compare_whole(ret);
        compare_all(ret, pairing);
        compared_judge(ret);
    }
    free(pairing);
    return !ret->failed;
}

bool compared_lacking(struct compared *ret, const struct loaded_record *base,
                      const struct loaded_record *next)
{
    const bool may_be_any = base->summary == NULL && compared_kind(base) == nothing;
    *ret = (struct compared){.base = base, .next = next};
    compared_add(ret,
                 may_be_any      ? DIFFERENCE_base_cut
                 : next->summary ? DIFFERENCE_measure_missing
                                 : DIFFERENCE_new_cut,
                 compared_kind(base), "", "");
    compared_judge(ret);
    return !ret->failed;
}

bool compared_new(struct compared *ret, const struct loaded_record *base,
                  const struct loaded_record *next, size_t count, const char *kind)
{
    *ret = (struct compared){.base = base, .next = next};
    for (size_t index = 0; index < count; index++)
        if (compared_kind(next + index) == kind)
            compare_alone(ret, next + index, kind);
    compared_judge(ret);
    if (ret->kinds[DIFFERENCE_measure_unpassed] == 0) {
        ret->change = CHANGE_SAME; /* there was nothing to compare */
        snprintf(ret->why, sizeof ret->why, "%s",
                 ret->count > 0 ? "BASE has no record of this measure"
                                : "no record of it, as in BASE");
    }
    return !ret->failed;
}

void compared_close(struct compared *compared)
{
    free(compared->differences);
    free(compared->figures);
    *compared = (struct compared){.base = NULL};
}
