/* Lines of TAP (tap.h). */
#include "conformance/session/tap.h"

#include <stdlib.h>
#include <string.h>

#include "conformance/record/record_fields.h"
#include "conformance/base/text.h"

static int lines;

/* A reader takes what follows a `#` for a directive, and a TODO there for a pass. A line that
 * breaks goes on after a space. */
static void put(FILE *file, const char *text)
{
    struct written written;
    written_open(&written);
    for (size_t letters; *text; text += letters + (text[letters] != 0)) {
        char line[1024];
        letters = strcspn(text, "\r\n");
        letters = letters < sizeof line ? letters : sizeof line - 1;
        snprintf(line, sizeof line, "%.*s", (int)letters, text);
        escape_line(written.file, line, ESCAPE_LETTERS_MAX);
        if (text[letters] == '\r' || text[letters] == '\n')
            putc(' ', written.file);
    }
    char *safe = written_close(&written);
    for (const char *at = safe; *at; at++)
        fprintf(file, *at == '#' || *at == '\\' ? "\\%c" : "%c", *at);
    free(safe);
}

void tap_write(FILE *file, enum verdict verdict, const char *what, const char *note)
{
    bool skipped = verdict == VERDICT_SKIP;
    fprintf(file, "%s - ", skipped || verdict == VERDICT_PASS ? "ok" : "not ok");
    put(file, what);
    if (verdict != VERDICT_PASS)
        fprintf(file, "%s%s", skipped ? " # " : ": ", verdict_name(verdict));
    fputs(note[0] == 0 ? "" : skipped ? " " : ", ", file);
    put(file, note);
    putc('\n', file);
}

void tap_line(enum verdict verdict, const char *what, const char *note)
{
    tap_write(stdout, verdict, what, note);
    fflush(stdout);
    lines++;
}

void tap_plan(void)
{
    printf("1..%d\n", lines);
    fflush(stdout);
}
