/* What a gate's baseline decides: speeds that need no more repeats, failures of generated programs
 * that it has as well, and checks that it skipped as well (gate_baseline.h). Clauses:
 * gate.parts.settled, gate.programs.before, gate.baseline.skipped. */
#include "conformance/gate/gate_baseline.h"

#include <string.h>

#include "conformance/compare/chance.h"
#include "conformance/report/assessment.h"
#include "conformance/report/failure.h"

/* Speeds of a baseline. */

/* The time of a call belongs to its host. */
static bool is_of_host(const struct line *left, const struct line *right)
{
    const struct line_latency *a = LINE_AS(latency, left), *b = LINE_AS(latency, right);
    return !a || !b || (strcmp(a->cpu, b->cpu) == 0 && strcmp(a->hypervisor, b->hypervisor) == 0);
}

/* The record's first line of the same on the same GPU, if it passed there; or NULL. */
static const struct line *find_line(const struct loaded_record *record, const char *uuid,
                                    const struct line *like)
{
    const struct loaded_lines *lines = &record->kinds[like->kind];
    for (size_t index = 0; uuid[0] && index < lines->held; index++) {
        const struct line *line = lines->each[index];
        const struct line_view view = line_view(line);
        if (strcmp(loaded_device_uuid(record, view.device), uuid) == 0 &&
            line_is_like(line, like, true) && is_of_host(line, like))
            return view.verdict == VERDICT_PASS ? line : NULL;
    }
    return NULL;
}

static struct repeats repeats_of(const struct line *line, bool *ret_is_time)
{
    struct line_figure figures[LINE_FIGURES_MAX];
    const size_t count = line_figures(line, figures);
    *ret_is_time = count > 0 && figures[0].field->better == BETTER_LOWER;
    return chance_repeats(count > 0 ? figures[0].repeats : (struct intervals){.count = 0},
                          *ret_is_time);
}

static bool is_settled(const void *context, const struct bench *bench, const struct line *own)
{
    const struct loaded *baseline = context;
    bool is_time;
    const struct repeats next = repeats_of(own, &is_time);
    for (size_t record = 0; record < baseline->count; record++) {
        const struct line *line = find_line(&baseline->records[record], bench->info->uuid, own);
        if (line == NULL)
            continue;
        const struct repeats base = repeats_of(line, &is_time);
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

/* Failures of generated programs. */

static const char *model_of(const struct loaded_record *record, const struct line *line)
{
    return loaded_device_name(record, line_view(line).device);
}

/* Compares what failed, and how; the caller compares the GPUs' models. */
static bool is_same_failure(const struct line *left, const struct line *right)
{
    const struct line_program *a = LINE_AS(program, left), *b = LINE_AS(program, right);
    const struct line_known *c = LINE_AS(known, left), *d = LINE_AS(known, right);
    if (a && b)
        return strcmp(a->path, b->path) == 0 && strcmp(a->program, b->program) == 0 &&
               a->verdict == b->verdict && a->wrong_bits == b->wrong_bits && a->recurs == b->recurs;
    return c && d && strcmp(c->path, d->path) == 0 && strcmp(c->id, d->id) == 0 &&
           strcmp(c->program, d->program) == 0 && c->verdict == d->verdict &&
           c->failure.is_there == d->failure.is_there && c->failure.verdict == d->failure.verdict &&
           c->wrong_bits == d->wrong_bits;
}

static bool has_failure(const struct loaded *baseline, const char *model, const struct line *line)
{
    for (size_t index = 0; index < baseline->count; index++) {
        const struct loaded_record *record = &baseline->records[index];
        const struct loaded_lines *lines = &record->kinds[line->kind];
        for (size_t at = 0; at < lines->held; at++)
            if (is_same_failure(lines->each[at], line) &&
                strcmp(model_of(record, lines->each[at]), model) == 0)
                return true;
    }
    return false;
}

/* The record's verdict if nothing in it failed. */
static enum verdict verdict_without_failures(const struct loaded_record *record)
{
    const struct loaded_lines *rows = &record->kinds[RECORD_programs],
                              *known = &record->kinds[RECORD_known];
    enum verdict verdict = VERDICT_DECLINED;
    for (size_t row = 0; row < rows->held; row++) {
        uint64_t counts[VERDICT_COUNT] = {0};
        line_counts(&LINE_AS(programs, rows->each[row])->counts, counts);
        for (int it = 0; it < VERDICT_COUNT; it++)
            counts[it] = verdict_is_failure((enum verdict)it) ? 0 : counts[it];
        counts[VERDICT_PASS]++; /* a row of failures alone would have no verdict */
        verdict = verdict_join(verdict, verdict_of_counts(counts));
    }
    /* A hang that is not tried changes no verdict. */
    for (size_t line = 0; line < known->held; line++) {
        const enum verdict its = LINE_AS(known, known->each[line])->verdict;
        if (!verdict_is_failure(its) && its != VERDICT_SKIP)
            verdict = verdict_join(verdict, its);
    }
    return verdict;
}

size_t gate_failed_before(const struct loaded *baseline, const struct loaded_record *record,
                          enum verdict *ret_verdict)
{
    const struct loaded_lines *rows = &record->kinds[RECORD_programs];
    size_t found = 0;
    uint64_t programs = 0, failed = 0;
    static const enum record_kind kinds[] = {RECORD_program, RECORD_known};
    for (size_t kind = 0; kind < sizeof kinds / sizeof kinds[0]; kind++) {
        const struct loaded_lines *lines = &record->kinds[kinds[kind]];
        for (size_t at = 0; at < lines->held; at++) {
            const struct line *line = lines->each[at];
            const struct line_program *program = LINE_AS(program, line);
            if (!failure_fails(line))
                continue;
            if ((program && !program->recurs) ||
                !has_failure(baseline, model_of(record, line), line))
                return 0;
            found++;
            programs += program != NULL;
        }
    }
    /* Only the first failures have a line. One without may not be in the baseline. */
    for (size_t row = 0; row < rows->held; row++) {
        uint64_t counts[VERDICT_COUNT] = {0};
        line_counts(&LINE_AS(programs, rows->each[row])->counts, counts);
        failed += verdict_failures(counts);
    }
    if (record->summary == NULL || failed != programs)
        return 0;
    if (found > 0)
        *ret_verdict = verdict_without_failures(record);
    return found;
}

/* Skipped checks. */

/* True for a record that is undecided since it skipped checks, and for nothing else. */
static bool is_undecided_by_skips(const struct loaded_record *record)
{
    struct assessment assessment;
    uint64_t counts[VERDICT_COUNT] = {0};
    if (record->summary == NULL)
        return false;
    assess_record(record, &assessment);
    line_counts(&record->summary->counts, counts);
    return assessment.verdict == VERDICT_INCONCLUSIVE && counts[VERDICT_PASS] > 0 &&
           counts[VERDICT_INCONCLUSIVE] == 0 &&
           strcmp(assessment.reason, record->summary->reason) == 0;
}

size_t gate_skipped_before(const struct loaded *baseline, const struct loaded_record *record)
{
    const char *part = record->header->part;
    for (size_t index = 0; is_undecided_by_skips(record) && index < baseline->count; index++) {
        const struct loaded_record *base = &baseline->records[index];
        const uint64_t skipped = record->summary->counts.skip;
        if (strcmp(base->header->part, part) == 0 && is_undecided_by_skips(base) &&
            base->summary->counts.skip == skipped &&
            strcmp(base->summary->reason, record->summary->reason) == 0)
            return (size_t)skipped;
    }
    return 0;
}
