/* The table of a gate's parts, and the speeds of a baseline (gate_parts.h). Clauses:
 * gate.parts.quick, gate.parts.settled. */
#include "conformance/gate/gate_parts.h"

#include <string.h>

#include "conformance/base/text.h"
#include "conformance/bits/run.h"
#include "conformance/codegen/codegen.h"
#include "conformance/compare/chance.h"
#include "conformance/model/path.h"
#include "conformance/plan/plan.h"
#include "conformance/programs/programs.h"
#include "conformance/speed/bench.h"

static void adjust_bits(struct options *options, const struct device_info *device)
{
    (void)device;
    options->tier = options->quick ? TIER_SMOKE : TIER_STANDARD;
}

/* Kernels that are named are of the other parts. */
static void adjust_programs(struct options *options, const struct device_info *device)
{
    adjust_bits(options, device);
    options->pattern_count = 0;
    options->operations = !options->quick; /* as a run of the same tier has them */
    programs_take_tier(options);
}

typedef bool path_choice(const struct path *path);

/* Names the paths that a part has, if the user has named none: those of the first choice that the
 * program has code for on the device or, without any, those of the next choice. */
static void name_paths(struct options *options, const struct device_info *device,
                       path_choice *const *choices)
{
    static char names[PATH_NAMES_BYTES];
    names[0] = 0;
    for (; *choices && names[0] == 0 && !options->given.paths; choices++)
        for (int path = 0; path < path_count(); path++)
            if ((*choices)(path_row(path)) &&
                !catalog_lacks_code(path, device->limits.compute_capability))
                text_join(names, sizeof names, ",", "%s", path_name(path));
    if (!options->given.paths)
        options->paths = names;
    options->given.paths = true;
}

/* The newest PTX, through the driver's compiler. */
static bool is_of_driver(const struct path *path)
{
    return path->source->target && !path->source->compiler && !path->on_request && !path->notes_sms;
}

/* True for the paths of the part without candidates, and for their highest level, for which budgets
 * hold: so no path of a baseline is missing if there are candidates. */
static bool has_budgets(const struct path *path)
{
    const bool is_highest =
        path->options == NULL || path->options[0] == 0 || strcmp(path->options, "-O3") == 0;
    return path->source->is_fatbin || is_of_driver(path) || (path->source->is_cubin && is_highest);
}

/* The same without a GPU, where no driver compiles. */
static bool is_read(const struct path *path)
{
    return has_budgets(path) && (path->source->is_fatbin || path->source->is_cubin);
}

/* The host device has no machine code: then the program's own is read. Two workers have time enough
 * while bits are checked, and a driver opens one context after the other. */
static void adjust_code(struct options *options, const struct device_info *device)
{
    path_choice *const choices[] = {options->leaves_candidates ? is_read : has_budgets, NULL};
    options->workers = 2;
    if (options->ptxas.count > 0 || options->nvrtc.count > 0)
        name_paths(options, device, choices);
    options->cubins = strcmp(options->device, "host") == 0;
}

static bool is_compiled(const struct path *path)
{
    return path->source->is_fatbin;
}

/* Compilers in processes of their own are checked for bits and code; the driver's compiler
 * mostly makes of PTX what ptxas made before. The time goes to machine code if there is any for the
 * GPU, and to what the driver compiles if not. */
static void adjust_speed(struct options *options, const struct device_info *device)
{
    static path_choice *const choices[] = {is_compiled, is_of_driver, NULL};
    options->is_brief = true;
    options->tier = options->quick ? TIER_SMOKE : TIER_STANDARD;
    name_paths(options, device, choices);
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

/* A kind of line that is settled: the fields that tell two of a device apart, in which the baseline
 * passed, and its repeats. */
static const struct known_sort {
    int kind;
    const char *keys[4], *verdicts[2], *intervals;
} sorts[] = {
    {RECORD_bench,
     {FIELD_KEY(subject, kernel), FIELD_KEY(subject, path), FIELD_KEY(shaped, regime),
      FIELD_KEY(shaped, case)},
     {FIELD_KEY(result, verdict)},
     FIELD_KEY(bench, gbps)},
    {RECORD_ceiling,
     {FIELD_KEY(shaped, regime), FIELD_KEY(shaped, case)},
     {FIELD_KEY(ceiling, memcpy_verdict), FIELD_KEY(ceiling, copy_verdict)},
     FIELD_KEY(ceiling, memcpy_gbps)},
    {RECORD_peak, {FIELD_KEY(peak, regime)}, {FIELD_KEY(result, verdict)}, FIELD_KEY(peak, gbps)},
    {RECORD_latency,
     {FIELD_KEY(latency, call), FIELD_KEY(latency, cpu), FIELD_KEY(latency, hypervisor)},
     {FIELD_KEY(result, verdict)},
     FIELD_KEY(latency, us)},
};

/* The record's first line of the same on the same GPU, if it passed there; or NULL. */
static const json_t *find_line(const struct loaded_record *record, const struct known_sort *sort,
                               const char *uuid, const json_t *like)
{
    const struct loaded_lines *lines = &record->kinds[sort->kind];
    for (size_t index = 0; uuid[0] && index < lines->held; index++) {
        const json_t *line = lines->lines[index];
        const json_t *device = loaded_device(record, field_subject_device(line));
        bool is_same = strcmp(field_device_uuid(device), uuid) == 0;
        for (size_t key = 0; key < 4 && sort->keys[key]; key++)
            is_same = is_same && json_equal(json_object_get(line, sort->keys[key]),
                                            json_object_get(like, sort->keys[key]));
        bool passed = true;
        for (size_t key = 0; key < 2 && sort->verdicts[key]; key++)
            passed =
                passed && value_verdict(json_object_get(line, sort->verdicts[key])) == VERDICT_PASS;
        if (is_same)
            return passed ? line : NULL;
    }
    return NULL;
}

static bool is_settled(const void *context, const struct bench *bench, const json_t *written)
{
    const struct loaded *baseline = context;
    const struct known_sort *sort = sorts;
    const json_t *own;
    if (written == NULL) /* for want of memory */
        return false;
    while ((own = json_object_get(written, record_line_form.kinds[sort->kind]->fields->name)) ==
           NULL)
        sort++;
    const bool is_time = sort->kind == RECORD_latency;
    const struct repeats next = chance_repeats(json_object_get(own, sort->intervals), is_time);
    for (size_t record = 0; record < baseline->count; record++) {
        const json_t *line = find_line(&baseline->records[record], sort, bench->info->uuid, own);
        const struct repeats base = chance_repeats(json_object_get(line, sort->intervals), is_time);
        const struct chance_subject subject = chance_subject(line);
        if (base.count > 0)
            return chance_is_settled(&base, &next,
                                     is_time ? chance_of_call() : chance_of_speed(&subject, false),
                                     bench->repeats);
    }
    return false;
}

struct bench_known gate_known(const struct loaded *baseline)
{
    return (struct bench_known){.context = baseline, .is_settled = is_settled};
}
