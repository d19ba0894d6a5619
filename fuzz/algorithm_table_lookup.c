/* The row of table_lookup (spec/table_lookup.md). */
#include "fuzz/algorithm_parts.h"
#include "cpu_ref/golden.h"

enum {
    LOOKUP_N,
    LOOKUP_ENTRIES,
    LOOKUP_DISTINCT,
    LOOKUP_ROUNDS,
    LOOKUP_ELEMENT,
    LOOKUP_TABLE_OFFSET,
    LOOKUP_INDEX_OFFSET,
    LOOKUP_TARGET_OFFSET
};

/* Nothing can be looked up in an empty table. */
static int64_t lookups(const int64_t *axis)
{
    return axis[LOOKUP_ENTRIES] == 0 ? 0 : axis[LOOKUP_N];
}

static void table_lookup_view(const int64_t *axis, int index, struct view *ret)
{
    const struct view views[] = {
        algorithm_line(axis[LOOKUP_TABLE_OFFSET], 0, axis[LOOKUP_ENTRIES], 1),
        algorithm_line(axis[LOOKUP_INDEX_OFFSET], 0, lookups(axis), 1),
        algorithm_line(axis[LOOKUP_TARGET_OFFSET], 0, lookups(axis), 1)};
    *ret = views[index];
}

static uint64_t table_lookup_flops(const int64_t *axis)
{
    return (uint64_t)algorithm_product(lookups(axis), axis[LOOKUP_ROUNDS] - 1);
}

static void table_lookup_golden(const int64_t *axis, void *const *operands)
{
    golden_table_lookup(operands[0], operands[1], operands[2], (size_t)lookups(axis),
                        (size_t)axis[LOOKUP_ENTRIES], (size_t)axis[LOOKUP_ROUNDS],
                        (size_t)axis[LOOKUP_ELEMENT]);
}

/* The whole table, and the block's indices. */
static int table_lookup_parts(const int64_t *axis, const struct block *output,
                              struct part ret[ALGORITHM_PARTS_MAX])
{
    ret[0] = (struct part){.operand = 0, .block = {.rows = 1, .columns = axis[LOOKUP_ENTRIES]}};
    ret[1] = (struct part){.operand = 1, .block = *output};
    return 2;
}

static void table_lookup_golden_part(const int64_t *axis, const struct block *output,
                                     const struct part_memory *parts, void *ret)
{
    golden_table_lookup(parts[0].first, parts[1].first, ret, (size_t)output->columns,
                        (size_t)axis[LOOKUP_ENTRIES], (size_t)axis[LOOKUP_ROUNDS],
                        (size_t)axis[LOOKUP_ELEMENT]);
}

const struct algorithm algorithm_table_lookup = {
    .name = "table_lookup",
    .summary = "target[i] = xor of table[(index[i] + r) mod entries], r below rounds",
    .clause_value = "table_lookup.value.combined",
    .contracted_axis = -1,
    .axis_count = 8,
    .axes = {{"n", AXIS_SIZE, 0},
             {"entries", AXIS_SIZE, 0},
             {"distinct", AXIS_LANES, 0},
             {"rounds", AXIS_ROUNDS, 0},
             {"element", AXIS_ELEMENT, 0},
             {"table_offset", AXIS_PLACEMENT, 0},
             {"index_offset", AXIS_PLACEMENT, 0},
             {"target_offset", AXIS_PLACEMENT, 0}},
    .operand_count = 3,
    .operands = {{"table", OPERAND_INPUT, &format_bytes},
                 {"index", OPERAND_INPUT, &format_index},
                 {"target", OPERAND_OUTPUT, &format_bytes}},
    .view = table_lookup_view,
    .golden = table_lookup_golden,
    .parts = table_lookup_parts,
    .golden_part = table_lookup_golden_part,
    .flops = table_lookup_flops,
    /* The last three have few lookups, a third and more of them past 2^31 elements or 2^32 bytes.
     */
    .huge = {"n=2147483659 entries=257 element=1", "n=1073741831 entries=4096 rounds=2 element=16",
             "n=4294967311 entries=65536 element=1 target_offset=1",
             "n=259 entries=4294967311 rounds=7 element=1 table_offset=5",
             "n=1025 entries=3221225479 element=4 rounds=3",
             "n=1027 entries=1610612743 element=4 distinct=3"},
};
