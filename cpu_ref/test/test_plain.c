/* The plain golden, by hand: order, fusion, layout, sizes, and what it must not touch. Both
 * products are also checked with the fast forms, which take the same vectors. */
#include "cpu_ref/golden.h"
#include "cpu_ref/test/values.h"

#include <stdint.h>

#include "spec/testing.h"

#define COUNT(list) (sizeof(list) / sizeof((list)[0]))

/* One element by every form: plain, fast, and fast with more threads than rows. */
static void assert_chain(const float *a, const float *b, size_t k, float expected)
{
    float got[3];
    struct golden_input left = {a, 0, k}, right = {b, 0, 1};
    values_poison(got, 3);
    golden_matmul(left, right, (struct golden_output){got, 0, 1}, 1, 1, k);
    golden_matmul_fast(left, right, (struct golden_output){got, 1, 1}, 1, 1, k, 1);
    golden_matmul_fast(left, right, (struct golden_output){got, 2, 1}, 1, 1, k, 3);
    for (int form = 0; form < 3; form++)
        ASSERT_FLOATS_EQUAL(&got[form], &expected, 1);
}

START_TEST(k_ascends, "matmul.order.ascending")
{
    static const float ones[] = {1, 1, 1, 1};
    static const float late[] = {1e8f, -1e8f, 1, 0};
    static const float early[] = {1, 1e8f, -1e8f, 0};
    static const float split[] = {1e8f, 1, -1e8f, 1}; /* descending 0, in pairs 0 */
    assert_chain(late, ones, 4, 1);
    assert_chain(early, ones, 4, 0);
    assert_chain(split, ones, 4, 1);
    assert_chain(ones, split, 4, 1);
}

/* Across the fast form's blocks: 2^24 absorbs every half that comes after it, and none that came
 * before. */
START_TEST(long_chains_ascend, "matmul.order.ascending")
{
    static float a[1000], ones[1000];
    for (size_t place = 0; place < 1000; place += 37) {
        for (size_t index = 0; index < 1000; index++) {
            a[index] = 0.5f;
            ones[index] = 1;
        }
        a[place] = 0x1p24f;
        assert_chain(a, ones, 1000, (float)(0x1p24 + 0.5 * (double)place));
    }
}

START_TEST(terms_are_fused, "matmul.term.fused")
{
    static const float exact[] = {-1, 0x1.001p0f};
    assert_chain(exact, (const float[]){1, 0x1.001p0f}, 2, 0x1.0008p-11f);
    static const float over[] = {-0x1p127f, 0x1p127f};
    assert_chain(over, (const float[]){1, 2}, 2, 0x1p127f);
    static const float under[] = {0x1p-149f, 0x1.8p-75f};
    assert_chain(under, (const float[]){1, 0x1p-75f}, 2, 0x1p-148f);
}

START_TEST(aat_terms_are_fused, "aat.term.fused")
{
    static const float a[] = {-1, 0x1.001p0f, 1, 0x1.001p0f};
    static const float expected[] = {0x1.001p1f, 0x1.0008p-11f, 0x1.0008p-11f, 0x1.001p1f};
    float plain[4], fast[4];
    golden_aat((struct golden_input){a, 0, 2}, (struct golden_output){plain, 0, 2}, 2, 2);
    golden_aat_fast((struct golden_input){a, 0, 2}, (struct golden_output){fast, 0, 2}, 2, 2, 1);
    ASSERT_FLOATS_EQUAL(plain, expected, 4);
    ASSERT_FLOATS_EQUAL(fast, expected, 4);
}

/* A alone is 2 by 3 in rows 5 apart from place 2, and so on; all else is poison and stays. */
START_TEST(matmul_lies_where_its_layout_says, "matmul.layout.row_major")
{
    float a[16], b[32], got[20], expected[20];
    values_poison(a, COUNT(a));
    values_poison(b, COUNT(b));
    values_poison(got, COUNT(got));
    values_poison(expected, COUNT(expected));
    for (size_t row = 0; row < 2; row++)
        for (size_t index = 0; index < 3; index++)
            a[2 + row * 5 + index] = (float)(1 + row * 3 + index);
    for (size_t index = 0; index < 3; index++)
        for (size_t column = 0; column < 4; column++)
            b[3 + index * 7 + column] = (float)(10 + index * 4 + column);
    static const float product[2][4] = {{92, 98, 104, 110}, {218, 233, 248, 263}};
    for (size_t row = 0; row < 2; row++)
        for (size_t column = 0; column < 4; column++)
            expected[5 + row * 6 + column] = product[row][column];
    struct golden_input left = {a, 2, 5}, right = {b, 3, 7};
    struct golden_output out = {got, 5, 6};
    golden_matmul(left, right, out, 2, 4, 3);
    ASSERT_BYTES_EQUAL(got, expected, sizeof got);
    values_poison(got, COUNT(got));
    golden_matmul_fast(left, right, out, 2, 4, 3, 2);
    ASSERT_BYTES_EQUAL(got, expected, sizeof got);
}

