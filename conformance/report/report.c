/* Findings in words (report.h). */
#include "conformance/report/report.h"

#include <inttypes.h>
#include <string.h>

#include "conformance/report/failure.h"
#include "conformance/coverage.h"
#include "conformance/number.h"

void report_place(const struct run_finding *it, char *ret_text, size_t text_bytes)
{
    const struct finding *finding = &it->finding;
    if (finding->place == PLACE_NONE) {
        snprintf(ret_text, text_bytes, "none: the kernel did not finish");
        return;
    }
    const char *name = it->test_case.algorithm->operands[finding->operand].name;
    bool matrix = case_view(&it->test_case, finding->operand).is_matrix;
    char where[64], bytes[NUMBER_COUNT_BYTES];
    if (finding->row < 0)
        snprintf(where, sizeof where, "before its first element");
    else if (matrix)
        snprintf(where, sizeof where, "[%" PRId64 "][%" PRId64 "]", finding->row, finding->column);
    else
        snprintf(where, sizeof where, "[%" PRId64 "]", finding->column);
    switch (finding->place) {
    case PLACE_GUARD:
        number_count((uint64_t)(finding->distance_bytes < 0 ? -finding->distance_bytes
                                                            : finding->distance_bytes),
                     "byte", bytes);
        snprintf(ret_text, text_bytes, "guard of %s, %s %s", name, bytes,
                 finding->distance_bytes < 0 ? "before its begin" : "behind its end");
        break;
    case PLACE_GAP:
        snprintf(ret_text, text_bytes, "gap of %s, %s%s", name,
                 finding->row < 0 ? "" : "behind element ", where);
        break;
    case PLACE_INPUT:
        snprintf(ret_text, text_bytes, "input %s%s", name, where);
        break;
    default:
        snprintf(ret_text, text_bytes, "element %s%s", name, where);
    }
}

/* Bits as one number for an f32, bytes in the order of memory otherwise; with the value. */
static void format_bits(const struct run_finding *it, const unsigned char *bytes, char *ret_text)
{
    int count = it->finding.unit_bytes;
    bool number =
        it->test_case.algorithm->operands[it->finding.operand].type == OPERAND_F32 && count == 4;
    uint32_t bits;
    float value;
    if (!number) {
        for (int index = 0; index < count; index++)
            ret_text += sprintf(ret_text, "%02x", bytes[index]);
        return;
    }
    memcpy(&bits, bytes, sizeof bits);
    memcpy(&value, bytes, sizeof value);
    sprintf(ret_text, "0x%08" PRIx32 "  %.9g", bits, (double)value);
}

static void write_bits(FILE *file, const char *prefix, const struct run_finding *it)
{
    const struct finding *finding = &it->finding;
    char text[64], ulp[48] = "", number[32], total[FAILURE_TEXT_BYTES];
    format_bits(it, finding->expected, text);
    fprintf(file, "%sexpected  %s\n", prefix, text);
    format_bits(it, finding->got, text);
    bool f32 = it->test_case.algorithm->operands[finding->operand].type == OPERAND_F32;
    if (finding->place == PLACE_ELEMENT && f32 && finding->ulp != UINT64_MAX)
        snprintf(ulp, sizeof ulp, "  (%s ulp away)", number_whole(finding->ulp, number));
    fprintf(file, "%sgot       %s%s%s\n", prefix, text, ulp,
            finding->unwritten ? "  (the poison: never written)" : "");
    failure_total(finding->wrong_elements, finding->wrong_gap_bytes, finding->wrong_guard_bytes,
                  finding->wrong_inputs, total);
    fprintf(file, "%sin all    %s\n", prefix, total);
}

