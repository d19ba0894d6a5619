/* The note of a fault (fault_note.h). */
#include "cuda/host/fault_note.h"

#include <stdarg.h>
#include <stdio.h>

/* A signal handler gets no argument of ours, so the buffer is here. */
static struct {
    char *text;
    size_t bytes;
} kept;

void fault_note_keep(char *buffer, size_t bytes)
{
    kept.text = buffer;
    kept.bytes = bytes;
    if (buffer && bytes)
        buffer[0] = '\0';
}

void fault_note(const char *format, ...)
{
    if (!kept.text || kept.bytes == 0)
        return;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(kept.text, kept.bytes, format, arguments);
    va_end(arguments);
}
