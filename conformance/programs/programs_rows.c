/* What is counted of programs, their table of operations, their lines of a record, and which of
 * them a tier has (programs.h). Clauses: program_runs.tiers.same, program_runs.tiers.chosen,
 * program_runs.paths.text, program_runs.operations.table, program_runs.replay.bits,
 * program_runs.record.lines. */
#include "conformance/programs/programs.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "conformance/model/program_text.h"
#include "conformance/record/record_fields.h"
#include "conformance/record/record.h"
#include "cpu_ref/programs/operations.h"

void programs_count(struct programs_row *row, enum verdict verdict, uint64_t count, const char *why)
{
    row->counts[verdict] += count;
    if (count && why[0] && (row->why[0] == 0 || verdict_is_worse(verdict, row->explained))) {
        row->explained = verdict;
        memcpy(row->why, why, strnlen(why, sizeof row->why - 1) + 1);
        row->why[sizeof row->why - 1] = 0;
    }
}

enum verdict programs_row_verdict(const struct programs_row *row)
{
    return verdict_of_counts(row->counts);
}

uint64_t programs_of_tier(enum tier tier)
{
    static const uint64_t counts[] = {[TIER_SMOKE] = 200,
                                      [TIER_STANDARD] = 5000,
                                      [TIER_DEEP] = UINT64_C(1)
                                                    << 40, /* without an end, as it were */
                                      [TIER_HUGE] = 0};
    return (size_t)tier < sizeof counts / sizeof counts[0] ? counts[tier] : 0;
}

void programs_take_tier(struct options *options)
{
    if (!options->given.programs)
        options->programs = programs_of_tier((enum tier)options->tier);
    options->same_programs = options->tier != TIER_DEEP;
    if (options->same_programs)
        options->seed = PROGRAMS_SEED;
}

bool programs_take_path(const struct path *path)
{
    return path->source->takes_text != SOURCE_TEXT_NONE && path->images == NULL;
}

const char *programs_left_out(const struct options *options)
{
    bool is_taken = !options->given.paths;
    for (int path = 0; path < path_count() && !is_taken; path++)
        is_taken = programs_take_path(path_row(path)) && path_is_among(path, options->paths);
    return options->given.programs && options->programs == 0        ? "--programs 0"
           : options->pattern_count > 0 && !options->given.programs ? "kernels are named"
           : is_taken                                               ? NULL
                      : "no code path that is named takes their text";
}

bool programs_open_operations(struct programs *programs)
{
    const size_t cells = programs->row_count * (size_t)programs->operation_count;
    if (cells == 0)
        return true;
    programs->operations = malloc(cells);
    if (programs->operations)
        memset(programs->operations, VERDICT_INCONCLUSIVE, cells);
    return programs->operations != NULL;
}

void programs_note_operation(struct programs *programs, int row, uint64_t number, int verdict)
{
    const size_t count = (size_t)programs->operation_count;
    if (programs->operations && number < count)
        programs->operations[(size_t)row * count + number] = (unsigned char)verdict;
}

static int cell(const struct programs *programs, int row, int index)
{
    const size_t count = (size_t)programs->operation_count;
    return programs->operations[(size_t)row * count + (size_t)index];
}

/* How many are right in all their types. */
static uint64_t count_right(const struct programs *programs, int row)
{
    uint64_t right = 0;
    bool is_right = true;
    for (int index = 0; index < programs->operation_count; index++) {
        is_right = is_right && cell(programs, row, index) == VERDICT_PASS;
        if (index + 1 < programs->operation_count &&
            operation_program_row(index + 1) == operation_program_row(index))
            continue;
        right += is_right;
        is_right = true;
    }
    return right;
}

json_t *programs_operations_line(const struct programs *programs, int row)
{
    const struct programs_row *it = &programs->rows[row];
    char words[OPERATION_WORDS_BYTES];
    if (programs->operations == NULL)
        return NULL;
    json_t *line = json_object(), *wrong = json_array(), *known = json_array();
    json_t *open = json_array();
    for (int index = 0; index < programs->operation_count; index++) {
        const int verdict = cell(programs, row, index);
        json_t *list = verdict == OPERATION_KNOWN                  ? known
                       : verdict_is_failure((enum verdict)verdict) ? wrong
                                                                   : open;
        if (verdict != VERDICT_PASS)
            json_array_append_new(list, json_string(operation_program_words(index, words)));
    }
    put_operations_device(line, programs->session->devices[it->device].label);
    put_operations_path(line, path_name(it->path));
    put_operations_verdict(line, json_array_size(wrong)  ? VERDICT_FAIL
                                 : json_array_size(open) ? VERDICT_INCONCLUSIVE
                                                         : VERDICT_PASS);
    put_operations_planned(line, (uint64_t)operation_count);
    put_operations_right(line, count_right(programs, row));
    put_operations_programs(line, (uint64_t)programs->operation_count);
    put_operations_runs(line, !it->only_compiles);
    put_operations_wrong(line, wrong);
    put_operations_known(line, known);
    put_operations_open(line, open);
    return wrap_operations(line);
}

const char *programs_smallest(const struct program_finding *it,
                              const struct program_result **ret_result)
{
    *ret_result = it->reduced ? &it->reduced_result : &it->result;
    return it->reduced ? it->reduced : it->line ? it->line : "";
}

