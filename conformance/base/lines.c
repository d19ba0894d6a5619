/* Joining lines (lines.h). */
#include "conformance/base/lines.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

char *lines_join(const char *const *lines)
{
    size_t bytes = 1;
    for (int index = 0; lines[index]; index++)
        bytes += strlen(lines[index]) + 1;
    char *text = malloc(bytes), *end = text;
    if (text == NULL)
        return NULL;
    *text = 0;
    for (int index = 0; lines[index]; index++)
        end += sprintf(end, "%s\n", lines[index]);
    return text;
}
