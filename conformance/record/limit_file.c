/* Reads files of limits (limit_file.h). */
#include "conformance/record/limit_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "conformance/base/lines.h"
#include "fuzz/input_file.h"

enum { FILE_BYTES_MAX = 8 << 20 };

char *limit_file_builtin(const struct limit_file *sort)
{
    return lines_join(sort->builtin_lines);
}

json_t *limit_file_parse(const struct limit_file *sort, const char *path, const char *text,
                         struct reason *ret_reason)
{
    json_error_t error;
    char entry[FORM_PATH_BYTES];
    json_t *root = json_loads(text, JSON_REJECT_DUPLICATES, &error);
    if (root == NULL) {
        input_file_tame(error.text);
        reason_set(ret_reason, REASON_INPUT, "%s: line %d, column %d: not JSON: %.100s", path,
                   error.line, error.column, error.text);
        return NULL;
    }
    if (sort->check(root, entry, ret_reason))
        return root;
    reason_before(ret_reason, "%s: line %d: %s: ", path, limit_file_line(text, entry),
                  entry[0] ? entry : "the file");
    json_decref(root);
    return NULL;
}

json_t *limit_file_open(const struct limit_file *sort, const char *path, struct reason *ret_reason)
{
    const char *why;
    size_t bytes;
    char *text =
        path ? input_file_read(path, FILE_BYTES_MAX, &bytes, &why) : limit_file_builtin(sort);
    if (text == NULL && path)
        reason_set(ret_reason, REASON_INPUT, "%s: cannot be read: %s", path, why);
    else if (text == NULL)
        reason_set(ret_reason, REASON_SYSTEM, "no memory for %s", sort->name);
    json_t *root = text ? limit_file_parse(sort, path ? path : sort->name, text, ret_reason) : NULL;
    free(text);
    return root;
}

bool limit_file_repeats(const json_t *array, size_t index, const char *const *keys)
{
    for (size_t before = 0; before < index; before++) {
        const char *const *key = keys;
        while (*key && json_equal(json_object_get(json_array_get(array, before), *key),
                                  json_object_get(json_array_get(array, index), *key)))
            key++;
        if (*key == NULL)
            return true;
    }
    return false;
}
