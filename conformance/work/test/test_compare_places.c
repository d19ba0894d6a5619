/* The comparator against a plain one that looks at each byte by itself: whatever bytes of a case
 * change, in however many windows the case is compared, each is counted once and in its place. */
#include "conformance/work/compare.h"
#include "fuzz/random.h"
#include "fuzz/test/made_case.h"

enum { CASES = 40, ROUNDS = 12, CHANGES_MAX = 6, CUTS_MAX = 3, WINDOW_UNIT = 16 };

/* Whose each byte of an arena is. */
struct owner {
    enum place place;
    int operand;
    int64_t row, column; /* of a gap's byte those of the element before; -1: no element */
    size_t position;     /* of the element's first byte */
};

struct bench {
    struct fuzz_case test_case;
    struct arena arena;
    struct owner *owners;
    unsigned char *image, *expected, *got;
    size_t changed; /* the byte that was changed last */
};

/* A gap is named by the element before it, if there is one. */
static void own_gap(struct owner *owners, size_t begin, size_t end, struct owner before)
{
    for (size_t at = begin; at < end; at++) {
        owners[at] = before;
        owners[at].position = at;
    }
}

static void own_operand(struct bench *bench, int index)
{
    const struct arena_operand *it = &bench->arena.operands[index];
    const bool is_input = bench->test_case.algorithm->operands[index].role == OPERAND_INPUT;
    const size_t element_bytes = (size_t)it->view.element_bytes;
    struct owner guard = {.place = PLACE_GUARD, .operand = index};
    struct owner gap = {.place = PLACE_GAP, .operand = index, .row = -1, .column = -1};
    size_t position = it->begin;
    own_gap(bench->owners, it->from, it->begin, guard);
    own_gap(bench->owners, it->end, it->to, guard);
    for (int64_t row = 0; row < it->view.rows; row++)
        for (int64_t column = 0; column < it->view.columns; column++) {
            const size_t element = arena_element(&bench->arena, index, row, column);
            own_gap(bench->owners, position, element, gap);
            gap.row = row;
            gap.column = column;
            position = element + element_bytes;
            for (size_t at = element; at < position; at++)
                bench->owners[at] = (struct owner){.place = is_input ? PLACE_INPUT : PLACE_ELEMENT,
                                                   .operand = index,
                                                   .row = row,
                                                   .column = column,
                                                   .position = element};
        }
    own_gap(bench->owners, position, it->end, gap);
}

static void bench_open(struct bench *bench, uint64_t seed)
{
    bench->changed = 0;
    const int operand =
        (int)random_below(seed, 0, (uint64_t)bench->test_case.algorithm->operand_count);
    const enum arena_edge edge = (enum arena_edge)random_below(seed, 1, ARENA_EDGE_END + 1);
    bench->arena = edge == ARENA_EDGE_NONE ? arena_layout(&bench->test_case)
                                           : arena_layout_at_edge(&bench->test_case, operand, edge);
    bench->arena.is_canonical = random_below(seed, 2, 2) == 0;
    bench->owners = calloc(bench->arena.bytes, sizeof *bench->owners);
    bench->image = aligned_alloc(ARENA_ALIGNMENT_BYTES, bench->arena.bytes);
    bench->expected = aligned_alloc(ARENA_ALIGNMENT_BYTES, bench->arena.bytes);
    bench->got = aligned_alloc(ARENA_ALIGNMENT_BYTES, bench->arena.bytes);
    for (int index = 0; index < bench->arena.operand_count; index++)
        own_operand(bench, index);
    arena_expect(&bench->arena, 0, bench->expected);
    arena_poison(&bench->arena, bench->expected, bench->image);
}

static void bench_close(struct bench *bench)
{
    free(bench->owners);
    free(bench->image);
    free(bench->expected);
    free(bench->got);
}

