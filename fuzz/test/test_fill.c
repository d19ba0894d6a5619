/* Fills are pure: the same case gives the same bits, however they are asked for. */
#include "fuzz/test/filling.h"

static void check_against_single_elements(const struct fuzz_case *test_case, int operand)
{
    void *origin;
    unsigned char *memory = filled(test_case, operand, &origin);
    struct view view = case_view(test_case, operand);
    size_t bytes = case_operand_bytes(test_case, operand);
    unsigned char *expected = malloc(bytes + 1);
    memset(expected, GARBAGE, bytes + 1);
    for (int64_t row = 0; row < view.rows; row++) {
        for (int64_t column = 0; column < view.columns; column++) {
            uint32_t bits = bits_at(test_case, operand, row, column);
            int64_t at =
                view.origin + view.first + row * view.row_stride + column * view.column_stride;
            memcpy(expected + 4 * at, &bits, 4);
        }
    }
    ASSERT_BYTES_EQUAL(memory, expected, bytes + 1);
    free(expected);
    free(memory);
}

START_TEST(whole_operands_agree_with_single_elements, "cases.fill.pure")
{
    for (int index = 0; index < algorithm_count; index++) {
        if (algorithms[index]->operands[0].format != &format_f32)
            continue;
        struct generator generator = made_generator(algorithms[index], TIER_SMOKE, 1);
        for (uint64_t number = 0; number < 60; number++) {
            struct fuzz_case test_case = generated(&generator, number);
            for (test_case.fill = 0; test_case.fill < FILL_COUNT; test_case.fill++)
                for (int operand = 0; operand < algorithms[index]->operand_count - 1; operand++)
                    check_against_single_elements(&test_case, operand);
        }
    }
}

/* A fill of bytes is one stream: strides and placements spread the same elements. */
START_TEST(bytes_do_not_depend_on_placement, "cases.fill.pure")
{
    static const int elements[] = {1, 2, 4, 8, 16};
    for (int fill = 0; fill < FILL_COUNT; fill++) {
        for (int index = 0; index < 5; index++) {
            char shape[100];
            const int element = elements[index];
            void *dense, *spread;
            snprintf(shape, sizeof shape, "strided_copy n=45 element=%d", element);
            struct fuzz_case test_case = read_case(shape, fills[fill].name, 9);
            unsigned char *first = filled(&test_case, 0, &dense);
            strcat(shape, " stride=3 source_offset=2");
            test_case = read_case(shape, fills[fill].name, 9);
            unsigned char *second = filled(&test_case, 0, &spread);
            for (int at = 0; at < 45; at++) {
                ASSERT_BYTES_EQUAL((unsigned char *)spread + 3 * at * element,
                                   (unsigned char *)dense + at * element, (size_t)element);
                for (int gap = element; at < 44 && gap < 3 * element; gap++)
                    ck_assert_int_eq(((unsigned char *)spread)[3 * at * element + gap], GARBAGE);
            }
            free(first);
            free(second);
        }
    }
}

