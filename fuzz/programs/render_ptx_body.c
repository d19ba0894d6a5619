/* Statements of a program as PTX: the places of an operation's text, filled. */
#include "fuzz/programs/render_ptx.h"

#include <string.h>

const char *const ptx_register_types[PROGRAM_CLASSES] = {
    [CLASS_PREDICATE] = "pred", [CLASS_16] = "b16",  [CLASS_32] = "b32",
    [CLASS_64] = "b64",         [CLASS_F32] = "b32", [CLASS_F64] = "b64"};

void ptx_registers(const struct kernel *kernel, const bool *is_named)
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
                text_print(kernel->text, "\t.reg .%s ", ptx_register_types[of_class]);
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
    text_print(kernel->text, "\tmov.%s %s, %s;\n", ptx_register_types[of_class], ret, constant);
}

/* The text has that place as a register alone. */
static bool wants_register(const char *text, int place)
{
    const char word[] = {'%', "-ABCE"[place], 0};
    return text != NULL && strstr(text, word) != NULL;
}

static void put_constant_or_register(const struct kernel *kernel,
                                     const struct program_statement *statement, int place,
                                     struct places *ret)
{
    const struct operation *operation = &operations[statement->operation];
    enum program_class of_class = operation_class(operation, statement->type, place);
    char *operand = ret->operand[place];
    put_constant(operand, of_class, statement->argument[place - 1].bits);
    if (of_class == CLASS_PREDICATE || wants_register(operation->ptx, place))
        put_register(kernel, of_class, place, operand, ret->in_register[place]);
    if (of_class == CLASS_PREDICATE)
        place_word(operand, ret->in_register[place]);
}

void ptx_statements(const struct kernel *kernel, int first, int end)
{
    for (int index = first; index < end; index++) {
        const struct program_statement *statement = &kernel->program->statement[index];
        struct places places;
        places_fill(kernel, statement, put_constant_or_register, &places);
        if (operations[statement->operation].is_block) {
            ptx_block(kernel, index, &places);
            index += statement->body;
        } else {
            text_put(kernel->text, "\t");
            text_expand(kernel->text, operations[statement->operation].ptx, &places);
            text_put(kernel->text, "\n");
        }
    }
}
