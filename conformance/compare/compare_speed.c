/* Speeds and times of host calls, repeat by repeat (compare_parts.h). Clauses: compare.speed.lost,
 * compare.speed.disturbed, compare.speed.host, compare.call.slower, compare.call.host. */
#include <stdio.h>
#include <string.h>

#include "conformance/base/array.h"
#include "conformance/base/text.h"
#include "conformance/compare/chance.h"
#include "conformance/compare/compare_parts.h"
#include "conformance/model/device_info.h"

static const char speed_unit[] = FIGURE_SPEED, call_unit[] = "us";

static struct figure_change figure_of(const char *unit, const struct repeats *base,
                                      const struct repeats *next, struct chance chance,
                                      const struct chance_change *change)
{
    const int slower = chance.is_time ? 1 : -1;
    return (struct figure_change){.unit = unit,
                                  .base = chance_median(base),
                                  .next = chance_median(next),
                                  .ratio = change->ratio,
                                  .lower = change->lower,
                                  .upper = change->upper,
                                  .apart = change->limit,
                                  .sign = change->pace == PACE_SLOWER   ? slower
                                          : change->pace == PACE_FASTER ? -slower
                                                                        : 0};
}

/* Keeps a figure for the tables, whether it changed or not. */
static void keep(struct compared *compared, const char *place, const struct figure_change *figure)
{
    if (compared->figure_count == COMPARED_FIGURES_MAX)
        return;
    if (!ARRAY_ROOM(compared->figures, compared->figure_count)) {
        compared->failed = true;
        return;
    }
    struct figure_change *it = &compared->figures[compared->figure_count++];
    *it = *figure;
    snprintf(it->place, sizeof it->place, "%s", place);
}

static void add(const struct meeting *meeting, enum difference_kind kind, const char *place,
                const struct figure_change *it)
{
    char left[DIFFERENCE_VALUE_BYTES], right[DIFFERENCE_VALUE_BYTES], number[NUMBER_TEXT_BYTES];
    snprintf(left, sizeof left, "%s %s", number_short(it->base, number), it->unit);
    snprintf(right, sizeof right, "%s %s (%+.1f %%, %+.1f to %+.1f %%)",
             number_short(it->next, number), it->unit, 100 * (it->ratio - 1), 100 * (it->lower - 1),
             100 * (it->upper - 1));
    compared_add(meeting->compared, kind, place, left, right);
}

/* The repeats of both, from the least to the most: which lie apart. */
static void add_scattered(const struct meeting *meeting, enum difference_kind kind,
                          const char *place, const char *unit, const struct repeats *const both[2])
{
    char values[2][DIFFERENCE_VALUE_BYTES], least[NUMBER_TEXT_BYTES], most[NUMBER_TEXT_BYTES];
    for (int side = 0; side < 2; side++) {
        const struct repeats *it = both[side];
        snprintf(values[side], sizeof values[side], it->count > 1 ? "%s to %s %s" : "%s%.0s %s",
                 number_short(it->medians[0], least),
                 number_short(it->medians[it->count - 1], most), unit);
    }
    compared_add(meeting->compared, kind, place, values[0], values[1]);
}

/* Measured as it should be: nobody else used the GPU, and nothing held it down. That a floor did
 * not decide says nothing of that. */
static bool is_sound(const json_t *line)
{
    static const char *const clauses[] = {"bandwidth.sensors.", "bandwidth.samples."};
    bool sound = field_sensors_other_processes(field_result_sensors(line)) == 0 &&
                 field_result_slowed(line) == 0;
    for (size_t index = 0; index < sizeof clauses / sizeof clauses[0]; index++)
        if (field_result_verdict(line) == VERDICT_INCONCLUSIVE &&
            strncmp(field_result_clause(line), clauses[index], strlen(clauses[index])) == 0)
            sound = false;
    return sound;
}

static bool is_of_l2(const json_t *line)
{
    return strcmp(value_text(raw_shaped_regime(line)), "l2") == 0;
}

/* What a speed is judged by. */
struct basis {
    double fraction; /* of the best copy */
    bool is_l2, is_sound;
    bool is_open; /* nobody came to measure it: the bench was interrupted */
    /* Measured by a gate until it was settled: so many repeats it would have. */
    uint64_t settled_of;
};

static struct basis basis_of(const json_t *base, const json_t *next, double fraction)
{
    return (struct basis){.fraction = fraction,
                          .is_l2 = is_of_l2(base),
                          .is_sound = is_sound(base) && is_sound(next),
                          .is_open = field_result_verdict(next) == VERDICT_INCONCLUSIVE &&
                                     field_result_clause(next)[0] == 0,
                          .settled_of = field_result_settled_of(next)};
}

/* What was settled early is found as with all repeats: only unchanged speeds have fewer. */
static double finds_of(const struct repeats *base, const struct repeats *next, struct chance chance,
                       uint64_t settled_of)
{
    const uint64_t count = (uint64_t)next->count;
    const uint64_t planned = settled_of < CHANCE_REPEATS_MAX ? settled_of : CHANCE_REPEATS_MAX;
    return chance_finds(base, chance, (int)(planned > count ? planned : count));
}

/* What a pace is, of a speed and of a call. */
struct pace_kinds {
    enum difference_kind slower, base_scattered, next_scattered, faster;
};

