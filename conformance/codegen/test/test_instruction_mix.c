/* Instructions counted in what nvdisasm printed of matmul/tiled (CUDA 13.0.88, sm_90), and in texts
 * that it never printed. */
#include "conformance/codegen/instruction_mix.h"
#include "spec/testing.h"

enum { SAMPLE_BYTES = 1 << 16 };

static char *read_sample(void)
{
    static char text[SAMPLE_BYTES];
    FILE *input = fopen(getenv("SAMPLE"), "r");
    ck_assert_ptr_nonnull(input);
    const size_t bytes = fread(text, 1, sizeof text - 1, input);
    ck_assert(bytes > 0 && bytes < sizeof text - 1);
    fclose(input);
    text[bytes] = 0;
    return text;
}

static void assert_counts(const struct mix_counts *got, const struct mix_counts *expected)
{
    ck_assert_uint_eq(got->loads, expected->loads);
    ck_assert_uint_eq(got->stores, expected->stores);
    ck_assert_uint_eq(got->ffma, expected->ffma);
    ck_assert_uint_eq(got->barriers, expected->barriers);
    ck_assert_uint_eq(got->total, expected->total);
}

/* Its file has 46 LDS, 9 LDC, 2 LDG; 2 STS, 1 STG; 31 FFMA; 2 BAR among 272. The product of two
 * tiles is unrolled by 16, and its remainder's loops are smaller. */
START_TEST(a_kernel_is_counted, "codegen.mix.counted", "codegen.mix.loop")
{
    struct code_mix mix;
    struct reason reason;
    ck_assert(mix_read(read_sample(), "matmul_tiled", &mix, &reason));
    assert_counts(&mix.function, &(struct mix_counts){57, 3, 31, 2, 272});
    ck_assert(mix.has_loop);
    assert_counts(&mix.loop, &(struct mix_counts){24, 0, 16, 0, 46});
    ck_assert_uint_eq(mix.loop_offset, 0x6c0);
    ck_assert_uint_eq(mix.loop_bytes, 0x2e0);
    ck_assert_int_eq(mix.loop_depth, 3);
}

#define FUNCTION          ".text.f:\n"
#define AT(offset, words) "        /*" offset "*/    " words " ;\n"

START_TEST(the_hot_loop_is_found, "codegen.mix.loop")
{
    static const struct {
        const char *text;
        int depth;
        struct mix_counts loop;
    } table[] = {
        /* None, but the branch to itself that ends each function. */
        {FUNCTION AT("0000", "EXIT") ".L_x_0:\n" AT("0010", "BRA `(.L_x_0)"), 0, {0, 0, 0, 0, 0}},
        /* A branch forwards, and one to a label that is not there. */
        {FUNCTION AT("0000", "@P0 BRA `(.L_1)")
             AT("0010", "BRA `(.L_2)") ".L_1:\n" AT("0020", "EXIT"),
         0,
         {0, 0, 0, 0, 0}},
        /* One in another, and two ways back to one place. */
        {FUNCTION ".L_1:\n" AT("0000", "LDG.E R0, [R2]") ".L_2:\n" AT("0010", "FFMA R0, R1, R2, R0")
             AT("0020", "@!P0 BRA `(.L_2)") AT("0030", "STS [R0], R1") AT("0040", "@P1 BRA `(.L_2)")
                 AT("0050", "@P0 BRA `(.L_1)"),
         2,
         {0, 1, 1, 0, 4}},
        /* Two that are as deep: the one with more work, not the shorter nor the longer. */
        {FUNCTION ".L_1:\n" AT("0000", "LDS R0, [R2]") AT("0010", "@P0 BRA `(.L_1)") ".L_2:\n" AT(
             "0020", "LDS R0, [R2]") AT("0030", "FFMA R0, R1, R2, R0")
             AT("0040", "@P0 BRA `(.L_2)") ".L_3:\n" AT("0050", "NOP") AT("0060", "NOP")
                 AT("0070", "NOP") AT("0080", "NOP") AT("0090", "@P0 BRA `(.L_3)"),
         1,
         {1, 0, 1, 0, 3}},
        /* What looks like something else: waits, arithmetic over a warp, barriers of both sorts. */
        {FUNCTION ".L_1:\n" AT("0000", "LDGDEPBAR") AT("0010", "REDUX.SUM R0, R1")
             AT("0020", "BAR.SYNC.DEFER_BLOCKING 0x0") AT("0030", "WARPSYNC 0xffffffff")
                 AT("0040", "TEX.SCR.B.LL RZ, R0, R2") AT("0050", "RED.E.ADD [R2], R0")
                     AT("0060", "@!UP0 BRA `(.L_1)"),
         1,
         {1, 1, 0, 2, 7}},
    };
    for (size_t row = 0; row < sizeof table / sizeof table[0]; row++) {
        struct code_mix mix;
        struct reason reason;
        ck_assert_msg(mix_read(table[row].text, "f", &mix, &reason), "row %zu", row);
        ck_assert_int_eq(mix.has_loop, table[row].depth > 0);
        ck_assert_int_eq(mix.loop_depth, table[row].depth);
        assert_counts(&mix.loop, &table[row].loop);
    }
}

START_TEST(other_texts_are_refused, "codegen.mix.absent")
{
    static const char *const texts[] = {"",
                                        "\n",
                                        ".text.f:",
                                        ".text.f:\n",
                                        ".text.f:\n.L_1:\n",
                                        ".text.other:\n" AT("0000", "EXIT"),
                                        ".text.f:\n        /* 0x000 */\n",
                                        "\t.section .text.f\n"};
    struct code_mix mix;
    struct reason reason;
    for (size_t row = 0; row < sizeof texts / sizeof texts[0]; row++) {
        reason.text[0] = 0;
        ck_assert_msg(!mix_read(texts[row], "f", &mix, &reason) && reason.text[0], "row %zu", row);
    }
    /* However much of it is there: each copy ends where its memory does. */
    const char *whole = read_sample();
    const size_t bytes = strlen(whole);
    for (size_t count = 0; count < bytes; count += 37) {
        char *part = strndup(whole, count);
        if (mix_read(part, "matmul_tiled", &mix, &reason))
            ck_assert_uint_le(mix.function.total, 272);
        free(part);
    }
}
