/* The records that a command names, loaded: what `assay report` and `assay compare` begin with. */
#ifndef ASSAY_CONFORMANCE_COMMAND_LOAD_RECORDS_H
#define ASSAY_CONFORMANCE_COMMAND_LOAD_RECORDS_H

#include "conformance/command/command.h"
#include "conformance/report/loaded.h"
#include "conformance/session/options.h"

/* Reads the line and every record on it, and ends with what `use` returns of them; or with bad
 * usage or input, or no memory: a line has said what. */
int load_records(const struct command *command, int argc, char **argv,
                 int (*use)(const struct loaded *loaded, const struct options *options));

/* A line "assay COMMAND: why"; returns `status`. */
int load_complain(const struct command *command, int status, const char *why);

#endif
