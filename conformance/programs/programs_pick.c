/* Programs by their numbers (programs_pick.h). Clauses: program_runs.operations.alone,
 * program_runs.known.avoided. */
#include "conformance/programs/programs_pick.h"

#include <stdlib.h>
#include <string.h>

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

char *programs_lines_of(const struct programs *programs, uint64_t first, int count)
{
    if (programs->line)
        return strdup(programs->line);
    struct program_case *cases = malloc((size_t)count * sizeof *cases);
    bool good = cases != NULL;
    for (int index = 0; good && index < count; index++)
        good = pick(programs, first + (uint64_t)index, &cases[index]);
    char *lines = good ? programs_join(cases, count) : NULL;
    free(cases);
    return lines;
}
