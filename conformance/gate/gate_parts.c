/* The table of a gate's parts (gate_parts.h). Clause: gate.parts.quick. */
#include "conformance/gate/gate_parts.h"

#include <string.h>

#include "conformance/base/text.h"
#include "conformance/bits/run.h"
#include "conformance/codegen/codegen.h"
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

const struct gate_part gate_parts[GATE_PARTS] = {
    {"bits", "check", false, false, NULL, adjust_bits, &bits_measure},
    {"code", "function", false, false, NULL, adjust_code, &codegen_measure},
    {"programs", "program", true, false, programs_left_out, adjust_programs, &programs_measure},
    {"speed", "speed", true, true, NULL, adjust_speed, &speed_measure},
};
/* In the order of the rows (test `gate_programs`). */
const char *const gate_part_names[GATE_PARTS + 1] = {"bits", "code", "programs", "speed", NULL};

const char *gate_part_why_not(const struct gate_part *part, const struct options *options, int gpus,
                              enum verdict *ret_verdict)
{
    const char *left_out = part->left_out ? part->left_out(options) : NULL;
    /* Only the number of programs is asked for by name. */
    const bool is_asked = options->given.programs && options->programs > 0;
    *ret_verdict = left_out && !is_asked ? VERDICT_DECLINED : VERDICT_SKIP;
    return left_out ? left_out : part->needs_gpu && gpus == 0 ? "no GPU" : "";
}
