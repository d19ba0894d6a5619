/* Validity of programs (program_check.h). */
#include "fuzz/programs/test/program_check.h"

#include <stdbool.h>
#include <stddef.h>

#include "fuzz/programs/program_parts.h"

/* A block that is open: the statement after it, and whether all threads run what is in it. */
struct open_block {
    int end;
    bool is_uniform;
};

static const char *check_variables(const struct program *program)
{
    if (program->threads < 1 || program->threads > PROGRAM_THREADS_MAX)
        return "the number of threads";
    if (program->variable_count > PROGRAM_VARIABLES_MAX)
        return "the number of variables";
    if (program->statement_count > PROGRAM_STATEMENTS_MAX)
        return "the number of statements";
    if (program->input_count > program->variable_count)
        return "the number of inputs";
    for (int index = 0; index < program->variable_count; index++) {
        const struct program_variable *variable = &program->variable[index];
        if (variable->of_class >= PROGRAM_CLASSES)
            return "the class of a variable";
        if (variable->is_input ? variable->bits >= program->input_count
                               : variable->bits != class_cut(variable->of_class, variable->bits))
            return "the first value of a variable";
    }
    return NULL;
}

static const char *check_argument(const struct program *program,
                                  const struct program_statement *statement, int place)
{
    const struct operation *operation = &operations[statement->operation];
    const struct program_argument *argument = &statement->argument[place - 1];
    if (place > operation_arguments(operation))
        return argument->kind == ARGUMENT_NONE ? NULL
                                               : "an argument that the operation does not take";
    enum program_class of_class = operation_class(operation, statement->type, place);
    uint64_t bound = 0;
    bool is_constant = operation_is_constant(operation, statement->type, place, &bound);
    if (argument->kind == ARGUMENT_CONSTANT) {
        if (bound != 0 && argument->bits >= bound)
            return "a constant that is not below its bound";
        return argument->bits == class_cut(of_class, argument->bits)
                   ? NULL
                   : "a constant that is too wide";
    }
    if (argument->kind != ARGUMENT_VARIABLE)
        return "an argument that is missing";
    if (is_constant)
        return "a variable where only a constant may be";
    if (argument->variable >= program->variable_count)
        return "a variable that is not in the program";
    return program->variable[argument->variable].of_class == of_class ? NULL
                                                                      : "the class of an argument";
}

static const char *check_operands(const struct program *program,
                                  const struct program_statement *statement)
{
    if (statement->operation >= OPERATIONS)
        return "an unknown operation";
    const struct operation *operation = &operations[statement->operation];
    if (statement->type >= PROGRAM_TYPES || !(operation->types >> statement->type & 1))
        return "a type that the operation does not have";
    if (operation_has_result(operation)) {
        if (statement->result >= program->variable_count)
            return "a result that is not in the program";
        if (program->variable[statement->result].of_class !=
            operation_class(operation, statement->type, 0))
            return "the class of the result";
    }
    for (int place = 1; place <= PROGRAM_ARGUMENTS_MAX; place++) {
        const char *wrong = check_argument(program, statement, place);
        if (wrong != NULL)
            return wrong;
    }
    return NULL;
}

/* The body of an `if` is cut in two between statements of it, not within one. */
static bool is_cut_between(const struct program *program, int first, int cut)
{
    while (first < cut)
        first += 1 + program->statement[first].body;
    return first == cut;
}

/* Checks a statement whose operands are right, and closes the blocks that end before it. */
static const char *check_blocks(const struct program *program, int index, struct open_block *open,
                                int *depth)
{
    const struct program_statement *statement = &program->statement[index];
    const struct operation *operation = &operations[statement->operation];
    while (*depth > 0 && open[*depth].end == index)
        --*depth;
    if (operation->is_together && !open[*depth].is_uniform)
        return "an operation of all threads in a block that threads run apart";
    if (!operation->is_block)
        return statement->body == 0 && statement->otherwise == 0 ? NULL
                                                                 : "a body where none may be";
    int end = index + 1 + statement->body;
    if (end > open[*depth].end)
        return "a body that ends after the block around it";
    if (statement->otherwise > (statement->operation == OPERATION_if ? statement->body : 0))
        return "the length of an else-branch";
    if (statement->body == 0)
        return NULL;
    if (*depth == PROGRAM_DEPTH_MAX)
        return "blocks that nest too deep";
    bool is_uniform = open[*depth].is_uniform && !operation_is_apart(statement->operation);
    open[++*depth] = (struct open_block){end, is_uniform};
    return NULL;
}

const char *program_check(const struct program *program, int *ret_statement)
{
    struct open_block open[PROGRAM_DEPTH_MAX + 1] = {{program->statement_count, true}};
    int depth = 0;
    *ret_statement = -1;
    const char *wrong = check_variables(program);
    for (int index = 0; wrong == NULL && index < program->statement_count; index++) {
        *ret_statement = index;
        wrong = check_operands(program, &program->statement[index]);
        if (wrong == NULL)
            wrong = check_blocks(program, index, open, &depth);
    }
    for (int index = 0; wrong == NULL && index < program->statement_count; index++) {
        const struct program_statement *statement = &program->statement[index];
        *ret_statement = index;
        if (!is_cut_between(program, index + 1, index + 1 + statement->body - statement->otherwise))
            wrong = "an else-branch that begins within a statement";
    }
    return wrong;
}
