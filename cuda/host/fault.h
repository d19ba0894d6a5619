/* What happens on a signal that a kernel's mistake raises: a note (fault_note.h), and the process's
 * death. */
#ifndef ASSAY_CUDA_HOST_FAULT_H
#define ASSAY_CUDA_HOST_FAULT_H

#include <stddef.h>

/* Takes the buffer for later notes, empties it, and from then on notes what signal kills the
 * process and where. NULL: no notes any more. */
void fault_set_note(char *buffer, size_t bytes);

#endif
