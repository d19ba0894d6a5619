/* A program as PTX (render.h): each variable is a register of its own, each statement its
 * operation's text, blocks are branches, and functions for calls that are not inlined. */
#include <stdio.h>
#include <string.h>

#include "fuzz/programs/program_parts.h"
#include "fuzz/programs/render_text.h"

static const char *const register_types[PROGRAM_CLASSES] = {
    [CLASS_PREDICATE] = "pred", [CLASS_16] = "b16",  [CLASS_32] = "b32",
    [CLASS_64] = "b64",         [CLASS_F32] = "b32", [CLASS_F64] = "b64"};

/* Registers of the variables that are named, and those that every text counts on. */
static void put_registers(const struct kernel *kernel, const bool *is_named)
{
    text_put(kernel->text, "\t.reg .b64 wide, array, table, own, shared;\n"
                           "\t.reg .b32 thread, lane, warp, word;\n"
                           "\t.reg .pred k1, k2, k3, k4;\n\t.reg .b16 h1, h2, h3, h4;\n"
                           "\t.reg .b32 r1, r2, r3, r4;\n\t.reg .b64 l1, l2, l3, l4;\n");
    for (int of_class = 0; of_class < PROGRAM_CLASSES; of_class++) {
        const char *before = "";
        for (int index = 0; index < kernel->program->variable_count; index++) {
            char place[OPERAND_BYTES];
            if (!is_named[index] || kernel->program->variable[index].of_class != of_class)
                continue;
            if (*before == 0)
                text_print(kernel->text, "\t.reg .%s ", register_types[of_class]);
            place_variable(place, index);
            text_put(kernel->text, before);
            text_put(kernel->text, place);
            before = ", ";
        }
        if (*before != 0)
            text_put(kernel->text, ";\n");
    }
}

/* "0x1f", "0f3F800000". */
static void put_constant(char *operand, enum program_class of_class, uint64_t bits)
{
    place_hexadecimal(operand, bits);
    if (of_class != CLASS_F32 && of_class != CLASS_F64)
        return;
    int digits = of_class == CLASS_F32 ? 8 : 16;
    operand[1] = of_class == CLASS_F32 ? 'f' : 'd';
    for (int digit = 0; digit < digits; digit++)
        operand[2 + digit] = "0123456789ABCDEF"[bits >> 4 * (digits - 1 - digit) & 15];
    operand[2 + digits] = 0;
}

static void put_constant_or_register(const struct kernel *kernel,
                                     const struct program_statement *statement, int place,
                                     struct places *ret)
{
    const struct operation *operation = &operations[statement->operation];
    enum program_class of_class = operation_class(operation, statement->type, place);
    char *operand = ret->operand[place];
    const char word[] = {'%', "-ABCE"[place], 0}; /* of an argument that is taken in a register */
    put_constant(operand, of_class, statement->argument[place - 1].bits);
    if (of_class == CLASS_PREDICATE || (operation->ptx && strstr(operation->ptx, word))) {
        static const char letters[PROGRAM_CLASSES] = {
            [CLASS_PREDICATE] = 'k', [CLASS_16] = 'h',  [CLASS_32] = 'r',
            [CLASS_64] = 'l',        [CLASS_F32] = 'r', [CLASS_F64] = 'l'};
        ret->in_register[place][0] = letters[of_class];
        ret->in_register[place][1] = (char)('0' + place);
        ret->in_register[place][2] = 0;
        text_print(kernel->text, "\tmov.%s %s, %s;\n", register_types[of_class],
                   ret->in_register[place], operand);
    }
    if (of_class == CLASS_PREDICATE)
        place_word(operand, ret->in_register[place]);
}

static void put_if(const struct kernel *kernel, int index, const struct places *places)
{
    const struct program_statement *statement = &kernel->program->statement[index];
    int end = index + 1 + statement->body;
    text_print(kernel->text, "\t@!%s bra else_%d;\n", places->operand[1], index);
    text_statements(kernel, index + 1, end - statement->otherwise);
    if (statement->otherwise != 0)
        text_print(kernel->text, "\tbra end_%d;\n", index);
    text_print(kernel->text, "else_%d:\n", index);
    text_statements(kernel, end - statement->otherwise, end);
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
    text_statements(kernel, index + 1, index + 1 + statement->body);
    text_print(kernel->text, "\tadd.u32 turn_%d, turn_%d, 1;\n\tbra loop_%d;\nend_%d: }\n", index,
               index, index, index);
}

