/* A fleet as one JSON object (fleet_write.h). Clause: fleet.output.json. */
#include <stdio.h>

#include "conformance/base/heap.h"
#include "conformance/fleet/fleet_points.h"
#include "conformance/fleet/fleet_words.h"
#include "conformance/fleet/fleet_write.h"
#include "conformance/record/record_fields.h"

static void add(json_t *array, json_t *value)
{
    heap_need(value && json_array_append_new(array, value) == 0);
}

static void put(json_t *object, const char *key, json_t *value)
{
    heap_need(value && json_object_set_new(object, key, value) == 0);
}

static json_t *point_json(const struct fleet_point *point)
{
    const struct fleet_finding *it = point->first;
    const struct fleet_finding_row *row = &fleet_finding_rows[it->kind];
    char words[FLEET_POINT_BYTES];
    json_t *object = json_object();
    const struct {
        const char *key, *text;
    } texts[] = {{"kind", row->name},
                 {"section", section_titles[row->section]},
                 {"severity", severity_name(it->severity)},
                 {"place", it->place},
                 {"own", it->own},
                 {"rest", it->rest},
                 {"gpus", point->labels},
                 {"words", fleet_point_words(point, words)}};
    for (size_t index = 0; index < sizeof texts / sizeof texts[0]; index++)
        put(object, texts[index].key, value_of_text(texts[index].text));
    put(object, "places", json_integer((json_int_t)point->places));
    put(object, "follows", json_boolean(it->follows));
    return object;
}

static json_t *row_json(const struct fleet *fleet, const struct fleet_row *row)
{
    json_t *object = json_object(), *points = json_array();
    struct fleet_point point;
    put(object, "name", value_of_text(row->name));
    put(object, "file", value_of_text(row->file ? row->file->path : row->machine->path));
    put(object, "verdict", value_of_text(fleet_verdict_name(row->verdict)));
    if (row->file)
        put(object, "reason", value_of_text(row->file->reason));
    for (size_t at = 0; fleet_point_next(fleet, row, &at, &point);)
        add(points, point_json(&point));
    put(object, "differences", points);
    return object;
}

static json_t *counts_json(const struct fleet *fleet)
{
    json_t *object = json_object();
    for (int verdict = 0; verdict < FLEET_VERDICTS; verdict++)
        put(object, fleet_verdict_name((enum fleet_verdict)verdict),
            json_integer((json_int_t)fleet->counts[verdict]));
    return object;
}

static json_t *speeds_json(const struct fleet_speeds *speeds)
{
    json_t *finds = json_object(), *object = json_object();
    for (int sort = 0; sort < FIGURE_SORT_COUNT; sort++)
        if (speeds->finds[sort] > 0)
            put(finds, fleet_sort_name((enum figure_sort)sort),
                value_of_number(fleet_found((enum figure_sort)sort, speeds->finds[sort])));
    put(object, "comparisons", json_integer((json_int_t)speeds->looks));
    put(object, "false_alarms", value_of_number(speeds->false_alarms));
    put(object, "finds", finds);
    return object;
}

void fleet_json_write(struct report *report, const struct fleet *fleet)
{
    FILE *file = report->file;
    char words[FLEET_WORDS_BYTES];
    json_t *root = json_object(), *models = json_array(), *sorts = json_array(),
           *groups = json_array(), *rows = json_array();
    put(root, "fleet", value_of_text("assay"));
    put(root, "version", json_integer(1));
    put(root, "verdict", value_of_text(fleet_verdict_name(fleet->verdict)));
    put(root, "exit_status",
        json_integer((json_int_t)verdict_exit_status(fleet_verdict_of(fleet->verdict))));
    put(root, "base", value_of_text(fleet_words_base(fleet, words)));
    put(root, "machines", json_integer((json_int_t)fleet->machine_count));
    put(root, "gpus", json_integer((json_int_t)fleet->gpu_count));
    put(root, "counts", counts_json(fleet));
    put(root, "speeds", speeds_json(&fleet->speeds));
    for (size_t index = 0; index < fleet->model_count; index++)
        add(models, json_pack("{s:o, s:I}", "model", value_of_text(fleet->models[index].name),
                              "gpus", (json_int_t)fleet->models[index].count));
    for (size_t index = 0; index < fleet->sort_count; index++) {
        const struct fleet_sort *it = &fleet->sorts[index];
        add(sorts, json_pack("{s:o, s:I, s:I, s:o, s:o, s:o}", "model", value_of_text(it->model),
                             "gpus", (json_int_t)it->count, "figures", (json_int_t)it->figures,
                             "place", value_of_text(it->place), "shift", value_of_number(it->shift),
                             "words", value_of_text(fleet_words_sort(it, words))));
    }
    for (size_t index = 0; index < fleet->group_count; index++) {
        const struct fleet_group *it = &fleet->groups[index];
        add(groups, json_pack("{s:o, s:o, s:o, s:I}", "place", value_of_text(it->place), "value",
                              value_of_text(it->value), "of", value_of_text(it->of), "count",
                              (json_int_t)it->count));
    }
    for (size_t index = 0; index < fleet->row_count; index++)
        add(rows, row_json(fleet, &fleet->rows[index]));
    put(root, "models", models);
    put(root, "sorts", sorts);
    put(root, "groups", groups);
    put(root, "rows", rows);
    heap_need(json_dumpf(root, file, VALUE_WRITTEN) == 0);
    fputc('\n', file);
    json_decref(root);
}
