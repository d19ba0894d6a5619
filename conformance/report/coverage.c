/* The words of a device's coverage (coverage.h). Clauses: runner.coverage.sms,
 * runner.coverage.reported. */
#include "conformance/report/coverage.h"

#include <stdio.h>
#include <string.h>

#include "conformance/base/text.h"
#include "conformance/model/device_info.h"
#include "conformance/model/path.h"

enum { COVERAGE_NAME_BYTES = 128, COVERAGE_PATHS_BYTES = 1024 };

/* The coverage of one device. */
struct coverage {
    int sms;                         /* that the device has */
    uint64_t launches;               /* of kernels under test */
    uint64_t full_launches;          /* with at least as many blocks as SMs */
    uint64_t empty;                  /* cases that left a kernel nothing to do */
    int subjects;                    /* kernels that noted an SM, through any of their paths */
    int unnoted;                     /* kernels that were launched and noted none */
    int everywhere;                  /* of those that did, how many ran a block on every SM */
    int least_sms;                   /* on how many SMs the one that reached fewest ran a block */
    char least[COVERAGE_NAME_BYTES]; /* which that is */
    char last[COVERAGE_NAME_BYTES];  /* the kernel that is summed up, and on how many SMs it ran */
    int last_sms;
    /* Those that were launched, and those of them whose code notes its SMs: "sass, ptx"; the last
     * is "..." where there are more. */
    char paths[COVERAGE_PATHS_BYTES], noting[COVERAGE_PATHS_BYTES];
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
    if (has_path(paths, path) || has_path(paths, more + 2))
        return;
    const bool fits = strlen(paths) + strlen(path) + 2 + sizeof more <= COVERAGE_PATHS_BYTES;
    text_list(paths, COVERAGE_PATHS_BYTES, ", ", fits ? path : more + 2);
}

/* The kernel whose paths have all been added. */
static void end_kernel(struct coverage *coverage)
{
    coverage->unnoted += coverage->last[0] && coverage->last_sms == 0;
    if (coverage->last_sms == 0)
        return;
    if (coverage->subjects++ == 0 || coverage->last_sms < coverage->least_sms) {
        coverage->least_sms = coverage->last_sms;
        memcpy(coverage->least, coverage->last, sizeof coverage->least);
    }
    coverage->everywhere += coverage->last_sms >= coverage->sms;
    coverage->last_sms = 0;
}

/* A line of bits; a kernel's paths come one after the other. */
static void add(struct coverage *coverage, const struct line_bits *row)
{
    const int sms = (int)row->sms;
    coverage->empty += row->counts.empty;
    if (line_launches(row) == 0)
        return;
    coverage->launches += line_launches(row);
    coverage->full_launches += row->full_launches.count;
    add_path(coverage->paths, row->subject.path);
    if (sms > 0)
        add_path(coverage->noting, row->subject.path);
    if (strcmp(coverage->last, row->subject.kernel) != 0)
        end_kernel(coverage);
    snprintf(coverage->last, sizeof coverage->last, "%s", row->subject.kernel);
    coverage->last_sms = sms > coverage->last_sms ? sms : coverage->last_sms;
}

bool coverage_words(const struct line_coverage *found, const struct line *const *bits, size_t count,
                    char ret_text[COVERAGE_WORDS_BYTES])
{
    char launches[NUMBER_COUNT_BYTES], empty[NUMBER_COUNT_BYTES], memory[96], sms[1536];
    if (found == NULL)
        return false;
    const char *device = found->device;
    struct coverage all = {.sms = (int)found->sms}, *coverage = &all;
    for (size_t index = 0; index < count; index++)
        if (strcmp(line_view(bits[index]).device, device) == 0)
            add(coverage, LINE_AS(bits, bits[index]));
    end_kernel(coverage);
    number_count(coverage->launches, "launch", launches);
    number_whole(coverage->empty, empty);
    if (device_kind_of(device)->is_emulated || coverage->launches == 0) {
        snprintf(ret_text, COVERAGE_WORDS_BYTES, "%s%s, %s checks empty", launches,
                 coverage->launches ? " on the CPU" : "", empty);
        return true;
    }
    const double has = (double)found->memory_bytes, touched = (double)found->touched_bytes;
    /* "412 MiB of 140 GiB" and the share, which is small. */
    snprintf(memory, sizeof memory, "%.0f MiB of %.0f GiB of memory (%.2f %%)", touched / (1 << 20),
             has / (1 << 30), has > 0 ? 100.0 * touched / has : 0.0);
    int path = 0;
    while (path < path_count() - 1 && !path_row(path)->notes_sms)
        path++;
    if (coverage->subjects == 0)
        snprintf(sms, sizeof sms, "SMs unknown: only path %s notes them", path_name(path));
    else if (coverage->everywhere == coverage->subjects + coverage->unnoted)
        snprintf(sms, sizeof sms, "every kernel on all %d SMs, noted by %s", coverage->sms,
                 coverage->noting);
    else {
        char fewest[COVERAGE_NAME_BYTES + 32] = "", unnoted[32] = "";
        if (coverage->everywhere < coverage->subjects)
            snprintf(fewest, sizeof fewest, ", the fewest %d (%.127s)", coverage->least_sms,
                     coverage->least);
        if (coverage->unnoted > 0)
            snprintf(unnoted, sizeof unnoted, ", unknown for %d", coverage->unnoted);
        snprintf(sms, sizeof sms, "%d of %d kernels on all %d SMs%s, noted by %s%s",
                 coverage->everywhere, coverage->subjects + coverage->unnoted, coverage->sms,
                 fewest, coverage->noting, unnoted);
    }
    snprintf(ret_text, COVERAGE_WORDS_BYTES,
             "%s through %s, %.1f %% filled every SM; %s; %s; %s checks empty", launches,
             coverage->paths, 100.0 * (double)coverage->full_launches / (double)coverage->launches,
             sms, memory, empty);
    return true;
}