/* Compares both by the rule, keeps the figure, and names what it shows. */
static void judge(const struct meeting *meeting, const char *place, const struct repeats *base,
                  const struct repeats *next, struct chance chance, uint64_t settled_of,
                  const struct pace_kinds *kinds, double apart)
{
    const struct repeats *const both[] = {base, next};
    const char *unit = chance.is_time ? call_unit : speed_unit;
    const struct chance_change change = chance_compare(base, next, chance);
    struct figure_change figure = figure_of(unit, base, next, chance, &change);
    figure.finds = finds_of(base, next, chance, settled_of);
    figure.apart = apart > 0 ? apart : figure.apart;
    keep(meeting->compared, place, &figure);
    if (change.pace == PACE_BASE_SCATTERED || change.pace == PACE_NEXT_SCATTERED)
        add_scattered(meeting,
                      change.pace == PACE_BASE_SCATTERED ? kinds->base_scattered
                                                         : kinds->next_scattered,
                      place, unit, both);
    else if (change.pace == PACE_SLOWER)
        add(meeting, kinds->slower, place, &figure);
    else if (change.pace == PACE_FASTER && kinds->faster != DIFFERENCE_KIND_COUNT)
        add(meeting, kinds->faster, place, &figure);
}

/* One list of intervals of GB/s against another. */
static void compare_gbps(const struct meeting *meeting, const char *place, const json_t *base,
                         const json_t *next, const struct basis *basis)
{
    const struct repeats left = chance_repeats(base, false), right = chance_repeats(next, false);
    if (!device_kind_of(meeting->next_label)->is_timed)
        return;
    if (left.count == 0 && right.count == 0 && basis->is_open)
        compared_add(meeting->compared, DIFFERENCE_speed_in_neither, place, "", "");
    if (left.count == 0 || right.count == 0)
        return;
    const struct pace_kinds kinds = {
        basis->is_sound ? DIFFERENCE_speed_lost : DIFFERENCE_speed_disturbed,
        DIFFERENCE_speed_base_scattered, DIFFERENCE_speed_new_scattered,
        basis->is_sound ? DIFFERENCE_speed_gained : DIFFERENCE_KIND_COUNT};
    const struct chance other = chance_of_speed(basis->is_l2, basis->fraction, true);
    meeting->compared->looked_at[COMPARED_SPEEDS]++;
    judge(meeting, place, &left, &right,
          chance_of_speed(basis->is_l2, basis->fraction, meeting->other), basis->settled_of, &kinds,
          chance_compare(&left, &right, other).limit);
}

void compare_bench(const struct meeting *meeting, const char *place, const json_t *base,
                   const json_t *next)
{
    struct basis basis = basis_of(base, next, field_bench_fraction_of_ceiling(base).median);
    compare_verdicts(meeting, place, field_result_verdict(base), field_result_verdict(next),
                     field_result_note(next));
    compare_gbps(meeting, place, raw_bench_gbps(base), raw_bench_gbps(next), &basis);
}

void compare_peak(const struct meeting *meeting, const char *place, const json_t *base,
                  const json_t *next)
{
    struct basis basis = basis_of(base, next, 1);
    compare_verdicts(meeting, place, field_result_verdict(base), field_result_verdict(next),
                     field_result_note(next));
    compare_gbps(meeting, place, raw_peak_gbps(base), raw_peak_gbps(next), &basis);
}

/* The driver's own copy of so many bytes. */
void compare_memcpy(const struct meeting *meeting, const char *place, const json_t *base,
                    const json_t *next)
{
    struct basis basis = {.fraction = 1,
                          .is_l2 = is_of_l2(base),
                          .is_sound = field_ceiling_memcpy_verdict(base) != VERDICT_INCONCLUSIVE &&
                                      field_ceiling_memcpy_verdict(next) != VERDICT_INCONCLUSIVE,
                          .settled_of = field_ceiling_settled_of(next)};
    compare_gbps(meeting, place, raw_ceiling_memcpy_gbps(base), raw_ceiling_memcpy_gbps(next),
                 &basis);
}

/* A point of a figure is measured once, and a relation follows from speeds: their verdicts alone.
 */
void compare_verdict_alone(const struct meeting *meeting, const char *place, const json_t *base,
                           const json_t *next)
{
    compare_verdicts(meeting, place, field_result_verdict(base), field_result_verdict(next),
                     field_result_note(next));
}

/* The time of a call belongs to its host. */
static bool has_same_host(const struct meeting *meeting, const json_t *base, const json_t *next)
{
    return !meeting->other && strcmp(field_latency_cpu(base), field_latency_cpu(next)) == 0 &&
           strcmp(field_latency_hypervisor(base), field_latency_hypervisor(next)) == 0;
}

/* Once for a device. */
static void add_host(const struct meeting *meeting, const json_t *base, const json_t *next)
{
    if (!compared_has(meeting->compared, DIFFERENCE_calls_apart, meeting->next_label))
        compared_add(meeting->compared, DIFFERENCE_calls_apart, meeting->next_label,
                     field_latency_cpu(base), field_latency_cpu(next));
}

void compare_call(const struct meeting *meeting, const char *place, const json_t *base,
                  const json_t *next)
{
    const struct repeats left = chance_repeats(raw_latency_us(base), true),
                         right = chance_repeats(raw_latency_us(next), true);
    compare_verdicts(meeting, place, field_result_verdict(base), field_result_verdict(next),
                     field_result_note(next));
    if (left.count == 0 || right.count == 0)
        return;
    if (!has_same_host(meeting, base, next)) {
        add_host(meeting, base, next);
        return;
    }
    static const struct pace_kinds kinds = {DIFFERENCE_call_slower, DIFFERENCE_call_base_scattered,
                                            DIFFERENCE_call_new_scattered, DIFFERENCE_call_faster};
    meeting->compared->looked_at[COMPARED_CALLS]++;
    judge(meeting, place, &left, &right, chance_of_call(), field_result_settled_of(next), &kinds,
          0);
}
