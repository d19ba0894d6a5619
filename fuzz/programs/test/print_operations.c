/* Prints a PTX module with every operation that needs compute capability ARCH, in each of its
 * types, but blocks; its arguments are variables or, where it takes them, constants. Or the same as
 * CUDA C.
 *     print_operations ARCH variables|constants [cuda] */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cpu_ref/test/clause.h"
#include "fuzz/programs/test/program_check.h"
#include "fuzz/programs/render.h"

/* Two variables a class: what gets results, and what is read. */
static void add_variables(struct program *program)
{
    for (int of_class = 0; of_class < PROGRAM_CLASSES; of_class++)
        for (int is_input = 0; is_input < 2; is_input++)
            program->variable[program->variable_count++] =
                (struct program_variable){.number = (uint16_t)(2 * of_class + is_input),
                                          .of_class = (uint8_t)of_class,
                                          .is_input = is_input,
                                          .bits = is_input ? program->input_count++ : 0};
}

static void add_statement(struct program *program, int row, enum program_type type,
                          bool with_constants)
{
    const struct operation *operation = &operations[row];
    struct program_statement *it = &program->statement[program->statement_count];
    *it = (struct program_statement){
        .number = program->statement_count++, .operation = (uint16_t)row, .type = (uint8_t)type};
    if (operation_has_result(operation))
        it->result = (uint8_t)(2 * operation_class(operation, type, 0));
    for (int place = 1; place <= operation_arguments(operation); place++) {
        uint64_t bound;
        const enum program_class of_class = operation_class(operation, type, place);
        const int bits = class_bits(of_class);
        struct program_argument *argument = &it->argument[place - 1];
        if (operation_is_constant(operation, type, place, &bound))
            *argument = (struct program_argument){.kind = ARGUMENT_CONSTANT,
                                                  .bits = bound ? bound - 1 : 0xffff0fff};
        else if (with_constants)
            *argument = (struct program_argument){
                .kind = ARGUMENT_CONSTANT, .bits = ~(uint64_t)0 >> (64 - bits) & ~(uint64_t)0x40};
        else
            *argument = (struct program_argument){.kind = ARGUMENT_VARIABLE,
                                                  .variable = (uint8_t)(2 * of_class + 1)};
    }
}

static void print(struct program *program, int number, bool is_cuda)
{
    struct program_text text = {0};
    char name[32];
    int place;
    const char *wrong = program_check(program, &place);
    if (wrong) {
        fprintf(stderr, "print_operations: statement %d: %s\n", place, wrong);
        exit(1);
    }
    snprintf(name, sizeof name, "operations_%d", number);
    if (is_cuda)
        render_c(&text, program, name);
    else
        render_ptx(&text, program, name);
    fputs(text.text, stdout);
    free(text.text);
}

int main(int argc, char **argv)
{
    CLAUSE("programs.operation.texts");
    static struct program program;
    const int arch = argc >= 3 ? atoi(argv[1]) : 0;
    const bool is_cuda = argc == 4 && strcmp(argv[3], "cuda") == 0;
    if (arch == 0)
        return 2;
    struct program_text text = {0};
    if (is_cuda)
        render_c_begin(&text);
    else
        render_ptx_begin(&text, arch);
    fputs(text.text, stdout);
    free(text.text);
    int number = 0;
    for (int row = 0; row < OPERATIONS; row++)
        for (int type = 0; type < PROGRAM_TYPES; type++) {
            if (operations[row].minimum_arch != arch || !operations[row].ptx ||
                !(operations[row].types >> type & 1))
                continue;
            if (program.statement_count == 0 || program.statement_count == 64) {
                if (program.statement_count)
                    print(&program, number++, is_cuda);
                program = (struct program){.threads = 64};
                add_variables(&program);
            }
            add_statement(&program, row, (enum program_type)type,
                          strcmp(argv[2], "constants") == 0);
        }
    print(&program, number, is_cuda);
    return 0;
}
