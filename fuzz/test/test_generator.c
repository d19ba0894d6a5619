/* The generator: counted, deterministic, valid, and at the edges. */
#include "fuzz/test/made_case.h"

#include "fuzz/fill.h"
#include "fuzz/generator_draft.h"
#include "fuzz/test/case_equal.h"

START_TEST(tiers_know_their_numbers, "cases.generator.counted")
{
    struct generator generator;
    for (int index = 0; index < algorithm_count; index++) {
        generator_open(&generator, algorithms[index], TIER_SMOKE, 1, 0);
        ck_assert_uint_eq(generator.count, 500);
        ck_assert_uint_eq(generator.boundary_count, 360);
        generator_open(&generator, algorithms[index], TIER_STANDARD, 1, 0);
        ck_assert_uint_eq(generator.count, 5250);
        ck_assert_uint_ge(generator.boundary_count, 2 * SIDE * SIDE);
        generator_open(&generator, algorithms[index], TIER_DEEP, 1, 0);
        ck_assert_uint_eq(generator.count, UINT64_C(1) << 40);
        generator_open(&generator, algorithms[index], TIER_STANDARD, 1, 7);
        ck_assert_uint_eq(generator.count, 7);
        ck_assert_uint_eq(generator.boundary_count, 7);
    }
}

START_TEST(shuffling_is_a_bijection, "cases.generator.counted")
{
    static const uint64_t counts[] = {1, 2, 3, 4, 5, 16, 17, 360, 1369, 1711, 3422, 6845};
    unsigned char met[6845];
    for (size_t index = 0; index < sizeof counts / sizeof counts[0]; index++) {
        uint64_t at_home = 0;
        memset(met, 0, sizeof met);
        for (uint64_t number = 0; number < counts[index]; number++) {
            uint64_t place = generator_shuffle(7, number, counts[index]);
            ck_assert_uint_lt(place, counts[index]);
            ck_assert(!met[place]);
            met[place] = 1;
            at_home += place == number;
        }
        ck_assert(counts[index] < 100 || at_home < 10);
    }
}

static void check_valid(const struct generator *generator, uint64_t number)
{
    struct fuzz_case test_case = generated(generator, number);
    struct axes_error wrong;
    ck_assert_msg(algorithm_axes_valid(generator->algorithm, test_case.axis, &wrong), "%s",
                  wrong.message);
    const struct fill *fill = &fills[test_case.fill];
    ck_assert_msg(fill->fits == NULL || fill->fits(&test_case), "%s", fill->name);
    for (int operand = 0; operand < generator->algorithm->operand_count; operand++) {
        struct view view = case_view(&test_case, operand);
        ck_assert_int_le(view.origin + view.span, generator->elements_max);
    }
}

START_TEST(every_case_is_valid_and_within_means, "cases.generator.valid")
{
    static const int64_t means[] = {0, 1, 2, 5, 40, 1000, 65536, INT64_C(1) << 30};
    for (int index = 0; index < algorithm_count; index++) {
        for (int tier = 0; tier < TIER_COUNT; tier++) {
            struct generator generator = made_generator(algorithms[index], (enum tier)tier, 11);
            for (uint64_t number = 0; number < 8000 && number < generator.count; number++)
                check_valid(&generator, number);
            check_valid(&generator, generator.count - 1);
            for (size_t mean = 0; mean < sizeof means / sizeof means[0]; mean++) {
                generator.elements_max = means[mean];
                for (uint64_t number = 0; number < 400; number++)
                    check_valid(&generator, number * 7 % generator.count);
            }
        }
    }
}

