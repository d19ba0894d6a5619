/* The counts of programs, their table of operations, their lines of a record, and which of them a
 * tier has (programs.h). Clauses: program_runs.tiers.same, program_runs.tiers.chosen,
 * program_runs.paths.text, program_runs.operations.table, program_runs.replay.bits,
 * program_runs.record.lines. */
#include "conformance/programs/programs.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "conformance/base/heap.h"
#include "conformance/base/build_info.h"
#include "conformance/base/process.h"
#include "conformance/model/program_text.h"
#include "conformance/work/compile_text.h"
#include "cpu_ref/programs/operations.h"
#include "fuzz/programs/render.h"

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
                      : "none of the named code paths takes programs";
}

void programs_open_operations(struct programs *programs)
{
    const size_t cells = programs->row_count * (size_t)programs->operation_count;
    if (cells == 0)
        return;
    programs->operations = heap_take(cells, 1);
    memset(programs->operations, OPERATION_ELSEWHERE, cells);
    /* Operations have the first numbers of the plan, and a plan may be endless. */
    const uint64_t end = (uint64_t)programs->operation_count;
    for (size_t row = 0; row < programs->row_count; row++)
        for (uint64_t place = 0; place < programs->count && programs_number(programs, place) < end;
             place++)
            programs_note_operation(programs, (int)row, place, VERDICT_INCONCLUSIVE);
}

void programs_note_operation(struct programs *programs, int row, uint64_t place, int verdict)
{
    const size_t count = (size_t)programs->operation_count;
    const uint64_t number = programs_number(programs, place);
    if (programs->operations && number < count)
        programs->operations[(size_t)row * count + number] = (unsigned char)verdict;
}

static int cell(const struct programs *programs, int row, int index)
{
    const size_t count = (size_t)programs->operation_count;
    return programs->operations[(size_t)row * count + (size_t)index];
}

/* Operations, and how many are right, in all their types: of those that this shard has. */
struct operations_sum {
    uint64_t planned, right, programs;
};

static struct operations_sum sum_operations(const struct programs *programs, int row)
{
    struct operations_sum ret = {.planned = 0};
    bool is_right = true, is_here = false;
    for (int index = 0; index < programs->operation_count; index++) {
        const int verdict = cell(programs, row, index);
        const bool is_elsewhere = verdict == OPERATION_ELSEWHERE;
        ret.programs += !is_elsewhere;
        is_here = is_here || !is_elsewhere;
        is_right = is_right && (is_elsewhere || verdict == VERDICT_PASS);
        if (index + 1 < programs->operation_count &&
            operation_program_row(index + 1) == operation_program_row(index))
            continue;
        ret.planned += is_here;
        ret.right += is_here && is_right;
        is_right = true;
        is_here = false;
    }
    return ret;
}

const struct line *programs_operations_line(const struct programs *programs, int row,
                                            struct zone *zone)
{
    enum { WRONG, KNOWN, OPEN, LISTS };
    const struct programs_row *it = &programs->rows[row];
    const size_t count = (size_t)programs->operation_count;
    const char **lists[LISTS];
    size_t counts[LISTS] = {0};
    char words[OPERATION_WORDS_BYTES];
    const struct operations_sum sum =
        programs->operations ? sum_operations(programs, row) : (struct operations_sum){0};
    if (sum.planned == 0)
        return NULL;
    for (int list = 0; list < LISTS; list++)
        lists[list] = zone_take(zone, count * sizeof *lists[list]);
    for (int index = 0; index < programs->operation_count; index++) {
        const int verdict = cell(programs, row, index);
        const int list = verdict == OPERATION_KNOWN                  ? KNOWN
                         : verdict_is_failure((enum verdict)verdict) ? WRONG
                                                                     : OPEN;
        if (verdict != VERDICT_PASS && verdict != OPERATION_ELSEWHERE)
            lists[list][counts[list]++] = zone_text(zone, operation_program_words(index, words));
    }
    return LINE(zone, operations, .device = programs->session->devices[it->device].label,
                .path = path_name(it->path),
                .verdict = counts[WRONG]  ? VERDICT_FAIL
                           : counts[OPEN] ? VERDICT_INCONCLUSIVE
                                          : VERDICT_PASS,
                .planned = sum.planned, .right = sum.right, .programs = sum.programs,
                .runs = !it->only_compiles, .wrong = {lists[WRONG], counts[WRONG]},
                .known = {lists[KNOWN], counts[KNOWN]}, .open = {lists[OPEN], counts[OPEN]});
}

