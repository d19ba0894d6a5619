/* The form of a JSON value: a type with its bounds, or an object with its fields. Records and floor
 * files have a table of forms each (record_fields.def, floor_fields.def), which this checks values
 * by. */
#pragma once

#include <jansson.h>
#include <stdbool.h>
#include <stddef.h>

#include "conformance/base/reason.h"

/* A line without a field that is ALWAYS there is invalid. This program writes each REQUIRED field,
 * and reads lines without it. */
enum form_need { FORM_OPTIONAL, FORM_REQUIRED, FORM_ALWAYS };

/* What a field is in memory (record_fields.h). */
enum form_access {
    ACCESS_JSON,
    ACCESS_TEXT,
    ACCESS_WORD,
    ACCESS_COUNT,
    ACCESS_INTEGER,
    ACCESS_NUMBER,
    ACCESS_FLAG,
    ACCESS_VERDICT,
    ACCESS_MAYBE_COUNT,
    ACCESS_MAYBE_WORD,
    ACCESS_MAYBE_VERDICT,
    ACCESS_SPREAD,
    ACCESS_TEXTS,
    ACCESS_COUNTS,
    ACCESS_RANGES,
    ACCESS_ONE,
    ACCESS_MANY,
};

/* What a field is for, where lines are judged and compared. */
enum form_role {
    ROLE_NONE,
    ROLE_KEY,     /* lines of two records with the same keys are compared */
    ROLE_SAME,    /* with another value it is a measurement of something else */
    ROLE_RUN,     /* of this run alone: not compared as part of the stack */
    ROLE_FIGURE,  /* a number that was measured */
    ROLE_VERDICT, /* a verdict of the line */
    /* JUDGED has one of these two accesses; with another it does not compile */
    ROLE_OF_VERDICT = ROLE_VERDICT,
    ROLE_OF_MAYBE_VERDICT = ROLE_VERDICT
};
enum form_better { BETTER_NEITHER, BETTER_HIGHER, BETTER_LOWER };

struct form_field {
    const char *name;
    const struct form *form;
    enum form_need need;
    const char *meaning;
    enum form_access access;
    size_t offset; /* of its member, or of the part, in the object's struct */
    enum form_role role;
    const char *unit; /* of a figure: "GB/s" */
    enum form_better better;
    const struct form *part; /* in place of all that: its fields belong to the object */
};

struct form {
    const char *name; /* in the schema's $defs; NULL: it is written where it is used */
    const char *meaning;
    json_type type;                     /* JSON_REAL: any number */
    const char *words;                  /* of a text: those that it may be, "dram|l2" */
    const char *numbers;                /* of an integer: likewise, "1|2|4" */
    const char *pattern;                /* of a text: an extended regular expression */
    const char *is;                     /* what the pattern stands for, "YYYY-MM-DD" */
    size_t letters_least, letters_most; /* of a text; most 0: any */
    bool is_bounded, is_open;           /* of a number: from least to most; between them */
    double least, most;
    const struct form *items;        /* of an array */
    const struct form_field *fields; /* of an object; one without name and part ends them */
    size_t bytes;                    /* of an object: of its struct */
    const struct form *const *kinds; /* of a line: it is one of these; NULL ends them */
};

/* The fields of an object one after the other, those of its parts in their place:
 *
 *     struct form_walk walk = form_walk(&form_bench);
 *     for (const struct form_field *field; (field = form_next(&walk)) != NULL;)
 */
enum { FORM_PARTS_DEEP = 4 };
struct form_walk {
    const struct form_field *at[FORM_PARTS_DEEP];
    size_t base[FORM_PARTS_DEEP]; /* of the parts' structs in the object's */
    int depth;
    size_t offset; /* of the member of the field, in the object's struct */
};
static inline struct form_walk form_walk(const struct form *form)
{
    return (struct form_walk){.at = {form->fields}};
}
const struct form_field *form_next(struct form_walk *walk);

/* Reads a JSON text that others wrote, as json_loadb does, with JSON_REJECT_DUPLICATES and these
 * flags. It refuses a text whose values would take much more memory than its bytes: an empty object
 * of 3 bytes takes 224. No record and no file of limits is as dense as that. The error's code is
 * json_error_out_of_memory then. */
json_t *form_parse(const char *text, size_t bytes, size_t flags, json_error_t *ret_error);

enum { FORM_PATH_BYTES = 128 };

/* True if the value is wholly of the form. False with the path of the object that is not
 * ("gpus[0].floors[3]") and what is wrong with it. */
bool form_check(const struct form *form, const json_t *value, char ret_path[FORM_PATH_BYTES],
                struct reason *ret_reason);

/* True if the text is of the form, which is one of a text. */
bool form_has_text(const struct form *form, const char *text);

/* The kind of the line, found by its first key; NULL if it lacks what that kind always has, or fits
 * none or two. */
const struct form *form_kind(const struct form *line, const json_t *object);
