/* Two lines of one measure held against each other: bits, machine code, programs, speeds
 * (entries.h). Clauses: compare.bits.verdict, compare.bits.digest, compare.bits.range,
 * compare.bits.apart, compare.coverage.less, compare.code.worse, compare.code.changed,
 * compare.programs.fewer, compare.programs.known, compare.programs.untried, compare.programs.other,
 * compare.programs.operations, compare.programs.excused, compare.speed.lost,
 * compare.speed.disturbed, compare.speed.host, compare.call.slower, compare.call.host. */
#include <stdio.h>
#include <string.h>

#include "conformance/base/array.h"
#include "conformance/base/heap.h"
#include "conformance/base/text.h"
#include "conformance/compare/chance.h"
#include "conformance/compare/entries.h"
#include "conformance/model/device_info.h"
#include "conformance/record/record.h"

/* Verdicts, numbers of checks and digests of one kernel through one path. */

enum grade { GRADE_GOOD, GRADE_SKIPPED, GRADE_OPEN, GRADE_BAD, GRADE_COUNT };

static enum grade grade_of(enum verdict verdict)
{
    static const enum grade grades[VERDICT_COUNT] = {
        [VERDICT_PASS] = GRADE_GOOD,    [VERDICT_FAIL] = GRADE_BAD,
        [VERDICT_CRASH] = GRADE_BAD,    [VERDICT_TIMEOUT] = GRADE_BAD,
        [VERDICT_ERROR] = GRADE_BAD,    [VERDICT_INCONCLUSIVE] = GRADE_OPEN,
        [VERDICT_SKIP] = GRADE_SKIPPED, [VERDICT_DECLINED] = GRADE_GOOD,
        [VERDICT_EMPTY] = GRADE_GOOD,
    };
    return verdict < VERDICT_COUNT ? grades[verdict] : GRADE_BAD;
}

/* From a grade (the row) to another. */
static const enum difference_kind changes[GRADE_COUNT][GRADE_COUNT] = {
    [GRADE_GOOD] = {DIFFERENCE_verdict_other, DIFFERENCE_verdict_skipped,
                    DIFFERENCE_verdict_undecided, DIFFERENCE_verdict_fails},
    [GRADE_SKIPPED] = {DIFFERENCE_verdict_passes, DIFFERENCE_verdict_other,
                       DIFFERENCE_verdict_other, DIFFERENCE_verdict_fails},
    [GRADE_OPEN] = {DIFFERENCE_verdict_other, DIFFERENCE_verdict_skipped, DIFFERENCE_verdict_other,
                    DIFFERENCE_verdict_fails},
    [GRADE_BAD] = {DIFFERENCE_verdict_passes, DIFFERENCE_verdict_undecided,
                   DIFFERENCE_verdict_undecided, DIFFERENCE_fails_otherwise},
};

/* "FAIL: the driver's JIT": why it is no PASS, where the record says so. */
static const char *in_words(enum verdict verdict, const char *why, char ret[DIFFERENCE_VALUE_BYTES])
{
    const char *word = verdict < VERDICT_COUNT ? verdict_name(verdict) : "no verdict";
    bool has_why = grade_of(verdict) != GRADE_GOOD && why[0];
    snprintf(ret, DIFFERENCE_VALUE_BYTES, "%s%s%.200s", word, has_why ? ": " : "",
             has_why ? why : "");
    return ret;
}

void compare_verdicts(const struct meeting *meeting, const char *place, enum verdict base,
                      enum verdict next, const char *why)
{
    char left[DIFFERENCE_VALUE_BYTES], right[DIFFERENCE_VALUE_BYTES];
    enum difference_kind kind = changes[grade_of(base)][grade_of(next)];
    meeting->compared->looked_at[COMPARED_VERDICTS]++;
    if (base == next && grade_of(base) != GRADE_BAD)
        return;
    compared_add(meeting->compared, base == next ? DIFFERENCE_fails_in_both : kind, place,
                 in_words(base, "", left), in_words(next, why, right));
}

