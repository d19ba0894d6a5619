/* Options (read_options.h): one table for all commands, so that the same word means the same thing
 * everywhere. */
#include "conformance/command/read_options.h"

#include <errno.h>
#include <getopt.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "fuzz/generator.h"

static const char *const format_names[] = {
    [FORMAT_TEXT] = "text", [FORMAT_TAP] = "tap", [FORMAT_JSON] = "json"};

/* Each reader says false when the value is not one; `expects` then tells what is. */
typedef bool option_reader(const char *text, struct options *ret);

static bool read_count(const char *text, uint64_t least, uint64_t most, uint64_t *ret)
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

static bool read_seconds(const char *text, double *ret)
{
    char *end;
    double value = strtod(text, &end);
    if (end == text || *end || !isfinite(value) || value <= 0 || value > 1e7)
        return false;
    *ret = value;
    return true;
}

/* "cuda:0,cuda:2" */
static bool is_list_of_gpus(const char *text)
{
    char number[8];
    uint64_t ordinal;
    for (;; text++) {
        if (strncmp(text, "cuda:", 5) != 0)
            return false;
        text += 5;
        size_t letters = strcspn(text, ",");
        snprintf(number, sizeof number, "%.*s", (int)letters, text);
        if (letters >= sizeof number || strspn(number, "0123456789") != letters ||
            !read_count(number, 0, 1023, &ordinal))
            return false;
        text += letters;
        if (*text == 0)
            return true;
    }
}

static bool read_device(const char *text, struct options *ret)
{
    ret->device = text;
    return strcmp(text, "auto") == 0 || strcmp(text, "host") == 0 || strcmp(text, "all") == 0 ||
           is_list_of_gpus(text);
}

static bool read_expect_gpus(const char *text, struct options *ret)
{
    uint64_t count;
    if (!read_count(text, 1, 1024, &count))
        return false;
    ret->expect_gpus = (int)count;
    return true;
}

static bool read_path(const char *text, struct options *ret)
{
    bool known = false;
    for (int path = 0; path < PATH_HOST; path++) {
        ret->paths[path] =
            strcmp(text, "all") == 0 || strcmp(text, path_name((enum path)path)) == 0;
        known = known || ret->paths[path];
    }
    return known;
}

enum path options_first_path(const struct options *options)
{
    int path = 0;
    while (path < PATH_HOST - 1 && !options->paths[path])
        path++;
    return (enum path)path;
}

static bool read_tier(const char *text, struct options *ret)
{
    ret->tier = tier_find(text);
    return ret->tier >= 0;
}

static bool read_cases(const char *text, struct options *ret)
{
    return read_count(text, 1, UINT64_C(1) << 40, &ret->cases);
}

static bool read_seed(const char *text, struct options *ret)
{
    return read_count(text, 0, UINT64_MAX, &ret->seed);
}

static bool read_time(const char *text, struct options *ret)
{
    return read_seconds(text, &ret->time_s);
}

static bool read_timeout(const char *text, struct options *ret)
{
    return read_seconds(text, &ret->timeout_s);
}

static bool read_format(const char *text, struct options *ret)
{
    for (int index = 0; index < 3; index++) {
        if (strcmp(text, format_names[index]) == 0) {
            ret->format = (enum output_format)index;
            return true;
        }
    }
    return false;
}

static bool read_exit_zero(const char *text, struct options *ret)
{
    (void)text;
    ret->exit_zero = true;
    return true;
}

static bool read_jobs(const char *text, struct options *ret)
{
    uint64_t jobs;
    if (!read_count(text, 1, 256, &jobs))
        return false;
    ret->jobs = (int)jobs;
    return true;
}

static bool read_record(const char *text, struct options *ret)
{
    ret->record = text;
    return text[0] != 0;
}

static bool read_resume(const char *text, struct options *ret)
{
    ret->resume = text;
    return text[0] != 0;
}

static bool read_after(const char *text, struct options *ret)
{
    if (ret->after_count == OPTIONS_AFTER_MAX)
        return false;
    ret->after[ret->after_count++] = text;
    return true;
}

static bool read_corpus(const char *text, struct options *ret)
{
    ret->corpus = text;
    return text[0] != 0;
}

static bool read_samples(const char *text, struct options *ret)
{
    uint64_t samples;
    if (!read_count(text, 1, 256, &samples))
        return false;
    ret->samples = (int)samples;
    return true;
}

static bool read_repeats(const char *text, struct options *ret)
{
    uint64_t repeats;
    if (!read_count(text, 3, 32, &repeats))
        return false;
    ret->repeats = (int)repeats;
    return true;
}

static bool read_sweep(const char *text, struct options *ret)
{
    (void)text;
    ret->sweep = true;
    return true;
}

static bool read_bytes(const char *text, struct options *ret)
{
    return read_count(text, 1, UINT64_C(1) << 40, &ret->bytes);
}

static bool read_floors(const char *text, struct options *ret)
{
    ret->floors = text;
    return text[0] != 0;
}

static bool read_host_calls(const char *text, struct options *ret)
{
    (void)text;
    ret->host_calls = true;
    return true;
}

static bool read_vouch(const char *text, struct options *ret)
{
    (void)text;
    ret->vouch = true;
    return true;
}

static bool read_careful(const char *text, struct options *ret)
{
    (void)text;
    ret->careful = true;
    return true;
}

