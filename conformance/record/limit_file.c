/* Reads files of limits (limit_file.h). */
#include "conformance/record/limit_file.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "conformance/base/input_file.h"
#include "conformance/base/text.h"
#include "conformance/record/file_sort.h"
#include "conformance/record/record_fields.h"

#define FORM_TABLE "conformance/record/gpu_fields.def"
#include "conformance/record/form_access.inc"
#include "conformance/record/form_json.inc"
#include "conformance/record/form_table.inc"
#undef FORM_TABLE

/* The text of a file of limits, laid out so that a change of one limit is a change of one line.
 * Clause: bandwidth.floor.kept. */

/* True for a value that is laid out over several lines: an array of objects, and an object that has
 * such an array, or an empty one. */
static bool spreads(const json_t *value)
{
    const char *key;
    json_t *member;
    if (json_is_array(value))
        return json_is_object(json_array_get(value, 0));
    json_object_foreach((json_t *)value, key, member) {
        if (json_is_array(member) && (json_array_size(member) == 0 || spreads(member)))
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
        /* That many digits that what is kept of another file stays what it is. */
        char *text = json_dumps(value, JSON_ENCODE_ANY | JSON_REAL_PRECISION(15));
        fputs(text ? text : "null", file);
        free(text);
        return;
    }
    fputc(array ? '[' : '{', file);
    json_array_foreach(value, index, member) {
        fprintf(file, "%s\n%*s", index ? "," : "", 2 * depth + 2, "");
        write_value(file, member, depth + 1);
    }
    json_object_foreach((json_t *)value, key, member) {
        fprintf(file, "%s\n%*s\"%s\": ", index++ ? "," : "", 2 * depth + 2, "", key);
        write_value(file, member, depth + 1);
    }
    fprintf(file, "\n%*s%c", 2 * depth, "", array ? ']' : '}');
}

char *limit_file_text(const json_t *root, size_t *ret_bytes)
{
    struct written written;
    written_open(&written);
    write_value(written.file, root, 0);
    fputc('\n', written.file);
    char *text = written_close(&written);
    *ret_bytes = written.bytes;
    return text;
}

/* The line of a value in a JSON text, so that a wrong entry can be found. The text
 * has been read as JSON before. */

static const char *skip_space(const char *at)
{
    return at + strspn(at, " \t\r\n");
}

/* After the string that begins at `at`. */
static const char *skip_string(const char *at)
{
    for (at++; *at && *at != '"'; at++)
        at += *at == '\\' && at[1];
    return *at ? at + 1 : at;
}

/* After the value that begins at `at`; brackets are counted, as strings are passed over. */
static const char *skip_value(const char *at)
{
    int depth = 0;
    do {
        if (*at == '"') {
            at = skip_string(at);
            continue;
        }
        depth += (*at == '{' || *at == '[') - (*at == '}' || *at == ']');
        at++;
    } while (*at && (depth > 0 || !strchr(",]} \t\r\n", *at)));
    return at;
}

/* The value of member `key`, or of element `index` where key is NULL, or NULL. */
static const char *step_into(const char *at, const char *key, size_t key_bytes, int index)
{
    if (*at != (key ? '{' : '['))
        return NULL;
    at = skip_space(at + 1);
    for (int count = 0; *at && *at != '}' && *at != ']'; count++) {
        const char *name = at;
        if (key) {
            at = skip_space(skip_string(at));
            at = skip_space(at + (*at == ':'));
        }
        if (key ? strncmp(name + 1, key, key_bytes) == 0 && name[1 + key_bytes] == '"'
                : count == index)
            return at;
        at = skip_space(skip_value(at));
        at = skip_space(at + (*at == ','));
    }
    return NULL;
}

int limit_file_line(const char *text, const char *path)
{
    const char *at = skip_space(text);
    while (*path) {
        const char *next;
        size_t bytes = strcspn(path, ".[");
        if (*path == '[') {
            next = step_into(at, NULL, 0, atoi(path + 1));
            bytes = strcspn(path, "]") + 1;
        } else {
            next = step_into(at, path, bytes, 0);
        }
        if (next == NULL)
            break; /* the member that is missing: its owner's line */
        at = next;
        path += bytes;
        path += *path == '.';
    }
    int line = 1;
    for (const char *each = text; each < at; each++)
        line += *each == '\n';
    return line;
}

