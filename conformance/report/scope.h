/* In sentences, what records show was checked, and what was not. */
#pragma once

#include <stdio.h>

#include "conformance/report/loaded.h"

/* Writes sentences, one a line of text, made safe for a terminal (text.h). */
typedef void scope_sentences(FILE *file, const struct loaded *loaded);
scope_sentences scope_checked, scope_unchecked;

/* Writes the kernels of this version that nothing ran of: "aat/naive, aat/tiled". Returns how many
 * there are. */
size_t scope_kernels(FILE *file, const struct loaded *loaded);

/* Sentences as a text, which the caller frees. */
char *scope_text(const struct loaded *loaded, scope_sentences *write);

/* Known miscompiles as known_words says them; nothing where none was checked. */
void scope_put_known(FILE *file, const char *whose, const struct loaded_record *record,
                     bool names_all);
