/* Options (read_options.h): how each kind of value is read, the rows of session/options.def, and
 * the line. A reader returns false if the text is not a value of its kind: take_option then says
 * what is expected. */
#include "conformance/command/read_options.h"

#include <errno.h>
#include <getopt.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "conformance/base/text.h"
#include "conformance/model/path.h"
#include "conformance/record/limit_file.h"
#include "conformance/session/options.h"
#include "conformance/session/session.h"
#include "fuzz/input_file.h"

static bool parse_count(const char *text, uint64_t least, uint64_t most, uint64_t *ret)
{
    char *end;
    errno = 0;
    if (text[0] < '0' || text[0] > '9')
        return false;
    /* 010 is ten: only 0x says another base. */
    bool is_hex = text[0] == '0' && (text[1] == 'x' || text[1] == 'X');
    unsigned long long value = strtoull(text, &end, is_hex ? 16 : 10);
    if (*end || errno || value < least || value > most)
        return false;
    *ret = value;
    return true;
}

static bool read_flag(const struct option_row *row, const char *text, void *field)
{
    (void)row, (void)text;
    *(bool *)field = true;
    return true;
}

static bool read_count(const struct option_row *row, const char *text, void *field)
{
    uint64_t count;
    if (!parse_count(text, row->least, row->most, &count))
        return false;
    *(int *)field = (int)count;
    return true;
}

static bool read_count64(const struct option_row *row, const char *text, void *field)
{
    return parse_count(text, row->least, row->most, field);
}

static bool read_seconds(const struct option_row *row, const char *text, void *field)
{
    char *end;
    double value = strtod(text, &end);
    (void)row;
    if (end == text || *end || !isfinite(value) || value <= 0 || value > 1e7)
        return false;
    *(double *)field = value;
    return true;
}

static bool read_text(const struct option_row *row, const char *text, void *field)
{
    (void)row;
    *(const char **)field = text;
    return text[0] != 0;
}

/* A name that ends as a page's does, or one without an extension: a device, say. */
static bool read_page(const struct option_row *row, const char *text, void *field)
{
    const char *slash = strrchr(text, '/');
    const char *dot = strrchr(slash ? slash + 1 : text, '.');
    return read_text(row, text, field) &&
           (dot == NULL || strcmp(dot, ".html") == 0 || strcmp(dot, ".htm") == 0);
}

static const char *refuse_input(const char *text)
{
    static char why[64];
    const char *cause = NULL;
    FILE *file = input_file_open(text, &cause);
    if (file)
        fclose(file);
    else
        snprintf(why, sizeof why, "cannot be read: %s", cause);
    return file ? NULL : why;
}

/* One that is not there will be made; where a link to nowhere has its name, it cannot be. Who
 * writes "none" means that there shall be no folder. */
static const char *refuse_folder(const char *text)
{
    struct stat status;
    if (strcmp(text, "none") == 0)
        return "a folder is expected: leave the option out, or name the folder ./none";
    if (stat(text, &status) == 0)
        return S_ISDIR(status.st_mode) ? NULL : strerror(ENOTDIR);
    return lstat(text, &status) == 0 ? "it is a dangling link" : NULL;
}

/* Which of the words between the bars of the row's value; -1 if it is not among them. */
static int find_word(const struct option_row *row, const char *text)
{
    const char *at = row->value;
    for (int index = 0;; index++) {
        size_t letters = strcspn(at, "|");
        if (strlen(text) == letters && strncmp(at, text, letters) == 0)
            return index;
        if (at[letters] == 0)
            return -1;
        at += letters + 1;
    }
}

static bool read_choice(const struct option_row *row, const char *text, void *field)
{
    int index = find_word(row, text);
    if (index < 0)
        return false;
    *(int *)field = index;
    return true;
}

