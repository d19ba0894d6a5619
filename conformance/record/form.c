/* Checks values by their forms (form.h). Clauses: record.schema.complete, record.form.checked. */
#include "conformance/record/form.h"

#include <pthread.h>
#include <regex.h>
#include <stdarg.h>
#include <stdint.h>
#include <string.h>

#include "conformance/base/heap.h"
#include "conformance/base/input_file.h"

/* The path is that of the object that is looked at, and stays there when something is wrong. */
struct form_check {
    char *path; /* char[FORM_PATH_BYTES] */
    struct reason *reason;
};

__attribute__((format(printf, 2, 3))) static bool refuse(struct form_check *check,
                                                         const char *format, ...)
{
    char text[REASON_TEXT_BYTES];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    input_file_tame(text);
    return reason_set(check->reason, REASON_INPUT, "%s", text);
}

/* The memory of a text's values, in units that a number takes: an object takes four, an array two.
 * Stops counting at `most`. */
static size_t weigh(const char *text, size_t bytes, size_t most)
{
    size_t weight = 0;
    bool is_string = false;
    for (size_t at = 0; at < bytes && weight <= most; at++) {
        const char letter = text[at];
        if (is_string) {
            at += letter == '\\';
            is_string = letter != '"';
            continue;
        }
        is_string = letter == '"';
        weight += letter == '{' ? 4 : letter == '[' ? 2 : letter == ',';
    }
    return weight;
}

json_t *form_parse(const char *text, size_t bytes, size_t flags, json_error_t *ret_error)
{
    /* A text may have this many values whatever its size, and one more for every four bytes. */
    enum { WEIGHT_FREE = 1 << 16, BYTES_A_WEIGHT = 4 };
    const size_t most = WEIGHT_FREE + bytes / BYTES_A_WEIGHT;
    /* No letter weighs more than a brace. */
    if (bytes <= WEIGHT_FREE / 4 || weigh(text, bytes, most) <= most)
        return json_loadb(text, bytes, JSON_REJECT_DUPLICATES | flags, ret_error);
    *ret_error = (json_error_t){.line = 1, .column = 1};
    snprintf(ret_error->text, sizeof ret_error->text,
             "too many values for its %zu bytes: they would take much more memory", bytes);
    ret_error->text[sizeof ret_error->text - 1] = json_error_out_of_memory; /* its place */
    return NULL;
}

static bool is_type(const json_t *value, json_type type)
{
    if (type == JSON_REAL)
        return json_is_number(value);
    return type == JSON_TRUE ? json_is_boolean(value) : value && json_typeof(value) == type;
}

/* True if one of the words between bars is the text. */
static bool has_word(const char *words, const char *text)
{
    size_t letters = strlen(text);
    for (const char *at = words;; at++) {
        size_t length = strcspn(at, "|");
        if (length == letters && strncmp(at, text, letters) == 0)
            return true;
        at += length;
        if (*at == 0)
            return false;
    }
}

/* Patterns are texts of the tables of forms, so that a pointer says which one it is. Compiling one
 * takes longer than the rest of a line's check: each is compiled once, and kept in a list. */
struct kept_pattern {
    const char *pattern;
    regex_t regex;
    struct kept_pattern *next;
};

static const regex_t *find_regex(const char *pattern)
{
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    static struct kept_pattern *first;
    pthread_mutex_lock(&lock);
    struct kept_pattern *it = first;
    while (it && it->pattern != pattern)
        it = it->next;
    if (it == NULL) {
        it = heap_take(1, sizeof *it);
        it->pattern = pattern;
        heap_need(regcomp(&it->regex, pattern, REG_EXTENDED | REG_NOSUB) == 0);
        it->next = first;
        first = it;
    }
    pthread_mutex_unlock(&lock);
    return &it->regex;
}

static bool matches(const char *pattern, const char *text)
{
    return regexec(find_regex(pattern), text, 0, NULL, 0) == 0;
}

const struct form_field *form_next(struct form_walk *walk)
{
    while (walk->depth >= 0) {
        const struct form_field *field = walk->at[walk->depth];
        walk->at[walk->depth] += field->name || field->part;
        walk->offset = walk->base[walk->depth] + field->offset;
        if (field->name)
            return field;
        walk->depth += field->part ? 1 : -1;
        if (field->part) {
            walk->at[walk->depth] = field->part->fields;
            walk->base[walk->depth] = walk->offset;
        }
    }
    return NULL;
}

