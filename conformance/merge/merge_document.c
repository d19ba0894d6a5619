/* A merge as a document (merge.h). Nothing of one that does not pass says PASS of cases that no
 * shard has finished. Clauses: shard.merge.formats, shard.merge.named. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "conformance/base/text.h"
#include "conformance/merge/merge.h"

/* Adds a part: in a merge that does not pass, none does. */
static struct document_part *add_part(struct document *ret, const struct merge *merge,
                                      const char *name, enum verdict own, const char *words)
{
    const enum verdict whole = merge->verdict == VERDICT_PASS ? VERDICT_PASS : VERDICT_INCONCLUSIVE;
    const enum verdict verdict = verdict_of_whole(verdict_join(own, whole));
    return document_part(ret, name, verdict, verdict == VERDICT_PASS ? "" : merge->reason, words);
}

/* The commands that run the first failures of a file again. */
enum { COMMANDS_MAX = 8 };
static size_t commands_of(const struct merge_file *file, struct document_pair pairs[COMMANDS_MAX])
{
    size_t count = 0;
    for (size_t index = 0; index < json_array_size(file->failed) && count < COMMANDS_MAX; index++) {
        const json_t *line = json_array_get(file->failed, index);
        const char *replay = json_string_value(json_object_get(line, "replay"));
        if (replay && replay[0])
            pairs[count++] = (struct document_pair){.name = "replay", .text = replay};
    }
    return count;
}

static enum verdict verdict_of_file(const struct merge_file *it)
{
    return it->fault == MERGE_COUNTED ? it->verdict
                                      : verdict_join(it->verdict, VERDICT_INCONCLUSIVE);
}

/* A check of a file; a finding, if it is not PASS. */
static void add_file(struct document *ret, const struct merge_file *it)
{
    const enum verdict verdict = verdict_of_file(it);
    char who[MERGE_WHO_BYTES];
    struct document_pair pairs[COMMANDS_MAX];
    struct document_finding finding = {.verdict = verdict, .pairs = pairs};
    finding.what = document_text(ret, "%s", merge_who(it, who));
    finding.how = it->why;
    finding.row =
        document_check(ret, &(struct document_check){
                                .name = it->fault == MERGE_COUNTED
                                            ? document_text(ret, "shard %" PRIu32, it->shard.number)
                                            : it->path,
                                .note = it->why,
                                .verdict = verdict});
    if (verdict == VERDICT_PASS)
        return;
    finding.sort = verdict_is_failure(verdict) ? DOCUMENT_FAILURE : DOCUMENT_UNDECIDED;
    finding.advice = advice_of(verdict);
    if (it->failures)
        finding.advice.action = it->action;
    finding.pair_count = commands_of(it, pairs);
    document_finding(ret, &finding);
}

static void add_shards(struct document *ret, const struct merge *merge)
{
    const uint32_t count = merge->plan->shard.count;
    enum verdict verdict = VERDICT_DECLINED;
    for (size_t index = 0; index < merge->file_count; index++)
        verdict = verdict_join(verdict, verdict_of_file(&merge->files[index]));
    add_part(ret, merge, "shards", verdict,
             document_text(ret, "%s of %s%s", NUMBER_WHOLE(merge->counted),
                           NUMBER_COUNT(count, "shard"),
                           merge->plan->shard.is_same ? " (same cases)" : ""));
    for (size_t index = 0; index < merge->file_count; index++)
        add_file(ret, &merge->files[index]);
    for (size_t index = 0; index < merge->lost_count; index++) {
        const struct range *it = &merge->lost[index];
        char to[32] = "";
        if (it->last > it->first)
            snprintf(to, sizeof to, " to %" PRIu64, it->last);
        document_finding(ret, &(struct document_finding){
                                  .what = document_text(ret, "shard %" PRIu64 "%s of %" PRIu32,
                                                        it->first, to, count),
                                  .how = "lost: no file has it",
                                  .verdict = VERDICT_INCONCLUSIVE,
                                  .sort = DOCUMENT_UNDECIDED,
                                  .advice = advice_of(VERDICT_INCONCLUSIVE)});
    }
}

/* A GPU that is unlike most, of that row. */
static bool is_apart(const struct merge_apart *it, const struct merge_row *row)
{
    return strcmp(it->kernel, row->kernel) == 0 && strcmp(it->path, row->path) == 0;
}

