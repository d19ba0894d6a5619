/* How a command and its options are typed. */
#ifndef ASSAY_CONFORMANCE_COMMAND_USAGE_H
#define ASSAY_CONFORMANCE_COMMAND_USAGE_H

#include <stdbool.h>
#include <stdio.h>

struct command;
struct option_row;

/* "--samples N", "-o, --output FILE"; `is_short`: "--device D", "-o FILE". */
enum { USAGE_FORM_BYTES = 128 };
const char *usage_form(const struct option_row *row, bool is_short,
                       char ret_text[USAGE_FORM_BYTES]);

#endif
