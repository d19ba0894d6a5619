/* What is counted of each file, and the verdict of all (merge.h). Clauses: shard.merge.whole,
 * shard.merge.sums, shard.merge.plan, shard.merge.named, shard.merge.fails, shard.merge.agrees,
 * shard.merge.many. */
#include "conformance/merge/merge.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdlib.h>
#include <string.h>

#include "conformance/base/heap.h"
#include "conformance/base/text.h"
#include "conformance/report/assessment.h"
#include "conformance/report/failure.h"
#include "conformance/report/loaded.h"
#include "conformance/report/terminal.h"
#include "conformance/work/compare.h"

struct merge *merge_open(void)
{
    return heap_take(1, sizeof(struct merge));
}

/* Plans. */

/* Records with the same in these fields have the same cases and programs. */
static const char *const plan_keys[] = {
    FIELD_KEY(header, assay),         FIELD_KEY(header, commit), FIELD_KEY(header, toolkit),
    FIELD_KEY(header, command),       FIELD_KEY(header, part),   FIELD_KEY(header, parts),
    FIELD_KEY(header, tier),          FIELD_KEY(header, seed),   FIELD_KEY(header, corpus),
    FIELD_KEY(header, known_list),    FIELD_KEY(header, paths),  FIELD_KEY(header, kernels),
    FIELD_KEY(header, cases_planned),
};

static bool is_plan_key(const char *name)
{
    for (size_t index = 0; index < sizeof plan_keys / sizeof plan_keys[0]; index++)
        if (strcmp(plan_keys[index], name) == 0)
            return true;
    return false;
}

/* The lines "name value" of the first record that is of a shard, for free(). A cut file may lack
 * the others of a command with several parts. */
static char *plan_key(const struct loaded *loaded)
{
    struct written written;
    struct line_member member;
    size_t first = 0;
    while (loaded_shard(&loaded->records[first]).count == 0)
        first++;
    written_open(&written);
    for (struct form_walk walk = form_walk(&form_header);
         line_next(&walk, loaded->records[first].header, &member);) {
        char words[LINE_WORDS_BYTES];
        if (!is_plan_key(member.field->name))
            continue;
        const size_t items = line_item_count(&member);
        line_words(&member, words, sizeof words);
        fprintf(written.file, "%s ", member.field->name);
        escape_line(written.file, words[0] || items > 0 ? words : "none", sizeof words);
        for (size_t item = 0; item < items; item++) {
            fputs(item ? ", " : "", written.file);
            escape_line(written.file, line_item(&member, item).text, sizeof words);
        }
        fputc('\n', written.file);
    }
    const struct shard shard = loaded_shard(&loaded->records[first]);
    fprintf(written.file, "shards %" PRIu32 "%s\n", shard.count,
            shard.is_same ? " (same cases)" : "");
    return written_close(&written);
}

char *merge_plan_value(const struct merge_plan *plan, const char *name)
{
    const size_t letters = strlen(name);
    const char *at = plan->key;
    while (at && (strncmp(at, name, letters) != 0 || at[letters] != ' ')) {
        at = strchr(at, '\n');
        at = at && at[1] ? at + 1 : NULL;
    }
    char *text = heap_text(at ? at + letters + 1 : "");
    text[strcspn(text, "\n")] = 0;
    return text;
}

/* "another plan: seed 0x2, not 0x1": the first line in which two keys differ, which have the same
 * names. */
static char *words_of_other(const char *own, const char *plan)
{
    enum { SHOWN_MOST = 100 };
    char text[3 * SHOWN_MOST];
    for (size_t letters; *own && strncmp(own, plan, letters = strcspn(own, "\n") + 1) == 0;) {
        own += letters;
        plan += letters;
    }
    const size_t letters[] = {strcspn(own, "\n"), strcspn(plan, "\n")};
    const size_t name = strcspn(own, " ");
    if (letters[0] > SHOWN_MOST || letters[1] > SHOWN_MOST)
        snprintf(text, sizeof text, "another plan: other %.*s", (int)name, own);
    else
        snprintf(text, sizeof text, "another plan: %.*s, not%.*s", (int)letters[0], own,
                 (int)(letters[1] - name), plan + name);
    for (char *at = text + strlen("another plan: "); *at && *at != ' '; at++)
        *at = *at == '_' ? ' ' : *at;
    return heap_text(text);
}

