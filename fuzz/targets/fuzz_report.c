/* Any bytes that read as a record make a page that is well-formed and fetches nothing, and a
 * summary that holds no control character. */
#include <string.h>

#include "conformance/report/page_html.h"
#include "conformance/report/terminal.h"
#include "conformance/test/ended.h"
#include "conformance/test/page_check.h"
#include "fuzz/targets/numbers.h"
#include "fuzz/targets/target.h"

/* Half of the mutants have other numbers, since a record's text is mostly keys that must stay. */
size_t LLVMFuzzerCustomMutator(uint8_t *data, size_t bytes, size_t bytes_max, unsigned seed)
{
    if (LLVMFuzzerMutate && seed % 2 == 0)
        return LLVMFuzzerMutate(data, bytes, bytes_max);
    return numbers_mutate(data, bytes, bytes_max, seed);
}

static void check_page(const struct loaded *loaded)
{
    char *page = NULL, why[PAGE_WHY_BYTES];
    size_t bytes = 0;
    struct page_facts facts;
    FILE *file = open_memstream(&page, &bytes);
    MUST(file != NULL);
    page_write(file, loaded);
    MUST(fclose(file) == 0);
    MUST(page_check(page, bytes, &facts, why));
    free(page);
}

static void check_summary(const struct loaded *loaded, bool unicode)
{
    char *text = NULL;
    size_t bytes = 0;
    FILE *file = open_memstream(&text, &bytes);
    MUST(file != NULL);
    terminal_write(file, loaded, unicode);
    MUST(fclose(file) == 0);
    for (size_t at = 0; at < bytes; at++)
        MUST((unsigned char)text[at] >= ' ' || text[at] == '\n');
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
        check_page(loaded);
        check_summary(loaded, true);
        check_summary(loaded, false);
    }
    loaded_close(loaded);
    free(loaded);
    free(ended);
    return 0;
}
