/* The outcome of a merge, for a terminal and as JSON, and in all other formats (merge.h). Clauses:
 * shard.merge.named, shard.merge.formats. */
#include "conformance/merge/merge.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "conformance/base/heap.h"
#include "conformance/base/text.h"

/* Lines of one sort that a terminal gets; JSON has all. */
enum { SHOWN_MOST = 40 };

static const char *const fault_words[MERGE_FAULTS] = {[MERGE_COUNTED] = "",
                                                      [MERGE_UNREAD] = "unread",
                                                      [MERGE_WHOLE] = "no shard",
                                                      [MERGE_OTHER] = "other",
                                                      [MERGE_TWICE] = "twice"};

/* "1 to 3, 7": the lost shards. */
static void put_lost(FILE *file, const struct merge *merge)
{
    struct written written;
    written_open(&written);
    for (size_t index = 0; index < merge->lost_count && index < SHOWN_MOST; index++) {
        const struct range *it = &merge->lost[index];
        fprintf(written.file, index ? ", %" PRIu64 : "shard %" PRIu64, it->first);
        if (it->last > it->first)
            fprintf(written.file, " to %" PRIu64, it->last);
    }
    if (merge->lost_count > SHOWN_MOST)
        fputs(", ...", written.file);
    fprintf(written.file, " of %" PRIu32, merge->plan->shard.count);
    char *text = written_close(&written);
    if (merge->lost_count > 0)
        escape_row(file, "lost", text);
    free(text);
}

/* Each file that does not pass, its failures after it. */
static void put_files(FILE *file, const struct merge *merge)
{
    size_t shown = 0;
    for (size_t index = 0; index < merge->file_count; index++) {
        const struct merge_file *it = &merge->files[index];
        char name[MERGE_WHO_BYTES], text[2 * MERGE_WHO_BYTES];
        const bool fails = verdict_is_failure(it->verdict);
        if ((it->verdict == VERDICT_PASS && it->fault == MERGE_COUNTED) || shown++ >= SHOWN_MOST)
            continue;
        /* Why a file cannot be read begins with its name. */
        const char *named = it->fault == MERGE_UNREAD ? "" : merge_who(it, name);
        snprintf(text, sizeof text, "%s%s%.400s", named, named[0] && it->why[0] ? ": " : "",
                 it->why);
        escape_row(file,
                   it->fault != MERGE_COUNTED ? fault_words[it->fault] : verdict_name(it->verdict),
                   text);
        if (fails && it->failures)
            fputs(it->failures, file);
    }
    if (shown > SHOWN_MOST)
        fprintf(file, "%-9s %s\n", "...", NUMBER_COUNT(shown - SHOWN_MOST, "more file"));
}

static void put_apart(FILE *file, const struct merge *merge)
{
    for (size_t index = 0; index < merge->apart_count && index < SHOWN_MOST; index++) {
        const struct merge_apart *it = &merge->apart[index];
        char name[MERGE_WHO_BYTES], text[2 * MERGE_WHO_BYTES];
        snprintf(text, sizeof text, "%s, %s: %.80s through %.60s: %s",
                 merge_who(&merge->files[it->file], name), it->device, it->kernel, it->path,
                 it->what);
        escape_row(file, verdict_name(it->verdict), text);
    }
    if (merge->apart_count > SHOWN_MOST)
        fprintf(file, "%-9s %s\n", "...",
                NUMBER_COUNT(merge->apart_count - SHOWN_MOST, "more digest"));
}

/* A kernel's paths come one after the other. */
static size_t count_kernels(const struct merge_plan *plan)
{
    size_t count = 0;
    for (size_t row = 0; row < plan->row_count; row++)
        count += row == 0 || strcmp(plan->rows[row].kernel, plan->rows[row - 1].kernel) != 0;
    return count;
}

