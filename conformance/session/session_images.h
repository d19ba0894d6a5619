/* The unit files that the user names, as code paths: --images. */
#ifndef ASSAY_CONFORMANCE_SESSION_SESSION_IMAGES_H
#define ASSAY_CONFORMANCE_SESSION_SESSION_IMAGES_H

#include <jansson.h>

#include "conformance/base/reason.h"
#include "conformance/model/path.h"
#include "conformance/session/options.h"

/* Opens each that the options name and adds its paths: sass-NAME, and ptx-NAME through the driver's
 * compiler. Before anything names a path. False with the reason: it is no whole unit file, or one
 * of its name was there before. */
bool images_add_all(const struct options *options, struct reason *ret_reason);

/* What a record's header has of those that were added; NULL: there are none. */
json_t *images_json(void);

#endif