START_TEST(aat_lies_where_its_layout_says, "aat.layout.row_major")
{
    static const float a[] = {0, 1, 2, 0, 0, 3, 4, 0, 0, 5, 6};
    static const float product[3][3] = {{5, 11, 17}, {11, 25, 39}, {17, 39, 61}};
    float got[20], expected[20];
    values_poison(got, COUNT(got));
    values_poison(expected, COUNT(expected));
    for (size_t row = 0; row < 3; row++)
        for (size_t column = 0; column < 3; column++)
            expected[1 + row * 5 + column] = product[row][column];
    golden_aat((struct golden_input){a, 1, 4}, (struct golden_output){got, 1, 5}, 3, 2);
    ASSERT_BYTES_EQUAL(got, expected, sizeof got);
    values_poison(got, COUNT(got));
    golden_aat_fast((struct golden_input){a, 1, 4}, (struct golden_output){got, 1, 5}, 3, 2, 2);
    ASSERT_BYTES_EQUAL(got, expected, sizeof got);
}

/* aat is matmul by the transpose, written out here: the plain forms share no code. */
START_TEST(aat_is_matmul_by_the_transpose, "aat.order.ascending")
{
    enum { M = 13, K = 29 };
    for (int kind = 0; kind < VALUES_KINDS; kind++) {
        float a[M * K], transpose[K * M], got[M * M], expected[M * M];
        values_fill(a, COUNT(a), (enum values_kind)kind, (uint64_t)kind);
        for (size_t row = 0; row < M; row++)
            for (size_t index = 0; index < K; index++)
                transpose[index * M + row] = a[row * K + index];
        struct golden_input left = {a, 0, K};
        golden_matmul(left, (struct golden_input){transpose, 0, M},
                      (struct golden_output){expected, 0, M}, M, M, K);
        golden_aat(left, (struct golden_output){got, 0, M}, M, K);
        ASSERT_FLOATS_EQUAL(got, expected, COUNT(got));
    }
}

START_TEST(aat_is_symmetric, "aat.value.symmetric")
{
    enum { M = 17, K = 9 };
    for (int kind = 0; kind < VALUES_KINDS; kind++) {
        float a[M * K], c[M * M], mirrored[M * M];
        values_fill(a, COUNT(a), (enum values_kind)kind, 50);
        golden_aat((struct golden_input){a, 0, K}, (struct golden_output){c, 0, M}, M, K);
        for (size_t row = 0; row < M; row++)
            for (size_t column = 0; column < M; column++)
                mirrored[row * M + column] = c[column * M + row];
        ASSERT_FLOATS_EQUAL(c, mirrored, COUNT(c));
    }
}

/* m by n by k, one of them 0, in rows 9 apart from place 4. */
static void check_empty(size_t m, size_t n, size_t k)
{
    float a[64], b[64], expected[64], got[64];
    values_fill(a, COUNT(a), VALUES_NEAR, 1);
    values_fill(b, COUNT(b), VALUES_NEAR, 2);
    values_poison(expected, COUNT(expected));
    for (size_t row = 0; row < m; row++)
        for (size_t column = 0; column < n; column++)
            expected[4 + row * 9 + column] = 0.0f; /* k = 0, or there is none */
    struct golden_input left = {a, 3, 9}, right = {b, 2, 9};
    struct golden_output out = {got, 4, 9};
    for (unsigned threads = 0; threads < 4; threads++) {
        values_poison(got, COUNT(got));
        if (threads == 0)
            golden_matmul(left, right, out, m, n, k);
        else
            golden_matmul_fast(left, right, out, m, n, k, threads);
        ASSERT_BYTES_EQUAL(got, expected, sizeof got);
        if (m != n)
            continue;
        values_poison(got, COUNT(got));
        if (threads == 0)
            golden_aat(left, out, m, k);
        else
            golden_aat_fast(left, out, m, k, threads);
        ASSERT_BYTES_EQUAL(got, expected, sizeof got);
    }
}

START_TEST(matmul_of_no_size, "matmul.size.zero")
{
    check_empty(0, 5, 3);
    check_empty(5, 0, 3);
    check_empty(5, 3, 0);
    check_empty(0, 0, 3);
    check_empty(0, 5, 0);
    check_empty(5, 0, 0);
    golden_matmul((struct golden_input){0}, (struct golden_input){0}, (struct golden_output){0}, 0,
                  0, 0);
}

START_TEST(aat_of_no_size, "aat.size.zero")
{
    check_empty(5, 5, 0);
    check_empty(0, 0, 3);
    check_empty(0, 0, 0);
    golden_aat((struct golden_input){0}, (struct golden_output){0}, 0, 0);
}
