/* The unit files that the user names, as code paths: --images. */
#ifndef ASSAY_CONFORMANCE_SESSION_SESSION_IMAGES_H
#define ASSAY_CONFORMANCE_SESSION_SESSION_IMAGES_H

#include <jansson.h>

#include "conformance/base/reason.h"
#include "conformance/model/path.h"
#include "conformance/session/options.h"

/* Opens one and adds its paths: sass-NAME, and ptx-NAME through the driver's compiler. Before
 * anything names a path. False with the reason: it is no whole unit file, or one of its name was
 * there before. */
bool images_add(const char *file, struct reason *ret_reason);

/* The same of each that the options name. */
bool images_add_all(const struct options *options, struct reason *ret_reason);

/* What a record's header has of those that were added; NULL: there are none. */
json_t *images_json(void);

/* "--images 'FILE'" with a space before it, where the path's code is in one; else "". Returns
 * `ret_text`. */
enum { IMAGES_OPTION_BYTES = 5 * PATH_FILE_BYTES };
const char *images_option(int path, char ret_text[IMAGES_OPTION_BYTES]);

#endif
