/* Programs by their numbers (programs_pick.h). Clauses: program_runs.operations.alone,
 * program_runs.operations.table, program_runs.known.avoided. */
#include "conformance/programs/programs_pick.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "conformance/model/program_operation.h"
#include "conformance/programs/programs_tier.h"
#include "cpu_ref/programs/operations.h"

enum { OPERATION_EVERY = 16 };

char *programs_join(const struct program_case *cases, int count)
{
    char *text = malloc((size_t)count * PROGRAM_TEXT_BYTES + 1);
    size_t used = 0;
    for (int index = 0; text && index < count; index++) {
        program_case_print(&cases[index], text + used);
        used += strlen(text + used);
        text[used++] = '\n';
    }
    if (text)
        text[used] = 0;
    return text;
}

bool programs_recur(const struct programs *programs, uint64_t first, int count)
{
    const uint64_t of_tier =
        programs->session->options->seed == PROGRAMS_SEED ? programs_of_tier(TIER_STANDARD) : 0;
    return programs->line == NULL &&
           first + (uint64_t)count <= (uint64_t)programs->operation_count + of_tier;
}

static bool pick(const struct programs *programs, uint64_t number, struct program_case *ret)
{
    const uint64_t seed = programs->session->options->seed;
    const uint64_t turn = number / OPERATION_EVERY, count = (uint64_t)operation_count;
    if (number % OPERATION_EVERY == OPERATION_EVERY - 1)
        program_case_of_operation((int)(turn % count), seed + turn / count, ret);
    else
        program_case_pick(seed, number, ret);
    return programs->session->options->triggers || known_avoid(&programs->known, ret);
}

/* Operations come first, as they are the same in every run. */
static bool put_line(const struct programs *programs, uint64_t number, struct program_case *scratch,
                     char ret_line[PROGRAM_TEXT_BYTES])
{
    const uint64_t count = (uint64_t)programs->operation_count;
    char words[OPERATION_WORDS_BYTES];
    if (number < count) {
        snprintf(ret_line, PROGRAM_TEXT_BYTES, "operation %s",
                 operation_program_words((int)number, words));
        return true;
    }
    if (!pick(programs, number - count, scratch))
        return false;
    program_case_print(scratch, ret_line);
    return true;
}

char *programs_lines_of(const struct programs *programs, uint64_t first, int count)
{
    if (programs->line)
        return strdup(programs->line);
    struct program_case *test_case = malloc(sizeof *test_case);
    char *lines = malloc((size_t)count * PROGRAM_TEXT_BYTES + 1);
    bool good = test_case && lines;
    size_t used = 0;
    for (int index = 0; good && index < count; index++) {
        good = put_line(programs, first + (uint64_t)index, test_case, lines + used);
        used += good ? strlen(lines + used) : 0;
        if (good)
            lines[used++] = '\n';
    }
    if (good)
        lines[used] = 0;
    free(test_case);
    if (!good)
        free(lines);
    return good ? lines : NULL;
}
