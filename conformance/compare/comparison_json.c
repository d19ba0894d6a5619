/* A comparison for programs (comparison.h, spec/compare.md). Clause: compare.json.whole. */
#include <jansson.h>
#include <stdlib.h>

#include "conformance/compare/comparison.h"

static json_t *difference_json(const struct compared *compared, const struct difference *it)
{
    const struct difference_row *row = &difference_rows[it->kind];
    return json_pack("{s:s, s:s, s:s, s:s, s:s, s:s}", "kind", row->name, "section",
                     section_titles[row->section], "severity",
                     severity_name(compared_severity(compared, it->kind)), "place", it->place,
                     "base", it->base, "new", it->next);
}

static json_t *figure_json(const struct figure_change *it)
{
    return json_pack("{s:s, s:s, s:f, s:f, s:f, s:f, s:f, s:f, s:i}", "place", it->place, "unit",
                     it->unit, "base", it->base, "new", it->next, "ratio", it->ratio, "lower",
                     it->lower, "upper", it->upper, "finds", it->finds, "sign", it->sign);
}

static json_t *compared_json(const struct compared *it)
{
    json_t *differences = json_array();
    for (size_t index = 0; index < it->count; index++)
        json_array_append_new(differences, difference_json(it, &it->differences[index]));
    json_t *figures = json_array();
    for (size_t index = 0; index < it->figure_count; index++)
        json_array_append_new(figures, figure_json(&it->figures[index]));
    return json_pack("{s:s, s:s, s:s, s:o, s:I, s:o}", "new", it->next->path, "verdict",
                     change_name(it->change), "why", it->why, "differences", differences,
                     "left_out", (json_int_t)it->left_out, "figures", figures);
}

static json_t *fleet_json(const struct comparison_set *set)
{
    json_t *rows = json_array();
    for (size_t index = 0; index < set->fleet.count; index++) {
        const struct fleet_row *it = &set->fleet.rows[index];
        json_array_append_new(rows, json_pack("{s:s, s:s, s:s, s:s, s:s}", "new",
                                              set->each[it->machine].next->path, "kind",
                                              difference_rows[it->kind].name, "place", it->place,
                                              "own", it->own, "rest", it->rest));
    }
    return json_pack("{s:I, s:o, s:I}", "apart", (json_int_t)set->fleet.apart, "differences", rows,
                     "left_out", (json_int_t)set->fleet.left_out);
}

static json_t *part_json(const struct comparison_set *set)
{
    json_t *each = json_array();
    for (size_t index = 0; index < set->count; index++)
        json_array_append_new(each, compared_json(&set->each[index]));
    json_t *part = json_pack("{s:s, s:s, s:o}", "part", set->kind, "verdict",
                             change_name(comparison_change(set)), "compared", each);
    if (set->count >= FLEET_LEAST)
        json_object_set_new(part, "fleet", fleet_json(set));
    return part;
}

bool comparison_json(FILE *file, const struct comparisons *comparison)
{
    json_t *parts = json_array();
    for (size_t index = 0; index < comparison->count; index++)
        json_array_append_new(parts, part_json(&comparison->parts[index]));
    json_t *root = json_pack("{s:s, s:i, s:s, s:i, s:s, s:o}", "comparison", "assay", "version", 2,
                             "verdict", change_name(comparison->change), "exit_status",
                             (int)change_exit_status(comparison->change), "base",
                             comparison->parts[0].base->path, "parts", parts);
    bool whole = root && json_dumpf(root, file, JSON_COMPACT | JSON_ENSURE_ASCII) == 0;
    fputc('\n', file);
    json_decref(root);
    return whole;
}
