/* An array of a thread in local memory (documents 000, 002, 004): private to the thread, as
 * registers are, and in device memory behind the caches. Where all threads of a warp are at one
 * place, their 32 elements are adjacent. One entry for each size of element.
 * Clauses: thread_array.value.exchanged, thread_array.local.placed. */
#include "device.h"
#include "exclusive_or.h"
#include "thread_array/array_body.h"

#define THREAD_ARRAY_LOCAL(entry, type, combine)                                                   \
    KERNEL(entry, struct thread_array_call, call)                                                  \
    {                                                                                              \
        LOCAL_BODY(type, combine);                                                                 \
    }

EACH_ELEMENT_SIZE(THREAD_ARRAY_LOCAL, thread_array_local)
