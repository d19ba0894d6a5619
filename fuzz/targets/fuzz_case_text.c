/* Any bytes as a case line: refused with a column inside the line, or read, and then written and
 * read to the same case, whose operands have a size that can be computed. */
#include <string.h>

#include "fuzz/targets/target.h"
#include "fuzz/test/case_equal.h"

static void check_case(const struct fuzz_case *test_case)
{
    char text[CASE_TEXT_BYTES], again[CASE_TEXT_BYTES];
    struct axes_error wrong;
    struct fuzz_case read;
    struct case_error error;
    MUST(case_format(test_case, text, sizeof text) < sizeof text);
    MUST(case_parse(text, &read, &error));
    MUST(case_equal(test_case, &read));
    MUST(case_format(&read, again, sizeof again) == strlen(text));
    MUST(strcmp(text, again) == 0);
    MUST(algorithm_axes_valid(test_case->algorithm, test_case->axis, &wrong));
    for (int operand = 0; operand < test_case->algorithm->operand_count; operand++)
        MUST(case_operand_bytes(test_case, operand) <= (size_t)ALGORITHM_SPAN_BYTES_MAX);
    MUST(case_elements(test_case) >= 0);
    MUST(case_cost_s(test_case) > 0 && case_cost_s(test_case) < 1e15);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
    struct fuzz_case test_case;
    struct case_error error = {0};
    char *text = strndup(bytes ? (const char *)data : "", bytes);
    MUST(text);
    if (case_parse(text, &test_case, &error)) {
        check_case(&test_case);
    } else {
        MUST(error.column >= 1 && (size_t)error.column <= strlen(text) + 1);
        MUST(error.message[0] != 0);
        for (const char *letter = error.message; *letter; letter++)
            MUST(*letter >= ' ' && *letter <= '~');
    }
    free(text);
    return 0;
}
