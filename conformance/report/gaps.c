/* The words of what a device lacks (gaps.h). Clauses: runner.gaps.listed, runner.gaps.verdicts. */
#include "conformance/report/gaps.h"

#include <stdlib.h>
#include <string.h>

#include "conformance/base/text.h"

enum { WORDS_BYTES = 160 };

/* The verdict to expect of each part of a gate, from what the line says. */
static void put_expected(FILE *file, const struct line_gaps *gaps)
{
    static const char *const parts[] = {"bits", "code", "programs", "speed"};
    char whole[WORDS_BYTES];
    bool is_whole = true, is_less = false;
    for (size_t part = 0; part < sizeof parts / sizeof parts[0]; part++) {
        char lacking[2 * WORDS_BYTES] = "", less[2 * WORDS_BYTES] = "", line[4 * WORDS_BYTES],
                         step[24];
        for (size_t index = 0; index < gaps->rows.count; index++) {
            const struct line_gap *row = &gaps->rows.each[index];
            const bool holds_back = texts_have(row->parts, parts[part]);
            if (!holds_back && !texts_have(row->less, parts[part]))
                continue;
            snprintf(step, sizeof step, " (step %d)", (int)row->step);
            text_join(holds_back ? lacking : less, sizeof lacking, ", ", "%.24s%s", row->row,
                      holds_back && row->step > 0 ? step : "");
        }
        is_whole = is_whole && lacking[0] == 0;
        is_less = is_less || less[0];
        snprintf(line, sizeof line, "%-9s %s%s%s%s", parts[part],
                 lacking[0] ? "INCONCLUSIVE until filled: " : "can PASS", lacking,
                 less[0] == 0 ? ""
                 : lacking[0] ? "; and without "
                              : ", without ",
                 less);
        escape_row(file, part == 0 ? "expect" : "", line);
    }
    snprintf(whole, sizeof whole, "gate      %s%s",
             is_whole ? "can PASS" : "INCONCLUSIVE until each part can PASS",
             is_whole && is_less ? ", without what these lack; a baseline compares it all the same"
                                 : "");
    escape_row(file, "", whole);
}

void gaps_write(FILE *file, const char *prefix, const struct line_gaps *gaps)
{
    char words[3 * WORDS_BYTES], label[24];
    struct written memory;
    written_open(&memory);
    snprintf(words, sizeof words,
             "%.16s: assay lacks the data below; spec/guide/new_gpu.md says how to supply them",
             gaps->device);
    escape_row(memory.file, "gaps", words);
    for (size_t index = 0; index < gaps->rows.count; index++) {
        const struct line_gap *row = &gaps->rows.each[index];
        snprintf(words, sizeof words, "no %.160s: %.160s", row->missing, row->meanwhile);
        escape_row(memory.file, row->row, words);
        snprintf(label, sizeof label, "step %d", (int)row->step);
        snprintf(words, sizeof words, "%.320s", row->fill);
        escape_row(memory.file, row->step > 0 ? label : "", words);
    }
    put_expected(memory.file, gaps);
    char *text = written_close(&memory);
    text_prefixed(file, prefix, text);
    free(text);
}
