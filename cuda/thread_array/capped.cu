/* The array in registers, with 32 of them at most: what nvcc -maxrregcount=32 says for a whole file
 * (document 004), said of the function, so that the PTX has it too. What does not fit is spilled.
 * Clause: thread_array.value.exchanged. */
#include "device.h"
#include "exclusive_or.h"
#include "thread_array/array_body.h"

#define THREAD_ARRAY_CAPPED(entry, type, combine)                                                  \
    KERNEL_WITH(MOST_REGISTERS(32), entry, struct thread_array_call, call)                         \
    {                                                                                              \
        REGISTER_BODY(type, combine);                                                              \
    }

EACH_ELEMENT_SIZE(THREAD_ARRAY_CAPPED, thread_array_capped)
