/* Sentences on generated programs (scope.h). Clauses: program_runs.report.rows,
 * report.verdict.scope. */
#include "conformance/report/scope.h"

#include <ctype.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "conformance/base/text.h"
#include "conformance/model/catalog.h"
#include "conformance/record/record_fields.h"
#include "conformance/report/assessment.h"
#include "conformance/report/coverage.h"
#include "conformance/report/failure.h"

/* The sums over code paths that ran, or that were compiled and not run. */
struct sums {
    uint64_t planned, right, known, paths;
};

static struct sums sum_up(const struct loaded_record *record, bool runs)
{
    const struct loaded_lines *lines = &record->kinds[RECORD_programs];
    struct sums ret = {.planned = 0};
    for (size_t index = 0; index < lines->count; index++) {
        const struct line_programs *line = LINE_AS(programs, lines->each[index]);
        if (line->runs != runs)
            continue;
        ret.planned += line->planned;
        ret.right += line->counts.passed;
        ret.known += line->known;
        ret.paths++;
    }
    return ret;
}

/* "through ptx on cuda:0 (NVIDIA H200)"; more than a few are counted. */
static void put_where(FILE *file, const struct loaded_record *record, bool runs)
{
    enum { SHOWN_MAX = 12 };
    const struct loaded_lines *lines = &record->kinds[RECORD_programs];
    size_t shown = 0;
    for (size_t index = 0; index < lines->count; index++) {
        const struct line_programs *line = LINE_AS(programs, lines->each[index]);
        if (line->runs == runs && shown++ < SHOWN_MAX)
            escape_sentence(file, "%s%s on %s", shown > 1 ? ", " : " through ", line->path,
                            line->device);
    }
    if (shown > SHOWN_MAX)
        fprintf(file, " and %zu more", shown - SHOWN_MAX);
}

void scope_put_known(FILE *file, const char *whose, const struct loaded_record *record,
                     bool names_all)
{
    const struct loaded_lines *known = &record->kinds[RECORD_known];
    if (known->count == 0)
        return;
    escape_sentence(file, "%s", whose);
    known_words(file, known, names_all);
    fputs(".\n", file);
}

/* "25 known miscompiles in this stack": how many, and where they are named. */
static void put_known(FILE *file, const char *whose, const struct loaded_record *record)
{
    const struct loaded_lines *known = &record->kinds[RECORD_known];
    if (known->count == 0)
        return;
    escape_sentence(file, "%s", whose);
    known_number(file, known);
    fputs(" (-v and the end of a report's page name each).\n", file);
}

/* In sentences, what was checked and what was not. Clauses: report.verdict.scope,
 * report.verdict.no_gpu, report.digest.compared, report.verdict.cut. */

enum { SENTENCES_MAX = 12 };

/* True for a record of machine code that was read, and not run. */
static bool is_of_code(const struct loaded_record *record)
{
    return record->kinds[RECORD_codegen].count > 0;
}

/* True if something ran of that code path or, if it is NULL, of that kernel. A bench has no line of
 * a kernel that takes no measured shape. */
static bool has_run(const struct loaded *loaded, const char *path, const char *kernel)
{
    static const int timed[] = {RECORD_bench, RECORD_sweep};
    for (size_t index = 0; index < loaded->count; index++) {
        const struct loaded_record *record = &loaded->records[index];
        bool is_timed = false;
        for (size_t kind = 0; kind < sizeof timed / sizeof timed[0]; kind++) {
            const struct loaded_lines *lines = &record->kinds[timed[kind]];
            is_timed |= lines->count > 0;
            for (size_t at = 0; at < lines->count; at++) {
                const struct line_subject *it = LINE_PART(subject, lines->each[at]);
                if (strcmp(path ? it->path : it->kernel, path ? path : kernel) == 0)
                    return true;
            }
        }
        if (!is_timed && !is_of_code(record) &&
            texts_have(path ? record->header->paths : record->header->kernels,
                       path ? path : kernel))
            return true;
    }
    return false;
}