/* The plan with that key, which takes the key over. */
static size_t find_plan(struct merge *merge, char *key, const struct shard *shard)
{
    size_t index = 0;
    while (index < merge->plan_count && strcmp(merge->plans[index].key, key) != 0)
        index++;
    if (index < merge->plan_count) {
        free(key);
        return index;
    }
    HEAP_ROOM(merge->plans, merge->plan_count);
    merge->plans[merge->plan_count++] = (struct merge_plan){
        .key = key, .shard = *shard, .numbers = heap_take(shard->count / 8 + 1, 1)};
    return index;
}

/* What a file says of itself. */

/* The failures of a file, in words and as lines, of the first files that fail. */
static void keep_failures(const struct loaded *loaded, struct merge_file *file)
{
    struct written written;
    struct document document;
    written_open(&written);
    document_open(&document, loaded);
    terminal_failures(written.file, &document);
    file->action = document.action;
    document_close(&document);
    file->failures = written_close(&written);
    file->failed = json_array();
    for (size_t at = 0; at < loaded->count * LOADED_KIND_COUNT; at++) {
        const struct loaded_lines *lines =
            &loaded->records[at / LOADED_KIND_COUNT].kinds[at % LOADED_KIND_COUNT];
        for (size_t index = 0; index < lines->count; index++)
            if (failure_fails(lines->each[index]))
                json_array_append_new(file->failed, line_object(lines->each[index]));
    }
}

const char *merge_who(const struct merge_file *file, char ret_text[MERGE_WHO_BYTES])
{
    ret_text[0] = 0;
    if (file->shard.count > 0)
        text_join(ret_text, MERGE_WHO_BYTES, ", ", "shard %" PRIu32, file->shard.number);
    if (file->host && file->host[0])
        text_join(ret_text, MERGE_WHO_BYTES, ", ", "host %.64s", file->host);
    text_join(ret_text, MERGE_WHO_BYTES, ", ", "%.380s", file->path);
    return ret_text;
}

static void refuse_file(struct merge_file *file, enum merge_fault fault, const char *why)
{
    char *text = heap_text(why);
    file->fault = fault;
    free(file->why);
    file->why = text;
}

/* A verdict that the file's own lines do not say. */
static void worsen(struct merge_file *file, enum verdict verdict, const char *why)
{
    const enum verdict joined = verdict_join(file->verdict, verdict);
    if (joined == file->verdict)
        return;
    file->verdict = joined;
    free(file->why);
    file->why = heap_text(why);
}

/* Sums. */

static struct merge_row *find_row(struct merge_plan *plan, const struct line_subject *subject)
{
    for (size_t tried = 0; tried < plan->row_count; tried++) {
        const size_t index = (plan->next_row + tried) % plan->row_count;
        struct merge_row *row = &plan->rows[index];
        if (strcmp(row->kernel, subject->kernel) == 0 && strcmp(row->path, subject->path) == 0) {
            plan->next_row = index + 1;
            return row;
        }
    }
    HEAP_ROOM(plan->rows, plan->row_count);
    struct merge_row *row = &plan->rows[plan->row_count++];
    *row = (struct merge_row){.kernel = heap_text(subject->kernel),
                              .path = heap_text(subject->path),
                              .last_file = SIZE_MAX};
    plan->next_row = plan->row_count;
    return row;
}

static void free_variants(struct merge_row *row)
{
    for (size_t index = 0; index < row->variant_count; index++) {
        free(row->variants[index].ranges);
        free(row->variants[index].holders);
    }
    free(row->variants);
    row->variants = NULL;
    row->variant_count = 0;
}

/* Of those that have one digest the first are named, if they turn out to be the few. */
enum { HOLDERS_MAX = 32 };

