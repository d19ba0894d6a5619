/* The line of a value in a JSON text (limit_file.h), so that a wrong entry can be found. The text
 * has been read as JSON before. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "conformance/record/limit_file.h"

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

/* The value of member `key`, or of element `index` where key is NULL; NULL where there is none. */
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
