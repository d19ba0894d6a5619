/* Variables of the module, kept from launch to launch: for each element its value and how many
 * launches there were. A module's load leaves both at zero; where a check has none, the driver
 * writes the second, and so the first launch is known. */
#ifndef ASSAY_CUDA_VARIABLE_SCOPE_KEPT_H
#define ASSAY_CUDA_VARIABLE_SCOPE_KEPT_H

#include "variable_scope/step.h"

enum { KEPT_MAX = 131072 };

DEVICE_GLOBAL(unsigned, kept_values, KEPT_MAX)
DEVICE_GLOBAL(unsigned char, kept_launches, KEPT_MAX)

/* Whether the launch that counts as the first comes after a load. */
DEVICE int was_loaded(const struct variable_scope_call *call)
{
    return call->reload > 0 && call->reload < call->launches;
}

/* An element's value before this launch. After a load it is zero, and is added. */
DEVICE unsigned kept_before(const struct variable_scope_call *call, long long index, int is_loaded)
{
    if (kept_launches[index] > 0)
        return kept_values[index];
    return call->initial[index] + (is_loaded ? kept_values[index] : 0);
}

DEVICE void keep(const struct variable_scope_call *call, long long index, unsigned value)
{
    kept_values[index] = value;
    kept_launches[index]++;
    call->target[index] = value;
}

#endif
