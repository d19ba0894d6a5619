/* Machine code while it is read, as text and as TAP (live_stream.h). Clauses:
 * codegen.coverage.printed, codegen.against.shown. */
#include "conformance/report/live_stream.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "conformance/base/text.h"
#include "conformance/model/device_info.h"
#include "conformance/model/path.h"
#include "conformance/record/record_fields.h"
#include "conformance/report/failure.h"

enum { PATH_LETTERS = 4 }; /* "path" */

/* The comparison of this code with another toolkit's, in words; to be freed. */
static char *compare(const struct live_at *at)
{
    struct written written;
    written_open(&written);
    if (at->options->compare)
        at->options->compare(written.file, at->record->header->against,
                             &at->record->kinds[RECORD_codegen]);
    return written_close(&written);
}

static void put_function(const struct live_at *at, const struct line_codegen *line)
{
    printf("%-28s %-*s %-6s", line->function, live_path_width(at, PATH_LETTERS), line->subject.path,
           line->subject.device);
}

/* True if the code is that of architectures, and no path was named that the driver compiles. */
static bool lacks_driver(const struct line_header *header)
{
    struct device_set id;
    bool is_compiled = false;
    for (size_t index = 0; index < header->paths.count; index++) {
        const int path = path_find(header->paths.each[index]);
        const struct source *source = path < 0 ? NULL : path_row(path)->source;
        is_compiled = is_compiled || (source && !source->is_fatbin && !source->is_cubin);
    }
    return header->devices.count > 0 && device_find(header->devices.each[0], &id) &&
           id.kind == DEVICE_ARCHITECTURE && !is_compiled;
}

static void text_begin(const struct live_at *at)
{
    const struct line_header *header = at->record->header;
    const bool compares = header->against[0] != 0;
    printf("device    %s\nplan      %s%s\n", header->devices_chosen,
           NUMBER_COUNT(header->cases_planned, "function"),
           compares ? "; what differs" : "; a figure and its budget: a/b");
    if (lacks_driver(header))
        printf("note      paths that the driver compiles are skipped: there is no driver\n");
    if (compares)
        return;
    printf("\n%-28s %-*s %-6s %9s %7s %11s %11s  verdict\n", "function",
           live_path_width(at, PATH_LETTERS), "path", "device", "registers", "local", "shared",
           "code");
}

/* "32/64": each figure and its budget; "-" where it is not known. */
static void text_line(const struct live_at *at, const struct line *any)
{
    const struct line_codegen *line = LINE_AS(codegen, any);
    if (line == NULL || at->record->header->against[0])
        return;
    const struct {
        struct maybe_count got, most;
        int width;
    } figures[] = {{line->made.registers, line_budget(line, BUDGET_REGISTERS), 9},
                   {line->made.local_bytes, line_budget(line, BUDGET_LOCAL), 7},
                   {line->made.shared_bytes, line_budget(line, BUDGET_SHARED), 11},
                   {line->made.code_bytes, line_budget(line, BUDGET_CODE), 11}};
    put_function(at, line);
    for (size_t index = 0; index < sizeof figures / sizeof figures[0]; index++) {
        char text[48];
        snprintf(text, sizeof text, figures[index].most.is_there ? "%llu/%llu" : "%llu",
                 (unsigned long long)figures[index].got.count,
                 (unsigned long long)figures[index].most.count);
        printf(" %*s", figures[index].width, figures[index].got.is_there ? text : "-");
    }
    printf("  %s%s%s\n", verdict_name(line->verdict), line->note[0] ? ": " : "", line->note);
}

/* The devices and paths that were looked at, and the source of the figures. */
static void put_coverage(const char *before, const struct loaded_lines *lines)
{
    const char *device = "";
    uint64_t functions = 0, distinct = 0, devices = 0, unjudged = 0;
    char without[96] = "";
    bool is_driven = false;
    for (size_t index = 0; index < lines->count; index++) {
        const struct line_codegen *line = LINE_AS(codegen, lines->each[index]);
        is_driven |= !loaded_is_of_cubin(line);
        if (!line->made.registers.is_there)
            continue;
        size_t first = 0;
        const struct line_codegen *of_kernel;
        while ((of_kernel = LINE_AS(codegen, lines->each[first])) != line &&
               (!of_kernel->made.registers.is_there ||
                strcmp(of_kernel->subject.kernel, line->subject.kernel) != 0))
            first++;
        functions++;
        unjudged += line->budget.count == 0 && line->verdict == VERDICT_PASS;
        distinct += first == index;
        devices += strcmp(line->subject.device, device) != 0;
        device = line->subject.device;
    }
    if (unjudged > 0)
        snprintf(without, sizeof without,
                 "; %s recorded, not judged: no budgets of the architecture",
                 NUMBER_WHOLE(unjudged));
    printf("%s%s of %s, for %s: %s%s\n", before, NUMBER_COUNT(functions, "function"),
           NUMBER_COUNT(distinct, "kernel"),
           NUMBER_COUNT(devices, is_driven ? "GPU" : "architecture"),
           is_driven ? "the driver's figures, and the program's own code bytes"
                     : "from the machine code itself, without a GPU or a driver",
           without);
}