/* The smallest case that is known of it, and what came of that. */
static const char *smallest_of(const struct program_finding *it,
                               const struct program_result **ret_result)
{
    *ret_result = it->reduced ? &it->reduced_result : &it->result;
    return it->reduced ? it->reduced : it->line ? it->line : "";
}

static const char *place_of(const struct program_finding *it, char ret_text[PROGRAMS_PLACE_BYTES])
{
    const struct program_result *result;
    smallest_of(it, &result);
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
             smallest_of(it, &result), programs->session->devices[row->device].label,
             is_named ? " --path " : "", is_named ? path_name(row->path) : "",
             path_option(row->path, option));
    return ret_text;
}

const struct line *programs_row_line(const struct programs *programs,
                                     const struct programs_row *row, struct zone *zone)
{
    const uint64_t *counts = row->counts;
    double total_s = 0;
    for (int stage = 0; stage < PROGRAM_STAGES; stage++)
        total_s += row->stage_s[stage];
    return LINE(zone, programs, .device = programs->session->devices[row->device].label,
                .path = path_name(row->path), .verdict = programs_row_verdict(row),
                .planned = row->planned, .compared = row->compared, .words = row->words,
                .generator = PROGRAM_VERSION, .runs = !row->only_compiles,
                .counts = line_counts_of(counts), .known = row->known, .kept = row->kept,
                .note = row->why, .worker_seconds = total_s);
}

const struct line *programs_known_line(const struct programs *programs,
                                       const struct programs_known *it, struct zone *zone)
{
    const struct programs_row *row = &programs->rows[it->row];
    const bool is_wrong = it->result.wrong > 0, as_listed = it->finding.verdict == VERDICT_PASS;
    char text[KNOWN_LINE_BYTES];
    return LINE(zone, known, .device = programs->session->devices[row->device].label,
                .path = path_name(row->path), .id = it->known->id, .verdict = it->finding.verdict,
                .present = it->is_present, .listed = it->is_listed,
                .failure = {it->is_present, it->failure},
                .wrong_bits = is_wrong ? it->result.wrong_bits : 0,
                .wrong_places = is_wrong ? it->result.wrong_places : 0,
                .hangs = known_hangs(it->known),
                .program = as_listed ? NULL : zone_text(zone, known_line(it->known, text)),
                .reference = as_listed ? NULL : it->known->reference, .clause = it->finding.clause,
                .note = it->finding.note);
}

const struct line *programs_finding_line(const struct programs *programs,
                                         const struct program_finding *it, struct zone *zone)
{
    const struct programs_row *row = &programs->rows[it->row];
    const struct program_result *result;
    const char *smallest = smallest_of(it, &result);
    const bool is_wrong = result->wrong > 0;
    char text[REPLAY_BYTES], again[REPLAY_BYTES] = "", place[PROGRAMS_PLACE_BYTES];
    if (it->is_tried && !it->recurs)
        snprintf(again, sizeof again, "%s%s%s", verdict_name(it->again.verdict),
                 it->again.note[0] ? ": " : "", it->again.note);
    return LINE(
        zone, program, .device = programs->session->devices[row->device].label,
        .path = path_name(row->path), .verdict = it->finding.verdict,
        .number = programs_number(programs, it->number), .program = it->line ? it->line : "",
        .clause = it->finding.clause, .note = it->finding.note,
        .place = zone_text(zone, place_of(it, place)), .expected = {is_wrong, result->expected},
        .got = {is_wrong, result->got}, .unwritten = is_wrong && result->is_unwritten,
        .wrong_words = (uint64_t)result->wrong, .words = {is_wrong, (uint64_t)result->compared},
        .recurs = it->is_tried && it->recurs, .again = zone_text(zone, again),
        .reduced = it->reduced ? smallest : NULL, .pattern = it->reduced ? it->pattern : NULL,
        .known = it->known ? it->known->id : NULL,
        .like = !it->known && it->like ? it->like->id : NULL,
        .wrong_bits = it->result.wrong ? it->result.wrong_bits : 0,
        .wrong_places = it->result.wrong ? it->result.wrong_places : 0,
        .search = programs_search(programs) &&
                  programs_number(programs, it->number) >= (uint64_t)programs->operation_count,
        .layer = it->layer, .replay = zone_text(zone, replay(programs, it, text)));
}

