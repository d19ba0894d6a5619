/* The manual page and the completion of bash (help.h). What of the page is no option is a template,
 * assay.1.in, in which two comments give way to the synopsis and the options. */
#include "conformance/command/help.h"

#include <string.h>

#include "conformance/command/commands.h"
#include "conformance/command/option_table.h"
#include "conformance/command/usage.h"
#include "conformance/model/catalog.h"

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
        const struct command *command = commands[index];
        fprintf(file, "%s.B assay %s\n", index ? ".br\n" : "", command->name);
        if (command->words[0])
            fprintf(file, "\\&%s\n", command->words);
        for (int row = 0; row < option_row_count; row++) {
            const struct option_row *it = &option_rows[row];
            if (!option_is_of(it, command->name) || it->hidden)
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
        const struct option_row *row = help_next(commands[index], NULL);
        if (row)
            fprintf(file, ".SS Options of %s\n", commands[index]->name);
        for (; row; row = help_next(commands[index], row)) {
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

/* What the shell offers for a value: the words of a choice, names of files or folders, or nothing.
 */
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

/* Kernels and algorithms, or the names of records. */
static void write_words(FILE *file, const struct command *command)
{
    char name[CATALOG_NAME_BYTES];
    bool is_mutants = command == &command_mutants;
    int first = is_mutants ? kernel_count : 0, end = is_mutants ? catalog_count() : kernel_count;
    if (strstr(command->words, "RECORD") || strstr(command->words, "BASE")) {
        fprintf(file, " COMPREPLY=($(compgen -f -- \"$word\"))");
    } else if (strstr(command->words, "PATTERN")) {
        fprintf(file, " words='");
        for (int id = first; id < end; id++)
            fprintf(file, "%s ", catalog_name(id, name));
        for (int index = 0; !is_mutants && index < algorithm_count; index++)
            fprintf(file, "%s ", algorithms[index]->name);
        fputc('\'', file);
    } else if (strstr(command->words, "COMMAND")) {
        fprintf(file, " words=$commands");
    }
}

static void write_command(FILE *file, const struct command *command)
{
    fprintf(file, "    %s) options='", command->name);
    for (int index = 0; index < option_row_count; index++)
        if (option_is_of(&option_rows[index], command->name) && !option_rows[index].hidden)
            fprintf(file, "--%s ", option_rows[index].name);
    fprintf(file, "';");
    write_words(file, command);
    fprintf(file, " ;;\n");
}

void completion_write(FILE *file)
{
    fprintf(file, "# The completion of assay for bash, made by `assay help --completion`.\n"
                  "_assay() {\n"
                  "    local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]}\n"
                  "    local command=${COMP_WORDS[1]} options= words= commands='");
    for (int index = 0; index < command_count; index++)
        fprintf(file, "%s ", commands[index]->name);
    fprintf(file, "'\n"
                  "    COMPREPLY=()\n"
                  "    if [ \"$COMP_CWORD\" = 1 ]; then\n"
                  "        COMPREPLY=($(compgen -W \"$commands --help --version\" -- \"$word\"))\n"
                  "        return\n"
                  "    fi\n"
                  "    case $command/$before in\n");
    for (int index = 0; index < command_count; index++)
        for (int row = 0; row < option_row_count; row++)
            if (option_is_of(&option_rows[row], commands[index]->name) &&
                option_value(&option_rows[row]) && !option_rows[row].hidden)
                write_values(file, commands[index], &option_rows[row]);
    fprintf(file, "    esac\n"
                  "    case $command in\n");
    for (int index = 0; index < command_count; index++)
        write_command(file, commands[index]);
    fprintf(file,
            "    esac\n"
            "    case $word in\n"
            "    -*) COMPREPLY=($(compgen -W \"$options --help\" -- \"$word\")) ;;\n"
            "    *) [ -z \"$words\" ] || COMPREPLY=($(compgen -W \"$words\" -- \"$word\")) ;;\n"
            "    esac\n"
            "}\n"
            "complete -o filenames -F _assay assay\n");
}