/* The condition is read before each iteration; a constant has a register of the block's own. */
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
    text_statements(kernel, index + 1, index + 1 + statement->body);
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
        text_statements(kernel, child[number],
                        child[number] + 1 + kernel->program->statement[child[number]].body);
        text_print(kernel->text, "\tbra end_%d;\n", index);
    }
    text_print(kernel->text, "end_%d: }\n", index);
}

/* Arguments of a function besides variables, 8 bytes each: type and register. Memory is left out
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
            put_move(kernel, are_stores, register_types[of_class], place, space, offset);
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

/* The variables that the body of block `index` names, and the bytes that they take. */
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
        text_statements(kernel, index + 1, index + 1 + statement->body);
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
    put_registers(kernel, is_named);
    put_variables(kernel, is_named, false, "values", &offset);
    put_context(kernel, false, "values", &offset);
    if (program_has_word(kernel->program, "table"))
        text_print(kernel->text, "\tmov.u64 table, %s_table;\n", kernel->name);
    text_statements(kernel, index + 1, index + 1 + statement->body);
    offset = 0;
    put_variables(kernel, is_named, true, "results", &offset);
    text_put(kernel->text, "\tret;\n}\n");
}

static const struct language ptx_language = {
    .indent = "\t",
    .is_ptx = true,
    .put_constant = put_constant_or_register,
    .blocks = {[OPERATION_if] = put_if,
               [OPERATION_loop] = put_loop,
               [OPERATION_while] = put_while,
               [OPERATION_switch] = put_switch,
               [OPERATION_call] = put_call},
};

void render_ptx_begin(struct program_text *text, int arch)
{
    /* The oldest version of PTX that has the architecture. */
    static const struct {
        int arch;
        const char *version;
    } rows[] = {{121, "8.8"}, {120, "8.7"}, {110, "9.0"}, {103, "8.8"}, {100, "8.6"}, {88, "9.0"}};
    const char *version = "8.0";
    for (size_t row = 0; row < sizeof rows / sizeof *rows; row++)
        if (rows[row].arch == arch)
            version = rows[row].version;
    text_print(text, ".version %s\n.target sm_%d\n.address_size 64\n", version, arch);
}

static void put_inputs(const struct kernel *kernel)
{
    const struct program *program = kernel->program;
    for (int index = 0; index < program->variable_count; index++) {
        const struct program_variable *variable = &program->variable[index];
        const char *type = register_types[variable->of_class];
        unsigned offset = (unsigned)variable->bits * program->threads * 8;
        if (variable->of_class == CLASS_PREDICATE && variable->is_input)
            text_print(kernel->text,
                       "\tld.global.b32 word, [input+%u];\n\tand.b32 word, word, 1;\n"
                       "\tsetp.ne.u32 v%d, word, 0;\n",
                       offset, index);
        else if (variable->is_input)
            text_print(kernel->text, "\tld.global.%s v%d, [input+%u];\n", type, index, offset);
        else
            text_print(kernel->text, "\tmov.%s v%d, 0x%llx;\n", type, index,
                       (unsigned long long)variable->bits);
    }
}

/* Every NaN is stored as one. */
static void put_outputs(const struct kernel *kernel)
{
    static const char *const widen[PROGRAM_CLASSES] = {
        [CLASS_PREDICATE] = "selp.b64 wide, 1, 0, v%d;",
        [CLASS_16] = "cvt.u64.u16 wide, v%d;",
        [CLASS_32] = "cvt.u64.u32 wide, v%d;",
        [CLASS_64] = "mov.b64 wide, v%d;",
        [CLASS_F32] = "setp.nan.f32 k1, v%d, v%d;\n\tselp.b32 word, 0x7fffffff, v%d, k1;\n"
                      "\tcvt.u64.u32 wide, word;",
        [CLASS_F64] = "setp.nan.f64 k1, v%d, v%d;\n"
                      "\tselp.b64 wide, 0x7fffffffffffffff, v%d, k1;"};
    for (int index = 0; index < kernel->program->variable_count; index++) {
        text_put(kernel->text, "\t");
        text_print(kernel->text, widen[kernel->program->variable[index].of_class], index, index,
                   index);
        text_print(kernel->text, "\n\tst.global.b64 [output+%u], wide;\n",
                   (unsigned)index * kernel->program->threads * 8);
    }
}

