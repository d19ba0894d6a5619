/* Checks JSON against a schema (schema.h). */
#include "spec/suite/schema.h"

#include <regex.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

enum { DEPTH_MAX = 16 };

struct schema_check {
    const json_t *root;
    char *why;
    size_t why_bytes;
    int depth;
};

static bool holds(struct schema_check *check, const json_t *schema, const json_t *value,
                  const char *place);

__attribute__((format(printf, 3, 4))) static bool refuse(struct schema_check *check,
                                                         const char *place, const char *format, ...)
{
    va_list arguments;
    int bytes = snprintf(check->why, check->why_bytes, "%s: ", place[0] ? place : "the line");
    if (bytes < 0 || (size_t)bytes >= check->why_bytes)
        return false;
    va_start(arguments, format);
    vsnprintf(check->why + bytes, check->why_bytes - (size_t)bytes, format, arguments);
    va_end(arguments);
    return false;
}

static bool type_holds(struct schema_check *check, const json_t *rule, const json_t *value,
                       const char *place)
{
    const char *type = json_string_value(rule);
    bool right = type && ((strcmp(type, "object") == 0 && json_is_object(value)) ||
                          (strcmp(type, "array") == 0 && json_is_array(value)) ||
                          (strcmp(type, "string") == 0 && json_is_string(value)) ||
                          (strcmp(type, "integer") == 0 && json_is_integer(value)) ||
                          (strcmp(type, "number") == 0 && json_is_number(value)) ||
                          (strcmp(type, "boolean") == 0 && json_is_boolean(value)));
    return right || refuse(check, place, "is not of type %s", type ? type : "(schema is wrong)");
}

static bool const_holds(struct schema_check *check, const json_t *rule, const json_t *value,
                        const char *place)
{
    return json_equal(rule, value) || refuse(check, place, "is not the one value it must be");
}

static bool enum_holds(struct schema_check *check, const json_t *rule, const json_t *value,
                       const char *place)
{
    for (size_t index = 0; index < json_array_size(rule); index++)
        if (json_equal(json_array_get(rule, index), value))
            return true;
    return refuse(check, place, "is none of the values it may be");
}

static bool pattern_holds(struct schema_check *check, const json_t *rule, const json_t *value,
                          const char *place)
{
    regex_t regex;
    if (!json_is_string(value))
        return true;
    if (!json_is_string(rule) ||
        regcomp(&regex, json_string_value(rule), REG_EXTENDED | REG_NOSUB) != 0)
        return refuse(check, place, "the schema's pattern is wrong");
    bool right = regexec(&regex, json_string_value(value), 0, NULL, 0) == 0;
    regfree(&regex);
    return right || refuse(check, place, "`%s` does not match %s", json_string_value(value),
                           json_string_value(rule));
}

static bool length_holds(struct schema_check *check, const json_t *rule, const json_t *value,
                         const char *place, int sign)
{
    json_int_t bytes = (json_int_t)json_string_length(value);
    return !json_is_string(value) || sign * bytes >= sign * json_integer_value(rule) ||
           refuse(check, place, "has %lld bytes", (long long)bytes);
}

static bool length_least_holds(struct schema_check *check, const json_t *rule, const json_t *value,
                               const char *place)
{
    return length_holds(check, rule, value, place, 1);
}

static bool length_most_holds(struct schema_check *check, const json_t *rule, const json_t *value,
                              const char *place)
{
    return length_holds(check, rule, value, place, -1);
}

static bool minimum_holds(struct schema_check *check, const json_t *rule, const json_t *value,
                          const char *place)
{
    return !json_is_number(value) || json_number_value(value) >= json_number_value(rule) ||
           refuse(check, place, "is too small");
}

static bool required_holds(struct schema_check *check, const json_t *rule, const json_t *value,
                           const char *place)
{
    for (size_t index = 0; index < json_array_size(rule); index++) {
        const char *key = json_string_value(json_array_get(rule, index));
        if (key && !json_object_get(value, key))
            return refuse(check, place, "lacks `%s`", key);
    }
    return true;
}

/* Properties that are described hold, and (as every object of ours is closed) no other is there. */
static bool properties_hold(struct schema_check *check, const json_t *rule, const json_t *value,
                            const char *place)
{
    const char *key;
    json_t *member;
    json_object_foreach((json_t *)value, key, member)
    {
        char inner[256];
        const json_t *schema = json_object_get(rule, key);
        snprintf(inner, sizeof inner, "%s.%s", place, key);
        if (!schema)
            return refuse(check, inner, "is not known");
        if (!holds(check, schema, member, inner))
            return false;
    }
    return true;
}

