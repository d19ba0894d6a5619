/* Summing up what was reached, and saying it (coverage.h). */
#include "conformance/bits/coverage.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "conformance/base/number.h"
#include "conformance/record/record_fields.h"
#include "conformance/bits/run.h"

/* One kernel through one code path. */
struct reached {
    const char *kernel, *path;
    uint64_t launches, full_launches, empty;
    int sms;
};

static bool has_path(const char *paths, const char *path)
{
    char listed[COVERAGE_PATHS_BYTES + 4], wanted[COVERAGE_NAME_BYTES];
    snprintf(listed, sizeof listed, ", %s,", paths);
    snprintf(wanted, sizeof wanted, ", %s,", path);
    return strstr(listed, wanted) != NULL;
}

static void add_path(char paths[COVERAGE_PATHS_BYTES], const char *path)
{
    static const char more[] = ", ...";
    const size_t length = strlen(paths);
    if (has_path(paths, path) || has_path(paths, more + 2))
        return;
    const bool fits = length + strlen(path) + 2 + sizeof more <= COVERAGE_PATHS_BYTES;
    snprintf(paths + length, COVERAGE_PATHS_BYTES - length, "%s%s", length ? ", " : "",
             fits ? path : more + 2);
}

/* The kernel whose paths have all been added. */
static void end_kernel(struct coverage *coverage)
{
    if (coverage->last_sms == 0)
        return;
    if (coverage->subjects++ == 0 || coverage->last_sms < coverage->least_sms) {
        coverage->least_sms = coverage->last_sms;
        memcpy(coverage->least, coverage->last, sizeof coverage->least);
    }
    coverage->everywhere += coverage->last_sms >= coverage->sms;
    coverage->last_sms = 0;
}

/* A kernel's paths come one after the other. */
static void add(struct coverage *coverage, const struct reached *it)
{
    coverage->empty += it->empty;
    if (it->launches == 0)
        return;
    coverage->launches += it->launches;
    coverage->full_launches += it->full_launches;
    add_path(coverage->paths, it->path);
    if (it->sms == 0)
        return;
    add_path(coverage->noting, it->path);
    if (strcmp(coverage->last, it->kernel) != 0)
        end_kernel(coverage);
    snprintf(coverage->last, sizeof coverage->last, "%s", it->kernel);
    coverage->last_sms = it->sms > coverage->last_sms ? it->sms : coverage->last_sms;
}

struct coverage coverage_of_run(const struct run *run, int device)
{
    const struct session_device *it = &run->session->devices[device];
    struct coverage coverage = {.is_emulated = device_kind(&it->info)->is_emulated,
                                .sms = it->info.limits.multiprocessor_count,
                                .memory_bytes = it->info.memory_bytes};
    for (int share = 0; share < PLAN_SHARES_MAX; share++) /* at a time, so none is another's */
        coverage.touched_bytes += run->devices[device].shares[share].touched_bytes;
    snprintf(coverage.device, sizeof coverage.device, "%s", it->label);
    for (int index = subject_count(device); index < subject_count(device + 1); index++) {
        const struct tally *row = &run->tally.rows[index];
        const struct subject subject = subject_at(index);
        char name[CATALOG_NAME_BYTES];
        const struct reached reached = {.kernel = catalog_name(subject.kernel, name),
                                        .path = path_name(subject.path),
                                        .launches = row->launches,
                                        .full_launches = row->full_launches,
                                        .empty = row->counts[VERDICT_EMPTY],
                                        .sms = tally_sms(row)};
        add(&coverage, &reached);
    }
    end_kernel(&coverage);
    return coverage;
}

bool coverage_of_summary(const json_t *summary, const char *device, struct coverage *ret)
{
    const json_t *found = NULL, *item;
    size_t index;
    json_array_foreach(field_summary_coverage(summary), index,
                       item) if (strcmp(field_subject_device(item), device) == 0) found = item;
    if (found == NULL)
        return false;
    struct coverage coverage = {.is_emulated = device_kind_of(device)->is_emulated,
                                .sms = (int)field_coverage_sms(found),
                                .memory_bytes = field_coverage_memory_bytes(found),
                                .touched_bytes = field_coverage_touched_bytes(found)};
    snprintf(coverage.device, sizeof coverage.device, "%s", device);
    json_array_foreach(field_summary_rows(summary), index, item)
    {
        const struct reached reached = {.kernel = field_subject_kernel(item),
                                        .path = field_subject_path(item),
                                        .launches = field_row_launches(item),
                                        .full_launches = field_row_full_launches(item),
                                        .empty = field_counts_empty(item),
                                        .sms = (int)field_row_sms(item)};
        if (strcmp(field_subject_device(item), device) == 0)
            add(&coverage, &reached);
    }
    end_kernel(&coverage);
    *ret = coverage;
    return true;
}

/* "412 MiB of 140 GiB" and the share, which is small. */
static void memory_words(const struct coverage *coverage, char *ret_text, size_t text_bytes)
{
    snprintf(ret_text, text_bytes, "%.0f MiB of %.0f GiB of memory (%.2f %%)",
             (double)coverage->touched_bytes / (1 << 20),
             (double)coverage->memory_bytes / (1 << 30),
             coverage->memory_bytes
                 ? 100.0 * (double)coverage->touched_bytes / (double)coverage->memory_bytes
                 : 0.0);
}

static const char *noting_path(void)
{
    int path = 0;
    while (path < path_count() - 1 && !path_row(path)->notes_sms)
        path++;
    return path_name(path);
}

void coverage_words(const struct coverage *coverage, char ret_text[COVERAGE_WORDS_BYTES])
{
    char launches[NUMBER_COUNT_BYTES], empty[NUMBER_COUNT_BYTES], memory[96], sms[2048];
    number_count(coverage->launches, "launch", launches);
    number_whole(coverage->empty, empty);
    if (coverage->is_emulated || coverage->launches == 0) {
        snprintf(ret_text, COVERAGE_WORDS_BYTES, "%s%s, %s checks empty; no SM of a GPU", launches,
                 coverage->launches ? " on the CPU" : "", empty);
        return;
    }
    memory_words(coverage, memory, sizeof memory);
    if (coverage->subjects == 0)
        snprintf(sms, sizeof sms, "SMs unknown: only path %s notes them", noting_path());
    else if (coverage->everywhere == coverage->subjects)
        snprintf(sms, sizeof sms, "every kernel on all %d SMs, noted by %s", coverage->sms,
                 coverage->noting);
    else
        snprintf(sms, sizeof sms, "%d of %d kernels on all %d SMs, the fewest %d (%s), noted by %s",
                 coverage->everywhere, coverage->subjects, coverage->sms, coverage->least_sms,
                 coverage->least, coverage->noting);
    snprintf(ret_text, COVERAGE_WORDS_BYTES,
             "%s through %s, %.1f %% with a block for each SM; %s; %s; %s checks empty", launches,
             coverage->paths, 100.0 * (double)coverage->full_launches / (double)coverage->launches,
             sms, memory, empty);
}