struct tally {
    uint64_t due, failures, passed;
};

static struct tally tally_of(const struct line_counts *of)
{
    uint64_t counts[VERDICT_COUNT] = {0};
    struct tally tally = {0, 0, 0};
    line_counts(of, counts);
    for (int verdict = 0; verdict < VERDICT_COUNT; verdict++) {
        tally.due += verdict_was_due((enum verdict)verdict) ? counts[verdict] : 0;
        tally.failures += verdict_is_failure((enum verdict)verdict) ? counts[verdict] : 0;
    }
    tally.passed = counts[VERDICT_PASS];
    return tally;
}

/* A count that changed: fewer or more of the noun. */
static void compare_counts(const struct meeting *meeting, const char *place, uint64_t base,
                           uint64_t next, const enum difference_kind kinds[2], const char *noun)
{
    if (base != next)
        compared_add(meeting->compared, kinds[next > base], place, NUMBER_COUNT(base, noun),
                     NUMBER_COUNT(next, noun));
}

static const enum difference_kind of_checks[] = {DIFFERENCE_checks_fewer, DIFFERENCE_checks_more},
                                  of_failures[] = {DIFFERENCE_failures_fewer,
                                                   DIFFERENCE_failures_more},
                                  of_programs[] = {DIFFERENCE_programs_fewer,
                                                   DIFFERENCE_programs_more},
                                  of_known[] = {DIFFERENCE_known_fewer, DIFFERENCE_known_more};

/* The counts of a line that fails on both sides. A kind of failure that is new is worse, however
 * many there were of others. */
static void compare_failures(const struct meeting *meeting, const char *place,
                             const struct line_counts *base, const struct line_counts *next,
                             uint64_t before, uint64_t after)
{
    uint64_t counts[2][VERDICT_COUNT] = {{0}};
    line_counts(base, counts[0]);
    line_counts(next, counts[1]);
    for (enum verdict it = VERDICT_PASS; it < VERDICT_COUNT; it++) {
        char left[DIFFERENCE_VALUE_BYTES], right[DIFFERENCE_VALUE_BYTES];
        if (!verdict_is_failure(it) || before == 0 || counts[0][it] > 0 || counts[1][it] == 0)
            continue;
        snprintf(left, sizeof left, "no %s", verdict_name(it));
        snprintf(right, sizeof right, "%llu %s", (unsigned long long)counts[1][it],
                 verdict_name(it));
        compared_add(meeting->compared, DIFFERENCE_fails_otherwise, place, left, right);
    }
    compare_counts(meeting, place, before, after, of_failures, "failure");
}

/* Digests are sums over the checks that passed. If fewer checks have a result on one side, PASS or
 * a failure, bits were not compared. */
static void compare_digests(const struct meeting *meeting, const char *place,
                            const struct line_bits *base, const struct line_bits *next)
{
    const char *left = base->xxh3_128, *right = next->xxh3_128;
    const struct tally before = tally_of(&base->counts), after = tally_of(&next->counts);
    const uint64_t decided[] = {before.passed + before.failures, after.passed + after.failures};
    if (decided[0] != decided[1] && decided[0] > 0 && decided[1] > 0)
        compared_add(meeting->compared, DIFFERENCE_digest_missing, place,
                     NUMBER_COUNT(decided[0], "decided check"),
                     NUMBER_COUNT(decided[1], "decided check"));
    if (before.passed == 0 || after.passed == 0)
        return;
    if (left[0] == 0 && right[0] == 0)
        compared_add(meeting->compared, DIFFERENCE_digest_missing, place, "no digest", "no digest");
    if (left[0] == 0 || right[0] == 0 || before.passed != after.passed)
        return;
    meeting->compared->looked_at[COMPARED_DIGESTS]++;
    if (strcmp(left, right) != 0) {
        char cases[RANGES_TEXT_BYTES], value[DIFFERENCE_VALUE_BYTES];
        ranges_apart(loaded_ranges(meeting->compared->base, base),
                     loaded_ranges(meeting->compared->next, next),
                     meeting->compared->next->header->cases_planned, cases);
        snprintf(value, sizeof value, "%.64s%s%.178s", right, cases[0] ? ", in " : "", cases);
        compared_add(meeting->compared, DIFFERENCE_digest_differs, place, left, value);
    }
}

