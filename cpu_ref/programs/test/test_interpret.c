/* What statements do with variables, blocks and each thread's memory, by programs made by hand. */
#include <fenv.h>

#include "cpu_ref/programs/test/build_program.h"
#include "spec/testing.h"

static uint64_t output[OUTPUT_WORDS];
static uint64_t input[PROGRAM_THREADS_MAX * 4];

START_TEST(variables_begin_as_said, "programs.variable.start")
{
    struct program program = {.threads = 3};
    const int narrow = build_input(&program, CLASS_16), wide = build_input(&program, CLASS_64);
    const int predicate = build_input(&program, CLASS_PREDICATE);
    const int constant = build_constant(&program, CLASS_32, 0x12345678);
    const int loaded = build_constant(&program, CLASS_64, 5);
    build_statement(&program, OPERATION_local_load, TYPE_U64, loaded);
    build_number(&program, 3);
    for (uint64_t index = 0; index < 9; index++)
        input[index] = 0xfedcba9876540000 + 0x1111 * index;
    program_interpret(&program, input, output);
    for (uint32_t thread = 0; thread < 3; thread++) {
        ck_assert_uint_eq(build_result(&program, output, narrow, thread), 0x1111 * thread);
        ck_assert_uint_eq(build_result(&program, output, wide, thread), input[3 + thread]);
        ck_assert_uint_eq(build_result(&program, output, predicate, thread), thread % 2);
        ck_assert_uint_eq(build_result(&program, output, constant, thread), 0x12345678);
        ck_assert_uint_eq(build_result(&program, output, loaded, thread), 0);
    }
}

START_TEST(output_is_variables_then_memory, "programs.output.layout")
{
    struct program program = {.threads = 5};
    const int value = build_input(&program, CLASS_32);
    build_statement(&program, OPERATION_global_store, TYPE_U32, -1);
    build_number(&program, 3);
    build_argument(&program, value);
    for (uint32_t thread = 0; thread < 5; thread++)
        input[thread] = 0x80000000 + thread;
    memset(output, 0xff, sizeof output);
    program_interpret(&program, input, output);
    ck_assert_uint_eq(program_output_words(&program), 6 + 5 * 8);
    for (uint32_t thread = 0; thread < 5; thread++) {
        ck_assert_uint_eq(output[thread], 0x80000000 + thread);
        for (uint32_t word = 0; word < 8; word++)
            ck_assert_uint_eq(output[6 + thread * 8 + word],
                              word == 1 ? (0x80000000 + (uint64_t)thread) << 32 : 0);
    }
    ck_assert_uint_eq(output[6 + 5 * 8], UINT64_MAX);
}

START_TEST(nan_is_stored_as_one, "programs.output.nan")
{
    struct program program = {.threads = 1};
    build_constant(&program, CLASS_F32, 0xffc12345);
    build_constant(&program, CLASS_F32, 0x7f800001);
    build_constant(&program, CLASS_F32, 0xff800000);
    build_constant(&program, CLASS_F64, 0xfff0000000000001);
    build_constant(&program, CLASS_F64, 0xfff0000000000000);
    build_constant(&program, CLASS_32, 0xffc12345);
    program_interpret(&program, NULL, output);
    const uint64_t expected[] = {0x7fffffff,         0x7fffffff,         0xff800000,
                                 0x7fffffffffffffff, 0xfff0000000000000, 0xffc12345};
    ASSERT_BYTES_EQUAL(output, expected, sizeof expected);
}

