/* The table of fields, and lines compared with rows of it (written_lines.h). */
#include "conformance/test/written_lines.h"

#include "conformance/test/made_bench.h"

/* The test that has the lines of a kind. */
static const char *const tests[RECORD_KIND_COUNT] = {
    [RECORD_bench] = "speed_lines",      [RECORD_ceiling] = "speed_lines",
    [RECORD_peak] = "speed_lines",       [RECORD_latency] = "speed_lines",
    [RECORD_relation] = "speed_lines",   [RECORD_sweep] = "speed_lines",
    [RECORD_program] = "program_lines",  [RECORD_known] = "program_lines",
    [RECORD_programs] = "program_lines", [RECORD_operations] = "program_lines",
    [RECORD_bits] = "summary_lines",     [RECORD_coverage] = "summary_lines",
    [RECORD_cases] = "summary_lines",    [RECORD_codegen] = "summary_lines",
    [RECORD_summary] = "summary_lines",  [RECORD_header] = "record_lines",
    [RECORD_device] = "record_lines",    [RECORD_gaps] = "record_lines",
    [RECORD_finding] = "record_lines",   [RECORD_reduced] = "record_lines",
    [RECORD_gate] = "record_lines",      [RECORD_end] = "record_lines",
    [RECORD_lines_of] = "record_lines",
};

/* Fields that no row has, of any line, and what checks them instead. */
static const struct made_field untested[] = {
    {"header/images/*", "images.sh compares all fields of an images file's entry"},
    {"bench/sector_bytes", "bench_line_shaped writes it as for sweep/sector_bytes"},
    {"bench/memory_bytes", "likewise"},
    {"device/ptx/*",
     "what was compiled into the program decides; test path has each path's target"},
    {"device/kernels/*", "likewise; make_device compares those that there are"},
};

struct options made_options;
struct session made_session;

void made_session_open(void)
{
    made_options = (struct options){.seed = 0xabcdef0123456789, .tier = TIER_HUGE};
    made_session = (struct session){.options = &made_options, .device_count = 2};
    made_session.devices[0] = (struct session_device){.label = "cuda:0", .opened = true};
    made_session.devices[1] = (struct session_device){.label = "cuda:1", .opened = true};
    made_session.devices[1].info = made_gpu(90);
    made_session.devices[1].info.limits.multiprocessor_count = 133;
    sm_limits_of(90, &made_session.devices[1].info.sm);
}

enum { PATH_BYTES = 160, LEAVES_MAX = 256 };

/* The object that the rows say. */
static json_t *expected_of(const struct made_line *it, const json_t *known)
{
    json_t *expected = json_deep_copy(known);
    json_error_t error;
    char text[8192];
    ck_assert_uint_lt((size_t)snprintf(text, sizeof text, "{%s}", it->fields), sizeof text);
    for (char *at = text; (at = strchr(at, '`')) != NULL;)
        *at = '"';
    json_t *fields = json_loads(text, 0, &error);
    ck_assert_msg(fields != NULL, "%s: %s", error.text, text);
    ck_assert_int_eq(json_object_update_new(expected, fields), 0);
    return expected;
}

static void fail_at(const char *path, const char *problem, const json_t *got,
                    const json_t *expected)
{
    char *left = got ? json_dumps(got, JSON_ENCODE_ANY | JSON_COMPACT) : NULL;
    char *right = expected ? json_dumps(expected, JSON_ENCODE_ANY | JSON_COMPACT) : NULL;
    ck_abort_msg("%s %s: written %s, expected %s", path, problem, left ? left : "nothing",
                 right ? right : "nothing");
}

/* Numbers of one type are equal but for the last bits of their units' conversion. */
static bool is_equal(const json_t *got, const json_t *expected)
{
    if (json_typeof(got) != JSON_REAL || json_typeof(expected) != JSON_REAL)
        return json_equal(got, expected) != 0;
    const double apart = json_real_value(got) - json_real_value(expected);
    const double most = 1e-12 * json_real_value(expected);
    return apart <= most && -apart <= most;
}

static void compare(const char *path, const json_t *got, const json_t *expected)
{
    char below[PATH_BYTES];
    const char *key;
    json_t *value;
    size_t index;
    if (json_is_object(got) && json_is_object(expected)) {
        json_object_foreach((json_t *)got, key, value) {
            snprintf(below, sizeof below, "%s/%s", path, key);
            if (json_object_get(expected, key) == NULL)
                fail_at(below, "has no row", value, NULL);
            compare(below, value, json_object_get(expected, key));
        }
        json_object_foreach((json_t *)expected, key, value) {
            snprintf(below, sizeof below, "%s/%s", path, key);
            if (json_object_get(got, key) == NULL)
                fail_at(below, "is left out", NULL, value);
        }
    } else if (json_is_array(got) && json_is_array(expected) &&
               json_array_size(got) == json_array_size(expected)) {
        json_array_foreach(got, index, value) {
            snprintf(below, sizeof below, "%s/%zu", path, index);
            compare(below, value, json_array_get(expected, index));
        }
    } else if (!is_equal(got, expected)) {
        fail_at(path, "differs", got, expected);
    }
}

/* The values of a line one by one, and the paths of their fields, without the numbers of
 * elements. */
