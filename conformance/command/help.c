/* Help (commands.h), made from the tables of commands and options. The rest of the manual page is a
 * template, assay.1.in, in which the synopsis and the options replace two comments. */

#include <ctype.h>
#include <string.h>

#include "conformance/base/build_info.h"
#include "conformance/base/text.h"
#include "conformance/command/commands.h"
#include "conformance/command/read_options.h"
#include "conformance/model/catalog.h"

/* "--samples N", "-o, --output FILE"; `is_short`: "--device D", "-o FILE". */
enum { USAGE_FORM_BYTES = 128 };
static const char *usage_form(const struct option_row *row, bool is_short,
                              char ret_text[USAGE_FORM_BYTES])
{
    const char letter[] = {'-', row->letter, 0};
    const char initial[] = {(char)toupper((unsigned char)row->name[0]), 0};
    const bool has_letter = row->letter != 0, has_name = !is_short || !has_letter;
    const char *value = option_value(row) ? option_value(row) : "";
    if (is_short && strchr(value, '|')) /* the words of a choice would fill a usage line */
        value = initial;
    snprintf(ret_text, USAGE_FORM_BYTES, "%s%s%s%s%s%s", has_letter ? letter : "",
             has_letter && has_name ? ", " : "", has_name ? "--" : "", has_name ? row->name : "",
             option_value(row) ? " " : "", value);
    return ret_text;
}

enum { COLUMNS = 80, HELP_COLUMN = 29, SUMMARY_COLUMN = 37 };

/* All that is known of a row, in sentences: help, standard and more. */
enum { HELP_SENTENCES_BYTES = 1024 };
static const char *help_sentences(const struct option_row *row, char ret_text[HELP_SENTENCES_BYTES])
{
    bool has_standard = row->standard != NULL;
    snprintf(ret_text, HELP_SENTENCES_BYTES, "%s%s%s%s.%s%s", row->help,
             has_standard ? " (default " : "", has_standard ? row->standard : "",
             has_standard ? ")" : "", row->more ? " " : "", row->more ? row->more : "");
    ret_text[0] = (char)toupper((unsigned char)ret_text[0]);
    return ret_text;
}

/* The rows that the help has under a command: those that no command before it takes. NULL after the
 * last; begin with NULL. */
static const struct option_row *help_next(const struct command *command,
                                          const struct option_row *last)
{
    size_t letters = strlen(command->name);
    for (const struct option_row *row = last ? last + 1 : option_rows;
         row < option_rows + option_row_count; row++)
        if (strncmp(row->commands, command->name, letters) == 0 &&
            (row->commands[letters] == ' ' || row->commands[letters] == 0))
            return row;
    return NULL;
}

static void write_row(FILE *file, const struct option_row *row)
{
    char form[USAGE_FORM_BYTES], text[HELP_SENTENCES_BYTES];
    bool has_standard = row->standard != NULL;
    const char *others = strchr(row->commands, ' ');
    int used = snprintf(text, sizeof text, "%s%s%s%s", row->help, has_standard ? " (default " : "",
                        has_standard ? row->standard : "", has_standard ? ")" : "");
    if (others)
        snprintf(text + used, sizeof text - (size_t)used, " [%s]", others + 1);
    used = fprintf(file, "  %s", usage_form(row, false, form));
    if (used + 2 > HELP_COLUMN) {
        fputc('\n', file);
        used = 0;
    }
    fprintf(file, "%*s", HELP_COLUMN - used, "");
    escape_wrap(file, text, HELP_COLUMN, COLUMNS);
}

