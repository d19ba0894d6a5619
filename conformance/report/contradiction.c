/* Summaries against their records (contradiction.h). */
#include "conformance/report/contradiction.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "conformance/model/path.h"
#include "conformance/plan/plan.h"
#include "conformance/record/record_fields.h"
#include "conformance/record/record.h"
#include "conformance/report/agreement.h"
#include "conformance/speed/bench_plan.h"

/* Lines of generated programs against their summary. Clauses:
 * program_runs.record.borne, program_runs.known.lines, program_runs.known.skipped. */

enum { PROGRAMS_STANDARD = 5000 }; /* of tier standard */

static bool is_count(const json_t *value)
{
    return json_is_integer(value) && json_integer_value(value) >= 0;
}

bool contradiction_is_of_programs(const struct loaded_record *record)
{
    return record->kinds[LOADED_PROGRAMS].count > 0 && json_array_size(loaded_rows(record)) == 0;
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
static bool are_enough(const struct loaded_record *record, uint64_t done)
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
        (all != field_header_cases_planned(record->header) && !are_enough(record, all)))
        return "programs of a code path do not add up to those that were planned";
    if (compared != (field_programs_runs(row) ? all - count_broken(record, row) : 0) ||
        (compared > 0) != (field_programs_words(row) > 0))
        return "not every program that ran was compared";
    return NULL;
}

static bool is_named_path(const struct loaded_record *record, const json_t *line)
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
        const char *why = is_named_path(record, row)
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
        (!are_enough(record, done) || done != least_planned(record)))
        why = "it has not as many programs as were planned";
    return why;
}

/* True, with a reason, where the lines do not bear out the summary's counts. */
static bool contradiction_of_programs(const struct loaded_record *record,
                                      const uint64_t counts[VERDICT_COUNT], char *ret_why,
                                      size_t bytes)
{
    const char *why = look_at(record, counts);
    if (why)
        snprintf(ret_why, bytes, "%s", why);
    return why != NULL;
}

/* Summaries against their records. Clause: report.verdict.borne. */

/* What is looked at, and where to say what is wrong with it. */
struct inquiry {
    const struct loaded_record *record;
    const json_t *header, *summary;
    uint64_t counts[VERDICT_COUNT]; /* the summary's */
    char *why;
};

/* False, with what is wrong. */
__attribute__((format(printf, 2, 3))) static bool object(struct inquiry *it, const char *format,
                                                         ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(it->why, CONTRADICTION_BYTES, format, arguments);
    va_end(arguments);
    return false;
}

static uint64_t sum(const uint64_t counts[VERDICT_COUNT])
{
    uint64_t all = 0;
    for (int verdict = 0; verdict < VERDICT_COUNT; verdict++)
        all += counts[verdict];
    return all;
}

/* An array of texts, at least one and not beyond reason, none of them twice. */
static bool is_list_of_names(const json_t *array)
{
    enum { NAMES_MAX = 1024 };
    const json_t *one, *other;
    size_t index, before;
    if (json_array_size(array) > NAMES_MAX)
        return false;
    json_array_foreach(array, index, one)
    {
        if (!json_is_string(one))
            return false;
        json_array_foreach(array, before, other)
        {
            if (before < index && json_equal(one, other))
                return false;
        }
    }
    return json_array_size(array) > 0;
}

/* One line for every device: without it nothing says which GPU the label means. */
static bool has_its_devices(struct inquiry *it)
{
    const json_t *labels = field_header_devices(it->header), *label;
    const struct loaded_lines *lines = &it->record->kinds[LOADED_DEVICE];
    size_t index;
    json_array_foreach(labels, index, label)
    {
        if (loaded_device(it->record, json_string_value(label)) == NULL)
            return object(it, "%.60s has no device line", json_string_value(label));
    }
    return lines->count + lines->left_out == json_array_size(labels) ||
           object(it, "a device has two device lines");
}