/* Lines that earlier versions made: the same seed must always give them. */
static const struct pinned {
    const char *algorithm;
    enum tier tier;
    uint64_t seed;
    uint64_t index;
    const char *line;
} pinned[] = {
    {"matmul", TIER_SMOKE, UINT64_C(1), UINT64_C(3),
     "matmul m=37 n=64 k=48 lda=52 ldb=66 ldc=65 c_offset=32 fill=cancel seed=1039962212"},
    {"matmul", TIER_SMOKE, UINT64_C(12345678901234567890), UINT64_C(499),
     "matmul m=7 n=257 k=33 lda=64 ldb=274 ldc=266 c_offset=2 fill=integer seed=595480508"},
    {"matmul", TIER_STANDARD, UINT64_C(1), UINT64_C(3),
     "matmul m=96 n=32 k=32 ldc=34 a_offset=21 b_offset=5 fill=position seed=3963564373"},
    {"matmul", TIER_STANDARD, UINT64_C(12345678901234567890), UINT64_C(4999),
     "matmul m=32 n=9 k=37 ldb=32 ldc=14 a_offset=9 b_offset=27 c_offset=23 fill=uniform "
     "seed=1001340015"},
    {"matmul", TIER_DEEP, UINT64_C(1), UINT64_C(3),
     "matmul m=100 n=16 k=11 lda=12 ldb=19 ldc=24 a_offset=33 b_offset=7 fill=integer "
     "seed=1039962212"},
    {"matmul", TIER_DEEP, UINT64_C(12345678901234567890), UINT64_C(1099511627775),
     "matmul m=3 n=802 k=11 lda=12 ldb=804 ldc=811 a_offset=21 b_offset=1 c_offset=16 fill=special "
     "seed=449801310"},
    {"aat", TIER_SMOKE, UINT64_C(1), UINT64_C(4),
     "aat m=64 k=32 ldc=69 c_offset=32 fill=random seed=3829450370"},
    {"aat", TIER_SMOKE, UINT64_C(12345678901234567890), UINT64_C(498),
     "aat m=64 k=32 lda=33 c_offset=6 fill=special seed=1467355435"},
    {"aat", TIER_STANDARD, UINT64_C(1), UINT64_C(4),
     "aat m=0 k=63 lda=76 ldc=4 c_offset=3 fill=integer seed=2213271174"},
    {"aat", TIER_STANDARD, UINT64_C(12345678901234567890), UINT64_C(4998),
     "aat m=32 k=32 lda=35 a_offset=32 c_offset=28 fill=random seed=1662036931"},
    {"aat", TIER_DEEP, UINT64_C(1), UINT64_C(4),
     "aat m=65 k=17 ldc=78 a_offset=7 fill=cancel seed=2213271174"},
    {"aat", TIER_DEEP, UINT64_C(12345678901234567890), UINT64_C(1099511627774),
     "aat m=13 k=160 lda=161 c_offset=20 fill=integer seed=1004447471"},
    {"adjacent_difference", TIER_SMOKE, UINT64_C(1), UINT64_C(5),
     "adjacent_difference n=513 a_offset=32 b_offset=17 fill=position seed=2379847465"},
    {"adjacent_difference", TIER_SMOKE, UINT64_C(12345678901234567890), UINT64_C(497),
     "adjacent_difference n=1023 a_offset=2 b_offset=27 fill=uniform seed=2340311041"},
    {"adjacent_difference", TIER_STANDARD, UINT64_C(1), UINT64_C(5),
     "adjacent_difference n=513 a_offset=32 b_offset=17 fill=position seed=2379847465"},
    {"adjacent_difference", TIER_STANDARD, UINT64_C(12345678901234567890), UINT64_C(4997),
     "adjacent_difference n=3777 b_offset=1 fill=random seed=539191556"},
    {"adjacent_difference", TIER_DEEP, UINT64_C(1), UINT64_C(5),
     "adjacent_difference n=4096 a_offset=21 b_offset=28 fill=uniform seed=2379847465"},
    {"adjacent_difference", TIER_DEEP, UINT64_C(12345678901234567890), UINT64_C(1099511627773),
     "adjacent_difference n=463 a_offset=31 b_offset=17 fill=cancel seed=859047108"},
    {"offset_copy", TIER_SMOKE, UINT64_C(1), UINT64_C(6),
     "offset_copy n=129 offset=63 element=2 source_offset=32 target_offset=8 fill=equal "
     "seed=362288501"},
    {"offset_copy", TIER_SMOKE, UINT64_C(12345678901234567890), UINT64_C(496),
     "offset_copy n=3209 offset=5 source_offset=13 fill=permutation seed=881676933"},
    {"offset_copy", TIER_STANDARD, UINT64_C(1), UINT64_C(6),
     "offset_copy n=129 offset=63 element=2 source_offset=32 target_offset=8 fill=equal "
     "seed=362288501"},
    {"offset_copy", TIER_STANDARD, UINT64_C(12345678901234567890), UINT64_C(4996),
     "offset_copy n=3 offset=139 element=8 source_offset=29 target_offset=15 fill=position "
     "seed=3512619354"},
    {"offset_copy", TIER_DEEP, UINT64_C(1), UINT64_C(6),
     "offset_copy n=1 offset=18 source_offset=23 target_offset=33 fill=position seed=362288501"},
    {"offset_copy", TIER_DEEP, UINT64_C(12345678901234567890), UINT64_C(1099511627772),
     "offset_copy n=50 offset=693 element=8 source_offset=3 target_offset=23 fill=position "
     "seed=2183567432"},
    {"strided_copy", TIER_SMOKE, UINT64_C(1), UINT64_C(7),
     "strided_copy n=1023 stride=5 source_offset=16 target_offset=5 fill=uniform seed=864518531"},
    {"strided_copy", TIER_SMOKE, UINT64_C(12345678901234567890), UINT64_C(495),
     "strided_copy n=251 stride=183 element=1 source_offset=4 target_offset=25 fill=uniform "
     "seed=121797162"},
    {"strided_copy", TIER_STANDARD, UINT64_C(1), UINT64_C(7),
     "strided_copy n=1023 stride=5 source_offset=16 target_offset=5 fill=uniform seed=864518531"},
    {"strided_copy", TIER_STANDARD, UINT64_C(12345678901234567890), UINT64_C(4995),
     "strided_copy n=127 stride=63 element=1 source_offset=19 target_offset=20 fill=uniform "
     "seed=249195057"},
    {"strided_copy", TIER_DEEP, UINT64_C(1), UINT64_C(7),
     "strided_copy n=512 stride=28 element=2 source_offset=11 target_offset=13 fill=special "
     "seed=864518531"},
    {"strided_copy", TIER_DEEP, UINT64_C(12345678901234567890), UINT64_C(1099511627771),
     "strided_copy n=1000 stride=8 element=16 source_offset=8 target_offset=27 fill=permutation "
     "seed=2925390898"},
};

