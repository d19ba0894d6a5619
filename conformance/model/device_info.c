/* Naming devices (device_info.h). */
#include "conformance/model/device_info.h"

#include <stdio.h>

const char *device_label(int ordinal, char ret_text[16])
{
    if (ordinal == DEVICE_ORDINAL_HOST)
        snprintf(ret_text, 16, "host");
    else
        snprintf(ret_text, 16, "cuda:%d", ordinal);
    return ret_text;
}
