/* The toolkit's own ptxas takes the PTX of the build at the version that it was lowered to: it
 * refuses what came with a later one (ptx_version.h). */
#include "cuda/image.h"
#include "spec/testing.h"

#include <unistd.h>

/* At level 0, as only its reader is asked. */
static void assemble(const char *unit, const struct image_ptx *ptx)
{
    char command[512], name[] = "/tmp/assay_test_ptx_XXXXXX";
    const int file = mkstemp(name);
    ck_assert_int_ge(file, 0);
    ck_assert_int_eq(write(file, ptx->text, ptx->bytes - 1), (ssize_t)ptx->bytes - 1);
    close(file);
    snprintf(command, sizeof command, "'%s' -O0 -arch=sm_%d -o /dev/null %s", getenv("PTXAS"),
             ptx->compute_capability, name);
    ck_assert_msg(system(command) == 0, "%s for compute_%d", unit, ptx->compute_capability);
    unlink(name);
}

/* Each unit for one architecture, the next one for the next. */
START_TEST(the_toolkit_takes_the_lowered_texts, "driver.images.version")
{
    for (int index = 0; index < image_count; index++) {
        const struct image *image = &images[index];
        if (image->ptx_count > 0)
            assemble(image->unit, &image->ptx[index % image->ptx_count]);
    }
}
