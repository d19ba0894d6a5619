/* The verdict over records (assessment.h). Clauses: report.verdict.worst, report.verdict.cut,
 * report.verdict.lines, report.digest.compared. */
#include "conformance/report/assessment.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "conformance/base/text.h"
#include "conformance/model/device_info.h"
#include "conformance/model/path.h"
#include "conformance/plan/plan.h"
#include "conformance/programs/programs.h"
#include "conformance/record/record.h"
#include "conformance/record/record_fields.h"
#include "conformance/report/failure.h"

/* The verdict of the lines, the counts and the rows of the summary; DECLINED if there are none. */
static enum verdict join_lines(const struct loaded_record *record)
{
    enum verdict joined = VERDICT_DECLINED;
    const json_t *row;
    for (int each = 0; each < VERDICT_COUNT; each++) {
        const enum verdict verdict = (enum verdict)each;
        bool is_there = verdict_has_finding(verdict) &&
                        value_count(verdict_counts_raw(record->summary, verdict)) > 0;
        for (int tally = 0; tally < LOADED_TALLY_COUNT; tally++)
            is_there = is_there || record->verdicts[tally][each] > 0;
        if (is_there && verdict != VERDICT_SKIP) /* the run has judged that in the summary */
            joined = verdict_join(joined, verdict);
    }
    for (size_t index = 0; (row = value_next(loaded_rows(record), &index)) != NULL;) {
        enum verdict verdict = field_row_verdict(row);
        if (verdict != VERDICT_SKIP)
            joined = verdict_join(joined, verdict);
    }
    return verdict_of_whole(joined);
}

/* A summary that is worse than its lines is believed; one that is better is not. */
static void judge_summary(const struct loaded_record *record, struct assessment *ret)
{
    enum verdict claimed = field_summary_verdict(record->summary), lines = join_lines(record);
    const char *reason = field_summary_reason(record->summary);
    ret->verdict = verdict_join(verdict_of_whole(claimed), VERDICT_DECLINED);
    snprintf(ret->reason, sizeof ret->reason, "%.400s", reason);
    if (claimed == VERDICT_FAIL && reason[0] == 0)
        snprintf(ret->reason, sizeof ret->reason, "%llu failed, %llu crashed, %llu timed out",
                 (unsigned long long)field_counts_fail(record->summary),
                 (unsigned long long)field_counts_crash(record->summary),
                 (unsigned long long)field_counts_timeout(record->summary));
    else if (claimed != VERDICT_PASS && reason[0] == 0) /* of an earlier version */
        snprintf(ret->reason, sizeof ret->reason, "%llu in error, %llu inconclusive, %llu skipped",
                 (unsigned long long)field_counts_error(record->summary),
                 (unsigned long long)field_counts_inconclusive(record->summary),
                 (unsigned long long)field_counts_skip(record->summary));
    if (claimed == VERDICT_COUNT || !verdict_was_due(claimed)) {
        claimed = VERDICT_COUNT;
        ret->verdict = VERDICT_ERROR;
        snprintf(ret->reason, sizeof ret->reason,
                 "the summary's verdict is not one that assay knows");
    }
    if (lines == VERDICT_PASS || !verdict_is_worse(lines, ret->verdict))
        return;
    ret->verdict = verdict_join(ret->verdict, lines);
    snprintf(ret->reason, sizeof ret->reason,
             "the summary says %s, and the record's own lines say %s",
             claimed < VERDICT_COUNT ? verdict_name(claimed) : "nothing", verdict_name(lines));
}

void assess_record(const struct loaded_record *record, struct assessment *ret)
{
    char why[CONTRADICTION_BYTES];
    if (record->summary == NULL) {
        uint64_t failures = 0;
        for (int verdict = 0; verdict < VERDICT_COUNT; verdict++)
            if (verdict_is_failure((enum verdict)verdict))
                failures += record->verdicts[LOADED_FINDINGS][verdict] +
                            record->verdicts[LOADED_MEASURED][verdict];
        ret->verdict = verdict_is_failure(join_lines(record)) ? VERDICT_FAIL : VERDICT_INCONCLUSIVE;
        if (ret->verdict == VERDICT_FAIL)
            snprintf(ret->reason, sizeof ret->reason,
                     "%s; and the run was cut short: later cases are INCONCLUSIVE",
                     failures ? NUMBER_COUNT(failures, "failure") : "a line says FAIL");
        else
            snprintf(ret->reason, sizeof ret->reason,
                     "the run was cut short: %s had finished; the remaining cases did not run",
                     NUMBER_COUNT(record->cases, "case"));
        return;
    }
    judge_summary(record, ret);
    if (ret->verdict != VERDICT_PASS || !contradiction_find(record, why))
        return;
    ret->verdict = VERDICT_INCONCLUSIVE;
    snprintf(ret->reason, sizeof ret->reason,
             "the summary says PASS, but its record contradicts that: %s", why);
}

