/* A document as one line of at most 120 characters (reporter.h), for a drain reason, the subject of
 * a mail, or Nagios: printable ASCII without a vertical bar, where Nagios begins its figures.
 * Clause: report.line.fits. */
#include "conformance/report/reporter.h"

#include <string.h>

#include "conformance/base/meaning.h"

enum { LINE_LETTERS = 120, HOST_LETTERS = 40 };

/* Appends words while they fit, with room for `after` that follows; the rest is cut at a word, and
 * "..." says so. */
static void add_words(char *line, const char *between, const char *words, size_t after)
{
    const size_t used = strlen(line) + strlen(between), room = LINE_LETTERS - after;
    size_t letters = strlen(words);
    if (words[0] == 0 || used + 4 > room)
        return;
    if (used + letters > room) {
        for (letters = room - used - 3; letters > 0 && words[letters] != ' '; letters--)
            ;
        if (letters == 0)
            return;
        sprintf(line + strlen(line), "%s%.*s...", between, (int)letters, words);
        return;
    }
    sprintf(line + strlen(line), "%s%s", between, words);
}

static void tame(char *line)
{
    for (; *line; line++)
        if (*line < ' ' || *line > '~' || *line == '|')
            *line = '?';
}

static void end(struct report *report, const struct document *document)
{
    char line[LINE_LETTERS + 1], action[32] = "", what[2 * ASSESSMENT_REASON_BYTES];
    const struct document_finding *first = NULL;
    for (size_t at = 0; at < document->finding_count && first == NULL; at++)
        first = verdict_is_failure(document->findings[at].verdict) ? &document->findings[at] : NULL;
    const bool is_failure = meaning_of(document->verdict)->drains;
    if (is_failure && document->action != ACTION_NONE)
        snprintf(action, sizeof action, "; %s", action_words[document->action]);
    snprintf(line, sizeof line, "assay %s%s%.*s", verdict_name(document->verdict),
             document->host[0] ? " " : "", HOST_LETTERS, document->host);
    if (is_failure && first)
        snprintf(what, sizeof what, "%s: %s%s%s", NUMBER_COUNT(document->failures, "failure"),
                 first->what, first->how[0] ? ": " : "", first->how);
    else
        snprintf(what, sizeof what, "%s%s", document->reason,
                 document->has_gpu     ? ""
                 : document->reason[0] ? "; no GPU was checked"
                                       : "no GPU was checked");
    add_words(line, ": ", what, strlen(action));
    strcat(line, action);
    tame(line);
    fprintf(report->file, "%s\n", line);
}

const struct reporter reporter_line = {.name = "line", .end = end};