void compare_sms(const struct meeting *meeting, const char *place, uint64_t before, uint64_t now)
{
    if (now > 0 && 2 * now < before)
        compared_add(meeting->compared, DIFFERENCE_sms_fewer, place, NUMBER_COUNT(before, "SM"),
                     NUMBER_COUNT(now, "SM"));
}

void compare_bits(const struct meeting *meeting, const char *place, const struct line *left_line,
                  const struct line *right_line)
{
    const struct line_bits *base = LINE_AS(bits, left_line), *next = LINE_AS(bits, right_line);
    enum { SMS_MANY = 32 };
    enum verdict before = base->verdict, after = next->verdict;
    struct tally left = tally_of(&base->counts), right = tally_of(&next->counts);
    const char *layer = next->layer;
    /* The kernel had no case, or the run ended before it had one. */
    if (after == VERDICT_SKIP && left.due > 0 && right.due == 0) {
        compared_add(meeting->compared, DIFFERENCE_subject_missing, place, "", "");
        return;
    }
    compare_verdicts(meeting, place, before, after, layer[0] ? layer : next->reason);
    if (!meeting->same_cases)
        return;
    compare_counts(meeting, place, left.due, right.due, of_checks, "check");
    /* Which SMs the blocks of small launches run on is chance; that half of many run none is
     * not. */
    if (base->sms >= SMS_MANY)
        compare_sms(meeting, place, base->sms, next->sms);
    if (before == after)
        compare_failures(meeting, place, &base->counts, &next->counts, left.failures,
                         right.failures);
    compare_digests(meeting, place, base, next);
}

/* Machine code, function by function: worse is what runs worse by itself, and what a budget would
 * not take (spec/codegen.md). */

/* "40 registers, 8 bytes of local memory, 0 of shared memory, 1024 of code". */
static const char *code_words(const struct line_made *it, char ret[DIFFERENCE_VALUE_BYTES])
{
    char code[64] = "";
    if (it->code_bytes.is_there)
        snprintf(code, sizeof code, ", %llu of code %.8s", (unsigned long long)it->code_bytes.count,
                 it->code_xxh3_64);
    snprintf(ret, DIFFERENCE_VALUE_BYTES,
             "%llu registers, %llu bytes of local memory, %llu of shared memory%s",
             (unsigned long long)it->registers.count, (unsigned long long)it->local_bytes.count,
             (unsigned long long)it->shared_bytes.count, code);
    return ret;
}

/* A figure of a function, and the kinds of more and less of it. `times`: the factor, in tenths,
 * from which a change counts, as a budget has room for less. Both must have it. */
enum code_figure { CODE_LOCAL, CODE_BLOCKS, CODE_BYTES, CODE_FIGURES };
static const struct {
    enum difference_kind more, less;
    uint64_t times;
    bool must_be; /* 0 is no figure */
} figures[CODE_FIGURES] = {
    [CODE_LOCAL] = {DIFFERENCE_code_spills, DIFFERENCE_code_unspilled, 10, false},
    [CODE_BLOCKS] = {DIFFERENCE_code_blocks_more, DIFFERENCE_code_blocks_fewer, 10, true},
    [CODE_BYTES] = {DIFFERENCE_code_larger, DIFFERENCE_code_smaller, 15, true},
};

