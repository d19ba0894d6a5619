/* Arrays that grow by one element at a time.
 *
 *     struct row *rows = NULL;                  // an empty array
 *     if (!ARRAY_ROOM(rows, count))             // without memory: the array is as before
 *         return false;
 *     rows[count++] = row;
 *     free(rows);
 *
 * The room is a power of two, so no capacity is kept apart from the count, which may also fall. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* Makes room for element `count` of an array that has `count` elements and grew only by this. */
#define ARRAY_ROOM(array, count) array_room(&(array), (count), sizeof *(array))

static inline bool array_room(void *pointer, size_t count, size_t element_bytes)
{
    if ((count & (count - 1)) != 0)
        return true;
    const size_t room = count == 0 ? 1 : 2 * count;
    if (room > SIZE_MAX / element_bytes)
        return false;
    void *array;
    memcpy(&array, pointer, sizeof array); /* whatever it points to */
    array = realloc(array, room * element_bytes);
    if (array == NULL)
        return false;
    memcpy(pointer, &array, sizeof array);
    return true;
}
