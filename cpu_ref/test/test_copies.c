/* The copies and the adjacent difference: every element size, every bit, and nothing beside. */
#include "cpu_ref/golden.h"
#include "cpu_ref/test/values.h"

#include <string.h>

#include "spec/testing.h"

#define COUNT(list) (sizeof(list) / sizeof((list)[0]))

enum { BYTES = 2000, GUARD = 64 };

/* Source, target and what the target must be, from a place that is no element's boundary. */
struct copy {
    unsigned char source[BYTES], target[BYTES], expected[BYTES];
};

static void copy_open(struct copy *copy, uint64_t seed)
{
    values_fill_bytes(copy->source, BYTES, 2 * seed);
    for (size_t index = 0; index < BYTES; index++) /* no byte is right before */
        copy->target[index] = copy->expected[index] = (unsigned char)~copy->source[index];
}

static void expect_element(struct copy *copy, size_t base, size_t place, size_t element_bytes)
{
    for (size_t byte = 0; byte < element_bytes; byte++) {
        size_t at = base + place * element_bytes + byte;
        copy->expected[at] = copy->source[at];
    }
}

static void check_offset_copy(size_t n, size_t offset, size_t element_bytes)
{
    struct copy copy;
    size_t base = GUARD + n % 3;
    copy_open(&copy, n * 100 + offset);
    for (size_t index = 0; index < n; index++)
        expect_element(&copy, base, offset + index, element_bytes);
    golden_offset_copy(copy.source + base, copy.target + base, n, offset, element_bytes);
    ASSERT_BYTES_EQUAL(copy.target, copy.expected, BYTES);
}

static void check_strided_copy(size_t n, size_t stride, size_t element_bytes)
{
    struct copy copy;
    size_t base = GUARD + n % 3;
    copy_open(&copy, n * 100 + stride);
    for (size_t index = 0; index < n; index++)
        expect_element(&copy, base, index * stride, element_bytes);
    golden_strided_copy(copy.source + base, copy.target + base, n, stride, element_bytes);
    ASSERT_BYTES_EQUAL(copy.target, copy.expected, BYTES);
}

START_TEST(offset_copy_moves_elements)
{
    CLAUSE("offset_copy.element.widths");
    for (size_t element_bytes = 1; element_bytes <= 16; element_bytes *= 2)
        for (size_t n = 1; n <= 33; n++)
            check_offset_copy(n, n % 5, element_bytes);
}
END_TEST

START_TEST(offset_copy_leaves_what_is_below)
{
    CLAUSE("offset_copy.below.untouched");
    for (size_t element_bytes = 1; element_bytes <= 16; element_bytes *= 2)
        for (size_t offset = 0; offset <= 33; offset++)
            check_offset_copy(7, offset, element_bytes);
}
END_TEST

START_TEST(offset_copy_of_nothing)
{
    CLAUSE("offset_copy.size.zero");
    for (size_t element_bytes = 1; element_bytes <= 16; element_bytes *= 2)
        for (size_t offset = 0; offset < 3; offset++)
            check_offset_copy(0, offset, element_bytes);
    golden_offset_copy(NULL, NULL, 0, 0, 4);
}
END_TEST

START_TEST(strided_copy_moves_elements)
{
    CLAUSE("strided_copy.element.widths");
    for (size_t element_bytes = 1; element_bytes <= 16; element_bytes *= 2)
        for (size_t n = 1; n <= 33; n++)
            check_strided_copy(n, 1 + n % 3, element_bytes);
}
END_TEST

START_TEST(strided_copy_leaves_what_is_between)
{
    CLAUSE("strided_copy.between.untouched");
    for (size_t element_bytes = 1; element_bytes <= 16; element_bytes *= 2)
        for (size_t stride = 1; stride <= 33; stride++)
            check_strided_copy(4, stride, element_bytes);
}
END_TEST

START_TEST(strided_copy_of_nothing)
{
    CLAUSE("strided_copy.size.zero");
    for (size_t element_bytes = 1; element_bytes <= 16; element_bytes *= 2)
        for (size_t stride = 1; stride < 4; stride++)
            check_strided_copy(0, stride, element_bytes);
    golden_strided_copy(NULL, NULL, 0, 1, 4);
}
END_TEST