static void add_variant(struct merge_row *row, const uint64_t digest[2], uint64_t passed,
                        const char *ranges, struct merge_holder holder)
{
    struct merge_variant *it = row->variants;
    while (it && it < row->variants + row->variant_count &&
           (it->digest[0] != digest[0] || it->digest[1] != digest[1] || it->passed != passed))
        it++;
    if (it == row->variants + row->variant_count) {
        HEAP_ROOM(row->variants, row->variant_count);
        it = &row->variants[row->variant_count++];
        *it = (struct merge_variant){
            .digest = {digest[0], digest[1]}, .passed = passed, .ranges = heap_text(ranges)};
    }
    if (it->count++ < HOLDERS_MAX) {
        HEAP_ROOM(it->holders, it->holder_count);
        it->holders[it->holder_count++] = holder;
    }
}

static uint16_t range_digest(const char *digits)
{
    char own[RANGE_DIGITS + 1];
    memcpy(own, digits, RANGE_DIGITS);
    own[RANGE_DIGITS] = 0;
    return (uint16_t)strtoul(own, NULL, 16);
}

static void add_sum(struct merge_row *row, const struct line_bits *line, const uint64_t digest[2],
                    const char *ranges)
{
    uint64_t counts[VERDICT_COUNT] = {0};
    line_counts(&line->counts, counts);
    for (int verdict = 0; verdict < VERDICT_COUNT; verdict++)
        row->counts[verdict] += counts[verdict];
    digest_add(row->digest, digest);
    for (size_t range = 0; range < strlen(ranges) / RANGE_DIGITS; range++) {
        if (range == row->range_count) {
            HEAP_ROOM(row->ranges, row->range_count);
            row->ranges[row->range_count++] = 0;
        }
        row->ranges[range] =
            (uint16_t)(row->ranges[range] + range_digest(ranges + range * RANGE_DIGITS));
    }
}

static void add_apart(struct merge *merge, const struct merge_apart *apart)
{
    HEAP_ROOM(merge->apart, merge->apart_count);
    merge->apart[merge->apart_count++] = *apart;
}

const struct merge_variant *merge_row_most(const struct merge_row *row)
{
    const struct merge_variant *most = row->variants;
    for (size_t index = 1; index < row->variant_count; index++)
        if (row->variants[index].count > most->count)
            most = &row->variants[index];
    return most;
}

/* Names those that have another digest of a row than most. Of two that as many have, both are
 * named. */
static void compare_variants(struct merge *merge, struct merge_row *row, uint64_t planned)
{
    const struct merge_variant *most = merge_row_most(row);
    for (size_t index = 0; index < row->variant_count; index++) {
        const struct merge_variant *it = &row->variants[index];
        const struct merge_variant *other = most;
        for (size_t next = 0; it == most && next < row->variant_count; next++)
            if (next != index && row->variants[next].count == it->count)
                other = &row->variants[next];
        if (other == it)
            continue;
        struct merge_apart apart = {.kernel = row->kernel, .path = row->path};
        char cases[RANGES_TEXT_BYTES];
        apart.verdict = it->passed == other->passed ? VERDICT_FAIL : VERDICT_INCONCLUSIVE;
        ranges_apart(other->ranges, it->ranges, planned, cases);
        if (it->passed == other->passed)
            snprintf(apart.what, sizeof apart.what, "other bits than %s%s%s",
                     NUMBER_COUNT(other->count, "other"), cases[0] ? ", in " : "", cases);
        else
            snprintf(apart.what, sizeof apart.what, "%s passed, and %s of %s",
                     NUMBER_COUNT(it->passed, "check"), NUMBER_WHOLE(other->passed),
                     NUMBER_COUNT(other->count, "other"));
        for (size_t holder = 0; holder < it->holder_count; holder++) {
            apart.file = it->holders[holder].file;
            memcpy(apart.device, it->holders[holder].device, sizeof apart.device);
            add_apart(merge, &apart);
        }
    }
}