/* The sum of a count over the rows of a record. */
static uint64_t sum_rows(const struct loaded_record *record, enum verdict verdict)
{
    const struct line_bits *row;
    uint64_t sum = 0;
    for (size_t at = 0; (row = loaded_next_bits(&record->kinds[RECORD_bits], NULL, &at)) != NULL;) {
        uint64_t counts[VERDICT_COUNT];
        line_counts(&row->counts, counts);
        sum += counts[verdict];
    }
    return sum;
}

/* "cuda:0 (NVIDIA H200)": every device of a record. */
static void put_devices(FILE *file, const struct loaded_record *record)
{
    for (size_t index = 0; index < record->device_count; index++) {
        const char *label = record->devices[index];
        const struct line_device *line = loaded_device(record, label);
        const char *name = line ? line->name : "not opened";
        if (strncmp(name, label, strlen(label)) == 0) /* "host (x86_64 AMD EPYC)" */
            escape_sentence(file, "%s%s", index ? ", " : "", name);
        else
            escape_sentence(file, "%s%s (%s)", index ? ", " : "", label, name);
    }
}

/* Which file a sentence is about, if there are several: "run.json: ". */
enum { WHOSE_BYTES = 512 };
static void whose(const struct loaded *loaded, const struct loaded_record *record,
                  char ret_text[WHOSE_BYTES])
{
    const bool is_named = loaded->file_count > 1;
    snprintf(ret_text, WHOSE_BYTES, "%.500s%s", is_named ? record->path : "", is_named ? ": " : "");
}

/* A sentence, after the file that it is about. */
__attribute__((format(printf, 3, 4))) static void say(FILE *file, const char *before,
                                                      const char *format, ...)
{
    va_list arguments;
    escape_sentence(file, "%s", before);
    va_start(arguments, format);
    vfprintf(file, format, arguments);
    va_end(arguments);
}

static void put_bits(FILE *file, const char *before, const struct loaded_record *record)
{
    const struct texts paths = record->header->paths;
    const struct line_bits *row;
    uint64_t passed = 0, due = 0;
    for (size_t at = 0; (row = loaded_next_bits(&record->kinds[RECORD_bits], NULL, &at)) != NULL;) {
        uint64_t counts[VERDICT_COUNT];
        line_counts(&row->counts, counts);
        passed += counts[VERDICT_PASS];
        for (int verdict = 0; verdict < VERDICT_COUNT; verdict++)
            if (verdict != VERDICT_DECLINED && verdict != VERDICT_EMPTY)
                due += counts[verdict];
    }
    if (due == 0 && record->cases == 0)
        return;
    const uint64_t cases = record->summary ? record->summary->cases_done : record->cases;
    if (due > 0 || record->summary)
        say(file, before, "Bits: %s of %s passed: ", NUMBER_WHOLE(passed),
            NUMBER_COUNT(due, "check"));
    if (record->summary || (due > 0 && cases > 0)) /* cut short, it may lack their line */
        fprintf(file, "%s, ", NUMBER_COUNT(cases, "case"));
    else if (due == 0)
        say(file, before, "Bits: %s of %s had finished: ", NUMBER_WHOLE(cases),
            NUMBER_COUNT(record->header->cases_planned, "case"));
    fprintf(file, "%s through ", NUMBER_COUNT(record->header->kernels.count, "kernel"));
    for (size_t index = 0; index < paths.count && index < SENTENCES_MAX; index++)
        escape_sentence(file, "%s%s", index ? ", " : "", paths.each[index]);
    if (paths.count > SENTENCES_MAX)
        fprintf(file, " and %zu more", paths.count - SENTENCES_MAX);
    fputs(" on ", file);
    put_devices(file, record);
    fputs(".\n", file);
}

