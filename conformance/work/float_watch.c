/* Watching the floating-point state (float_watch.h). Clause: numerics.state.asserted. */
#include "conformance/work/float_watch.h"

#include <stdatomic.h>

#include "cpu_ref/float_state.h"

static atomic_bool lost;

const char float_watch_note[] =
    "the floating-point state (rounding, subnormals) was changed while the golden model or the "
    "host device computed, as a preloaded library can: do not trust the bits";

void float_watch_begin(void)
{
    float_state_set();
}

void float_watch_end(void)
{
    if (!float_state_is_set())
        lost = true;
}

bool float_watch_is_lost(void)
{
    return lost;
}
