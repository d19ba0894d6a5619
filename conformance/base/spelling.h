/* Which known word a mistyped one was meant to be: what "did you mean" needs.
 *
 *     struct spelling spelling;
 *     spelling_begin(&spelling, "basline");
 *     for each known word: spelling_try(&spelling, word);
 *     fprintf(stderr, "unknown option%s", spelling_hint(&spelling, hint));
 */
#ifndef ASSAY_CONFORMANCE_BASE_SPELLING_H
#define ASSAY_CONFORMANCE_BASE_SPELLING_H

/* Longer words are compared up to here. */
enum { SPELLING_WORD_BYTES = 64, SPELLING_HINT_BYTES = SPELLING_WORD_BYTES + 32 };

struct spelling {
    char word[SPELLING_WORD_BYTES], best[SPELLING_WORD_BYTES];
    int edits; /* from `word` to `best`; too many edits leave `best` empty */
};

void spelling_begin(struct spelling *spelling, const char *word);

/* Remembers the first of the candidates with the fewest edits: letters inserted, dropped, replaced
 * or swapped with their neighbour, at most one for every three letters of the word. A candidate of
 * three letters or more that begins the word, or is begun by it, counts as one edit. */
void spelling_try(struct spelling *spelling, const char *candidate);

/* "; did you mean --baseline?" with `prefix` "--"; "" if no candidate is near. Returns `ret_text`.
 */
const char *spelling_hint(const struct spelling *spelling, const char *prefix,
                          char ret_text[SPELLING_HINT_BYTES]);

#endif
