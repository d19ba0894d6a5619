/* Generated programs in words (failure_programs.h). Clauses: program_runs.finding.printed,
 * program_runs.report.findings. */
#include "conformance/report/failure_programs.h"

#include <string.h>

#include "conformance/base/number.h"
#include "conformance/record/record_fields.h"

static bool is_same(const char *left, const char *right)
{
    return strcmp(left, right) == 0;
}

/* Both have become the same instructions. */
static bool is_alike(const json_t *left, const json_t *right)
{
    return field_program_reduced(left)[0] && field_program_reduced(right)[0] &&
           field_program_verdict(left) == field_program_verdict(right) &&
           is_same(field_program_pattern(left), field_program_pattern(right));
}

bool failure_program_is_first(const struct loaded_lines *programs, size_t index)
{
    for (size_t before = 0; before < index; before++)
        if (is_alike(programs->lines[before], programs->lines[index]))
            return false;
    return true;
}

bool failure_program_fails(const json_t *line)
{
    return field_program_known(line)[0] == 0 && verdict_is_failure(field_program_verdict(line));
}

bool failure_program_is_shown(const struct loaded_lines *programs, size_t index)
{
    return failure_program_fails(programs->lines[index]) &&
           failure_program_is_first(programs, index);
}

/* "9 programs: ptx 9, ptxas-12.6.20 7". */
static void put_seen(FILE *file, const struct loaded_lines *programs, size_t index,
                     failure_put *put)
{
    char text[FAILURE_TEXT_BYTES] = "", number[NUMBER_COUNT_BYTES];
    char all[FAILURE_TEXT_BYTES + NUMBER_COUNT_BYTES + 4];
    const json_t *first = programs->lines[index];
    uint64_t count = 0, last = UINT64_MAX;
    size_t used = 0;
    for (size_t at = index; at < programs->count; at++) {
        const json_t *line = programs->lines[at];
        const char *path = field_subject_path(line);
        uint64_t here = 0;
        bool is_told = false;
        if (!is_alike(first, line))
            continue;
        count += field_program_number(line) != last;
        last = field_program_number(line);
        for (size_t other = index; other < programs->count; other++) {
            const bool is_here = is_alike(first, programs->lines[other]) &&
                                 is_same(field_subject_path(programs->lines[other]), path);
            is_told = is_told || (is_here && other < at);
            here += is_here;
        }
        if (!is_told && used < sizeof text)
            used += (size_t)snprintf(text + used, sizeof text - used, "%s%.31s %llu",
                                     used ? ", " : "", path, (unsigned long long)here);
    }
    snprintf(all, sizeof all, "%s: %s", number_count(count, "program", number), text);
    put(file, "seen in", count ? all : "");
}

static void put_words(FILE *file, const json_t *line, failure_put *put)
{
    char text[FAILURE_TEXT_BYTES], wrong[NUMBER_TEXT_BYTES], all[NUMBER_COUNT_BYTES];
    put(file, "expected", field_program_expected(line));
    snprintf(text, sizeof text, "%.64s%s", field_program_got(line),
             field_program_unwritten(line) ? "  (the poison: never written)" : "");
    put(file, "got", text);
    snprintf(text, sizeof text, "%s of %s", number_whole(field_program_wrong_words(line), wrong),
             number_count(field_program_words(line), "word", all));
    put(file, "total", raw_program_wrong_words(line) ? text : "");
}

void failure_program(FILE *file, const struct loaded_lines *programs, size_t index,
                     failure_put *put)
{
    const json_t *line = programs->lines[index];
    const char *reduced = field_program_reduced(line), *again = field_program_again(line);
    char text[FAILURE_TEXT_BYTES];
    put(file, "program", reduced[0] ? reduced : field_program_program(line));
    snprintf(text, sizeof text, "%.64s on %.32s", field_subject_path(line),
             field_subject_device(line));
    put(file, "through", text);
    put(file, "clause", field_program_clause(line));
    put(file, "place", field_program_place(line));
    put_words(file, line, put);
    put(file, "note", field_program_note(line));
    put(file, "found by",
        field_program_search(line)
            ? "a search: no run or gate has this program unless it is asked for"
            : "");
    snprintf(text, sizeof text, "%.64s, a known miscompile whose trigger it has",
             field_program_like(line));
    put(file, "like", field_program_like(line)[0] ? text : "");
    snprintf(text, sizeof text, "alone in its module it comes to %.400s", again);
    put(file, "again", again[0] ? text : "");
    put(file, "pattern", field_program_pattern(line));
    put_seen(file, programs, index, put);
    put(file, "layer", field_program_layer(line));
    put(file, "from", reduced[0] ? field_program_program(line) : "");
    put(file, "replay", field_program_replay(line));
}

const char *failure_known_name(const json_t *line, char ret_name[FAILURE_KNOWN_BYTES])
{
    const enum verdict verdict = field_known_comes_to(line);
    const bool is_named =
        raw_known_comes_to(line) && verdict < VERDICT_COUNT && verdict != VERDICT_FAIL;
    snprintf(ret_name, FAILURE_KNOWN_BYTES, "%.48s%s%s%s", field_known_id(line),
             is_named ? " (" : "", is_named ? verdict_name(verdict) : "", is_named ? ")" : "");
    return ret_name;
}

void failure_known(const json_t *line, char ret_text[FAILURE_TEXT_BYTES])
{
    const char *note = field_known_note(line);
    char name[FAILURE_KNOWN_BYTES];
    snprintf(ret_text, FAILURE_TEXT_BYTES, "known miscompile %s through %.31s on %.16s%s%.200s",
             failure_known_name(line, name), field_subject_path(line), field_subject_device(line),
             note[0] ? ": " : "", note);
}
