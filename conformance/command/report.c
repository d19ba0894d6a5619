/* `assay report`: what a record says, in words. Status 0 for the record of a run that came to its
 * end, whatever its verdict; 3 when the run was cut short. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "conformance/command/commands.h"
#include "conformance/command/options.h"
#include "conformance/record/record.h"
#include "conformance/verdict.h"

static const struct options_command report_command = {.name = "report",
                                                      .letters = "",
                                                      .patterns_min = 1,
                                                      .patterns_max = 1,
                                                      .usage = "assay report RECORD"};

struct reading {
    unsigned long long cases, findings;
    bool complete;
};

static const char *text_of(const json_t *object, const char *key)
{
    const char *text = json_string_value(json_object_get(object, key));
    return text ? text : "";
}

static long long number_of(const json_t *object, const char *key)
{
    return (long long)json_integer_value(json_object_get(object, key));
}

static void show_header(const json_t *line)
{
    printf("record    assay %s, commit %s, begun %s\n", text_of(line, "assay"),
           text_of(line, "commit"), text_of(line, "started"));
    printf("plan      %lld cases, tier %s, seed %s\n", number_of(line, "cases_planned"),
           text_of(line, "tier"), text_of(line, "seed"));
}

static void show_device(const json_t *device)
{
    printf("%-9s %s, compute capability %s, driver %s for CUDA %s, %s\n", text_of(device, "label"),
           text_of(device, "name"), text_of(device, "compute_capability"),
           text_of(device, "driver"), text_of(device, "cuda"), text_of(device, "uuid"));
}

static void show_finding(const json_t *line)
{
    static const char *const keys[] = {"kernel", "path",     "device", "case", "clause",
                                       "place",  "expected", "got",    "note", "replay"};
    printf("\n%s\n", text_of(line, "finding"));
    for (size_t index = 0; index < sizeof keys / sizeof keys[0]; index++)
        if (text_of(line, keys[index])[0])
            printf("  %-9s %s\n", keys[index], text_of(line, keys[index]));
}

static void show_reduced(const json_t *line)
{
    printf("\nreduced   %s %s, failed %lld times out of %lld\n  %-9s %s\n", text_of(line, "kernel"),
           text_of(line, "path"), number_of(line, "failures"), number_of(line, "repeats"), "replay",
           text_of(line, "replay"));
}

static void show_summary(const json_t *summary)
{
    const json_t *rows = json_object_get(summary, "rows"), *row;
    size_t index;
    printf("\n%-28s %-8s %-5s %10s %9s  %-32s verdict\n", "kernel", "device", "path", "passed",
           "declined", "XXH3-128 of the outputs");
    json_array_foreach(rows, index, row)
    {
        printf("%-28s %-8s %-5s %10lld %9lld  %-32s %s %s\n", text_of(row, "kernel"),
               text_of(row, "device"), text_of(row, "path"), number_of(row, "passed"),
               number_of(row, "declined"), text_of(row, "xxh3_128"), text_of(row, "verdict"),
               text_of(row, "reason"));
    }
    const char *reason = text_of(summary, "reason");
    printf(
        "\n%s  %lld passed, %lld failed, %lld crashed, %lld timed out, %lld skipped, %lld errors "
        "in %.1f s%s%s\n",
        text_of(summary, "verdict"), number_of(summary, "passed"), number_of(summary, "fail"),
        number_of(summary, "crash"), number_of(summary, "timeout"), number_of(summary, "skip"),
        number_of(summary, "error"), json_real_value(json_object_get(summary, "seconds")),
        reason[0] ? ": " : "", reason);
}

static void show_line(void *context, const json_t *line)
{
    enum { FINDINGS_SHOWN_MAX = 20 };
    struct reading *reading = context;
    const json_t *device = json_object_get(line, "device");
    if (json_object_get(line, "record")) {
        show_header(line);
    } else if (json_object_get(line, "summary")) {
        reading->complete = true;
        show_summary(json_object_get(line, "summary"));
    } else if (json_object_get(line, "finding")) {
        if (reading->findings++ < FINDINGS_SHOWN_MAX)
            show_finding(line);
    } else if (json_object_get(line, "reduced")) {
        show_reduced(line);
    } else if (json_object_get(line, "case")) {
        reading->cases++;
    } else if (json_object_get(line, "cases")) {
        const json_t *range;
        size_t index;
        json_array_foreach(json_object_get(line, "cases"), index, range)
        {
            reading->cases += 1 + (unsigned long long)json_integer_value(json_array_get(range, 1)) -
                              (unsigned long long)json_integer_value(json_array_get(range, 0));
        }
    } else if (json_is_object(device)) {
        show_device(device);
    }
}

int command_report(int argc, char **argv)
{
    struct options options;
    if (!options_read(&report_command, argc, argv, &options))
        return EXIT_STATUS_USAGE;
    struct reading reading = {0};
    char why[RECORD_WHY_BYTES];
    if (!record_read(options.patterns[0], show_line, &reading, why, sizeof why)) {
        fprintf(stderr, "assay report: %s\n", why);
        return EXIT_STATUS_USAGE;
    }
    if (!reading.complete)
        printf(
            "\nINCONCLUSIVE  the run was cut short: %llu cases had finished, with %llu findings\n",
            reading.cases, reading.findings);
    return command_end("report", reading.complete ? EXIT_STATUS_PASS : EXIT_STATUS_INCONCLUSIVE);
}
