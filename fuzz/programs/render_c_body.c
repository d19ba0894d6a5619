/* Statements of a program as C: the places of an operation's text, filled; blocks; functions. */
#include "fuzz/programs/program_edit.h"
#include "fuzz/programs/render_c.h"

const char *const c_type_names[PROGRAM_CLASSES] = {
    [CLASS_PREDICATE] = "pred", [CLASS_16] = "u16",  [CLASS_32] = "u32",
    [CLASS_64] = "u64",         [CLASS_F32] = "f32", [CLASS_F64] = "f64"};

void c_constant(char *operand, enum program_class of_class, uint64_t bits)
{
    static const char *const before[PROGRAM_CLASSES] = {[CLASS_16] = "(u16)",
                                                        [CLASS_F32] = "__uint_as_float(",
                                                        [CLASS_F64] = "__longlong_as_double("};
    static const char *const after[PROGRAM_CLASSES] = {
        [CLASS_PREDICATE] = "", [CLASS_16] = "u",   [CLASS_32] = "u",
        [CLASS_64] = "ull",     [CLASS_F32] = "u)", [CLASS_F64] = "ll)"};
    if (before[of_class] != NULL)
        operand = place_word(operand, before[of_class]);
    place_word(place_hexadecimal(operand, bits), after[of_class]);
}

static void put_constant(const struct kernel *kernel, const struct program_statement *statement,
                         int place, struct places *ret)
{
    (void)kernel;
    c_constant(ret->operand[place],
               operation_class(&operations[statement->operation], statement->type, place),
               statement->argument[place - 1].bits);
}

static void put_if(const struct kernel *kernel, int index, const struct places *places)
{
    const struct program_statement *statement = &kernel->program->statement[index];
    int end = index + 1 + statement->body;
    text_print(kernel->text, "    if (%s) {\n", places->operand[1]);
    c_statements(kernel, index + 1, end - statement->otherwise);
    if (statement->otherwise != 0)
        text_put(kernel->text, "    } else {\n");
    c_statements(kernel, end - statement->otherwise, end);
    text_put(kernel->text, "    }\n");
}

static void put_loop(const struct kernel *kernel, int index, const struct places *places)
{
    const struct program_statement *statement = &kernel->program->statement[index];
    text_print(kernel->text, "    for (u32 turn_%d = 0; turn_%d < %s; turn_%d++) {\n", index, index,
               places->operand[1], index);
    c_statements(kernel, index + 1, index + 1 + statement->body);
    text_put(kernel->text, "    }\n");
}

static void put_while(const struct kernel *kernel, int index, const struct places *places)
{
    const struct program_statement *statement = &kernel->program->statement[index];
    text_print(kernel->text, "    for (u32 turn_%d = 0; turn_%d < %s && %s; turn_%d++) {\n", index,
               index, places->operand[2], places->operand[1], index);
    c_statements(kernel, index + 1, index + 1 + statement->body);
    text_put(kernel->text, "    }\n");
}

/* Children from the ninth on are nobody's case. */
static void put_switch(const struct kernel *kernel, int index, const struct places *places)
{
    const struct program *program = kernel->program;
    int child[PROGRAM_CASES];
    int children = program_children(program, index, child, PROGRAM_CASES);
    text_print(kernel->text, "    switch (%s & %d) {\n", places->operand[1], PROGRAM_CASES - 1);
    for (int number = 0; number < children; number++) {
        text_print(kernel->text, "    case %d:\n", number);
        c_statements(kernel, child[number],
                     child[number] + 1 + program->statement[child[number]].body);
        text_put(kernel->text, "        break;\n");
    }
    text_put(kernel->text, "    default:\n        break;\n    }\n");
}

/* What a function is given beside variables; memory where a statement of the program names it. */
static const struct {
    const char *type, *name;
} context[] = {{"const u32 ", "lane"},
               {"const u32 ", "warp"},
               {"unsigned char *const ", "array"},
               {"const unsigned char *const ", "table"},
               {"unsigned char *const ", "own"},
               {"unsigned char *const ", "shared"}};