/* The field of that name, or NULL. */
static const struct form_field *find_field(const struct form *form, const char *name)
{
    struct form_walk walk = form_walk(form);
    const struct form_field *field;
    while ((field = form_next(&walk)) != NULL)
        if (strcmp(field->name, name) == 0)
            break;
    return field;
}

static bool check_value(struct form_check *check, const struct form *form, const char *name,
                        const json_t *value);

/* Goes down to an object, and back up where nothing is wrong. */
static bool check_object(struct form_check *check, const struct form *form, const char *name,
                         const json_t *value)
{
    const size_t length = strlen(check->path);
    const char *key;
    json_t *member;
    snprintf(check->path + length, FORM_PATH_BYTES - length, "%s%s", length && name[0] ? "." : "",
             name);
    if (!json_is_object(value))
        return refuse(check, "is not an object");
    json_object_foreach((json_t *)value, key, member) {
        const struct form_field *field = find_field(form, key);
        if (field == NULL)
            return refuse(check, "%.40s is an unknown name or unit", key);
        if (!check_value(check, field->form, key, member))
            return false;
    }
    struct form_walk walk = form_walk(form);
    for (const struct form_field *field; (field = form_next(&walk)) != NULL;)
        if (field->need != FORM_OPTIONAL && json_object_get(value, field->name) == NULL)
            return refuse(check, "has no %s", field->name);
    check->path[length] = 0;
    return true;
}

static bool check_value(struct form_check *check, const struct form *form, const char *name,
                        const json_t *value)
{
    size_t index;
    const json_t *item;
    if (form->type == JSON_OBJECT && form->fields) /* else its reader checks what is in it */
        return check_object(check, form, name, value);
    if (!is_type(value, form->type))
        return refuse(check, "%s is of the wrong type", name);
    json_array_foreach(value, index, item) {
        char place[FORM_PATH_BYTES];
        snprintf(place, sizeof place, "%s[%zu]", name, index);
        if (!check_value(check, form->items, place, item))
            return false;
    }
    if (form->type == JSON_STRING) {
        const char *text = json_string_value(value);
        const size_t letters = json_string_length(value);
        if (form->words && !has_word(form->words, text))
            return refuse(check, "%s is %.60s, not %s", name, text, form->words);
        if (letters < form->letters_least || (form->letters_most && letters > form->letters_most))
            return refuse(check, "%s has %zu bytes", name, letters);
        if (form->pattern && !matches(form->pattern, text))
            return refuse(check, "%s is %.60s, not %s", name, text,
                          form->is ? form->is : form->pattern);
    } else if (json_is_number(value)) {
        const double number = json_number_value(value);
        char text[32];
        snprintf(text, sizeof text, "%.0f", number);
        if (form->numbers && !has_word(form->numbers, text))
            return refuse(check, "%s is %s, not %s", name, text, form->numbers);
        const bool is_within = form->is_open ? number > form->least && number < form->most
                                             : number >= form->least && number <= form->most;
        if (form->is_bounded && !is_within)
            return refuse(check, "%s is %g, outside %c%g, %g%c", name, number,
                          form->is_open ? '(' : '[', form->least, form->most,
                          form->is_open ? ')' : ']');
    }
    return true;
}

bool form_check(const struct form *form, const json_t *value, char ret_path[FORM_PATH_BYTES],
                struct reason *ret_reason)
{
    struct form_check check = {.path = ret_path, .reason = ret_reason};
    ret_path[0] = 0;
    if (form->kinds) {
        form = form_kind(form, value);
        if (form == NULL)
            return refuse(&check, "is of no kind, or of two");
    }
    return check_value(&check, form, "", value);
}

bool form_has_text(const struct form *form, const char *text)
{
    return (form->words == NULL || has_word(form->words, text)) &&
           (form->pattern == NULL || matches(form->pattern, text));
}

/* True if the object has the key that a kind of line begins with. */
static bool begins(const struct form *kind, const json_t *object)
{
    return is_type(json_object_get(object, kind->fields->name), kind->fields->form->type);
}

const struct form *form_kind(const struct form *line, const json_t *object)
{
    const struct form *found = NULL;
    for (const struct form *const *kind = line->kinds; *kind; kind++) {
        if (!begins(*kind, object))
            continue;
        if (found) /* of two kinds it could be read as the better one */
            return NULL;
        found = *kind;
    }
    /* What such a line always has must be there, of its type. */
    struct form_walk walk = found ? form_walk(found) : (struct form_walk){.depth = -1};
    for (const struct form_field *field; (field = form_next(&walk)) != NULL;)
        if (field->need == FORM_ALWAYS &&
            !is_type(json_object_get(object, field->name), field->form->type))
            return NULL;
    return found;
}
