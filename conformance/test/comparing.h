/* What the tests of arenas and of the comparator rest on: a case's arena as it must come back. */
#pragma once

#include "conformance/work/compare.h"
#include "fuzz/test/made_case.h"

/* A case with everything in it: origin gaps, row gaps, guards, a NaN in the expected output. */
struct bench {
    struct fuzz_case test_case;
    struct arena arena;
    unsigned char *image, *expected, *got;
    struct finding finding;
};

/* Kept till the test ends. */
static inline struct bench *bench_open(const char *text)
{
    struct bench *bench = testing_new(sizeof *bench);
    bench->test_case = made_case(text);
    bench->arena = arena_layout(&bench->test_case);
    unsigned char **const sides[] = {&bench->image, &bench->expected, &bench->got};
    for (int index = 0; index < 3; index++) {
        *sides[index] = aligned_alloc(256, (bench->arena.bytes + 255) / 256 * 256);
        testing_keep(*sides[index], free);
    }
    arena_expect(&bench->arena, 0, bench->expected);
    arena_poison(&bench->arena, bench->expected, bench->image);
    memcpy(bench->got, bench->expected, bench->arena.bytes);
    return bench;
}

static const char gapped[] =
    "matmul m=3 n=5 k=4 lda=6 ldb=7 ldc=9 a_offset=1 b_offset=2 c_offset=3 "
    "fill=uniform seed=5";

/* The place that a change of one byte is reported at. */
static inline enum place place_of_change(struct bench *bench, size_t position)
{
    memset(&bench->finding, 0, sizeof bench->finding);
    bench->got[position] ^= 1;
    compare_arena(&bench->arena, bench->image, bench->expected, bench->got, &bench->finding);
    bench->got[position] ^= 1;
    return bench->finding.place;
}