/* A line of bits: the first device of a shard is summed up, and the others must have the same. */
static void add_bits(struct merge *merge, struct merge_plan *plan, size_t file,
                     const struct loaded_record *record, const struct line_bits *line)
{
    struct merge_row *row = find_row(plan, &line->subject);
    const char *ranges = loaded_ranges(record, line);
    uint64_t counts[VERDICT_COUNT] = {0}, digest[2] = {0};
    struct merge_holder holder = {.file = file};
    snprintf(holder.device, sizeof holder.device, "%s", line->subject.device);
    line_counts(&line->counts, counts);
    for (int verdict = 0; verdict < VERDICT_COUNT; verdict++)
        plan->checks += verdict_was_due((enum verdict)verdict) ? counts[verdict] : 0;
    if (strlen(line->xxh3_128) == 32) {
        char high[17];
        snprintf(high, sizeof high, "%.16s", line->xxh3_128);
        digest[1] = strtoull(high, NULL, 16);
        digest[0] = strtoull(line->xxh3_128 + 16, NULL, 16);
    }
    row->is_left_out = row->is_left_out || line->left_out;
    row->is_declined = row->is_declined || (line->counts.declined > 0 && !line->left_out);
    if (row->reason == NULL && line->reason[0])
        row->reason = heap_text(line->reason);
    const bool is_first = row->last_file != file;
    if (is_first && !plan->shard.is_same) {
        compare_variants(merge, row, plan->cases);
        free_variants(row);
    }
    if (is_first && (!plan->shard.is_same || row->last_file == SIZE_MAX))
        add_sum(row, line, digest, ranges);
    row->last_file = file;
    if (line->verdict == VERDICT_PASS) /* else the file's own verdict says it */
        add_variant(row, digest, line->counts.passed, ranges, holder);
}

static void add_programs(struct merge_plan *plan, size_t file, const struct line_programs *line)
{
    struct merge_programs *row = plan->programs_rows;
    while (row && row < plan->programs_rows + plan->programs_count &&
           strcmp(row->path, line->path) != 0)
        row++;
    if (row == plan->programs_rows + plan->programs_count) {
        HEAP_ROOM(plan->programs_rows, plan->programs_count);
        row = &plan->programs_rows[plan->programs_count++];
        *row = (struct merge_programs){.path = heap_text(line->path), .last_file = SIZE_MAX};
    }
    if (row->last_file != file && (!plan->shard.is_same || row->last_file == SIZE_MAX)) {
        row->planned += line->planned;
        row->right += line->counts.passed + line->known;
    }
    row->last_file = file;
}

/* The cases that finished: of the first device, and as many on each. */
static void add_cases(struct merge_plan *plan, struct merge_file *file,
                      const struct loaded_record *record)
{
    const uint64_t first = record->device_count > 0 ? ranges_total(&record->finished[0]) : 0;
    const uint64_t due = plan->shard.is_same ? record->header->cases_planned : first;
    plan->cases = record->header->cases_planned;
    for (size_t device = 0; device < record->device_count; device++) {
        const uint64_t cases = ranges_total(&record->finished[device]);
        char why[128];
        snprintf(why, sizeof why, "%.16s finished %s of %s", record->devices[device],
                 NUMBER_WHOLE(cases), NUMBER_COUNT(due, "case"));
        if (cases < due)
            worsen(file, VERDICT_INCONCLUSIVE, why);
    }
    for (size_t index = 0; !plan->shard.is_same && first > 0 && index < record->finished[0].count;
         index++)
        ranges_add(&plan->finished, record->finished[0].items[index].first,
                   record->finished[0].items[index].last);
}

static void add_record(struct merge *merge, struct merge_plan *plan, size_t file,
                       const struct loaded_record *record)
{
    const struct loaded_lines *bits = &record->kinds[RECORD_bits],
                              *programs = &record->kinds[RECORD_programs];
    if (loaded_shard(record).count == 0)
        return;
    const uint64_t planned = record->header->cases_planned;
    if (assess_is_of_programs(record) && plan->programs == 0)
        plan->programs = planned;
    else if (assess_is_of_programs(record) && plan->programs != planned)
        worsen(&merge->files[file], VERDICT_INCONCLUSIVE, "it has another number of programs");
    if (!assess_is_of_programs(record))
        add_cases(plan, &merge->files[file], record);
    for (size_t index = 0; index < bits->held; index++)
        add_bits(merge, plan, file, record, LINE_AS(bits, bits->each[index]));
    for (size_t index = 0; index < programs->held; index++)
        add_programs(plan, file, LINE_AS(programs, programs->each[index]));
}