/* How many shards and GPUs, and of which plan. */
static void put_plan(FILE *file, const struct merge *merge)
{
    const struct merge_plan *plan = merge->plan;
    char *tier = merge_plan_value(plan, "tier"), *seed = merge_plan_value(plan, "seed"),
         *version = merge_plan_value(plan, "assay"), *commit = merge_plan_value(plan, "commit");
    char text[1024];
    snprintf(text, sizeof text, "%s of %s%s, %s", NUMBER_WHOLE(merge->counted),
             NUMBER_COUNT(plan->shard.count, "shard"), plan->shard.is_same ? " (same cases)" : "",
             merge->gpus > 0 ? NUMBER_COUNT(merge->gpus, "GPU") : "no GPU");
    escape_row(file, "merge", text);
    text[0] = 0;
    if (plan->row_count > 0)
        text_join(text, sizeof text, ", ", "%s", NUMBER_COUNT(plan->cases, "case"));
    if (plan->programs > 0)
        text_join(text, sizeof text, ", ", "%s", NUMBER_COUNT(plan->programs, "program"));
    text_join(text, sizeof text, ", ", "tier %.20s, seed %.20s, assay %.60s, commit %.60s", tier,
              seed, version, commit);
    escape_row(file, "plan", text);
    free(tier);
    free(seed);
    free(version);
    free(commit);
}

static void write_text(struct report *report, const struct merge *merge)
{
    const struct merge_plan *plan = merge->plan;
    FILE *file = report->file;
    char text[1024] = "";
    if (report->is_quiet && merge->verdict == VERDICT_PASS)
        return;
    if (!report->is_quiet)
        put_plan(file, merge);
    put_files(file, merge);
    put_lost(file, merge);
    put_apart(file, merge);
    char *paths = merge_plan_value(plan, "paths");
    if (plan->row_count > 0)
        text_join(text, sizeof text, "; ", "%s of %s, %s of %s through %.300s",
                  NUMBER_WHOLE(merge->cases), NUMBER_COUNT(plan->cases, "case"),
                  NUMBER_COUNT(plan->checks, "check"), NUMBER_COUNT(count_kernels(plan), "kernel"),
                  paths);
    for (size_t index = 0; index < plan->programs_count; index++)
        text_join(text, sizeof text, "; ", "%s of %s right through %.60s",
                  NUMBER_WHOLE(plan->programs_rows[index].right),
                  NUMBER_COUNT(plan->programs, "program"), plan->programs_rows[index].path);
    fprintf(file, "\n%s  ", verdict_name(merge->verdict));
    escape_line(file, text, sizeof text);
    fputs(merge->reason[0] ? ": " : "", file);
    escape_line(file, merge->reason, sizeof merge->reason);
    fprintf(file, "%s\n", merge->gpus > 0 ? "" : "; no GPU was checked");
    free(paths);
}

/* JSON. */

static json_t *number_of(uint64_t value)
{
    return json_integer((json_int_t)value);
}

static json_t *json_of_file(const struct merge_file *it)
{
    json_t *object = json_pack("{s:o, s:s, s:o}", "file", value_of_text(it->path), "verdict",
                               verdict_name(it->verdict), "gpus", number_of(it->gpus));
    if (it->fault != MERGE_COUNTED)
        json_object_set_new(object, "fault", value_of_text(fault_words[it->fault]));
    if (it->shard.count > 0)
        json_object_set_new(object, "shard", number_of(it->shard.number));
    if (it->host && it->host[0])
        json_object_set_new(object, "host", value_of_text(it->host));
    if (it->why[0])
        json_object_set_new(object, "why", value_of_text(it->why));
    if (it->failed)
        json_object_set(object, "failures", it->failed);
    return object;
}

