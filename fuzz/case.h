/* The case: an algorithm, its shape and placement, a fill and a seed, as one line of text that
 * stays readable by every later version:
 *     matmul m=33 n=1 k=17 lda=20 a_offset=3 fill=position seed=7
 *
 *     struct fuzz_case test_case;
 *     struct case_error error;
 *     if (!case_parse(line, &test_case, &error))
 *         printf("column %d: %s\n", error.column, error.message);
 *
 * Axes are in elements, bytes where a name ends in _bytes. */
#pragma once

#include "fuzz/algorithm.h"

/* Fills, the simplest first (fill.h). */
enum fill_id {
#define FILL(id, ...) FILL_##id,
#include "fuzz/fills.def"
#undef FILL
    FILL_COUNT
};

enum { CASE_TEXT_BYTES = 512 }; /* the longest line, its end included */

struct fuzz_case {
    const struct algorithm *algorithm;
    int64_t axis[ALGORITHM_AXES_MAX];
    int fill; /* enum fill_id: the index in fills[] */
    uint64_t seed;
};

struct case_error {
    int column; /* from 1 */
    char message[200];
};

/* Reads one line, strictly: sizes, fill and seed are required, other axes have defaults; an
 * unknown, repeated or missing key, an overflow, a value out of range or anything after the last
 * value is refused. *ret is untouched on failure. */
bool case_parse(const char *text, struct fuzz_case *ret, struct case_error *ret_error);

/* Writes the line, axes at their default left out. Returns its length. */
size_t case_format(const struct fuzz_case *test_case, char *ret_text, size_t text_bytes);

/* The view of one operand (algorithm.h). */
struct view case_view(const struct fuzz_case *test_case, int operand);

/* Bytes of one operand from its aligned address to the end of its span. */
size_t case_operand_bytes(const struct fuzz_case *test_case, int operand);

/* Elements of the output: what "small" means when rates are reported. */
int64_t case_elements(const struct fuzz_case *test_case);

/* Seconds of work, roughly, on one core (flops and bytes); plans and time limits use it. */
double case_cost_s(const struct fuzz_case *test_case);
