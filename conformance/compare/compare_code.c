/* Machine code, function by function (compare_parts.h): worse is what runs worse by itself, and
 * what a budget would not take (spec/codegen.md). Clauses: compare.code.worse,
 * compare.code.changed. */
#include <stdio.h>
#include <string.h>

#include "conformance/compare/compare_parts.h"

/* "40 registers, 8 bytes of local memory, 0 of shared memory, 1024 of code". */
static const char *in_words(const json_t *line, char ret[DIFFERENCE_VALUE_BYTES])
{
    char code[64] = "";
    if (raw_made_code_bytes(line))
        snprintf(code, sizeof code, ", %llu of code %.8s",
                 (unsigned long long)field_made_code_bytes(line), field_made_code_xxh3_128(line));
    snprintf(ret, DIFFERENCE_VALUE_BYTES,
             "%llu registers, %llu bytes of local memory, %llu of shared memory%s",
             (unsigned long long)field_made_registers(line),
             (unsigned long long)field_made_local_bytes(line),
             (unsigned long long)field_made_shared_bytes(line), code);
    return ret;
}

static uint64_t local_of(const json_t *line)
{
    return field_made_local_bytes(line);
}

static uint64_t blocks_of(const json_t *line)
{
    return field_occupancy_blocks(raw_codegen_occupancy(line));
}

static uint64_t code_of(const json_t *line)
{
    return field_made_code_bytes(line);
}

/* A figure of a function, and what more and less of it are. `times`: it counts from so many times
 * on, in tenths, as a budget has room for less. Both must have it. */
struct figure_row {
    uint64_t (*of)(const json_t *line);
    enum difference_kind more, less;
    uint64_t times;
    bool must_be; /* 0 is no figure */
};
static const struct figure_row figures[] = {
    {local_of, DIFFERENCE_code_spills, DIFFERENCE_code_unspilled, 10, false},
    {blocks_of, DIFFERENCE_code_blocks_more, DIFFERENCE_code_blocks_fewer, 10, true},
    {code_of, DIFFERENCE_code_larger, DIFFERENCE_code_smaller, 15, true},
};

void compare_code(const struct meeting *meeting, const char *place, const json_t *base,
                  const json_t *next)
{
    char left[DIFFERENCE_VALUE_BYTES], right[DIFFERENCE_VALUE_BYTES];
    bool said = false;
    compare_verdicts(meeting, place, field_codegen_verdict(base), field_codegen_verdict(next),
                     field_codegen_note(next));
    if (raw_made_registers(base) == NULL || raw_made_registers(next) == NULL)
        return;
    meeting->compared->looked_at[COMPARED_CODE]++;
    in_words(base, left);
    in_words(next, right);
    for (size_t row = 0; row < sizeof figures / sizeof figures[0]; row++) {
        const struct figure_row *it = &figures[row];
        uint64_t before = it->of(base), after = it->of(next);
        bool more = 10.0 * (double)after > (double)it->times * (double)before && after > before;
        bool less = 10.0 * (double)before > (double)it->times * (double)after && before > after;
        if ((it->must_be && (before == 0 || after == 0)) || (!more && !less))
            continue;
        compared_add(meeting->compared, more ? it->more : it->less, place, left, right);
        said = true;
    }
    if (!said && (strcmp(left, right) != 0 ||
                  strcmp(field_made_code_xxh3_128(base), field_made_code_xxh3_128(next)) != 0))
        compared_add(meeting->compared, DIFFERENCE_code_changed, place, left, right);
}
