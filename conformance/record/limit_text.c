/* The text of a file of limits, laid out so that a change of one limit is a change of one line
 * (limit_file.h). Clause: bandwidth.floor.kept. */
#include <stdio.h>
#include <stdlib.h>

#include "conformance/record/limit_file.h"

/* What is laid out over several lines: an array of objects, and an object that has an array. */
static bool spreads(const json_t *value)
{
    const char *key;
    json_t *member;
    if (json_is_array(value))
        return json_is_object(json_array_get(value, 0));
    json_object_foreach((json_t *)value, key, member)
    {
        if (json_is_array(member))
            return true;
    }
    return false;
}

static void write_value(FILE *file, const json_t *value, int depth)
{
    const char *key;
    json_t *member;
    size_t index = 0;
    bool array = json_is_array(value);
    if (!spreads(value)) {
        /* So many digits that what is kept of another file stays what it is. */
        char *text = json_dumps(value, JSON_ENCODE_ANY | JSON_REAL_PRECISION(15));
        fputs(text ? text : "null", file);
        free(text);
        return;
    }
    fputc(array ? '[' : '{', file);
    json_array_foreach(value, index, member)
    {
        fprintf(file, "%s\n%*s", index ? "," : "", 2 * depth + 2, "");
        write_value(file, member, depth + 1);
    }
    json_object_foreach((json_t *)value, key, member)
    {
        fprintf(file, "%s\n%*s\"%s\": ", index++ ? "," : "", 2 * depth + 2, "", key);
        write_value(file, member, depth + 1);
    }
    fprintf(file, "\n%*s%c", 2 * depth, "", array ? ']' : '}');
}

char *limit_file_text(const json_t *root, size_t *ret_bytes)
{
    char *text = NULL;
    FILE *file = open_memstream(&text, ret_bytes);
    if (file == NULL)
        return NULL;
    write_value(file, root, 0);
    fputc('\n', file);
    if (fclose(file) == 0)
        return text;
    free(text);
    return NULL;
}
