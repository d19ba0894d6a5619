/* An array of a thread in registers (documents 000, 004): at most 32 elements and 128 bytes, each
 * slot known when it is compiled. A run-time place costs a comparison a slot, and no memory.
 * Bounded to the blocks of 256 threads that it is launched with, so that a thread may have 255
 * registers. Clauses: thread_array.value.exchanged, thread_array.local.placed. */
#include "device.h"
#include "exclusive_or.h"
#include "thread_array/array_body.h"

#define THREAD_ARRAY_REGISTERS(entry, type, combine)                                               \
    KERNEL_WITH(__launch_bounds__(256), entry, struct thread_array_call, call)                     \
    {                                                                                              \
        REGISTER_BODY(type, combine);                                                              \
    }

EACH_ELEMENT_SIZE(THREAD_ARRAY_REGISTERS, thread_array_registers)