static bool has_form(struct inquiry *it)
{
    static const char *const lists[] = {FIELD_KEY(header, devices), FIELD_KEY(header, paths),
                                        FIELD_KEY(header, kernels)};
    for (int index = 0; index < (contradiction_is_of_programs(it->record) ? 2 : 3); index++)
        if (!is_list_of_names(json_object_get(it->header, lists[index])))
            return object(it, "the header has no list of `%s`", lists[index]);
    if (!is_count(raw_header_cases_planned(it->header)))
        return object(it, "the header has no count of `cases_planned`");
    if (it->record->devices_left_out > 0 ||
        it->record->device_count != json_array_size(field_header_devices(it->header)))
        return object(it, "its device lines do not match its header");
    if (!has_its_devices(it))
        return false;
    if (!is_count(raw_summary_cases_done(it->summary)))
        return object(it, "the summary has no count of `cases_done`");
    if (!json_is_string(raw_summary_reason(it->summary)) ||
        !json_is_array(field_summary_rows(it->summary)))
        return object(it, "the summary has no reason or no rows");
    const json_t *status = raw_summary_exit_status(it->summary);
    if (!json_is_integer(status) || json_integer_value(status) != EXIT_STATUS_PASS)
        return object(it, "its exit status is not 0");
    static const char *const counts[] = {FIELD_KEY(counts, fail),    FIELD_KEY(counts, crash),
                                         FIELD_KEY(counts, timeout), FIELD_KEY(counts, error),
                                         FIELD_KEY(counts, skip),    FIELD_KEY(counts, declined)};
    for (size_t index = 0; index < sizeof counts / sizeof counts[0]; index++)
        if (!is_count(json_object_get(it->summary, counts[index])))
            return object(it, "the summary has no count of `%s`", counts[index]);
    return verdict_counts_read(it->summary, it->counts) ||
           object(it, "a count of its summary is missing or not a count");
}

/* A PASS in which something else happened is none. */
static bool is_all_passed(struct inquiry *it)
{
    for (int verdict = 0; verdict < VERDICT_COUNT; verdict++)
        if (verdict_has_finding((enum verdict)verdict) &&
            (it->counts[verdict] > 0 || it->record->findings[verdict] > 0))
            return object(it, "something came to %s", verdict_name((enum verdict)verdict));
    return it->counts[VERDICT_PASS] > 0 || object(it, "nothing passed");
}

/* For which architecture the kernel's PTX of that path is, as the device's line has it; "" where it
 * says nothing. */
static const char *ptx_target(const json_t *device, const char *kernel, int path)
{
    const json_t *other;
    size_t index;
    char key[PATH_KEY_BYTES];
    json_array_foreach(field_device_kernels(device), index, other)
    {
        if (strcmp(field_kernel_ptx_kernel(other), kernel) == 0 &&
            strcmp(field_kernel_ptx_path(other), path_name(path)) == 0)
            return field_kernel_ptx_ptx(other);
    }
    return value_text(json_object_get(device, path_key(path, key)));
}

/* The path that the device's line shows to have the same code: the lowest PTX has no row of its own
 * of a kernel for which it is the highest as well. The path's own name where there is none. */
static const char *same_path(const struct inquiry *it, const char *label, const char *kernel,
                             const char *name)
{
    const json_t *device = loaded_device(it->record, label);
    int path = path_find_or_add(name);
    if (path < 0)
        return name;
    const char *target = ptx_target(device, kernel, path);
    for (int other = 0; other < path; other++)
        if (target[0] && path_loads_alike(other, path) &&
            strcmp(ptx_target(device, kernel, other), target) == 0)
            return path_name(other);
    return name;
}

/* Asks for every kernel, path and device of the header; false at the first that lacks. */
typedef bool subject_test(const void *context, const char *device, const char *kernel,
                          const char *path);
static bool has_every_subject(struct inquiry *it, subject_test *test, const void *context,
                              const char *lack)
{
    const json_t *labels = field_header_devices(it->header), *device;
    const json_t *names = field_header_kernels(it->header), *kernel;
    const json_t *paths = field_header_paths(it->header), *path;
    size_t at[3];
    json_array_foreach(labels, at[0], device)
    {
        json_array_foreach(names, at[1], kernel)
        {
            json_array_foreach(paths, at[2], path)
            {
                const char *label = json_string_value(device), *name = json_string_value(kernel);
                const char *through = json_string_value(path);
                if (!test(context, label, name, through) &&
                    !test(context, label, name, same_path(it, label, name, through)))
                    return object(it, "%.60s through %.31s on %.16s %s", name, through, label,
                                  lack);
            }
        }
    }
    return true;
}

static bool is_named(const struct inquiry *it, const json_t *line)
{
    return value_array_has(field_header_devices(it->header), field_subject_device(line)) &&
           value_array_has(field_header_kernels(it->header), field_subject_kernel(line)) &&
           value_array_has(field_header_paths(it->header), field_subject_path(line));
}

static bool is_digest(const char *text)
{
    enum { DIGITS = 32 };
    return strlen(text) == DIGITS && strspn(text, "0123456789abcdef") == DIGITS;
}