/* Takes in another verdict; the reason is that of the worst, or of the first that was looked at. */
static void join(struct assessment *ret, const struct assessment *one, const char *path)
{
    enum verdict joined = verdict_of_whole(verdict_join(ret->verdict, one->verdict));
    if (joined != ret->verdict && joined == one->verdict)
        snprintf(ret->reason, sizeof ret->reason, "%s", one->reason);
    else if (joined != ret->verdict) /* PASS and SKIP */
        snprintf(ret->reason, sizeof ret->reason,
                 "part of it passed, and part could not be checked: see %.200s", path);
    ret->verdict = joined;
}

/* Takes in the gate that wrote these records, if one did. */
static void join_gate(const struct loaded_record *records, size_t count, struct assessment *ret)
{
    struct assessment one;
    if (records[count - 1].gate == NULL && !json_is_array(field_header_parts(records->header)))
        return;
    if (records[count - 1].gate) {
        /* A verdict that is better than its parts is not believed (assess_records joins those of
         * their records). */
        const json_t *its_gate = records[count - 1].gate, *its_part;
        const enum verdict claimed = field_gate_verdict(its_gate);
        one.verdict =
            claimed == VERDICT_COUNT || !verdict_was_due(claimed) ? VERDICT_ERROR : claimed;
        snprintf(one.reason, sizeof one.reason, "%.400s", field_gate_reason(its_gate));
        for (size_t at = 0; (its_part = value_next(field_gate_parts(its_gate), &at)) != NULL;) {
            const char *name = field_gate_part_part(its_part);
            const enum verdict own = field_gate_part_verdict(its_part);
            const enum verdict joined = verdict_join(one.verdict, own);
            if (joined != one.verdict)
                snprintf(one.reason, sizeof one.reason, "the gate's part %.31s is %s", name,
                         own < VERDICT_COUNT ? verdict_name(own) : "without a verdict");
            one.verdict = joined;
            if (own == VERDICT_SKIP || loaded_has_part(records, count, name) ||
                verdict_is_worse(one.verdict, VERDICT_INCONCLUSIVE))
                continue;
            one.verdict = VERDICT_INCONCLUSIVE;
            snprintf(one.reason, sizeof one.reason,
                     "the file has no record of the gate's part %.31s", name);
        }
    } else {
        /* A gate that was cut short wrote no verdict: names the parts without a record. */
        const json_t *parts = field_header_parts(records[0].header), *part;
        size_t missing = 0;
        snprintf(one.reason, sizeof one.reason, "the gate was cut short: no record of");
        one.verdict = VERDICT_INCONCLUSIVE;
        for (size_t index = 0; (part = value_next(parts, &index)) != NULL;) {
            if (loaded_has_part(records, count, value_text(part)) || missing++ >= 8)
                continue;
            text_join(one.reason, sizeof one.reason, missing > 1 ? ", " : " ", "%.31s",
                      value_text(part));
        }
        if (missing == 0)
            snprintf(one.reason, sizeof one.reason,
                     "the gate was cut short: it gave no verdict after its last part");
    }
    join(ret, &one, records->path);
}

/* Leaves out failures and skipped checks that the gate found in its baseline as well: its verdict
 * of the part counts. */
static void leave_out_known(const json_t *gate, const struct loaded_record *record,
                            struct assessment *ret)
{
    const json_t *part;
    for (size_t at = 0; (part = value_next(field_gate_parts(gate), &at)) != NULL;) {
        if (field_gate_part_in_baseline(part) == 0 ||
            (ret->verdict != VERDICT_FAIL && ret->verdict != VERDICT_INCONCLUSIVE) ||
            strcmp(field_gate_part_part(part), field_header_part(record->header)) != 0)
            continue;
        ret->verdict = field_gate_part_verdict(part);
        snprintf(ret->reason, sizeof ret->reason, "%.400s", field_gate_part_note(part));
    }
}

