/* Signs of an NVIDIA GPU that the system shows whether or not libcuda can be used. */
#ifndef ASSAY_CONFORMANCE_SUPERVISE_GPU_SIGN_H
#define ASSAY_CONFORMANCE_SUPERVISE_GPU_SIGN_H

#include <stdbool.h>
#include <stddef.h>

/* Tests only: a folder with a further /dev, /proc and /sys of the same form. It can add signs and
 * takes none away, so it never turns a GPU's machine into one without. */
#define GPU_SIGN_ROOT "ASSAY_TEST_ROOT"

/* True, with the sign in words, where the kernel module is loaded or a display function of NVIDIA
 * is on the PCI bus. */
bool gpu_sign_find(char *ret_text, size_t text_bytes);

/* How many GPUs the kernel module lists, whichever of them the driver shows; 0 where it lists none.
 */
int gpu_sign_count(void);

#endif