/* The shard of a file; count 0 without one, or with several. */
static struct shard shard_of(const struct loaded *loaded)
{
    struct shard ret = {.count = 0};
    for (size_t index = 0; index < loaded->count; index++) {
        const struct shard shard = loaded_shard(&loaded->records[index]);
        if (ret.count > 0 && shard.count > 0 &&
            (shard.number != ret.number || shard.count != ret.count ||
             shard.is_same != ret.is_same))
            return (struct shard){.count = 0};
        ret = shard.count > 0 ? shard : ret;
    }
    return ret;
}

/* Names the earlier file of its shard. */
static void refuse_twice(const struct merge *merge, struct merge_file *file)
{
    const struct merge_file *other = merge->files;
    char why[512];
    while (other->fault != MERGE_COUNTED || other->plan != file->plan ||
           other->shard.number != file->shard.number)
        other++;
    snprintf(why, sizeof why, "this shard is in %.400s, too", other->path);
    refuse_file(file, MERGE_TWICE, why);
}

/* What is kept of a file that is a record. */
static void add_loaded(struct merge *merge, struct loaded *loaded)
{
    enum { FAILING_KEPT = 64 };
    const size_t file_index = merge->file_count - 1;
    struct merge_file *file = &merge->files[file_index];
    struct assessment own;
    for (size_t index = 0; index < loaded->count; index++)
        loaded->records[index].is_merged = true;
    assess_records(loaded, &own);
    file->verdict = own.verdict;
    file->why = heap_text(own.verdict == VERDICT_PASS ? "" : own.reason);
    file->host = heap_text(loaded->records[0].header->host);
    file->shard = shard_of(loaded);
    for (size_t device = 0; device < loaded->records[0].device_count; device++)
        file->gpus += device_kind_of(loaded->records[0].devices[device])->is_gpu &&
                      device_is_single(loaded->records[0].devices[device]);
    if (verdict_is_failure(own.verdict) && merge->failing++ < FAILING_KEPT)
        keep_failures(loaded, file);
    if (file->shard.count == 0) {
        refuse_file(file, MERGE_WHOLE, "its plan was not divided by --shard, or in several ways");
        return;
    }
    file->plan = find_plan(merge, plan_key(loaded), &file->shard);
    struct merge_plan *plan = &merge->plans[file->plan];
    const uint32_t bit = file->shard.number - 1;
    if (plan->numbers[bit / 8] >> bit % 8 & 1) {
        refuse_twice(merge, file);
        return;
    }
    plan->numbers[bit / 8] = (unsigned char)(plan->numbers[bit / 8] | 1u << bit % 8);
    plan->file_count++;
    for (size_t index = 0; index < loaded->count; index++)
        add_record(merge, plan, file_index, &loaded->records[index]);
}

void merge_add(struct merge *merge, const char *path)
{
    struct loaded *loaded = heap_take(1, sizeof *loaded);
    struct reason reason = {.text = "it has no record"};
    HEAP_ROOM(merge->files, merge->file_count);
    merge->files[merge->file_count++] =
        (struct merge_file){.path = path, .verdict = VERDICT_INCONCLUSIVE};
    if (loaded_add(loaded, path, &reason) && loaded->count > 0)
        add_loaded(merge, loaded);
    else
        refuse_file(&merge->files[merge->file_count - 1], MERGE_UNREAD, reason.text);
    loaded_close(loaded);
    free(loaded);
}

/* The verdict. */

enum verdict merge_row_verdict(const struct merge_row *row)
{
    return verdict_of_counts(row->counts);
}

/* Adds a phrase to the reason, and joins its verdict. */
__attribute__((format(printf, 3, 4))) static void hold(struct merge *merge, enum verdict verdict,
                                                       const char *format, ...)
{
    char text[512];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    text_join(merge->reason, sizeof merge->reason, "; ", "%s", text);
    merge->verdict = verdict_of_whole(verdict_join(merge->verdict, verdict));
}

