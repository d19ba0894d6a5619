/* One writer a kind of value, and a row an option (option_words.h). Clause: gate.output.next. */
#include "conformance/session/option_words.h"

#include <inttypes.h>
#include <stddef.h>
#include <string.h>

struct row;

/* Adds the option with its value, or with each of its values. */
typedef void row_writer(const struct row *row, const void *field, char *text);

/* The members are those of the rows of options.def; what the text does not need is not read. */
struct row {
    row_writer *write;
    size_t field, given;
    const char *name, *value, *standard, *expects, *commands, *help, *more;
    bool advanced;
    char letter;
};

static void add_word(const struct row *row, const char *value, char *text)
{
    char word[SHELL_WORD_BYTES];
    text_add(text, OPTION_WORDS_BYTES, " --%s %s", row->name, shell_word(value, word));
}

static void write_flag(const struct row *row, const void *field, char *text)
{
    if (*(const bool *)field)
        text_add(text, OPTION_WORDS_BYTES, " --%s", row->name);
}

static void write_count(const struct row *row, const void *field, char *text)
{
    text_add(text, OPTION_WORDS_BYTES, " --%s %d", row->name, *(const int *)field);
}

static void write_count64(const struct row *row, const void *field, char *text)
{
    text_add(text, OPTION_WORDS_BYTES, " --%s %" PRIu64, row->name, *(const uint64_t *)field);
}

static void write_seconds(const struct row *row, const void *field, char *text)
{
    text_add(text, OPTION_WORDS_BYTES, " --%s %.15g", row->name, *(const double *)field);
}

static void write_text(const struct row *row, const void *field, char *text)
{
    add_word(row, *(const char *const *)field, text);
}

/* The word of that index between the bars. */
static void write_choice(const struct row *row, const void *field, char *text)
{
    const char *at = row->value;
    for (int index = *(const int *)field; index > 0; index--)
        at += strcspn(at, "|") + 1;
    text_add(text, OPTION_WORDS_BYTES, " --%s %.*s", row->name, (int)strcspn(at, "|"), at);
}

static void write_cases(const struct row *row, const void *field, char *text)
{
    const struct option_cases *cases = field;
    for (int index = 0; index < cases->count; index++)
        add_word(row, cases->texts[index], text);
}

static void write_files(const struct row *row, const void *field, char *text)
{
    const struct option_files *files = field;
    for (int index = 0; index < files->count; index++)
        add_word(row, files->names[index], text);
}

static void write_shard(const struct row *row, const void *field, char *text)
{
    char value[SHARD_TEXT_BYTES];
    add_word(row, shard_value(field, value), text);
}

const char output_format_words[] =
#define FORMAT(id, word) "|" #word
#include "conformance/session/output_formats.def"
#undef FORMAT
    ;

#define WRITE_FLAG               write_flag
#define WRITE_COUNT(low, high)   write_count
#define WRITE_COUNT64(low, high) write_count64
#define WRITE_SECONDS            write_seconds
#define WRITE_TEXT               write_text
#define WRITE_PAGE               write_text
#define WRITE_INPUT              write_text
#define WRITE_OUTPUT             write_text
#define WRITE_FOLDER             write_text
#define WRITE_CHOICE             write_choice
#define WRITE_DEVICE             write_text
#define WRITE_PATHS              write_text
#define WRITE_CASES              write_cases
#define WRITE_FILES              write_files
#define WRITE_LEVELS             write_text
#define WRITE_SHARD              write_shard

#define OPTION(place, type, ...)                                                                   \
    {WRITE_##type, .field = offsetof(struct options, place),                                       \
     .given = offsetof(struct options, given.place), __VA_ARGS__},
#define OPTION_AGAIN OPTION
static const struct row rows[] = {
#include "conformance/session/options.def"
};

static bool is_among(const char *name, const char *const *names)
{
    while (*names && strcmp(*names, name) != 0)
        names++;
    return *names != NULL;
}

bool option_command_is(const char *command, const char *commands)
{
    const size_t letters = strlen(command);
    for (const char *at = commands; (at = strstr(at, command)) != NULL; at += letters)
        if ((at == commands || at[-1] == ' ') && (at[letters] == ' ' || at[letters] == 0))
            return true;
    return false;
}

const char *option_words(const struct options *options, const char *command,
                         const char *const *left_out, char ret_text[OPTION_WORDS_BYTES])
{
    char word[SHELL_WORD_BYTES];
    ret_text[0] = 0;
    for (size_t index = 0; index < sizeof rows / sizeof rows[0]; index++) {
        const struct row *row = &rows[index];
        if (*((const bool *)options + row->given) && option_command_is(command, row->commands) &&
            !is_among(row->name, left_out))
            row->write(row, (const char *)options + row->field, ret_text);
    }
    for (int index = 0; index < options->pattern_count; index++) {
        if (index == 0 && options->patterns[0][0] == '-')
            text_add(ret_text, OPTION_WORDS_BYTES, " --");
        text_add(ret_text, OPTION_WORDS_BYTES, " %s", shell_word(options->patterns[index], word));
    }
    return ret_text;
}