static void put_speed(FILE *file, const char *before, const struct loaded_record *record)
{
    const struct loaded_lines *bench = &record->kinds[RECORD_bench];
    const struct loaded_lines *sweep = &record->kinds[RECORD_sweep];
    size_t reached = 0, judged = 0, recorded = 0;
    for (size_t index = 0; index < bench->count; index++) {
        const struct line_result *line = LINE_PART(result, bench->each[index]);
        const bool is_judged = line_is_judged(line);
        reached += line->verdict == VERDICT_PASS && is_judged;
        judged += line->verdict != VERDICT_SKIP && is_judged;
        recorded += !is_judged;
    }
    if (bench->count + sweep->count == 0)
        return;
    if (judged > 0)
        say(file, before, "Speed: %s of %s reached the floor, on ", NUMBER_WHOLE(reached),
            NUMBER_COUNT(bench->count, "measurement"));
    else if (bench->count > 0)
        say(file, before, "Speed: %s, none compared with a floor, on ",
            NUMBER_COUNT(bench->count, "measurement"));
    else
        say(file, before, "Speed: measured without floors, on ");
    put_devices(file, record);
    if (recorded > 0)
        fprintf(file, "; %s recorded, not judged", NUMBER_WHOLE(recorded));
    fputs(".\n", file);
    if (sweep->count > 0)
        say(file, before, "Sweeps: %s along offsets, strides and sizes.\n",
            NUMBER_COUNT(sweep->count + sweep->left_out, "measurement"));
}

char *scope_text(const struct loaded *loaded, scope_sentences *write)
{
    struct written written;
    written_open(&written);
    write(written.file, loaded);
    return written_close(&written);
}

void scope_checked(FILE *file, const struct loaded *loaded)
{
    char before[WHOSE_BYTES];
    for (size_t index = 0; index < loaded->count; index++) {
        const struct loaded_record *record = &loaded->records[index];
        whose(loaded, record, before);
        put_bits(file, before, record);
        const struct loaded_lines *bits = &record->kinds[RECORD_bits];
        for (size_t at = 0; at < record->device_count; at++) {
            char words[COVERAGE_WORDS_BYTES];
            size_t first = 0;
            const struct line *line =
                loaded_next(&record->kinds[RECORD_coverage], record->devices[at], &first);
            if (!line || !coverage_words(LINE_AS(coverage, line), bits->each, bits->count, words))
                continue;
            escape_sentence(file, "%sCoverage of %s: ", before, record->devices[at]);
            escape_line(file, words, COVERAGE_WORDS_BYTES);
            fputs(".\n", file);
        }
        const struct sums sums = sum_up(record, true);
        if (sums.paths > 0) {
            say(file, before, "Programs: %s of ", NUMBER_WHOLE(sums.right));
            if (sums.paths > 1) /* the same programs through each of them */
                fprintf(file, "%s of generated programs", NUMBER_COUNT(sums.planned, "run"));
            else
                fputs(NUMBER_COUNT(sums.planned, "generated program"), file);
            put_where(file, record, true);
            fputs(" gave the interpreter's bits", file);
            if (sums.known)
                fprintf(file, ", and %s failed as known miscompiles do", NUMBER_WHOLE(sums.known));
            fputs(".\n", file);
            if (loaded->names_known)
                scope_put_known(file, before, record, true);
            else
                put_known(file, before, record);
        }
        put_speed(file, before, record);
        for (int kind = 0; kind < RECORD_KIND_COUNT; kind++) {
            const struct line_kind sort = line_kind((enum record_kind)kind);
            const struct loaded_lines *lines = &record->kinds[kind];
            size_t within = 0;
            if (lines->count == 0 || sort.within == NULL)
                continue;
            for (size_t at = 0; at < lines->count; at++)
                within += line_verdict(lines->each[at]) == VERDICT_PASS;
            say(file, before, "%c%s: %s of %s %s, for ", toupper(sort.noun[0]), sort.noun + 1,
                NUMBER_WHOLE(within), NUMBER_COUNT(lines->count, sort.thing), sort.within);
            for (size_t at = 0; at < record->device_count; at++)
                escape_sentence(file, "%s%s", at ? ", " : "", record->devices[at]);
            fputs(".\n", file);
        }
        /* A report takes that many lines of a kind. */
        size_t left_out = 0;
        for (int kind = 0; kind < RECORD_KIND_COUNT; kind++)
            left_out +=
                line_kind((enum record_kind)kind).is_measured ? record->kinds[kind].left_out : 0;
        if (left_out > 0)
            say(file, before, "Only in the record: %s of measurements.\n",
                NUMBER_COUNT(left_out, "more line"));
    }
    fputs(loaded->comparison.same ? loaded->comparison.same : "", file);
}

