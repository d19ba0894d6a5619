/* Resuming a deep run (resume.h). Results come from the lines of finished cases. Failures and
 * errors of other cases come from their own lines, which are written at once: a flaky one stays,
 * whenever the run was killed. */
#include "conformance/bits/resume.h"

#include <stdlib.h>
#include <string.h>

#include "conformance/work/compare.h"

static const char with_that_version[] = "run again without --resume, or resume with that version";

static int find_device(const struct resume *resume, const char *label)
{
    const json_t *labels = field_header_devices(resume->header);
    for (int index = 0; index < resume->device_count; index++)
        if (strcmp(label, json_string_value(json_array_get(labels, (size_t)index))) == 0)
            return index;
    return -1;
}

/* The tally that a line or one of its rows is about, or NULL, and its subject. */
static struct tally *row_of(const struct resume *resume, const json_t *object,
                            struct subject *ret_subject)
{
    int device = find_device(resume, field_subject_device(object));
    int id = catalog_find(field_subject_kernel(object));
    int path = path_find(field_subject_path(object));
    *ret_subject = (struct subject){(uint16_t)device, (uint16_t)id, (uint16_t)path};
    return device < 0 || id < 0 || path < 0 ? NULL : tally_row(&resume->tally, *ret_subject);
}

/* Adds a row of a line of `cases` cases, each of which has at most one check of it. */
static bool take_row(struct resume *resume, const json_t *object, uint64_t cases)
{
    struct subject subject;
    struct tally *row = row_of(resume, object, &subject);
    const char *text = field_row_xxh3_128(object);
    char high[17];
    if (row == NULL || strlen(text) != 32 || strspn(text, "0123456789abcdef") != 32)
        return false;
    snprintf(high, sizeof high, "%.16s", text);
    const uint64_t digest[2] = {strtoull(text + 16, NULL, 16), strtoull(high, NULL, 16)};
    for (int verdict = 0; verdict < VERDICT_COUNT; verdict++) {
        json_int_t count = json_integer_value(verdict_counts_raw(object, (enum verdict)verdict));
        if (count < 0 || (uint64_t)count > cases)
            return false;
        row->counts[verdict] += (uint64_t)count;
        cases -= (uint64_t)count;
    }
    digest_add(row->digest, digest);
    if (field_row_reason(object)[0])
        tally_explain(row, field_row_verdict(object), field_row_reason(object));
    return true;
}

static bool take_cases(struct resume *resume, const json_t *line)
{
    int device = find_device(resume, field_subject_device(line));
    uint64_t planned = field_header_cases_planned(resume->header), cases = 0;
    const json_t *item;
    size_t index;
    if (device < 0 || resume->devices[device] == NULL) /* else it may be any device's */
        return false;
    json_array_foreach(field_cases_cases(line), index, item) {
        json_int_t first = json_integer_value(json_array_get(item, 0));
        json_int_t last = json_integer_value(json_array_get(item, 1));
        if (json_array_size(item) != 2 || first < 0 || last < first || (uint64_t)last >= planned)
            return false;
        ranges_add(&resume->finished[device], (uint64_t)first, (uint64_t)last);
        cases += (uint64_t)(last - first) + 1;
    }
    json_array_foreach(field_cases_rows(line), index, item) {
        if (!take_row(resume, item, cases))
            return false;
    }
    return true;
}

static bool take_finding(struct resume *resume, const json_t *line)
{
    struct resume_finding it = {.verdict = verdict_find(value_text(raw_finding_finding(line)))};
    struct tally *row = row_of(resume, line, &it.subject);
    json_int_t number = json_integer_value(raw_finding_index(line));
    if (row == NULL || resume->devices[it.subject.device] == NULL || it.verdict == VERDICT_COUNT ||
        number < 0 || (uint64_t)number >= field_header_cases_planned(resume->header))
        return false;
    it.index = (uint64_t)number;
    resume->findings++;
    if (it.verdict == VERDICT_TIMEOUT) {
        struct run_finding hang = {.index = it.index, .subject = it.subject};
        struct case_error error;
        if (!case_parse(field_finding_case(line), &hang.test_case, &error))
            return false;
        finding_set(&hang.finding, it.verdict, field_finding_clause(line), "%s",
                    field_finding_note(line));
        HEAP_ROOM(resume->hangs, resume->hang_count);
        resume->hangs[resume->hang_count++] = hang;
    }
    const struct ranges *finished = &resume->finished[it.subject.device];
    for (size_t range = 0; range < finished->count; range++)
        if (finished->items[range].first <= it.index && it.index <= finished->items[range].last)
            return true;
    row->counts[it.verdict]++;
    if (it.verdict == VERDICT_ERROR)
        tally_explain(row, VERDICT_ERROR, field_finding_note(line));
    HEAP_ROOM(resume->unfinished, resume->unfinished_count);
    resume->unfinished[resume->unfinished_count++] = it;
    return true;
}

