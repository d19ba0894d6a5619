/* The array in registers, with launch bounds that ask for a full multiprocessor: blocks of 256
 * threads, and as many at once as it has threads for. So the threads share its 65,536 registers, as
 * the 1,536 threads of document 000 share 16,384 and have 10 each; what does not fit is spilled.
 * Clause: thread_array.value.exchanged. */
#include "device.h"
#include "exclusive_or.h"
#include "thread_array/array_body.h"

#define THREAD_ARRAY_BOUNDED(entry, type, combine)                                                 \
    KERNEL_WITH(__launch_bounds__(256, SM_THREADS / 256), entry, struct thread_array_call, call)   \
    {                                                                                              \
        REGISTER_BODY(type, combine);                                                              \
    }

EACH_ELEMENT_SIZE(THREAD_ARRAY_BOUNDED, thread_array_bounded)