/* Changes a few bytes, each of an operand's span or of anything. */
static void change_bytes(struct bench *bench, uint64_t seed)
{
    const uint64_t changes = random_below(seed, 0, CHANGES_MAX + 1);
    memcpy(bench->got, bench->expected, bench->arena.bytes);
    for (uint64_t turn = 1; turn <= changes; turn++) {
        const struct arena_operand *it =
            &bench->arena
                 .operands[random_below(seed, 4 * turn, (uint64_t)bench->arena.operand_count)];
        size_t at = random_below(seed, 4 * turn + 1, bench->arena.bytes);
        if (it->end > it->begin && random_below(seed, 4 * turn + 2, 4) > 0)
            at = it->begin + at % (it->end - it->begin);
        bench->changed = at;
        bench->got[at] ^= (unsigned char)(1 + random_below(seed, 4 * turn + 3, 255));
    }
}

/* Whether what begins at a byte, an element or a byte of no element, is wrong. */
static bool is_wrong(const struct bench *bench, const struct owner *owner, size_t bytes)
{
    const unsigned char *expected = bench->expected + owner->position;
    const unsigned char *got = bench->got + owner->position;
    if (owner->place != PLACE_ELEMENT || bench->arena.is_canonical)
        return memcmp(expected, got, bytes) != 0;
    return !format_alike(arena_format(&bench->arena, owner->operand), bytes, expected, got, 1);
}

/* Looks at each byte by itself. `firsts` are NULL if nothing is wrong. */
static void look_plainly(const struct bench *bench, uint64_t counts[PLACE_COUNT],
                         const struct owner *firsts[PLACE_COUNT])
{
    for (size_t at = 0; at < bench->arena.bytes; at++) {
        const struct owner *owner = &bench->owners[at];
        const bool is_element = owner->place == PLACE_ELEMENT || owner->place == PLACE_INPUT;
        const size_t bytes =
            is_element ? (size_t)bench->arena.operands[owner->operand].view.element_bytes : 1;
        if (owner->position != at || !is_wrong(bench, owner, bytes))
            continue;
        firsts[owner->place] = counts[owner->place]++ == 0 ? owner : firsts[owner->place];
    }
}

/* Where a window that begins at `begin` ends: anywhere, or where the last change is. */
static size_t cut(const struct bench *bench, uint64_t seed, size_t begin)
{
    const size_t change = bench->changed / WINDOW_UNIT * WINDOW_UNIT;
    if (change > begin && random_below(seed, 0, 2) == 0)
        return change;
    const size_t units = (bench->arena.bytes - begin) / WINDOW_UNIT;
    return begin + WINDOW_UNIT * (1 + random_below(seed, 1, units));
}

/* Compares in up to CUTS_MAX + 1 windows, each by itself or one after the other. */
static void look_in_windows(const struct bench *bench, uint64_t seed, struct comparison *ret)
{
    const bool joined = random_below(seed, 0, 2) == 0;
    uint64_t cuts = random_below(seed, 1, CUTS_MAX + 1);
    *ret = (struct comparison){.counts = {0}};
    for (size_t begin = 0, end; begin < bench->arena.bytes; begin = end) {
        struct comparison own = {.counts = {0}};
        end = cuts > 0 ? cut(bench, random_word(seed, 1 + cuts), begin) : bench->arena.bytes;
        cuts -= cuts > 0;
        compare_window(joined ? &own : ret, &bench->arena, begin, end, bench->image + begin,
                       bench->expected + begin, bench->got + begin);
        compare_join(ret, &own);
    }
}

static void check_first(const struct bench *bench, const struct finding *first,
                        const struct owner *owner)
{
    ck_assert_int_eq(first->verdict, VERDICT_FAIL);
    ck_assert_int_eq(first->place, owner->place);
    ck_assert_int_eq(first->operand, owner->operand);
    ck_assert_int_eq(
        memcmp(first->expected, bench->expected + owner->position, (size_t)first->unit_bytes), 0);
    ck_assert_int_eq(memcmp(first->got, bench->got + owner->position, (size_t)first->unit_bytes),
                     0);
    const struct arena_operand *it = &bench->arena.operands[owner->operand];
    if (owner->place == PLACE_GUARD)
        ck_assert_int_eq(first->distance_bytes,
                         (int64_t)owner->position -
                             (int64_t)(owner->position < it->begin ? it->begin : it->end));
    if (owner->place == PLACE_GUARD)
        return;
    ck_assert_int_eq(first->row, owner->row);
    ck_assert_int_eq(first->column, owner->column);
    ck_assert_int_eq(first->unit_bytes, owner->place == PLACE_GAP ? 1 : it->view.element_bytes);
}

