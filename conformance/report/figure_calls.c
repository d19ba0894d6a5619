/* Host calls against their ceilings, and what the documents say of pairs of kernels.
 * Clauses: report.figure.latency, report.figure.relation. */
#include "conformance/report/figure.h"

#include "conformance/base/number.h"

bool figure_latencies(const struct figure *figure, const struct loaded_record *record,
                      const char *device, struct figure_data *ret)
{
    static const char *const headings[] = {"call",     ">\xc2\xb5s", ">lower",
                                           ">upper",   ">at most",   "ceiling is",
                                           ">samples", "verdict",    NULL};
    (void)figure;
    const struct loaded_lines *lines = &record->kinds[LOADED_LATENCY];
    *ret = (struct figure_data){.bars = {.unit = "\xc2\xb5s a call", .mark = "ceiling"},
                                .caption = "How long the host waits for the driver."};
    table_open(&ret->table, headings);
    for (size_t index = 0; index < lines->count; index++) {
        const json_t *line = lines->lines[index];
        const json_t *ceiling = json_object_get(line, "ceiling");
        char text[4][NUMBER_TEXT_BYTES];
        if (!figure_is_of(line, device))
            continue;
        struct bar bar = {.value = field_spread(line, "us"),
                          .mark = field_number(ceiling, "limit"),
                          .verdict = field_verdict(line, "verdict")};
        snprintf(bar.label, sizeof bar.label, "%.100s", field_text(line, "call"));
        snprintf(bar.tip, sizeof bar.tip, "%.64s: %s \xc2\xb5s (%s to %s), at most %s \xc2\xb5s",
                 field_text(line, "call"), number_short(bar.value.median, text[0]),
                 number_short(bar.value.lower, text[1]), number_short(bar.value.upper, text[2]),
                 number_short(bar.mark, text[3]));
        bars_add(&ret->bars, &bar);
        table_cell(&ret->table, "%s", field_text(line, "call"));
        for (int value = 0; value < 4; value++)
            table_cell(&ret->table, "%s", text[value]);
        table_cell(&ret->table, "%s",
                   json_is_true(json_object_get(ceiling, "measured")) ? "measured" : "derived");
        table_cell(&ret->table, "%llu", (unsigned long long)field_count(line, "samples"));
        table_cell(&ret->table, "%s", field_text(line, "verdict"));
    }
    return ret->table.cell_count > 0;
}

/* "at least 4 times as fast as", "no faster than". */
static void bounds_text(const json_t *line, char *ret, size_t bytes)
{
    double least = field_number(line, "least_ratio"), most = field_number(line, "most_ratio");
    if (least > 0 && most > 0)
        snprintf(ret, bytes, "%.4g to %.4g times as fast as", least, most);
    else if (least == 1 || most == 1)
        snprintf(ret, bytes, "%s", least == 1 ? "at least as fast as" : "no faster than");
    else
        snprintf(ret, bytes, "at %s %.4g times as fast as", most > 0 ? "most" : "least",
                 most > 0 ? most : least);
}

static const char *outcome(const json_t *line)
{
    static const char *const words[VERDICT_COUNT + 1] = {
        [VERDICT_PASS] = "it holds", [VERDICT_FAIL] = "it does not hold"};
    if (!json_is_true(json_object_get(line, "applies")))
        return "not judged on this device";
    const char *word = words[field_verdict(line, "verdict")];
    return word ? word : "undecided";
}

static void add_relation(struct figure_data *ret, const json_t *line)
{
    char text[3][NUMBER_TEXT_BYTES], bounds[64], place[64];
    struct spread ratio = field_spread(line, "ratio");
    bounds_text(line, bounds, sizeof bounds);
    snprintf(place, sizeof place, "%.1f to %.1f", field_number(line, "from") / 10,
             field_number(line, "to") / 10);
    table_cell(&ret->words, "%s (%s) is %s %s (%s): %s times through %s: %s (capability %s).",
               field_text(line, "kernel"), field_text(line, "shape"), bounds,
               field_text(line, "against"), field_text(line, "against_shape"),
               ratio.median > 0 ? number_short(ratio.median, text[0]) : "an unknown number of",
               field_text(line, "path"), outcome(line), place);
    table_cell(&ret->table, "%s, %s", field_text(line, "kernel"), field_text(line, "shape"));
    table_cell(&ret->table, "%s, %s", field_text(line, "against"),
               field_text(line, "against_shape"));
    table_cell(&ret->table, "%s", field_text(line, "regime"));
    table_cell(&ret->table, "%s", field_text(line, "path"));
    const double values[] = {ratio.median, ratio.lower, ratio.upper};
    for (int index = 0; index < 3; index++)
        table_cell(&ret->table, "%s",
                   values[index] > 0 ? number_short(values[index], text[index]) : "");
    table_cell(&ret->table, "%s", bounds);
    table_cell(&ret->table, "%s", place);
    table_cell(&ret->table, "%s", json_is_true(json_object_get(line, "applies")) ? "yes" : "no");
    table_cell(&ret->table, "%s", field_text(line, "clause"));
    table_cell(&ret->table, "%s", field_text(line, "verdict"));
}

bool figure_relations(const struct figure *figure, const struct loaded_record *record,
                      const char *device, struct figure_data *ret)
{
    static const char *const headings[] = {"kernel",      "against",   "regime",
                                           "path",        ">ratio",    ">lower",
                                           ">upper",      "documents", "holds on capability",
                                           "judged here", "clause",    "verdict",
                                           NULL};
    static const char *const sentences[] = {"", NULL};
    (void)figure;
    const struct loaded_lines *lines = &record->kinds[LOADED_RELATION];
    *ret = (struct figure_data){
        .caption = "What the documents say, the ratio of GB/s in the same repeats, "
                   "and what follows: on the compute capabilities where a relation is "
                   "known to hold it is judged, elsewhere it is only reported."};
    table_open(&ret->table, headings);
    table_open(&ret->words, sentences);
    for (size_t index = 0; index < lines->count; index++)
        if (figure_is_of(lines->lines[index], device))
            add_relation(ret, lines->lines[index]);
    return ret->table.cell_count > 0;
}
