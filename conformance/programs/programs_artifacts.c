/* Files of miscompiles (programs.h). Clause: program_runs.artifacts.whole. */
#include "conformance/programs/programs.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "conformance/base/build_info.h"
#include "conformance/base/file.h"
#include "conformance/base/process.h"
#include "conformance/model/program_text.h"
#include "conformance/work/compile_text.h"
#include "cpu_ref/programs/program.h"
#include "fuzz/programs/render.h"

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

/* artifact_main.cu.in: launches, compares, prints. A word that is not written shows, as in a run.
 */
extern const char *const artifact_builtin_lines[]; /* lines_builtin.c.in */

static bool write_file(const struct artifact *artifact, int folder, bool is_ptx,
                       struct reason *ret_reason)
{
    const struct programs_row *row = &artifact->programs->rows[artifact->it->row];
    struct program_text text = {.text = NULL};
    char path[4096], name[128], file_name[136], *whole = NULL;
    size_t bytes = 0;
    snprintf(name, sizeof name, "%.100s-%" PRIu64, path_name(row->path), artifact->it->number);
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
    FILE *file = text.is_out_of_memory ? NULL : open_memstream(&whole, &bytes);
    bool good = file != NULL;
    if (good) {
        /* What a reader must know to run it by hand. */
        const uint32_t threads = artifact->program.threads;
        const struct program_result *result;
        char place[PROGRAMS_PLACE_BYTES];
        fprintf(file, "// %s\n", programs_smallest(artifact->it, &result));
        put_versions(file, artifact);
        fprintf(file,
                "// Kernel p0(const uint64_t *input, uint64_t *output), one block of %" PRIu32
                " threads.\n"
                "// Thread t reads input[i * %" PRIu32
                " + t]; variable v of it is output[v * %" PRIu32 " + t];\n// from output[%" PRIu32
                "] on lies its part of global memory, 0 before the launch.\n",
                threads, threads, threads, artifact->program.variable_count * threads);
        if (result->wrong)
            fprintf(file, "// %s: expected 0x%016" PRIx64 ", got 0x%016" PRIx64 "\n",
                    programs_place(artifact->it, place), result->expected, result->got);
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
            fprintf(
                file, "\nenum { THREADS = %" PRIu32 ", VARIABLES = %u, WORDS = %" PRIu32 " };\n",
                program->threads, (unsigned)program->variable_count, program_output_words(program));
            for (size_t index = 0; artifact_builtin_lines[index]; index++)
                fprintf(file, "%s%s\n", index ? "" : "\n", artifact_builtin_lines[index]);
        }
        good = fclose(file) == 0;
    }
    if (good)
        good = file_replace_in(folder, file_name, path, whole, bytes, ret_reason);
    else
        reason_set(ret_reason, REASON_SYSTEM, "%s: no memory", path);
    free(whole);
    free(text.text);
    return good;
}

static bool write_one(const struct programs *programs, const struct program_finding *it, int folder,
                      struct reason *ret_reason)
{
    struct artifact *artifact = calloc(1, sizeof *artifact);
    const struct program_result *result;
    bool good = artifact != NULL;
    if (good) {
        artifact->programs = programs;
        artifact->it = it;
        good = program_text_make(programs_smallest(it, &result), &artifact->test_case,
                                 &artifact->program, ret_reason);
    }
    if (good) {
        const struct program *program = &artifact->program;
        artifact->input = calloc((size_t)program_input_words(program) + 1, sizeof(uint64_t));
        artifact->expected = calloc((size_t)program_output_words(program) + 1, sizeof(uint64_t));
    }
    if (artifact == NULL || (good && (!artifact->input || !artifact->expected)))
        good = reason_set(ret_reason, REASON_SYSTEM, "no memory for a program's files");
    if (good) {
        program_case_inputs(&artifact->test_case, &artifact->program, artifact->input);
        program_interpret(&artifact->program, artifact->input, artifact->expected);
    }
    for (int form = 0; good && form < 2; form++)
        good = write_file(artifact, folder, form == 0, ret_reason);
    if (artifact) {
        free(artifact->expected);
        free(artifact->input);
    }
    free(artifact);
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
