/* The table of a gate's parts (gate_parts.h). Clause: gate.parts.quick. */
#include "conformance/gate/gate_parts.h"

#include <stdio.h>
#include <string.h>

#include "conformance/bits/bits.h"
#include "conformance/codegen/codegen.h"
#include "conformance/model/path.h"
#include "conformance/plan/plan.h"
#include "conformance/programs/programs.h"
#include "conformance/programs/programs_rows.h"
#include "conformance/session/measure.h"
#include "conformance/speed/speed.h"

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

/* What the part has without candidates, and of these the highest level, for which budgets hold: a
 * path that a baseline has is not missing beside them. */
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

/* Compilers that run beside this program are looked at for bits and code; the driver's compiler
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

_Static_assert(sizeof gate_parts / sizeof gate_parts[0] <= GATE_PARTS_MAX, "a crew has them all");
