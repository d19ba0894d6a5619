/* Options (read_options.h): how each kind of value is read, the rows of session/options.def, and
 * the line. A reader returns false if the text is not a value of its kind: take_option then says
 * what is expected. */
#include "conformance/command/read_options.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "conformance/base/input_file.h"
#include "conformance/base/text.h"
#include "conformance/model/path.h"
#include "conformance/record/file_sort.h"
#include "conformance/record/limit_file.h"
#include "conformance/report/reporter.h"
#include "conformance/session/option_words.h"
#include "conformance/session/options.h"
#include "conformance/session/session.h"

static bool read_flag(const struct option_row *row, const char *text, void *field)
{
    (void)row, (void)text;
    *(bool *)field = true;
    return true;
}

static bool read_count64(const struct option_row *row, const char *text, void *field)
{
    char *end;
    errno = 0;
    if (text[0] < '0' || text[0] > '9')
        return false;
    /* 010 is ten: only 0x says another base. */
    const bool is_hex = text[0] == '0' && (text[1] == 'x' || text[1] == 'X');
    const unsigned long long value = strtoull(text, &end, is_hex ? 16 : 10);
    if (*end || errno || value < row->least || value > row->most)
        return false;
    *(uint64_t *)field = value;
    return true;
}

static bool read_count(const struct option_row *row, const char *text, void *field)
{
    uint64_t count;
    if (!read_count64(row, text, &count))
        return false;
    *(int *)field = (int)count;
    return true;
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

static const char *refuse_input(const char *text)
{
    static char why[REASON_TEXT_BYTES];
    struct reason reason;
    if (input_can_open(text, &reason))
        return NULL;
    reason_before(&reason, "cannot be read: ");
    memcpy(why, reason.text, sizeof why);
    return why;
}

/* One that is not there will be made; where a link to nowhere has its name, it cannot be. Who
 * writes "none" means that there shall be no folder. */
static const char *refuse_folder(const char *text)
{
    struct stat status;
    if (strcmp(text, "none") == 0)
        return "a folder is expected: leave the option out, or name the folder ./none";
    if (stat(text, &status) == 0 && !S_ISDIR(status.st_mode)) {
        static char why[64];
        const char *sort = file_sort_of(text);
        snprintf(why, sizeof why, sort ? "this is %s, not a folder" : "%s",
                 sort ? sort : strerror(ENOTDIR));
        return why;
    }
    if (stat(text, &status) == 0)
        return NULL;
    return lstat(text, &status) == 0 ? "it is a dangling link" : NULL;
}

/* Keeps which of the words between the bars of the row's value it is. */
static bool read_choice(const struct option_row *row, const char *text, void *field)
{
    const char *at = row->value;
    for (int index = 0;; index++) {
        const size_t letters = strcspn(at, "|");
        if (strlen(text) == letters && strncmp(at, text, letters) == 0) {
            *(int *)field = index;
            return true;
        }
        if (at[letters] == 0)
            return false;
        at += letters + 1;
    }
}

/* True if each word of a list, "cuda:0,cuda:2", fits. */
static bool is_list(const char *text, bool (*fits)(const char *word))
{
    char word[PATH_NAME_BYTES];
    for (;; text++) {
        const size_t letters = strcspn(text, ",");
        snprintf(word, sizeof word, "%.*s", (int)letters, text);
        if (letters >= sizeof word || !fits(word))
            return false;
        text += letters;
        if (*text == 0)
            return true;
    }
}

static bool is_gpu(const char *word)
{
    struct device_set id;
    return device_find(word, &id) && id.kind == DEVICE_GPU;
}

static bool read_device(const struct option_row *row, const char *text, void *field)
{
    (void)row;
    *(const char **)field = text;
    return strcmp(text, "auto") == 0 || device_kind_of(text)->is_emulated ||
           strcmp(text, "all") == 0 || is_list(text, is_gpu);
}

/* The host device has one path, whose name chooses nothing. */
static bool is_host_path(const char *word)
{
    return strcmp(word, path_name(path_first(DEVICE_HOST, NULL))) == 0;
}

static bool is_no_host_path(const char *word)
{
    return !is_host_path(word);
}

static bool is_path(const char *word)
{
    const int path = path_find_or_add(word);
    return strcmp(word, "all") == 0 || is_host_path(word) ||
           (path >= 0 && device_kinds[path_row(path)->kind].has_choice);
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

static bool is_level(const char *word)
{
    return word[0] >= '0' && word[0] <= '3' && word[1] == 0;
}

static bool read_list(const struct option_row *row, const char *text, void *field)
{
    *(const char **)field = text;
    return is_list(text, row->kind->fits);
}

/* What `auto` cannot find out is refused after it. */
static bool read_shard(const struct option_row *row, const char *text, void *field)
{
    struct reason reason;
    (void)row;
    if (!shard_parse(text, field))
        return false;
    shard_of_scheduler(field, &reason);
    return true;
}

static const char *refuse_shard(const char *text)
{
    static struct reason reason;
    struct shard shard;
    return shard_parse(text, &shard) && shard_of_scheduler(&shard, &reason) ? NULL : reason.text;
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
#define OPTION_KIND_INPUT  VALUE_KIND(.read = read_text, .refusal = refuse_input)
#define OPTION_KIND_OUTPUT VALUE_KIND(.read = read_text)
#define OPTION_KIND_FOLDER VALUE_KIND(.read = read_text, .refusal = refuse_folder)
#define OPTION_KIND_CHOICE VALUE_KIND(.read = read_choice)
#define OPTION_KIND_DEVICE VALUE_KIND(.read = read_device)
#define OPTION_KIND_PATHS                                                                          \
    VALUE_KIND(.is_last = true, .words = path_words, .read = read_list, .fits = is_path)
#define OPTION_KIND_CASES  VALUE_KIND(.is_list = true, .read = read_cases)
#define OPTION_KIND_FILES  VALUE_KIND(.is_list = true, .read = read_files)
#define OPTION_KIND_LEVELS VALUE_KIND(.read = read_list, .fits = is_level)
#define OPTION_KIND_SHARD  VALUE_KIND(.read = read_shard, .refusal = refuse_shard)

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

#define INSTEAD_OF_MIX                                                                             \
    "`cuobjdump -sass` prints the instructions of a kernel from its file in the build folder, "    \
    "such "                                                                                        \
    "as cuda/matmul_tiled.fatbin"
const struct option_removed options_removed[] = {
    {"codegen", "mix", INSTEAD_OF_MIX},
    {"codegen", "nvdisasm", INSTEAD_OF_MIX},
    {"run", "resume",
     "a run that died keeps its findings in its record; start it again with the same --seed, or "
     "with fewer kernels"},
};
const int option_removed_count = sizeof options_removed / sizeof options_removed[0];

bool option_is_of(const struct option_row *row, const char *command)
{
    return option_command_is(command, row->commands);
}

/* One line on a mistake; always false. */
static bool complain(const struct command *command, const char *what, const char *which)
{
    return error_line(command->name, "%s '%s'; `assay help %s` lists what it takes", what, which,
                      command->name);
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
        return why == NULL || error_line(command->name, "--%s %s: %s", row->name, text, why);
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
        expects[0] = 0;
        for (const char *at = option_value(row); *at; at += strspn(at, "|")) {
            const size_t letters = strcspn(at, "|");
            text_join(expects, sizeof expects, at[letters] ? ", " : " or ", "%.*s", (int)letters,
                      at);
            at += letters;
        }
    }
    return error_line(command->name, "--%s takes %s, not '%s'", row->name, expects, text);
}

/* An option as it was typed: "--name", "--name=value", "-o", "-oFILE". */
struct typed {
    char text[64];     /* without its value */
    const char *name;  /* in it; "" of a letter */
    char letter;       /* 0 of a name */
    const char *value; /* in the same word, or NULL */
};

static void take_apart(const char *word, struct typed *ret)
{
    const bool is_name = word[1] == '-', is_letter = !is_name && (unsigned char)word[1] < 0x80;
    const size_t letters = is_name ? strcspn(word, "=") : is_letter ? 2 : strlen(word);
    const char *rest = word + letters;
    snprintf(ret->text, sizeof ret->text, "%.*s", (int)letters, word);
    ret->name = is_name ? ret->text + 2 : "";
    ret->letter = is_letter ? word[1] : 0;
    ret->value = *rest == 0 ? NULL : rest + is_name;
}

/* Has the last two names joined by a word: "a, b or c". */
enum { NAMES_BYTES = 256 };
static void join_last(char names[NAMES_BYTES], const char *word)
{
    char *comma = strrchr(names, ','), last[NAMES_BYTES];
    if (comma == NULL)
        return;
    snprintf(last, sizeof last, "%s", comma + 2);
    snprintf(comma, NAMES_BYTES - (size_t)(comma - names), " %s %s", word, last);
}

/* The option that the command no longer has, whose name may be shortened as those of others; NULL
 * if it never had one. */
static const struct option_removed *removed_of(const struct command *command, const char *name)
{
    for (const struct option_removed *row = options_removed;
         row < options_removed + option_removed_count; row++)
        if (name[0] && strcmp(row->command, command->name) == 0 &&
            strncmp(row->name, name, strlen(name)) == 0)
            return row;
    return NULL;
}

/* The command's option that was typed, whose name may be shortened while it begins no other one. An
 * option of other commands is theirs, even if it begins one of this command's: --time is not short
 * for --timeout. NULL: a line has said what is wrong. */
static const struct option_row *row_of(const struct command *command, const struct typed *it)
{
    const struct option_row *begun = NULL;
    char owners[NAMES_BYTES] = "", begins[NAMES_BYTES] = "", hint[SPELLING_HINT_BYTES];
    struct spelling nearest;
    int count = 0;
    spelling_begin(&nearest, it->name);
    for (const struct option_row *row = option_rows; row < option_rows + ROW_COUNT; row++) {
        const bool is_own = option_is_of(row, command->name);
        const bool is_typed =
            it->letter ? row->letter == it->letter : strcmp(row->name, it->name) == 0;
        if (is_typed && is_own)
            return row;
        for (const char *at = row->commands; is_typed && *at; at += strspn(at, " ")) {
            const size_t letters = strcspn(at, " ");
            text_join(owners, sizeof owners, ", ", "%.*s", (int)letters, at);
            at += letters;
        }
        if (!is_own || it->name[0] == 0)
            continue;
        spelling_try(&nearest, row->name);
        if (strncmp(row->name, it->name, strlen(it->name)) != 0)
            continue;
        text_join(begins, sizeof begins, ", ", "--%s", row->name);
        begun = row;
        count++;
    }
    join_last(owners, "and");
    join_last(begins, "or");
    if (count == 1 && owners[0] == 0)
        return begun;
    const struct option_removed *removed = removed_of(command, it->name);
    if (owners[0])
        error_line(command->name, "%s is an option of %s", it->text, owners);
    else if (count > 1)
        error_line(command->name, "ambiguous option '%s': %s", it->text, begins);
    else if (removed)
        error_line(command->name, "--%s was removed: %s", removed->name, removed->instead);
    else
        error_line(command->name, "unknown option '%s'%s `assay help %s` lists them", it->text,
                   spelling_hint(&nearest, "--", hint)[0] ? hint : ";", command->name);
    return NULL;
}

/* No other device has the host device's path. */
static bool take_host_path(const struct command *command, struct options *options)
{
    if (is_list(options->paths, is_no_host_path))
        return true;
    if (!is_host_path(options->paths) || !device_kind_of(options->device)->is_emulated)
        return error_line(command->name,
                          "--path %s: host is the code of the host device: name it alone, with "
                          "--device host",
                          options->paths);
    options->paths = "all";
    return true;
}

/* The paths that options add, and then the options that name paths. */
static bool take_paths(const struct command *command, struct options *options,
                       const char *const texts[ROW_COUNT])
{
    struct reason reason;
    bool good = images_add_all(options, &reason) && candidates_add(options, &reason);
    if (!good)
        error_line(command->name, "%s", reason.text);
    for (int index = 0; good && index < ROW_COUNT; index++)
        good = texts[index] == NULL ||
               take_option(command, &option_rows[index], texts[index], options);
    if (!good || (options->paths && !take_host_path(command, options)))
        return false;
    if (!candidates_are_named(options, &reason))
        return error_line(command->name, "%s", reason.text);
    return true;
}

bool options_read(const struct command *command, int argc, char **argv, struct options *ret)
{
    struct options options = {.patterns = (const char **)(void *)argv};
    const char *last[ROW_COUNT] = {NULL};
    bool is_ended = false; /* by "--": only words follow */
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    options.seed = (uint64_t)now.tv_sec;
    for (int index = 0; index < ROW_COUNT; index++)
        if (option_rows[index].standard)
            read_value(&option_rows[index], option_rows[index].standard, &options);
    for (int index = 1; index < argc; index++) {
        const char *word = argv[index];
        if (is_ended || word[0] != '-' || word[1] == 0) {
            if (options.pattern_count == command->words_max)
                return complain(command, "unexpected argument", word);
            options.patterns[options.pattern_count++] = word;
            continue;
        }
        is_ended = strcmp(word, "--") == 0;
        if (is_ended)
            continue;
        struct typed typed;
        take_apart(word, &typed);
        const struct option_row *row = row_of(command, &typed);
        if (row == NULL)
            return false;
        if (!row->kind->has_value && typed.value)
            return error_line(command->name, "--%s takes no value", row->name);
        const char *value = typed.value;
        if (row->kind->has_value && value == NULL && ++index < argc)
            value = argv[index];
        if (row->kind->has_value && value == NULL)
            return complain(command, "missing value after", word);
        if (row->kind->is_last)
            last[row - option_rows] = value;
        else if (!take_option(command, row, value, &options))
            return false;
    }
    if (options.pattern_count < command->words_min)
        return error_line(command->name, "missing argument; usage: assay %s %s", command->name,
                          command->words);
    if (!take_paths(command, &options, last))
        return false;
    if (options.exit_zero && options.format != FORMAT_TAP) /* nobody else reads the verdict */
        return complain(command, "--exit-zero needs --format tap, not",
                        reporters[options.format]->name);
    struct reason reason;
    struct gpu_row gpu_row = {.of = 0};
    if (options.gpu && !gpu_file_read(options.gpu, &gpu_row, &reason))
        return error_line(command->name, "%s", reason.text);
    gpu_row_set(&gpu_row);
    options.floors = options.floors ? options.floors : options.gpu;
    options.budgets = options.budgets ? options.budgets : options.gpu;
    *ret = options;
    return true;
}
