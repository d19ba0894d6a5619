/* Several comparisons as one (comparison.h). Clauses: compare.verdict.several,
 * compare.speed.finds. */
#include "conformance/compare/comparison.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "conformance/base/number.h"

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
    whole = whole && fleet_compare_speeds(ret->each, ret->count);
    for (size_t index = 0; ret->count >= FLEET_LEAST && index < ret->count; index++)
        if (ret->each[index].count > 0)
            compared_judge(&ret->each[index]);
    return whole && fleet_open(&ret->fleet, ret->each, ret->count);
}

void comparison_close(struct comparison_set *set)
{
    for (size_t index = 0; index < set->count; index++)
        compared_close(&set->each[index]);
    fleet_close(&set->fleet);
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

bool comparison_finds(const struct compared *compared, char ret_text[COMPARISON_FINDS_BYTES])
{
    static const double aim = 0.015;
    double least = 1, most = 0;
    size_t speeds = 0, fine = 0;
    char number[NUMBER_COUNT_BYTES], few[NUMBER_TEXT_BYTES];
    for (size_t index = 0; index < compared->figure_count; index++) {
        const struct figure_change *it = &compared->figures[index];
        if (strcmp(it->unit, FIGURE_SPEED) != 0)
            continue;
        speeds++;
        fine += it->finds <= aim;
        least = it->finds > aim && it->finds < least ? it->finds : least;
        most = it->finds > most ? it->finds : most;
    }
    if (fine == speeds)
        snprintf(ret_text, COMPARISON_FINDS_BYTES, "a loss of 1.5 %% in each of %s",
                 number_count(speeds, "speed", number));
    else
        snprintf(ret_text, COMPARISON_FINDS_BYTES,
                 "a loss of 1.5 %% in %s of %s; in the others no less than %.1f to %.1f %%",
                 number_whole(fine, few), number_count(speeds, "speed", number),
                 ceil(1000 * least) / 10, ceil(1000 * most) / 10);
    return speeds > 0;
}
