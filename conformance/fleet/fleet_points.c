/* Joins the differences of a machine (fleet_points.h). Clauses: fleet.cause.once,
 * fleet.output.alike. */
#include "conformance/fleet/fleet_points.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "conformance/base/heap.h"
#include "conformance/base/text.h"
#include "conformance/record/record_fields.h"

/* A field is named by itself, and its values count; of anything else the first stands for all. */
static bool is_one_by_one(const struct fleet_finding *it)
{
    const enum section section = fleet_finding_rows[it->kind].section;
    return !it->follows && (section == SECTION_ENVIRONMENT || section == SECTION_RECORD);
}

static bool are_joined(const struct fleet_finding *left, const struct fleet_finding *right)
{
    if (left->kind != right->kind || left->follows != right->follows ||
        left->severity != right->severity)
        return false;
    return !is_one_by_one(left) ||
           (left->place == right->place && strcmp(left->own, right->own) == 0 &&
            strcmp(left->rest, right->rest) == 0);
}

/* Counts the GPUs of the findings, in the order of the table, and names a few. */
static void count_gpus(const struct fleet *fleet, const struct fleet_finding *first, size_t count,
                       struct fleet_point *ret)
{
    enum { NAMED_MOST = 3 };
    const struct fleet_gpu *gpus = fleet->table->gpus;
    const size_t all = fleet->table->machines[first->machine].gpu_count;
    long last = FLEET_OF_MACHINE;
    for (;; ret->gpus++) { /* the next row above the last one */
        long next = FLEET_OF_MACHINE;
        for (size_t index = 0; index < count; index++)
            if (first[index].gpu > last && (next == FLEET_OF_MACHINE || first[index].gpu < next))
                next = first[index].gpu;
        if (next == FLEET_OF_MACHINE)
            break;
        if (ret->gpus < NAMED_MOST)
            text_join(ret->labels, sizeof ret->labels, ", ", "%.16s", gpus[next].label);
        last = next;
    }
    if (ret->gpus > NAMED_MOST || (ret->gpus == all && all > 1))
        snprintf(ret->labels, sizeof ret->labels, ret->gpus == all ? "all %zu GPUs" : "%zu GPUs",
                 ret->gpus);
}

bool fleet_point_next(const struct fleet *fleet, const struct fleet_row *row, size_t *at,
                      struct fleet_point *ret)
{
    const struct fleet_finding *first = row->findings + *at;
    size_t count = 0;
    if (*at >= row->finding_count)
        return false;
    *ret = (struct fleet_point){.first = first};
    for (; *at + count < row->finding_count && are_joined(first, first + count); count++)
        ret->places += count == 0 || first[count].place != first[count - 1].place;
    count_gpus(fleet, first, count, ret);
    *at += count;
    return true;
}

const char *fleet_point_words(const struct fleet_point *point, char ret_text[FLEET_POINT_BYTES])
{
    const struct fleet_finding *it = point->first;
    const struct fleet_finding_row *row = &fleet_finding_rows[it->kind];
    const char *whose = it->is_own ? "before" : "the rest";
    char on[FLEET_POINT_GPUS_BYTES + 8] = "";
    if (point->gpus > 0)
        snprintf(on, sizeof on, " on %s", point->labels);
    if (it->follows)
        snprintf(ret_text, FLEET_POINT_BYTES, "%s differ%s, which follows from that",
                 NUMBER_COUNT(point->places, it->noun), point->places == 1 ? "s" : "");
    else if (row->section == SECTION_RECORD && it->gpu == FLEET_OF_MACHINE)
        snprintf(ret_text, FLEET_POINT_BYTES, "%s: %.600s", row->words, it->own);
    else if (is_one_by_one(it))
        snprintf(ret_text, FLEET_POINT_BYTES, "%.100s %.300s%s; the rest: %.300s", it->place,
                 it->own, on, it->rest);
    else if (point->places > 1)
        snprintf(ret_text, FLEET_POINT_BYTES, "%s%s: %s, such as %.200s: %.200s; %s: %.200s",
                 row->words, on, NUMBER_COUNT(point->places, it->noun), it->place, it->own, whose,
                 it->rest);
    else
        snprintf(ret_text, FLEET_POINT_BYTES, "%s%s: %.200s: %.200s; %s: %.200s", row->words, on,
                 it->place, it->own, whose, it->rest);
    return ret_text;
}

/* What a row says. */
struct said {
    char *text;
    size_t row;
};

static int sort_said(const void *left, const void *right)
{
    const struct said *a = left, *b = right;
    const int order = strcmp(a->text, b->text);
    return order ? order : (a->row > b->row) - (a->row < b->row);
}

static char *text_of(const struct fleet *fleet, const struct fleet_row *row)
{
    struct written written;
    struct fleet_point point;
    char words[FLEET_POINT_BYTES];
    written_open(&written);
    fprintf(written.file, "%d", (int)row->verdict);
    for (size_t at = 0; fleet_point_next(fleet, row, &at, &point);)
        fprintf(written.file, "\n%s", fleet_point_words(&point, words));
    if (row->file)
        fprintf(written.file, "\n%s", row->file->reason);
    return written_close(&written);
}

size_t *fleet_rows_alike(const struct fleet *fleet)
{
    struct said *said = heap_take(fleet->row_count, sizeof *said);
    size_t *ret = heap_take(fleet->row_count, sizeof *ret);
    for (size_t row = 0; row < fleet->row_count; row++)
        said[row] = (struct said){text_of(fleet, &fleet->rows[row]), row};
    qsort(said, fleet->row_count, sizeof *said, sort_said);
    for (size_t index = 0, first = 0; index < fleet->row_count; index++) {
        first = strcmp(said[index].text, said[first].text) == 0 ? first : index;
        ret[said[index].row] = said[first].row;
    }
    for (size_t index = 0; index < fleet->row_count; index++)
        free(said[index].text);
    free(said);
    return ret;
}