static void put_undecided(FILE *file, const char *before, const struct loaded_record *record)
{
    const uint64_t declined = sum_rows(record, VERDICT_DECLINED);
    const uint64_t empty = sum_rows(record, VERDICT_EMPTY);
    const struct loaded_lines *bench = &record->kinds[RECORD_bench];
    size_t derived = 0, floors = 0;
    for (size_t index = 0; index < bench->count; index++) {
        const struct line_limit *floor = LINE_AS(bench, bench->each[index])->floor;
        floors += floor->from[0] != 0;
        derived += floor->from[0] != 0 && !floor->measured;
    }
    const struct shard shard = loaded_shard(record);
    char text[SHARD_TEXT_BYTES];
    if (shard.count > 0)
        say(file, before, "This is %s: `assay merge` joins it with the others%s.\n",
            shard_text(&shard, text),
            shard.is_same ? ", whose results must agree" : ", which have the rest of the plan");
    if (record->summary == NULL)
        escape_sentence(file,
                        "%s: cut short; its findings count, and the remaining cases were not "
                        "checked: run it again.\n",
                        record->path);
    else if (!record->has_end)
        escape_sentence(file, "%s: cut short after its summary: copy it again, or run it again.\n",
                        record->path);
    /* Rows that did not pass without having failed: skipped, or not decided. */
    const struct line_bits *row;
    size_t shown = 0;
    uint64_t open = 0;
    for (size_t at = 0; (row = loaded_next_bits(&record->kinds[RECORD_bits], NULL, &at)) != NULL;) {
        enum verdict word = row->verdict;
        uint64_t counts[VERDICT_COUNT];
        line_counts(&row->counts, counts);
        if (verdict_is_failure(word))
            open += counts[VERDICT_SKIP] + counts[VERDICT_ERROR] + counts[VERDICT_INCONCLUSIVE];
        if (word == VERDICT_PASS || verdict_is_failure(word) || shown++ >= SENTENCES_MAX)
            continue;
        escape_sentence(file, "%s%s through %s: %s%s%s.\n", before, row->subject.kernel,
                        row->subject.path, word < VERDICT_COUNT ? verdict_name(word) : "no verdict",
                        row->reason[0] ? ", " : "", row->reason);
    }
    if (shown > SENTENCES_MAX)
        say(file, before, "Also without a verdict: %s (kernel and path).\n",
            NUMBER_COUNT(shown - SENTENCES_MAX, "more row"));
    if (open)
        say(file, before, "Without a verdict, of kernels that failed: %s.\n",
            NUMBER_COUNT(open, "check"));
    if (declined)
        say(file, before, "Declined: %s, since the kernel does not accept the shape.\n",
            NUMBER_COUNT(declined, "launch"));
    if (empty)
        say(file, before, "Nothing launched: %s, since the case gives the kernel no work.\n",
            NUMBER_COUNT(empty, "check"));
    if (derived)
        say(file, before,
            "Floors: %zu of %zu derived from a model, since none was measured for this device. "
            "Such "
            "a floor finds a broken GPU, not one that is a little slow.\n",
            derived, floors);
    static const enum verdict verdicts[] = {VERDICT_SKIP, VERDICT_INCONCLUSIVE, VERDICT_ERROR};
    for (size_t index = 0; index < sizeof verdicts / sizeof verdicts[0]; index++)
        if (record->verdicts[LINE_MEASURED][verdicts[index]])
            say(file, before, "Measurements and relations with verdict %s: %llu.\n",
                verdict_name(verdicts[index]),
                (unsigned long long)record->verdicts[LINE_MEASURED][verdicts[index]]);
}