void assess_records(const struct loaded *loaded, struct assessment *ret)
{
    *ret = (struct assessment){.verdict = VERDICT_DECLINED};
    for (size_t index = 0, gate_end = 0; index < loaded->count; index++) {
        struct assessment one;
        if (index == gate_end) {
            gate_end += loaded_gate_records(loaded, index);
            join_gate(&loaded->records[index], gate_end - index, ret);
        }
        assess_record(&loaded->records[index], &one);
        leave_out_known(loaded->records[gate_end - 1].gate, &loaded->records[index], &one);
        join(ret, &one, loaded->records[index].path);
    }
    if (loaded->comparison.reason[0]) {
        struct assessment one = {.verdict = loaded->comparison.verdict};
        snprintf(one.reason, sizeof one.reason, "%s", loaded->comparison.reason);
        join(ret, &one, "");
    }
}

bool assess_is_of_programs(const struct loaded_record *record)
{
    return record->kinds[RECORD_programs].count > 0 && json_array_size(loaded_rows(record)) == 0;
}

bool assess_no_gpu(const struct loaded *loaded)
{
    for (size_t record = 0; record < loaded->count; record++)
        for (size_t index = 0; index < loaded->records[record].device_count; index++)
            if (device_kind_of(loaded->records[record].devices[index])->is_gpu)
                return false;
    return true;
}

/* Whether a record bears out the PASS of its summary: it is whole, its counts add up, and no line
 * of it failed. What the run did is not proved again. Clauses: report.verdict.borne,
 * program_runs.record.borne, program_runs.known.lines, program_runs.known.skipped. */

/* The header's lists of names: what lines are of. Programs are of no kernel. */
enum { NAMED_DEVICE, NAMED_PATH, NAMED_KERNEL, NAMED_COUNT, NAMES_MAX = 1024 };
static const char *const lists[NAMED_COUNT] = {FIELD_KEY(header, devices), FIELD_KEY(header, paths),
                                               FIELD_KEY(header, kernels)};
static const char *const names[NAMED_COUNT] = {FIELD_KEY(subject, device), FIELD_KEY(subject, path),
                                               FIELD_KEY(subject, kernel)};

