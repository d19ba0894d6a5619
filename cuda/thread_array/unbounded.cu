/* The array in registers, without launch bounds: the compiler takes as many registers as it likes,
 * up to 255, and a block may be too large for a multiprocessor (document 004). Clause:
 * thread_array.value.exchanged. */
#include "device.h"
#include "exclusive_or.h"
#include "thread_array/array_body.h"

#define THREAD_ARRAY_UNBOUNDED(entry, type, combine)                                               \
    KERNEL_WITH(, entry, struct thread_array_call, call)                                           \
    {                                                                                              \
        REGISTER_BODY(type, combine);                                                              \
    }

EACH_ELEMENT_SIZE(THREAD_ARRAY_UNBOUNDED, thread_array_unbounded)
