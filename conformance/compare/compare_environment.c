/* What the stacks were, field by field (compare_parts.h). Clauses: compare.environment.fields,
 * compare.environment.clocks,
 * compare.coverage.less. */
#include <stdio.h>
#include <string.h>

#include "conformance/base/text.h"
#include "conformance/compare/compare_parts.h"

/* What says nothing of the stack, or is compared elsewhere. */
static const char *const header_skips[] = {
    FIELD_KEY(header, record),        FIELD_KEY(header, version),        FIELD_KEY(header, started),
    FIELD_KEY(header, cases_planned), FIELD_KEY(header, devices),        FIELD_KEY(header, paths),
    FIELD_KEY(header, kernels),       FIELD_KEY(header, devices_chosen), FIELD_KEY(header, images),
    FIELD_KEY(header, part),          FIELD_KEY(header, parts)};
static const char *const device_skips[] = {FIELD_KEY(device, label), FIELD_KEY(device, uuid)};

static bool is_among(const char *key, const char *const *keys, size_t count)
{
    for (size_t index = 0; index < count; index++)
        if (strcmp(key, keys[index]) == 0)
            return true;
    return false;
}

/* A value in words; of an object those of its fields, in the form's order. */
static void write_value(const struct form *form, const json_t *value,
                        char ret[DIFFERENCE_VALUE_BYTES])
{
    ret[0] = 0;
    if (json_is_string(value))
        snprintf(ret, DIFFERENCE_VALUE_BYTES, "%s", json_string_value(value));
    else if (json_is_integer(value))
        snprintf(ret, DIFFERENCE_VALUE_BYTES, "%lld", (long long)json_integer_value(value));
    else if (json_is_number(value))
        snprintf(ret, DIFFERENCE_VALUE_BYTES, "%.6g", json_number_value(value));
    for (const struct form_field *field = json_is_object(value) ? form->fields : NULL;
         field && field->name; field++) {
        const size_t used = strlen(ret);
        snprintf(ret + used, DIFFERENCE_VALUE_BYTES - used, "%s%.120s", used > 0 ? " " : "",
                 value_text(json_object_get(value, field->name)));
    }
}

/* "memory bytes on cuda:0", "digest of images 13.5.37": `where` is what follows the words of the
 * key. */
static void write_place(const char *key, const char *where, char ret[DIFFERENCE_PLACE_BYTES])
{
    snprintf(ret, DIFFERENCE_PLACE_BYTES, "%.64s%.64s", key, where);
    for (char *at = ret; *at && at < ret + strlen(key); at++)
        *at = *at == '_' ? ' ' : *at;
}

static bool has_item(const json_t *list, const json_t *wanted)
{
    const json_t *item;
    size_t index;
    json_array_foreach(list, index, item)
    {
        if (json_equal(item, wanted))
            return true;
    }
    return false;
}

/* Items that one list has and the other has not. A code path that the other record has not is named
 * as such, and its items are not. */
static void add_items(struct compared *compared, const struct form *form, const char *place,
                      const json_t *from, const json_t *other, bool is_base)
{
    const json_t *paths = raw_header_paths((is_base ? compared->next : compared->base)->header);
    const json_t *item;
    size_t index;
    json_array_foreach(from, index, item)
    {
        char text[DIFFERENCE_VALUE_BYTES];
        const json_t *path = form->items == &form_kernel_ptx ? raw_kernel_ptx_path(item) : NULL;
        if (has_item(other, item) || (path && !has_item(paths, path)))
            continue;
        write_value(form->items, item, text);
        compared_add(compared, DIFFERENCE_environment, place, is_base ? text : "",
                     is_base ? "" : text);
    }
}

static void compare_field(struct compared *compared, const struct form *form, const char *key,
                          const char *where, const json_t *base, const json_t *next)
{
    char place[DIFFERENCE_PLACE_BYTES], left[DIFFERENCE_VALUE_BYTES], right[DIFFERENCE_VALUE_BYTES];
    write_place(key, where, place);
    if (form->items) {
        add_items(compared, form, place, base, next, true);
        add_items(compared, form, place, next, base, false);
        return;
    }
    write_value(form, base, left);
    write_value(form, next, right);
    if (strcmp(left, right) != 0)
        compared_add(compared, DIFFERENCE_environment, place, left, right);
}

/* The fields whose names begin as the pattern says that `from` has, or those alone that `except`
 * has not. */
static void compare_keys(struct compared *compared, const struct form_field *field,
                         const char *where, const json_t *from, const json_t *except,
                         const json_t *base, const json_t *next)
{
    const char *key, *start = field->name + 1; /* "^ptx" */
    json_t *value;
    json_object_foreach((json_t *)from, key, value)
    {
        if (strncmp(key, start, strlen(start)) == 0 && strlen(key) < 64 &&
            json_object_get(except, key) == NULL)
            compare_field(compared, field->form, key, where, json_object_get(base, key),
                          json_object_get(next, key));
    }
}

/* The fields of the table, and those whose names a pattern of it matches: a record of an earlier
 * version, which lacks some, has "" there. */