/* "cuda:0,cuda:2" */
static bool is_list_of_gpus(const char *text)
{
    char name[DEVICE_LABEL_BYTES];
    struct device_id id;
    for (;; text++) {
        const size_t letters = strcspn(text, ",");
        snprintf(name, sizeof name, "%.*s", (int)letters, text);
        if (letters >= sizeof name || !device_find(name, &id) || id.kind != DEVICE_GPU)
            return false;
        text += letters;
        if (*text == 0)
            return true;
    }
}

static bool read_device(const struct option_row *row, const char *text, void *field)
{
    (void)row;
    *(const char **)field = text;
    return strcmp(text, "auto") == 0 || device_kind_of(text)->is_emulated ||
           strcmp(text, "all") == 0 || is_list_of_gpus(text);
}

static bool read_paths(const struct option_row *row, const char *text, void *field)
{
    char name[PATH_NAME_BYTES];
    (void)row;
    *(const char **)field = text;
    for (;; text++) {
        const size_t letters = strcspn(text, ",");
        snprintf(name, sizeof name, "%.*s", (int)letters, text);
        const int path = letters < sizeof name ? path_find_or_add(name) : -1;
        if (strcmp(name, "all") != 0 &&
            (path < 0 || !device_kinds[path_row(path)->kind].has_choice))
            return false;
        text += letters;
        if (*text == 0)
            return true;
    }
}

static const char *path_words(void)
{
    static char words[PATH_NAMES_BYTES + sizeof "|all[,...]"];
    path_choices("|", words);
    strcat(words, "|all[,...]");
    return words;
}

static bool read_cases(const struct option_row *row, const char *text, void *field)
{
    struct option_cases *cases = field;
    (void)row;
    if (cases->count == OPTIONS_CASES_MAX)
        return false;
    cases->texts[cases->count++] = text;
    return true;
}

static bool read_files(const struct option_row *row, const char *text, void *field)
{
    struct option_files *files = field;
    (void)row;
    if (files->count == OPTIONS_FILES_MAX || text[0] == 0)
        return false;
    files->names[files->count++] = text;
    return true;
}

/* "0,1,3" */
static bool read_levels(const struct option_row *row, const char *text, void *field)
{
    (void)row;
    *(const char **)field = text;
    for (;; text += 2) {
        if (text[0] < '0' || text[0] > '3' || (text[1] != ',' && text[1] != 0))
            return false;
        if (text[1] == 0)
            return true;
    }
}

const char *option_value(const struct option_row *row)
{
    return row->kind->words ? row->kind->words() : row->value;
}

/* 2^40 rather than its digits, from 2^20 on. */
static void write_limit(uint64_t limit, char *ret, size_t bytes)
{
    int exponent = 0;
    while (exponent < 63 && limit > UINT64_C(1) << exponent)
        exponent++;
    if (exponent >= 20 && limit == UINT64_C(1) << exponent)
        snprintf(ret, bytes, "2^%d", exponent);
    else
        snprintf(ret, bytes, "%llu", (unsigned long long)limit);
}

/* The expected value, in words: "a number from 3 to 32". Returns `ret_text`. */
enum { OPTION_EXPECTS_BYTES = 96 };

/* The kinds of values, as the rows name them. */
#define KIND(...)                                                                                  \
    .kind = &(const struct option_kind)                                                            \
    {                                                                                              \
        __VA_ARGS__                                                                                \
    }
#define VALUE_KIND(...)                KIND(.has_value = true, __VA_ARGS__)
#define OPTION_KIND_FLAG               KIND(.read = read_flag)
#define OPTION_KIND_COUNT(low, high)   VALUE_KIND(.read = read_count), .least = low, .most = high
#define OPTION_KIND_COUNT64(low, high) VALUE_KIND(.read = read_count64), .least = low, .most = high
#define OPTION_KIND_SECONDS                                                                        \
    VALUE_KIND(.expects = "seconds above 0, at most 10^7", .read = read_seconds)
