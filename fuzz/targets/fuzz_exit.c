/* With libFuzzer, a target that ends its process by _exit() aborts instead, as heap_need() does
 * where memory lacks: libFuzzer keeps the input of an abort, and cannot see an _exit(). */
#include <stdlib.h>
#include <unistd.h>

#include "fuzz/targets/target.h"

void _exit(int status)
{
    fprintf(stderr, "the target ended by _exit(%d)\n", status);
    abort();
}
