/* The list of known miscompiles (known.h). Clauses: program_runs.known.avoided,
 * program_runs.known.versions, program_runs.known.held. */
#include "conformance/programs/known.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "conformance/base/input_file.h"
#include "conformance/base/text.h"
#include "conformance/model/program_text.h"
#include "conformance/record/file_sort.h"

#define NO_VERSIONS                                                                                \
    "'%.60s' is not a compiler with its versions, as in 'ptxas 12.0.140-12.6.20, driver "          \
    "580.159.04'"

static const struct known table[] = {
#define LOOKED(...)
#define KNOWN(...) {__VA_ARGS__},
#include "spec/known_miscompiles.def"
#undef KNOWN
#undef LOOKED
    {NULL, NULL, NULL, NULL, NULL, NULL},
};

/* The versions of each compiler that programs were run through, from the oldest on. */
static const struct {
    const char *compiler, *versions;
} looked_at[] = {
#define LOOKED(...) {__VA_ARGS__},
#define KNOWN(...)
#include "spec/known_miscompiles.def"
#undef KNOWN
#undef LOOKED
};

/* The words before a row's program that say how it fails; without one its words are wrong. */
static const struct {
    const char *word;
    int kind;
} kinds[] = {{"wrong ", KNOWN_WRONG},
             {"crash ", KNOWN_CRASH},
             {"illegal ", KNOWN_ILLEGAL},
             {"misaligned ", KNOWN_MISALIGNED},
             {"hang ", KNOWN_HANG}};

/* The kinds at the start of a row's program, and what follows them. */
static int read_kinds(const char *program, const char **ret_line)
{
    int found = 0;
    for (size_t row = 0; row < sizeof kinds / sizeof kinds[0]; row++) {
        const size_t letters = strlen(kinds[row].word);
        const bool is_last =
            strncmp(program, kinds[row].word, letters - 1) == 0 && program[letters - 1] == 0;
        if (!is_last && strncmp(program, kinds[row].word, letters) != 0)
            continue;
        found |= kinds[row].kind;
        program += is_last ? letters - 1 : letters;
        program += strspn(program, " ");
        row = SIZE_MAX; /* any may follow */
    }
    *ret_line = program;
    return found ? found : KNOWN_WRONG;
}

int known_kinds(const struct known *known)
{
    const char *line;
    return read_kinds(known->program, &line);
}

bool known_hangs(const struct known *known)
{
    return known_kinds(known) & KNOWN_HANG;
}

bool known_is_alone(const struct known *known)
{
    return known_kinds(known) != KNOWN_WRONG;
}

int known_kind_of(const struct finding *finding, int stage)
{
    if (finding->verdict == VERDICT_FAIL)
        return KNOWN_WRONG;
    if (finding->verdict == VERDICT_TIMEOUT)
        return stage <= PROGRAM_STAGE_COMPILE ? KNOWN_HANG : 0;
    if (finding->verdict != VERDICT_CRASH)
        return 0;
    if (stage <= PROGRAM_STAGE_COMPILE)
        return KNOWN_CRASH;
    if (strstr(finding->note, "ILLEGAL_INSTRUCTION") != NULL)
        return KNOWN_ILLEGAL;
    return strstr(finding->note, "MISALIGNED_ADDRESS") != NULL ? KNOWN_MISALIGNED : 0;
}

/* The next of a row's words, "0x..." of what is wrong and where, or "@0x..." of where alone; moves
 * on. False if none is left; *ret_good is false if it is neither. */
static bool take_words(const char **at, bool *ret_is_places, uint64_t *ret_digest, bool *ret_good)
{
    enum { DIGITS = 16 };
    *at += strspn(*at, " ");
    if (**at == 0)
        return false;
    *ret_is_places = **at == '@';
    *at += *ret_is_places;
    const size_t digits = strncmp(*at, "0x", 2) == 0 ? strspn(*at + 2, "0123456789abcdef") : 0;
    *ret_good = digits == DIGITS && ((*at)[2 + DIGITS] == ' ' || (*at)[2 + DIGITS] == 0);
    *ret_digest = *ret_good ? strtoull(*at, NULL, 16) : 0;
    *at += strcspn(*at, " ");
    return true;
}

bool known_gives(const struct known *known, const struct program_result *result)
{
    bool is_places, is_good;
    uint64_t digest;
    for (const char *at = known->words; take_words(&at, &is_places, &digest, &is_good);)
        if (digest == (is_places ? result->wrong_places : result->wrong_bits))
            return true;
    return false;
}

static const char *line_in(const struct known *row)
{
    const char *line;
    read_kinds(row->program, &line);
    return line;
}

bool known_is_of_one(const struct known *row)
{
    return row->trigger[0] == 0 && strncmp(line_in(row), "program ", strlen("program ")) == 0;
}

