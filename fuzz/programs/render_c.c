/* A program as C (render.h): CUDA C, and C11 for the host, out of one text whose words the prelude
 * explains. Variables are unsigned; the places of an operation cast them to its types. */
#include "fuzz/programs/program_parts.h"
#include "fuzz/programs/render_text.h"

static const char *const type_names[PROGRAM_CLASSES] = {
    [CLASS_PREDICATE] = "pred", [CLASS_16] = "u16",  [CLASS_32] = "u32",
    [CLASS_64] = "u64",         [CLASS_F32] = "f32", [CLASS_F64] = "f64"};

static void c_constant(char *operand, enum program_class of_class, uint64_t bits)
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
    text_statements(kernel, index + 1, end - statement->otherwise);
    if (statement->otherwise != 0)
        text_put(kernel->text, "    } else {\n");
    text_statements(kernel, end - statement->otherwise, end);
    text_put(kernel->text, "    }\n");
}

/* A loop, or a while: as often as its count says, and while its condition holds. */
static void put_loop(const struct kernel *kernel, int index, const struct places *places)
{
    const struct program_statement *statement = &kernel->program->statement[index];
    const bool is_while = statement->operation == OPERATION_while;
    text_print(kernel->text, "    for (u32 turn_%d = 0; turn_%d < %s%s%s; turn_%d++) {\n", index,
               index, places->operand[is_while ? 2 : 1], is_while ? " && " : "",
               is_while ? places->operand[1] : "", index);
    text_statements(kernel, index + 1, index + 1 + statement->body);
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
        text_statements(kernel, child[number],
                        child[number] + 1 + program->statement[child[number]].body);
        text_put(kernel->text, "        break;\n");
    }
    text_put(kernel->text, "    default:\n        break;\n    }\n");
}

/* Arguments of a function besides variables; memory if a statement of the program names it. */
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
            text_put(kernel->text, type_names[program->variable[variable].of_class]);
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
    text_statements(kernel, index + 1, index + 1 + statement->body);
    put_each(kernel, index, "s.v%d = v%d;\n", false);
    text_put(kernel->text, "    return s;\n}\n");
}

static const struct language c_language = {
    .indent = "    ",
    .is_ptx = false,
    .put_constant = put_constant,
    .blocks = {[OPERATION_if] = put_if,
               [OPERATION_loop] = put_loop,
               [OPERATION_while] = put_loop,
               [OPERATION_switch] = put_switch,
               [OPERATION_call] = put_call},
};

static void put_lines(struct program_text *text, const char *const *lines)
{
    for (int line = 0; lines[line] != NULL; line++)
        text_put(text, lines[line]);
}

void render_c_begin(struct program_text *text)
{
    text_put(text, "#ifdef __CUDACC__\n");
    put_lines(text, prelude_cuda);
    text_put(text, "#else\n");
    put_lines(text, prelude_host);
    text_put(text, "#endif\n");
}

static void put_inputs(const struct kernel *kernel)
{
    const struct program *program = kernel->program;
    for (int index = 0; index < program->variable_count; index++) {
        const struct program_variable *variable = &program->variable[index];
        const char *type = type_names[variable->of_class];
        char place[OPERAND_BYTES];
        text_print(kernel->text, "    %s v%d = ", type, index);
        if (!variable->is_input)
            c_constant(place, variable->of_class, variable->bits);
        else if (variable->of_class == CLASS_F32)
            text_put(kernel->text, "__uint_as_float((u32)");
        else if (variable->of_class == CLASS_F64)
            text_put(kernel->text, "__longlong_as_double((s64)");
        else if (variable->of_class != CLASS_64)
            text_print(kernel->text, variable->of_class == CLASS_PREDICATE ? "1 & " : "(%s)", type);
        if (variable->is_input)
            text_print(kernel->text, "input[%u]%s", (unsigned)variable->bits * program->threads,
                       variable->of_class >= CLASS_F32 ? ")" : "");
        else
            text_put(kernel->text, place);
        text_put(kernel->text, ";\n");
    }
}

static void put_outputs(const struct kernel *kernel)
{
    for (int index = 0; index < kernel->program->variable_count; index++) {
        enum program_class of_class = kernel->program->variable[index].of_class;
        text_print(kernel->text, "    output[%u] = ", (unsigned)index * kernel->program->threads);
        text_print(kernel->text,
                   of_class == CLASS_F32 ? "v%d != v%d ? 0x7fffffffu : __float_as_uint(v%d);\n"
                   : of_class == CLASS_F64
                       ? "v%d != v%d ? 0x7fffffffffffffffull : (u64)__double_as_longlong(v%d);\n"
                       : "v%d;\n",
                   index, index, index);
    }
}

/* Memory that some statement names, and the lanes that exist in the thread's warp. */
static void put_memory(const struct kernel *kernel)
{
    const struct program *program = kernel->program;
    bool has_lane = program_has_word(program, "lane");
    text_print(kernel->text, "    const u32 thread = threadIdx.x%s;\n",
               has_lane ? ", lane = thread & 31" : "");
    if (has_lane && program->threads % 32 == 0)
        text_put(kernel->text, "    const u32 warp = 0xffffffffu;\n");
    else if (has_lane)
        text_print(kernel->text,
                   "    const u32 warp = %uu - (thread - lane) >= 32 ? 0xffffffffu\n"
                   "        : 0xffffffffu >> (32 - (%uu - (thread - lane)));\n",
                   program->threads, program->threads);
    if (program_has_word(program, "array"))
        text_print(kernel->text, "    __align__(16) unsigned char array[%d] = {0};\n",
                   PROGRAM_ARRAY_WORDS * 4);
    if (program_has_word(program, "table"))
        text_print(kernel->text,
                   "    const unsigned char *const table = (const unsigned char *)%s_table;\n",
                   kernel->name);
    if (program_has_word(program, "shared"))
        text_print(kernel->text, "    __shared__ __align__(16) unsigned char shared[%u];\n",
                   program->threads * 8);
    if (program_has_word(program, "own"))
        text_print(kernel->text,
                   "    unsigned char *const own =\n"
                   "        (unsigned char *)(output + %u + thread * %d);\n",
                   program_own_word(program, 0), PROGRAM_PRIVATE_BYTES / 8);
    text_put(kernel->text, "    input += thread;\n    output += thread;\n");
}

void render_c(struct program_text *text, const struct program *program, const char *name)
{
    struct kernel kernel = {text, program, name, &c_language};
    text_table(&kernel, "__constant__ __align__(16) u32", "u");
    for (int index = program->statement_count - 1; index >= 0; index--)
        if (program->statement[index].operation == OPERATION_call)
            put_function(&kernel, index);
    text_print(text, "\nKERNEL(%s, %u, ", name, program->threads);
    if (program->blocks_minimum != 0)
        text_print(text, "__launch_bounds__(%u, %d)", program->threads, program->blocks_minimum);
    text_put(text, ")\n{\n");
    put_memory(&kernel);
    put_inputs(&kernel);
    text_statements(&kernel, 0, program->statement_count);
    put_outputs(&kernel);
    text_put(text, "}\n");
}
