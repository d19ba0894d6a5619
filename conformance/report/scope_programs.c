/* Sentences on generated programs (scope_programs.h). Clauses: program_runs.report.rows,
 * report.verdict.scope. */
#include "conformance/report/scope_programs.h"

#include "conformance/base/escape.h"
#include "conformance/base/number.h"
#include "conformance/record/record_fields.h"
#include "conformance/report/known_words.h"

/* The sums over code paths that ran, or that were compiled and not run. */
struct sums {
    uint64_t planned, right, known, paths;
};

static struct sums sum_up(const struct loaded_record *record, bool runs)
{
    const struct loaded_lines *lines = &record->kinds[LOADED_PROGRAMS];
    struct sums ret = {.planned = 0};
    for (size_t index = 0; index < lines->count; index++) {
        const json_t *line = lines->lines[index];
        if (field_programs_runs(line) != runs)
            continue;
        ret.planned += field_programs_planned(line);
        ret.right += field_counts_passed(line);
        ret.known += field_programs_known(line);
        ret.paths++;
    }
    return ret;
}

/* "through ptx on cuda:0 (NVIDIA H200)"; more than a few are counted. */
static void put_where(FILE *file, const struct loaded_record *record, bool runs)
{
    enum { SHOWN_MAX = 12 };
    const struct loaded_lines *lines = &record->kinds[LOADED_PROGRAMS];
    size_t shown = 0;
    for (size_t index = 0; index < lines->count; index++) {
        const json_t *line = lines->lines[index];
        if (field_programs_runs(line) == runs && shown++ < SHOWN_MAX)
            escape_sentence(file, "%s%s on %s", shown > 1 ? ", " : " through ",
                            field_subject_path(line), field_subject_device(line));
    }
    if (shown > SHOWN_MAX)
        fprintf(file, " and %zu more", shown - SHOWN_MAX);
}

void scope_put_programs(FILE *file, const char *whose, const struct loaded_record *record)
{
    const struct sums sums = sum_up(record, true);
    char right[NUMBER_TEXT_BYTES], known[NUMBER_TEXT_BYTES], all[NUMBER_COUNT_BYTES];
    if (sums.paths == 0)
        return;
    escape_sentence(file, "%s", whose);
    fprintf(file, "Programs: %s of %s", number_whole(sums.right, right),
            number_count(sums.planned, "generated program", all));
    put_where(file, record, true);
    fputs(" gave the interpreter's bits", file);
    if (sums.known)
        fprintf(file, ", and %s failed as known miscompiles do", number_whole(sums.known, known));
    fputs(".\n", file);
    scope_put_known(file, whose, record);
}

void scope_put_programs_not_run(FILE *file, const char *whose, const struct loaded_record *record)
{
    const struct sums sums = sum_up(record, false);
    char all[NUMBER_COUNT_BYTES];
    if (sums.paths == 0)
        return;
    escape_sentence(file, "%s", whose);
    fprintf(file, "Compiled and not run, as the device cannot run them: %s",
            number_count(sums.planned, "generated program", all));
    put_where(file, record, false);
    fputs(".\n", file);
}

void scope_put_known(FILE *file, const char *whose, const struct loaded_record *record)
{
    const struct loaded_lines *known = &record->kinds[LOADED_KNOWN];
    if (known->count == 0)
        return;
    escape_sentence(file, "%s", whose);
    known_words(file, known);
    fputs(".\n", file);
}
