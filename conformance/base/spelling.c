/* The nearest known word (spelling.h): optimal string alignment. */
#include "conformance/base/spelling.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

static int least(int one, int other)
{
    return one < other ? one : other;
}

static int count_edits(const char *from, const char *to)
{
    int rows[3][SPELLING_WORD_BYTES];
    const int from_letters = (int)strlen(from), to_letters = (int)strlen(to);
    for (int at = 0; at <= to_letters; at++)
        rows[0][at] = at;
    for (int row = 1; row <= from_letters; row++) {
        int *own = rows[row % 3], *before = rows[(row - 1) % 3];
        own[0] = row;
        for (int at = 1; at <= to_letters; at++) {
            const int replaced = before[at - 1] + (from[row - 1] != to[at - 1]);
            own[at] = least(replaced, 1 + least(before[at], own[at - 1]));
            if (row > 1 && at > 1 && from[row - 1] == to[at - 2] && from[row - 2] == to[at - 1])
                own[at] = least(own[at], rows[(row - 2) % 3][at - 2] + 1);
        }
    }
    return rows[from_letters % 3][to_letters];
}

void spelling_begin(struct spelling *spelling, const char *word)
{
    *spelling = (struct spelling){.edits = 0};
    snprintf(spelling->word, sizeof spelling->word, "%s", word);
    spelling->edits = least(1 + (int)strlen(spelling->word) / 3, 4);
}

void spelling_try(struct spelling *spelling, const char *candidate)
{
    char name[SPELLING_WORD_BYTES];
    snprintf(name, sizeof name, "%s", candidate);
    const size_t shared = (size_t)least((int)strlen(name), (int)strlen(spelling->word));
    const bool begins = shared >= 3 && strncmp(name, spelling->word, shared) == 0;
    const int edits = begins ? 1 : count_edits(spelling->word, name);
    if (edits >= spelling->edits)
        return;
    spelling->edits = edits;
    memcpy(spelling->best, name, sizeof name);
}

const char *spelling_hint(const struct spelling *spelling, const char *prefix,
                          char ret_text[SPELLING_HINT_BYTES])
{
    const bool is_near = spelling->best[0] != 0;
    snprintf(ret_text, SPELLING_HINT_BYTES, "%s%.16s%s%s", is_near ? "; did you mean " : "",
             is_near ? prefix : "", spelling->best, is_near ? "?" : "");
    return ret_text;
}
