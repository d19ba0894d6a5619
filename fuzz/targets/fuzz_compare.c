/* Any bytes that read as records, with a line "===" between them, are compared, and what is
 * written of it holds no control character. */
#include <string.h>

#include "conformance/compare/comparison.h"
#include "conformance/test/ended.h"
#include "fuzz/targets/numbers.h"
#include "fuzz/targets/target.h"

static const char between[] = "===\n";
enum { RECORDS_MAX = 6 };

/* As for a report: half of the mutants have other numbers. */
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t bytes, size_t bytes_max, unsigned seed)
{
    if (LLVMFuzzerMutate && seed % 2 == 0)
        return LLVMFuzzerMutate(data, bytes, bytes_max);
    return numbers_mutate(data, bytes, bytes_max, seed);
}

static void check_written(const struct loaded *loaded, comparison_writer *write)
{
    char *text = NULL;
    size_t bytes = 0;
    FILE *file = open_memstream(&text, &bytes);
    MUST(file != NULL);
    comparison_write(file, loaded, write, false);
    MUST(fclose(file) == 0);
    for (size_t at = 0; at < bytes; at++)
        MUST((unsigned char)text[at] >= ' ' || text[at] == '\n');
    free(text);
}

static void check_compared(const struct loaded *loaded)
{
    check_written(loaded, comparison_text);
    check_written(loaded, comparison_json);
    check_written(loaded, comparison_markdown);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
    struct reason reason;
    struct loaded *loaded = calloc(1, sizeof *loaded);
    const char *text = (const char *)data;
    bool whole = loaded != NULL;
    MUST(whole);
    for (const char *line = text; whole && line && loaded->count < RECORDS_MAX;) {
        line = memmem(text, bytes, between, sizeof between - 1);
        size_t own = line ? (size_t)(line - text) : bytes;
        size_t skipped = own + (line ? sizeof between - 1 : 0);
        size_t ended_bytes;
        char *ended = ended_text(text, own, &ended_bytes); /* a mutant's would not hold */
        whole = loaded_parse(loaded, "r", ended, ended_bytes, &reason);
        free(ended);
        text += skipped;
        bytes -= skipped;
    }
    if (whole && loaded->count > 0)
        check_compared(loaded);
    loaded_close(loaded);
    free(loaded);
    return 0;
}