/* Signalling NaNs and payloads: a move through a float would change them on some machines. */
START_TEST(copies_keep_every_bit)
{
    CLAUSE("numerics.copy.bits");
    static const uint32_t source[] = {0x7f800001, 0xff812345, 0x7fc00001, 0xffffffff, 0x80000000};
    uint32_t target[COUNT(source)] = {0};
    golden_offset_copy(source, target, COUNT(source), 0, 4);
    ASSERT_BYTES_EQUAL(target, source, sizeof source);
    memset(target, 0, sizeof target);
    golden_strided_copy(source, target, COUNT(source), 1, 4);
    ASSERT_BYTES_EQUAL(target, source, sizeof source);
}
END_TEST

/* Between two guards that stay; `expected` is as long as `a`. */
static void assert_differences(const float *a, const float *expected, size_t n)
{
    float got[40], whole[40];
    values_poison(got, COUNT(got));
    values_poison(whole, COUNT(whole));
    if (n > 0)
        memcpy(whole + 5, expected, n * sizeof(float));
    golden_adjacent_difference(a, got + 5, n);
    ASSERT_FLOATS_EQUAL(got, whole, COUNT(got));
}

START_TEST(the_first_difference_is_from_zero)
{
    CLAUSE("adjacent_difference.value.first");
    static const uint32_t firsts[] = {0x00000000, 0x80000000, 0x3f800000, 0x00000001, 0x807fffff,
                                      0x7f7fffff, 0x7f800000, 0xff800000, 0x7fc00000};
    for (size_t index = 0; index < COUNT(firsts); index++) {
        float first = values_float(firsts[index]);
        assert_differences(&first, &first, 1);
    }
}
END_TEST

START_TEST(the_others_are_from_the_one_before)
{
    CLAUSE("adjacent_difference.value.rest");
    const float inf = values_float(0x7f800000), nan = values_float(0x7fc00000);
    assert_differences((const float[]){1, 4, 9, 16, 25}, (const float[]){1, 3, 5, 7, 9}, 5);
    assert_differences((const float[]){-0.0f, -0.0f, 0, -0.0f}, (const float[]){-0.0f, 0, 0, -0.0f},
                       4);
    assert_differences((const float[]){-1, 0x1p24f, 0x1p-30f, 0x1p24f},
                       (const float[]){-1, 0x1p24f, -0x1p24f, 0x1p24f}, 4);
    assert_differences((const float[]){0x1p-126f, 0x1.8p-126f, 0x1p-149f, -0x1p-149f},
                       (const float[]){0x1p-126f, 0x1p-127f, -0x1.7ffffep-126f, -0x1p-148f}, 4);
    assert_differences((const float[]){inf, inf, 1, nan, 1, -3e38f, 3e38f},
                       (const float[]){inf, nan, -inf, nan, nan, -3e38f, inf}, 7);
}
END_TEST

START_TEST(no_differences)
{
    CLAUSE("adjacent_difference.size.zero");
    const float one = 1;
    assert_differences(&one, NULL, 0);
    golden_adjacent_difference(NULL, NULL, 0);
}
END_TEST

int main(int argc, char **argv)
{
    const struct testing_test tests[] = {
        {"offset_copy_moves_elements", offset_copy_moves_elements},
        {"offset_copy_leaves_what_is_below", offset_copy_leaves_what_is_below},
        {"offset_copy_of_nothing", offset_copy_of_nothing},
        {"strided_copy_moves_elements", strided_copy_moves_elements},
        {"strided_copy_leaves_what_is_between", strided_copy_leaves_what_is_between},
        {"strided_copy_of_nothing", strided_copy_of_nothing},
        {"copies_keep_every_bit", copies_keep_every_bit},
        {"the_first_difference_is_from_zero", the_first_difference_is_from_zero},
        {"the_others_are_from_the_one_before", the_others_are_from_the_one_before},
        {"no_differences", no_differences},
        {NULL, NULL}};
    return testing_main(argc, argv, "golden_copies", tests);
}
