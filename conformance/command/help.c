/* Help (commands.h), made from the tables of commands and options. The rest of the manual page and
 * of the completion are templates, assay.1.in and assay.bash.in, in which comments are replaced. */

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

enum { HELP_SENTENCES_BYTES = 1024 };

static void help_phrase(const struct option_row *row, char ret_text[HELP_SENTENCES_BYTES])
{
    snprintf(ret_text, HELP_SENTENCES_BYTES, "%s", row->help);
    if (row->standard)
        text_add(ret_text, HELP_SENTENCES_BYTES, " (default %s)", row->standard);
}

/* All that is known of a row, in sentences: help, standard and more. */
static const char *help_sentences(const struct option_row *row, char ret_text[HELP_SENTENCES_BYTES])
{
    help_phrase(row, ret_text);
    text_add(ret_text, HELP_SENTENCES_BYTES, ".%s%s", row->more ? " " : "",
             row->more ? row->more : "");
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
    const char *others = strchr(row->commands, ' ');
    help_phrase(row, text);
    if (others)
        text_add(text, sizeof text, " [%s]", others + 1);
    int used = fprintf(file, "  %s", usage_form(row, false, form));
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

extern const char *const manual_builtin_lines[], *const completion_builtin_lines[];

/* A line of a template, and what is written in its place. */
struct blank {
    const char *line;
    void (*write)(FILE *file);
};

/* Writes a template; its last blank has no line. */
static void fill_in(FILE *file, const char *const *lines, const struct blank *blanks)
{
    for (; *lines; lines++) {
        const struct blank *it = blanks;
        while (it->line && strcmp(it->line, *lines) != 0)
            it++;
        if (it->line)
            it->write(file);
        else
            fprintf(file, "%s\n", *lines);
    }
}

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
        if (row) {
            fprintf(file, ".SS Options of %s\nTo ", commands[index].name);
            write_roff(file, commands[index].summary);
            fputs(".\n", file);
        }
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
    static const struct blank blanks[] = {
        {".\\\" SYNOPSIS", write_synopsis}, {".\\\" OPTIONS", write_options}, {NULL, NULL}};
    fill_in(file, manual_builtin_lines, blanks);
}

static void write_commands(FILE *file)
{
    fputs("    commands='", file);
    for (int index = 0; index < command_count; index++)
        fprintf(file, "%s ", commands[index].name);
    fputs("'\n", file);
}

/* The shell's completions of each option's value: the words of a choice, names of files or folders,
 * or nothing. */
static void write_values(FILE *file)
{
    for (int place = 0; place < command_count * option_row_count; place++) {
        const struct command *command = &commands[place / option_row_count];
        const struct option_row *row = &option_rows[place % option_row_count];
        const char *value = option_value(row);
        if (!option_is_of(row, command->name) || value == NULL)
            continue;
        fprintf(file, "    %s/--%s", command->name, row->name);
        if (row->letter)
            fprintf(file, " | %s/-%c", command->name, row->letter);
        fputs(") ", file);
        if (strcmp(value, "DIR") == 0)
            fputs("COMPREPLY=($(compgen -d -- \"$word\")); ", file);
        if (strncmp(value, "FILE", 4) == 0)
            fputs("COMPREPLY=($(compgen -f -- \"$word\")); ", file);
        if (strchr(value, '|')) {
            fputs("COMPREPLY=($(compgen -W '", file);
            for (const char *at = value; *at && *at != '['; at++)
                fputc(*at == '|' ? ' ' : *at, file);
            fputs("' -- \"$word\")); ", file);
        }
        fputs("return ;;\n", file);
    }
}

/* The options of each command, and the words that it accepts besides them. */
static void write_words(FILE *file)
{
    for (const struct command *command = commands; command < commands + command_count; command++) {
        const bool is_mutants = strcmp(command->name, "mutants") == 0;
        const int first = is_mutants ? kernel_count : 0;
        const int end = is_mutants ? catalog_count() : kernel_count;
        fprintf(file, "    %s) options='", command->name);
        for (int index = 0; index < option_row_count; index++)
            if (option_is_of(&option_rows[index], command->name))
                fprintf(file, "--%s ", option_rows[index].name);
        fputs("';", file);
        if (strstr(command->words, "RECORD") || strstr(command->words, "BASE")) {
            fputs(" COMPREPLY=($(compgen -f -- \"$word\"))", file);
        } else if (strstr(command->words, "PATTERN")) {
            fputs(" words='", file);
            for (int id = first; id < end; id++)
                fprintf(file, "%s ", CATALOG_NAME(id));
            for (int index = 0; !is_mutants && index < algorithm_count; index++)
                fprintf(file, "%s ", algorithms[index]->name);
            fputc('\'', file);
        } else if (strstr(command->words, "COMMAND")) {
            fputs(" words=$commands", file);
        }
        fputs(" ;;\n", file);
    }
}

void completion_write(FILE *file)
{
    static const struct blank blanks[] = {{"# COMMANDS", write_commands},
                                          {"# VALUES", write_values},
                                          {"# WORDS", write_words},
                                          {NULL, NULL}};
    fill_in(file, completion_builtin_lines, blanks);
}
