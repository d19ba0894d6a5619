/* Arrays that grow by one element at a time. */
#ifndef ASSAY_CONFORMANCE_BASE_ARRAY_H
#define ASSAY_CONFORMANCE_BASE_ARRAY_H

#include <stdbool.h>
#include <stddef.h>

/* Makes room for element `count` of an array that held so many and grew by this alone; NULL is an
 * empty one, free() ends it. The room is a power of two, so no capacity is kept beside the count,
 * which may also fall. False without memory: the array is as before. */
#define ARRAY_ROOM(array, count) array_room(&(array), (count), sizeof *(array))

bool array_room(void *pointer, size_t count, size_t element_bytes);

#endif
