/* Writes programs as files that stand alone (example.h). */
#include "fuzz/programs/example.h"

#include <inttypes.h>
#include <string.h>

#include "fuzz/programs/prelude.h"
#include "fuzz/programs/render_text.h"

enum { DIFFERENCES_MAX = 10 };

/* Each line of `lines` as a comment. */
static void put_comment(struct program_text *text, const char *lines)
{
    while (*lines != 0) {
        size_t bytes = strcspn(lines, "\n");
        text_put(text, "// ");
        text_bytes(text, lines, bytes);
        text_put(text, "\n");
        lines += bytes + (lines[bytes] == '\n');
    }
}

/* "v3 in thread 7": what an output word is of. */
static void put_place(struct program_text *text, const struct program *program, uint32_t word)
{
    uint32_t own = program_own_word(program, 0);
    if (word < own)
        text_print(text, "v%" PRIu32 " in thread %" PRIu32, word / program->threads,
                   word % program->threads);
    else
        text_print(text, "word %d of global memory of thread %" PRIu32,
                   (int)((word - own) % (PROGRAM_PRIVATE_BYTES / 8)),
                   (word - own) / (PROGRAM_PRIVATE_BYTES / 8));
}

static void put_head(struct program_text *text, const struct program_example *example)
{
    const struct program *program = example->program;
    text_put(text, "// A generated program whose result is defined to the last bit.\n");
    put_comment(text, example->line);
    put_comment(text, example->note != NULL ? example->note : "");
    text_print(text,
               "// Kernel p(input, output), one block of %" PRIu32 " threads. input has %" PRIu32
               " words of 64 bits,\n// output %" PRIu32
               ", which are 0 before the launch. The result "
               "of variable v%%d in thread t is\n// output[%%d * %" PRIu32 " + t].\n",
               program->threads, program_input_words(program), program_output_words(program),
               program->threads);
    int differences = 0;
    for (uint32_t word = 0; example->got != NULL && word < program_output_words(program); word++) {
        if (example->got[word] == example->expected[word] || differences++ >= DIFFERENCES_MAX)
            continue;
        text_print(text, "// output[%" PRIu32 "] (", word);
        put_place(text, program, word);
        text_print(text, "): expected 0x%" PRIx64 ", got 0x%" PRIx64 "\n", example->expected[word],
                   example->got[word]);
    }
    if (differences > DIFFERENCES_MAX)
        text_print(text, "// %d more words differ\n", differences - DIFFERENCES_MAX);
}

static void put_words(struct program_text *text, const char *before, const uint64_t *words,
                      uint32_t count)
{
    for (uint32_t word = 0; word < count; word++)
        text_print(text, "%s0x%" PRIx64 "%s", word % 4 == 0 ? before : " ", words[word],
                   word % 4 == 3 || word + 1 == count ? ",\n" : ",");
}

void example_ptx(struct program_text *text, const struct program_example *example, int arch)
{
    put_head(text, example);
    text_put(text, "// input:\n");
    put_words(text, "//     ", example->input, program_input_words(example->program));
    render_ptx_begin(text, arch);
    render_ptx(text, example->program, "p");
}

static const char main_text[] =
    "int main()\n{\n"
    "    u64 *in, *out, got[sizeof expected / 8];\n"
    "    int wrong = 0;\n"
    "    cudaMalloc(&in, sizeof input);\n"
    "    cudaMalloc(&out, sizeof expected);\n"
    "    cudaMemcpy(in, input, sizeof input, cudaMemcpyHostToDevice);\n"
    "    cudaMemset(out, 0, sizeof expected);\n"
    "    p<<<1, THREADS>>>(in, out);\n"
    "    if (cudaMemcpy(got, out, sizeof expected, cudaMemcpyDeviceToHost) != cudaSuccess)\n"
    "        return 2;\n"
    "    for (unsigned word = 0; word < sizeof expected / 8; word++)\n"
    "        if (got[word] != expected[word])\n"
    "            wrong = printf(\"output[%u]: expected 0x%llx, got 0x%llx\\n\", word, "
    "expected[word],\n"
    "                           got[word]);\n"
    "    return wrong != 0;\n}\n";

void example_c(struct program_text *text, const struct program_example *example)
{
    const struct program *program = example->program;
    static const uint64_t none = 0;
    uint32_t inputs = program_input_words(program);
    put_head(text, example);
    text_put(text, "#include <cstdio>\n");
    for (int line = 0; prelude_cuda[line] != NULL; line++)
        text_put(text, prelude_cuda[line]);
    render_c(text, program, "p");
    text_put(text, "\nstatic const u64 input[] = {\n");
    put_words(text, "    ", inputs == 0 ? &none : example->input, inputs == 0 ? 1 : inputs);
    text_put(text, "};\n\nstatic const u64 expected[] = {\n");
    put_words(text, "    ", example->expected, program_output_words(program));
    text_print(text, "};\n\nenum { THREADS = %" PRIu32 " };\n\n", program->threads);
    text_put(text, main_text);
}
