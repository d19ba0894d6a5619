/* Digests of two runs (agreement.h). Clause: report.digest.compared. */
#include "conformance/report/agreement.h"

#include <string.h>

/* Where these are equal, so are the cases of two runs. */
static const char *const plan_keys[] = {"assay", "commit", "tier",
                                        "seed",  "corpus", "cases_planned"};

static bool has_digests(const struct dossier_record *record)
{
    const json_t *row;
    size_t index;
    json_array_foreach(dossier_rows(record), index, row)
    {
        if (field_text(row, "xxh3_128")[0])
            return true;
    }
    return false;
}

static bool has_same_cases(const struct dossier_record *left, const struct dossier_record *right)
{
    for (size_t index = 0; index < sizeof plan_keys / sizeof plan_keys[0]; index++)
        if (!json_equal(json_object_get(left->header, plan_keys[index]),
                        json_object_get(right->header, plan_keys[index])))
            return false;
    return true;
}

static bool has_same_text(const json_t *left, const json_t *right, const char *key)
{
    return strcmp(field_text(left, key), field_text(right, key)) == 0;
}

/* One kernel through one path; the host device's only path is held against every one of a GPU. */
static bool is_same_row(const json_t *left, const json_t *right)
{
    return has_same_text(left, right, "kernel") &&
           (has_same_text(left, right, "path") || strcmp(field_text(left, "path"), "host") == 0 ||
            strcmp(field_text(right, "path"), "host") == 0);
}

static void compare_rows(const json_t *left, const json_t *right, struct agreement *ret)
{
    if (!is_same_row(left, right) || field_text(left, "xxh3_128")[0] == 0 ||
        field_text(right, "xxh3_128")[0] == 0)
        return;
    if (field_count(left, "passed") != field_count(right, "passed")) {
        ret->uneven++;
    } else if (has_same_text(left, right, "xxh3_128")) {
        ret->same++;
    } else if (ret->differ++ == 0) {
        ret->kernel = field_text(right, "kernel");
        ret->path = field_text(right, "path");
    }
}

struct agreement agreement_of(const struct dossier *dossier, size_t index)
{
    const struct dossier_record *record = &dossier->records[index];
    struct agreement ret = {0};
    for (size_t before = 0; before < index && !ret.same_cases; before++) {
        const struct dossier_record *it = &dossier->records[before];
        if (!has_digests(it) || !has_digests(record))
            continue;
        ret.same_cases = has_same_cases(it, record);
        if (ret.same_cases || ret.first == NULL)
            ret.first = it;
    }
    if (!ret.same_cases)
        return ret;
    const json_t *left, *right;
    size_t one, other;
    json_array_foreach(dossier_rows(ret.first), one, left)
    {
        json_array_foreach(dossier_rows(record), other, right)
        {
            compare_rows(left, right, &ret);
        }
    }
    return ret;
}