static void read_figures(const struct line_codegen *it, uint64_t ret[CODE_FIGURES])
{
    ret[CODE_LOCAL] = it->made.local_bytes.count;
    ret[CODE_BLOCKS] = it->occupancy ? it->occupancy->blocks : 0;
    ret[CODE_BYTES] = it->made.code_bytes.count;
}

void compare_code(const struct meeting *meeting, const char *place, const struct line *left_line,
                  const struct line *right_line)
{
    const struct line_codegen *base = LINE_AS(codegen, left_line),
                              *next = LINE_AS(codegen, right_line);
    char left[DIFFERENCE_VALUE_BYTES], right[DIFFERENCE_VALUE_BYTES];
    uint64_t had[CODE_FIGURES], has[CODE_FIGURES];
    bool said = false;
    if (!base->made.registers.is_there || !next->made.registers.is_there)
        return;
    meeting->compared->looked_at[COMPARED_CODE]++;
    code_words(&base->made, left);
    code_words(&next->made, right);
    read_figures(base, had);
    read_figures(next, has);
    for (size_t row = 0; row < CODE_FIGURES; row++) {
        const uint64_t before = had[row], after = has[row];
        const double times = (double)figures[row].times;
        const bool more = 10.0 * (double)after > times * (double)before && after > before;
        const bool less = 10.0 * (double)before > times * (double)after && before > after;
        if ((figures[row].must_be && (before == 0 || after == 0)) || (!more && !less))
            continue;
        if (row == CODE_BLOCKS) {
            text_join(left, sizeof left, ", ", "%llu blocks an SM", (unsigned long long)before);
            text_join(right, sizeof right, ", ", "%llu blocks an SM", (unsigned long long)after);
        }
        compared_add(meeting->compared, more ? figures[row].more : figures[row].less, place, left,
                     right);
        said = true;
    }
    if (!said &&
        (strcmp(left, right) != 0 || strcmp(base->made.code_xxh3_64, next->made.code_xxh3_64) != 0))
        compared_add(meeting->compared, DIFFERENCE_code_changed, place, left, right);
}

/* Generated programs through one path, and known miscompiles. */

/* Programs whose every word was compared, or that were compiled, where the device runs none. */
static uint64_t looked_at(const struct line_programs *line)
{
    return line->runs ? line->compared : line->counts.passed;
}

static uint64_t failures_of(const struct line_programs *line)
{
    return line->counts.fail + line->counts.crash + line->counts.timeout;
}

/* Those that one is wrong in and the other is not. */
static void add_operations(const struct meeting *meeting, const struct line_operations *from,
                           const struct line_operations *other, bool is_new)
{
    for (size_t index = 0; index < from->wrong.count; index++) {
        char place[DIFFERENCE_PLACE_BYTES];
        const char *words = from->wrong.each[index];
        if (texts_have(other->wrong, words) || texts_have(other->open, words))
            continue;
        snprintf(place, sizeof place, "operation %.60s through %.31s on %.16s", words, from->path,
                 meeting->next_label);
        compared_add(meeting->compared,
                     is_new ? DIFFERENCE_verdict_fails : DIFFERENCE_verdict_passes, place,
                     is_new ? "right" : "wrong", is_new ? "wrong" : "right");
    }
}

void compare_operations(const struct meeting *meeting, const char *place,
                        const struct line *left_line, const struct line *right_line)
{
    const struct line_operations *base = LINE_AS(operations, left_line),
                                 *next = LINE_AS(operations, right_line);
    const uint64_t open[] = {base->open.count, next->open.count};
    compare_verdicts(meeting, place, base->verdict, next->verdict, "");
    if (base->verdict == next->verdict && open[1] > open[0])
        compared_add(meeting->compared, DIFFERENCE_verdict_undecided, place,
                     NUMBER_COUNT(open[0], "undecided operation"),
                     NUMBER_COUNT(open[1], "undecided operation"));
    compare_counts(meeting, place, base->programs, next->programs, of_programs, "program");
    add_operations(meeting, next, base, true);
    add_operations(meeting, base, next, false);
}

