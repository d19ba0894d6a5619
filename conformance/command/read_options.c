/* Options (read_options.h): one table for all commands, so that the same word means the same thing
 * everywhere. */
#include "conformance/command/read_options.h"

#include <getopt.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

#include "conformance/base/spelling.h"
#include "conformance/command/option_table.h"
#include "conformance/session/session_candidates.h"
#include "conformance/session/session_images.h"

#define OPTION(...)  +1
#define OPTION_AGAIN OPTION
enum {
    ROW_COUNT = 0
#include "conformance/session/options.def"
};
#undef OPTION
#undef OPTION_AGAIN

/* One line on a mistake; always false. */
static bool complain(const struct command *command, const char *what, const char *which)
{
    fprintf(stderr, "assay %s: %s '%s'; `assay help %s` lists what it takes\n", command->name, what,
            which, command->name);
    return false;
}

static bool read_value(const struct option_row *row, const char *text, struct options *options)
{
    return row->kind->read(row, text, (char *)options + row->field);
}

static bool take_option(const struct command *command, const struct option_row *row,
                        const char *text, struct options *ret)
{
    char expects[OPTION_EXPECTS_BYTES];
    *((bool *)ret + row->given) = true;
    if (read_value(row, text, ret)) {
        const char *why = row->kind->refusal ? row->kind->refusal(text) : NULL;
        if (why)
            fprintf(stderr, "assay %s: --%s %s: %s\n", command->name, row->name, text, why);
        return why == NULL;
    }
    fprintf(stderr, "assay %s: --%s takes %s, not '%s'\n", command->name, row->name,
            option_expects(row, expects), text);
    return false;
}

/* What getopt calls a long option: no letter, as only rows that have one are an option of a letter
 * (runner.options.short), and the row's old name apart from its own. */
enum { LONG_FORM = 256, OLD_NAME = LONG_FORM + ROW_COUNT, FOREIGN = OLD_NAME + ROW_COUNT };

/* True for the option of another command that begins one of this command's: --time is not short for
 * --timeout. */
static bool is_beginning(const char *name, const char *command)
{
    bool begins = false;
    for (int index = 0; index < ROW_COUNT; index++) {
        const char *own = option_rows[index].name;
        if (!option_is_of(&option_rows[index], command))
            continue;
        if (strcmp(own, name) == 0)
            return false;
        begins = begins || strncmp(own, name, strlen(name)) == 0;
    }
    return begins;
}

/* The forms of the rows that this command takes. */
struct forms {
    struct option names[3 * ROW_COUNT + 1];
    char letters[2 * ROW_COUNT + 2];
};

static void make_forms(const struct command *command, struct forms *ret)
{
    struct option *name = ret->names;
    char *letter = ret->letters;
    *letter++ = ':'; /* a missing value is not an unknown option */
    for (int index = 0; index < ROW_COUNT; index++) {
        const struct option_row *row = &option_rows[index];
        int argument = row->kind->has_value ? required_argument : no_argument;
        if (is_beginning(row->name, command->name))
            *name++ = (struct option){row->name, optional_argument, NULL, FOREIGN};
        if (!option_is_of(row, command->name))
            continue;
        *name++ = (struct option){row->name, argument, NULL, LONG_FORM + index};
        if (row->was)
            *name++ = (struct option){row->was, optional_argument, NULL, OLD_NAME + index};
        if (row->letter)
            letter += sprintf(letter, "%c%s", row->letter, row->kind->has_value ? ":" : "");
    }
    *name = (struct option){0};
    *letter = 0;
}

/* The row of a form that this command takes. */
static const struct option_row *row_of(const struct command *command, int form)
{
    if (form >= LONG_FORM)
        return &option_rows[(form - LONG_FORM) % ROW_COUNT];
    const struct option_row *row = option_rows;
    while (row->letter != form || !option_is_of(row, command->name))
        row++;
    return row;
}

/* Adds "a" to "", "a" and "a, b" with `before` in front of it: "a", "a, b", "a, b, c". */
enum { NAMES_BYTES = 256 };
static void add_name(char names[NAMES_BYTES], const char *before, const char *name, size_t letters)
{
    const size_t used = strlen(names);
    snprintf(names + used, NAMES_BYTES - used, "%s%s%.*s", used ? ", " : "", before, (int)letters,
             name);
}

/* Has the last two names joined by a word: "a, b or c". */
static void join_last(char names[NAMES_BYTES], const char *word)
{
    char *comma = strrchr(names, ','), last[NAMES_BYTES];
    if (comma == NULL)
        return;
    snprintf(last, sizeof last, "%s", comma + 2);
    snprintf(comma, NAMES_BYTES - (size_t)(comma - names), " %s %s", word, last);
}

/* A word that getopt does not know, as a row's name or letter: "--basline=x" is "basline". */
struct unknown {
    const char *text; /* as it was typed */
    char name[64];
    char letter;
};

/* The other commands' names, if such an option is theirs: "run, bench and gate". */
static void find_owners(const struct unknown *it, char ret_names[NAMES_BYTES])
{
    ret_names[0] = 0;
    for (int index = 0; index < ROW_COUNT; index++) {
        const struct option_row *row = &option_rows[index];
        if (it->letter ? row->letter != it->letter : strcmp(row->name, it->name) != 0)
            continue;
        for (const char *at = row->commands; *at; at += strspn(at, " ")) {
            const size_t letters = strcspn(at, " ");
            add_name(ret_names, "", at, letters);
            at += letters;
        }
    }
    join_last(ret_names, "and");
}