/* The record that is examined, and room for what is wrong with it. */
struct inquiry {
    const struct loaded_record *record;
    const json_t *header, *summary;
    uint64_t counts[VERDICT_COUNT];       /* the summary's */
    bool is_seen[NAMED_COUNT][NAMES_MAX]; /* names of the header that a line is of */
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

/* True if the header names what the line is of, in the first `count` of its lists. */
static bool is_named(struct inquiry *it, const json_t *line, int count)
{
    for (int list = 0; list < count; list++) {
        const json_t *array = json_object_get(it->header, lists[list]), *name;
        const json_t *own = json_object_get(line, names[list]);
        size_t index, found = NAMES_MAX;
        json_array_foreach(array, index, name) {
            if (found == NAMES_MAX && index < NAMES_MAX && json_equal(name, own))
                found = index;
        }
        if (found == NAMES_MAX)
            return false;
        it->is_seen[list][found] = true;
    }
    return true;
}

/* True if each name in the first `count` lists is that of a line which is_named() has seen. */
static bool has_every_name(struct inquiry *it, int count)
{
    const json_t *name;
    size_t index;
    for (int list = 0; list < count; list++) {
        json_array_foreach(json_object_get(it->header, lists[list]), index, name) {
            if (!it->is_seen[list][index])
                return object(it, "nothing was recorded for %.60s", json_string_value(name));
        }
    }
    return true;
}

/* Names, at least one and not beyond reason, none of them twice. */
static bool is_list_of_names(const json_t *array)
{
    const size_t count = json_array_size(array);
    for (size_t index = 0; index < count && count <= NAMES_MAX; index++)
        for (size_t before = 0; before < index; before++)
            if (json_equal(json_array_get(array, before), json_array_get(array, index)))
                return false;
    return count > 0 && count <= NAMES_MAX;
}

/* Header, devices and summary have what such lines have; and all that was counted passed. */
static bool has_form(struct inquiry *it)
{
    const struct loaded_lines *devices = &it->record->kinds[RECORD_device];
    const json_t *labels = field_header_devices(it->header), *label;
    char path[FORM_PATH_BYTES];
    struct reason reason;
    if (!form_fits(&form_header, it->header, path, &reason) ||
        !form_fits(&form_summary, it->summary, path, &reason))
        return object(it, "%s%s%.160s", path, path[0] ? ": " : "", reason.text);
    for (int list = 0; list < NAMED_COUNT - assess_is_of_programs(it->record); list++)
        if (!is_list_of_names(json_object_get(it->header, lists[list])))
            return object(it, "the header has no list of `%s`", lists[list]);
    for (size_t index = 0; (label = value_next(labels, &index)) != NULL;)
        if (loaded_device(it->record, json_string_value(label)) == NULL)
            return object(it, "%.60s has no device line", json_string_value(label));
    if (devices->count + devices->left_out != json_array_size(labels) ||
        it->record->devices_left_out > 0 || it->record->device_count != json_array_size(labels))
        return object(it, "its device lines do not match its header");
    if (raw_summary_exit_status(it->summary) == NULL ||
        field_summary_exit_status(it->summary) != EXIT_STATUS_PASS)
        return object(it, "its exit status is not 0");
    verdict_counts_read(it->summary, it->counts);
    for (int verdict = 0; verdict < VERDICT_COUNT; verdict++) {
        const enum verdict word = (enum verdict)verdict;
        const bool is_new = word == VERDICT_INCONCLUSIVE || word == VERDICT_EMPTY;
        if (!is_new && verdict_counts_raw(it->summary, word) == NULL)
            return object(it, "the summary has no count of `%s`", verdict_counts_key(word));
        const uint64_t found = it->counts[word] + it->record->verdicts[LOADED_FINDINGS][word] +
                               it->record->verdicts[LOADED_SUMS][word];
        if (verdict_has_finding(word) && found > 0)
            return object(it, "a result has verdict %s", verdict_name(word));
    }
    return it->counts[VERDICT_PASS] > 0 || object(it, "nothing passed");
}

/* True if it is a deep run that --time ended, and not before `least` were done. */
static bool is_long_enough(const struct inquiry *it, uint64_t done, uint64_t least)
{
    static const char ended[] = "--time ended it after ";
    return loaded_is_deep(it->record) &&
           strncmp(field_summary_reason(it->summary), ended, sizeof ended - 1) == 0 &&
           done >= least;
}

/* A row of the summary: PASS, with a digest of what passed and a launch for each. */
static bool is_borne_row(struct inquiry *it, const json_t *row, uint64_t sums[VERDICT_COUNT])
{
    enum { DIGITS = 32 };
    uint64_t counts[VERDICT_COUNT];
    verdict_counts_read(row, counts);
    const enum verdict joined = verdict_of_counts(counts), word = field_row_verdict(row);
    /* A replay does not miss a kernel that declines its case. */
    const bool is_passed_over = joined == VERDICT_SKIP && counts[VERDICT_DECLINED] > 0;
    const char *digest = field_row_xxh3_128(row);
    const char *why = NULL;
    if (!is_named(it, row, NAMED_COUNT))
        why = "is not in the header";
    else if (word != joined || (word != VERDICT_PASS && !is_passed_over))
        why = "is not PASS";
    else if (counts[VERDICT_PASS] > 0 &&
             (strlen(digest) != DIGITS || strspn(digest, "0123456789abcdef") != DIGITS))
        why = "has no digest of 32 hex digits";
    else if (raw_row_launches(row) && field_row_launches(row) < counts[VERDICT_PASS])
        why = "has fewer launches than passed checks";
    for (int verdict = 0; verdict < VERDICT_COUNT; verdict++)
        sums[verdict] += counts[verdict];
    return why == NULL || object(it, "the row of %.60s through %.31s %s", field_subject_kernel(row),
                                 field_subject_path(row), why);
}

static bool has_its_rows(struct inquiry *it)
{
    uint64_t sums[VERDICT_COUNT] = {0};
    json_t *seen = json_object();
    const json_t *row;
    bool good = seen || object(it, "no memory for its rows"), has_twins = false;
    for (size_t at = 0; (row = value_next(loaded_rows(it->record), &at)) != NULL;) {
        char subject[FAILURE_TEXT_BYTES];
        failure_subject(row, subject);
        good = good && is_borne_row(it, row, sums);
        has_twins |= json_object_get(seen, subject) != NULL;
        has_twins |= json_object_set_new_nocheck(seen, subject, json_true()) != 0;
    }
    json_decref(seen);
    if (good && memcmp(sums, it->counts, sizeof sums) != 0)
        return object(it, "its rows do not add up to its counts");
    if (good && has_twins)
        return object(it, "a kernel and path has two rows");
    return good && has_every_name(it, NAMED_COUNT);
}

/* A line for every case of the plan on every device; of a deep run as many as tier standard has of
 * these kernels, without a corpus. */
static bool has_its_cases(struct inquiry *it)
{
    const struct loaded_record *record = it->record;
    const unsigned long long planned = field_header_cases_planned(it->header),
                             counted = field_summary_cases_done(it->summary);
    const json_t *kernel;
    struct plan plan = {.count = 0};
    uint64_t all = 0;
    bool is_complete = true;
    if (record->strays > 0)
        return object(it, "a line is outside the plan, or its case has two");
    for (size_t index = 0;
         (kernel = value_next(field_header_kernels(it->header), &index)) != NULL;) {
        const int id = catalog_find(json_string_value(kernel));
        if (id >= 0)
            plan.selected[id] = true;
    }
    for (size_t device = 0; device < record->device_count; device++) {
        const unsigned long long done = ranges_total(&record->finished[device]);
        is_complete = is_complete && done == planned;
        all += done;
        if (done < planned && !is_long_enough(it, done, plan_standard_cases(&plan)))
            return object(it, "%llu of %llu cases have no finished line on %.16s", planned - done,
                          planned, record->devices[device]);
    }
    if (all != counted || record->checks != sum(it->counts))
        return object(it, "its lines have %llu cases and %llu checks, its summary %llu and %llu",
                      (unsigned long long)all, (unsigned long long)record->checks, counted,
                      (unsigned long long)sum(it->counts));
    return !is_complete || field_summary_reason(it->summary)[0] == 0 ||
           object(it, "its summary has a reason, and a complete PASS has none");
}

/* A line for everything that is counted, and no rows. No speed is due of a kernel whose algorithm
 * has no measured shape. */
static bool has_its_measurements(struct inquiry *it)
{
    const struct loaded_record *record = it->record;
    uint64_t planned = 0;
    if (record->strays > 0)
        return object(it, "a line names no device");
    if (record->judged[VERDICT_PASS] != it->counts[VERDICT_PASS] ||
        sum(it->counts) != field_summary_cases_done(it->summary))
        return object(it, "its lines do not add up to its counts");
    for (int kind = 0; kind < LOADED_KIND_COUNT; kind++) {
        const struct loaded_lines *lines = &record->kinds[kind];
        if (loaded_sorts[kind].is_of_every && lines->left_out > 0)
            return object(it, "it has more measurements than a report reads");
        for (size_t index = 0; loaded_sorts[kind].is_of_every && index < lines->count; index++)
            if (!is_named(it, lines->lines[index], NAMED_COUNT))
                return object(
                    it, "a measurement has a device, kernel or path that the header does not name");
        planned += loaded_sorts[kind].is_planned ? lines->count + lines->left_out : 0;
    }
    if (planned != field_header_cases_planned(it->header) ||
        json_array_size(loaded_rows(record)) > 0)
        return object(it, "it does not have one line for each planned measurement, and no rows");
    for (int kind = 0; kind < LOADED_KIND_COUNT; kind++)
        if (loaded_sorts[kind].is_of_every && record->kinds[kind].count > 0)
            return has_every_name(it, kind == RECORD_bench ? NAMED_KERNEL : NAMED_COUNT);
    return true;
}

/* Lines of programs have no kernel. */
static bool is_of_row(const json_t *line, const json_t *row)
{
    return strcmp(field_subject_device(line), field_subject_device(row)) == 0 &&
           strcmp(field_subject_path(line), field_subject_path(row)) == 0;
}

/* Programs through one code path: all PASS or as known miscompiles are, each of which has a line
 * while there is room; a compiler that did not come through leaves nothing to compare. */
static const char *look_at_programs(struct inquiry *it, const json_t *row,
                                    uint64_t sums[VERDICT_COUNT])
{
    const struct loaded_lines *lines = &it->record->kinds[RECORD_program],
                              *known_lines = &it->record->kinds[RECORD_known];
    const uint64_t planned = field_header_cases_planned(it->header),
                   compared = field_programs_compared(row);
    uint64_t counts[VERDICT_COUNT], failed = 0, broken = 0;
    if (!is_named(it, row, NAMED_KERNEL) || !verdict_counts_read(row, counts) ||
        field_programs_verdict(row) != VERDICT_PASS || verdict_of_counts(counts) != VERDICT_PASS)
        return "the programs through a code path are not PASS, or not named by the header";
    for (size_t index = 0; index < lines->count; index++) {
        const enum verdict verdict = field_program_verdict(lines->lines[index]);
        if (!is_of_row(lines->lines[index], row))
            continue;
        /* Its known miscompile was checked through the row's path, and is listed. */
        size_t at = 0;
        while (at < known_lines->count && (!is_of_row(known_lines->lines[at], row) ||
                                           !field_known_listed(known_lines->lines[at]) ||
                                           strcmp(field_known_id(known_lines->lines[at]),
                                                  field_program_known(lines->lines[index])) != 0))
            at++;
        if (!verdict_is_failure(verdict) || at == known_lines->count)
            return "a program has no failure, or none of a known miscompile that is listed";
        failed++;
        broken += verdict != VERDICT_FAIL;
    }
    const uint64_t known = field_programs_known(row), all = sum(counts) + known;
    if (failed != known && lines->count < loaded_sorts[RECORD_program].most)
        return "programs that failed as known miscompiles do not have a line each";
    if (all != field_programs_planned(row) ||
        (all != planned && !is_long_enough(it, all, programs_of_tier(TIER_STANDARD))))
        return "programs of a code path do not add up to those that were planned";
    if (compared != (field_programs_runs(row) ? all - broken : 0) ||
        (compared > 0) != (field_programs_words(row) > 0))
        return "not every program that ran was compared";
    for (int verdict = 0; verdict < VERDICT_COUNT; verdict++)
        sums[verdict] += counts[verdict];
    return NULL;
}

/* A known miscompile that is present is listed, and the line has its failure's verdict; one that
 * hangs may be a SKIP through the driver's compiler. */
static bool is_borne_known(const json_t *line, bool *ret_skipped)
{
    const bool is_present = field_known_present(line), hangs = field_known_hangs(line);
    const int path = path_find_or_add(field_subject_path(line));
    *ret_skipped = field_known_verdict(line) == VERDICT_SKIP && !is_present && hangs && path >= 0 &&
                   path_row(path)->source->target && !path_row(path)->source->compiler;
    const bool is_said = raw_known_failure(line)
                             ? is_present && verdict_is_failure(field_known_failure(line))
                             : !is_present || !hangs;
    return (field_known_verdict(line) == VERDICT_PASS || *ret_skipped) &&
           json_is_boolean(raw_known_present(line)) && json_is_boolean(raw_known_listed(line)) &&
           is_said && (!is_present || field_known_listed(line));
}

/* Through each path that runs, the same known miscompiles in one order, each once; some are
 * tried. */
static const char *look_at_known(struct inquiry *it)
{
    const struct loaded_lines *known = &it->record->kinds[RECORD_known];
    const struct loaded_lines *rows = &it->record->kinds[RECORD_programs];
    size_t ran = 0, at = 0;
    for (size_t row = 0; row < rows->count; row++)
        ran += field_programs_runs(rows->lines[row]);
    const size_t each = ran > 0 ? known->count / ran : 0;
    for (size_t row = 0; row < rows->count; row++) {
        size_t skipped = 0;
        for (size_t index = 0; field_programs_runs(rows->lines[row]) && index < each; index++) {
            const json_t *line = known->lines[at++], *like = known->lines[index];
            const char *id = field_known_id(line);
            bool is_skipped, is_twice = false;
            for (size_t before = 0; before < index && at == index + 1; before++)
                is_twice |= strcmp(field_known_id(known->lines[before]), id) == 0;
            if (!is_of_row(line, rows->lines[row]) || !is_borne_known(line, &is_skipped) ||
                strcmp(id, field_known_id(like)) != 0 || is_twice || id[0] == 0 ||
                field_known_hangs(line) != field_known_hangs(like))
                return "a known miscompile is not PASS, or not checked once through a code path";
            skipped += is_skipped;
        }
        if (skipped > 0 && skipped == each)
            return "no known miscompile is tried through a code path";
    }
    if (ran == 0)
        return "no program ran";
    return at == known->count ? NULL : "known miscompiles are not those of the code paths that ran";
}

/* True if the operations through a code path are right but for known miscompiles: their list
 * has one of each type, those of one name together. */
static bool is_borne_operations(const json_t *line, const json_t *row)
{
    const json_t *known = raw_operations_known(line), *name;
    const uint64_t planned = field_operations_planned(line),
                   programs = field_operations_programs(line);
    const char *before = "";
    uint64_t wrong = 0;
    for (size_t index = 0; (name = value_next(known, &index)) != NULL;) {
        const char *text = value_text(name);
        const size_t letters = strcspn(text, ".");
        wrong += letters != strcspn(before, ".") || strncmp(text, before, letters) != 0;
        before = text;
    }
    return is_of_row(line, row) && field_operations_verdict(line) == VERDICT_PASS &&
           json_is_array(known) && json_is_array(raw_operations_wrong(line)) &&
           json_is_array(raw_operations_open(line)) &&
           json_array_size(raw_operations_wrong(line)) +
                   json_array_size(raw_operations_open(line)) ==
               0 &&
           field_operations_right(line) + wrong == planned && planned <= programs &&
           programs <= field_programs_planned(row) &&
           json_equal(raw_operations_runs(line), raw_programs_runs(row));
}

static const char *look_at_all_programs(struct inquiry *it)
{
    const struct loaded_record *record = it->record;
    const struct loaded_lines *operations = &record->kinds[RECORD_operations];
    const struct loaded_lines *rows = &record->kinds[RECORD_programs];
    const uint64_t planned = field_header_cases_planned(it->header),
                   done = field_summary_cases_done(it->summary);
    uint64_t sums[VERDICT_COUNT] = {0}, least = planned;
    for (int kind = 0; kind < LOADED_KIND_COUNT; kind++)
        if (loaded_sorts[kind].is_measured ? record->kinds[kind].count
                                           : record->kinds[kind].left_out)
            return "it has other measurements than its programs, or too many lines";
    if (record->strays > 0 || record->cases > 0)
        return "it has cases of kernels";
    if (operations->count > 0 && operations->count != rows->count)
        return "not every code path has its operations";
    for (size_t row = 0; row < rows->count; row++) {
        const json_t *line = rows->lines[row];
        const char *why = look_at_programs(it, line, sums);
        if (why)
            return why;
        if (operations->count > 0 && (!is_borne_operations(operations->lines[row], line) ||
                                      !json_equal(raw_operations_planned(operations->lines[row]),
                                                  raw_operations_planned(operations->lines[0])) ||
                                      !json_equal(raw_operations_programs(operations->lines[row]),
                                                  raw_operations_programs(operations->lines[0]))))
            return "operations through a code path are not right, or do not add up";
        least = field_programs_planned(line) < least ? field_programs_planned(line) : least;
    }
    if (memcmp(sums, it->counts, sizeof sums) != 0 || done != least)
        return "its code paths do not add up to its counts";
    return look_at_known(it);
}

bool contradiction_find(const struct loaded_record *record, char ret_why[CONTRADICTION_BYTES])
{
    struct inquiry it = {
        .record = record, .header = record->header, .summary = record->summary, .why = ret_why};
    size_t counts[LOADED_TALLY_COUNT] = {0};
    for (int kind = 0; kind < LOADED_KIND_COUNT; kind++)
        counts[loaded_sorts[kind].tally] += record->kinds[kind].count;
    const size_t measured = counts[LOADED_MEASURED];
    if (!has_form(&it))
        return true;
    if (!assess_is_of_programs(record) && counts[LOADED_FINDINGS] + counts[LOADED_SUMS] > 0)
        return !object(&it, "it has lines of generated programs");
    if (!assess_is_of_programs(record))
        return measured > 0 ? !has_its_measurements(&it)
                            : !has_its_rows(&it) || !has_its_cases(&it);
    const char *why = look_at_all_programs(&it);
    return why ? !object(&it, "%s", why) : !has_every_name(&it, NAMED_KERNEL);
}
