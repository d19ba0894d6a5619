/* Lines of TAP (tap_lines.h). */
#include "conformance/session/tap_lines.h"

#include <stdio.h>
#include <string.h>

static int number; /* TAP counts its lines; a process writes one report */

/* A reader takes what follows a `#` for a directive, and a TODO there for a pass. */
static void put_text(const char *text)
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
    printf("%s %d - ", skipped || verdict == VERDICT_PASS ? "ok" : "not ok", ++number);
    put_text(what);
    if (verdict != VERDICT_PASS)
        printf("%s%s", skipped ? " # " : ": ", verdict_name(verdict));
    fputs(note[0] == 0 ? "" : skipped ? " " : ", ", stdout);
    put_text(note);
    putchar('\n');
    fflush(stdout);
}

bool tap_has_lines(void)
{
    return number > 0;
}

bool tap_again(const char *line)
{
    const char *words = strncmp(line, "not ", 4) == 0 ? line + 4 : line;
    const size_t digits = strncmp(words, "ok ", 3) == 0 ? strspn(words + 3, "0123456789") : 0;
    if (digits > 0)
        printf("%.*s%d%s", (int)(words + 3 - line), line, ++number, words + 3 + digits);
    return digits > 0;
}

void tap_plan(void)
{
    printf("1..%d\n", number);
    fflush(stdout);
}
