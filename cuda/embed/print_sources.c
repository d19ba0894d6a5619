/* Prints the digest of the kernels' sources that it was built with: what a unit file says that it
 * was made of (unit_file.h). */
#include <inttypes.h>
#include <stdio.h>

#include "cuda/kernel_text.h"

int main(void)
{
    printf("0x%016" PRIx64 "\n", kernel_texts_digest());
    return 0;
}