static void find_lost(struct merge *merge)
{
    const struct merge_plan *plan = merge->plan;
    for (uint32_t bit = 0; bit < plan->shard.count; bit++) {
        if (plan->numbers[bit / 8] >> bit % 8 & 1)
            continue;
        struct range *last = merge->lost_count > 0 ? &merge->lost[merge->lost_count - 1] : NULL;
        merge->lost_shards++;
        if (last && last->last == bit) {
            last->last++;
            continue;
        }
        HEAP_ROOM(merge->lost, merge->lost_count);
        merge->lost[merge->lost_count++] = (struct range){bit + 1, bit + 1};
    }
}

/* Files that are of the plan count, with their verdicts; failures of any other count as well. */
static void judge_files(struct merge *merge)
{
    static const char *const words[MERGE_FAULTS] = {[MERGE_UNREAD] = "cannot be read",
                                                    [MERGE_WHOLE] = "is no shard",
                                                    [MERGE_OTHER] = "is of another plan",
                                                    [MERGE_TWICE] = "has a shard that another has"};
    static const char *const many[MERGE_FAULTS] = {[MERGE_UNREAD] = "cannot be read",
                                                   [MERGE_WHOLE] = "are no shards",
                                                   [MERGE_OTHER] = "are of other plans",
                                                   [MERGE_TWICE] = "have shards that others have"};
    size_t faults[MERGE_FAULTS] = {0}, verdicts[VERDICT_COUNT] = {0};
    const struct merge_file *firsts[VERDICT_COUNT] = {NULL};
    for (struct merge_file *file = merge->files; file < merge->files + merge->file_count; file++) {
        const bool is_shard = file->fault == MERGE_COUNTED || file->fault == MERGE_TWICE;
        if (is_shard && &merge->plans[file->plan] != merge->plan) {
            char *other = words_of_other(merge->plans[file->plan].key, merge->plan->key);
            refuse_file(file, MERGE_OTHER, other);
            free(other);
        }
        faults[file->fault]++;
        if (file->fault == MERGE_COUNTED) {
            merge->counted++;
            merge->gpus += file->gpus;
        } else if (!verdict_is_failure(file->verdict)) {
            continue;
        }
        if (verdicts[file->verdict]++ == 0)
            firsts[file->verdict] = file;
    }
    static const struct {
        enum verdict verdict;
        const char *one, *many;
    } rows[] = {{VERDICT_FAIL, "fails", "fail"},
                {VERDICT_ERROR, "is in error", "are in error"},
                {VERDICT_INCONCLUSIVE, "is inconclusive", "are inconclusive"},
                {VERDICT_SKIP, "has nothing checked", "have nothing checked"}};
    for (size_t row = 0; row < sizeof rows / sizeof rows[0]; row++) {
        const size_t count = verdicts[rows[row].verdict];
        const struct merge_file *first = firsts[rows[row].verdict];
        if (count > 0)
            hold(merge, rows[row].verdict, "%s %s: %.100s%s%.200s", NUMBER_COUNT(count, "file"),
                 count == 1 ? rows[row].one : rows[row].many, first->path,
                 first->why[0] ? ": " : "", first->why);
    }
    for (int fault = MERGE_COUNTED + 1; fault < MERGE_FAULTS; fault++)
        if (faults[fault] > 0)
            hold(merge, VERDICT_INCONCLUSIVE, "%s %s", NUMBER_COUNT(faults[fault], "file"),
                 faults[fault] == 1 ? words[fault] : many[fault]);
    if (verdicts[VERDICT_PASS] > 0)
        merge->verdict = verdict_join(merge->verdict, VERDICT_PASS);
}

