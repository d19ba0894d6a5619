/* Values of options (option_kinds.h). Each reader is false when the text is none: option_expects
 * then says what is. */
#include "conformance/command/option_kinds.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "conformance/model/path.h"
#include "conformance/session/options.h"
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
    return lstat(text, &status) == 0 ? "it is a link to nowhere" : NULL;
}

/* Which of the words between the bars of the row's value; -1 where it is none. */
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
    char number[8];
    uint64_t ordinal;
    for (;; text++) {
        if (strncmp(text, "cuda:", 5) != 0)
            return false;
        text += 5;
        size_t letters = strcspn(text, ",");
        snprintf(number, sizeof number, "%.*s", (int)letters, text);
        if (letters >= sizeof number || strspn(number, "0123456789") != letters ||
            !parse_count(number, 0, 1023, &ordinal))
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
    return strcmp(text, "auto") == 0 || strcmp(text, "host") == 0 || strcmp(text, "all") == 0 ||
           is_list_of_gpus(text);
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

/* CALL:ERROR */
static bool read_fault(const struct option_row *row, const char *text, void *field)
{
    const char *colon = strchr(text, ':');
    char number[16];
    uint64_t call, error;
    (void)row;
    if (colon == NULL || (size_t)(colon - text) >= sizeof number)
        return false;
    snprintf(number, sizeof number, "%.*s", (int)(colon - text), text);
    if (!parse_count(number, 1, INT32_MAX, &call) || !parse_count(colon + 1, 1, 999, &error))
        return false;
    *(struct option_fault *)field = (struct option_fault){.call = (int)call, .error = (int)error};
    return true;
}

const struct option_kind kind_flag = {.read = read_flag};
const struct option_kind kind_count = {.has_value = true, .read = read_count};
const struct option_kind kind_count64 = {.has_value = true, .read = read_count64};
const struct option_kind kind_seconds = {
    .has_value = true, .expects = "seconds above 0, at most 10^7", .read = read_seconds};
const struct option_kind kind_text = {.has_value = true, .read = read_text};
const struct option_kind kind_page = {
    .has_value = true, .expects = "a page's name, .html or .htm", .read = read_page};
const struct option_kind kind_input = {
    .has_value = true, .read = read_text, .refusal = refuse_input};
const struct option_kind kind_output = {.has_value = true, .read = read_text};
const struct option_kind kind_folder = {
    .has_value = true, .read = read_text, .refusal = refuse_folder};
const struct option_kind kind_choice = {.has_value = true, .read = read_choice};
const struct option_kind kind_device = {.has_value = true, .read = read_device};
const struct option_kind kind_paths = {
    .has_value = true, .is_last = true, .words = path_words, .read = read_paths};
const struct option_kind kind_files = {.has_value = true, .is_list = true, .read = read_files};
const struct option_kind kind_levels = {.has_value = true, .read = read_levels};
const struct option_kind kind_cases = {.has_value = true, .is_list = true, .read = read_cases};
const struct option_kind kind_fault = {.has_value = true, .read = read_fault};

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

/* "text|tap|json" as "text, tap or json". */
static void write_words(const char *words, char *ret, size_t bytes)
{
    size_t used = 0;
    for (const char *at = words; *at && used + 5 < bytes; at++) {
        if (*at != '|')
            ret[used++] = *at;
        else
            used += (size_t)sprintf(ret + used, "%s", strchr(at + 1, '|') ? ", " : " or ");
    }
    ret[used] = 0;
}

const char *option_expects(const struct option_row *row, char ret_text[OPTION_EXPECTS_BYTES])
{
    const char *fixed = row->expects ? row->expects : row->kind->expects;
    char least[24], most[24];
    if (fixed) {
        snprintf(ret_text, OPTION_EXPECTS_BYTES, "%s", fixed);
    } else if (row->most > 0) {
        write_limit(row->least, least, sizeof least);
        write_limit(row->most, most, sizeof most);
        snprintf(ret_text, OPTION_EXPECTS_BYTES, "a number from %s to %s", least, most);
    } else {
        write_words(option_value(row), ret_text, OPTION_EXPECTS_BYTES);
    }
    return ret_text;
}
