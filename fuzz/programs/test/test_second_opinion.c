/* The interpreter against the host's compilers: programs as C, compiled as SECOND_OPINION says, run
 * in a process of their own. Interpreter and prelude share no code, so where both have the same
 * bits both are right, or wrong in one way. */
#include "fuzz/programs/render.h"

#include "cpu_ref/programs/operations.h"
#include "fuzz/programs/program_case.h"
#include "spec/testing.h"

/* What is compared: every operation by itself, or programs of all. */
enum { ARE_OPERATIONS = -1, WORDS_MAX = (PROGRAM_VARIABLES_MAX + 8) * PROGRAM_THREADS_MAX };

static struct program_case it;
static struct program program;
static uint64_t input[WORDS_MAX], expected[WORDS_MAX], got[WORDS_MAX];

static void make(int programs, int index)
{
    if (programs == ARE_OPERATIONS)
        program_case_of_operation(index, 1, &it);
    else
        program_case_pick(4, (uint64_t)index, &it);
    program_case_make(&it, &program);
    program_case_inputs(&it, &program, input);
}

/* Reads the inputs of all programs and writes their outputs. */
static const char main_text[] =
    "#include <stdio.h>\n"
    "int main(void)\n{\n"
    "    static u64 input[73728], output[73728] __attribute__((aligned(16)));\n"
    "    for (unsigned row = 0; row < sizeof rows / sizeof *rows; row++) {\n"
    "        memset(output, 0, sizeof output);\n"
    "        if (fread(input, 8, rows[row].inputs, stdin) != rows[row].inputs)\n"
    "            return 1;\n"
    "        rows[row].body(input, output);\n"
    "        fwrite(output, 8, rows[row].outputs, stdout);\n"
    "    }\n"
    "    return fflush(stdout) != 0;\n}\n";

static void write_files(const char *folder, int programs, int count)
{
    char path[256], name[32];
    struct program_text text = {0};
    snprintf(path, sizeof path, "%s/input", folder);
    FILE *inputs = fopen(path, "wb");
    ck_assert_ptr_nonnull(inputs);
    render_c_begin(&text);
    FILE *lines = testing_stream();
    for (int index = 0; index < count; index++) {
        make(programs, index);
        snprintf(name, sizeof name, "p%d", index);
        render_c(&text, &program, name);
        uint32_t words = program_input_words(&program);
        ck_assert_uint_eq(fwrite(input, 8, words, inputs), words);
        fprintf(lines, "    {%s, %u, %u},\n", name, words, program_output_words(&program));
    }
    ck_assert_int_eq(fclose(inputs), 0);
    char *table = testing_text(lines);
    ck_assert(!text.is_out_of_memory);
    snprintf(path, sizeof path, "%s/programs.c", folder);
    FILE *source = fopen(path, "w");
    ck_assert_ptr_nonnull(source);
    fprintf(source,
            "%s\nstatic const struct {\n    host_body *body;\n    unsigned inputs, outputs;\n} "
            "rows[] = {\n%s};\n%s",
            text.text, table, main_text);
    ck_assert_int_eq(fclose(source), 0);
    free(text.text);
}

/* Compares what the compiled programs wrote. */
static void compare(const char *folder, int programs, int count)
{
    char path[256], line[PROGRAM_TEXT_BYTES];
    snprintf(path, sizeof path, "%s/output", folder);
    FILE *outputs = fopen(path, "rb");
    ck_assert_ptr_nonnull(outputs);
    for (int index = 0; index < count; index++) {
        make(programs, index);
        program_interpret(&program, input, expected);
        uint32_t words = program_output_words(&program);
        ck_assert_uint_eq(fread(got, 8, words, outputs), words);
        for (uint32_t word = 0; word < words; word++) {
            if (got[word] == expected[word])
                continue;
            program_case_print(&it, line);
            ck_abort_msg("%s: variable %u, thread %u: 0x%llx, the interpreter has 0x%llx", line,
                         word / program.threads, word % program.threads,
                         (unsigned long long)got[word], (unsigned long long)expected[word]);
        }
    }
    ck_assert_int_eq(fgetc(outputs), EOF);
    fclose(outputs);
}

START_TEST(host_compilers_agree, "program_cases.host.agrees")
{
    const char *compiler = getenv("SECOND_OPINION");
    const char *programs = getenv("SECOND_OPINION_PROGRAMS");
    ck_assert_msg(compiler != NULL && programs != NULL, "which compiler, how many programs?");
    const char *folder = testing_folder();
    int wanted = atoi(programs);
    int count = wanted == ARE_OPERATIONS ? OPERATIONS : wanted;
    write_files(folder, wanted, count);
    char command[1024];
    snprintf(command, sizeof command,
             "cd %s && %s -std=gnu11 -w -fno-strict-aliasing -ffp-contract=off programs.c -o "
             "programs -lm && ./programs <input >output",
             folder, compiler);
    ck_assert_int_eq(system(command), 0);
    compare(folder, wanted, count);
}
