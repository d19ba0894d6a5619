/* bytes: 1 to 16 of them, as the case says; copied, and every bit counts (numerics.copy.bits). */
#include "fuzz/fill_source.h"

const struct format format_bytes = {.name = "bytes", .fills = fill_bytes};
