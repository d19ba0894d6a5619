/* The table of a gate's parts, and the speeds of a baseline (gate_parts.h). Clauses:
 * gate.parts.quick, gate.parts.settled. */
#include "conformance/gate/gate_parts.h"

#include <stdio.h>
#include <string.h>

#include "conformance/bits/run.h"
#include "conformance/codegen/codegen.h"
#include "conformance/compare/chance.h"
#include "conformance/model/path.h"
#include "conformance/plan/plan.h"
#include "conformance/programs/programs.h"
#include "conformance/speed/bench.h"

static void adjust_bits(struct options *options)
{
    options->tier = options->quick ? TIER_SMOKE : TIER_STANDARD;
}

/* Kernels that are named are of the other parts. */
static void adjust_programs(struct options *options)
{
    adjust_bits(options);
    options->pattern_count = 0;
    options->operations = !options->quick; /* as a run of the same tier has them */
    programs_take_tier(options);
}

/* Names the paths that a part takes, where the user has named none. */
static void name_paths(struct options *options, bool (*takes)(const struct path *path))
{
    static char names[PATH_NAMES_BYTES];
    size_t used = 0;
    for (int path = 0; path < path_count() && !options->given.paths; path++)
        if (takes(path_row(path)) && used < sizeof names)
            used += (size_t)snprintf(names + used, sizeof names - used, "%s%s", used ? "," : "",
                                     path_name(path));
    if (!options->given.paths)
        options->paths = names;
    options->given.paths = true;
}

/* True for the paths of the part without candidates, and for their highest level, for which budgets
 * hold: so no path of a baseline is missing if there are candidates. */
static bool has_budgets(const struct path *path)
{
    const bool is_highest =
        path->options == NULL || path->options[0] == 0 || strcmp(path->options, "-O3") == 0;
    const bool is_driver =
        path->source->target && !path->source->compiler && !path->on_request && !path->notes_sms;
    return path->source->is_fatbin || is_driver || (path->source->is_cubin && is_highest);
}

/* The same without a GPU, where no driver compiles. */
static bool is_read(const struct path *path)
{
    return has_budgets(path) && (path->source->is_fatbin || path->source->is_cubin);
}

/* The host device has no machine code: then the program's own is read. Two workers have time enough
 * while bits are checked, and a driver opens one context after the other. */
static void adjust_code(struct options *options)
{
    options->workers = 2;
    if (options->ptxas.count > 0 || options->nvrtc.count > 0)
        name_paths(options, options->leaves_candidates ? is_read : has_budgets);
    if (strcmp(options->device, "host") != 0)
        return;
    options->device = "auto";
    options->given.device = false;
    options->cubins = true;
}

static bool is_compiled(const struct path *path)
{
    return path->source->is_fatbin;
}

/* Compilers in processes of their own are looked at for bits and code; the driver's compiler
 * mostly makes of PTX what ptxas made before. The time goes to machine code that is there. */
static void adjust_speed(struct options *options)
{
    options->is_brief = true;
    options->tier = options->quick ? TIER_SMOKE : TIER_STANDARD;
    name_paths(options, is_compiled);
}

const struct gate_part gate_parts[] = {
    {"bits", "check", false, false, NULL, adjust_bits, &bits_measure},
    {"code", "function", false, false, NULL, adjust_code, &codegen_measure},
    {"programs", "program", true, false, programs_left_out, adjust_programs, &programs_measure},
    {"speed", "speed", true, true, NULL, adjust_speed, &speed_measure},
};
const int gate_part_count = sizeof gate_parts / sizeof gate_parts[0];

_Static_assert(sizeof gate_parts / sizeof gate_parts[0] <= GATE_PARTS_MAX, "a jobs has them all");

/* Speeds of a baseline. */

static bool is_equal(const char *left, const char *right)
{
    return strcmp(left, right) == 0;
}

/* The record's label of a GPU, or NULL. */
static const char *label_of(const struct loaded_record *record, const char *uuid)
{
    const struct loaded_lines *devices = &record->kinds[RECORD_device];
    for (size_t index = 0; uuid[0] && index < devices->held; index++)
        if (is_equal(field_device_uuid(devices->lines[index]), uuid))
            return field_device_label(devices->lines[index]);
    return NULL;
}