/* Every check that passed has a launch and is in the digest. A deep run that was resumed counts the
 * launches after that alone. */
static bool has_its_launches(struct inquiry *it, const json_t *row)
{
    uint64_t passed = field_counts_passed(row);
    const json_t *launches = raw_row_launches(row);
    bool deep = strcmp(field_header_tier(it->header), tier_name(TIER_DEEP)) == 0;
    if (passed > 0 && !is_digest(field_row_xxh3_128(row)))
        return object(it, "the row of %.60s through %.31s has no digest of 32 hex digits",
                      field_subject_kernel(row), field_subject_path(row));
    if (launches && !(is_count(launches) && (deep || field_row_launches(row) >= passed)))
        return object(it, "the row of %.60s through %.31s has fewer launches than passed checks",
                      field_subject_kernel(row), field_subject_path(row));
    return true;
}

static bool read_row(struct inquiry *it, const json_t *row, uint64_t counts[VERDICT_COUNT])
{
    static const char *const texts[] = {FIELD_KEY(subject, device), FIELD_KEY(subject, kernel),
                                        FIELD_KEY(subject, path), FIELD_KEY(row, verdict),
                                        FIELD_KEY(row, xxh3_128)};
    uint64_t here[VERDICT_COUNT];
    for (size_t index = 0; index < sizeof texts / sizeof texts[0]; index++)
        if (!json_is_string(json_object_get(row, texts[index])))
            return object(it, "a row has no `%s`", texts[index]);
    if (!verdict_counts_read(row, here))
        return object(it, "a count of a row is missing or not a count");
    /* A replay does not miss a kernel that declines its case. */
    enum verdict joined = verdict_of_counts(here), word = field_row_verdict(row);
    bool passed_over = joined == VERDICT_SKIP && here[VERDICT_DECLINED] > 0 && sum(here) > 0;
    if (word != joined || (word != VERDICT_PASS && !passed_over))
        return object(it, "the row of %.60s through %.31s is not PASS", field_subject_kernel(row),
                      field_subject_path(row));
    for (int verdict = 0; verdict < VERDICT_COUNT; verdict++)
        counts[verdict] += here[verdict];
    return has_its_launches(it, row);
}

static bool has_row(const void *context, const char *device, const char *kernel, const char *path)
{
    return row_index_find(context, device, kernel, path) != NULL;
}

static bool find_rows(struct inquiry *it, const struct row_index *index)
{
    if (row_index_has_twins(index))
        return object(it, "a kernel and path has two rows");
    for (size_t at = 0; at < index->count; at++)
        if (!is_named(it, index->keys[at].row))
            return object(it, "a row has a device, kernel or path that the header does not name");
    return has_every_subject(it, has_row, index, "has no row");
}

static bool has_its_rows(struct inquiry *it)
{
    uint64_t counts[VERDICT_COUNT] = {0};
    const json_t *row;
    size_t at;
    struct row_index index;
    json_array_foreach(loaded_rows(it->record), at, row)
    {
        if (!read_row(it, row, counts))
            return false;
    }
    if (memcmp(counts, it->counts, sizeof counts) != 0)
        return object(it, "its rows do not add up to its counts");
    if (!row_index_open(&index, it->record, false))
        return object(it, "no memory to look at its rows");
    bool good = find_rows(it, &index);
    row_index_close(&index);
    return good;
}

/* As many cases as a run of tier standard of these kernels has, without a corpus. */
static uint64_t standard_cases(const json_t *header)
{
    struct plan plan = {.count = 0};
    const json_t *kernel;
    size_t index;
    json_array_foreach(field_header_kernels(header), index, kernel)
    {
        int id = catalog_find(json_string_value(kernel));
        if (id >= 0)
            plan.selected[id] = true;
    }
    return plan_standard_cases(&plan);
}

/* True where it is a deep run that --time ended late enough. */
static bool is_long_enough(const struct inquiry *it, uint64_t done)
{
    static const char ended[] = "--time ended it after ";
    return strcmp(field_header_tier(it->header), tier_name(TIER_DEEP)) == 0 &&
           strncmp(field_summary_reason(it->summary), ended, sizeof ended - 1) == 0 &&
           done >= standard_cases(it->header);
}