static json_t *refuse_entry(const char *path, const char *text, const char *entry, json_t *root,
                            struct reason *ret_reason)
{
    reason_before(ret_reason, "%s: line %d: %s: ", path, limit_file_line(text, entry),
                  entry[0] ? entry : "the file");
    json_decref(root);
    return NULL;
}

json_t *limit_file_parse(const struct limit_file *sort, const char *path, const char *text,
                         struct reason *ret_reason)
{
    char entry[FORM_PATH_BYTES], whole[2 * FORM_PATH_BYTES];
    json_error_t error;
    json_t *root = form_parse(text, strlen(text), 0, &error);
    const char *wanted = sort->section ? sort->section : FILE_GPU;
    if (root == NULL) {
        input_file_tame(error.text);
        reason_set(
            ret_reason, REASON_INPUT, "%s: line %d, column %d: %s%.100s", path, error.line,
            error.column,
            json_error_code(&error) == json_error_out_of_memory ? "" : "not JSON: ", error.text);
        file_sort_named(path, text, strlen(text), wanted, ret_reason);
        return NULL;
    }
    const bool is_section = sort->section && raw_gpu_file_gpu_file(root);
    if (is_section ? !form_check(&form_gpu_file, root, entry, ret_reason)
                   : !sort->check(root, entry, ret_reason)) {
        refuse_entry(path, text, entry, root, ret_reason);
        file_sort_named(path, text, strlen(text), is_section ? FILE_GPU : wanted, ret_reason);
        return NULL;
    }
    if (!is_section)
        return root;
    json_t *section = json_incref(json_object_get(root, sort->section));
    if (section && !sort->check(section, entry, ret_reason)) {
        snprintf(whole, sizeof whole, "%s%s%s", sort->section, entry[0] ? "." : "", entry);
        json_decref(section);
        return refuse_entry(path, text, whole, root, ret_reason);
    }
    json_decref(root);
    return section ? section : limit_file_open(sort, NULL, ret_reason);
}

json_t *limit_file_open(const struct limit_file *sort, const char *path, struct reason *ret_reason)
{
    size_t bytes;
    char *text =
        path ? input_read(INPUT_LIMITS, path, &bytes, ret_reason) : lines_join(sort->builtin_lines);
    if (text == NULL && path)
        reason_before(ret_reason, "%s: cannot be read: ", path);
    json_t *root = text ? limit_file_parse(sort, path ? path : sort->name, text, ret_reason) : NULL;
    free(text);
    return root;
}

static bool check_gpu_file(const json_t *root, char ret_path[FORM_PATH_BYTES],
                           struct reason *ret_reason)
{
    return form_check(&form_gpu_file, root, ret_path, ret_reason);
}

bool gpu_file_read(const char *path, struct gpu_row *ret, struct reason *ret_reason)
{
    static const struct limit_file sort = {.check = check_gpu_file};
    json_t *root = limit_file_open(&sort, path, ret_reason);
    const json_t *limits = field_gpu_file_limits(root), *filter = field_gpu_file_filter(root);
    if (root) {
        *ret = (struct gpu_row){
            .of = (int32_t)field_gpu_file_compute_capability(root),
            .filter = {.coordinate_bits = (int)field_gpu_filter_coordinate_bits(filter),
                       .weight_bits = (int)field_gpu_filter_weight_bits(filter),
                       .sum_bits = (int)field_gpu_filter_sum_bits(filter),
                       .halves_down = field_gpu_filter_halves_down(filter)},
            .threads = (int32_t)field_gpu_limits_threads(limits),
            .blocks = (int32_t)field_gpu_limits_blocks(limits),
            .shared_bytes = (int32_t)field_gpu_limits_shared_bytes(limits),
            .shared_unit = (int32_t)field_gpu_limits_shared_unit(limits),
            .shared_reserved = (int32_t)field_gpu_limits_reserved(limits),
        };
        snprintf(ret->gpu, sizeof ret->gpu, "%s", field_gpu_file_gpu(root));
    }
    json_decref(root);
    return root != NULL;
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