static bool is_row(const json_t *line, const struct bench *bench, int index)
{
    const struct bench_row *row = &bench->plan.rows[index];
    const struct bench_group *group = &bench->plan.groups[row->group];
    char name[CATALOG_NAME_BYTES], text[CASE_TEXT_BYTES];
    case_format(&group->test_case, text, sizeof text);
    return is_equal(field_subject_kernel(line), catalog_name(row->subject.kernel, name)) &&
           is_equal(field_subject_path(line), path_name(row->subject.path)) &&
           is_equal(field_shaped_regime(line), regime_name(group->regime)) &&
           is_equal(field_shaped_case(line), text);
}

static bool is_copy(const json_t *line, const struct bench *bench, int index)
{
    const struct bench_group *group = &bench->plan.groups[index];
    char text[CASE_TEXT_BYTES];
    case_format(&group->test_case, text, sizeof text);
    return is_equal(field_shaped_regime(line), regime_name(group->regime)) &&
           is_equal(field_shaped_case(line), text) &&
           field_ceiling_copy_verdict(line) == VERDICT_PASS;
}

static bool is_peak(const json_t *line, const struct bench *bench, int index)
{
    (void)bench;
    return is_equal(field_peak_regime(line), regime_name((enum regime)index));
}

static bool is_call(const json_t *line, const struct bench *bench, int index)
{
    return is_equal(field_latency_call(line), bench_latency_name(index)) &&
           is_equal(field_latency_cpu(line), bench->host.cpu) &&
           is_equal(field_latency_hypervisor(line), bench->host.hypervisor);
}

/* A sort's lines: which they are, and what is in them. */
static const struct known_sort {
    int kind;
    bool (*is)(const json_t *line, const struct bench *bench, int index);
    enum verdict (*verdict)(const json_t *line);
    const char *(*label)(const json_t *line);
    json_t *(*intervals)(const json_t *line);
} sorts[] = {
    [BENCH_SORT_ROW] = {RECORD_bench, is_row, field_result_verdict, field_subject_device,
                        raw_bench_gbps},
    [BENCH_SORT_COPY] = {RECORD_ceiling, is_copy, field_ceiling_memcpy_verdict,
                         field_ceiling_device, raw_ceiling_memcpy_gbps},
    [BENCH_SORT_PEAK] = {RECORD_peak, is_peak, field_result_verdict, field_peak_device,
                         raw_peak_gbps},
    [BENCH_SORT_CALL] = {RECORD_latency, is_call, field_result_verdict, field_latency_device,
                         raw_latency_us},
};

/* The line of what passed on the same GPU, measured alone, or NULL. */
static const json_t *find_line(const struct loaded_record *record, const struct bench *bench,
                               enum bench_sort sort, int index)
{
    const struct known_sort *it = &sorts[sort];
    const struct loaded_lines *lines = &record->kinds[it->kind];
    const char *label = label_of(record, bench->info->uuid);
    for (size_t at = 0; label && at < lines->held; at++) {
        const json_t *line = lines->lines[at];
        if (is_equal(it->label(line), label) && it->is(line, bench, index))
            return it->verdict(line) == VERDICT_PASS ? line : NULL;
    }
    return NULL;
}

static bool is_settled(const void *context, const struct bench *bench, enum bench_sort sort,
                       int index, const double *medians, int count)
{
    const struct loaded *baseline = context;
    struct repeats next = {.count = 0};
    for (int repeat = 0; repeat < count && repeat < CHANCE_REPEATS_MAX; repeat++)
        next.medians[next.count++] = medians[repeat];
    for (size_t record = 0; record < baseline->count; record++) {
        const json_t *line = find_line(&baseline->records[record], bench, sort, index);
        const struct repeats base =
            chance_repeats(line ? sorts[sort].intervals(line) : NULL, sort == BENCH_SORT_CALL);
        if (base.count > 0) {
            const struct chance_subject subject = chance_subject(line);
            return chance_is_settled(&base, &next,
                                     sort == BENCH_SORT_CALL ? chance_of_call()
                                                             : chance_of_speed(&subject, false),
                                     bench->repeats);
        }
    }
    return false;
}

struct bench_known gate_known(const struct loaded *baseline)
{
    return (struct bench_known){.context = baseline, .is_settled = is_settled};
}