/* A line for every case of the plan on every device. */
static bool has_its_cases(struct inquiry *it)
{
    const struct loaded_record *record = it->record;
    uint64_t planned = field_header_cases_planned(it->header), all = 0;
    bool complete = true;
    if (record->strays > 0)
        return object(it, "a line is outside the plan, or its case has two");
    for (size_t device = 0; device < record->device_count; device++) {
        uint64_t done = ranges_total(&record->finished[device]);
        complete = complete && done == planned;
        all += done;
        if (done < planned && !is_long_enough(it, done))
            return object(it, "%llu of %llu cases have no finished line on %.16s",
                          (unsigned long long)(planned - done), (unsigned long long)planned,
                          record->devices[device]);
    }
    if (all != field_summary_cases_done(it->summary))
        return object(it, "its lines have %llu cases, and its summary counts %llu",
                      (unsigned long long)all,
                      (unsigned long long)field_summary_cases_done(it->summary));
    if (record->checks != sum(it->counts))
        return object(it, "its lines have %llu checks, and its summary counts %llu",
                      (unsigned long long)record->checks, (unsigned long long)sum(it->counts));
    if (complete && field_summary_reason(it->summary)[0])
        return object(it, "its summary has a reason, and a complete PASS has none");
    return true;
}

static bool is_of_measurements(const struct loaded_record *record)
{
    size_t lines = 0;
    for (int kind = 0; kind < LOADED_KIND_COUNT; kind++)
        lines += loaded_sorts[kind].is_measured ? record->kinds[kind].count : 0;
    return lines > 0;
}

/* No speed is due of a kernel whose algorithm has no measured shape. */
static bool is_due(const struct loaded_record *record, const char *kernel)
{
    const int id = catalog_find(kernel);
    return record->kinds[LOADED_BENCH].count == 0 || id < 0 ||
           bench_shape_find(catalog_kernel(id)->algorithm, NULL) >= 0;
}

static bool has_line(const void *context, const char *device, const char *kernel, const char *path)
{
    const struct loaded_record *record = context;
    for (int kind = 0; kind < LOADED_KIND_COUNT; kind++) {
        const struct loaded_lines *lines = &record->kinds[kind];
        for (size_t index = 0; loaded_sorts[kind].is_of_every && index < lines->count; index++)
            if (strcmp(field_subject_device(lines->lines[index]), device) == 0 &&
                strcmp(field_subject_kernel(lines->lines[index]), kernel) == 0 &&
                strcmp(field_subject_path(lines->lines[index]), path) == 0)
                return true;
    }
    return !is_due(record, kernel);
}

/* All lines of a kind of which every subject has one are held, and of subjects that are named. */
static bool has_lines_of_every(struct inquiry *it, const struct loaded_lines *lines)
{
    if (lines->left_out > 0)
        return object(it, "it has more measurements than a report takes");
    for (size_t index = 0; index < lines->count; index++)
        if (!is_named(it, lines->lines[index]))
            return object(
                it, "a measurement has a device, kernel or path that the header does not name");
    return true;
}

/* A record of measurements has a line for everything that it counts, and no rows. */
static bool has_its_measurements(struct inquiry *it)
{
    uint64_t planned = 0;
    if (it->record->strays > 0)
        return object(it, "a line names no device");
    if (it->record->judged[VERDICT_PASS] != it->counts[VERDICT_PASS] ||
        sum(it->counts) != field_summary_cases_done(it->summary))
        return object(it, "its lines do not add up to its counts");
    for (int kind = 0; kind < LOADED_KIND_COUNT; kind++) {
        const struct loaded_lines *lines = &it->record->kinds[kind];
        if (loaded_sorts[kind].is_of_every && !has_lines_of_every(it, lines))
            return false;
        planned += loaded_sorts[kind].is_planned ? lines->count + lines->left_out : 0;
    }
    if (planned != field_header_cases_planned(it->header))
        return object(it, "it does not have one line for each planned measurement");
    if (json_array_size(loaded_rows(it->record)) > 0)
        return object(it, "measurements have no rows");
    return has_every_subject(it, has_line, it->record, "was not measured");
}

bool contradiction_find(const struct loaded_record *record, char ret_why[CONTRADICTION_BYTES])
{
    struct inquiry it = {
        .record = record, .header = record->header, .summary = record->summary, .why = ret_why};
    if (!has_form(&it) || !is_all_passed(&it))
        return true;
    if (contradiction_is_of_programs(record))
        return contradiction_of_programs(record, it.counts, ret_why, CONTRADICTION_BYTES);
    return is_of_measurements(record) ? !has_its_measurements(&it)
                                      : !has_its_rows(&it) || !has_its_cases(&it);
}