START_TEST(the_same_seed_gives_the_same_lines, "cases.generator.deterministic")
{
    for (size_t index = 0; index < sizeof pinned / sizeof pinned[0]; index++) {
        struct generator generator = made_generator(algorithm_find(pinned[index].algorithm),
                                                    pinned[index].tier, pinned[index].seed);
        char text[CASE_TEXT_BYTES];
        struct fuzz_case test_case = generated(&generator, pinned[index].index);
        case_format(&test_case, text, sizeof text);
        ck_assert_str_eq(text, pinned[index].line);
    }
}

START_TEST(another_seed_gives_other_lines, "cases.generator.deterministic")
{
    for (int index = 0; index < algorithm_count; index++) {
        struct generator first, second;
        int same = 0;
        generator_open(&first, algorithms[index], TIER_STANDARD, 1, 0);
        generator_open(&second, algorithms[index], TIER_STANDARD, 2, 0);
        for (uint64_t number = 0; number < first.count; number++) {
            struct fuzz_case left, right;
            generator_case(&first, number, &left);
            generator_case(&second, number, &right);
            same += case_equal(&left, &right);
        }
        ck_assert_int_lt(same, 10);
    }
}

enum { STANDARD = 5250 };

/* The whole standard tier, made once. */
static struct fuzz_case *make_standard(const struct algorithm *algorithm, uint64_t seed)
{
    struct fuzz_case *cases = calloc(STANDARD, sizeof *cases);
    struct generator generator = made_generator(algorithm, TIER_STANDARD, seed);
    ck_assert_uint_eq(generator.count, STANDARD);
    for (uint64_t number = 0; number < STANDARD; number++)
        generator_case(&generator, number, &cases[number]);
    return cases;
}

/* How often an axis has that value; of a leading dimension what it has above its width. */
static int count_value(const struct fuzz_case *cases, int axis, int64_t value)
{
    const struct axis *row = &cases->algorithm->axes[axis];
    int count = 0;
    for (int number = 0; number < STANDARD; number++) {
        int64_t width = row->kind == AXIS_LEADING ? cases[number].axis[row->width_axis] : 0;
        count += cases[number].axis[axis] - width == value;
    }
    return count;
}