static void add_apart(struct document *ret, const struct merge *merge, const struct merge_apart *it,
                      size_t check)
{
    char who[MERGE_WHO_BYTES];
    document_finding(
        ret, &(struct document_finding){
                 .row = check,
                 .what = document_text(ret, "%s through %s on %s of %s", it->kernel, it->path,
                                       it->device, merge_who(&merge->files[it->file], who)),
                 .how = it->what,
                 .verdict = it->verdict,
                 .sort = it->verdict == VERDICT_FAIL ? DOCUMENT_FAILURE : DOCUMENT_UNDECIDED,
                 .advice = advice_of(it->verdict)});
}

/* A check for each kernel through each code path, over all shards. */
static void add_bits(struct document *ret, const struct merge *merge)
{
    const struct merge_plan *plan = merge->plan;
    const bool is_whole = merge->cases >= plan->cases;
    enum verdict verdict = is_whole ? VERDICT_DECLINED : VERDICT_INCONCLUSIVE;
    const char *finished = document_text(ret, "%s of %s finished", NUMBER_WHOLE(merge->cases),
                                         NUMBER_COUNT(plan->cases, "case"));
    for (size_t index = 0; index < merge->apart_count; index++)
        verdict = verdict_join(verdict, merge->apart[index].verdict);
    add_part(ret, merge, "bits", verdict, finished);
    for (size_t index = 0; index < plan->row_count; index++) {
        const struct merge_row *row = &plan->rows[index];
        struct document_check check = {.verdict = merge_row_verdict(row)};
        check.name = document_text(ret, "%s %s", row->kernel, row->path);
        check.note = row->reason;
        if (!is_whole && check.verdict == VERDICT_PASS) {
            check.verdict = VERDICT_INCONCLUSIVE;
            check.note = finished;
        }
        for (size_t at = 0; at < merge->apart_count; at++)
            if (is_apart(&merge->apart[at], row))
                check.verdict = verdict_join(check.verdict, merge->apart[at].verdict);
        const size_t own = document_check(ret, &check);
        for (size_t at = 0; at < merge->apart_count; at++)
            if (is_apart(&merge->apart[at], row))
                add_apart(ret, merge, &merge->apart[at], own);
    }
}

/* Programs that are not right may be known miscompiles: their shard says so. */
static void add_programs(struct document *ret, const struct merge *merge)
{
    const struct merge_plan *plan = merge->plan;
    add_part(ret, merge, "programs", VERDICT_PASS, NUMBER_COUNT(plan->programs, "program"));
    for (size_t index = 0; index < plan->programs_count; index++) {
        const struct merge_programs *it = &plan->programs_rows[index];
        const bool passes = merge->verdict == VERDICT_PASS ||
                            (it->planned >= plan->programs && it->right == it->planned);
        document_check(ret,
                       &(struct document_check){
                           .name = document_text(ret, "programs %s", it->path),
                           .note = document_text(ret, "%s of %s right", NUMBER_WHOLE(it->right),
                                                 NUMBER_COUNT(plan->programs, "program")),
                           .verdict = passes ? VERDICT_PASS : VERDICT_INCONCLUSIVE});
    }
}

/* The host of all files, or how many there are. */
static const char *host_of(struct document *ret, const struct merge *merge)
{
    json_t *hosts = json_object();
    const char *host = "";
    for (size_t index = 0; index < merge->file_count; index++)
        if (merge->files[index].host && merge->files[index].host[0]) {
            host = merge->files[index].host;
            json_object_set_new_nocheck(hosts, host, json_true());
        }
    const size_t count = json_object_size(hosts);
    json_decref(hosts);
    return count > 1 ? document_text(ret, "%s", NUMBER_COUNT(count, "host")) : host;
}

void merge_document(struct document *ret, const struct merge *merge)
{
    document_begin(ret, "merge");
    ret->verdict = merge->verdict;
    ret->reason = merge->reason[0] ? merge->reason
                                   : document_text(ret, "%s of %s", NUMBER_WHOLE(merge->counted),
                                                   NUMBER_COUNT(merge->plan->shard.count, "shard"));
    ret->host = host_of(ret, merge);
    ret->started = time(NULL); /* its records' own are many */
    ret->gpu_count = merge->gpus;
    ret->has_gpu = merge->gpus > 0;
    add_shards(ret, merge);
    if (merge->plan->row_count > 0)
        add_bits(ret, merge);
    if (merge->plan->programs_count > 0)
        add_programs(ret, merge);
    document_finish(ret);
}