void compare_programs(const struct meeting *meeting, const char *place,
                      const struct line *left_line, const struct line *right_line)
{
    const struct line_programs *base = LINE_AS(programs, left_line),
                               *next = LINE_AS(programs, right_line);
    const enum verdict before = base->verdict, after = next->verdict;
    static const char others[] = "seed or version of the generator differ";
    struct compared *compared = meeting->compared;
    const bool same = compared->base->header->seed == compared->next->header->seed &&
                      base->generator == next->generator;
    const uint64_t seen[] = {looked_at(base), looked_at(next)},
                   failures[] = {failures_of(base), failures_of(next)};
    /* Programs that were not compared in BASE may have failed there, too. */
    const uint64_t unseen = seen[1] > seen[0] ? seen[1] - seen[0] : 0;
    compared->looked_at[COMPARED_PROGRAMS] += seen[1];
    if (base->runs && !next->runs)
        compared_add(compared, DIFFERENCE_verdict_skipped, place, "run", "compiled and not run");
    if (!same) {
        if (!compared_has(compared, DIFFERENCE_programs_other, others))
            compared_add(compared, DIFFERENCE_programs_other, others, "", "");
    } else if (before == after && (seen[0] == seen[1] || failures[1] > failures[0] + unseen)) {
        compare_failures(meeting, place, &base->counts, &next->counts, failures[0], failures[1]);
    }
    if (same && base->planned == next->planned)
        compare_counts(meeting, place, base->known, next->known, of_known, "program");
    /* A deep run has as many as its time allowed: there a tenth less is chance. */
    const bool is_deep = loaded_is_deep(compared->base) && loaded_is_deep(compared->next);
    if (!is_deep || seen[1] < seen[0] - seen[0] / 10)
        compare_counts(meeting, place, seen[0], seen[1], of_programs, "program");
}

/* Without a result of the check nobody knows whether the miscompile is there. */
void compare_known(const struct meeting *meeting, const char *place, const struct line *left_line,
                   const struct line *right_line)
{
    const struct line_known *base = LINE_AS(known, left_line), *next = LINE_AS(known, right_line);
    const bool was = base->present, is = next->present;
    enum verdict before = base->verdict, after = next->verdict;
    /* A skipped check is undecided: only the user of the run asks for it. */
    before = before == VERDICT_SKIP ? VERDICT_INCONCLUSIVE : before;
    after = after == VERDICT_SKIP ? VERDICT_INCONCLUSIVE : after;
    const bool is_decided = is || after == VERDICT_PASS;
    const bool was_decided = was || before == VERDICT_PASS;
    compare_verdicts(meeting, place, before, after, next->note);
    if (!is_decided || !was_decided || was == is)
        return;
    compared_add(meeting->compared, is ? DIFFERENCE_known_came : DIFFERENCE_known_gone, place,
                 was ? "present" : "absent", is ? "present" : "absent");
}

/* Speeds and times of host calls, repeat by repeat. */

static void add(const struct meeting *meeting, enum difference_kind kind, const char *place,
                const struct figure_change *it)
{
    char left[DIFFERENCE_VALUE_BYTES], right[DIFFERENCE_VALUE_BYTES];
    snprintf(left, sizeof left, "%s %s", NUMBER_SHORT(it->base), it->unit);
    snprintf(right, sizeof right, "%s %s (%+.1f %%, %+.1f to %+.1f %%)", NUMBER_SHORT(it->next),
             it->unit, 100 * (it->ratio - 1), 100 * (it->lower - 1), 100 * (it->upper - 1));
    compared_add(meeting->compared, kind, place, left, right);
}

