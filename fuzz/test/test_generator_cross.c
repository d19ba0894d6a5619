/* The boundary cross holds every pair of values of two axes, and each triple once. */
#include "fuzz/test/made_case.h"
#include "fuzz/generator_draft.h"

START_TEST(a_layer_holds_every_pair_of_values, "cases.generator.boundary")
{
    const int columns = 10; /* matmul's nine axes and the fill */
    static unsigned char met[SIDE][SIDE];
    for (uint64_t layer = 0; layer < 4; layer++) {
        for (int left = 0; left < columns; left++) {
            for (int right = 0; right < left; right++) {
                memset(met, 0, sizeof met);
                for (uint64_t rank = layer * SIDE * SIDE; rank < (layer + 1) * SIDE * SIDE; rank++)
                    met[generator_cross_digit(rank, left)][generator_cross_digit(rank, right)]++;
                for (int pair = 0; pair < SIDE * SIDE; pair++)
                    ck_assert_int_eq(met[pair / SIDE][pair % SIDE], 1);
            }
        }
    }
}

/* As many triples of values as rows: none recurs, in a layer or in another. */
START_TEST(each_layer_has_other_triples, "cases.generator.triples")
{
    enum { COLUMNS = 10, ROWS = 4 * SIDE * SIDE };
    static unsigned char met[SIDE][SIDE][SIDE];
    for (int first = 0; first < COLUMNS; first++) {
        for (int second = 0; second < first; second++) {
            for (int third = 0; third < second; third++) {
                int again = 0;
                memset(met, 0, sizeof met);
                for (uint64_t rank = 0; rank < ROWS; rank++) {
                    unsigned char *row = met[generator_cross_digit(rank, first)]
                                            [generator_cross_digit(rank, second)];
                    again += row[generator_cross_digit(rank, third)]++;
                }
                ck_assert_msg(again == 0, "columns %d, %d and %d: %d rows recur", first, second,
                              third, again);
            }
        }
    }
}

/* Sizes are cut to their budget; most pairs of them are left all the same. */
START_TEST(pairs_of_edges_meet, "cases.generator.boundary")
{
    struct generator generator = made_generator(algorithm_find("matmul"), TIER_STANDARD, 1);
    static unsigned char met[258][258];
    int pairs = 0;
    memset(met, 0, sizeof met);
    for (uint64_t number = 0; number < generator.count; number++) {
        struct fuzz_case test_case = generated(&generator, number);
        if (test_case.axis[0] < 258 && test_case.axis[2] < 258)
            met[test_case.axis[0]][test_case.axis[2]] = 1;
    }
    for (int left = 0; left < SIDE; left++)
        for (int right = 0; right < SIDE; right++)
            pairs += met[ladder_matrix.size[left]][ladder_matrix.size[right]];
    ck_assert_int_gt(pairs, SIDE * SIDE * 3 / 4);
}
