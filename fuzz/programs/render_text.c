/* Text of programs as it grows (render_text.h). */
#include "fuzz/programs/render_text.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Makes room for `more` bytes and the 0 after them. */
static bool make_room(struct program_text *text, size_t more)
{
    size_t room = text->room == 0 ? 4096 : text->room;
    while (room - text->bytes <= more)
        room *= 2;
    if (room == text->room)
        return true;
    char *larger = realloc(text->text, room);
    if (larger == NULL) {
        text->is_out_of_memory = true;
        return false;
    }
    text->text = larger;
    text->room = room;
    return true;
}

void text_bytes(struct program_text *text, const char *bytes, size_t count)
{
    if (text->is_out_of_memory || !make_room(text, count))
        return;
    memcpy(text->text + text->bytes, bytes, count);
    text->bytes += count;
    text->text[text->bytes] = 0;
}

void text_put(struct program_text *text, const char *string)
{
    text_bytes(text, string, strlen(string));
}

void text_print(struct program_text *text, const char *format, ...)
{
    char line[1024];
    va_list arguments;
    va_start(arguments, format);
    int bytes = vsnprintf(line, sizeof line, format, arguments);
    va_end(arguments);
    if (bytes > 0)
        text_bytes(text, line, (size_t)bytes < sizeof line ? (size_t)bytes : sizeof line - 1);
}

char *place_word(char *ret, const char *word)
{
    size_t bytes = strlen(word);
    memcpy(ret, word, bytes + 1);
    return ret + bytes;
}

char *place_variable(char *ret, int variable)
{
    *ret++ = 'v';
    if (variable >= 10)
        *ret++ = (char)('0' + variable / 10);
    *ret++ = (char)('0' + variable % 10);
    *ret = 0;
    return ret;
}

char *place_hexadecimal(char *ret, uint64_t bits)
{
    int digits = 1;
    while (digits < 16 && bits >> 4 * digits != 0)
        digits++;
    *ret++ = '0';
    *ret++ = 'x';
    for (int digit = digits - 1; digit >= 0; digit--)
        *ret++ = "0123456789abcdef"[bits >> 4 * digit & 15];
    *ret = 0;
    return ret;
}

/* Words of a type: %t, %u, %w, %x. */
static const struct {
    const char *name, *untyped, *bits, *twice;
} words[PROGRAM_TYPES] = {
    [TYPE_PREDICATE] = {"pred", "pred", "1", ""}, [TYPE_S16] = {"s16", "b16", "16", "u32"},
    [TYPE_U16] = {"u16", "b16", "16", "u32"},     [TYPE_S32] = {"s32", "b32", "32", "u64"},
    [TYPE_U32] = {"u32", "b32", "32", "u64"},     [TYPE_S64] = {"s64", "b64", "64", ""},
    [TYPE_U64] = {"u64", "b64", "64", ""},        [TYPE_F32] = {"f32", "b32", "32", ""},
    [TYPE_F64] = {"f64", "b64", "64", ""},
};

static const char *place_text(const struct places *places, char letter)
{
    static const char letters[] = "tuwxn%dabceDABCE";
    const char *const texts[] = {words[places->type].name,
                                 words[places->type].untyped,
                                 words[places->type].bits,
                                 words[places->type].twice,
                                 places->name,
                                 "%"};
    enum { TEXTS = sizeof texts / sizeof *texts, OPERANDS = 5 };
    const char *at = strchr(letters, letter);
    const long index = at ? at - letters : 0;
    return at == NULL                 ? ""
           : index < TEXTS            ? texts[index]
           : index < TEXTS + OPERANDS ? places->operand[index - TEXTS]
                                      : places->in_register[index - TEXTS - OPERANDS];
}

static void text_expand(struct program_text *text, const char *of, const struct places *places)
{
    while (*of != 0) {
        size_t plain = 0;
        while (of[plain] != 0 && of[plain] != '%')
            plain++;
        text_bytes(text, of, plain);
        of += plain;
        if (of[0] == 0 || of[1] == 0)
            break;
        text_put(text, place_text(places, of[1]));
        of += 2;
    }
}

void text_statements(const struct kernel *kernel, int first, int end)
{
    const struct language *language = kernel->language;
    for (int index = first; index < end; index++) {
        const struct program_statement *statement = &kernel->program->statement[index];
        const struct operation *operation = &operations[statement->operation];
        struct places places;
        places.type = statement->type;
        places.name = kernel->name;
        place_variable(places.operand[0], statement->result);
        for (int place = 1; place <= operation_arguments(operation); place++) {
            const struct program_argument *argument = &statement->argument[place - 1];
            if (argument->kind != ARGUMENT_VARIABLE) {
                kernel->language->put_constant(kernel, statement, place, &places);
                continue;
            }
            place_variable(places.operand[place], argument->variable);
            place_variable(places.in_register[place], argument->variable);
        }
        if (operation->is_block) {
            language->blocks[statement->operation](kernel, index, &places);
            index += statement->body;
            continue;
        }
        text_put(kernel->text, language->indent);
        text_expand(kernel->text, language->is_ptx ? operation->ptx : operation->c, &places);
        text_put(kernel->text, "\n");
    }
}

bool program_has_word(const struct program *program, const char *word)
{
    for (int index = 0; index < program->statement_count; index++) {
        const struct operation *operation = &operations[program->statement[index].operation];
        if (operation->ptx != NULL && (strstr(operation->ptx, word) || strstr(operation->c, word)))
            return true;
    }
    return false;
}

void text_table(const struct kernel *kernel, const char *type, const char *suffix)
{
    if (!program_has_word(kernel->program, "table"))
        return;
    text_print(kernel->text, "\n%s %s_table[%d] = {", type, kernel->name, PROGRAM_TABLE_WORDS);
    for (int index = 0; index < PROGRAM_TABLE_WORDS; index++)
        text_print(kernel->text, "%s0x%x%s", index == 0 ? "" : ", ", kernel->program->table[index],
                   suffix);
    text_put(kernel->text, "};\n");
}
