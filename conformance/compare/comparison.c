/* Several comparisons as one (comparison.h). Clause: compare.verdict.several. */
#include "conformance/compare/comparison.h"

#include <stdlib.h>

comparison_writer *const comparison_writers[] = {comparison_text, comparison_json,
                                                 comparison_markdown};

bool comparison_open(struct comparison_set *ret, const struct loaded *loaded)
{
    bool whole = true;
    *ret = (struct comparison_set){.base = &loaded->records[0],
                                   .each = calloc(loaded->count, sizeof *ret->each)};
    if (ret->each == NULL)
        return false;
    for (size_t index = 1; index < loaded->count; index++)
        whole &= compared_open(&ret->each[ret->count++], ret->base, &loaded->records[index]);
    return whole;
}

void comparison_close(struct comparison_set *set)
{
    for (size_t index = 0; index < set->count; index++)
        compared_close(&set->each[index]);
    free(set->each);
    *set = (struct comparison_set){.base = NULL};
}

enum change comparison_change(const struct comparison_set *set)
{
    enum change worst = CHANGE_SAME;
    for (size_t index = 0; index < set->count; index++)
        worst = set->each[index].change > worst ? set->each[index].change : worst;
    return worst;
}
