/* Two records made of one (made_pair.h). */
#include "conformance/test/made_pair.h"

#include "conformance/test/ended.h"
#include "conformance/test/made_lines.h"

/* Where a path leads: the value that holds its last part. */
static json_t *holder_of(json_t *record, const char *path, char ret_last[32])
{
    json_t *at = record;
    for (;;) {
        size_t letters = strcspn(path, "/"), index;
        snprintf(ret_last, 32, "%.*s", (int)letters, path);
        if (strcmp(ret_last, "last") == 0)
            snprintf(ret_last, 32, "%zu", json_array_size(at) - 1);
        if (path[letters] == 0)
            return at;
        index = strtoul(ret_last, NULL, 10);
        at = json_is_array(at) ? json_array_get(at, index) : json_object_get(at, ret_last);
        ck_assert_msg(at != NULL, "no %s", path);
        path += letters + 1;
    }
}

static void carry_out(json_t *record, const struct edit *edit)
{
    char last[32];
    json_t *holder = holder_of(record, edit->path, last);
    json_t *value = edit->value ? json_loads(edit->value, JSON_DECODE_ANY, NULL) : NULL;
    size_t index = strtoul(last, NULL, 10);
    ck_assert_msg(value || !edit->value, "%s", edit->value);
    if (value == NULL && json_is_array(holder))
        ck_assert_int_eq(json_array_remove(holder, index), 0);
    else if (value == NULL)
        ck_assert_int_eq(json_object_del(holder, last), 0);
    else if (json_is_array(holder) && index >= json_array_size(holder))
        ck_assert_int_eq(json_array_append_new(holder, value), 0);
    else if (json_is_array(holder))
        ck_assert_int_eq(json_array_set_new(holder, index, value), 0);
    else
        ck_assert_int_eq(json_object_set_new(holder, last, value), 0);
}

static void release_loaded(void *loaded)
{
    loaded_close(loaded);
}

struct loaded *made_loaded(void)
{
    struct loaded *loaded = testing_new(sizeof *loaded);
    testing_keep(loaded, release_loaded);
    return loaded;
}

void made_loaded_add(struct loaded *loaded, const char *path, const char *text)
{
    struct reason reason = {.text = ""};
    size_t bytes;
    char *ended = ended_text(text, strlen(text), &bytes);
    testing_keep(ended, free);
    ck_assert_msg(loaded_parse(loaded, path, ended, bytes, &reason), "%s", reason.text);
}

void made_pair_add(struct loaded *loaded, json_t *record, const char *path)
{
    made_loaded_add(loaded, path, made_lines_text(record));
}

void made_pair_edit(json_t *record, const struct edit *edits, int side)
{
    for (const struct edit *edit = edits; edit && edit->of != NONE; edit++)
        if (edit->of == BOTH || (int)edit->of == side)
            carry_out(record, edit);
}

struct loaded *made_pair(json_t *(*make)(void), const struct edit *edits)
{
    struct loaded *loaded = made_loaded();
    for (int side = BASE; side <= NEW; side++) {
        json_t *record = make();
        made_pair_edit(record, edits, side);
        made_pair_add(loaded, record, side == BASE ? "before" : "after");
        json_decref(record);
    }
    return loaded;
}

static void release_set(void *set)
{
    comparison_close(set);
}

struct comparison_set *made_set(const struct loaded *loaded)
{
    struct comparison_set *set = testing_new(sizeof *set);
    comparison_open(set, loaded, loaded->records, NULL, 0);
    testing_keep(set, release_set);
    return set;
}

struct made_comparison made_comparison(json_t *(*make)(void), const struct edit *edits)
{
    struct made_comparison pair = {.loaded = made_pair(make, edits)};
    pair.set = made_set(pair.loaded);
    pair.it = &pair.set->compared;
    return pair;
}

json_t *made_pair_code(void)
{
    json_t *record = made_lines_bench();
    json_t *line = json_array_get(record, 3), *bench = json_incref(json_object_get(line, "bench"));
    json_object_update_new(bench,
                           json_pack("{s:s, s:i, s:i, s:i, s:i, s:s}", "function", "f", "registers",
                                     32, "local_bytes", 0, "shared_bytes", 0, "code_bytes", 1024,
                                     "code_xxh3_64", "8899aabbccddeeff"));
    json_object_clear(line);
    json_object_set_new(line, "codegen", bench);
    return record;
}

void made_pair_set(struct loaded_record *record, enum record_kind kind, const char *field,
                   const char *value)
{
    struct loaded_lines *lines = &record->kinds[kind];
    json_t *object = line_object(lines->each[0]);
    json_object_set_new(object, field, json_loads(value, JSON_DECODE_ANY, NULL));
    lines->each[0] = line_read(&record->zone, kind, object);
    json_decref(object);
}

struct line_header *made_pair_header(struct loaded_record *record)
{
    return (struct line_header *)record->header;
}

struct line_summary *made_pair_summary(struct loaded_record *record)
{
    return (struct line_summary *)record->summary;
}
