/* Every option of every command: session/options.def as rows. */
#ifndef ASSAY_CONFORMANCE_COMMAND_OPTION_TABLE_H
#define ASSAY_CONFORMANCE_COMMAND_OPTION_TABLE_H

#include "conformance/command/option_kinds.h"

extern const struct option_row option_rows[];
extern const int option_row_count;

/* True where the command takes the option. */
bool option_is_of(const struct option_row *row, const char *command);

#endif