static int compare_findings(const void *left, const void *right)
{
    const struct resume_finding *a = left, *b = right;
    if (a->index != b->index)
        return a->index < b->index ? -1 : 1;
    return subject_index(a->subject) - subject_index(b->subject);
}

bool resume_has(const struct resume *resume, uint64_t index, struct subject subject,
                enum verdict *ret_verdict)
{
    const struct resume_finding wanted = {.index = index, .subject = subject};
    const struct resume_finding *found =
        resume && resume->unfinished_count
            ? bsearch(&wanted, resume->unfinished, resume->unfinished_count, sizeof wanted,
                      compare_findings)
            : NULL;
    if (found)
        *ret_verdict = found->verdict;
    return found != NULL;
}

/* A failure that was tried again before the run was ended: a TIMEOUT may not have come back. */
static bool take_reduced(struct resume *resume, const json_t *line)
{
    struct subject subject;
    struct tally *row = row_of(resume, line, &subject);
    for (size_t index = 0; row && index < resume->hang_count; index++) {
        struct run_finding *it = &resume->hangs[index];
        char text[CASE_TEXT_BYTES];
        case_format(&it->test_case, text, sizeof text);
        if (subject_is_same(it->subject, subject) &&
            strcmp(text, value_text(raw_reduced_from(line))) == 0)
            it->retried = true;
    }
    bool passing =
        strcmp(value_text(raw_reduced_verdict(line)), verdict_name(VERDICT_INCONCLUSIVE)) == 0;
    if (row && passing && row->counts[VERDICT_TIMEOUT] > 0)
        tally_pass_timeout(row, (int)json_integer_value(raw_reduced_repeats(line)));
    return row != NULL;
}

static bool take_header(struct resume *resume, const json_t *line)
{
    const json_t *devices = field_header_devices(line), *path;
    size_t count = json_array_size(devices), index;
    json_array_foreach(field_header_paths(line), index, path) {
        if (path_find_or_add(value_text(path)) < 0 && !resume->strange_path[0])
            snprintf(resume->strange_path, sizeof resume->strange_path, "%.31s", value_text(path));
    }
    if (count == 0 || count > PROBE_DEVICES_MAX)
        return false;
    tally_open(&resume->tally, (int)count);
    /* Each as device_label() writes it, and as no device before it. */
    for (index = 0; index < count; index++) {
        const char *label = json_string_value(json_array_get(devices, index));
        struct device_id id;
        if (label == NULL || !device_find(label, &id))
            return false;
        for (size_t before = 0; before < index; before++)
            if (strcmp(label, json_string_value(json_array_get(devices, before))) == 0)
                return false;
    }
    resume->header = json_deep_copy(line);
    resume->device_count = (int)count;
    return resume->header != NULL;
}

static bool take_device(struct resume *resume, const json_t *described)
{
    int device = find_device(resume, field_device_label(described));
    if (device >= 0 && resume->devices[device] == NULL)
        resume->devices[device] = json_deep_copy(described);
    return device >= 0;
}

static bool take_summary(struct resume *resume, const json_t *line)
{
    (void)line;
    return resume->has_summary = true;
}

/* What is read before it is known which cases have finished, and after that. */
typedef bool taker(struct resume *resume, const json_t *line);
static taker *const parts[2][RECORD_KIND_COUNT] = {
    {[RECORD_header] = take_header,
     [RECORD_device] = take_device,
     [RECORD_cases] = take_cases,
     [RECORD_summary] = take_summary},
    {[RECORD_finding] = take_finding, [RECORD_reduced] = take_reduced}};

static void take_line(void *context, const struct record_entry *entry)
{
    struct resume *resume = context;
    taker *const take = parts[resume->part][entry->kind];
    if (take && !take(resume, entry->object))
        resume->wrong_form = true;
}

bool resume_read(const char *path, struct resume *ret, struct reason *ret_reason)
{
    struct resume resume = {.header = NULL};
    bool good = record_read(path, NULL, 0, take_line, &resume, ret_reason);
    if (good && resume.header &&
        strcmp(field_header_tier(resume.header), tier_name(TIER_DEEP)) != 0)
        good = reason_set(ret_reason, REASON_INPUT,
                          "%s: a record of tier %s; only tier deep is resumed: run again without "
                          "--resume",
                          path, field_header_tier(resume.header));
    for (int device = 0; device < resume.device_count; device++)
        resume.wrong_form = !ranges_settle(&resume.finished[device]) || resume.wrong_form;
    resume.part = 1;
    good =
        good && (resume.wrong_form || record_read(path, NULL, 0, take_line, &resume, ret_reason));
    if (resume.unfinished_count)
        qsort(resume.unfinished, resume.unfinished_count, sizeof resume.unfinished[0],
              compare_findings);
    for (size_t index = 1; index < resume.unfinished_count; index++)
        if (compare_findings(&resume.unfinished[index - 1], &resume.unfinished[index]) == 0)
            resume.wrong_form = true;
    if (good && resume.strange_path[0])
        good = reason_set(ret_reason, REASON_INPUT,
                          "%s: no option adds its code path %s: name the "
                          "same compilers and images files, or run again without --resume",
                          path, resume.strange_path);
    if (good && resume.wrong_form) {
        reason_set(ret_reason, REASON_INPUT,
                   "%s: not a record of a deep run of this version of assay", path);
        good = false;
    }
    if (good)
        *ret = resume;
    else
        resume_free(&resume);
    return good;
}

