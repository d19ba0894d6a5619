/* A program as a case (program_case.h): its line, which is printed in one way, and what is read
 * must print as it was written, so that a line has no second spelling; which programs a run has,
 * and their input words. */
#include "fuzz/programs/program_case.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "cpu_ref/programs/operations.h"
#include "fuzz/programs/draw.h"
#include "fuzz/text_line.h"

static const char *const group_names[OPERATION_GROUPS] = {
    [GROUP_ARITHMETIC] = "arithmetic",
    [GROUP_LOGIC] = "logic",
    [GROUP_BITS] = "bits",
    [GROUP_WIDE] = "wide",
    [GROUP_PACKED] = "packed",
    [GROUP_COMPARE] = "compare",
    [GROUP_CONVERT] = "convert",
    [GROUP_FLOAT] = "float",
    [GROUP_LOCAL] = "local",
    [GROUP_TABLE] = "table",
    [GROUP_GLOBAL] = "global",
    [GROUP_SHARED] = "shared",
    [GROUP_WARP] = "warp",
    [GROUP_ATOMIC] = "atomic",
    [GROUP_CONTROL] = "control",
};

struct reader {
    const char *next;
    char *error;
};

__attribute__((format(printf, 2, 3))) static bool refuse(char *error, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    line_error(error, PROGRAM_ERROR_BYTES, format, arguments);
    va_end(arguments);
    return false;
}

static bool refuse_word(struct reader *reader, struct word word, const char *wanted)
{
    return refuse(reader->error, "'%.*s': %s expected", word_quoted(word), word.text, wanted);
}

/* Moves past the letter where it comes next. */
static bool read_letter(struct reader *reader, char letter)
{
    if (*reader->next != letter)
        return false;
    reader->next++;
    return true;
}

static bool read_number(struct reader *reader, uint64_t base, uint64_t maximum, uint64_t *ret)
{
    struct word word = word_read(&reader->next, " ,-.:");
    uint64_t number = 0;
    bool is_number = word.bytes > 0;
    for (int index = 0; is_number && index < word.bytes; index++) {
        static const char digits[] = "0123456789abcdef";
        const char *at = strchr(digits, word.text[index]);
        uint64_t digit = at != NULL ? (uint64_t)(at - digits) : base;
        is_number = digit < base;
        if (is_number && (digit > maximum || number > (maximum - digit) / base))
            return refuse(reader->error, "%.*s is too large: at most %" PRIu64, word_quoted(word),
                          word.text, maximum);
        number = number * base + digit;
    }
    *ret = number;
    return is_number ? true : refuse_word(reader, word, "a number is");
}

static bool read_mix(struct reader *reader, struct program_case *it)
{
    do {
        struct word word = word_read(&reader->next, " ,");
        int group = 0;
        while (group < OPERATION_GROUPS && !word_is(word, group_names[group]))
            group++;
        if (group == OPERATION_GROUPS)
            return refuse_word(reader, word, "a group of operations is");
        it->mix |= UINT32_C(1) << group;
    } while (read_letter(reader, ','));
    return true;
}

static bool read_operation(struct reader *reader, struct program_case *it)
{
    struct word word = word_read(&reader->next, " ");
    for (int row = 0; row < (int)OPERATIONS; row++)
        if (word_is(word, operations[row].name))
            it->operation = row;
    return it->operation >= 0 ? true : refuse_word(reader, word, "an operation's name is");
}

static bool read_drop(struct reader *reader, struct program_case *it)
{
    do {
        uint64_t first = 0;
        if (!read_number(reader, 10, it->statements - 1, &first))
            return false;
        uint64_t last = first;
        if (read_letter(reader, '-') && !read_number(reader, 10, it->statements - 1, &last))
            return false;
        for (uint64_t number = first; number <= last; number++)
            it->dropped[number] = true;
    } while (read_letter(reader, ','));
    return true;
}