/* Files of miscompiles (programs.h). Clause: program_runs.artifacts.whole. */

/* A program that is to be sent, and what the golden says of it. */
struct artifact {
    const struct programs *programs;
    const struct program_finding *it;
    struct program_case test_case;
    struct program program;
    uint64_t *input, *expected;
};

/* GPU, driver and compilers, as they were. */
static void put_versions(FILE *file, const struct artifact *artifact)
{
    const struct programs *programs = artifact->programs;
    const struct programs_row *row = &programs->rows[artifact->it->row];
    const struct device_info *info = &programs->session->devices[row->device].info;
    const bool is_gpu = device_kind(info)->is_gpu;
    fprintf(file, "// %s through %s on %s (%s", verdict_name(artifact->it->finding.verdict),
            path_name(row->path), programs->session->devices[row->device].label, info->name);
    if (is_gpu)
        fprintf(file, ", compute capability %d.%d, driver %s for CUDA %d.%d",
                row->compute_capability / 10, row->compute_capability % 10, info->driver_release,
                info->driver_version / 1000, info->driver_version % 1000 / 10);
    fprintf(file, ")%s%s\n// compilers:", artifact->it->layer[0] ? "; layer: " : "",
            artifact->it->layer);
    for (size_t other = 0; other < programs->row_count; other++)
        if (programs->rows[other].device == row->device)
            fprintf(file, "%s %s", other ? "," : "", path_name(programs->rows[other].path));
    if (!is_gpu) {
        /* The first line of what the host's compiler says of itself. */
        char compiler[HOST_COMPILER_BYTES];
        const struct tool_run run = {
            .words = {compiler, "--version", NULL}, .input = -1, .output = -1, .limit_s = 10};
        struct tool_end end;
        struct reason reason;
        if (host_compiler_find(compiler, &reason) && tool_run(&run, &end, &reason) &&
            tool_is_good(&end))
            fprintf(file, "; %s: %.*s", compiler, (int)strcspn(end.out, "\n"), end.out);
    }
    fprintf(file, "\n// written by assay %s (%s), generator %d\n", build_version, build_commit,
            PROGRAM_VERSION);
}

static void put_array(FILE *file, const char *name, const uint64_t *words, size_t count)
{
    fprintf(file, "\nstatic const u64 %s[%zu] = {", name, count + 1); /* C has no empty array */
    for (size_t word = 0; word < count; word++)
        fprintf(file, "%s0x%016" PRIx64 "u,", word % 4 ? " " : "\n    ", words[word]);
    fputs("\n    0};\n", file);
}

/* artifact_main.cu.in: launches, compares, prints. A word that is not written shows, as in a
 * run. */
extern const char *const artifact_builtin_lines[]; /* lines_builtin.c.in */

