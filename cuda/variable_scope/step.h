/* Shared by the kernels of variable_scope: one launch's step on a variable. */
#ifndef ASSAY_CUDA_VARIABLE_SCOPE_STEP_H
#define ASSAY_CUDA_VARIABLE_SCOPE_STEP_H

#include "device.h"
#include "variable_scope/call.h"

enum { COLUMNS_MAX = 8 };

/* Numbers of a row of steps: one for each element, or as many for all. */
DEVICE long long columns(const struct variable_scope_call *call)
{
    return call->n < COLUMNS_MAX ? call->n : COLUMNS_MAX;
}

/* The element's step in the launch's row. */
DEVICE unsigned number(const struct variable_scope_call *call, long long launch, long long index)
{
    return call->steps[launch * columns(call) + index % COLUMNS_MAX];
}

DEVICE unsigned step(unsigned value, unsigned number)
{
    return (value << 7 | value >> 25) + number;
}

/* Launches that count: those since the last load. */
DEVICE long long counted(const struct variable_scope_call *call)
{
    return call->reload < call->launches ? call->launches - call->reload : call->launches;
}

#endif