START_TEST(modes_of_the_caller_are_of_no_matter, "programs.mode.kept")
{
    static const int modes[] = {FE_TONEAREST, FE_TOWARDZERO, FE_DOWNWARD, FE_UPWARD};
    struct program program = {.threads = 1};
    const int one = build_constant(&program, CLASS_F32, 0x3f800000);
    const int three = build_constant(&program, CLASS_F32, 0x40400000);
    const int results[] = {
        build_constant(&program, CLASS_F32, 0), build_constant(&program, CLASS_F32, 0),
        build_constant(&program, CLASS_F64, 0), build_constant(&program, CLASS_32, 0)};
    build_statement(&program, OPERATION_div_rn_f32, TYPE_F32, results[0]);
    build_argument(&program, one);
    build_argument(&program, three);
    build_statement(&program, OPERATION_div_rm_f32, TYPE_F32, results[1]);
    build_argument(&program, one);
    build_argument(&program, three);
    build_statement(&program, OPERATION_cvt_rp_f64_s64, TYPE_S64, results[2]);
    build_number(&program, ((uint64_t)1 << 53) + 1);
    build_statement(&program, OPERATION_cvt_rni_s32_f32, TYPE_S32, results[3]);
    build_argument(&program, results[0]);
    for (size_t index = 0; index < sizeof modes / sizeof *modes; index++) {
        ck_assert_int_eq(fesetround(modes[index]), 0);
        program_interpret(&program, NULL, output);
        const int after = fegetround();
        fesetround(FE_TONEAREST);
        ck_assert_int_eq(after, modes[index]);
        const uint64_t expected[] = {0x3eaaaaab, 0x3eaaaaaa, 0x4340000000000001, 0};
        ASSERT_BYTES_EQUAL(output + 2, expected, sizeof expected);
    }
}

/* The result of one operation of two numbers. */
static uint64_t result_of(int operation, enum program_type type, uint64_t left, uint64_t right)
{
    struct program program = {.threads = 1};
    const int result =
        build_constant(&program, operation_class(&operations[operation], type, 0), 0);
    build_statement(&program, operation, type, result);
    build_number(&program, left);
    if (operation_arguments(&operations[operation]) == 2)
        build_number(&program, right);
    program_interpret(&program, NULL, output);
    return output[0];
}

START_TEST(divisors_are_guarded, "programs.divide.guarded")
{
    ck_assert_uint_eq(result_of(OPERATION_div, TYPE_S16, 0x8000, 0xffff), 0x8000);
    ck_assert_uint_eq(result_of(OPERATION_rem, TYPE_S16, 0x8000, 0xffff), 0);
    ck_assert_uint_eq(result_of(OPERATION_div, TYPE_S32, 0x80000000, UINT32_MAX), 0x80000000);
    ck_assert_uint_eq(result_of(OPERATION_div, TYPE_S64, (uint64_t)1 << 63, UINT64_MAX),
                      (uint64_t)1 << 63);
    ck_assert_uint_eq(result_of(OPERATION_rem, TYPE_S64, (uint64_t)1 << 63, UINT64_MAX), 0);
    ck_assert_uint_eq(result_of(OPERATION_div, TYPE_S32, 7, UINT32_MAX), (uint32_t)-7);
    ck_assert_uint_eq(result_of(OPERATION_div, TYPE_S32, (uint32_t)-7, 0), (uint32_t)-7);
    ck_assert_uint_eq(result_of(OPERATION_rem, TYPE_S32, (uint32_t)-7, 0), 0);
    ck_assert_uint_eq(result_of(OPERATION_rem, TYPE_S32, (uint32_t)-7, 4), (uint32_t)-3);
    ck_assert_uint_eq(result_of(OPERATION_div_u, TYPE_U64, UINT64_MAX, 0), UINT64_MAX);
    ck_assert_uint_eq(result_of(OPERATION_rem_u, TYPE_U16, 7, 0), 0);
}

