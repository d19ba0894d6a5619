/* Automatic variables, which are a thread's own and live as long as its kernel: all launches' steps
 * in one launch. The value is in a register, and the numbers of some launches are in an array that
 * is indexed at run time, and so in local memory. Clause: variable_scope.automatic.thread. */
#include "variable_scope/step.h"

enum { OWN = 16 };

KERNEL(variable_scope_automatic, struct variable_scope_call, call)
{
    const long long index = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    const long long count = counted(&call);
    unsigned own[OWN];
    if (index >= call.n)
        return;
    unsigned value = call.initial[index];
    for (long long launch = 0; launch < count; launch += OWN) {
        const int some = count - launch < OWN ? (int)(count - launch) : OWN;
        for (int at = 0; at < some; at++)
            own[some - 1 - at] = number(&call, launch + at, index);
        for (int at = some; at-- > 0;)
            value = step(value, own[at]);
    }
    call.target[index] = value;
}
