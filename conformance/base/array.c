/* Arrays that grow by one element at a time (array.h). */
#include "conformance/base/array.h"

#include <stdint.h>
#include <stdlib.h>
#include <string.h>

bool array_room(void *pointer, size_t count, size_t element_bytes)
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
