/* Text that comes from outside or goes to people: letters of UTF-8, escaping, numbers, near words.
 *
 * Text of a record, a file name or a driver's answer is anybody's text. It is written by one of the
 * escape_ functions, which leave nothing that a page or a terminal would obey or that a reader
 * would not see:
 *
 *     escape_markup(page, "<td>%s</td>", name);     // HTML
 *     escape_markdown(page, name);                  // Markdown
 *     escape_sentence(stdout, "GPU %s\n", name);    // a terminal
 *
 * Numbers are written into a buffer of the caller's, which every number_ function returns, or into
 * one that lasts as long as the block around the call:
 *
 *     printf("%s\n", NUMBER_COUNT(2, "entry"));    // "2 entries"
 *
 * None of these functions fails. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

#include "fuzz/text_line.h"

/* Letters. */

enum { UTF8_BAD = 0xfffd, UTF8_BYTES_MAX = 4 };

/* The next character of [*at, end), which is not empty; UTF8_BAD, and one byte further, if the
 * bytes are not UTF-8. */
uint32_t utf8_next(const unsigned char **at, const unsigned char *end);

/* True if [at, end) begins a character whose rest may still follow. */
bool utf8_is_cut(const unsigned char *at, const unsigned char *end);

/* How many characters the bytes have; one that is not UTF-8 is one. */
size_t utf8_letters(const char *text, size_t bytes);

/* True for controls (including C1), noncharacters and those that reverse text. */
bool utf8_is_hidden(uint32_t code);

/* Makes a line printable and valid in JSON: every byte of a hidden character, and every byte that
 * is not UTF-8, becomes '?'. */
void utf8_tame(char *text);

/* Escaping. */

/* More characters than any text that assay writes, and few enough to keep a page readable. */
enum { ESCAPE_LETTERS_MAX = 65536 };

/* As text or as an attribute's value of an XML document: markup characters become references; what
 * XML or a reader's eye must not meet (controls, bidirectional overrides, bytes that are no UTF-8)
 * becomes U+FFFD; what is too long ends in an ellipsis. */
void escape_html(FILE *file, const char *text);

/* Markup in which each %s is such a text. */
__attribute__((format(printf, 2, 3))) void escape_markup(FILE *file, const char *markup, ...);

/* Like escape_html, for text only: a name may also be broken after its '/', '_' and '.' where
 * style.css lets <wbr> do so (on paper). */
void escape_html_name(FILE *file, const char *text);

/* As text in a line of Markdown: characters that Markdown gives a meaning come after a backslash,
 * markup characters of HTML become references, and hidden ones U+FFFD. */
void escape_markdown(FILE *file, const char *text);

/* For a terminal: the same characters become '?'; at most `letters` of them are written. Returns
 * the number written. */
size_t escape_line(FILE *file, const char *text, size_t letters);

/* A sentence in which each %s is such a text, of at most 200 letters. */
__attribute__((format(printf, 2, 3))) void escape_sentence(FILE *file, const char *sentence, ...);

/* Sentences at most `columns` wide, broken at spaces; lines after the first are `indent` to the
 * right, and the first begins there. The text becomes what escape_line makes of it. */
void escape_wrap(FILE *file, const char *text, size_t indent, size_t columns);

/* A name in a column of ten, and the text after it in 80 columns. */
void escape_row(FILE *file, const char *name, const char *text);

/* Adds to the text in a buffer: `between` unless it is empty, then the rest as printf would. What
 * does not fit is cut. */
__attribute__((format(printf, 4, 5))) void text_join(char *text, size_t bytes, const char *between,
                                                     const char *format, ...);

/* The lines of the text, each after the prefix. */
void text_prefixed(FILE *file, const char *prefix, const char *text);

/* Lines that are already safe, for a terminal without UTF-8: known characters by ASCII equivalents,
 * others as '?'. */
void escape_ascii(FILE *file, const char *text);

