/* Lines of generated programs against their summary (contradiction_programs.h). Clauses:
 * program_runs.record.borne, program_runs.known.lines, program_runs.known.skipped. */
#include "conformance/report/contradiction_programs.h"

#include <stdio.h>
#include <string.h>

#include "conformance/model/path.h"
#include "conformance/record/record_fields.h"
#include "conformance/record/verdict_counts.h"

enum { PROGRAMS_STANDARD = 5000 }; /* of tier standard */

bool contradiction_is_of_programs(const struct loaded_record *record)
{
    return record->kinds[LOADED_PROGRAMS].count > 0 && json_array_size(loaded_rows(record)) == 0;
}

static bool is_count(const json_t *value)
{
    return json_is_integer(value) && json_integer_value(value) >= 0;
}

static bool is_of_row(const json_t *line, const json_t *row)
{
    return strcmp(field_subject_device(line), field_subject_device(row)) == 0 &&
           strcmp(field_subject_path(line), field_subject_path(row)) == 0;
}

static const json_t *find_known(const struct loaded_lines *known, const json_t *row, const char *id)
{
    for (size_t index = 0; index < known->count; index++)
        if (is_of_row(known->lines[index], row) &&
            strcmp(field_known_id(known->lines[index]), id) == 0)
            return known->lines[index];
    return NULL;
}

/* Its programs that failed as a known miscompile does: each has a line while there is room. */
static const char *look_at_failures(const struct loaded_record *record, const json_t *row)
{
    const struct loaded_lines *lines = &record->kinds[LOADED_PROGRAM];
    uint64_t count = 0;
    for (size_t index = 0; index < lines->count; index++) {
        const json_t *line = lines->lines[index];
        if (!is_of_row(line, row))
            continue;
        const json_t *known =
            find_known(&record->kinds[LOADED_KNOWN], row, field_program_known(line));
        if (known == NULL || !field_known_listed(known))
            return "a program is of a known miscompile that its version is not listed with";
        if (!verdict_is_failure(field_program_verdict(line)))
            return "a program that failed as a known miscompile does has no such verdict";
        count++;
    }
    return count == field_programs_known(row) || lines->count >= loaded_sorts[LOADED_PROGRAM].most
               ? NULL
               : "programs that failed as known miscompiles do have not a line each";
}

/* Its programs that a compiler did not come through. */
static uint64_t count_broken(const struct loaded_record *record, const json_t *row)
{
    const struct loaded_lines *lines = &record->kinds[LOADED_PROGRAM];
    uint64_t count = 0;
    for (size_t index = 0; index < lines->count; index++)
        count += is_of_row(lines->lines[index], row) &&
                 field_program_verdict(lines->lines[index]) != VERDICT_FAIL;
    return count;
}

/* True where it is a deep run that --time ended late enough. */
static bool is_long_enough(const struct loaded_record *record, uint64_t done)
{
    static const char ended[] = "--time ended it after ";
    return strcmp(field_header_tier(record->header), "deep") == 0 &&
           strncmp(field_summary_reason(record->summary), ended, sizeof ended - 1) == 0 &&
           done >= PROGRAMS_STANDARD && done < field_header_cases_planned(record->header);
}

/* What a row counts. */
static const char *look_at_counts(const struct loaded_record *record, const json_t *row,
                                  uint64_t ret_sums[VERDICT_COUNT])
{
    uint64_t counts[VERDICT_COUNT], all = field_programs_known(row);
    const uint64_t compared = field_programs_compared(row);
    if (!verdict_counts_read(row, counts) || !is_count(raw_programs_known(row)) ||
        !is_count(raw_programs_compared(row)) || !is_count(raw_programs_planned(row)) ||
        !json_is_boolean(raw_programs_runs(row)))
        return "a count of programs is missing or not a count";
    for (int verdict = 0; verdict < VERDICT_COUNT; verdict++) {
        all += counts[verdict];
        ret_sums[verdict] += counts[verdict];
    }
    if (field_programs_verdict(row) != VERDICT_PASS || verdict_of_counts(counts) != VERDICT_PASS)
        return "the programs through a code path are not PASS";
    if (all != field_programs_planned(row) ||
        (all != field_header_cases_planned(record->header) && !is_long_enough(record, all)))
        return "programs of a code path do not add up to those that were planned";
    if (compared != (field_programs_runs(row) ? all - count_broken(record, row) : 0) ||
        (compared > 0) != (field_programs_words(row) > 0))
        return "not every program that ran was compared";
    return NULL;
}