void help_write(FILE *file)
{
    fprintf(file, "assay %s: checks what a GPU stack computes against a golden model\n\n",
            build_version);
    for (int index = 0; index < command_count; index++) {
        const struct command *command = &commands[index];
        const int used = fprintf(file, "  assay %-7s %s", command->name, command->words);
        fprintf(file, "%*s", SUMMARY_COLUMN - used, "");
        escape_wrap(file, command->summary, SUMMARY_COLUMN, COLUMNS);
    }
    for (int index = 0; index < command_count; index++) {
        const struct option_row *row = help_next(&commands[index], NULL);
        if (row)
            fprintf(file, "\nOptions of %s:\n", commands[index].name);
        for (; row; row = help_next(&commands[index], row))
            if (!row->advanced)
                write_row(file, row);
    }
    fprintf(file, "\nAdvanced options, which `assay help COMMAND` describes:\n");
    for (int index = 0; index < option_row_count; index++)
        if (option_rows[index].advanced)
            fprintf(file, "  --%-12s [%s]\n", option_rows[index].name, option_rows[index].commands);
    fprintf(file, "\n[...] names further commands that take the option. A long option may be\n"
                  "shortened while it stays unambiguous: --rep for --repeats. A PATTERN is a\n"
                  "kernel (matmul/tiled), a shell pattern ('*/naive') or an algorithm.\n"
                  "Exit status: 0 passed, 1 failed or regressed, 2 bad usage or input,\n"
                  "3 inconclusive, 77 nothing could run, 99 the harness failed.\n"
                  "`assay help COMMAND` describes each option in full;\n`assay version` prints the "
                  "version.\n");
}

void help_write_command(FILE *file, const struct command *command)
{
    enum { INDENT = 6 };
    char text[HELP_SENTENCES_BYTES], form[USAGE_FORM_BYTES];
    const int used = fprintf(file, "assay %s%s%s: ", command->name, command->words[0] ? " " : "",
                             command->words);
    escape_wrap(file, command->summary, (size_t)used, COLUMNS);
    const char *heading = "\nAdvanced options\n";
    for (int place = 0; place < 2 * option_row_count;
         place++) { /* the advanced in a second round */
        const struct option_row *row = &option_rows[place % option_row_count];
        const bool is_second = place >= option_row_count;
        if (!option_is_of(row, command->name) || row->advanced != is_second)
            continue;
        if (is_second)
            fputs(heading, file);
        heading = is_second ? "" : heading;
        fprintf(file, "\n  %s\n%*s", usage_form(row, false, form), INDENT, "");
        escape_wrap(file, help_sentences(row, text), INDENT, COLUMNS);
    }
}

extern const char *const manual_builtin_lines[]; /* lines_builtin.c.in */

/* Text of the page: a hyphen of an option is no hyphen between words. */
static void write_roff(FILE *file, const char *text)
{
    for (const char *at = text; *at; at++) {
        bool is_option = *at == '-' && (at == text || strchr(" [-(", at[-1]) != NULL);
        fprintf(file, "%s%c", is_option || *at == '\\' ? "\\" : "", *at);
    }
}

static void write_synopsis(FILE *file)
{
    char form[USAGE_FORM_BYTES];
    for (int index = 0; index < command_count; index++) {
        const struct command *command = &commands[index];
        fprintf(file, "%s.B assay %s\n", index ? ".br\n" : "", command->name);
        if (command->words[0])
            fprintf(file, "\\&%s\n", command->words);
        for (int row = 0; row < option_row_count; row++) {
            const struct option_row *it = &option_rows[row];
            if (!option_is_of(it, command->name))
                continue;
            fputc('[', file);
            write_roff(file, usage_form(it, true, form));
            fprintf(file, "]%s\n", it->kind->is_list ? "..." : "");
        }
    }
}

static void write_options(FILE *file)
{
    char form[USAGE_FORM_BYTES], text[HELP_SENTENCES_BYTES];
    for (int index = 0; index < command_count; index++) {
        const struct option_row *row = help_next(&commands[index], NULL);
        if (row)
            fprintf(file, ".SS Options of %s\n", commands[index].name);
        for (; row; row = help_next(&commands[index], row)) {
            const char *others = strchr(row->commands, ' ');
            fprintf(file, ".TP\n.B \"");
            write_roff(file, usage_form(row, false, form));
            fprintf(file, "\"\n");
            write_roff(file, help_sentences(row, text));
            if (others)
                fprintf(file, " Also an option of:%s.", others);
            fputc('\n', file);
        }
    }
}

