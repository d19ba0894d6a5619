/* What is kept from launch to launch: variables of the module, for each element its value and how
 * many launches there were. Those are zero when the module is loaded, and so the first launch is
 * known; the driver writes them, alone, where a check has no load of its own. */
#ifndef ASSAY_CUDA_VARIABLE_SCOPE_KEPT_H
#define ASSAY_CUDA_VARIABLE_SCOPE_KEPT_H

#include "variable_scope/step.h"

enum { KEPT_MAX = 131072 };

DEVICE_GLOBAL(unsigned, kept_values, KEPT_MAX)
DEVICE_GLOBAL(unsigned char, kept_launches, KEPT_MAX)

/* What an element has before this launch. */
DEVICE unsigned kept_before(const struct variable_scope_call *call, long long index)
{
    if (kept_launches[index] > 0)
        return kept_values[index];
    const unsigned loaded = call->reload > 0 ? kept_values[index] : 0; /* which is zero, too */
    return call->initial[index] + loaded;
}

DEVICE void keep(const struct variable_scope_call *call, long long index, unsigned value)
{
    kept_values[index] = value;
    kept_launches[index]++;
    call->target[index] = value;
}

#endif