static json_t *json_of_row(const struct merge_row *row, bool is_same)
{
    const struct merge_variant *most = merge_row_most(row);
    const uint64_t *digest = is_same && most ? most->digest : row->digest;
    char text[40], range[RANGE_DIGITS + 1];
    struct written written;
    snprintf(text, sizeof text, "%016" PRIx64 "%016" PRIx64, digest[1], digest[0]);
    written_open(&written);
    for (size_t index = 0; index < row->range_count && !is_same; index++) {
        snprintf(range, sizeof range, "%04x", row->ranges[index]);
        fputs(range, written.file);
    }
    if (is_same && most)
        fputs(most->ranges, written.file);
    char *ranges = written_close(&written);
    json_t *object =
        json_pack("{s:o, s:o, s:s, s:s, s:o}", "kernel", value_of_text(row->kernel), "path",
                  value_of_text(row->path), "verdict", verdict_name(merge_row_verdict(row)),
                  "xxh3_128", text, "ranges", value_of_text(ranges));
    free(ranges);
    for (int verdict = 0; verdict < VERDICT_COUNT; verdict++)
        if (row->counts[verdict] > 0 || verdict == VERDICT_PASS)
            json_object_set_new(object, verdict_counts_key((enum verdict)verdict),
                                number_of(row->counts[verdict]));
    return object;
}

static json_t *json_of_plan(const struct merge_plan *plan)
{
    static const char *const names[] = {"assay", "commit", "tier", "seed", "paths", "kernels"};
    json_t *object = json_pack("{s:o, s:o, s:o, s:b}", "cases", number_of(plan->cases), "programs",
                               number_of(plan->programs), "shards", number_of(plan->shard.count),
                               "same", plan->shard.is_same);
    for (size_t index = 0; index < sizeof names / sizeof names[0]; index++) {
        char *value = merge_plan_value(plan, names[index]);
        json_object_set_new(object, names[index], value_of_text(value));
        free(value);
    }
    return object;
}

static void write_json(struct report *report, const struct merge *merge)
{
    const struct merge_plan *plan = merge->plan;
    json_t *lost = json_array(), *files = json_array(), *apart = json_array(), *bits = json_array(),
           *programs = json_array();
    for (size_t index = 0; index < merge->lost_count; index++)
        for (uint64_t shard = merge->lost[index].first; shard <= merge->lost[index].last; shard++)
            json_array_append_new(lost, number_of(shard));
    for (size_t index = 0; index < merge->file_count; index++)
        json_array_append_new(files, json_of_file(&merge->files[index]));
    for (size_t index = 0; index < merge->apart_count; index++) {
        const struct merge_apart *it = &merge->apart[index];
        json_array_append_new(apart, json_pack("{s:o, s:s, s:o, s:o, s:s, s:s}", "file",
                                               value_of_text(merge->files[it->file].path), "device",
                                               it->device, "kernel", value_of_text(it->kernel),
                                               "path", value_of_text(it->path), "verdict",
                                               verdict_name(it->verdict), "what", it->what));
    }
    for (size_t index = 0; index < plan->row_count; index++)
        json_array_append_new(bits, json_of_row(&plan->rows[index], plan->shard.is_same));
    for (size_t index = 0; index < plan->programs_count; index++)
        json_array_append_new(programs,
                              json_pack("{s:o, s:o, s:o}", "path",
                                        value_of_text(plan->programs_rows[index].path), "planned",
                                        number_of(plan->programs_rows[index].planned), "right",
                                        number_of(plan->programs_rows[index].right)));
    json_t *root = json_pack(
        "{s:s, s:i, s:s, s:i, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o, s:o}", "merge", "assay",
        "version", 1, "verdict", verdict_name(merge->verdict), "exit_status",
        (int)verdict_exit_status(merge->verdict), "reason", value_of_text(merge->reason), "plan",
        json_of_plan(plan), "counted", number_of(merge->counted), "gpus", number_of(merge->gpus),
        "cases", number_of(merge->cases), "checks", number_of(plan->checks), "lost", lost, "files",
        files, "apart", apart, "bits", bits);
    json_object_set_new(root, "programs", programs);
    json_dumpf(root, report->file, VALUE_WRITTEN);
    fputc('\n', report->file);
    json_decref(root);
}

void merge_write(struct report *report, enum output_format format, const struct merge *merge)
{
    static void (*const own[FORMAT_COUNT])(struct report *, const struct merge *) = {
        [FORMAT_TEXT] = write_text, [FORMAT_JSON] = write_json};
    struct document document;
    if (own[format]) {
        own[format](report, merge);
        return;
    }
    merge_document(&document, merge);
    reporters[format]->end(report, &document);
    document_close(&document);
}
