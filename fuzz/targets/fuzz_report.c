/* Any bytes that read as a record make a report that is well-formed in every format: a page that
 * fetches nothing, a summary that holds no control character, XML whose counts are right. */
#include <stdlib.h>

#include "conformance/test/ended.h"
#include "conformance/test/format_check.h"
#include "fuzz/targets/numbers.h"
#include "fuzz/targets/target.h"

/* Half of the mutants have other numbers, since a record's text is mostly keys that must stay. */
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t bytes, size_t bytes_max, unsigned seed)
{
    if (LLVMFuzzerMutate && seed % 2 == 0)
        return LLVMFuzzerMutate(data, bytes, bytes_max);
    return numbers_mutate(data, bytes, bytes_max, seed);
}

static void check(const struct loaded *loaded, enum output_format format, bool unicode)
{
    char why[FORMAT_WHY_BYTES];
    size_t bytes;
    char *text = format_write(format, loaded, unicode, &bytes);
    MUST(format_check(format, text, bytes, why));
    free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
    struct reason reason;
    struct loaded *loaded = calloc(1, sizeof *loaded);
    MUST(loaded != NULL);
    size_t ended_bytes;
    char *ended =
        ended_text((const char *)data, bytes, &ended_bytes); /* a mutant's would not hold */
    if (loaded_parse(loaded, "r", ended, ended_bytes, &reason)) {
        for (int format = 0; format < FORMAT_COUNT; format++)
            check(loaded, (enum output_format)format, true);
        check(loaded, FORMAT_TEXT, false);
    }
    loaded_close(loaded);
    free(loaded);
    free(ended);
    return 0;
}