START_TEST(every_edge_comes_up, "cases.generator.boundary")
{
    static const int64_t above[] = {0, 1, 2, 3, 5, 7, 8, 9};
    for (int index = 0; index < algorithm_count; index++) {
        struct fuzz_case *cases = make_standard(algorithms[index], 3);
        const struct ladder *ladder =
            algorithms[index]->axes[1].kind == AXIS_SIZE ? &ladder_matrix : &ladder_line;
        for (int axis = 0; axis < algorithms[index]->axis_count; axis++) {
            enum axis_kind kind = algorithms[index]->axes[axis].kind;
            for (int digit = 0; digit < SIDE; digit++) {
                int64_t value = kind == AXIS_SIZE      ? ladder->size[digit]
                                : kind == AXIS_LEADING ? above[digit % 8]
                                                       : draft_axis_value(kind, digit, 0);
                int count = count_value(cases, axis, value);
                ck_assert_msg(count >= 3, "%s: %s=%ld comes up %d times", algorithms[index]->name,
                              algorithms[index]->axes[axis].name, (long)value, count);
            }
        }
        free(cases);
    }
}

/* A load of a module takes milliseconds, and all threads of a worker wait for it. */
START_TEST(loads_are_few, "cases.generator.loads")
{
    const struct algorithm *algorithm = algorithm_find("variable_scope");
    for (int tier = 0; tier < TIER_COUNT; tier++) {
        struct generator generator = made_generator(algorithm, (enum tier)tier, 3);
        uint64_t loads = 0, cases = 0;
        for (; cases < generator.count && cases < 20000; cases++) {
            struct fuzz_case test_case = generated(&generator, cases);
            loads += test_case.axis[2] > 0 && test_case.axis[2] < test_case.axis[1];
        }
        if (tier == TIER_STANDARD)
            ck_assert_uint_ge(loads, 6);
        ck_assert_uint_le(loads, cases < 1000 ? 5 : 20);
    }
}

START_TEST(ladders_ascend, "cases.generator.boundary")
{
    const struct ladder *const ladders[] = {&ladder_line, &ladder_matrix, &ladder_document};
    for (int index = 0; index < 3; index++) {
        for (int step = 1; step < ladders[index]->count; step++) {
            ck_assert_int_gt(ladders[index]->size[step], ladders[index]->size[step - 1]);
            ck_assert_int_eq(ladder_below(ladders[index], ladders[index]->size[step]),
                             ladders[index]->size[step - 1]);
        }
        ck_assert_int_eq(ladder_below(ladders[index], ladders[index]->size[0]), 0);
    }
    ck_assert_int_eq(ladder_below(&ladder_line, 100000), 4097);
}

/* What the standard tier is made of. */
struct census {
    int documents, small, large, empty, thin, fills[16];
    double cost_s;
};

static struct census take_census(const struct generator *generator)
{
    struct census census = {0};
    const struct algorithm *algorithm = generator->algorithm;
    for (uint64_t number = 0; number < generator->count; number++) {
        struct fuzz_case test_case = generated(generator, number);
        int64_t elements = case_elements(&test_case);
        bool document = algorithm->contracted_axis >= 0 && elements > 0;
        for (int axis = 0; axis < algorithm->axis_count; axis++) {
            if (algorithm->axes[axis].kind != AXIS_SIZE)
                continue;
            document = document && test_case.axis[axis] % 32 == 0;
            document =
                document && (axis != algorithm->contracted_axis || test_case.axis[axis] == 32);
        }
        census.documents += document;
        census.small += elements <= 4352;
        census.large += elements >= 65536;
        census.empty += elements == 0;
        census.thin += elements >= 257 && test_case.axis[0] == 1;
        census.fills[test_case.fill]++;
        census.cost_s += case_cost_s(&test_case) / (double)generator->count;
    }
    return census;
}

START_TEST(the_mix_is_as_meant, "cases.generator.boundary")
{
    for (int index = 0; index < algorithm_count; index++) {
        struct generator generator = made_generator(algorithms[index], TIER_STANDARD, 4);
        struct census census = take_census(&generator);
        ck_assert_int_gt(census.small, 4500);
        ck_assert_int_ge(census.large, 3);
        ck_assert_int_le(census.large, 110);
        ck_assert_int_lt(census.empty, 300);
        ck_assert(census.cost_s < 100e-6);
        ck_assert_int_lt(census.fills[fill_find("equal")], 250);
        ck_assert_int_ge(census.fills[fill_find("uniform")], 1000);
        ck_assert_int_ge(census.fills[fill_find("special")], 200);
        if (algorithms[index]->contracted_axis >= 0)
            ck_assert_int_ge(census.documents, 900);
        if (algorithms[index]->contracted_axis >= 0 && algorithms[index]->operand_count == 3)
            ck_assert_int_ge(census.thin, 5);
    }
}