enum { CONTEXT = sizeof context / sizeof *context };

static void put_context(const struct kernel *kernel, bool with_types)
{
    for (int index = 0; index < CONTEXT; index++) {
        if (!program_has_word(kernel->program, index < 2 ? "lane" : context[index].name))
            continue;
        text_put(kernel->text, ", ");
        text_put(kernel->text, with_types ? context[index].type : "");
        text_put(kernel->text, context[index].name);
    }
}

/* A line for each variable that the body of block `index` names: `format` has its number twice. */
__attribute__((format(printf, 3, 0))) static void put_each(const struct kernel *kernel, int index,
                                                           const char *format, bool with_types)
{
    const struct program *program = kernel->program;
    bool is_named[PROGRAM_VARIABLES_MAX];
    program_named(program, index + 1, index + 1 + program->statement[index].body, is_named);
    for (int variable = 0; variable < program->variable_count; variable++) {
        if (!is_named[variable])
            continue;
        text_put(kernel->text, "    ");
        if (with_types)
            text_put(kernel->text, c_type_names[program->variable[variable].of_class]);
        text_print(kernel->text, format, variable, variable);
    }
}

static void put_call(const struct kernel *kernel, int index, const struct places *places)
{
    (void)places;
    text_print(kernel->text, "    {\n    struct %s_state_%d s;\n    s.none = 0;\n", kernel->name,
               index);
    put_each(kernel, index, "s.v%d = v%d;\n", false);
    text_print(kernel->text, "    s = %s_call_%d(s, thread", kernel->name, index);
    put_context(kernel, false);
    text_put(kernel->text, ");\n");
    put_each(kernel, index, "v%d = s.v%d;\n", false);
    text_put(kernel->text, "    }\n");
}

/* Calls with an odd number are inlined. */
static void put_function(const struct kernel *kernel, int index)
{
    const struct program_statement *statement = &kernel->program->statement[index];
    text_print(kernel->text, "\nstruct %s_state_%d {\n    u32 none;\n", kernel->name, index);
    put_each(kernel, index, " v%d;\n", true);
    text_print(kernel->text,
               "};\n\nstatic __device__ %s struct %s_state_%d\n"
               "%s_call_%d(struct %s_state_%d s, const u32 thread",
               statement->number % 2 == 0 ? "__noinline__" : "__forceinline__", kernel->name, index,
               kernel->name, index, kernel->name, index);
    put_context(kernel, true);
    text_put(kernel->text, ")\n{\n");
    put_each(kernel, index, " v%d = s.v%d;\n", true);
    c_statements(kernel, index + 1, index + 1 + statement->body);
    put_each(kernel, index, "s.v%d = v%d;\n", false);
    text_put(kernel->text, "    return s;\n}\n");
}

void c_functions(const struct kernel *kernel)
{
    for (int index = kernel->program->statement_count - 1; index >= 0; index--)
        if (kernel->program->statement[index].operation == OPERATION_call)
            put_function(kernel, index);
}

static void (*const blocks[OPERATIONS])(const struct kernel *kernel, int index,
                                        const struct places *places) = {
    [OPERATION_if] = put_if,         [OPERATION_loop] = put_loop, [OPERATION_while] = put_while,
    [OPERATION_switch] = put_switch, [OPERATION_call] = put_call,
};

void c_statements(const struct kernel *kernel, int first, int end)
{
    for (int index = first; index < end; index++) {
        const struct program_statement *statement = &kernel->program->statement[index];
        struct places places;
        places_fill(kernel, statement, put_constant, &places);
        if (blocks[statement->operation] != NULL) {
            blocks[statement->operation](kernel, index, &places);
            index += statement->body;
        } else {
            text_put(kernel->text, "    ");
            text_expand(kernel->text, operations[statement->operation].c, &places);
            text_put(kernel->text, "\n");
        }
    }
}
