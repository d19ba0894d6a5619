/* Programs, their inputs, and what the golden expects (program_module.h). Clauses:
 * program_runs.poison.differs, program_runs.outputs.whole. */
#include "conformance/work/program_module.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "conformance/base/reason.h"
#include "conformance/model/path.h"
#include "conformance/model/program_text.h"
#include "cpu_ref/programs/program.h"
#include "fuzz/programs/program_case.h"
#include "fuzz/programs/render.h"

/* Words between two programs' outputs, where nothing may be written. */
enum { GAP_WORDS = 16 };
static const uint64_t gap_word = UINT64_C(0xa55aa55aa55aa55a);

/* The program of the next line of the text, which moves on. */
static bool take_program(const char **text, struct program_case *ret, struct program *ret_program,
                         struct reason *ret_reason)
{
    char line[PROGRAM_TEXT_BYTES];
    const size_t length = strcspn(*text, "\n");
    if (length == 0 || length >= sizeof line)
        return reason_set(ret_reason, REASON_INPUT, "a line is no program's");
    memcpy(line, *text, length);
    line[length] = 0;
    *text += length + ((*text)[length] == '\n');
    return program_text_make(line, ret, ret_program, ret_reason);
}

/* Lays the program's words after those of the programs before it. */
static void place(struct program_module *module, struct module_program *it)
{
    it->input_at = module->input_words;
    it->output_at = module->output_words;
    module->input_words += program_input_words(&it->program);
    module->output_words += program_output_words(&it->program) + GAP_WORDS;
}

/* What an output word holds before the launch is never what is expected of it, nor what a wrong
 * instruction would make of that, so that a word that is not written is wrong. The threads' global
 * memory begins as 0, as the programs have it. */
static const uint64_t poison_bits = UINT64_C(0x9d3b6ef15ac4e827);

static void fill_before(struct program_module *module, const struct module_program *it)
{
    const size_t words = program_output_words(&it->program);
    const size_t variables = (size_t)it->program.variable_count * it->program.threads;
    uint64_t *before = module->before + it->output_at, *expected = module->expected + it->output_at;
    for (size_t word = 0; word < words; word++)
        before[word] = word < variables ? expected[word] ^ poison_bits : 0;
    for (size_t word = words; word < words + GAP_WORDS; word++)
        before[word] = expected[word] = gap_word;
}

static bool allocate(struct program_module *module)
{
    const size_t output_bytes = (module->output_words + 1) * sizeof(uint64_t);
    module->inputs = calloc(module->input_words + 1, sizeof(uint64_t));
    module->before = malloc(output_bytes);
    module->expected = calloc(module->output_words + 1, sizeof(uint64_t));
    module->got = malloc(output_bytes);
    return module->inputs && module->before && module->expected && module->got;
}

static bool make_programs(const struct program_job *job, struct program_case *scratch,
                          struct program_case *cases, struct program_module *module,
                          struct reason *ret_reason)
{
    const char *text = job->lines;
    for (int index = 0; index < job->count; index++) {
        struct module_program *it = &module->programs[index];
        if (!take_program(&text, scratch, &it->program, ret_reason))
            return false;
        snprintf(it->name, sizeof it->name, "p%d", index);
        place(module, it);
        cases[index] = *scratch;
    }
    return true;
}

bool program_module_make(const struct program_job *job, struct program_module *ret,
                         struct reason *ret_reason)
{
    const size_t count = (size_t)job->count;
    struct program_case *cases = malloc((count + 1) * sizeof *cases);
    struct program_module module = {.count = job->count,
                                    .programs = calloc(count, sizeof *module.programs)};
    bool good = cases && module.programs;
    if (!good)
        reason_set(ret_reason, REASON_SYSTEM, "no memory for programs");
    good = good && make_programs(job, &cases[count], cases, &module, ret_reason);
    if (good && !allocate(&module))
        good = reason_set(ret_reason, REASON_SYSTEM, "no memory for programs' words");
    for (int index = 0; good && index < job->count; index++) {
        struct module_program *it = &module.programs[index];
        program_case_inputs(&cases[index], &it->program, module.inputs + it->input_at);
        program_interpret(&it->program, module.inputs + it->input_at,
                          module.expected + it->output_at);
        fill_before(&module, it);
    }
    free(cases);
    if (good)
        *ret = module;
    else
        program_module_free(&module);
    return good;
}

/* Where the word of the program's outputs lies. */
static void set_place(const struct program *program, size_t word, struct program_result *ret)
{
    const size_t variables = (size_t)program->variable_count * program->threads;
    const size_t own = program_own_word(program, 0);
    const size_t of_thread = program_own_word(program, 1) - own;
    ret->variable = word < variables ? (int32_t)(word / program->threads) : PROGRAM_PLACE_OWN;
    if (word < variables) {
        ret->thread = (int32_t)(word % program->threads);
    } else if (word >= own && word < program_output_words(program)) {
        ret->thread = (int32_t)((word - own) / of_thread);
        ret->word = (int32_t)((word - own) % of_thread);
    } else {
        ret->variable = PROGRAM_PLACE_GAP;
    }
}

/* FNV-1a, one word after the other. */
static uint64_t digest_word(uint64_t digest, uint64_t word)
{
    for (int shift = 0; shift < 64; shift += 8)
        digest = (digest ^ (word >> shift & 0xff)) * UINT64_C(0x100000001b3);
    return digest;
}

static void compare(const struct program_module *module, const struct module_program *it,
                    struct program_result *ret)
{
    const uint64_t digest_start = UINT64_C(0xcbf29ce484222325);
    const size_t words = program_output_words(&it->program);
    const uint64_t *expected = module->expected + it->output_at;
    const uint64_t *before = module->before + it->output_at, *got = module->got + it->output_at;
    *ret = (struct program_result){.compared = 0};
    for (size_t word = 0; word < words + GAP_WORDS; word++) {
        ret->compared += word < words;
        if (got[word] == expected[word])
            continue;
        const bool is_unwritten = got[word] == before[word] && before[word] != 0;
        if (ret->wrong++ == 0) {
            ret->wrong_bits = ret->wrong_places = digest_start;
            set_place(&it->program, word, ret);
            ret->expected = expected[word];
            ret->got = got[word];
            ret->is_unwritten = is_unwritten;
        }
        ret->unwritten += is_unwritten;
        ret->wrong_places = digest_word(ret->wrong_places, word);
        ret->wrong_bits = digest_word(digest_word(ret->wrong_bits, word), got[word]);
    }
}

void program_module_compare(const struct program_module *module, struct program_result *ret)
{
    for (int index = 0; index < module->count; index++)
        compare(module, &module->programs[index], &ret[index]);
}

void program_module_free(struct program_module *module)
{
    free(module->programs);
    free(module->inputs);
    free(module->before);
    free(module->expected);
    free(module->got);
}

char *program_module_text(const struct program_module *module, const struct program_job *job,
                          struct reason *ret_reason)
{
    const bool is_ptx = path_row(job->path)->source->takes_text == SOURCE_TEXT_PTX;
    struct program_text text = {.text = NULL};
    if (is_ptx)
        render_ptx_begin(&text, job->compute_capability);
    else
        render_c_begin(&text);
    for (int index = 0; index < module->count; index++)
        (is_ptx ? render_ptx : render_c)(&text, &module->programs[index].program,
                                         module->programs[index].name);
    if (!text.is_out_of_memory)
        return text.text;
    free(text.text);
    reason_set(ret_reason, REASON_SYSTEM, "no memory for the text of programs");
    return NULL;
}