/* CALL:ERROR. Not in the help: for the tests of this program alone (faults.h). */
static bool read_fault(const char *text, struct options *ret)
{
    const char *colon = strchr(text, ':');
    char number[16];
    uint64_t call, error;
    if (colon == NULL || (size_t)(colon - text) >= sizeof number)
        return false;
    snprintf(number, sizeof number, "%.*s", (int)(colon - text), text);
    if (!read_count(number, 1, INT32_MAX, &call) || !read_count(colon + 1, 1, 999, &error))
        return false;
    ret->fault_call = (int)call;
    ret->fault_error = (int)error;
    return true;
}

static const struct option_row {
    char letter;
    const char *name;
    bool has_value;
    const char *expects;
    option_reader *read;
} rows[] = {
    {'d', "device", true, "auto, host, all or cuda:N[,cuda:M...]", read_device},
    {'E', "expect-gpus", true, "a number from 1 to 1024", read_expect_gpus},
    {'p', "path", true, "sass, ptx, ptx-lowest or all", read_path},
    {'t', "tier", true, "smoke, standard, deep or huge", read_tier},
    {'n', "cases", true, "a number from 1 to 2^40", read_cases},
    {'T', "time", true, "seconds above 0, at most 10^7", read_time},
    {'x', "timeout", true, "seconds above 0, at most 10^7", read_timeout},
    {'s', "seed", true, "a number, decimal or 0x...", read_seed},
    {'f', "format", true, "text, tap or json", read_format},
    {'Z', "exit-zero", false, "", read_exit_zero},
    {'o', "output", true, "a file's name", read_record},
    {'R', "resume", true, "a record's name", read_resume},
    {'A', "after", true, "a case, at most 64 times", read_after},
    {'c', "corpus", true, "a folder's name", read_corpus},
    {'S', "samples", true, "a number from 1 to 256", read_samples},
    {'N', "repeats", true, "a number from 3 to 32", read_repeats},
    {'G', "sweep", false, "", read_sweep},
    {'B', "bytes", true, "a number from 1 to 2^40", read_bytes},
    {'L', "floors", true, "a file's name", read_floors},
    {'V', "vouch", false, "", read_vouch},
    {'H', "host-calls", false, "", read_host_calls},
    {'j', "jobs", true, "a number from 1 to 256", read_jobs},
    {'F', "driver-fault", true, "CALL:ERROR", read_fault},
    {'k', "careful", false, "", read_careful},
};
enum { ROW_COUNT = sizeof rows / sizeof rows[0] };

static bool complain(const struct options_command *command, const char *what, const char *which)
{
    fprintf(stderr, "assay %s: %s '%s'; usage: %s\n", command->name, what, which, command->usage);
    return false;
}

static bool take_option(const struct options_command *command, int letter, const char *text,
                        struct options *ret)
{
    for (int index = 0; index < ROW_COUNT; index++) {
        if (rows[index].letter != letter)
            continue;
        ret->given[letter] = true;
        if (rows[index].read(text, ret))
            return true;
        fprintf(stderr, "assay %s: --%s takes %s, not '%s'\n", command->name, rows[index].name,
                rows[index].expects, text);
        return false;
    }
    return false;
}

/* getopt calls a long option by its row's letter and this: no letter but -o is an option of its own
 * (runner.options.short). */
enum { LONG_FORM = 256 };

/* The long forms of the rows that this command takes. */
static void make_table(const struct options_command *command, struct option *ret_long)
{
    for (int index = 0; index < ROW_COUNT; index++) {
        if (strchr(command->letters, rows[index].letter) == NULL)
            continue;
        *ret_long++ = (struct option){rows[index].name,
                                      rows[index].has_value ? required_argument : no_argument, NULL,
                                      LONG_FORM + rows[index].letter};
    }
    *ret_long = (struct option){0};
}

/* getopt stands behind the word of an unknown option, but within one of several letters. */
static bool complain_unknown(const struct options_command *command, char **argv)
{
    const char letter[] = {'-', (char)optopt, 0};
    bool is_letter = optopt > 0 && optopt < LONG_FORM;
    return complain(command, "unknown or ambiguous option",
                    is_letter ? letter : argv[optopt < 0 ? optind : optind - 1]);
}

bool options_read(const struct options_command *command, int argc, char **argv, struct options *ret)
{
    struct option long_options[ROW_COUNT + 1];
    /* With the first colon a missing value is told apart from an unknown option. */
    const char *short_options = strchr(command->letters, 'o') ? ":o:" : ":";
    struct timespec now;
    clock_gettime(CLOCK_REALTIME, &now);
    struct options options = {
        .device = "auto", .tier = TIER_STANDARD, .timeout_s = 10, .seed = (uint64_t)now.tv_sec};
    read_path("all", &options);
    make_table(command, long_options);
    optind = 1;
    opterr = 0;
    for (int form; (form = getopt_long(argc, argv, short_options, long_options, NULL)) != -1;) {
        if (form == '?')
            return complain_unknown(command, argv);
        if (form == ':')
            return complain(command, "a value is missing after", argv[optind - 1]);
        if (!take_option(command, form % LONG_FORM, optarg, &options))
            return false;
    }
    for (; optind < argc; optind++) {
        if (options.pattern_count == command->patterns_max)
            return complain(command, "one word too many:", argv[optind]);
        options.patterns[options.pattern_count++] = argv[optind];
    }
    if (options.pattern_count < command->patterns_min)
        return complain(command, "something is missing after", command->name);
    if (options.exit_zero && options.format != FORMAT_TAP) /* nobody else reads the verdict */
        return complain(command, "--exit-zero goes with --format tap, not with",
                        format_names[options.format]);
    *ret = options;
    return true;
}
