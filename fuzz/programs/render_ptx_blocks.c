/* Blocks of a program as PTX: branches, and functions for calls that are not inlined. */
#include <stdio.h>

#include "fuzz/programs/program_edit.h"
#include "fuzz/programs/render_ptx.h"

static void put_if(const struct kernel *kernel, int index, const struct places *places)
{
    const struct program_statement *statement = &kernel->program->statement[index];
    int end = index + 1 + statement->body;
    text_print(kernel->text, "\t@!%s bra else_%d;\n", places->operand[1], index);
    ptx_statements(kernel, index + 1, end - statement->otherwise);
    if (statement->otherwise != 0)
        text_print(kernel->text, "\tbra end_%d;\n", index);
    text_print(kernel->text, "else_%d:\n", index);
    ptx_statements(kernel, end - statement->otherwise, end);
    if (statement->otherwise != 0)
        text_print(kernel->text, "end_%d:\n", index);
}

static void put_loop(const struct kernel *kernel, int index, const struct places *places)
{
    const struct program_statement *statement = &kernel->program->statement[index];
    text_print(kernel->text,
               "\t{ .reg .b32 turn_%d; .reg .pred is_done_%d;\n\tmov.u32 turn_%d, 0;\n"
               "loop_%d:\n\tsetp.ge.u32 is_done_%d, turn_%d, %s;\n\t@is_done_%d bra end_%d;\n",
               index, index, index, index, index, index, places->operand[1], index, index);
    ptx_statements(kernel, index + 1, index + 1 + statement->body);
    text_print(kernel->text, "\tadd.u32 turn_%d, turn_%d, 1;\n\tbra loop_%d;\nend_%d: }\n", index,
               index, index, index);
}

/* Whether it goes on is read at each turn: a constant has a register of the block's own. */
static void put_while(const struct kernel *kernel, int index, const struct places *places)
{
    const struct program_statement *statement = &kernel->program->statement[index];
    text_print(kernel->text,
               "\t{ .reg .b32 turn_%d; .reg .pred is_done_%d, goes_%d;\n\tmov.u32 turn_%d, 0;\n"
               "\tmov.pred goes_%d, %s;\n"
               "loop_%d:\n\tsetp.ge.u32 is_done_%d, turn_%d, %s;\n\t@is_done_%d bra end_%d;\n",
               index, index, index, index, index, places->operand[1], index, index, index,
               places->operand[2], index, index);
    if (statement->argument[0].kind == ARGUMENT_VARIABLE)
        text_print(kernel->text, "\tmov.pred goes_%d, %s;\n", index, places->operand[1]);
    text_print(kernel->text, "\t@!goes_%d bra end_%d;\n", index, index);
    ptx_statements(kernel, index + 1, index + 1 + statement->body);
    text_print(kernel->text, "\tadd.u32 turn_%d, turn_%d, 1;\n\tbra loop_%d;\nend_%d: }\n", index,
               index, index, index);
}

/* Children from the ninth on are nobody's case. */
static void put_switch(const struct kernel *kernel, int index, const struct places *places)
{
    int child[PROGRAM_CASES];
    int children = program_children(kernel->program, index, child, PROGRAM_CASES);
    if (children == 0)
        return;
    text_print(kernel->text,
               "\t{ .reg .b32 case_%d;\n\tand.b32 case_%d, %s, %d;\n"
               "\tsetp.ge.u32 k1, case_%d, %d;\n\t@k1 bra end_%d;\n\ttargets_%d: .branchtargets",
               index, index, places->operand[1], PROGRAM_CASES - 1, index, children, index, index);
    for (int number = 0; number < children; number++)
        text_print(kernel->text, "%s case_%d_%d", number == 0 ? "" : ",", index, number);
    text_print(kernel->text, ";\n\tbrx.idx case_%d, targets_%d;\n", index, index);
    for (int number = 0; number < children; number++) {
        text_print(kernel->text, "case_%d_%d:\n", index, number);
        ptx_statements(kernel, child[number],
                       child[number] + 1 + kernel->program->statement[child[number]].body);
        text_print(kernel->text, "\tbra end_%d;\n", index);
    }
    text_print(kernel->text, "end_%d: }\n", index);
}

/* What a function is given beside variables, 8 bytes each: type and register. Memory is left out
 * where no statement of the program names it. */
static const struct {
    const char *type, *name;
    bool is_memory;
} context[] = {{"b32", "thread", false}, {"b32", "lane", false}, {"b32", "warp", false},
               {"b64", "array", true},   {"b64", "own", true},   {"b64", "shared", true}};
enum { CONTEXT = sizeof context / sizeof *context };

/* One of 8 bytes, into a space of parameters or out of it. */
static void put_move(const struct kernel *kernel, bool is_store, const char *type,
                     const char *register_name, const char *space, unsigned *offset)
{
    if (is_store)
        text_print(kernel->text, "\tst.param.%s [%s+%u], %s;\n", type, space, *offset,
                   register_name);
    else
        text_print(kernel->text, "\tld.param.%s %s, [%s+%u];\n", type, register_name, space,
                   *offset);
    *offset += 8;
}

