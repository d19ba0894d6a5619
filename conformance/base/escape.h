/* Text of a record is anybody's text: how it becomes part of a page or of a terminal's line. */
#ifndef ASSAY_CONFORMANCE_BASE_ESCAPE_H
#define ASSAY_CONFORMANCE_BASE_ESCAPE_H

#include <stddef.h>
#include <stdio.h>

/* More characters than any text that assay writes has, and few enough that a page stays a page. */
enum { ESCAPE_LETTERS_MAX = 65536 };

/* As text or as an attribute's value of an XML document: markup characters become references; what
 * XML or a reader's eye must not meet (controls, bidirectional overrides, bytes that are no UTF-8)
 * becomes U+FFFD; what is too long ends in an ellipsis. */
void escape_html(FILE *file, const char *text);

/* Markup in which each %s is such a text. */
__attribute__((format(printf, 2, 3))) void escape_markup(FILE *file, const char *markup, ...);

/* The same as text alone, and a name may be broken after its '/', '_' and '.' where style.css has
 * <wbr> do so: on paper. */
void escape_html_name(FILE *file, const char *text);

/* As text in a line of Markdown: characters that Markdown gives a meaning come after a backslash,
 * markup characters of HTML become references, and hidden ones U+FFFD. */
void escape_markdown(FILE *file, const char *text);

/* For a terminal: the same characters become '?'; at most `letters` of them are written. Returns
 * how many were. */
size_t escape_line(FILE *file, const char *text, size_t letters);

/* A sentence in which each %s is such a text, of at most 200 of them. */
__attribute__((format(printf, 2, 3))) void escape_sentence(FILE *file, const char *sentence, ...);

/* Sentences at most `columns` wide, broken at spaces; lines after the first are `indent` to the
 * right, and the first begins there. The text is as escape_line leaves it. */
void escape_wrap(FILE *file, const char *text, size_t indent, size_t columns);

/* Lines that are safe already, for a terminal without UTF-8: known letters by their like, others
 * as '?'. */
void escape_ascii(FILE *file, const char *text);

#endif