/* Memory that some statement names. */
static void put_memory(const struct kernel *kernel)
{
    const struct program *program = kernel->program;
    if (program_has_word(program, "array")) {
        text_put(kernel->text, "\t.local .align 16 .b8 array_bytes[64];\n"
                               "\tmov.u64 array, array_bytes;\n\tmov.b32 word, 0;\n");
        for (int offset = 0; offset < PROGRAM_ARRAY_WORDS * 4; offset += 16)
            text_print(kernel->text,
                       "\tst.local.v4.b32 [array_bytes+%d], {word, word, word, word};\n", offset);
    }
    if (program_has_word(program, "table"))
        text_print(kernel->text, "\tmov.u64 table, %s_table;\n", kernel->name);
    if (program_has_word(program, "own"))
        text_print(kernel->text,
                   "\tmad.wide.u32 own, thread, %d, output;\n"
                   "\tadd.u64 own, own, %u;\n",
                   PROGRAM_PRIVATE_BYTES - 8, program_own_word(program, 0) * 8);
    if (program_has_word(program, "shared"))
        text_print(kernel->text,
                   "\t.shared .align 16 .b8 shared_bytes[%u];\n"
                   "\tmov.u64 shared, shared_bytes;\n",
                   program->threads * 8);
}

static void put_head(const struct kernel *kernel)
{
    const struct program *program = kernel->program;
    text_print(kernel->text, "\n.visible .entry %s(.param .u64 %s_input, .param .u64 %s_output)\n",
               kernel->name, kernel->name, kernel->name);
    if (program->blocks_minimum != 0)
        text_print(kernel->text, ".maxntid %u, 1, 1\n.minnctapersm %d\n", program->threads,
                   program->blocks_minimum);
    if (program->register_limit != 0)
        text_print(kernel->text, ".maxnreg %d\n", program->register_limit);
    bool is_named[PROGRAM_VARIABLES_MAX];
    memset(is_named, true, sizeof is_named);
    text_put(kernel->text, "{\n\t.reg .b64 input, output;\n");
    put_registers(kernel, is_named);
    text_print(kernel->text,
               "\tld.param.u64 input, [%s_input];\n\tld.param.u64 output, [%s_output];\n"
               "\tcvta.to.global.u64 input, input;\n\tcvta.to.global.u64 output, output;\n"
               "\tmov.u32 thread, %%tid.x;\n\tmad.wide.u32 input, thread, 8, input;\n"
               "\tmad.wide.u32 output, thread, 8, output;\n",
               kernel->name, kernel->name);
    /* The lanes that exist in the thread's warp: the last one may be a part of one. */
    unsigned threads = kernel->program->threads;
    text_put(kernel->text, "\tand.b32 lane, thread, 31;\n\tmov.b32 warp, -1;\n");
    if (threads % 32 != 0)
        text_print(kernel->text,
                   "\tand.b32 word, thread, -32;\n\tsub.u32 word, %u, word;\n"
                   "\tmin.u32 word, word, 32;\n\tsub.u32 word, 32, word;\n"
                   "\tshr.u32 warp, warp, word;\n",
                   threads);
    put_memory(kernel);
}

void render_ptx(struct program_text *text, const struct program *program, const char *name)
{
    struct kernel kernel = {text, program, name, &ptx_language};
    text_table(&kernel, ".const .align 16 .b32", "");
    /* Bodies of inner calls come after those of outer ones. */
    for (int index = program->statement_count - 1; index >= 0; index--)
        if (is_function(&program->statement[index]))
            put_function(&kernel, index);
    put_head(&kernel);
    put_inputs(&kernel);
    text_statements(&kernel, 0, program->statement_count);
    put_outputs(&kernel);
    text_put(text, "\tret;\n}\n");
}