/* Rows that no shard has checked, and what of the plan is in no record. */
static void judge_plan(struct merge *merge)
{
    struct merge_plan *plan = merge->plan;
    size_t unchecked = 0;
    const struct merge_row *first = NULL;
    for (struct merge_row *row = plan->rows; row < plan->rows + plan->row_count; row++) {
        const bool is_left_out = row->is_left_out && !row->is_declined;
        const bool is_unchecked = merge_row_verdict(row) == VERDICT_SKIP && !is_left_out;
        first = is_unchecked && unchecked == 0 ? row : first;
        unchecked += is_unchecked;
        compare_variants(merge, row, plan->cases);
    }
    if (unchecked > 0)
        hold(merge, VERDICT_INCONCLUSIVE, "not checked by any shard: %s through %s%s%s",
             first->kernel, first->path, unchecked > 1 ? " and " : "",
             unchecked > 1 ? NUMBER_COUNT(unchecked - 1, "more row") : "");
    const bool is_disjoint = ranges_settle(&plan->finished);
    merge->cases = plan->shard.is_same ? plan->cases : ranges_total(&plan->finished);
    if (!is_disjoint)
        hold(merge, VERDICT_INCONCLUSIVE, "a case is in two shards");
    /* What is lost or cut short explains it. */
    if (merge->cases < plan->cases && merge->verdict == VERDICT_PASS)
        hold(merge, VERDICT_INCONCLUSIVE, "%s of the plan finished in no shard",
             NUMBER_COUNT(plan->cases - merge->cases, "case"));
    for (size_t index = 0; index < plan->programs_count; index++) {
        const struct merge_programs *row = &plan->programs_rows[index];
        if (row->planned < plan->programs && merge->verdict == VERDICT_PASS)
            hold(merge, VERDICT_INCONCLUSIVE, "%s through %s are in no shard",
                 NUMBER_COUNT(plan->programs - row->planned, "program"), row->path);
    }
}

bool merge_judge(struct merge *merge, struct reason *ret_reason)
{
    for (size_t index = 0; index < merge->plan_count; index++)
        if (merge->plan == NULL || merge->plans[index].file_count > merge->plan->file_count)
            merge->plan = &merge->plans[index];
    if (merge->plan == NULL)
        return reason_set(ret_reason, REASON_INPUT, "no file is a shard: %.400s%s%.80s",
                          merge->files[0].fault == MERGE_UNREAD ? "" : merge->files[0].path,
                          merge->files[0].fault == MERGE_UNREAD ? "" : ": ", merge->files[0].why);
    merge->verdict = VERDICT_DECLINED;
    judge_files(merge);
    find_lost(merge);
    if (merge->lost_shards > 0)
        hold(merge, VERDICT_INCONCLUSIVE, "%s of %" PRIu32 " lost",
             NUMBER_COUNT(merge->lost_shards, "shard"), merge->plan->shard.count);
    judge_plan(merge);
    size_t apart[VERDICT_COUNT] = {0};
    for (size_t index = 0; index < merge->apart_count; index++)
        apart[merge->apart[index].verdict]++;
    if (apart[VERDICT_FAIL] > 0)
        hold(merge, VERDICT_FAIL, "%s unlike most", NUMBER_COUNT(apart[VERDICT_FAIL], "digest"));
    if (apart[VERDICT_INCONCLUSIVE] > 0)
        hold(merge, VERDICT_INCONCLUSIVE, "%s of other checks than most",
             NUMBER_COUNT(apart[VERDICT_INCONCLUSIVE], "digest"));
    return true;
}

void merge_close(struct merge *merge)
{
    for (struct merge_file *file = merge->files; file < merge->files + merge->file_count; file++) {
        free(file->host);
        free(file->why);
        free(file->failures);
        json_decref(file->failed);
    }
    for (struct merge_plan *plan = merge->plans; plan < merge->plans + merge->plan_count; plan++) {
        for (struct merge_row *row = plan->rows; row < plan->rows + plan->row_count; row++) {
            free_variants(row);
            free(row->kernel);
            free(row->path);
            free(row->reason);
            free(row->ranges);
        }
        for (size_t row = 0; row < plan->programs_count; row++)
            free(plan->programs_rows[row].path);
        ranges_free(&plan->finished);
        free(plan->programs_rows);
        free(plan->rows);
        free(plan->numbers);
        free(plan->key);
    }
    free(merge->files);
    free(merge->plans);
    free(merge->lost);
    free(merge->apart);
    free(merge);
}
