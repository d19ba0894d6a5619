/* Memory that is there, or the process ends (heap.h). */
#include "conformance/base/heap.h"

#include <stdio.h>
#include <unistd.h>

#include "conformance/base/reason.h"

void heap_need(bool is_there)
{
    if (is_there)
        return;
    fprintf(stderr, "assay: no memory\n");
    _exit(EXIT_STATUS_HARNESS);
}

void *heap_take(size_t count, size_t bytes)
{
    void *memory = calloc(count > 0 ? count : 1, bytes);
    heap_need(memory);
    return memory;
}

void *heap_bytes(size_t bytes)
{
    void *memory = malloc(bytes > 0 ? bytes : 1);
    heap_need(memory);
    return memory;
}

char *heap_text(const char *text)
{
    char *copy = strdup(text);
    heap_need(copy);
    return copy;
}