#define OPTION_KIND_TEXT   VALUE_KIND(.read = read_text)
#define OPTION_KIND_PAGE   VALUE_KIND(.expects = "a page's name, .html or .htm", .read = read_page)
#define OPTION_KIND_INPUT  VALUE_KIND(.read = read_text, .refusal = refuse_input)
#define OPTION_KIND_OUTPUT VALUE_KIND(.read = read_text)
#define OPTION_KIND_FOLDER VALUE_KIND(.read = read_text, .refusal = refuse_folder)
#define OPTION_KIND_CHOICE VALUE_KIND(.read = read_choice)
#define OPTION_KIND_DEVICE VALUE_KIND(.read = read_device)
#define OPTION_KIND_PATHS  VALUE_KIND(.is_last = true, .words = path_words, .read = read_paths)
#define OPTION_KIND_CASES  VALUE_KIND(.is_list = true, .read = read_cases)
#define OPTION_KIND_FILES  VALUE_KIND(.is_list = true, .read = read_files)
#define OPTION_KIND_LEVELS VALUE_KIND(.read = read_levels)

#define OPTION(place, type, ...)                                                                   \
    {OPTION_KIND_##type, .field = offsetof(struct options, place),                                 \
     .given = offsetof(struct options, given.place), __VA_ARGS__},
#define OPTION_AGAIN OPTION
const struct option_row option_rows[] = {
#include "conformance/session/options.def"
};
#undef OPTION
#undef OPTION_AGAIN
enum { ROW_COUNT = sizeof option_rows / sizeof option_rows[0] };
const int option_row_count = ROW_COUNT;

bool option_is_of(const struct option_row *row, const char *command)
{
    size_t letters = strlen(command);
    for (const char *at = row->commands; (at = strstr(at, command)) != NULL; at += letters)
        if ((at == row->commands || at[-1] == ' ') && (at[letters] == ' ' || at[letters] == 0))
            return true;
    return false;
}

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
    const char *fixed = row->expects ? row->expects : row->kind->expects;
    char least[24], most[24];
    if (fixed) {
        snprintf(expects, OPTION_EXPECTS_BYTES, "%s", fixed);
    } else if (row->most > 0) {
        write_limit(row->least, least, sizeof least);
        write_limit(row->most, most, sizeof most);
        snprintf(expects, OPTION_EXPECTS_BYTES, "a number from %s to %s", least, most);
    } else {
        const char *words = option_value(row);
        size_t used = 0;
        for (const char *at = words; *at && used + 5 < OPTION_EXPECTS_BYTES; at++) {
            if (*at != '|')
                expects[used++] = *at;
            else
                used += (size_t)sprintf(expects + used, "%s", strchr(at + 1, '|') ? ", " : " or ");
        }
        expects[used] = 0;
    }
    fprintf(stderr, "assay %s: --%s takes %s, not '%s'\n", command->name, row->name, expects, text);
    return false;
}

/* getopt's numbers of long options: not letters, as only rows with a letter have a short option
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
        if (it->name[0] == 0 || !option_is_of(row, command->name))
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
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    options.seed = (uint64_t)now.tv_sec;
    for (int index = 0; index < ROW_COUNT; index++)
        if (option_rows[index].standard)
            read_value(&option_rows[index], option_rows[index].standard, &options);
    struct option *name = forms.names;
    char *letter = forms.letters;
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
        if (form >= OLD_NAME) {
            fprintf(stderr, "assay %s: --%s is now called --%s\n", command->name, row->was,
                    row->name);
            return false;
        }
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
    struct reason reason;
    struct gpu_row gpu_row = {.of = 0};
    if (options.gpu && !gpu_file_read(options.gpu, &gpu_row, &reason)) {
        fprintf(stderr, "assay %s: %s\n", command->name, reason.text);
        return false;
    }
    gpu_row_set(&gpu_row);
    options.floors = options.floors ? options.floors : options.gpu;
    options.budgets = options.budgets ? options.budgets : options.gpu;
    *ret = options;
    return true;
}