struct leaves {
    size_t count;
    struct leaf {
        char path[PATH_BYTES];
        const json_t *value;
    } items[LEAVES_MAX];
};

static void add_leaves(struct leaves *leaves, const char *path, const json_t *value)
{
    char below[PATH_BYTES];
    const char *key;
    json_t *member;
    size_t index;
    if (json_is_object(value)) {
        json_object_foreach((json_t *)value, key, member) {
            snprintf(below, sizeof below, "%s%s%s", path, path[0] ? "/" : "", key);
            add_leaves(leaves, below, member);
        }
    } else if (json_is_object(json_array_get(value, 0))) {
        json_array_foreach(value, index, member)
            add_leaves(leaves, path, member);
    } else {
        ck_assert_uint_lt(leaves->count, LEAVES_MAX);
        struct leaf *leaf = &leaves->items[leaves->count++];
        snprintf(leaf->path, sizeof leaf->path, "%s", path);
        leaf->value = value;
    }
}

static const char *last_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

/* Two fields with one value could be swapped unseen. Verdicts, flags, empty texts and fields of
 * one name in two objects may be equal. */
static void check_distinct(const char *line, const struct leaves *leaves)
{
    for (size_t index = 0; index < leaves->count; index++)
        for (size_t other = 0; other < index; other++) {
            const struct leaf *left = &leaves->items[index], *right = &leaves->items[other];
            const bool is_alike = strcmp(last_name(left->path), last_name(right->path)) == 0;
            if (json_equal(left->value, right->value) && !json_is_boolean(left->value) &&
                (!json_is_string(left->value) || json_string_length(left->value) > 0) &&
                strcmp(value_text(left->value), "unknown") != 0 && /* of this machine or build */
                value_verdict(left->value) == VERDICT_COUNT && !is_alike)
                ck_abort_msg("%s: %s and %s have one value", line, left->path, right->path);
        }
}

/* The form of a line's object: of a kind that wraps it, that of its one field. */
static const struct form *object_form(enum record_kind kind, const char **ret_name, bool *ret_wraps)
{
    const struct form *form = record_line_form.kinds[kind];
    *ret_wraps = form->name == NULL && form->fields[0].form && form->fields[0].form->fields &&
                 form->fields[1].name == NULL && form->fields[1].part == NULL;
    *ret_name = *ret_wraps ? form->fields[0].name : form->name;
    return *ret_wraps ? form->fields[0].form : form;
}

static bool is_untested(const char *line, const char *path)
{
    char whole[PATH_BYTES + 32];
    snprintf(whole, sizeof whole, "%s/%s", line, path);
    for (size_t index = 0; index < sizeof untested / sizeof untested[0]; index++) {
        const char *field = untested[index].name;
        const size_t letters = strcspn(field, "*");
        if (field[letters] ? strncmp(whole, field, letters) == 0 : strcmp(whole, field) == 0)
            return true;
    }
    return false;
}

/* Every field of the form has a value in some line. */
static void check_covered(const char *line, const char *path, const struct form *form,
                          const struct leaves *leaves)
{
    struct form_walk walk = form_walk(form);
    for (const struct form_field *field; (field = form_next(&walk)) != NULL;) {
        char below[PATH_BYTES];
        const struct form *of = field->form && field->form->items && field->form->items->fields
                                    ? field->form->items
                                    : field->form;
        snprintf(below, sizeof below, "%s%s%s", path, path[0] ? "/" : "", field->name);
        if (of && of->fields) {
            check_covered(line, below, of, leaves);
            continue;
        }
        bool is_there = is_untested(line, below);
        for (size_t index = 0; index < leaves->count && !is_there; index++)
            is_there = strcmp(leaves->items[index].path, below) == 0;
        ck_assert_msg(is_there, "field %s of line %s has no row", below, line);
    }
}

void made_lines_check(const char *test, const struct made_line *lines, size_t count)
{
    for (int kind = 0; kind < RECORD_KIND_COUNT; kind++) {
        static struct leaves all, own;
        const char *name;
        bool wraps;
        const struct form *form = object_form((enum record_kind)kind, &name, &wraps);
        ck_assert_msg(tests[kind] != NULL, "line %s has no test", name);
        if (strcmp(tests[kind], test) != 0)
            continue;
        json_t *kept = json_array(); /* what leaves point into */
        all.count = 0;
        for (const struct made_line *it = lines; it < lines + count; it++) {
            if (it->kind != (enum record_kind)kind)
                continue;
            char path[FORM_PATH_BYTES];
            struct reason reason;
            json_t *known = json_object();
            json_t *line = it->make(known);
            json_t *expected = expected_of(it, known);
            compare(name, wraps ? json_object_get(line, name) : line, expected);
            ck_assert_msg(form_check(record_line_form.kinds[kind], line, path, &reason),
                          "%s: %s: %s", name, path, reason.text);
            own.count = 0;
            add_leaves(&own, "", expected);
            if (all.count == 0)
                check_distinct(name, &own);
            add_leaves(&all, "", expected);
            json_array_append_new(kept, expected);
            json_decref(known);
            json_decref(line);
        }
        check_covered(name, "", form, &all);
        json_decref(kept);
    }
}
