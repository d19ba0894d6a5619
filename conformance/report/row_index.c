/* Sorted rows (row_index.h). */
#include "conformance/report/row_index.h"
#include "conformance/record/record_fields.h"
#include "conformance/model/device_info.h"

#include <stdlib.h>
#include <string.h>

static int compare_keys(const void *left, const void *right)
{
    const struct row_key *a = left, *b = right;
    int order = strcmp(a->device, b->device);
    if (order == 0)
        order = strcmp(a->kernel, b->kernel);
    return order ? order : strcmp(a->path, b->path);
}

/* The UUID of a GPU of the record, or its label; "host" for the host device. */
static const char *row_index_identity(const struct loaded_record *record, const char *label)
{
    if (device_kind_of(label)->is_emulated)
        return label; /* its rows are held against those of every GPU */
    const char *uuid = field_device_uuid(loaded_device(record, label));
    return uuid[0] ? uuid : label;
}

bool row_index_open(struct row_index *ret, const struct loaded_record *record, bool by_uuid)
{
    const json_t *rows = loaded_rows(record), *row;
    size_t count = json_array_size(rows), index;
    struct row_key *keys = malloc((count + 1) * sizeof *keys);
    if (keys == NULL)
        return false;
    json_array_foreach(rows, index, row)
    {
        const char *label = field_subject_device(row);
        keys[index] = (struct row_key){by_uuid ? row_index_identity(record, label) : label,
                                       field_subject_kernel(row), field_subject_path(row), row};
    }
    qsort(keys, count, sizeof *keys, compare_keys);
    *ret = (struct row_index){keys, count};
    return true;
}

void row_index_close(struct row_index *index)
{
    free(index->keys);
    *index = (struct row_index){.keys = NULL};
}

/* The first that is not below the key. */
static size_t lower_bound(const struct row_index *index, const struct row_key *key)
{
    size_t low = 0, high = index->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (compare_keys(&index->keys[middle], key) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

const struct row_key *row_index_find(const struct row_index *index, const char *device,
                                     const char *kernel, const char *path)
{
    const struct row_key key = {.device = device, .kernel = kernel, .path = path};
    size_t at = lower_bound(index, &key);
    return at < index->count && compare_keys(&index->keys[at], &key) == 0 ? &index->keys[at] : NULL;
}

const struct row_key *row_index_device(const struct row_index *index, const char *device)
{
    const struct row_key key = {.device = device, .kernel = "", .path = ""};
    size_t at = lower_bound(index, &key);
    return at < index->count && strcmp(index->keys[at].device, device) == 0 ? &index->keys[at]
                                                                            : NULL;
}

bool row_index_has_twins(const struct row_index *index)
{
    for (size_t at = 1; at < index->count; at++)
        if (compare_keys(&index->keys[at - 1], &index->keys[at]) == 0)
            return true;
    return false;
}