bool result_is_sound(const struct line_result *it)
{
    static const char *const clauses[] = {"bandwidth.sensors.", "bandwidth.samples."};
    bool sound = it->sensors->other_processes == 0 && it->slowed == 0;
    for (size_t index = 0; index < sizeof clauses / sizeof clauses[0]; index++)
        if (it->verdict == VERDICT_INCONCLUSIVE &&
            strncmp(it->clause, clauses[index], strlen(clauses[index])) == 0)
            sound = false;
    return sound;
}

/* The basis of a judgement on a speed. */
struct basis {
    struct chance_subject subject;
    bool is_base_sound, is_next_sound;
    bool is_floored; /* NEW passes a measured floor, which finds a loss without BASE */
    bool is_open;    /* nobody came to measure it: the bench was interrupted */
    /* Repeats planned by a gate, which stopped when it was settled. */
    uint64_t settled_of;
};

/* The differences for each pace, of a speed and of a call, DIFFERENCE_KIND_COUNT for none. */
struct pace_kinds {
    enum difference_kind slower, base_scattered, next_scattered, faster, unchanged;
};

/* Compares both by the rule, keeps the figure, and names what it shows. */
static void judge(const struct meeting *meeting, const char *place, enum figure_sort sort,
                  const struct repeats *base, const struct repeats *next, struct chance chance,
                  uint64_t settled_of, const struct pace_kinds *kinds, const char *unit)
{
    const struct repeats *const both[] = {base, next};
    struct compared *compared = meeting->compared;
    const struct chance_change change = chance_compare(base, next, chance);
    const int slower = chance.is_time ? 1 : -1;
    struct figure_change figure = {.sort = sort,
                                   .unit = unit,
                                   .base = chance_median(base),
                                   .next = chance_median(next),
                                   .ratio = change.ratio,
                                   .lower = change.lower,
                                   .upper = change.upper,
                                   .sign = change.pace == PACE_SLOWER   ? slower
                                           : change.pace == PACE_FASTER ? -slower
                                                                        : 0};
    /* A speed that was settled early counts as one with all repeats: only unchanged speeds have
     * fewer. */
    const uint64_t planned = settled_of < CHANCE_REPEATS_MAX ? settled_of : CHANCE_REPEATS_MAX;
    figure.finds =
        chance_finds(base, chance, planned > (uint64_t)next->count ? (int)planned : next->count);
    snprintf(figure.place, sizeof figure.place, "%s", place);
    utf8_tame(figure.place); /* a letter may be cut */
    /* Kept for the tables, whether it changed or not. */
    if (compared->figure_count < COMPARED_FIGURES_MAX) {
        HEAP_ROOM(compared->figures, compared->figure_count);
        compared->figures[compared->figure_count++] = figure;
    }
    if (change.pace == PACE_BASE_SCATTERED || change.pace == PACE_NEXT_SCATTERED) {
        /* The range of repeats on each side, which shows the scatter. */
        char values[2][DIFFERENCE_VALUE_BYTES];
        for (int side = 0; side < 2; side++) {
            const struct repeats *it = both[side];
            snprintf(values[side], sizeof values[side], it->count > 1 ? "%s to %s %s" : "%s%.0s %s",
                     NUMBER_SHORT(it->medians[0]), NUMBER_SHORT(it->medians[it->count - 1]), unit);
        }
        compared_add(compared,
                     change.pace == PACE_BASE_SCATTERED ? kinds->base_scattered
                                                        : kinds->next_scattered,
                     place, values[0], values[1]);
    } else if (change.pace == PACE_SLOWER)
        add(meeting, kinds->slower, place, &figure);
    else if (change.pace == PACE_FASTER && kinds->faster != DIFFERENCE_KIND_COUNT)
        add(meeting, kinds->faster, place, &figure);
    else if (change.pace == PACE_SAME && kinds->unchanged != DIFFERENCE_KIND_COUNT)
        add(meeting, kinds->unchanged, place, &figure);
}

