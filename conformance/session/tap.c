/* Lines of TAP (tap.h). */
#include "conformance/session/tap.h"

#include <stdio.h>

static int lines;

/* A reader takes what follows a `#` for a directive, and a TODO there for a pass. */
static void put(const char *text)
{
    for (; *text; text++) {
        if (*text == '#' || *text == '\\')
            putchar('\\');
        putchar(*text == '\n' || *text == '\r' ? ' ' : *text);
    }
}

void tap_line(enum verdict verdict, const char *what, const char *note)
{
    bool skipped = verdict == VERDICT_SKIP;
    printf("%s - ", skipped || verdict == VERDICT_PASS ? "ok" : "not ok");
    put(what);
    if (verdict != VERDICT_PASS)
        printf("%s%s", skipped ? " # " : ": ", verdict_name(verdict));
    fputs(note[0] == 0 ? "" : skipped ? " " : ", ", stdout);
    put(note);
    putchar('\n');
    fflush(stdout);
    lines++;
}

int tap_count(void)
{
    return lines;
}

void tap_add(int count)
{
    lines += count;
}

void tap_plan(void)
{
    printf("1..%d\n", lines);
    fflush(stdout);
}
