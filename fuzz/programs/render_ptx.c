/* A program as PTX (render.h): each variable is a register of its own, each statement its
 * operation's text, blocks are branches. */
#include "fuzz/programs/render.h"

#include <string.h>

#include "fuzz/programs/render_text.h"

/* The kernel that is being written. */
struct kernel {
    struct program_text *text;
    const struct program *program;
    const char *name;
};

static const char *const register_types[PROGRAM_CLASSES] = {
    [CLASS_PREDICATE] = "pred", [CLASS_16] = "b16",  [CLASS_32] = "b32",
    [CLASS_64] = "b64",         [CLASS_F32] = "b32", [CLASS_F64] = "b64"};

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

static void put_registers(const struct kernel *kernel)
{
    for (int of_class = 0; of_class < PROGRAM_CLASSES; of_class++) {
        const char *before = "";
        for (int index = 0; index < kernel->program->variable_count; index++) {
            char place[OPERAND_BYTES];
            if (kernel->program->variable[index].of_class != of_class)
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

/* Moves a constant into a register of its class: "h2" of 16 bits for argument 2. */
static void put_register(const struct kernel *kernel, enum program_class of_class, int place,
                         const char *constant, char *ret)
{
    static const char letters[PROGRAM_CLASSES] = {
        [CLASS_PREDICATE] = 'k', [CLASS_16] = 'h',  [CLASS_32] = 'r',
        [CLASS_64] = 'l',        [CLASS_F32] = 'r', [CLASS_F64] = 'l'};
    ret[0] = letters[of_class];
    ret[1] = (char)('0' + place);
    ret[2] = 0;
    text_print(kernel->text, "\tmov.%s %s, %s;\n", register_types[of_class], ret, constant);
}

/* The text has that place as a register alone. */
static bool wants_register(const char *text, int place)
{
    const char word[] = {'%', "-ABCE"[place], 0};
    return text != NULL && strstr(text, word) != NULL;
}

static void fill_places(const struct kernel *kernel, const struct program_statement *statement,
                        struct places *ret)
{
    const struct operation *operation = &operations[statement->operation];
    ret->type = statement->type;
    ret->name = kernel->name;
    place_variable(ret->operand[0], statement->result);
    for (int place = 1; place <= operation_arguments(operation); place++) {
        const struct program_argument *argument = &statement->argument[place - 1];
        enum program_class of_class = operation_class(operation, statement->type, place);
        char *operand = ret->operand[place];
        if (argument->kind == ARGUMENT_VARIABLE) {
            place_variable(operand, argument->variable);
            place_variable(ret->in_register[place], argument->variable);
            continue;
        }
        put_constant(operand, of_class, argument->bits);
        if (of_class == CLASS_PREDICATE || wants_register(operation->ptx, place))
            put_register(kernel, of_class, place, operand, ret->in_register[place]);
        if (of_class == CLASS_PREDICATE)
            place_word(operand, ret->in_register[place]);
    }
}

static void put_statements(const struct kernel *kernel, int first, int end);

static void put_if(const struct kernel *kernel, int index, const struct places *places)
{
    const struct program_statement *statement = &kernel->program->statement[index];
    int end = index + 1 + statement->body;
    text_print(kernel->text, "\t@!%s bra else_%d;\n", places->operand[1], index);
    put_statements(kernel, index + 1, end - statement->otherwise);
    if (statement->otherwise != 0)
        text_print(kernel->text, "\tbra end_%d;\n", index);
    text_print(kernel->text, "else_%d:\n", index);
    put_statements(kernel, end - statement->otherwise, end);
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
    put_statements(kernel, index + 1, index + 1 + statement->body);
    text_print(kernel->text, "\tadd.u32 turn_%d, turn_%d, 1;\n\tbra loop_%d;\nend_%d: }\n", index,
               index, index, index);
}

static void (*const blocks[OPERATIONS])(const struct kernel *kernel, int index,
                                        const struct places *places) = {
    [OPERATION_if] = put_if,
    [OPERATION_loop] = put_loop,
};

static void put_statements(const struct kernel *kernel, int first, int end)
{
    for (int index = first; index < end; index++) {
        const struct program_statement *statement = &kernel->program->statement[index];
        struct places places;
        fill_places(kernel, statement, &places);
        if (blocks[statement->operation] != NULL) {
            blocks[statement->operation](kernel, index, &places);
            index += statement->body;
        } else {
            text_put(kernel->text, "\t");
            text_expand(kernel->text, operations[statement->operation].ptx, &places);
            text_put(kernel->text, "\n");
        }
    }
}

/* The lanes that exist in the thread's warp: the last one may be a part of one. */
static void put_warp(const struct kernel *kernel)
{
    unsigned threads = kernel->program->threads;
    text_put(kernel->text, "\tand.b32 lane, thread, 31;\n\tmov.b32 warp, -1;\n");
    if (threads % 32 != 0)
        text_print(kernel->text,
                   "\tand.b32 word, thread, -32;\n\tsub.u32 word, %u, word;\n"
                   "\tmin.u32 word, word, 32;\n\tsub.u32 word, 32, word;\n"
                   "\tshr.u32 warp, warp, word;\n",
                   threads);
}

/* Memory that some statement names. */
static void put_memory(const struct kernel *kernel)
{
    const struct program *program = kernel->program;
    if (program_has_word(program, "array")) {
        text_put(kernel->text, "\t.reg .b64 array;\n\t.local .align 16 .b8 array_bytes[64];\n"
                               "\tmov.u64 array, array_bytes;\n\tmov.b32 word, 0;\n");
        for (int offset = 0; offset < PROGRAM_ARRAY_WORDS * 4; offset += 16)
            text_print(kernel->text,
                       "\tst.local.v4.b32 [array_bytes+%d], {word, word, word, word};\n", offset);
    }
    if (program_has_word(program, "table"))
        text_print(kernel->text, "\t.reg .b64 table;\n\tmov.u64 table, %s_table;\n", kernel->name);
    if (program_has_word(program, "own"))
        text_print(kernel->text,
                   "\t.reg .b64 own;\n\tmad.wide.u32 own, thread, %d, output;\n"
                   "\tadd.u64 own, own, %u;\n",
                   PROGRAM_PRIVATE_BYTES - 8, program_own_word(program, 0) * 8);
    if (program_has_word(program, "shared"))
        text_print(kernel->text,
                   "\t.reg .b64 shared;\n\t.shared .align 16 .b8 shared_bytes[%u];\n"
                   "\tmov.u64 shared, shared_bytes;\n",
                   program->threads * 8);
}

static void put_table(const struct kernel *kernel)
{
    if (!program_has_word(kernel->program, "table"))
        return;
    text_print(kernel->text, "\n.const .align 16 .b32 %s_table[%d] = {", kernel->name,
               PROGRAM_TABLE_WORDS);
    for (int index = 0; index < PROGRAM_TABLE_WORDS; index++)
        text_print(kernel->text, "%s0x%x", index == 0 ? "" : ", ", kernel->program->table[index]);
    text_put(kernel->text, "};\n");
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
    text_put(kernel->text,
             "{\n\t.reg .b64 input, output, wide;\n\t.reg .b32 thread, lane, warp, word;\n"
             "\t.reg .pred k1, k2, k3, k4;\n\t.reg .b16 h1, h2, h3, h4;\n"
             "\t.reg .b32 r1, r2, r3, r4;\n\t.reg .b64 l1, l2, l3, l4;\n");
    put_registers(kernel);
    text_print(kernel->text,
               "\tld.param.u64 input, [%s_input];\n\tld.param.u64 output, [%s_output];\n"
               "\tcvta.to.global.u64 input, input;\n\tcvta.to.global.u64 output, output;\n"
               "\tmov.u32 thread, %%tid.x;\n\tmad.wide.u32 input, thread, 8, input;\n"
               "\tmad.wide.u32 output, thread, 8, output;\n",
               kernel->name, kernel->name);
    put_warp(kernel);
    put_memory(kernel);
}

void render_ptx(struct program_text *text, const struct program *program, const char *name)
{
    struct kernel kernel = {text, program, name};
    put_table(&kernel);
    put_head(&kernel);
    put_inputs(&kernel);
    put_statements(&kernel, 0, program->statement_count);
    put_outputs(&kernel);
    text_put(text, "\tret;\n}\n");
}