/* This command's options that the name begins, and the one that it is nearest to. Returns how many
 * it begins. */
static int find_own(const struct command *command, const struct unknown *it,
                    char ret_names[NAMES_BYTES], struct spelling *ret_nearest)
{
    int count = 0;
    ret_names[0] = 0;
    spelling_begin(ret_nearest, it->name);
    for (int index = 0; index < ROW_COUNT; index++) {
        const struct option_row *row = &option_rows[index];
        if (row->hidden || it->name[0] == 0 || !option_is_of(row, command->name))
            continue;
        spelling_try(ret_nearest, row->name);
        if (strncmp(row->name, it->name, strlen(it->name)) != 0)
            continue;
        add_name(ret_names, "--", row->name, strlen(row->name));
        count++;
    }
    join_last(ret_names, "or");
    return count;
}

/* getopt is after the word of an unknown option, but within one of several letters. It has found
 * the row of a flag that has a value. */
static bool complain_unknown(const struct command *command, char **argv)
{
    const char letter[] = {'-', (char)optopt, 0};
    const bool is_letter = optopt > 0 && optopt < LONG_FORM;
    struct unknown it = {.text = is_letter ? letter : argv[optopt < 0 ? optind : optind - 1],
                         .letter = is_letter ? letter[1] : 0};
    char names[NAMES_BYTES], hint[SPELLING_HINT_BYTES];
    struct spelling nearest;
    snprintf(it.name, sizeof it.name, "%.*s", (int)strcspn(it.text + 1, "=") - 1, it.text + 2);
    if (optopt >= LONG_FORM) {
        fprintf(stderr, "assay %s: --%s takes no value\n", command->name,
                row_of(command, optopt)->name);
        return false;
    }
    find_owners(&it, names);
    if (names[0]) {
        fprintf(stderr, "assay %s: %.66s is an option of %s\n", command->name, it.text, names);
        return false;
    }
    if (find_own(command, &it, names, &nearest) > 1)
        fprintf(stderr, "assay %s: ambiguous option '%s': %s\n", command->name, it.text, names);
    else
        fprintf(stderr, "assay %s: unknown option '%s'%s `assay help %s` lists them\n",
                command->name, it.text, spelling_hint(&nearest, "--", hint)[0] ? hint : ";",
                command->name);
    return false;
}

static bool complain_old(const struct command *command, const struct option_row *row)
{
    fprintf(stderr, "assay %s: --%s is now called --%s\n", command->name, row->was, row->name);
    return false;
}

static bool take_words(const struct command *command, int argc, char **argv,
                       struct options *options)
{
    for (; optind < argc; optind++) {
        if (options->pattern_count == command->words_max)
            return complain(command, "unexpected argument", argv[optind]);
        options->patterns[options->pattern_count++] = argv[optind];
    }
    return options->pattern_count >= command->words_min ||
           complain(command, "missing argument after", command->name);
}

/* What every option is that is not given. */
static void set_standards(struct options *options)
{
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    options->seed = (uint64_t)now.tv_sec;
    for (int index = 0; index < ROW_COUNT; index++)
        if (option_rows[index].standard)
            read_value(&option_rows[index], option_rows[index].standard, options);
}

/* The paths that options add, and then the options that name paths. */
static bool take_paths(const struct command *command, struct options *options,
                       const char *const texts[ROW_COUNT])
{
    struct reason reason;
    bool good = images_add_all(options, &reason) && candidates_add(options, &reason);
    if (!good)
        fprintf(stderr, "assay %s: %s\n", command->name, reason.text);
    for (int index = 0; good && index < ROW_COUNT; index++)
        good = texts[index] == NULL ||
               take_option(command, &option_rows[index], texts[index], options);
    if (good && !candidates_are_named(options, &reason)) {
        fprintf(stderr, "assay %s: %s\n", command->name, reason.text);
        return false;
    }
    return good;
}

bool options_read(const struct command *command, int argc, char **argv, struct options *ret)
{
    struct options options = {0};
    struct forms forms;
    set_standards(&options);
    make_forms(command, &forms);
    optind = 1;
    opterr = 0;
    const char *last[ROW_COUNT] = {NULL};
    for (int form; (form = getopt_long(argc, argv, forms.letters, forms.names, NULL)) != -1;) {
        optopt = form == FOREIGN ? 0 : optopt;
        if (form == '?' || form == FOREIGN)
            return complain_unknown(command, argv);
        if (form == ':')
            return complain(command, "missing value after", argv[optind - 1]);
        const struct option_row *row = row_of(command, form);
        if (form >= OLD_NAME)
            return complain_old(command, row);
        if (row->kind->is_last)
            last[row - option_rows] = optarg;
        else if (!take_option(command, row, optarg, &options))
            return false;
    }
    if (!take_paths(command, &options, last) || !take_words(command, argc, argv, &options))
        return false;
    if (options.exit_zero && options.format != FORMAT_TAP) /* nobody else reads the verdict */
        return complain(command, "--exit-zero needs --format tap, not",
                        options.format == FORMAT_JSON ? "json" : "text");
    *ret = options;
    return true;
}