START_TEST(floats_are_rounded, "programs.float.rounded")
{
    /* 1 + 2^-24 and 1 - 2^-25 lie half way; the least normal number by 2 is subnormal. */
    ck_assert_uint_eq(result_of(OPERATION_add_rn_f32, TYPE_F32, 0x3f800000, 0x33800000),
                      0x3f800000);
    ck_assert_uint_eq(result_of(OPERATION_add_rp_f32, TYPE_F32, 0x3f800000, 0x33800000),
                      0x3f800001);
    ck_assert_uint_eq(result_of(OPERATION_sub_rn_f32, TYPE_F32, 0x3f800000, 0x33000000),
                      0x3f800000);
    ck_assert_uint_eq(result_of(OPERATION_sub_rz_f32, TYPE_F32, 0x3f800000, 0x33000000),
                      0x3f7fffff);
    ck_assert_uint_eq(result_of(OPERATION_mul_rn_f32, TYPE_F32, 0x00800000, 0x3f000000),
                      0x00400000);
    ck_assert_uint_eq(result_of(OPERATION_mul_rn_f32, TYPE_F32, 1, 0x3f000000), 0);
    ck_assert_uint_eq(result_of(OPERATION_mul_rp_f32, TYPE_F32, 1, 0x3f000000), 1);
    ck_assert_uint_eq(result_of(OPERATION_mul_rz_f32, TYPE_F32, 0x7f7fffff, 0x40000000),
                      0x7f7fffff);
    ck_assert_uint_eq(result_of(OPERATION_mul_rn_f32, TYPE_F32, 0x7f7fffff, 0x40000000),
                      0x7f800000);
    ck_assert_uint_eq(result_of(OPERATION_mul_rn_f32, TYPE_F32, 0x7f800000, 0x80000000),
                      0x7fffffff);
    ck_assert_uint_eq(result_of(OPERATION_sqrt_rn_f32, TYPE_F32, 0xbf800000, 0), 0x7fffffff);
    ck_assert_uint_eq(result_of(OPERATION_sub_rm_f64, TYPE_F64, 0, 0), (uint64_t)1 << 63);
    ck_assert_uint_eq(result_of(OPERATION_sub_rn_f64, TYPE_F64, 0, 0), 0);
    ck_assert_uint_eq(result_of(OPERATION_div_rn_f64, TYPE_F64, 0, 0), 0x7fffffffffffffff);
}

START_TEST(nan_as_an_integer, "programs.float.integer")
{
    const uint64_t nan_32 = 0xffc00001, nan_64 = 0xfff8000000000001;
    ck_assert_uint_eq(result_of(OPERATION_cvt_rni_s32_f32, TYPE_S32, nan_32, 0), 0);
    ck_assert_uint_eq(result_of(OPERATION_cvt_rzi_u32_f32, TYPE_U32, nan_32, 0), 0);
    ck_assert_uint_eq(result_of(OPERATION_cvt_rmi_s64_f32, TYPE_S64, nan_32, 0), (uint64_t)1 << 63);
    ck_assert_uint_eq(result_of(OPERATION_cvt_rpi_u64_f32, TYPE_U64, nan_32, 0), (uint64_t)1 << 63);
    ck_assert_uint_eq(result_of(OPERATION_cvt_rni_s32_f64, TYPE_S32, nan_64, 0), 0x80000000);
    ck_assert_uint_eq(result_of(OPERATION_cvt_rzi_u32_f64, TYPE_U32, nan_64, 0), 0x80000000);
    ck_assert_uint_eq(result_of(OPERATION_cvt_rmi_s64_f64, TYPE_S64, nan_64, 0), (uint64_t)1 << 63);
    ck_assert_uint_eq(result_of(OPERATION_cvt_rpi_u64_f64, TYPE_U64, nan_64, 0), (uint64_t)1 << 63);
}

START_TEST(statements_take_any_bits, "programs.statement.total")
{
    static const uint64_t some[] = {
        0,         1, 31, 32, 33, 0x7f800001, 0x80000000, 0x7ff0000000000001, (uint64_t)1 << 63,
        UINT64_MAX};
    enum { SOME = sizeof some / sizeof *some };
    for (int row = 0; row < OPERATIONS; row++)
        for (int type = 0; type < PROGRAM_TYPES; type++)
            for (size_t round = 0; operations[row].types >> type & 1 && round < SOME * SOME;
                 round++) {
                const struct operation *it = &operations[row];
                struct program program = {.threads = 35};
                const int result =
                    build_constant(&program, operation_class(it, (enum program_type)type, 0), 1);
                build_statement(&program, row, (enum program_type)type, result);
                for (int place = 1; place <= operation_arguments(it); place++) {
                    uint64_t bits = some[place % 2 ? round % SOME : round / SOME], bound;
                    const int width =
                        class_bits(operation_class(it, (enum program_type)type, place));
                    if (operation_is_constant(it, (enum program_type)type, place, &bound) && bound)
                        bits %= bound;
                    build_number(&program,
                                 width == 64 ? bits : bits & (((uint64_t)1 << width) - 1));
                }
                program_interpret(&program, NULL, output);
                const int width = class_bits(operation_class(it, (enum program_type)type, 0));
                ck_assert_msg(width == 64 || output[34] >> width == 0, "%s: %d bits", it->name,
                              width);
            }
}
