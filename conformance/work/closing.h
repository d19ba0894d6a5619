/* Closing a device: which calls of the driver fail, and which it does not come back from. The
 * functions that give things back return nothing, as nobody can do anything about it where they are
 * called; so the table that they call notes it for the worker's last message.
 *
 *     closing_watch(&device.driver, note, bytes);   // nothing else may be calling it
 *     ...                                            // gives everything back
 *     closing_fault()                                // "cuStreamDestroy_v2: CUDA_ERROR_UNKNOWN"
 */
#pragma once

#include <stddef.h>

#include "cuda/driver.h"

/* From this call on, the table's functions call the old ones. While one of them runs, `note`, which
 * may be NULL, has "in cuStreamDestroy_v2", and is empty otherwise: whoever shares that memory
 * knows where the process ended. One table a process can be watched, by one thread. */
void closing_watch(struct cuda_driver *driver, char *note, size_t note_bytes);

/* A call of a library above the driver, in the same way. */
void closing_note(const char *call, const char *error);

/* The first call that failed, with its error, and how many more did; "" if none. */
const char *closing_fault(void);