static bool is_named(const struct loaded_record *record, const json_t *line)
{
    return value_array_has(field_header_devices(record->header), field_subject_device(line)) &&
           value_array_has(field_header_paths(record->header), field_subject_path(line));
}

static const char *look_at_rows(const struct loaded_record *record,
                                uint64_t ret_sums[VERDICT_COUNT])
{
    const struct loaded_lines *rows = &record->kinds[LOADED_PROGRAMS];
    bool runs = false;
    for (size_t index = 0; index < rows->count; index++) {
        const json_t *row = rows->lines[index];
        const char *why = is_named(record, row)
                              ? look_at_counts(record, row, ret_sums)
                              : "programs have a device or path that the header does not name";
        for (size_t before = 0; before < index && !why; before++)
            why = is_of_row(rows->lines[before], row) ? "a code path has two lines of programs"
                                                      : NULL;
        if (why == NULL)
            why = look_at_failures(record, row);
        if (why)
            return why;
        runs = runs || field_programs_runs(row);
    }
    return runs ? NULL : "no program ran";
}

/* Each device has a row, and each path through some device. */
static const char *look_for_rows(const struct loaded_record *record)
{
    static const char *const keys[] = {FIELD_KEY(header, devices), FIELD_KEY(header, paths)};
    static const char *const own[] = {FIELD_KEY(programs, device), FIELD_KEY(programs, path)};
    const struct loaded_lines *rows = &record->kinds[LOADED_PROGRAMS];
    const json_t *name;
    size_t at;
    for (int key = 0; key < 2; key++) {
        json_array_foreach(json_object_get(record->header, keys[key]), at, name)
        {
            size_t index = 0;
            while (index < rows->count &&
                   !json_equal(json_object_get(rows->lines[index], own[key]), name))
                index++;
            if (index == rows->count)
                return "a device or path has no line of programs";
        }
    }
    return NULL;
}

static bool is_of_driver(const char *name)
{
    const int path = path_find_or_add(name);
    return path >= 0 && path_row(path)->source->target && !path_row(path)->source->compiler;
}

/* What it comes to is said of what is present alone; of a hang always. */
static bool has_its_word(const json_t *line)
{
    const bool is_present = field_known_present(line);
    return raw_known_comes_to(line) ? is_present && verdict_is_failure(field_known_comes_to(line))
                                    : !is_present || !field_known_hangs(line);
}

static bool is_skipped(const json_t *line)
{
    return field_known_verdict(line) == VERDICT_SKIP && !field_known_present(line) &&
           field_known_hangs(line) && is_of_driver(field_subject_path(line));
}

static bool is_said(const json_t *line)
{
    return (field_known_verdict(line) == VERDICT_PASS || is_skipped(line)) &&
           field_known_id(line)[0] && json_is_boolean(raw_known_present(line)) &&
           json_is_boolean(raw_known_listed(line)) && has_its_word(line) &&
           (!field_known_present(line) || field_known_listed(line));
}

/* Checks through one path: those of the first path, in its order, each once. Something is tried. */
static const char *look_at_known_of(const struct loaded_lines *known, const json_t *row,
                                    size_t first, size_t count)
{
    size_t skipped = 0;
    for (size_t index = 0; index < count; index++) {
        const json_t *line = known->lines[first + index], *like = known->lines[index];
        const char *id = field_known_id(line);
        if (!is_of_row(line, row) || !is_said(line) || strcmp(id, field_known_id(like)) != 0 ||
            field_known_hangs(line) != field_known_hangs(like) ||
            (first == 0 && find_known(known, line, id) != line))
            return "a known miscompile is not PASS, or not checked once through a code path";
        skipped += is_skipped(line);
    }
    return skipped > 0 && skipped == count ? "no known miscompile is tried through a code path"
                                           : NULL;
}

/* Checks of known miscompiles: the same ones of each row that ran. */
static const char *look_at_known(const struct loaded_record *record)
{
    const struct loaded_lines *known = &record->kinds[LOADED_KNOWN];
    const struct loaded_lines *rows = &record->kinds[LOADED_PROGRAMS];
    size_t ran = 0, at = 0;
    for (size_t row = 0; row < rows->count; row++)
        ran += field_programs_runs(rows->lines[row]);
    const size_t each = ran > 0 ? known->count / ran : 0;
    for (size_t row = 0; row < rows->count; row++) {
        if (!field_programs_runs(rows->lines[row]))
            continue;
        const char *why = look_at_known_of(known, rows->lines[row], at, each);
        if (why)
            return why;
        at += each;
    }
    return at == known->count ? NULL : "known miscompiles are not those of the code paths that ran";
}

