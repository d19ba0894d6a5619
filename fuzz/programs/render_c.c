/* A program as C (render.h): CUDA C, and C11 for the host, out of one text whose words the prelude
 * explains. Variables are unsigned; the places of an operation cast them to its types. */
#include "fuzz/programs/render_c.h"
#include "fuzz/programs/render.h"

#include "fuzz/programs/prelude.h"

static void put_lines(struct program_text *text, const char *const *lines)
{
    for (int line = 0; lines[line] != NULL; line++)
        text_put(text, lines[line]);
}

void render_c_begin(struct program_text *text)
{
    text_put(text, "#ifdef __CUDACC__\n");
    put_lines(text, prelude_cuda);
    put_lines(text, prelude_nvrtc);
    text_put(text, "#else\n");
    put_lines(text, prelude_host);
    text_put(text, "#endif\n");
}

static void put_inputs(const struct kernel *kernel)
{
    const struct program *program = kernel->program;
    for (int index = 0; index < program->variable_count; index++) {
        const struct program_variable *variable = &program->variable[index];
        const char *type = c_type_names[variable->of_class];
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

static void put_table(const struct kernel *kernel)
{
    if (!program_has_word(kernel->program, "table"))
        return;
    text_print(kernel->text, "\n__constant__ __align__(16) u32 %s_table[%d] = {", kernel->name,
               PROGRAM_TABLE_WORDS);
    for (int index = 0; index < PROGRAM_TABLE_WORDS; index++)
        text_print(kernel->text, "%s0x%xu", index == 0 ? "" : ", ", kernel->program->table[index]);
    text_put(kernel->text, "};\n");
}

void render_c(struct program_text *text, const struct program *program, const char *name)
{
    struct kernel kernel = {text, program, name};
    put_table(&kernel);
    c_functions(&kernel);
    text_print(text, "\nKERNEL(%s, %u, ", name, program->threads);
    if (program->blocks_minimum != 0)
        text_print(text, "__launch_bounds__(%u, %d)", program->threads, program->blocks_minimum);
    text_put(text, ")\n{\n");
    put_memory(&kernel);
    put_inputs(&kernel);
    c_statements(&kernel, 0, program->statement_count);
    put_outputs(&kernel);
    text_put(text, "}\n");
}
