/* Host calls against their ceilings, and what the documents say of pairs of kernels.
 * Clauses: report.figure.latency, report.figure.relation. */
#include "conformance/report/figure.h"
#include "conformance/record/record_fields.h"

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
        const json_t *ceiling = field_latency_ceiling(line);
        char text[4][NUMBER_TEXT_BYTES];
        if (!figure_is_of(line, device))
            continue;
        struct bar bar = {.value = field_latency_us(line),
                          .mark = field_limit_limit(ceiling),
                          .verdict = field_result_verdict(line)};
        snprintf(bar.label, sizeof bar.label, "%.100s", field_latency_call(line));
        snprintf(bar.tip, sizeof bar.tip, "%.64s: %s \xc2\xb5s (%s to %s), at most %s \xc2\xb5s",
                 field_latency_call(line), number_short(bar.value.median, text[0]),
                 number_short(bar.value.lower, text[1]), number_short(bar.value.upper, text[2]),
                 number_short(bar.mark, text[3]));
        bars_add(&ret->bars, &bar);
        table_cell(&ret->table, "%s", field_latency_call(line));
        for (int value = 0; value < 4; value++)
            table_cell(&ret->table, "%s", text[value]);
        table_cell(&ret->table, "%s", field_limit_measured(ceiling) ? "measured" : "derived");
        table_cell(&ret->table, "%llu", (unsigned long long)field_result_samples(line));
        table_cell(&ret->table, "%s", value_text(raw_result_verdict(line)));
    }
    return ret->table.cell_count > 0;
}

/* "at least 4 times as fast as", "no faster than". */
static void bounds_text(const json_t *line, char *ret, size_t bytes)
{
    double least = field_relation_least_ratio(line), most = field_relation_most_ratio(line);
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
    if (!field_relation_applies(line))
        return "not judged on this device";
    const char *word = words[field_result_verdict(line)];
    return word ? word : "undecided";
}

static void add_relation(struct figure_data *ret, const json_t *line)
{
    char text[3][NUMBER_TEXT_BYTES], bounds[64], place[64];
    struct spread ratio = field_relation_ratio(line);
    bounds_text(line, bounds, sizeof bounds);
    snprintf(place, sizeof place, "%.1f to %.1f", value_number(raw_relation_from(line)) / 10,
             value_number(raw_relation_to(line)) / 10);
    table_cell(&ret->words, "%s (%s) is %s %s (%s): %s times through %s: %s (capability %s).",
               field_subject_kernel(line), field_relation_shape(line), bounds,
               field_relation_against(line), field_relation_against_shape(line),
               ratio.median > 0 ? number_short(ratio.median, text[0]) : "an unknown number of",
               field_subject_path(line), outcome(line), place);
    table_cell(&ret->table, "%s, %s", field_subject_kernel(line), field_relation_shape(line));
    table_cell(&ret->table, "%s, %s", field_relation_against(line),
               field_relation_against_shape(line));
    table_cell(&ret->table, "%s", field_relation_regime(line));
    table_cell(&ret->table, "%s", field_subject_path(line));
    const double values[] = {ratio.median, ratio.lower, ratio.upper};
    for (int index = 0; index < 3; index++)
        table_cell(&ret->table, "%s",
                   values[index] > 0 ? number_short(values[index], text[index]) : "");
    table_cell(&ret->table, "%s", bounds);
    table_cell(&ret->table, "%s", place);
    table_cell(&ret->table, "%s", field_relation_applies(line) ? "yes" : "no");
    table_cell(&ret->table, "%s", field_result_clause(line));
    table_cell(&ret->table, "%s", value_text(raw_result_verdict(line)));
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