/* A list in which a name is mistyped would hold that compiler to be right. */
static bool are_versions(const char *text, struct reason *ret_reason)
{
    static const char digits[] = "0123456789.";
    for (const char *at = text, *next = text; *next; at = next) {
        at += *at == ',';
        at += strspn(at, " ");
        const size_t letters = strcspn(at, " ,");
        const char *first = at + letters + strspn(at + letters, " ");
        const size_t length = strspn(first, digits);
        const char *last = first + length + (first[length] == '-');
        next = last == first + length ? last : last + strspn(last, digits);
        next += strspn(next, " ");
        static const char host[] = "host";
        bool is_known = letters == sizeof host - 1 && strncmp(at, host, letters) == 0;
        for (size_t row = 0; row < sizeof looked_at / sizeof looked_at[0]; row++)
            is_known = is_known || (strlen(looked_at[row].compiler) == letters &&
                                    strncmp(at, looked_at[row].compiler, letters) == 0);
        if (!is_known || length == 0 || (*next && *next != ','))
            return reason_set(ret_reason, REASON_INPUT, NO_VERSIONS, text);
    }
    return text[0] ? true : reason_set(ret_reason, REASON_INPUT, NO_VERSIONS, text);
}

/* No two rows have one name: a record names its known miscompiles by it. */
static bool add(struct known_list *list, const struct known *row, struct reason *ret_reason)
{
    static const char word[] = "trigger ";
    struct program_case test_case;
    const char *line = line_in(row);
    char error[PROGRAM_ERROR_BYTES];
    bool good = false, is_again = false, is_places, are_words = true;
    uint64_t digest;
    for (int other = 0; other < list->count; other++)
        is_again = is_again || strcmp(list->rows[other].id, row->id) == 0;
    if (list->count == KNOWN_MAX)
        reason_set(ret_reason, REASON_INPUT, "'%.60s': too many known miscompiles", row->id);
    else if (strlen(row->id) >= KNOWN_ID_BYTES || row->id[0] == 0)
        reason_set(ret_reason, REASON_INPUT, "'%.60s' is not a name", row->id);
    else if (is_again)
        reason_set(ret_reason, REASON_INPUT, "'%s': another row has that name", row->id);
    else {
        good = (known_is_of_one(row) || trigger_check(row->trigger, ret_reason)) &&
               are_versions(row->versions, ret_reason);
        /* A program's line, or "trigger ..."; "" is the row's own trigger. */
        if (good && strncmp(line, word, sizeof word - 1) == 0)
            good = trigger_check(line + sizeof word - 1, ret_reason);
        else if (good && line[0] && !program_case_parse(line, &test_case, error))
            good = reason_set(ret_reason, REASON_INPUT, "%s", error);
        for (const char *at = row->words;
             are_words && take_words(&at, &is_places, &digest, &are_words);)
            continue;
        if (good && !are_words)
            good = reason_set(ret_reason, REASON_INPUT,
                              "'%.60s' is not a list of wrong words, as in '0x0123456789abcdef "
                              "@0x0123456789abcdef'",
                              row->words);
        good = good || reason_before(ret_reason, "%s: ", row->id);
    }
    if (good) {
        list->is_avoided[list->count] = true;
        list->rows[list->count++] = *row;
    }
    return good;
}

/* Line by line; the text is the list's, and is cut up. */
static bool add_lines(struct known_list *list, char *text, struct reason *ret_reason)
{
    bool good = true;
    for (int number = 1; good && *text; number++) {
        struct known row;
        const char **const fields[] = {&row.id,      &row.trigger,   &row.versions,
                                       &row.program, &row.reference, &row.words};
        char *line = text;
        text += strcspn(text, "\n");
        if (*text)
            *text++ = 0;
        line += strspn(line, " \t");
        if (*line == 0 || *line == '#')
            continue;
        /* Each field without the spaces around it. */
        for (size_t field = 0; field < sizeof fields / sizeof fields[0]; field++) {
            char *first = line + strspn(line, " \t"), *end = first + strcspn(first, "|");
            line = end + (*end == '|');
            do
                *end = 0;
            while (end > first && strchr(" \t", *--end));
            *fields[field] = first;
        }
        good = add(list, &row, ret_reason) || reason_before(ret_reason, "line %d: ", number);
    }
    return good;
}

static uint64_t digest_of(uint64_t digest, const struct known *row)
{
    const char *const texts[] = {row->id,      row->trigger,   row->versions,
                                 row->program, row->reference, row->words};
    for (size_t index = 0; index < sizeof texts / sizeof texts[0]; index++)
        digest = text_fnv1a(digest, texts[index], strlen(texts[index]) + 1);
    return digest;
}

bool known_open(const char *file, struct known_list *ret, struct reason *ret_reason)
{
    struct known_list list = {.count = 0};
    struct reason unread;
    size_t bytes;
    bool good = true;
    list.table_digest = TEXT_FNV1A;
    for (const struct known *row = table; good && row->id; row++) {
        good = add(&list, row, ret_reason);
        list.table_digest = digest_of(list.table_digest, row);
    }
    if (good && file) {
        list.text = input_read(INPUT_KNOWN, file, &bytes, &unread);
        const int built_in = list.count;
        const char *sort = file_sort(list.text ? list.text : "", list.text ? bytes : 0);
        list.digest = text_fnv1a(TEXT_FNV1A, list.text, list.text ? bytes : 0);
        if (list.text && strlen(list.text) != bytes)
            good = reason_set(ret_reason, REASON_INPUT, "not a text file: byte %zu is 0",
                              strlen(list.text));
        else
            good = list.text ? add_lines(&list, list.text, ret_reason)
                             : reason_set(ret_reason, unread.kind, "%s", unread.text);
        if (!good && sort && strcmp(sort, FILE_KNOWN) != 0)
            reason_set(ret_reason, REASON_INPUT, "this is %s, not %s", sort, FILE_KNOWN);
        list.own_count = list.count - built_in;
    }
    if (good)
        *ret = list;
    else
        free(list.text);
    return good;
}