/* A file's name in a printed command, as a word of a shell: 'it'\''s'. A character takes at most
 * four; a name that does not fit is cut. Returns `ret_text`. */
enum { SHELL_WORD_BYTES = 4 * 1024 };
const char *shell_word(const char *text, char ret_text[SHELL_WORD_BYTES]);

/* Numbers. */

enum { NUMBER_TEXT_BYTES = 32, NUMBER_COUNT_BYTES = 64 };

/* A count with its noun, given in the singular: "1 case", "25,039 cases", "0 tries"
 * (report.text.counts). */
const char *number_count(uint64_t count, const char *one, char ret_text[NUMBER_COUNT_BYTES]);

/* Thousands apart: "25,039". */
const char *number_whole(uint64_t number, char ret_text[NUMBER_TEXT_BYTES]);

/* Four significant digits, thousands apart: "4,249", "478.2", "0.0394". */
const char *number_short(double value, char ret_text[NUMBER_TEXT_BYTES]);

/* "60 MiB", "4 KiB", "384 B". */
const char *number_bytes(double bytes, char ret_text[NUMBER_TEXT_BYTES]);

/* The same of a count: "16 Mi", "384". */
const char *number_binary(double count, char ret_text[NUMBER_TEXT_BYTES]);

/* A detected loss, in steps of a tenth and rounded up: 0.1862 is "-18.7 %"; "" for 0. */
const char *number_loss(double loss, char ret_text[NUMBER_TEXT_BYTES]);

/* The same without a buffer of the caller's: the text lasts as long as the block around the call.
 */
#define NUMBER_COUNT(count, one) number_count(count, one, (char[NUMBER_COUNT_BYTES]){0})
#define NUMBER_WHOLE(number)     number_whole(number, (char[NUMBER_TEXT_BYTES]){0})
#define NUMBER_SHORT(value)      number_short(value, (char[NUMBER_TEXT_BYTES]){0})
#define NUMBER_BYTES(bytes)      number_bytes(bytes, (char[NUMBER_TEXT_BYTES]){0})
#define NUMBER_LOSS(loss)        number_loss(loss, (char[NUMBER_TEXT_BYTES]){0})

/* Which known word a mistyped one was meant to be: what "did you mean" needs.
 *
 *     struct spelling spelling;
 *     spelling_begin(&spelling, "basline");
 *     for each known word: spelling_try(&spelling, word);
 *     fprintf(stderr, "unknown option%s", spelling_hint(&spelling, "--", hint));
 *
 * Longer words are compared up to SPELLING_WORD_BYTES. */
enum { SPELLING_WORD_BYTES = 64, SPELLING_HINT_BYTES = SPELLING_WORD_BYTES + 32 };

struct spelling {
    char word[SPELLING_WORD_BYTES], best[SPELLING_WORD_BYTES];
    int edits; /* from `word` to `best`; too many edits leave `best` empty */
};

void spelling_begin(struct spelling *spelling, const char *word);

/* Keeps the first candidate with the fewest edits: letters inserted, dropped, replaced or swapped
 * with their neighbour, at most one for every three letters of the word. A candidate of three
 * letters or more that is a prefix of the word, or has it as a prefix, counts as one edit. */
void spelling_try(struct spelling *spelling, const char *candidate);

/* "; did you mean --baseline?" with `prefix` "--"; "" if no candidate is close. Returns
 * `ret_text`. */
const char *spelling_hint(const struct spelling *spelling, const char *prefix,
                          char ret_text[SPELLING_HINT_BYTES]);

/* FNV-1a of 64 bits, of more bytes: TEXT_FNV1A is that of none. */
#define TEXT_FNV1A UINT64_C(0xcbf29ce484222325)
uint64_t text_fnv1a(uint64_t digest, const void *bytes, size_t count);

/* Text that travels in the program (lines_builtin.c.in) is a string a line, as a compiler need not
 * take one of more than 4,095 letters. Returns the lines as one text, each ended, for free(). */
char *lines_join(const char *const *lines);