/* The named variables; a predicate is a word. */
static void put_variables(const struct kernel *kernel, const bool *is_named, bool are_stores,
                          const char *space, unsigned *offset)
{
    for (int index = 0; index < kernel->program->variable_count; index++) {
        enum program_class of_class = kernel->program->variable[index].of_class;
        char place[OPERAND_BYTES];
        if (!is_named[index])
            continue;
        place_variable(place, index);
        if (of_class != CLASS_PREDICATE) {
            put_move(kernel, are_stores, ptx_register_types[of_class], place, space, offset);
            continue;
        }
        if (are_stores)
            text_print(kernel->text, "\tselp.b32 word, 1, 0, %s;\n", place);
        put_move(kernel, are_stores, "b32", "word", space, offset);
        if (!are_stores)
            text_print(kernel->text, "\tsetp.ne.u32 %s, word, 0;\n", place);
    }
}

static void put_context(const struct kernel *kernel, bool are_stores, const char *space,
                        unsigned *offset)
{
    for (int index = 0; index < CONTEXT; index++)
        if (!context[index].is_memory || program_has_word(kernel->program, context[index].name))
            put_move(kernel, are_stores, context[index].type, context[index].name, space, offset);
}

/* Of the block that is statement `index`: the variables that its body names, and bytes for them. */
static unsigned body_variables(const struct kernel *kernel, int index, bool *ret_named)
{
    const struct program *program = kernel->program;
    unsigned bytes = 8; /* none would be no type */
    program_named(program, index + 1, index + 1 + program->statement[index].body, ret_named);
    for (int variable = 0; variable < program->variable_count; variable++)
        bytes += ret_named[variable] ? 8 : 0;
    return bytes;
}

/* Calls with an odd number are inlined: their bodies stand where they are called. */
static bool is_function(const struct program_statement *statement)
{
    return statement->operation == OPERATION_call && statement->number % 2 == 0;
}

static void put_call(const struct kernel *kernel, int index, const struct places *places)
{
    const struct program_statement *statement = &kernel->program->statement[index];
    (void)places;
    if (!is_function(statement)) {
        ptx_statements(kernel, index + 1, index + 1 + statement->body);
        return;
    }
    bool is_named[PROGRAM_VARIABLES_MAX];
    unsigned bytes = body_variables(kernel, index, is_named);
    unsigned offset = 0;
    char values[32], results[32]; /* names that no function's parameters have */
    snprintf(values, sizeof values, "values_%d", index);
    snprintf(results, sizeof results, "results_%d", index);
    text_print(kernel->text, "\t{ .param .align 8 .b8 %s[%u];\n\t.param .align 8 .b8 %s[%u];\n",
               values, bytes + CONTEXT * 8, results, bytes);
    put_variables(kernel, is_named, true, values, &offset);
    put_context(kernel, true, values, &offset);
    text_print(kernel->text, "\tcall (%s), %s_call_%d, (%s);\n", results, kernel->name, index,
               values);
    offset = 0;
    put_variables(kernel, is_named, false, results, &offset);
    text_put(kernel->text, "\t}\n");
}

static void put_function(const struct kernel *kernel, int index)
{
    const struct program_statement *statement = &kernel->program->statement[index];
    bool is_named[PROGRAM_VARIABLES_MAX];
    unsigned bytes = body_variables(kernel, index, is_named);
    unsigned offset = 0;
    text_print(kernel->text,
               "\n.func (.param .align 8 .b8 results[%u]) %s_call_%d(.param .align 8 .b8 "
               "values[%u])\n{\n",
               bytes, kernel->name, index, bytes + CONTEXT * 8);
    ptx_registers(kernel, is_named);
    put_variables(kernel, is_named, false, "values", &offset);
    put_context(kernel, false, "values", &offset);
    if (program_has_word(kernel->program, "table"))
        text_print(kernel->text, "\tmov.u64 table, %s_table;\n", kernel->name);
    ptx_statements(kernel, index + 1, index + 1 + statement->body);
    offset = 0;
    put_variables(kernel, is_named, true, "results", &offset);
    text_put(kernel->text, "\tret;\n}\n");
}

/* Bodies of inner calls come after those of outer ones. */
void ptx_functions(const struct kernel *kernel)
{
    for (int index = kernel->program->statement_count - 1; index >= 0; index--)
        if (is_function(&kernel->program->statement[index]))
            put_function(kernel, index);
}

void ptx_block(const struct kernel *kernel, int index, const struct places *places)
{
    static void (*const blocks[OPERATIONS])(const struct kernel *kernel, int index,
                                            const struct places *places) = {
        [OPERATION_if] = put_if,         [OPERATION_loop] = put_loop, [OPERATION_while] = put_while,
        [OPERATION_switch] = put_switch, [OPERATION_call] = put_call,
    };
    blocks[kernel->program->statement[index].operation](kernel, index, places);
}