static bool read_set(struct reader *reader, struct program_case *it)
{
    do {
        uint64_t statement = 0, argument = 0, bits = 0;
        if (!read_number(reader, 10, it->statements - 1, &statement))
            return false;
        if (!read_letter(reader, '.') ||
            !read_number(reader, 10, PROGRAM_ARGUMENTS_MAX, &argument) || argument == 0 ||
            !read_letter(reader, ':') || !read_letter(reader, '0') || !read_letter(reader, 'x') ||
            !read_number(reader, 16, UINT64_MAX, &bits))
            return refuse(reader->error, "set= wants STATEMENT.ARGUMENT:0xBITS");
        if (!program_case_set(it, (int)statement, (int)argument, bits))
            return refuse(reader->error, "more than %d arguments are set", PROGRAM_SETS_MAX);
    } while (read_letter(reader, ','));
    return true;
}

enum key { KEY_VERSION, KEY_SEED, KEY_STATEMENTS, KEY_THREADS, KEY_INPUTS = 6 };

/* A key of more than a number has a reader. */
static const struct {
    const char *name;
    uint64_t most; /* of a number */
    bool (*read)(struct reader *reader, struct program_case *it);
    bool is_wanted;
} keys[] = {
    {"version", UINT32_MAX, NULL, true},
    {"seed", UINT64_MAX, NULL, true},
    {"statements", PROGRAM_STATEMENTS_MAX, NULL, true},
    {"threads", PROGRAM_THREADS_MAX, NULL, true},
    {"mix", 0, read_mix, false},
    {"operation", 0, read_operation, false},
    {"inputs", UINT64_MAX, NULL, false},
    {"drop", 0, read_drop, false},
    {"set", 0, read_set, false},
};

enum { KEYS = sizeof keys / sizeof *keys };

/* The keys of the line, each at most once and in the table's order. */
static bool read_keys(struct reader *reader, struct program_case *it)
{
    for (int index = 0; index < KEYS; index++) {
        size_t bytes = strlen(keys[index].name);
        if (strncmp(reader->next, " ", 1) == 0 &&
            strncmp(reader->next + 1, keys[index].name, bytes) == 0 &&
            reader->next[1 + bytes] == '=') {
            reader->next += bytes + 2;
            uint64_t number = 0;
            if (keys[index].read ? !keys[index].read(reader, it)
                                 : !read_number(reader, 10, keys[index].most, &number))
                return false;
            if (index == KEY_VERSION && number != PROGRAM_VERSION)
                return refuse(reader->error,
                              "the line is of version %" PRIu64
                              " of the generator, which is version %d",
                              number, PROGRAM_VERSION);
            if ((index == KEY_STATEMENTS || index == KEY_THREADS) && number == 0)
                return refuse(reader->error, "0 is too small: at least 1");
            if (index == KEY_STATEMENTS)
                it->statements = (uint32_t)number;
            if (index == KEY_THREADS)
                it->threads = (uint32_t)number;
            if (index == KEY_SEED)
                it->seed = number;
            if (index == KEY_SEED || index == KEY_INPUTS)
                it->input_seed = number;
        } else if (keys[index].is_wanted) {
            return refuse(reader->error, "%s= is missing", keys[index].name);
        }
    }
    if (*reader->next == 0)
        return true;
    reader->next += *reader->next == ' ';
    return refuse_word(reader, word_read(&reader->next, " "),
                       "the end of the line, or another key, is");
}

bool program_case_parse(const char *text, struct program_case *ret, char *ret_error)
{
    struct reader reader = {text, ret_error};
    struct program_case it = {.operation = -1};
    char again[PROGRAM_TEXT_BYTES];
    if (strnlen(text, PROGRAM_TEXT_BYTES) == PROGRAM_TEXT_BYTES)
        return refuse(ret_error, "the line is longer than %d bytes", PROGRAM_TEXT_BYTES - 1);
    struct word name = word_read(&reader.next, " ");
    if (!word_is(name, "program"))
        return refuse_word(&reader, name, "'program' is");
    if (!read_keys(&reader, &it))
        return false;
    program_case_print(&it, again);
    size_t same = 0;
    while (text[same] != 0 && text[same] == again[same])
        same++;
    if (text[same] != 0 || again[same] != 0)
        return refuse(ret_error, "column %zu: the line is written '%.60s' from there on", same + 1,
                      again + same);
    *ret = it;
    return true;
}