const char *programs_place(const struct program_finding *it, char ret_text[PROGRAMS_PLACE_BYTES])
{
    const struct program_result *result;
    programs_smallest(it, &result);
    ret_text[0] = 0;
    if (result->wrong == 0)
        return ret_text;
    if (result->variable >= 0)
        snprintf(ret_text, PROGRAMS_PLACE_BYTES, "variable %d of thread %d", result->variable,
                 result->thread);
    else if (result->variable == PROGRAM_PLACE_OWN)
        snprintf(ret_text, PROGRAMS_PLACE_BYTES, "word %d of the global memory of thread %d",
                 result->word, result->thread);
    else
        snprintf(ret_text, PROGRAMS_PLACE_BYTES, "after the program's outputs");
    return ret_text;
}

/* The command that runs the smallest case of a finding again through its path. */
enum { REPLAY_BYTES = PROGRAM_TEXT_BYTES + PATH_OPTION_BYTES + 128 };
static const char *replay(const struct programs *programs, const struct program_finding *it,
                          char ret_text[REPLAY_BYTES])
{
    const struct programs_row *row = &programs->rows[it->row];
    const struct program_result *result;
    const bool is_named = device_kinds[path_row(row->path)->kind].has_choice;
    char option[PATH_OPTION_BYTES];
    snprintf(ret_text, REPLAY_BYTES, "assay replay '%s' --device %s%s%s%s",
             programs_smallest(it, &result), programs->session->devices[row->device].label,
             is_named ? " --path " : "", is_named ? path_name(row->path) : "",
             path_option(row->path, option));
    return ret_text;
}

static const char *word_text(uint64_t word, char ret_text[24])
{
    snprintf(ret_text, 24, "0x%016" PRIx64, word);
    return ret_text;
}

json_t *programs_row_line(const struct programs *programs, const struct programs_row *row)
{
    json_t *line = json_object();
    double total_s = 0;
    for (int stage = 0; stage < PROGRAM_STAGES; stage++)
        total_s += row->stage_s[stage];
    put_programs_device(line, programs->session->devices[row->device].label);
    put_programs_path(line, path_name(row->path));
    put_programs_verdict(line, programs_row_verdict(row));
    put_programs_planned(line, row->planned);
    put_programs_compared(line, row->compared);
    put_programs_words(line, row->words);
    put_programs_generator(line, PROGRAM_VERSION);
    put_programs_runs(line, !row->only_compiles);
    for (int verdict = 0; verdict < VERDICT_COUNT; verdict++)
        verdict_counts_write(line, (enum verdict)verdict, row->counts[verdict]);
    put_programs_known(line, row->known);
    put_programs_kept(line, row->kept);
    put_programs_note(line, row->why);
    put_programs_worker_seconds(line, total_s);
    return wrap_programs(line);
}

json_t *programs_known_line(const struct programs *programs, const struct programs_known *it)
{
    const struct programs_row *row = &programs->rows[it->row];
    char text[KNOWN_LINE_BYTES], word[24];
    json_t *line = json_object();
    put_known_device(line, programs->session->devices[row->device].label);
    put_known_path(line, path_name(row->path));
    put_known_id(line, it->known->id);
    put_known_verdict(line, it->finding.verdict);
    put_known_present(line, it->is_present);
    put_known_listed(line, it->is_listed);
    if (it->is_present)
        put_known_comes_to(line, it->came_to);
    if (known_hangs(it->known))
        put_known_hangs(line, true);
    if (it->result.wrong) {
        put_known_wrong_bits(line, word_text(it->result.wrong_bits, word));
        put_known_wrong_places(line, word_text(it->result.wrong_places, word));
    }
    put_known_program(line, known_line(it->known, text));
    put_known_reference(line, it->known->reference);
    put_known_clause(line, it->finding.clause);
    put_known_note(line, it->finding.note);
    return wrap_known(line);
}

json_t *programs_finding_line(const struct programs *programs, const struct program_finding *it)
{
    const struct programs_row *row = &programs->rows[it->row];
    const struct program_result *result;
    char text[REPLAY_BYTES], word[24];
    json_t *line = json_object();
    put_program_device(line, programs->session->devices[row->device].label);
    put_program_path(line, path_name(row->path));
    put_program_verdict(line, it->finding.verdict);
    put_program_number(line, it->number);
    put_program_program(line, it->line ? it->line : "");
    put_program_clause(line, it->finding.clause);
    put_program_note(line, it->finding.note);
    const char *smallest = programs_smallest(it, &result);
    put_program_place(line, programs_place(it, text));
    if (result->wrong) {
        put_program_expected(line, word_text(result->expected, word));
        put_program_got(line, word_text(result->got, word));
        put_program_unwritten(line, result->is_unwritten);
        put_program_wrong_words(line, result->wrong);
        put_program_words(line, result->compared);
    }
    if (it->is_tried)
        put_program_recurs(line, it->recurs);
    if (it->is_tried && !it->recurs) {
        snprintf(text, sizeof text, "%s%s%s", verdict_name(it->again.verdict),
                 it->again.note[0] ? ": " : "", it->again.note);
        put_program_again(line, text);
    }
    if (it->reduced) {
        put_program_reduced(line, smallest);
        put_program_pattern(line, it->pattern);
    }
    if (it->known)
        put_program_known(line, it->known->id);
    else if (it->like)
        put_program_like(line, it->like->id);
    if (it->result.wrong) {
        put_program_wrong_bits(line, word_text(it->result.wrong_bits, word));
        put_program_wrong_places(line, word_text(it->result.wrong_places, word));
    }
    if (programs_search(programs) && it->number >= (uint64_t)programs->operation_count)
        put_program_search(line, true);
    if (it->layer[0])
        put_program_layer(line, it->layer);
    put_program_replay(line, replay(programs, it, text));
    return wrap_program(line);
}