static bool items_hold(struct schema_check *check, const json_t *rule, const json_t *value,
                       const char *place)
{
    for (size_t index = 0; index < json_array_size(value); index++) {
        char inner[256];
        snprintf(inner, sizeof inner, "%s[%zu]", place, index);
        if (!holds(check, rule, json_array_get(value, index), inner))
            return false;
    }
    return true;
}

/* What "#/$defs/NAME" refers to, or NULL. */
static const json_t *referred(const struct schema_check *check, const json_t *rule)
{
    static const char prefix[] = "#/$defs/";
    const char *name = json_string_value(rule);
    if (!name || strncmp(name, prefix, sizeof prefix - 1) != 0)
        return NULL;
    return json_object_get(json_object_get(check->root, "$defs"), name + sizeof prefix - 1);
}

static bool reference_holds(struct schema_check *check, const json_t *rule, const json_t *value,
                            const char *place)
{
    const json_t *schema = referred(check, rule);
    if (!schema)
        return refuse(check, place, "the schema refers to what it has not");
    return holds(check, schema, value, place);
}

/* A line is meant to be of the kind whose first required key is the line's first key. */
static bool is_meant(const struct schema_check *check, const json_t *candidate, const json_t *value)
{
    const json_t *schema = referred(check, json_object_get(candidate, "$ref"));
    const json_t *key = json_array_get(json_object_get(schema, "required"), 0);
    void *first = json_object_iter((json_t *)value);
    return first && key && strcmp(json_object_iter_key(first), json_string_value(key)) == 0;
}

static bool one_of_holds(struct schema_check *check, const json_t *rule, const json_t *value,
                         const char *place)
{
    int right = 0;
    const json_t *meant = NULL;
    for (size_t index = 0; index < json_array_size(rule); index++) {
        const json_t *candidate = json_array_get(rule, index);
        right += holds(check, candidate, value, place);
        if (is_meant(check, candidate, value))
            meant = candidate;
    }
    if (right == 0 && meant)
        return holds(check, meant, value, place);
    return right == 1 || refuse(check, place, "is of %d known kinds", right);
}

static bool says_nothing(struct schema_check *check, const json_t *rule, const json_t *value,
                         const char *place)
{
    (void)check, (void)rule, (void)value, (void)place;
    return true;
}

static bool closed_holds(struct schema_check *check, const json_t *rule, const json_t *value,
                         const char *place)
{
    (void)value;
    return json_is_false(rule) || refuse(check, place, "the schema leaves an object open");
}

static const struct {
    const char *name;
    bool (*holds)(struct schema_check *, const json_t *, const json_t *, const char *);
} keywords[] = {
    {"type", type_holds},
    {"const", const_holds},
    {"enum", enum_holds},
    {"pattern", pattern_holds},
    {"minLength", length_least_holds},
    {"maxLength", length_most_holds},
    {"minimum", minimum_holds},
    {"required", required_holds},
    {"properties", properties_hold},
    {"additionalProperties", closed_holds},
    {"items", items_hold},
    {"oneOf", one_of_holds},
    {"$ref", reference_holds},
    {"$schema", says_nothing},
    {"$defs", says_nothing},
    {"title", says_nothing},
    {"description", says_nothing},
};

static bool keyword_holds(struct schema_check *check, const char *name, const json_t *rule,
                          const json_t *value, const char *place)
{
    for (size_t index = 0; index < sizeof keywords / sizeof *keywords; index++)
        if (strcmp(keywords[index].name, name) == 0)
            return keywords[index].holds(check, rule, value, place);
    return refuse(check, place, "the schema has a keyword that is not read: %s", name);
}

static bool holds(struct schema_check *check, const json_t *schema, const json_t *value,
                  const char *place)
{
    const char *name;
    json_t *rule;
    bool right = true;
    if (check->depth == DEPTH_MAX)
        return refuse(check, place, "the schema is too deep");
    check->depth++;
    json_object_foreach((json_t *)schema, name, rule)
    {
        right = right && keyword_holds(check, name, rule, value, place);
    }
    check->depth--;
    return right;
}

bool schema_holds(const json_t *root, const json_t *value, char *why, size_t why_bytes)
{
    struct schema_check check = {root, why, why_bytes, 0};
    return holds(&check, root, value, "");
}
