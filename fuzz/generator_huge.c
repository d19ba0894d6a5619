/* The cases of tier huge, of the algorithms' rows. */
#include "fuzz/generator_huge.h"

#include <inttypes.h>
#include <stdio.h>

#include "fuzz/random.h"

/* Without the cancelling and the exact fills: they say nothing about indices. */
static const char *const fill_names[] = {"uniform", "position", "random", "special"};
enum { FILL_COUNT = sizeof fill_names / sizeof fill_names[0] };

uint64_t huge_count(const struct algorithm *algorithm)
{
    uint64_t count = 0;
    while (count < ALGORITHM_HUGE_MAX && algorithm->huge[count])
        count++;
    return count;
}

bool huge_case(const struct algorithm *algorithm, uint64_t number, uint64_t key,
               struct fuzz_case *ret)
{
    char text[CASE_TEXT_BYTES];
    struct case_error error;
    if (number >= huge_count(algorithm))
        return false;
    snprintf(text, sizeof text, "%s %s fill=%s seed=%" PRIu64, algorithm->name,
             algorithm->huge[number], fill_names[random_below(key, 0, FILL_COUNT)],
             random_below(key, 1, UINT64_C(1) << 32));
    return case_parse(text, ret, &error);
}
