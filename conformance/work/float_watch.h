/* Keeping the floating-point state that the golden needs, and knowing when it was not kept. */
#ifndef ASSAY_CONFORMANCE_WORK_FLOAT_WATCH_H
#define ASSAY_CONFORMANCE_WORK_FLOAT_WATCH_H

#include <stdbool.h>

/* Around everything that computes what a case must hold, and what the host device makes of it: sets
 * the state, and looks after it. */
void float_watch_begin(void);
void float_watch_end(void);

/* True when, in any thread of this process, the state was another at an end: what was expected may
 * be wrong, and nothing that was compared with it counts. */
bool float_watch_is_lost(void);

/* The note of such an error. */
extern const char float_watch_note[];

#endif
