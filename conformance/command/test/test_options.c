/* The table of options against what is made of it, and against every command. */
#include <unistd.h>

#include "conformance/command/commands.h"
#include "conformance/command/read_options.h"
#include "fuzz/generator.h"
#include "spec/testing.h"

/* What a writer wrote. */
static char *written(void (*write)(FILE *file))
{
    FILE *file = testing_stream();
    write(file);
    return testing_text(file);
}

static char *written_of(const struct command *command)
{
    FILE *file = testing_stream();
    help_write_command(file, command);
    return testing_text(file);
}

/* True if the name is in the text and ends there. */
static bool has_name(const char *text, const char *name)
{
    const char *ends = " \n\"|)]";
    size_t letters = strlen(name);
    for (const char *at = text; (at = strstr(at, name)) != NULL; at += letters)
        if (strchr(ends, at[letters]))
            return true;
    return false;
}

START_TEST(advanced_options_come_last, "runner.help.advanced")
{
    for (int each = 0; each < command_count; each++) {
        char *own = written_of(&commands[each]);
        const size_t letters = strlen(own);
        const char *found = strstr(own, "\nAdvanced options\n");
        const size_t heading = found ? (size_t)(found - own) : letters;
        bool some = false;
        for (int index = 0; index < option_row_count; index++) {
            const struct option_row *row = &option_rows[index];
            char line[80];
            if (!option_is_of(row, commands[each].name))
                continue;
            snprintf(line, sizeof line, "%s--%s", row->letter ? ", " : "\n  ", row->name);
            const char *at = strstr(own, line);
            some = some || row->advanced;
            ck_assert_ptr_nonnull(at);
            ck_assert_msg(((size_t)(at - own) > heading) == row->advanced, "%s %s",
                          commands[each].name, row->name);
        }
        ck_assert((heading < letters) == some);
    }
}

START_TEST(every_option_is_everywhere, "runner.options.table")
{
    char *help = written(help_write), *manual = written(manual_write);
    char *completion = written(completion_write);
    for (int index = 0; index < option_row_count; index++) {
        const struct option_row *row = &option_rows[index];
        char name[64], roff[64];
        snprintf(name, sizeof name, "--%s", row->name);
        snprintf(roff, sizeof roff, "\\-\\-%s", row->name);
        ck_assert_msg(has_name(help, name), "help: %s", name);
        ck_assert_msg(has_name(manual, roff), "manual page: %s", name);
        ck_assert_msg(has_name(completion, name), "completion: %s", name);
        for (int each = 0; each < command_count; each++) {
            if (option_is_of(row, commands[each].name))
                ck_assert_msg(has_name(written_of(&commands[each]), name), "help %s: %s",
                              commands[each].name, name);
        }
    }
    for (int each = 0; each < command_count; each++) {
        char words[64];
        snprintf(words, sizeof words, "assay %s", commands[each].name);
        ck_assert_msg(has_name(help, words) && has_name(manual, words), "%s", words);
    }
}

/* The longest line of a text, in columns. */
static size_t widest_line(const char *text, const char **ret_line)
{
    size_t widest = 0;
    for (const char *line = text; *line; line += strcspn(line, "\n"), line += *line == '\n') {
        size_t columns = 0;
        for (size_t index = 0; index < strcspn(line, "\n"); index++)
            columns += ((unsigned char)line[index] & 0xc0) != 0x80;
        if (columns > widest)
            *ret_line = line;
        widest = columns > widest ? columns : widest;
    }
    return widest;
}

START_TEST(every_help_keeps_to_80_columns, "runner.help.everywhere")
{
    const char *line = "";
    ck_assert_msg(widest_line(written(help_write), &line) <= 80, "help: %.200s", line);
    for (int each = 0; each < command_count; each++) {
        ck_assert_msg(widest_line(written_of(&commands[each]), &line) <= 80, "help %s: %.200s",
                      commands[each].name, line);
    }
}

/* How often the word is in the text. */
static int count_of(const char *text, const char *word)
{
    int count = 0;
    for (const char *at = text; (at = strstr(at, word)) != NULL; at++)
        count++;
    return count;
}

/* A request of the manual page that does not begin its line is text, and does nothing. */
START_TEST(requests_begin_their_lines, "runner.options.table")
{
    static const char *const requests[] = {".SH ", ".SS ", ".TP\n", ".B \"", ".BR ", ".nf\n"};
    char *manual = written(manual_write), first[16];
    for (size_t index = 0; index < sizeof requests / sizeof requests[0]; index++) {
        snprintf(first, sizeof first, "\n%s", requests[index]);
        ck_assert_msg(count_of(manual, first) == count_of(manual, requests[index]), "%s",
                      requests[index]);
    }
    ck_assert_int_gt(count_of(manual, "\n.TP\n"), option_row_count / 2);
}

/* A row's commands are commands, and no two rows of one command share a name or a letter. */
START_TEST(rows_are_apart, "runner.options.table")
{
    for (int index = 0; index < option_row_count; index++) {
        const struct option_row *row = &option_rows[index];
        char words[128], *rest = NULL;
        snprintf(words, sizeof words, "%s", row->commands);
        for (char *word = strtok_r(words, " ", &rest); word; word = strtok_r(NULL, " ", &rest)) {
            ck_assert_msg(command_find(word) != NULL, "--%s: no command %s", row->name, word);
            for (int before = 0; before < index; before++) {
                const struct option_row *other = &option_rows[before];
                bool same = strcmp(other->name, row->name) == 0 ||
                            (other->letter && other->letter == row->letter);
                ck_assert_msg(!same || !option_is_of(other, word), "%s has --%s twice", word,
                              row->name);
            }
        }
        ck_assert_msg(row->kind->has_value == (option_value(row) != NULL), "--%s", row->name);
    }
}

