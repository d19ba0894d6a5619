/* The table of operations, and the page that says what they compute. */
#include "cpu_ref/programs/operations.h"
#include "spec/testing.h"

enum { CELLS = 7, LINE_BYTES = 1024 };

/* Cells of "| `add` | s16 u16 | ... |", without spaces around them and without backquotes. */
static int split(char *line, char *ret_cell[CELLS])
{
    int count = 0;
    for (char *at = strtok(line + 1, "|"); at && count < CELLS; at = strtok(NULL, "|")) {
        at += strspn(at, " `");
        at[strcspn(at, "`\n")] = 0;
        for (char *end = at + strlen(at); end > at && end[-1] == ' ';)
            *--end = 0;
        ret_cell[count++] = at;
    }
    return count;
}

static const char *names_of(unsigned types, char ret[64])
{
    char *end = ret;
    *ret = 0;
    for (int type = 0; type < PROGRAM_TYPES; type++)
        if (types >> type & 1)
            end += sprintf(end, "%s%s", end == ret ? "" : " ", type_name((enum program_type)type));
    return ret;
}

/* A text that is not there is a block's; `plain` names no function but what memory takes. */
static bool is_text(const char *cell, const char *text)
{
    if (!text)
        return strcmp(cell, "(blocks)") == 0;
    if (strcmp(cell, "plain C") != 0)
        return strstr(text, cell) != NULL;
    for (const char *at = strchr(text, '('); at; at = strchr(at + 1, '(')) {
        const char *word = at;
        while (word > text && strchr("_abcdefghijklmnopqrstuvwxyz0123456789", word[-1]))
            word--;
        const size_t bytes = (size_t)(at - word);
        if (bytes > 0 && strncmp(word, "memcpy", bytes) != 0 &&
            strncmp(word, "sizeof", bytes) != 0 &&
            strncmp(word, "__builtin_assume_aligned", bytes) != 0)
            return false;
    }
    return true;
}

static void check_row(int row, char *cell[CELLS])
{
    char types[64];
    ck_assert_msg(row < OPERATIONS, "the page has more operations than the table");
    const struct operation *it = &operations[row];
    ck_assert_str_eq(cell[0], it->name);
    ck_assert_str_eq(cell[1], names_of(it->types, types));
    ck_assert_str_eq(cell[2], it->signature);
    ck_assert_msg(strlen(cell[3]) > 0, "%s computes nothing", it->name);
    ck_assert_msg(is_text(cell[4], it->ptx), "%s: its text has no %s", it->name, cell[4]);
    ck_assert_msg(is_text(cell[5], it->c), "%s: its text has no %s", it->name, cell[5]);
    ck_assert_str_eq(cell[6], it->source);
}

START_TEST(page_lists_the_table, "programs.operation.listed")
{
    FILE *file = fopen(PAGE, "r");
    ck_assert_ptr_nonnull(file);
    char line[LINE_BYTES], *cell[CELLS];
    int row = 0;
    while (fgets(line, sizeof line, file))
        if (strncmp(line, "| `", 3) == 0) {
            ck_assert_int_eq(split(line, cell), CELLS);
            check_row(row++, cell);
        }
    fclose(file);
    ck_assert_int_eq(row, OPERATIONS);
}

START_TEST(fields_and_amounts_are_cut, "programs.text.cut")
{
    static const struct {
        int operation;
        const char *words;
    } rows[] = {{OPERATION_bfe, "and.b32 x, %b, 255; and.b32 y, %c, 255;"},
                {OPERATION_bfe_u, "and.b32 x, %b, 255; and.b32 y, %c, 255;"},
                {OPERATION_bfi, "and.b32 x, %c, 255; and.b32 y, %e, 255;"},
                {OPERATION_shl, "%d, %a, %B;"},
                {OPERATION_shr, "%d, %a, %B;"}};
    for (size_t index = 0; index < sizeof rows / sizeof *rows; index++) {
        const struct operation *it = &operations[rows[index].operation];
        ck_assert_msg(strstr(it->ptx, rows[index].words) != NULL, "%s: %s", it->name, it->ptx);
    }
}

START_TEST(rows_are_well_formed, "programs.operation.listed")
{
    for (int row = 0; row < OPERATIONS; row++) {
        const struct operation *it = &operations[row];
        ck_assert_int_eq(operation_find(it->name), row);
        ck_assert_msg(strspn(it->signature, "twphilfd-#0123456789") == strlen(it->signature),
                      "%s: %s", it->name, it->signature);
        ck_assert_int_le(operation_arguments(it), PROGRAM_ARGUMENTS_MAX);
        ck_assert_msg(it->types != 0, "%s has no type", it->name);
        ck_assert_msg(it->is_block == (it->ptx == NULL) && it->is_block == (it->c == NULL),
                      "%s: a block alone has no text", it->name);
        ck_assert_msg(!it->is_together || !it->is_block, "%s", it->name);
    }
    ck_assert_int_eq(operation_find("none"), -1);
}