enum figure_sort figure_sort_of(const struct chance_subject *subject)
{
    static const char local[] = "thread_array/";
    const bool is_local = subject->kernel && strncmp(subject->kernel, local, strlen(local)) == 0;
    return is_local ? FIGURE_OF_LOCAL : subject->is_l2 ? FIGURE_OF_L2 : FIGURE_OF_DRAM;
}

/* One list of intervals of GB/s against another. */
static void compare_gbps(const struct meeting *meeting, const char *place, struct intervals base,
                         struct intervals next, const struct basis *basis)
{
    const struct repeats left = chance_repeats(base, false), right = chance_repeats(next, false);
    if (!device_kind_of(meeting->next_label)->is_timed)
        return;
    if (left.count == 0 && right.count == 0 && basis->is_open)
        compared_add(meeting->compared, DIFFERENCE_speed_in_neither, place, "", "");
    if (left.count == 0 || right.count == 0)
        return;
    const bool are_sound = basis->is_base_sound && basis->is_next_sound;
    const bool is_unproven = !basis->is_base_sound && basis->is_next_sound && !basis->is_floored;
    const struct pace_kinds kinds = {
        .slower = are_sound ? DIFFERENCE_speed_lost : DIFFERENCE_speed_disturbed,
        .base_scattered = DIFFERENCE_speed_base_scattered,
        .next_scattered = DIFFERENCE_speed_new_scattered,
        .faster = are_sound ? DIFFERENCE_speed_gained : DIFFERENCE_KIND_COUNT,
        .unchanged = is_unproven ? DIFFERENCE_speed_base_disturbed : DIFFERENCE_KIND_COUNT};
    meeting->compared->looked_at[COMPARED_SPEEDS]++;
    judge(meeting, place, figure_sort_of(&basis->subject), &left, &right,
          chance_of_speed(&basis->subject, meeting->other), basis->settled_of, &kinds,
          FIGURE_SPEED);
}

void compare_bench(const struct meeting *meeting, const char *place, const struct line *base,
                   const struct line *next)
{
    const struct line_result *before = LINE_PART(result, base), *after = LINE_PART(result, next);
    const struct line_bench *bench = LINE_AS(bench, next);
    const struct line_limit *floor = bench ? bench->floor : LINE_AS(peak, next)->floor;
    struct line_figure left[LINE_FIGURES_MAX], right[LINE_FIGURES_MAX];
    const struct basis basis = {.subject = chance_subject(base),
                                .is_base_sound = result_is_sound(before),
                                .is_next_sound = result_is_sound(after),
                                .is_floored = floor->measured && after->verdict == VERDICT_PASS,
                                .is_open =
                                    after->verdict == VERDICT_INCONCLUSIVE && after->clause[0] == 0,
                                .settled_of = after->settled_of};
    line_figures(base, left);
    line_figures(next, right);
    compare_gbps(meeting, place, left[0].repeats, right[0].repeats, &basis);
}

/* The copies' line has no sensors: another process disturbed them if it disturbed one of the
 * kernels that are compared with them. */
static bool is_copy_sound(const struct loaded_record *record, const struct line_ceiling *copy)
{
    const struct loaded_lines *lines = &record->kinds[RECORD_bench];
    bool sound = copy->memcpy_verdict != VERDICT_INCONCLUSIVE;
    for (size_t index = 0; sound && index < lines->count; index++) {
        const struct line_bench *line = LINE_AS(bench, lines->each[index]);
        sound = line->result.sensors->other_processes == 0 ||
                strcmp(line->subject.device, copy->device) != 0 ||
                strcmp(line->shaped.regime, copy->regime) != 0 ||
                line->shaped.footprint_bytes != copy->footprint_bytes;
    }
    return sound;
}

