/* Numbers that people read (number.h). */
#include "conformance/report/number.h"

#include <math.h>
#include <stdio.h>

#include "conformance/report/report.h"

const char *number_short(double value, char ret_text[NUMBER_TEXT_BYTES])
{
    double size = fabs(value);
    if (size >= 1e15 || (size > 0 && size < 1e-3))
        snprintf(ret_text, NUMBER_TEXT_BYTES, "%.2e", value);
    else if (size >= 999.95)
        report_number((uint64_t)llround(size), ret_text);
    else
        snprintf(ret_text, NUMBER_TEXT_BYTES, "%.*f",
                 size >= 99.995   ? 1
                 : size >= 9.9995 ? 2
                 : size > 0       ? 3 + (size < 0.1)
                                  : 0,
                 value);
    return ret_text;
}

const char *number_bytes(double bytes, char ret_text[NUMBER_TEXT_BYTES])
{
    static const char *const units[] = {"B", "KiB", "MiB", "GiB", "TiB", "PiB"};
    size_t unit = 0;
    while (bytes >= 1024 && unit + 1 < sizeof units / sizeof units[0]) {
        bytes /= 1024;
        unit++;
    }
    snprintf(ret_text, NUMBER_TEXT_BYTES, "%.*f %s", bytes < 99.95 && bytes != floor(bytes), bytes,
             units[unit]);
    return ret_text;
}
