/* Options as words of a command line, for a command that is printed: the next gate of the same
 * stack runs what this one ran.
 *
 *     char text[OPTION_WORDS_BYTES];
 *     printf("assay gate%s\n", option_words(options, "gate", left_out, text));
 */
#pragma once

#include "conformance/base/text.h"
#include "conformance/session/options.h"

enum { OPTION_WORDS_BYTES = 1 << 16 };

/* True if the command is one of the words of a row's `commands`. */
bool option_command_is(const char *command, const char *commands);

/* The options of `command` that were given, each after a blank, and the patterns after them, quoted
 * for a shell. `left_out` has the long names of options that are not repeated, and ends in NULL.
 * What does not fit is cut off. Returns `ret_text`. */
const char *option_words(const struct options *options, const char *command,
                         const char *const *left_out, char ret_text[OPTION_WORDS_BYTES]);