void known_close(struct known_list *list)
{
    free(list->text);
}

const char *known_line(const struct known *known, char ret_line[KNOWN_LINE_BYTES])
{
    const char *line = line_in(known);
    snprintf(ret_line, KNOWN_LINE_BYTES, "%s%s", line[0] ? "" : "trigger ",
             line[0] ? line : known->trigger);
    return ret_line;
}

int known_trigger(const struct known *known, const struct program *program)
{
    for (int index = 0; index < program->statement_count; index++)
        if (trigger_matches(known->trigger, program, index))
            return program->statement[index].number;
    return -1;
}

int known_find(const struct known_list *list, const struct program *program,
               const bool *is_left_out)
{
    for (int row = 0; row < list->count; row++)
        if (!(is_left_out && is_left_out[row]) && known_trigger(&list->rows[row], program) >= 0)
            return row;
    return -1;
}

bool known_is_seed_of(const struct known *row, const struct program_case *it)
{
    char seed[48];
    snprintf(seed, sizeof seed, " seed=%" PRIu64 " statements=%" PRIu32 " ", it->seed,
             it->statements);
    return known_is_of_one(row) && strstr(row->program, seed) != NULL;
}

int known_drop(const struct known *rows, const bool *is_avoided, int count, struct program_case *it)
{
    struct program program;
    int dropped = 0;
    for (bool has = true; has;) {
        has = false;
        program_case_make(it, &program);
        for (int row = 0; row < count && !has; row++) {
            const int number =
                is_avoided && !is_avoided[row] ? -1 : known_trigger(&rows[row], &program);
            has = number >= 0;
            if (has)
                it->dropped[number] = true;
        }
        dropped += has;
    }
    return dropped;
}

void known_avoid(const struct known_list *list, struct program_case *it)
{
    struct program_case scratch;
    char error[PROGRAM_ERROR_BYTES];
    /* If a row is of this program alone, the statements that remain in the row's line are
     * removed. */
    for (int row = 0; row < list->count; row++)
        if (list->is_avoided[row] && known_is_seed_of(&list->rows[row], it) &&
            program_case_parse(line_in(&list->rows[row]), &scratch, error) &&
            scratch.operation == it->operation)
            for (uint32_t statement = 0; statement < it->statements; statement++)
                it->dropped[statement] |= !scratch.dropped[statement];
    known_drop(list->rows, list->is_avoided, list->count, it);
}

/* Numbers with dots between them; each moves on. */
static int compare_versions(const char *left, const char *right)
{
    for (;;) {
        char *left_end, *right_end;
        const unsigned long a = strtoul(left, &left_end, 10), b = strtoul(right, &right_end, 10);
        if (a != b)
            return a < b ? -1 : 1;
        if (*left_end != '.' || *right_end != '.')
            return 0;
        left = left_end + 1;
        right = right_end + 1;
    }
}

/* The nearest is the last tried version that is not later, or else the first. */
bool known_was_tried(const char *compiler, const char *version,
                     char ret_nearest[KNOWN_VERSION_BYTES])
{
    bool was_tried = false;
    snprintf(ret_nearest, KNOWN_VERSION_BYTES, "%s", version);
    for (size_t row = 0; row < sizeof looked_at / sizeof looked_at[0]; row++) {
        if (strcmp(looked_at[row].compiler, compiler) != 0)
            continue;
        const char *at = looked_at[row].versions;
        for (int number = 0; *at; number++, at += strspn(at, " ")) {
            const int length = (int)strcspn(at, " ");
            if (number == 0 || compare_versions(at, version) <= 0)
                snprintf(ret_nearest, KNOWN_VERSION_BYTES, "%.*s", length, at);
            was_tried = was_tried || compare_versions(at, version) == 0;
            at += length;
        }
    }
    return was_tried;
}

bool known_has(const struct known *known, const char *compiler, const char *version)
{
    const size_t letters = strlen(compiler);
    char nearest[KNOWN_VERSION_BYTES];
    known_was_tried(compiler, version, nearest);
    for (const char *at = known->versions; *at; at += strcspn(at, ","), at += *at == ',') {
        at += strspn(at, " ");
        if (strncmp(at, compiler, letters) != 0 || at[letters] != ' ')
            continue;
        const char *first = at + letters + 1;
        const char *last = first + strcspn(first, "-,");
        last = *last == '-' ? last + 1 : first;
        const bool is_open = *last == 0 || *last == ',';
        if (compare_versions(nearest, first) >= 0 &&
            (is_open || compare_versions(nearest, last) <= 0))
            return true;
    }
    return false;
}