void report_finding_lines(FILE *file, const char *prefix, const struct run *run,
                          const struct run_finding *it)
{
    char text[CASE_TEXT_BYTES + 256], name[CATALOG_NAME_BYTES], replay[RUN_REPLAY_BYTES];
    fprintf(file, "%skernel    %s through %s on %s\n", prefix, catalog_name(it->check.kernel, name),
            path_name((enum path)it->check.path), run->devices[it->device].label);
    for (int index = 0; it->needs_history && index < it->history->count - 1; index++) {
        case_format(&it->history->jobs[index].test_case, text, sizeof text);
        fprintf(file, "%safter     %s\n", prefix, text);
    }
    case_format(&it->test_case, text, sizeof text);
    fprintf(file, "%scase      %s\n", prefix, text);
    if (it->finding.clause[0])
        fprintf(file, "%sclause    %s\n", prefix, it->finding.clause);
    if (it->finding.place != PLACE_NONE) {
        report_place(it, text, sizeof text);
        fprintf(file, "%splace     %s\n", prefix, text);
        write_bits(file, prefix, it);
    }
    if (it->finding.note[0])
        fprintf(file, "%snote      %s\n", prefix, it->finding.note);
    run_replay_command(run, it, replay, sizeof replay);
    fprintf(file, "%sreplay    %s\n", prefix, replay);
}

/* How often it failed again, by itself or behind other cases. */
static void write_repeats(FILE *file, const char *prefix, const struct run_finding *it)
{
    const struct trial_report *reduced = &it->reduced;
    const struct sequence *history = it->history;
    bool complete = reduced->shrink.complete;
    char text[NUMBER_COUNT_BYTES], times[NUMBER_COUNT_BYTES];
    if (reduced->untold > 0)
        fprintf(file, "%sretried   %d of %s told nothing of the kernel%s%s\n", prefix,
                reduced->untold,
                number_count((uint64_t)(reduced->untold + reduced->repeats), "try", text),
                reduced->untold_note[0] ? ": " : "", reduced->untold_note);
    if (it->needs_history && reduced->repeats > 0)
        fprintf(file,
                "%s%s  by itself it failed 0 times out of %d; behind the %d before it %s out of "
                "%d\n",
                prefix, history->failures ? "sequence" : "flaky   ", reduced->repeats,
                history->count - 1, number_count((uint64_t)history->failures, "time", times),
                history->repeats);
    else if (reduced->failures < reduced->repeats)
        fprintf(file, "%sflaky     run again by itself it failed %s out of %d%s\n", prefix,
                number_count((uint64_t)reduced->failures, "time", times), reduced->repeats,
                it->passing ? ": INCONCLUSIVE, perhaps the machine was busy" : "");
    if (it->needs_history ? history->failures > 0 : trial_always_failed(reduced))
        fprintf(file, "%sreduced   in %s%s; it failed %s out of %d\n", prefix,
                number_count(reduced->shrink.tried, "try", text),
                complete ? "" : " (the time limit came first)",
                number_count((uint64_t)(it->needs_history ? history->failures : reduced->failures),
                             "time", times),
                it->needs_history ? history->repeats : reduced->repeats);
}

void report_reduced_lines(FILE *file, const char *prefix, const struct run *run,
                          const struct run_finding *it)
{
    struct run_finding smallest = *it;
    smallest.test_case = it->reduced.smallest;
    smallest.finding = it->reduced.finding;
    write_repeats(file, prefix, it);
    report_finding_lines(file, prefix, run, &smallest);
    if (it->corpus_file[0])
        fprintf(file, "%skept      %s\n", prefix, it->corpus_file);
}

void report_rows(FILE *file, const struct run *run, report_row_taker *take)
{
    for (int device = 0; device < run->device_count; device++) {
        for (int id = 0; id < catalog_count(); id++)
            for (int path = 0; path < PATH_COUNT; path++)
                if (run_has(run, device, id, path))
                    take(file, run, device, id, path);
    }
}

void report_coverage(FILE *file, const char *prefix, const struct run *run, int device)
{
    char text[COVERAGE_WORDS_BYTES];
    const struct coverage coverage = coverage_of_run(run, device);
    coverage_words(&coverage, text);
    if (run->devices[device].opened)
        fprintf(file, "%scoverage  %s: %s%s\n", prefix, coverage.device,
                run->resume ? "since it was resumed " : "", text);
}
