/* Help (help.h), made of the tables of commands and options. */
#include "conformance/command/help.h"

#include <ctype.h>
#include <string.h>

#include "conformance/base/escape.h"
#include "conformance/base/build_info.h"
#include "conformance/command/commands.h"
#include "conformance/command/option_table.h"
#include "conformance/command/usage.h"

enum { COLUMNS = 80, HELP_COLUMN = 29, SUMMARY_COLUMN = 37 };

const char *help_sentences(const struct option_row *row, char ret_text[HELP_SENTENCES_BYTES])
{
    bool has_standard = row->standard != NULL;
    snprintf(ret_text, HELP_SENTENCES_BYTES, "%s%s%s%s.%s%s", row->help,
             has_standard ? " (default " : "", has_standard ? row->standard : "",
             has_standard ? ")" : "", row->more ? " " : "", row->more ? row->more : "");
    ret_text[0] = (char)toupper((unsigned char)ret_text[0]);
    return ret_text;
}

const struct option_row *help_next(const struct command *command, const struct option_row *last)
{
    size_t letters = strlen(command->name);
    for (const struct option_row *row = last ? last + 1 : option_rows;
         row < option_rows + option_row_count; row++)
        if (!row->hidden && strncmp(row->commands, command->name, letters) == 0 &&
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
        const struct command *command = commands[index];
        const int used = fprintf(file, "  assay %-7s %s", command->name, command->words);
        fprintf(file, "%*s", SUMMARY_COLUMN - used, "");
        escape_wrap(file, command->summary, SUMMARY_COLUMN, COLUMNS);
    }
    for (int index = 0; index < command_count; index++) {
        const struct option_row *row = help_next(commands[index], NULL);
        if (row)
            fprintf(file, "\nOptions of %s:\n", commands[index]->name);
        for (; row; row = help_next(commands[index], row))
            write_row(file, row);
    }
    fprintf(file, "\n[...] names further commands that take the option. A long option may be\n"
                  "shortened while it stays unambiguous: --rep for --repeats. A PATTERN is a\n"
                  "kernel (matmul/tiled), a shell pattern ('*/naive') or an algorithm.\n"
                  "Exit status: 0 passed, 1 failed or regressed, 2 bad usage or input,\n"
                  "3 inconclusive, 77 nothing could run, 99 the harness failed.\n"
                  "`assay help COMMAND` describes each option in full.\n");
}

void help_write_command(FILE *file, const struct command *command)
{
    enum { INDENT = 6 };
    char text[HELP_SENTENCES_BYTES], form[USAGE_FORM_BYTES];
    const int used = fprintf(file, "assay %s%s%s: ", command->name, command->words[0] ? " " : "",
                             command->words);
    escape_wrap(file, command->summary, (size_t)used, COLUMNS);
    for (int index = 0; index < option_row_count; index++) {
        const struct option_row *row = &option_rows[index];
        if (!option_is_of(row, command->name) || row->hidden)
            continue;
        fprintf(file, "\n  %s\n%*s", usage_form(row, false, form), INDENT, "");
        escape_wrap(file, help_sentences(row, text), INDENT, COLUMNS);
    }
}
