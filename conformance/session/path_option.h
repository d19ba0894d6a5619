/* What brings a code path that is not of every run, in a replay command. */
#ifndef ASSAY_CONFORMANCE_SESSION_PATH_OPTION_H
#define ASSAY_CONFORMANCE_SESSION_PATH_OPTION_H

#include "conformance/model/path.h"

/* "--images 'FILE'", or "--nvrtc 'FILE' --opt 1" of a compiler, with a space before it and the file
 * as a word of a shell; "" where the path needs none. Returns `ret_text`. */
enum { PATH_OPTION_BYTES = 5 * (PATH_FILE_BYTES + PATH_TOOL_BYTES) };
const char *path_option(int path, char ret_text[PATH_OPTION_BYTES]);

#endif