/* Reads a line of one option; *ret_said is what went to standard error. */
static bool reads(const struct command *command, const char *option, char *value, char **ret_said)
{
    char name[16], word[64];
    char *argv[] = {name, word, value, NULL};
    struct options options;
    snprintf(name, sizeof name, "%s", command->name);
    snprintf(word, sizeof word, "--%s", option);
    testing_capture(STDERR_FILENO);
    const bool good = options_read(command, value ? 3 : 2, argv, &options);
    *ret_said = testing_captured(STDERR_FILENO);
    return good;
}

START_TEST(no_command_takes_another_ones_option, "runner.options.table")
{
    for (int each = 0; each < command_count; each++) {
        for (int index = 0; index < option_row_count; index++) {
            const struct option_row *row = &option_rows[index];
            bool takes = false;
            char *said;
            for (int other = 0; other < option_row_count; other++)
                takes = takes || (strcmp(option_rows[other].name, row->name) == 0 &&
                                  option_is_of(&option_rows[other], commands[each].name));
            if (takes)
                continue;
            ck_assert(!reads(&commands[each], row->name, NULL, &said));
            ck_assert_msg(strstr(said, " is an option of ") &&
                              strchr(said, '\n') == said + strlen(said) - 1,
                          "%s --%s: %s", commands[each].name, row->name, said);
        }
    }
}

/* One line says what took the place of a removed option, however it is typed; nothing lists it. */
START_TEST(removed_options_are_refused, "runner.options.removed")
{
    char *help = written(help_write), *manual = written(manual_write);
    char *completion = written(completion_write);
    for (int index = 0; index < option_removed_count; index++) {
        const struct option_removed *row = &options_removed[index];
        const struct command *command = command_find(row->command);
        char expected[320], name[64], roff[64], typed[64], *said;
        ck_assert_msg(command != NULL, "--%s: no command %s", row->name, row->command);
        snprintf(expected, sizeof expected, "assay %s: --%s was removed: %s\n", row->command,
                 row->name, row->instead);
        snprintf(name, sizeof name, "--%s", row->name);
        snprintf(roff, sizeof roff, "\\-\\-%s", row->name);
        snprintf(typed, sizeof typed, "%s=r.json", row->name);
        for (int way = 0; way < 3; way++) {
            ck_assert(
                !reads(command, way == 0 ? typed : row->name, way == 1 ? "r.json" : NULL, &said));
            ck_assert_str_eq(said, expected);
        }
        ck_assert(!has_name(help, name) && !has_name(manual, roff));
        ck_assert(!has_name(completion, name) && !has_name(written_of(command), name));
        for (int other = 0; other < option_row_count; other++)
            ck_assert_msg(!option_is_of(&option_rows[other], row->command) ||
                              strncmp(option_rows[other].name, row->name, strlen(row->name)) != 0,
                          "%s: --%s would be short for --%s", row->command, row->name,
                          option_rows[other].name);
    }
    ck_assert_int_gt(option_removed_count, 0);
}

/* The words of a choice are the values of the enum that they name. */
START_TEST(choices_are_what_they_are_called, "runner.input.one_line")
{
    static const char *const words[FORMAT_COUNT] = {
#define FORMAT(id, word) #word,
#include "conformance/session/output_formats.def"
#undef FORMAT
    };
    static const char *const takers[] = {"run", "mutants", "compare", "fleet", "merge", "report"};
    struct options options;
    char *said;
    for (int tier = 0; tier < TIER_COUNT; tier++) {
        char word[32], *argv[] = {"run", word, NULL};
        snprintf(word, sizeof word, "--tier=%s", tier_name((enum tier)tier));
        ck_assert(options_read(command_find("run"), 2, argv, &options));
        ck_assert_int_eq(options.tier, tier);
    }
    for (int format = 0; format < FORMAT_COUNT; format++)
        for (size_t at = 0; at < sizeof takers / sizeof takers[0]; at++) {
            char word[32], *argv[] = {(char *)takers[at], word, "a", "b", NULL};
            snprintf(word, sizeof word, "--format=%s", words[format]);
            ck_assert(options_read(command_find(takers[at]), 4, argv, &options));
            ck_assert_int_eq(options.format, format);
        }
    ck_assert(!reads(command_find("mutants"), "format=xml", NULL, &said));
    ck_assert_str_eq(said, "assay mutants: --format takes text, tap, json, markdown, page, junit, "
                           "line, prometheus or gcm, not 'xml'\n");
}

START_TEST(what_is_not_given_has_its_standard, "runner.device.auto")
{
    char *argv[] = {"run", NULL}, *given[] = {"run", "--dev=host", "--see", "7", NULL};
    struct options options;
    ck_assert(options_read(command_find("run"), 1, argv, &options));
    ck_assert_str_eq(options.device, "auto");
    ck_assert(options.timeout_s > 9.9 && options.timeout_s < 10.1);
    ck_assert_int_eq(options.tier, TIER_STANDARD);
    ck_assert(options.paths[0] && !options.given.paths && !options.given.seed);
    ck_assert(options_read(command_find("run"), 4, given, &options));
    ck_assert_str_eq(options.device, "host");
    ck_assert_uint_eq(options.seed, 7);
    ck_assert(options.given.device && options.given.seed && !options.given.paths);
}