/* The worst that is wrong is named, and the clause that it breaks. */
static void check_clause(const struct bench *bench, const struct finding *finding,
                         const uint64_t counts[PLACE_COUNT])
{
    static const struct {
        enum place place;
        const char *clause;
    } order[] = {{PLACE_GUARD, "memory.guards.untouched"},
                 {PLACE_GAP, "memory.gaps.untouched"},
                 {PLACE_INPUT, "memory.inputs.unchanged"},
                 {PLACE_ELEMENT, NULL}};
    const struct format *format = arena_format(&bench->arena, finding->operand);
    const char *clause = bench->test_case.algorithm->clause_value;
    size_t worst = 0;
    while (counts[order[worst].place] == 0)
        worst++;
    if (finding->unwritten)
        clause = "memory.output.written";
    else if (arena_has_canonical(&bench->arena, finding->operand) &&
             format_alike(format, format->bytes, finding->expected, finding->got, 1))
        clause = format->canonical_clause;
    ck_assert_int_eq(finding->place, order[worst].place);
    ck_assert_str_eq(finding->clause, order[worst].clause ? order[worst].clause : clause);
}

static void check_round(struct bench *bench, uint64_t seed)
{
    uint64_t counts[PLACE_COUNT] = {0};
    const struct owner *firsts[PLACE_COUNT] = {NULL};
    struct comparison comparison;
    struct finding finding;
    change_bytes(bench, seed);
    look_plainly(bench, counts, firsts);
    look_in_windows(bench, random_word(seed, 1), &comparison);
    bool is_right = true;
    for (int place = 0; place < PLACE_COUNT; place++) {
        ck_assert_uint_eq(comparison.counts[place], counts[place]);
        if (firsts[place] && bench->arena.edge == ARENA_EDGE_NONE) /* else in another order */
            check_first(bench, &comparison.first[place], firsts[place]);
        is_right = is_right && counts[place] == 0;
    }
    const enum verdict verdict = is_right ? VERDICT_PASS : VERDICT_FAIL;
    ck_assert_int_eq(compare_end(&comparison, &bench->arena, &finding), verdict);
    ck_assert_int_eq(
        compare_arena(&bench->arena, bench->image, bench->expected, bench->got, &finding), verdict);
    if (is_right)
        return;
    check_clause(bench, &finding, counts);
    ck_assert_uint_eq(finding.wrong_elements, counts[PLACE_ELEMENT]);
    ck_assert_uint_eq(finding.wrong_gap_bytes, counts[PLACE_GAP]);
    ck_assert_uint_eq(finding.wrong_guard_bytes, counts[PLACE_GUARD]);
    ck_assert_uint_eq(finding.wrong_inputs, counts[PLACE_INPUT]);
}

START_TEST(each_change_is_counted_in_its_place, "verdicts.comparator.tested",
           "verdicts.place.named")
{
    for (int algorithm = 0; algorithm < algorithm_count; algorithm++) {
        struct generator generator = made_generator(algorithms[algorithm], TIER_STANDARD, 5);
        generator.elements_max = 3000;
        for (uint64_t number = 0; number < CASES; number++) {
            struct bench bench;
            generator_case(&generator, number, &bench.test_case);
            bench_open(&bench, random_word(number, 0));
            for (uint64_t round = 0; round < ROUNDS; round++)
                check_round(&bench, random_word(number, round + 1));
            bench_close(&bench);
        }
    }
}
