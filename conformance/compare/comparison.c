/* Several comparisons as one (comparison.h). Clauses: compare.verdict.several,
 * compare.record.several, compare.record.surplus, compare.record.new, compare.speed.finds. */
#include "conformance/compare/comparison.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "conformance/base/array.h"
#include "conformance/base/text.h"

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

/* Those of a file that are of the kind; *ret_chosen is the one at that place, or the last. */
static size_t records_like(const struct loaded *loaded, size_t file, const char *kind, size_t place,
                           const struct loaded_record **ret_chosen)
{
    size_t count = 0;
    for (size_t index = 0; index < loaded->count; index++) {
        const struct loaded_record *record = &loaded->records[index];
        if (record->file == file && compared_kind(record) == kind && count++ <= place)
            *ret_chosen = record;
    }
    return count;
}

/* Holds `base` against its like in the file, that at its place. Where both files have one record
 * each, whatever they are, these are meant. */
static bool compare_file(struct compared *ret, const struct loaded *loaded,
                         const struct loaded_record *base, size_t file, size_t place)
{
    const struct loaded_record *first = base, *other = base;
    const size_t count = records_of(loaded, file, &first);
    if (count == 1 && records_of(loaded, base->file, &other) == 1)
        return compared_open(ret, base, first);
    if (records_like(loaded, file, compared_kind(base), place, &other) > 0)
        return compared_open(ret, base, other);
    return compared_lacking(ret, base, first + count - 1);
}

/* True where a file holds several records, which lie side by side. */
static bool have_parts(const struct loaded *loaded)
{
    for (size_t index = 1; index < loaded->count; index++)
        if (loaded->records[index].file == loaded->records[index - 1].file)
            return true;
    return false;
}

/* Of records at that place of their kind. */
static bool open_at(struct comparison_set *ret, const struct loaded *loaded,
                    const struct loaded_record *base, size_t place)
{
    bool whole = true;
    *ret = (struct comparison_set){.base = base,
                                   .part = have_parts(loaded) ? compared_kind(base) : NULL,
                                   .kind = compared_kind(base),
                                   .each = calloc(loaded->file_count, sizeof *ret->each)};
    if (ret->each == NULL)
        return false;
    for (size_t file = 1; file < loaded->file_count; file++)
        whole &= compare_file(&ret->each[ret->count++], loaded, base, file, place);
    whole = whole && fleet_compare_speeds(ret->each, ret->count);
    for (size_t index = 0; ret->count >= FLEET_LEAST && index < ret->count; index++)
        if (ret->each[index].count > 0)
            compared_judge(&ret->each[index]);
    return whole && fleet_open(&ret->fleet, ret->each, ret->count);
}

bool comparison_open(struct comparison_set *ret, const struct loaded *loaded,
                     const struct loaded_record *base)
{
    return open_at(ret, loaded, base, 0);
}

/* How many records of the kind the file has that has most of them. */
static size_t most_like(const struct loaded *loaded, const char *kind)
{
    const struct loaded_record *chosen;
    size_t most = 0;
    for (size_t file = 0; file < loaded->file_count; file++) {
        const size_t count = records_like(loaded, file, kind, 0, &chosen);
        most = count > most ? count : most;
    }
    return most;
}

/* How many of its kind come before a record of BASE. */
static size_t place_of(const struct loaded *loaded, size_t index)
{
    size_t place = 0;
    for (size_t before = 0; before < index; before++)
        place += compared_kind(&loaded->records[before]) == compared_kind(&loaded->records[index]);
    return place;
}

/* Room for one more part, which the caller opens; NULL without memory. */
static struct comparison_set *add_part(struct comparisons *comparison)
{
    if (!ARRAY_ROOM(comparison->parts, comparison->count))
        return NULL;
    struct comparison_set *set = &comparison->parts[comparison->count++];
    *set = (struct comparison_set){.base = NULL};
    return set;
}

/* The records of BASE in their order, and after the last of each kind what only NEW has more of. */
static bool add_base(struct comparisons *comparison, const struct loaded *loaded)
{
    bool whole = true;
    for (size_t index = 0; index < loaded->count && loaded->records[index].file == 0; index++) {
        const struct loaded_record *record = &loaded->records[index], *other;
        const char *kind = compared_kind(record);
        const size_t place = place_of(loaded, index);
        const bool is_last = place + 1 == records_like(loaded, 0, kind, 0, &other);
        const size_t end = is_last ? most_like(loaded, kind) : place + 1;
        for (size_t at = place; at < end; at++) {
            struct comparison_set *set = add_part(comparison);
            whole = set && open_at(set, loaded, record, at) && whole;
        }
    }
    return whole;
}

/* BASE has no record of that measure. Where both files have one record each these are compared. */
static bool is_beside(const struct loaded *loaded, const struct loaded_record *record)
{
    const struct loaded_record *other;
    return record->file != 0 && records_like(loaded, 0, compared_kind(record), 0, &other) == 0 &&
           (records_of(loaded, 0, &other) > 1 || records_of(loaded, record->file, &other) > 1);
}

/* What each file has of a measure that BASE has no record of. */
static bool open_new(struct comparison_set *ret, const struct loaded *loaded, const char *kind)
{
    bool whole = true;
    *ret = (struct comparison_set){.base = loaded->records,
                                   .part = kind,
                                   .kind = kind,
                                   .each = calloc(loaded->file_count, sizeof *ret->each)};
    if (ret->each == NULL)
        return false;
    for (size_t file = 1; file < loaded->file_count; file++) {
        const struct loaded_record *first = loaded->records;
        const size_t count = records_of(loaded, file, &first);
        whole &= compared_new(&ret->each[ret->count++], loaded->records, first, count, kind);
    }
    return whole && fleet_open(&ret->fleet, ret->each, ret->count);
}

/* Each of these measures once. */
static bool add_new(struct comparisons *comparison, const struct loaded *loaded)
{
    bool whole = true;
    for (size_t index = 0; index < loaded->count; index++) {
        const struct loaded_record *record = &loaded->records[index];
        bool due = is_beside(loaded, record);
        for (const struct loaded_record *before = loaded->records; due && before < record; before++)
            due = !is_beside(loaded, before) || compared_kind(before) != compared_kind(record);
        if (due) {
            struct comparison_set *set = add_part(comparison);
            whole = set && open_new(set, loaded, compared_kind(record)) && whole;
        }
    }
    return whole;
}

static enum change write_whole(FILE *file, const struct loaded *loaded, comparison_writer *write,
                               bool is_gate, bool *ret_whole)
{
    struct comparisons comparison = {.is_gate = is_gate};
    bool whole = add_base(&comparison, loaded);
    whole = (is_gate || add_new(&comparison, loaded)) && whole;
    for (size_t index = 0; index < comparison.count; index++) {
        const enum change change = comparison_change(&comparison.parts[index]);
        comparison.change = change > comparison.change ? change : comparison.change;
    }
    *ret_whole = whole && comparison.count > 0 && write(file, &comparison);
    for (size_t index = 0; index < comparison.count; index++)
        comparison_close(&comparison.parts[index]);
    free(comparison.parts);
    return comparison.change;
}

enum change comparison_write_base(FILE *file, const struct loaded *loaded, comparison_writer *write,
                                  bool *ret_whole)
{
    return write_whole(file, loaded, write, true, ret_whole);
}

enum change comparison_write_all(FILE *file, const struct loaded *loaded, comparison_writer *write,
                                 bool *ret_whole)
{
    return write_whole(file, loaded, write, false, ret_whole);
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
