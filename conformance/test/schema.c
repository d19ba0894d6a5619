/* Forms as a JSON schema, written as people read it: a field a line (schema.h). Clause:
 * record.schema.complete. */
#include "conformance/test/schema.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "conformance/base/array.h"

/* The forms with a name, each once, in the order in which they are met. */
struct definitions {
    const struct form **forms;
    size_t count;
    bool failed; /* no memory */
};

static void collect(struct definitions *all, const struct form *form)
{
    for (size_t index = 0; index < all->count; index++)
        if (all->forms[index] == form)
            return;
    if (form->name && !ARRAY_ROOM(all->forms, all->count)) {
        all->failed = true;
        return;
    }
    if (form->name)
        all->forms[all->count++] = form;
    if (form->items)
        collect(all, form->items);
    struct form_walk walk = form_walk(form);
    const struct form_field *field;
    while (form->fields && (field = form_next(&walk)) != NULL)
        collect(all, field->form);
    for (const struct form *const *kind = form->kinds; kind && *kind; kind++)
        collect(all, *kind);
}

static void write_text(FILE *file, const char *text)
{
    fputc('"', file);
    for (; *text; text++)
        fprintf(file, "%s%c", *text == '"' || *text == '\\' ? "\\" : "", *text);
    fputc('"', file);
}

static void write_reference(FILE *file, const struct form *form, const char *meaning);

/* "{" and what a value that is no object must be. */
static void write_value(FILE *file, const struct form *form)
{
    static const char *const names[] = {
        [JSON_ARRAY] = "array", [JSON_STRING] = "string", [JSON_INTEGER] = "integer",
        [JSON_REAL] = "number", [JSON_TRUE] = "boolean",
    };
    if (form->words || form->numbers) {
        /* "dram|l2" as ["dram", "l2"]; numbers without quotes. */
        const char *quote = form->words ? "\"" : "";
        const char *words = form->words ? form->words : form->numbers;
        fprintf(file, "{\"enum\": [");
        for (const char *at = words;; at++) {
            size_t length = strcspn(at, "|");
            fprintf(file, "%s%s%.*s%s", at == words ? "" : ", ", quote, (int)length, at, quote);
            at += length;
            if (*at == 0)
                break;
        }
        fprintf(file, "]");
        return;
    }
    fprintf(file, "{\"type\": \"%s\"", names[form->type]);
    if (form->pattern) {
        fprintf(file, ", \"pattern\": ");
        write_text(file, form->pattern);
    }
    if (form->letters_least > 0)
        fprintf(file, ", \"minLength\": %zu", form->letters_least);
    if (form->letters_most > 0)
        fprintf(file, ", \"maxLength\": %zu", form->letters_most);
    if (form->is_bounded)
        fprintf(file, ", \"%s\": %g", form->is_open ? "exclusiveMinimum" : "minimum", form->least);
    if (form->is_bounded && isfinite(form->most))
        fprintf(file, ", \"%s\": %g", form->is_open ? "exclusiveMaximum" : "maximum", form->most);
    if (form->items) {
        fprintf(file, ", \"items\": ");
        write_reference(file, form->items, NULL);
    }
}

static void write_reference(FILE *file, const struct form *form, const char *meaning)
{
    if (form->name)
        fprintf(file, "{\"$ref\": \"#/$defs/%s\"", form->name);
    else
        write_value(file, form);
    if (meaning) {
        fprintf(file, ", \"description\": ");
        write_text(file, meaning);
    }
    fprintf(file, "}");
}

static void write_required(FILE *file, const struct form *form)
{
    struct form_walk walk = form_walk(form);
    const char *before = "";
    for (const struct form_field *field; (field = form_next(&walk)) != NULL;) {
        if (field->need == FORM_OPTIONAL)
            continue;
        fprintf(file, "%s\"%s\"", before, field->name);
        before = ", ";
    }
}

static void write_fields(FILE *file, const struct form *form)
{
    struct form_walk walk = form_walk(form);
    const char *before = "";
    for (const struct form_field *field; (field = form_next(&walk)) != NULL;) {
        fprintf(file, "%s\n        \"%s\": ", before, field->name);
        write_reference(file, field->form, field->meaning);
        before = ",";
    }
}

static void write_definition(FILE *file, const struct form *form)
{
    fprintf(file, "    \"%s\": ", form->name);
    if (form->fields) {
        /* Every object is closed: what is not described is a mistake. */
        fprintf(file, "{\n");
        if (form->meaning) {
            fprintf(file, "      \"description\": ");
            write_text(file, form->meaning);
            fprintf(file, ",\n");
        }
        fprintf(file, "      \"type\": \"object\", \"additionalProperties\": false,\n"
                      "      \"required\": [");
        write_required(file, form);
        fprintf(file, "],\n      \"properties\": {");
        write_fields(file, form);
        fprintf(file, "\n      }\n    }");
        return;
    }
    write_value(file, form);
    if (form->meaning) {
        fprintf(file, ", \"description\": ");
        write_text(file, form->meaning);
    }
    fprintf(file, "}");
}

bool schema_write(FILE *file, const struct form *form, const char *title)
{
    struct definitions all = {.count = 0};
    collect(&all, form);
    fprintf(file,
            "{\n  \"$schema\": \"https://json-schema.org/draft/2020-12/schema\",\n  \"title\": ");
    write_text(file, title);
    fprintf(file, ",\n  \"description\": ");
    write_text(file, form->meaning);
    if (form->name)
        fprintf(file, ",\n  \"$ref\": \"#/$defs/%s\"", form->name);
    for (const struct form *const *kind = form->kinds; kind && *kind; kind++) {
        fprintf(file, "%s\n    ", kind == form->kinds ? ",\n  \"oneOf\": [" : ",");
        /* A kind without a name is a wrapping of one that has. */
        const char *inner = (*kind)->fields->name;
        if ((*kind)->name)
            fprintf(file, "{\"$ref\": \"#/$defs/%s\"}", (*kind)->name);
        else
            fprintf(
                file,
                "{\"type\": \"object\", \"additionalProperties\": false, \"required\": [\"%s\"], "
                "\"properties\": {\"%s\": {\"$ref\": \"#/$defs/%s\"}}}",
                inner, inner, (*kind)->fields->form->name);
    }
    fprintf(file, "%s,\n  \"$defs\": {\n", form->kinds ? "\n  ]" : "");
    for (size_t index = 0; index < all.count; index++) {
        write_definition(file, all.forms[index]);
        fprintf(file, "%s\n", index + 1 < all.count ? "," : "");
    }
    fprintf(file, "  }\n}\n");
    free(all.forms);
    return !all.failed;
}