static void compare_objects(struct compared *compared, const struct form *form, const char *where,
                            const json_t *base, const json_t *next, const char *const *skips,
                            size_t skip_count)
{
    for (const struct form_field *field = form->fields; field->name; field++)
        if (field->is_pattern) {
            compare_keys(compared, field, where, next, NULL, base, next);
            compare_keys(compared, field, where, base, next, base, next);
        } else if (!is_among(field->name, skips, skip_count)) {
            compare_field(compared, field->form, field->name, where,
                          json_object_get(base, field->name), json_object_get(next, field->name));
        }
}

/* The least clock under load of all that was timed on a device; 0 where nobody says. */
static uint64_t least_clock(const struct loaded_record *record, const char *label, const char *key)
{
    const struct loaded_lines *lines = &record->kinds[LOADED_BENCH];
    uint64_t least = 0;
    for (size_t index = 0; index < lines->count; index++) {
        const json_t *during = raw_sensors_during(field_result_sensors(lines->lines[index]));
        uint64_t mhz = value_count(json_object_get(during, key));
        if (strcmp(field_subject_device(lines->lines[index]), label) == 0 && mhz > 0 &&
            (least == 0 || mhz < least))
            least = mhz;
    }
    return least;
}

/* A clock that was held, or slowed, shows here; one moves by less from run to run. */
static void compare_clocks(const struct meeting *meeting)
{
    static const struct {
        const char *key, *what;
    } clocks[] = {{FIELD_KEY(reading, sm_mhz), "SM clock under load"},
                  {FIELD_KEY(reading, memory_mhz), "memory clock under load"}};
    static const double near = 0.97;
    const struct compared *compared = meeting->compared;
    for (size_t index = 0; index < sizeof clocks / sizeof clocks[0]; index++) {
        uint64_t base = least_clock(compared->base, meeting->base_label, clocks[index].key);
        uint64_t next = least_clock(compared->next, meeting->next_label, clocks[index].key);
        char place[DIFFERENCE_PLACE_BYTES], where[64], left[32], right[32];
        if (base == 0 || next == 0 ||
            ((double)next >= near * (double)base && (double)base >= near * (double)next))
            continue;
        snprintf(where, sizeof where, " on %.32s", meeting->next_label);
        write_place(clocks[index].what, where, place);
        snprintf(left, sizeof left, "%llu MHz", (unsigned long long)base);
        snprintf(right, sizeof right, "%llu MHz", (unsigned long long)next);
        compared_add(meeting->compared, DIFFERENCE_environment, place, left, right);
    }
}

/* The unit file of that name. */
static const json_t *find_images(const json_t *files, const char *name)
{
    const json_t *file;
    size_t index;
    json_array_foreach(files, index, file)
    {
        if (strcmp(field_image_file_name(file), name) == 0)
            return file;
    }
    return NULL;
}

/* Files of one name, which have the same code paths, are held against each other field by field; of
 * a file that only one has, every field is named. */
static void compare_images(struct compared *compared, const json_t *base, const json_t *next)
{
    const json_t *file;
    size_t index;
    char where[64];
    json_array_foreach(base, index, file)
    {
        const char *name = field_image_file_name(file);
        snprintf(where, sizeof where, " of images %.32s", name);
        compare_objects(compared, &form_image_file, where, file, find_images(next, name), NULL, 0);
    }
    json_array_foreach(next, index, file)
    {
        const char *name = field_image_file_name(file);
        snprintf(where, sizeof where, " of images %.32s", name);
        if (find_images(base, name) == NULL)
            compare_objects(compared, &form_image_file, where, NULL, file, NULL, 0);
    }
}

#define COUNT(array) (sizeof(array) / sizeof *(array))

void compare_headers(struct compared *compared)
{
    compare_objects(compared, &form_header, "", compared->base->header, compared->next->header,
                    header_skips, COUNT(header_skips));
    compare_images(compared, raw_header_images(compared->base->header),
                   raw_header_images(compared->next->header));
}

void compare_coverage(const struct meeting *meeting, const char *place, const json_t *base,
                      const json_t *next)
{
    const uint64_t before = field_coverage_sms(base), now = field_coverage_sms(next);
    char left[NUMBER_COUNT_BYTES], right[NUMBER_COUNT_BYTES];
    if (now > 0 && now < before)
        compared_add(meeting->compared, DIFFERENCE_sms_fewer, place,
                     number_count(before, "SM", left), number_count(now, "SM", right));
}

void compare_devices(const struct meeting *meeting)
{
    const struct compared *compared = meeting->compared;
    const json_t *base = loaded_device(compared->base, meeting->base_label);
    const json_t *next = loaded_device(compared->next, meeting->next_label);
    uint64_t before = field_device_multiprocessors(base), now = field_device_multiprocessors(next);
    char left[NUMBER_COUNT_BYTES], right[NUMBER_COUNT_BYTES], where[64];
    static const struct measure_row device = {
        .figures = {{{FIELD_KEY(device, multiprocessors)}, true},
                    {{FIELD_KEY(device, memory_bytes)}, true}}};
    entries_figures(meeting, &device, meeting->next_label, base, next);
    if (now > 0 && now < before)
        compared_add(meeting->compared, DIFFERENCE_sms_fewer, meeting->next_label,
                     number_count(before, "SM", left), number_count(now, "SM", right));
    compare_clocks(meeting);
    snprintf(where, sizeof where, " on %.32s", meeting->next_label);
    if (base && next)
        compare_objects(meeting->compared, &form_device, where, base, next, device_skips,
                        COUNT(device_skips));
}