/* Operations of "add.u32", "add.u64", ...: those of one name follow each other. */
static uint64_t count_names(const json_t *list)
{
    const char *before = "";
    const json_t *name;
    uint64_t count = 0;
    size_t index;
    json_array_foreach(list, index, name)
    {
        const char *text = value_text(name);
        const size_t letters = strcspn(text, ".");
        count += letters != strcspn(before, ".") || strncmp(text, before, letters) != 0;
        before = text;
    }
    return count;
}

static bool are_all_right(const json_t *line, const json_t *row)
{
    const json_t *known = raw_operations_known(line);
    return field_operations_verdict(line) == VERDICT_PASS &&
           json_is_array(raw_operations_wrong(line)) &&
           json_array_size(raw_operations_wrong(line)) == 0 &&
           json_is_array(raw_operations_open(line)) &&
           json_array_size(raw_operations_open(line)) == 0 && json_is_array(known) &&
           is_count(raw_operations_right(line)) && is_count(raw_operations_planned(line)) &&
           is_count(raw_operations_programs(line)) &&
           field_operations_right(line) + count_names(known) == field_operations_planned(line) &&
           json_array_size(known) <= field_programs_known(row) &&
           field_operations_planned(line) <= field_operations_programs(line) &&
           field_operations_programs(line) <= field_programs_planned(row) &&
           json_equal(raw_operations_runs(line), raw_programs_runs(row));
}

/* Operations: of each row, in their order, or of none; the same number everywhere. */
static const char *look_at_operations(const struct loaded_record *record)
{
    const struct loaded_lines *lines = &record->kinds[LOADED_OPERATIONS];
    const struct loaded_lines *rows = &record->kinds[LOADED_PROGRAMS];
    if (lines->count == 0)
        return NULL;
    if (lines->count != rows->count)
        return "not every code path has its operations";
    for (size_t row = 0; row < rows->count; row++) {
        const json_t *line = lines->lines[row];
        if (!is_of_row(line, rows->lines[row]) || !are_all_right(line, rows->lines[row]) ||
            !json_equal(raw_operations_planned(line), raw_operations_planned(lines->lines[0])) ||
            !json_equal(raw_operations_programs(line), raw_operations_programs(lines->lines[0])))
            return "operations through a code path are not right, or do not add up";
    }
    return NULL;
}

static uint64_t least_planned(const struct loaded_record *record)
{
    const struct loaded_lines *rows = &record->kinds[LOADED_PROGRAMS];
    uint64_t least = UINT64_MAX;
    for (size_t row = 0; row < rows->count; row++)
        least = field_programs_planned(rows->lines[row]) < least
                    ? field_programs_planned(rows->lines[row])
                    : least;
    return least;
}

static const char *look_at(const struct loaded_record *record, const uint64_t counts[VERDICT_COUNT])
{
    uint64_t sums[VERDICT_COUNT] = {0};
    for (int kind = LOADED_PROGRAM; kind <= LOADED_OPERATIONS; kind++)
        if (record->kinds[kind].left_out > 0)
            return "it has more lines of programs than a report takes";
    for (int kind = 0; kind < LOADED_KIND_COUNT; kind++)
        if (loaded_sorts[kind].is_measured && record->kinds[kind].count > 0)
            return "something was measured beside its programs";
    if (record->strays > 0 || record->cases > 0)
        return "it has cases of kernels";
    const char *why = look_at_rows(record, sums);
    why = why ? why : look_for_rows(record);
    why = why ? why : look_at_known(record);
    why = why ? why : look_at_operations(record);
    if (why == NULL && memcmp(sums, counts, sizeof sums) != 0)
        why = "its code paths do not add up to its counts";
    const uint64_t done = field_summary_cases_done(record->summary);
    if (why == NULL && done != field_header_cases_planned(record->header) &&
        (!is_long_enough(record, done) || done != least_planned(record)))
        why = "it has not as many programs as were planned";
    return why;
}

bool contradiction_of_programs(const struct loaded_record *record,
                               const uint64_t counts[VERDICT_COUNT], char *ret_why, size_t bytes)
{
    const char *why = look_at(record, counts);
    if (why)
        snprintf(ret_why, bytes, "%s", why);
    return why != NULL;
}