/* The first failure of each kernel and path. */
static void put_failures(const struct loaded_lines *lines)
{
    const struct line_codegen *last = NULL;
    for (size_t index = 0; index < lines->count; index++) {
        const struct line_codegen *line = LINE_AS(codegen, lines->each[index]);
        char subject[FAILURE_TEXT_BYTES];
        uint64_t alike = 0;
        if (!verdict_is_failure(line->verdict) ||
            (last && line_is_of_subject(&last->subject, &line->subject)))
            continue;
        for (size_t at = index + 1; at < lines->count; at++) {
            const struct line_codegen *other = LINE_AS(codegen, lines->each[at]);
            alike += verdict_is_failure(other->verdict) &&
                     line_is_of_subject(&line->subject, &other->subject);
        }
        snprintf(subject, sizeof subject, "%.128s through %.64s for %.64s", line->subject.kernel,
                 line->subject.path, line->subject.device);
        printf("\n%s\n  function  %s%s%s%s\n  kernel    %s\n"
               "  clause    %s\n  got       %s\n  replay    %s\n",
               verdict_name(line->verdict), line->function, alike ? ", and " : "",
               alike ? NUMBER_COUNT(alike, "more function") : "", alike ? " of this kernel" : "",
               subject, line->clause, line->note, line->replay);
        last = line;
    }
}

static void text_end(const struct live_at *at, const struct line_summary *summary)
{
    const struct loaded_lines *lines = &at->record->kinds[RECORD_codegen];
    if (summary->against) {
        char *text = compare(at);
        printf("\nagainst   %s%s%s\n%s", summary->against->file,
               summary->against->toolkit[0] ? ", CUDA " : "", summary->against->toolkit, text);
        free(text);
    }
    put_failures(lines);
    printf("\n");
    put_coverage("coverage  ", lines);
    /* "1,794 of 3,312 functions in 0.1 s; 1,518 skipped, the first: there is no code for sm_75";
     * where some fail "3 of 138 functions failed, in 0.1 s". */
    uint64_t counts[VERDICT_COUNT];
    line_counts(&summary->counts, counts);
    const uint64_t all = summary->cases_done, skipped = counts[VERDICT_SKIP],
                   failed = verdict_failures(counts);
    char compiled[SESSION_COMPILED_BYTES];
    size_t first = 0;
    printf("\n%s  ", verdict_name(summary->verdict));
    if (failed > 0 || skipped > 0)
        printf("%s of ", NUMBER_WHOLE(failed > 0 ? failed : all - skipped));
    printf("%s %sin %.1f s", NUMBER_COUNT(all, "function"), failed > 0 ? "failed, " : "",
           summary->seconds);
    while (first < lines->count && LINE_AS(codegen, lines->each[first])->verdict != VERDICT_SKIP)
        first++;
    if (first < lines->count && summary->reason[0] == 0) /* else the reason has it */
        printf("; %s skipped, the first: %s", NUMBER_WHOLE(skipped),
               LINE_AS(codegen, lines->each[first])->note);
    printf("%s%s%s\n", summary->reason[0] ? ": " : "", summary->reason,
           session_compiled_text(summary->compiled, summary->compiled_cached.count, compiled));
}

static void tap_begin(const struct live_at *at)
{
    printf("# device: %s\n", at->record->header->devices_chosen);
}

static void tap_end(const struct live_at *at, const struct line_summary *summary)
{
    put_coverage("# coverage: ", &at->record->kinds[RECORD_codegen]);
    if (summary->against == NULL)
        return;
    char *text = compare(at);
    printf("# against: %.*s\n", (int)strcspn(text, "\n"), text);
    free(text);
}

const struct live_stream live_code[] = {
    [FORMAT_TEXT] = {.begin = text_begin, .line = text_line, .end = text_end},
    [FORMAT_TAP] = {.begin = tap_begin, .line = live_tap_line, .end = tap_end}};