void resume_free(struct resume *resume)
{
    for (int device = 0; device < resume->device_count; device++) {
        ranges_free(&resume->finished[device]);
        json_decref(resume->devices[device]);
    }
    if (resume->tally.rows)
        tally_close(&resume->tally);
    free(resume->unfinished);
    free(resume->hangs);
    json_decref(resume->header);
    *resume = (struct resume){.header = NULL};
}

void resume_options(struct resume *resume, struct options *options)
{
    if (!options->given.seed)
        options->seed = strtoull(field_header_seed(resume->header), NULL, 16);
    if (!options->given.tier)
        options->tier = TIER_DEEP;
    /* A GPU is the one with its UUID, whatever its number is now. */
    const json_t *labels = field_header_devices(resume->header);
    resume->device_list[0] = 0;
    for (int index = 0; index < resume->device_count; index++) {
        const char *label = json_string_value(json_array_get(labels, (size_t)index));
        const char *uuid = resume->devices[index] ? field_device_uuid(resume->devices[index]) : "";
        const bool has_uuid = uuid[0] && !device_kind_of(label)->is_emulated;
        text_list(resume->device_list, sizeof resume->device_list, ",", has_uuid ? uuid : label);
    }
    if (!options->given.device)
        options->device = resume->device_list;
    const json_t *item;
    size_t index;
    resume->path_list[0] = 0;
    json_array_foreach(field_header_paths(resume->header), index, item)
        text_list(resume->path_list, sizeof resume->path_list, ",", value_text(item));
    /* The host device's are not chosen. */
    int first = path_find(resume->path_list);
    if (!options->given.paths && (first < 0 || device_kinds[path_row(first)->kind].has_choice))
        options->paths = resume->path_list;
}

bool resume_select(const struct resume *resume, struct plan *plan, struct reason *ret_reason)
{
    const json_t *item;
    size_t index;
    memset(plan->selected, 0, sizeof plan->selected);
    json_array_foreach(field_header_kernels(resume->header), index, item) {
        const char *name = json_string_value(item);
        int id = catalog_find(name ? name : "");
        if (id < 0)
            return reason_set(ret_reason, REASON_INPUT,
                              "the record's kernel '%.100s' is not in this program: %s",
                              name ? name : "", with_that_version);
        plan->selected[id] = true;
    }
    return true;
}

void resume_label(const struct resume *resume, struct session *session)
{
    const json_t *labels = field_header_devices(resume->header);
    /* A device that was named is the record's where its label is. */
    if (session->options->given.device || session->device_count != resume->device_count)
        return;
    for (int index = 0; index < session->device_count; index++)
        snprintf(session->devices[index].label, sizeof session->devices[index].label, "%s",
                 json_string_value(json_array_get(labels, (size_t)index)));
}

uint64_t resume_cases(const struct resume *resume, uint64_t corpus_count)
{
    json_int_t planned = json_integer_value(raw_header_cases_planned(resume->header));
    return planned > (json_int_t)corpus_count ? (uint64_t)planned - corpus_count : 1;
}

static const char with_that_driver[] =
    "run again without --resume, or with the driver of the record";
static const char as_it_was[] =
    "leave that option out, as the record has it, or run again without --resume";

/* Fields of the header that must be unchanged, and the remedy for a change. */
static const struct {
    const char *key, *remedy;
} kept[] = {
    {FIELD_KEY(header, assay), with_that_version},
    {FIELD_KEY(header, commit), with_that_version},
    {FIELD_KEY(header, toolkit), with_that_version},
    {FIELD_KEY(header, tier), as_it_was},
    {FIELD_KEY(header, seed), as_it_was},
    {FIELD_KEY(header, compilers), "name the same compilers, or run again without --resume"},
    {FIELD_KEY(header, images), "name the same images files, or run again without --resume"},
    {FIELD_KEY(header, paths), as_it_was},
    {FIELD_KEY(header, kernels),
     "leave the patterns out, as the record has them, or run again without --resume"},
    {FIELD_KEY(header, devices), as_it_was},
    {FIELD_KEY(header, libcuda_version), with_that_driver},
    {FIELD_KEY(header, libcuda_bytes), with_that_driver},
    {FIELD_KEY(header, jit_version), with_that_driver},
    {FIELD_KEY(header, jit_bytes), with_that_driver},
    {FIELD_KEY(header, cases_planned), as_it_was},
    {FIELD_KEY(header, corpus),
     "run again without --resume, or resume with the corpus of the record"},
    {FIELD_KEY(header, environment), "set the same variables, or run again without --resume"},
};