/* Records of devices with one label must be of one device: else nothing is merged in truth. */
static void put_unpaired(FILE *file, const struct loaded *loaded)
{
    for (size_t index = 1; index < loaded->count; index++) {
        const struct loaded_record *it = &loaded->records[index];
        for (size_t device = 0; device < it->device_count; device++) {
            const struct line_device *other = loaded_device(it, it->devices[device]);
            const struct loaded_record *first = loaded->records;
            while (first < it && !loaded_device(first, it->devices[device]))
                first++;
            const struct line_device *one =
                first < it ? loaded_device(first, it->devices[device]) : NULL;
            if (one == NULL || other == NULL ||
                (strcmp(one->uuid, other->uuid) == 0 && strcmp(one->driver, other->driver) == 0))
                continue;
            escape_sentence(file,
                            "%s has another identity or driver in %s than in %s: the records are "
                            "not of the same stack.\n",
                            it->devices[device], it->path, first->path);
        }
    }
}

void scope_unchecked(FILE *file, const struct loaded *loaded)
{
    char before[WHOSE_BYTES];
    size_t benches = 0, sweeps = 0, rows = 0, blanks = 0, programs = 0;
    for (size_t index = 0; index < loaded->count; index++) {
        const struct loaded_record *record = &loaded->records[index];
        benches += record->kinds[RECORD_bench].count;
        sweeps += record->kinds[RECORD_sweep].count;
        rows += record->kinds[RECORD_bits].count + record->cases;
        size_t lines = record->cases;
        for (int kind = 0; kind < LOADED_KIND_COUNT; kind++)
            lines += kind == RECORD_device || kind == RECORD_gaps ? 0 : record->kinds[kind].count;
        blanks += record->summary == NULL && lines == 0; /* nobody knows its command */
        programs += record->kinds[RECORD_programs].count;
    }
    bool ran = false;
    for (size_t at = 0; at < loaded->count; at++)
        ran |= !is_of_code(&loaded->records[at]);
    if (assess_no_gpu(loaded))
        fprintf(file, "No GPU was checked: %s.\n",
                ran ? "the kernels ran on the CPU, which says nothing about a GPU, its driver and "
                      "its compiler"
                    : "machine code was read, and not run");
    if (rows == 0 && blanks == 0)
        fprintf(file, "Bits %swere not checked%s: `assay run -o run.json` checks them.\n",
                programs ? "of kernels " : "", benches + sweeps ? " beyond the timed cases" : "");
    if (benches == 0 && blanks == 0)
        fprintf(file, "Speed was not %s: `assay bench -o bench.json` %s.\n",
                sweeps ? "compared with floors" : "measured", sweeps ? "does so" : "measures it");
    if (programs == 0 && blanks == 0)
        fputs("Generated programs were not run: `assay run --programs 2000 -o programs.json` runs "
              "them.\n",
              file);
    put_unpaired(file, loaded);
    fputs(loaded->comparison.other ? loaded->comparison.other : "", file);
    for (size_t index = 0; index < loaded->count; index++) {
        const struct loaded_record *record = &loaded->records[index];
        const struct sums sums = sum_up(record, false);
        whose(loaded, record, before);
        if (sums.paths > 0) {
            say(file, before, "Compiled and not run, since the device cannot run them: %s",
                NUMBER_COUNT(sums.planned, "generated program"));
            put_where(file, record, false);
            fputs(".\n", file);
        }
        put_undecided(file, before, record);
    }
    /* Code paths and kernels of this program that nothing ran of. */
    const char *lead = "Code paths of a GPU not run: ";
    for (int path = 0; path < path_count(); path++) {
        if (!device_kinds[path_row(path)->kind].has_choice || path_row(path)->on_request ||
            has_run(loaded, path_name(path), NULL))
            continue;
        fprintf(file, "%s%s", lead, path_name(path));
        lead = ", ";
    }
    fputs(lead[0] == ',' ? ".\n" : "", file);
}

size_t scope_kernels(FILE *file, const struct loaded *loaded)
{
    size_t count = 0;
    for (int id = 0; id < kernel_count; id++) {
        const char *name = CATALOG_NAME(id);
        if (has_run(loaded, NULL, name))
            continue;
        fprintf(file, "%s%s", count ? ", " : "", name);
        count++;
    }
    return count;
}
