/* A program as PTX (render.h): each variable is a register of its own, each statement its
 * operation's text, blocks are branches. */
#include "fuzz/programs/render.h"

#include <string.h>

#include "fuzz/programs/program_edit.h"
#include "fuzz/programs/render_ptx.h"

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
        const char *type = ptx_register_types[variable->of_class];
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
    bool is_named[PROGRAM_VARIABLES_MAX];
    memset(is_named, true, sizeof is_named);
    text_put(kernel->text, "{\n\t.reg .b64 input, output;\n");
    ptx_registers(kernel, is_named);
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
    ptx_functions(&kernel);
    put_head(&kernel);
    put_inputs(&kernel);
    ptx_statements(&kernel, 0, program->statement_count);
    put_outputs(&kernel);
    text_put(text, "\tret;\n}\n");
}