static const struct pinned_bits {
    const char *shape;
    const char *fill;
    uint32_t bits[4]; /* row 0 columns 0 and 1, row 1 columns 0 and 1 of operand 0 */
} pinned[] = {
    {"matmul m=3 n=4 k=5", "uniform", {0x3e95e978, 0x3f7cc354, 0x3f364f6a, 0x3f03d29a}},
    {"matmul m=3 n=4 k=5", "position", {0x3f800000, 0x40000000, 0x40c00000, 0x40e00000}},
    {"matmul m=3 n=4 k=5", "integer", {0xc4940000, 0xc4e38000, 0x44c40000, 0x44ad6000}},
    {"matmul m=3 n=4 k=5", "permutation", {0x00000000, 0x3f800000, 0x00000000, 0x00000000}},
    {"matmul m=3 n=4 k=5", "onehot", {0x00000000, 0x00000000, 0x00000000, 0x3f800000}},
    {"matmul m=3 n=4 k=5", "equal", {0xc1d305fd, 0xc1d305fd, 0xc1d305fd, 0xc1d305fd}},
    {"matmul m=3 n=4 k=5", "random", {0xff7a5ef1, 0x7f61aad9, 0xe5a7b5f2, 0xdfe94d56}},
    {"matmul m=3 n=4 k=5", "cancel", {0xc4fa5ef0, 0x44fa5ef3, 0xc2a7b5f0, 0x42a7b5f3}},
    {"matmul m=3 n=4 k=5", "special", {0xbe5deb98, 0x80000000, 0x3ef9c8b8, 0xbf6d53c4}},
    {"aat m=3 k=5", "uniform", {0x3e95e978, 0x3f7cc354, 0x3f364f6a, 0x3f03d29a}},
    {"aat m=3 k=5", "position", {0x3f800000, 0x40000000, 0x40c00000, 0x40e00000}},
    {"aat m=3 k=5", "integer", {0xc4940000, 0xc4e38000, 0x44c40000, 0x44ad6000}},
    {"aat m=3 k=5", "onehot", {0x00000000, 0x00000000, 0x00000000, 0x00000000}},
    {"aat m=3 k=5", "equal", {0xc1d305fd, 0xc1d305fd, 0xc1d305fd, 0xc1d305fd}},
    {"aat m=3 k=5", "random", {0xc2fa5ef1, 0x44e1aad9, 0xcda7b5f2, 0xca694d56}},
    {"aat m=3 k=5", "cancel", {0xc4fa5ef0, 0xc4fa5ef3, 0xc2a7b5f0, 0x42a7b5f3}},
    {"aat m=3 k=5", "special", {0xbe5deb98, 0x80000000, 0x3ef9c8b8, 0xbf6d53c4}},
    {"adjacent_difference n=9", "uniform", {0x3e95e978, 0x3f7cc354, 0x3f364f6a, 0x3f03d29a}},
    {"adjacent_difference n=9", "position", {0x3f800000, 0x40000000, 0x41200000, 0x41300000}},
    {"adjacent_difference n=9", "integer", {0xc5258000, 0xc57e7000, 0x455b3000, 0x4541f000}},
    {"adjacent_difference n=9", "permutation", {0x41000000, 0x41100000, 0x41000000, 0x41100000}},
    {"adjacent_difference n=9", "equal", {0xc1d305fd, 0xc1d305fd, 0xc1d305fd, 0xc1d305fd}},
    {"adjacent_difference n=9", "random", {0xa57a5ef1, 0xfe61aad9, 0xdb27b5f2, 0xc1e94d56}},
    {"adjacent_difference n=9", "cancel", {0xc4fa5ef0, 0xc4fa5ef3, 0xc2a7b5f0, 0xc2a7b5f3}},
    {"adjacent_difference n=9", "special", {0xbe5deb98, 0x80000000, 0x3ef9c8b8, 0xbf6d53c4}}};

START_TEST(the_same_case_gives_the_same_bits, "cases.fill.pure")
{
    for (size_t index = 0; index < sizeof pinned / sizeof pinned[0]; index++) {
        struct fuzz_case test_case = read_case(pinned[index].shape, pinned[index].fill, 7);
        uint32_t bits[4];
        for (int at = 0; at < 4; at++)
            bits[at] = bits_at(&test_case, 0, at / 2, at % 2);
        ASSERT_BYTES_EQUAL(bits, pinned[index].bits, sizeof bits);
    }
    struct fuzz_case test_case = read_case("offset_copy n=20 element=1", "uniform", 7);
    static const unsigned char bytes[] = {0xec, 0xf2, 0xa6, 0xd5, 0xd9, 0xde, 0x00,
                                          0x2b, 0xab, 0xa7, 0xe9, 0x37, 0x05, 0x1b,
                                          0x69, 0x0d, 0x62, 0x96, 0x17, 0x20};
    void *origin;
    unsigned char *memory = filled(&test_case, 0, &origin);
    ASSERT_BYTES_EQUAL(memory, bytes, sizeof bytes);
    free(memory);
}

START_TEST(seeds_and_operands_differ, "cases.fill.pure")
{
    static const char *const noisy[] = {"uniform", "integer", "random", "cancel", "special"};
    for (int index = 0; index < 5; index++) {
        struct fuzz_case one = read_case("matmul m=8 n=8 k=8", noisy[index], 1);
        struct fuzz_case two = read_case("matmul m=8 n=8 k=8", noisy[index], 2);
        int seeds = 0, operands = 0;
        for (int at = 0; at < 64; at++) {
            seeds += bits_at(&one, 0, at / 8, at % 8) == bits_at(&two, 0, at / 8, at % 8);
            operands += bits_at(&one, 0, at / 8, at % 8) == bits_at(&one, 1, at / 8, at % 8);
        }
        ck_assert_int_lt(seeds, 16);
        ck_assert_int_lt(operands, 16);
    }
}
