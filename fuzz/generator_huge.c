/* The cases of tier huge: index products just past 2^31 and 2^32, where 32-bit indices break, with
 * as little memory and arithmetic as that takes (cases.generator.huge). Sums are short, so that the
 * golden of any part of an output needs little of the inputs. */
#include "fuzz/generator_huge.h"

#include <inttypes.h>
#include <stdio.h>

#include "fuzz/random.h"

/* Fill and seed are the generator's. */
static const struct huge_row {
    const char *algorithm;
    const char *axes;
} rows[] = {
    {"matmul", "m=46349 n=46337 k=3"},         /* m n past 2^31 */
    {"matmul", "m=65537 n=65539 k=2"},         /* m n past 2^32 */
    {"matmul", "m=65568 n=32768 k=32"},        /* m n past 2^31, for the documents' shapes */
    {"matmul", "m=3 n=5 k=7 lda=2147483649"},  /* m lda past 2^32, few elements */
    {"matmul", "m=3 n=5 k=70001 ldb=61357"},   /* k ldb past 2^32, few elements */
    {"matmul", "m=32 n=32 k=32 ldb=69273667"}, /* k ldb past 2^31, for the documents' shapes */
    {"matmul", "m=2147483655 n=1 k=1 ldc=1"},  /* rows past 2^31 */
    {"matmul", "m=1 n=2147483655 k=1"},        /* columns past 2^31 */
    {"matmul", "m=32 n=33554464 k=32"},        /* 2^20 blocks in x, for the documents' shapes */
    {"matmul", "m=33554464 n=32 k=32"},        /* and in y, more than a grid has */
    {"aat", "m=46349 k=3"},                    /* m^2 past 2^31 */
    {"aat", "m=65537 k=2"},                    /* m^2 past 2^32 */
    {"aat", "m=46368 k=32"},                   /* m^2 past 2^31, for the documents' shapes */
    {"aat", "m=3 k=5 ldc=2147483649"},         /* m ldc past 2^32, few elements */
    {"aat", "m=32 k=32 lda=69273667"},         /* m lda past 2^31, for the documents' shapes */
    {"adjacent_difference", "n=1073741831"},   /* bytes past 2^32 */
    {"adjacent_difference", "n=2147483659 a_offset=1 b_offset=3"},
    {"adjacent_difference", "n=4294967311 b_offset=4"},
    {"offset_copy", "n=2147483653 element=1 source_offset=1"},
    {"offset_copy", "n=4294967303 element=1 target_offset=3"},
    {"offset_copy", "n=2147483659 offset=5 element=4"},
    {"offset_copy", "n=33 offset=4294967299 element=1"}, /* few elements */
    {"offset_copy", "n=268435459 element=16"},           /* bytes past 2^32 */
    {"strided_copy", "n=65537 stride=65539 element=1"},
    {"strided_copy", "n=32771 stride=65537 element=4"},
    {"strided_copy", "n=4294967303 element=1 target_offset=1"},
    {"strided_copy", "n=715827887 stride=3 element=4"},
    {"strided_copy", "n=3 stride=2147483649 element=1"}, /* few elements */
};
enum { ROW_COUNT = sizeof rows / sizeof rows[0] };

/* Without the cancelling and the exact fills: they say nothing about indices. */
static const char *const fill_names[] = {"uniform", "position", "random", "special"};
enum { FILL_COUNT = sizeof fill_names / sizeof fill_names[0] };

uint64_t huge_count(const struct algorithm *algorithm)
{
    uint64_t count = 0;
    for (int index = 0; index < ROW_COUNT; index++)
        count += algorithm_find(rows[index].algorithm) == algorithm;
    return count;
}

bool huge_case(const struct algorithm *algorithm, uint64_t number, uint64_t key,
               struct fuzz_case *ret)
{
    char text[CASE_TEXT_BYTES];
    struct case_error error;
    for (int index = 0; index < ROW_COUNT; index++) {
        if (algorithm_find(rows[index].algorithm) != algorithm || number-- > 0)
            continue;
        snprintf(text, sizeof text, "%s %s fill=%s seed=%" PRIu64, rows[index].algorithm,
                 rows[index].axes, fill_names[random_below(key, 0, FILL_COUNT)],
                 random_below(key, 1, UINT64_C(1) << 32));
        return case_parse(text, ret, &error);
    }
    return false;
}