void manual_write(FILE *file)
{
    for (size_t index = 0; manual_builtin_lines[index]; index++) {
        const char *line = manual_builtin_lines[index];
        if (strcmp(line, ".\\\" SYNOPSIS") == 0)
            write_synopsis(file);
        else if (strcmp(line, ".\\\" OPTIONS") == 0)
            write_options(file);
        else
            fprintf(file, "%s\n", line);
    }
}

/* The shell's completions of a value: the words of a choice, names of files or folders, or
 * nothing. */
static void write_values(FILE *file, const struct command *command, const struct option_row *row)
{
    fprintf(file, "    %s/--%s", command->name, row->name);
    if (row->letter)
        fprintf(file, " | %s/-%c", command->name, row->letter);
    fprintf(file, ") ");
    if (strcmp(option_value(row), "DIR") == 0)
        fprintf(file, "COMPREPLY=($(compgen -d -- \"$word\")); ");
    if (strncmp(option_value(row), "FILE", 4) == 0)
        fprintf(file, "COMPREPLY=($(compgen -f -- \"$word\")); ");
    if (strchr(option_value(row), '|')) {
        fprintf(file, "COMPREPLY=($(compgen -W '");
        for (const char *at = option_value(row); *at && *at != '['; at++)
            fputc(*at == '|' ? ' ' : *at, file);
        fprintf(file, "' -- \"$word\")); ");
    }
    fprintf(file, "return ;;\n");
}

static void write_command(FILE *file, const struct command *command)
{
    fprintf(file, "    %s) options='", command->name);
    for (int index = 0; index < option_row_count; index++)
        if (option_is_of(&option_rows[index], command->name))
            fprintf(file, "--%s ", option_rows[index].name);
    fprintf(file, "';");
    bool is_mutants = strcmp(command->name, "mutants") == 0;
    int first = is_mutants ? kernel_count : 0, end = is_mutants ? catalog_count() : kernel_count;
    if (strstr(command->words, "RECORD") || strstr(command->words, "BASE")) {
        fprintf(file, " COMPREPLY=($(compgen -f -- \"$word\"))");
    } else if (strstr(command->words, "PATTERN")) {
        fprintf(file, " words='");
        for (int id = first; id < end; id++)
            fprintf(file, "%s ", CATALOG_NAME(id));
        for (int index = 0; !is_mutants && index < algorithm_count; index++)
            fprintf(file, "%s ", algorithms[index]->name);
        fputc('\'', file);
    } else if (strstr(command->words, "COMMAND")) {
        fprintf(file, " words=$commands");
    }
    fprintf(file, " ;;\n");
}

void completion_write(FILE *file)
{
    fprintf(file, "# The completion of assay for bash, made by `assay help --completion`.\n"
                  "_assay() {\n"
                  "    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]}\n"
                  "    local command=${COMP_WORDS[1]} options= words= commands='");
    for (int index = 0; index < command_count; index++)
        fprintf(file, "%s ", commands[index].name);
    fprintf(file, "'\n"
                  "    COMPREPLY=()\n"
                  "    if [ \"$COMP_CWORD\" = 1 ]; then\n"
                  "        COMPREPLY=($(compgen -W \"$commands --help --version\" -- \"$word\"))\n"
                  "        return\n"
                  "    fi\n"
                  "    case $command/$before in\n");
    for (int index = 0; index < command_count; index++)
        for (int row = 0; row < option_row_count; row++)
            if (option_is_of(&option_rows[row], commands[index].name) &&
                option_value(&option_rows[row]))
                write_values(file, &commands[index], &option_rows[row]);
    fprintf(file, "    esac\n"
                  "    case $command in\n");
    for (int index = 0; index < command_count; index++)
        write_command(file, &commands[index]);
    fprintf(file,
            "    esac\n"
            "    case $word in\n"
            "    -*) COMPREPLY=($(compgen -W \"$options --help\" -- \"$word\")) ;;\n"
            "    *) [ -z \"$words\" ] || COMPREPLY=($(compgen -W \"$words\" -- \"$word\")) ;;\n"
            "    esac\n"
            "}\n"
            "complete -o filenames -F _assay assay\n");
}