void program_case_print(const struct program_case *it, char *ret_text)
{
    snprintf(ret_text, PROGRAM_TEXT_BYTES,
             "program version=%d seed=%" PRIu64 " statements=%" PRIu32 " threads=%" PRIu32,
             PROGRAM_VERSION, it->seed, it->statements, it->threads);
    const char *before = " mix=";
    for (int group = 0; group < OPERATION_GROUPS; group++) {
        if (it->mix >> group & 1) {
            text_add(ret_text, PROGRAM_TEXT_BYTES, "%s%s", before, group_names[group]);
            before = ",";
        }
    }
    if (it->operation >= 0)
        text_add(ret_text, PROGRAM_TEXT_BYTES, " operation=%s", operations[it->operation].name);
    if (it->input_seed != it->seed)
        text_add(ret_text, PROGRAM_TEXT_BYTES, " inputs=%" PRIu64, it->input_seed);
    before = " drop=";
    for (uint32_t first = 0; first < it->statements; first++) {
        if (!it->dropped[first])
            continue;
        uint32_t last = first;
        while (last + 1 < it->statements && it->dropped[last + 1])
            last++;
        text_add(ret_text, PROGRAM_TEXT_BYTES, "%s%" PRIu32, before, first);
        if (last > first)
            text_add(ret_text, PROGRAM_TEXT_BYTES, "-%" PRIu32, last);
        before = ",";
        first = last;
    }
    for (int index = 0; index < it->set_count; index++)
        text_add(ret_text, PROGRAM_TEXT_BYTES, "%s%d.%d:0x%" PRIx64, index == 0 ? " set=" : ",",
                 it->set[index].statement, it->set[index].argument, it->set[index].bits);
}

/* In the order of statements and arguments, each at most once. */
bool program_case_set(struct program_case *it, int statement, int argument, uint64_t bits)
{
    int place = 0;
    while (place < it->set_count &&
           it->set[place].statement * (PROGRAM_ARGUMENTS_MAX + 1) + it->set[place].argument <
               statement * (PROGRAM_ARGUMENTS_MAX + 1) + argument)
        place++;
    struct program_set *at = &it->set[place];
    bool is_there = place < it->set_count && at->statement == statement && at->argument == argument;
    if (!is_there) {
        if (it->set_count == PROGRAM_SETS_MAX)
            return false;
        memmove(at + 1, at, sizeof *at * (size_t)(it->set_count - place));
        it->set_count++;
    }
    *at = (struct program_set){(uint16_t)statement, (uint8_t)argument, bits};
    return true;
}

/* Streams of one seed must not meet: each use of it has a number of its own in its upper bits. */
static uint64_t stream(uint64_t seed, uint64_t use)
{
    return random_word(seed ^ use << 56, use);
}

void program_case_pick(uint64_t seed, uint64_t index, struct program_case *ret)
{
    struct draw draw = {.seed = stream(random_word(seed, index), 1)};
    /* Whole warps, a part of one, one thread. */
    static const uint16_t threads[] = {128, 128, 128, 128, 128, 128, 64, 64,
                                       64,  32,  96,  256, 33,  40,  17, 100};
    memset(ret, 0, sizeof *ret);
    ret->operation = -1;
    ret->seed = draw_word(&draw) >> 24; /* a line that is read aloud */
    ret->input_seed = ret->seed;
    ret->threads = threads[draw_below(&draw, sizeof threads / sizeof *threads)];
    ret->statements = 16 + (uint32_t)draw_below(&draw, 80);
}

void program_case_of_operation(int operation, uint64_t seed, struct program_case *ret)
{
    memset(ret, 0, sizeof *ret);
    ret->operation = operation;
    ret->seed = seed;
    ret->input_seed = seed;
    ret->threads = PROGRAM_THREADS_MAX;
    ret->statements = 24;
}

/* Words belong to variables by their number, so a program that has fewer is fed with the same ones.
 * Some are the same in all threads. */
void program_case_inputs(const struct program_case *it, const struct program *program,
                         uint64_t *ret_input)
{
    for (int index = 0; index < program->variable_count; index++) {
        const struct program_variable *variable = &program->variable[index];
        if (!variable->is_input)
            continue;
        struct draw draw = {.seed = stream(it->input_seed + (uint64_t)variable->number * 4096, 2)};
        uint64_t *words = ret_input + variable->bits * program->threads;
        bool is_uniform = draw_chance(&draw, 1, 12);
        for (uint32_t thread = 0; thread < program->threads; thread++)
            words[thread] =
                is_uniform && thread > 0 ? words[0] : draw_bits(&draw, variable->of_class);
    }
}