/* The driver's own copy of as many bytes. */
void compare_memcpy(const struct meeting *meeting, const char *place, const struct line *left_line,
                    const struct line *right_line)
{
    const struct line_ceiling *base = LINE_AS(ceiling, left_line),
                              *next = LINE_AS(ceiling, right_line);
    struct basis basis = {.subject = chance_subject(left_line),
                          .is_base_sound = is_copy_sound(meeting->compared->base, base),
                          .is_next_sound = is_copy_sound(meeting->compared->next, next),
                          .is_floored = true, /* as the best copy is */
                          .settled_of = next->settled_of};
    char copy[DIFFERENCE_PLACE_BYTES];
    snprintf(copy, sizeof copy, "copy kernel, %.200s", place + strlen(meeting->what));
    compare_verdicts(meeting, place, base->memcpy_verdict, next->memcpy_verdict, next->note);
    compare_verdicts(meeting, copy, base->copy_verdict, next->copy_verdict, next->note);
    compare_gbps(meeting, place, base->memcpy_gbps, next->memcpy_gbps, &basis);
}

static const struct pace_kinds of_times = {.slower = DIFFERENCE_call_slower,
                                           .base_scattered = DIFFERENCE_call_base_scattered,
                                           .next_scattered = DIFFERENCE_call_new_scattered,
                                           .faster = DIFFERENCE_call_faster,
                                           .unchanged = DIFFERENCE_KIND_COUNT},
                               of_speeds = {.slower = DIFFERENCE_speed_lost,
                                            .base_scattered = DIFFERENCE_speed_base_scattered,
                                            .next_scattered = DIFFERENCE_speed_new_scattered,
                                            .faster = DIFFERENCE_speed_gained,
                                            .unchanged = DIFFERENCE_KIND_COUNT};

void compare_call(const struct meeting *meeting, const char *place, const struct line *left_line,
                  const struct line *right_line)
{
    const struct line_latency *base = LINE_AS(latency, left_line),
                              *next = LINE_AS(latency, right_line);
    const struct repeats left = chance_repeats(base->us, true),
                         right = chance_repeats(next->us, true);
    if (left.count == 0 || right.count == 0)
        return;
    /* The time of a call belongs to its host; another one is named once for a device. */
    const bool same_host = !meeting->other && strcmp(base->cpu, next->cpu) == 0 &&
                           strcmp(base->hypervisor, next->hypervisor) == 0;
    if (!same_host) {
        if (!compared_has(meeting->compared, DIFFERENCE_calls_apart, meeting->next_label))
            compared_add(meeting->compared, DIFFERENCE_calls_apart, meeting->next_label, base->cpu,
                         next->cpu);
        return;
    }
    meeting->compared->looked_at[COMPARED_CALLS]++;
    judge(meeting, place, FIGURE_OF_CALL, &left, &right, chance_of_call(), next->result.settled_of,
          &of_times, "us");
}

void compare_figures(const struct meeting *meeting, const char *place, const struct line *base,
                     const struct line *next)
{
    const struct chance_subject subject = chance_subject(base);
    struct line_figure left[LINE_FIGURES_MAX], right[LINE_FIGURES_MAX];
    const size_t count = line_figures(base, left);
    line_figures(next, right);
    for (size_t index = 0; index < count; index++) {
        const struct form_field *field = left[index].field;
        const bool is_time = field->better == BETTER_LOWER;
        const struct repeats before = chance_repeats(left[index].repeats, is_time),
                             after = chance_repeats(right[index].repeats, is_time);
        char where[DIFFERENCE_PLACE_BYTES];
        if (before.count == 0 || after.count == 0 || field->better == BETTER_NEITHER)
            continue;
        snprintf(where, sizeof where, "%.200s: %.40s", place, field->name);
        meeting->compared->looked_at[is_time ? COMPARED_CALLS : COMPARED_SPEEDS]++;
        judge(meeting, where, is_time ? FIGURE_OF_CALL : FIGURE_OF_DRAM, &before, &after,
              is_time ? chance_of_call() : chance_of_speed(&subject, meeting->other), 0,
              is_time ? &of_times : &of_speeds, field->unit);
    }
}
