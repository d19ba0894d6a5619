/* The command that runs one check again. */
#ifndef ASSAY_CONFORMANCE_BITS_REPLAY_COMMAND_H
#define ASSAY_CONFORMANCE_BITS_REPLAY_COMMAND_H

#include "conformance/bits/run.h"
#include "conformance/session/path_option.h"

/* Room for the longest: as many cases as are kept, every kernel, and a compiler in quotes. */
enum {
    RUN_REPLAY_BYTES = POOL_HISTORY_MAX * (CASE_TEXT_BYTES + 16) +
                       CATALOG_COUNT * (CATALOG_NAME_BYTES + 1) + PATH_OPTION_BYTES + 256
};

/* On the smallest case once it is known, after the cases that it needs. */
void run_replay_command(const struct run *run, const struct run_finding *finding, char *ret_text,
                        size_t text_bytes);

#endif
