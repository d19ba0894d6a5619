/* A unit with arrays that live as long as its module. */
#include "device.h"
#include "host/test_call.h"

CONSTANT(unsigned, constants, 4)
DEVICE_GLOBAL(unsigned, counters, 2)

/* words[0] = constants[place], words[1] = how often the module has run this, the last time too. */
KERNEL(test_arrays, struct test_call, call)
{
    call.words[0] = constants[call.place];
    call.words[1] = ++counters[1];
}
