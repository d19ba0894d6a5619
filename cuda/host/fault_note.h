/* The line that names the place where a kernel failed, kept where the caller wants it, so that a
 * parent process can read it after the fault has killed this one. */
#ifndef ASSAY_CUDA_HOST_FAULT_NOTE_H
#define ASSAY_CUDA_HOST_FAULT_NOTE_H

#include <stddef.h>

/* Takes the buffer for later notes and empties it. NULL: no notes any more. */
void fault_note_keep(char *buffer, size_t bytes);

/* Writes the note; nothing where there is no buffer. */
void fault_note(const char *format, ...) __attribute__((format(printf, 1, 2)));

#endif
