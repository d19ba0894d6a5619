/* Files of miscompiles (programs_artifacts.h). Clause: program_runs.artifacts.whole. */
#include "conformance/programs/programs_artifacts.h"

#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "conformance/model/program_text.h"
#include "conformance/programs/programs_lines.h"
#include "fuzz/programs/render.h"

static bool say_error(const char *path, struct reason *ret_reason)
{
    return reason_set(ret_reason, REASON_SYSTEM, "%s: %s", path, strerror(errno));
}

/* What a reader must know to run it by hand. */
static void put_comment(FILE *file, const struct programs *programs,
                        const struct program_finding *it, const struct program *program,
                        const uint64_t *input)
{
    const struct programs_row *row = &programs->rows[it->row];
    const struct program_result *result;
    char place[PROGRAMS_PLACE_BYTES];
    fprintf(file, "// %s\n", programs_smallest(it, &result));
    fprintf(file, "// %s through %s on %s (%s)%s%s\n", verdict_name(it->finding.verdict),
            path_name(row->path), programs->session->devices[row->device].label,
            programs->session->devices[row->device].info.name, it->layer[0] ? "; layer: " : "",
            it->layer);
    fprintf(file,
            "// Kernel p0(const uint64_t *input, uint64_t *output), one block of %" PRIu32
            " threads.\n"
            "// Thread t reads input[i * %" PRIu32 " + t]; variable v of it is output[v * %" PRIu32
            " + t];\n// from output[%" PRIu32
            "] on lies its part of global memory, 0 before the launch.\n",
            program->threads, program->threads, program->threads,
            program->variable_count * program->threads);
    if (result->wrong == 0)
        return;
    fprintf(file, "// %s: expected 0x%016" PRIx64 ", got 0x%016" PRIx64 "\n",
            programs_place(it, place), result->expected, result->got);
    for (uint32_t word = 0; word < program->input_count; word++)
        fprintf(file, "//   input[%" PRIu32 "] = 0x%016" PRIx64 "\n",
                word * program->threads + (uint32_t)result->thread,
                input[word * program->threads + (uint32_t)result->thread]);
}

static bool write_file(const struct programs *programs, const struct program_finding *it,
                       const struct program *program, const uint64_t *input, const char *folder,
                       bool is_ptx, struct reason *ret_reason)
{
    const struct programs_row *row = &programs->rows[it->row];
    struct program_text text = {.text = NULL};
    char path[4096];
    snprintf(path, sizeof path, "%s/%s-%" PRIu64 ".%s", folder, path_name(row->path), it->number,
             is_ptx ? "ptx" : "cu");
    if (is_ptx) {
        render_ptx_begin(&text, row->compute_capability);
        render_ptx(&text, program, "p0");
    } else {
        render_c_begin(&text);
        render_c(&text, program, "p0");
    }
    FILE *file = text.is_out_of_memory ? NULL : fopen(path, "w");
    bool good = file != NULL;
    if (good) {
        put_comment(file, programs, it, program, input);
        fputs(text.text, file);
        good = ferror(file) == 0;
        good = fclose(file) == 0 && good;
    }
    free(text.text);
    return good || say_error(path, ret_reason);
}

static bool write_one(const struct programs *programs, const struct program_finding *it,
                      const char *folder, struct reason *ret_reason)
{
    struct program_case *test_case = malloc(sizeof *test_case);
    struct program *program = malloc(sizeof *program);
    const struct program_result *result;
    struct reason reason;
    uint64_t *input = NULL;
    bool good = test_case && program &&
                program_text_make(programs_smallest(it, &result), test_case, program, &reason);
    if (good)
        input = calloc((size_t)program_input_words(program) + 1, sizeof *input);
    if (input)
        program_case_inputs(test_case, program, input);
    for (int form = 0; input && good && form < 2; form++)
        good = write_file(programs, it, program, input, folder, form == 0, ret_reason);
    if (input == NULL)
        good = reason_set(ret_reason, REASON_SYSTEM, "no memory for a program's files");
    free(input);
    free(program);
    free(test_case);
    return good;
}

bool programs_write_artifacts(const struct programs *programs, const char *folder,
                              struct reason *ret_reason)
{
    if (mkdir(folder, 0777) != 0 && errno != EEXIST)
        return say_error(folder, ret_reason);
    for (size_t index = 0; index < programs->finding_count; index++) {
        const struct program_finding *it = &programs->findings[index];
        const bool is_first = it->group < 0 || it->group == (int)index;
        if (is_first && it->line && verdict_is_failure(it->finding.verdict) &&
            !write_one(programs, it, folder, ret_reason))
            return false;
    }
    return true;
}