static bool write_file(const struct artifact *artifact, int folder, bool is_ptx,
                       struct reason *ret_reason)
{
    const struct programs_row *row = &artifact->programs->rows[artifact->it->row];
    struct program_text text = {.text = NULL};
    struct written written;
    char path[4096], name[128], file_name[136];
    snprintf(name, sizeof name, "%.100s-%" PRIu64, path_name(row->path),
             programs_number(artifact->programs, artifact->it->number));
    snprintf(file_name, sizeof file_name, "%s.%s", name, is_ptx ? "ptx" : "cu");
    snprintf(path, sizeof path, "%.3900s/%s", artifact->programs->session->options->artifacts,
             file_name);
    if (is_ptx) {
        render_ptx_begin(&text, row->compute_capability);
        render_ptx(&text, &artifact->program, "p0");
    } else {
        render_c_begin(&text);
        render_c(&text, &artifact->program, "p0");
    }
    if (text.is_out_of_memory) {
        free(text.text);
        return reason_set(ret_reason, REASON_SYSTEM, "%s: no memory", path);
    }
    written_open(&written);
    FILE *const file = written.file;
    /* The facts that a reader needs to run it by hand. */
    const uint32_t threads = artifact->program.threads;
    const struct program_result *result;
    char place[PROGRAMS_PLACE_BYTES];
    fprintf(file, "// %s\n", smallest_of(artifact->it, &result));
    put_versions(file, artifact);
    fprintf(file,
            "// Kernel p0(const uint64_t *input, uint64_t *output), one block of %" PRIu32
            " threads.\n"
            "// Thread t reads input[i * %" PRIu32 " + t]; variable v of it is output[v * %" PRIu32
            " + t];\n// from output[%" PRIu32
            "] on lies its part of global memory, 0 before the launch.\n",
            threads, threads, threads, artifact->program.variable_count * threads);
    if (result->wrong)
        fprintf(file, "// %s: expected 0x%016" PRIx64 ", got 0x%016" PRIx64 "\n",
                place_of(artifact->it, place), result->expected, result->got);
    fprintf(file,
            "// The .cu prints each wrong word, and ends with 1 where there is one:\n"
            "//   nvcc -arch=sm_%d %s.cu -o program && ./program\n"
            "// with the PTX, or a cubin that a ptxas made of it:\n"
            "//   nvcc -DLOADS -arch=sm_%d %s.cu -lcuda -o program && ./program %s.ptx\n"
            "// on the host's CPU:\n"
            "//   cc -x c -w -ffp-contract=off -fno-strict-aliasing %s.cu -lm -o program && "
            "./program\n",
            row->compute_capability, name, row->compute_capability, name, name, name);
    fputs(text.text, file);
    if (!is_ptx) {
        const struct program *program = &artifact->program;
        put_array(file, "input", artifact->input, program_input_words(program));
        put_array(file, "expected", artifact->expected, program_output_words(program));
        fprintf(file, "\nenum { THREADS = %" PRIu32 ", VARIABLES = %u, WORDS = %" PRIu32 " };\n",
                program->threads, (unsigned)program->variable_count, program_output_words(program));
        for (size_t index = 0; artifact_builtin_lines[index]; index++)
            fprintf(file, "%s%s\n", index ? "" : "\n", artifact_builtin_lines[index]);
    }
    char *whole = written_close(&written);
    const bool good = file_replace_in(folder, file_name, path, whole, written.bytes, ret_reason);
    free(whole);
    free(text.text);
    return good;
}

static bool write_one(const struct programs *programs, const struct program_finding *it, int folder,
                      struct reason *ret_reason)
{
    struct artifact artifact = {.programs = programs, .it = it};
    const struct program *program = &artifact.program;
    const struct program_result *result;
    if (!program_text_make(smallest_of(it, &result), &artifact.test_case, &artifact.program,
                           ret_reason))
        return false;
    artifact.input = heap_take(program_input_words(program), sizeof(uint64_t));
    artifact.expected = heap_take(program_output_words(program), sizeof(uint64_t));
    program_case_inputs(&artifact.test_case, program, artifact.input);
    program_interpret(program, artifact.input, artifact.expected);
    const bool good = write_file(&artifact, folder, true, ret_reason) &&
                      write_file(&artifact, folder, false, ret_reason);
    free(artifact.expected);
    free(artifact.input);
    return good;
}

bool programs_write_artifacts(const struct programs *programs, struct reason *ret_reason)
{
    const int folder = file_open_folder(programs->session->options->artifacts, true, ret_reason);
    bool good = folder >= 0;
    for (size_t index = 0; good && index < programs->finding_count; index++) {
        const struct program_finding *it = &programs->findings[index];
        const bool is_first = it->group < 0 || it->group == (int)index;
        if (is_first && it->line && verdict_is_failure(it->finding.verdict))
            good = write_one(programs, it, folder, ret_reason);
    }
    if (folder >= 0)
        close(folder);
    return good;
}
