/* The verdict, large, with its reason, and what was checked and what was not. Clauses:
 * report.verdict.worst, report.verdict.scope, report.verdict.no_gpu. */
#include "conformance/report/page.h"

#include <stdlib.h>
#include <string.h>

#include "conformance/report/escape.h"
#include "conformance/report/judgement.h"

/* A list of the text's lines. Takes over `text`. */
static bool put_sentences(FILE *file, const char *title, char *text, const char *otherwise)
{
    if (text == NULL)
        return false;
    fprintf(file, "<h3>%s</h3>\n", title);
    if (text[0] == 0)
        fprintf(file, "<p>%s</p>\n", otherwise);
    else
        fputs("<ul>\n", file);
    for (char *line = text; *line;) {
        size_t bytes = strcspn(line, "\n");
        char *next = line + bytes + (line[bytes] == '\n');
        line[bytes] = 0;
        fputs("<li>", file);
        escape_html(file, line);
        fputs("</li>\n", file);
        line = next;
        if (*line == 0)
            fputs("</ul>\n", file);
    }
    free(text);
    return true;
}

static void put_records(FILE *file, const struct dossier *dossier)
{
    if (dossier->count == 1)
        return;
    fputs("<ul>\n", file);
    for (size_t index = 0; index < dossier->count; index++) {
        struct judgement one;
        judge_record(&dossier->records[index], &one);
        fprintf(file, "<li><span class=\"verdict %s\">%s</span> ", verdict_name(one.verdict),
                verdict_name(one.verdict));
        escape_html(file, dossier->records[index].path);
        fputs(one.reason[0] ? ": " : "", file);
        escape_html(file, one.reason);
        fputs("</li>\n", file);
    }
    fputs("</ul>\n", file);
}

bool page_verdict(FILE *file, const struct dossier *dossier)
{
    struct judgement judgement;
    judge_dossier(dossier, &judgement);
    const char *word = verdict_name(judgement.verdict);
    fprintf(file, "<section id=\"verdict\"><div class=\"outcome %s\"><strong>%s</strong>", word,
            word);
    if (judgement.reason[0]) {
        fputs("<p>", file);
        escape_html(file, judgement.reason);
        fputs("</p>", file);
    }
    if (judge_no_gpu(dossier))
        fputs("<p>No GPU was checked.</p>", file);
    fputs("</div>\n", file);
    put_records(file, dossier);
    bool whole = put_sentences(file, "Checked", judge_checked(dossier), "Nothing.");
    whole &= put_sentences(file, "Not checked", judge_unchecked(dossier),
                           "Nothing that this version can look at.");
    fputs("</section>\n", file);
    return whole;
}
