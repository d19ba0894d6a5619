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

/* How many records a file has, and its first. */
static size_t records_of(const struct loaded *loaded, size_t file,
                         const struct loaded_record **ret_first)
{
    size_t count = 0;
    for (size_t index = loaded->count; index-- > 0;) {
        if (loaded->records[index].file != file)
            continue;
        *ret_first = &loaded->records[index];
        count++;
    }
    return count;
}

/* Holds `base` against its like in the file. Where both files have one record each, whatever they
 * are, these are meant. */
static bool compare_file(struct compared *ret, const struct loaded *loaded,
                         const struct loaded_record *base, size_t file)
{
    const struct loaded_record *first = base, *other = base;
    const size_t count = records_of(loaded, file, &first);
    if (count == 1 && records_of(loaded, base->file, &other) == 1)
        return compared_open(ret, base, first);
    for (size_t index = 0; index < count; index++)
        if (compared_kind(first + index) == compared_kind(base))
            return compared_open(ret, base, first + index);
    return compared_lacking(ret, base, first + count - 1);
}

bool comparison_open(struct comparison_set *ret, const struct loaded *loaded,
                     const struct loaded_record *base)
{
    bool whole = true;
    const struct loaded_record *first = base;
    const bool is_part = records_of(loaded, base->file, &first) > 1;
    *ret = (struct comparison_set){.base = base,
                                   .part = is_part ? compared_kind(base) : NULL,
                                   .each = calloc(loaded->file_count, sizeof *ret->each)};
    if (ret->each == NULL)
        return false;
    for (size_t file = 1; file < loaded->file_count; file++)
        whole &= compare_file(&ret->each[ret->count++], loaded, base, file);
    whole = whole && fleet_compare_speeds(ret->each, ret->count);
    for (size_t index = 0; ret->count >= FLEET_LEAST && index < ret->count; index++)
        if (ret->each[index].count > 0)
            compared_judge(&ret->each[index]);
    return whole && fleet_open(&ret->fleet, ret->each, ret->count);
}

enum change comparison_write_all(FILE *file, const struct loaded *loaded, comparison_writer *write,
                                 bool *ret_whole)
{
    enum change worst = CHANGE_SAME;
    *ret_whole = true;
    for (size_t index = 0; index < loaded->count && loaded->records[index].file == 0; index++) {
        struct comparison_set set;
        bool whole = comparison_open(&set, loaded, &loaded->records[index]) && write(file, &set);
        const enum change change = comparison_change(&set);
        worst = change > worst ? change : worst;
        *ret_whole = *ret_whole && whole;
        comparison_close(&set);
    }
    return worst;
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
                 "a loss of 1.5 %% in %s of %s; in the others one of %.1f to %.1f %% or more",
                 number_whole(fine, few), number_count(speeds, "speed", number),
                 ceil(1000 * least) / 10, ceil(1000 * most) / 10);
    return speeds > 0;
}