/* A field of the header. A variable that hides GPUs may differ, since a GPU is identified by its
 * UUID. */
static bool same_field(const json_t *now, const json_t *then)
{
    size_t left = 0, right = 0;
    if (!json_is_array(now) && !json_is_array(then))
        return (now == NULL && then == NULL) || json_equal(now, then);
    while (left < json_array_size(now) || right < json_array_size(then)) {
        const json_t *it = json_array_get(now, left), *other = json_array_get(then, right);
        const bool hides = strstr(value_text(it), "_VISIBLE_DEVICES=") != NULL;
        const bool hid = strstr(value_text(other), "_VISIBLE_DEVICES=") != NULL;
        if (!hides && !hid && !json_equal(it, other))
            return false;
        left += hides || !hid;
        right += hid || !hides;
    }
    return true;
}

/* The same chip and driver, and the same golden of its texture filter. */
static bool same_device(const struct resume *resume, const struct run *run, int device,
                        struct reason *ret_reason)
{
    static const char *const keys[] = {FIELD_KEY(device, name),   FIELD_KEY(device, uuid),
                                       FIELD_KEY(device, driver), FIELD_KEY(device, cuda),
                                       FIELD_KEY(device, vbios),  FIELD_KEY(device, filter)};
    if (resume->devices[device] == NULL)
        return true;
    struct session_device it = {.label = ""};
    if (!probe_info(run->session->devices[device].info.id, &it.info, ret_reason))
        return false;
    json_t *line = session_device_line(run->session, &it);
    const json_t *now = line_device(line);
    bool same = true;
    for (size_t index = 0; same && index < sizeof keys / sizeof keys[0]; index++) {
        const char *then = value_text(json_object_get(resume->devices[device], keys[index]));
        same = strcmp(then, value_text(json_object_get(now, keys[index]))) == 0;
        if (!same)
            reason_set(ret_reason, REASON_INPUT,
                       "the record is of another device: its %s is '%.60s', not '%.60s': run again "
                       "without --resume, or resume %s",
                       keys[index], then, value_text(json_object_get(now, keys[index])),
                       strcmp(keys[index], FIELD_KEY(device, filter)) == 0
                           ? "with the file of --gpu that it had"
                           : "on that device");
    }
    json_decref(line);
    return same;
}

bool resume_matches(const struct resume *resume, const struct run *run, struct reason *ret_reason)
{
    json_t *header = session_header(run->session);
    bool same = header != NULL;
    for (size_t index = 0; same && index < sizeof kept / sizeof kept[0]; index++) {
        const json_t *now = json_object_get(header, kept[index].key);
        const json_t *then = json_object_get(resume->header, kept[index].key);
        same = same_field(now, then);
        if (!same)
            reason_set(ret_reason, REASON_INPUT,
                       "the record is of another run: its `%s` differs: %s", kept[index].key,
                       kept[index].remedy);
    }
    json_decref(header);
    bool left = !resume->has_summary;
    for (int device = 0; same && device < run->session->device_count; device++) {
        left = left || ranges_total(&resume->finished[device]) < run->session->plan.count;
        same = same_device(resume, run, device, ret_reason);
    }
    if (same && !left)
        reason_set(ret_reason, REASON_INPUT,
                   "the record is complete: nothing is left to run; `assay report` shows it");
    return same && left;
}

void resume_apply(const struct resume *resume, struct run *run)
{
    for (int device = 0; device < run->session->device_count; device++) {
        struct run_device *it = &run->devices[device];
        it->finished = &resume->finished[device];
        it->cases_done = ranges_total(&resume->finished[device]);
        it->recorded = resume->devices[device] != NULL;
        run->resumed_cases += it->cases_done;
    }
    memcpy(run->tally.rows, resume->tally.rows,
           (size_t)subject_count(run->session->device_count) * sizeof *run->tally.rows);
    run->resumed_checks = tally_total_checks(&run->tally);
    run->resumed_findings = resume->findings;
    for (size_t index = 0; index < resume->hang_count; index++)
        if (!resume->hangs[index].retried && run->finding_count < RUN_FINDINGS_MAX)
            run->findings[run->finding_count++] = resume->hangs[index];
    run->resumed_findings -= (uint64_t)run->finding_count;
}
