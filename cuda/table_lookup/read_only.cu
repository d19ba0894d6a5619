/* Lookups in global memory through the read-only cache: the kernel says that nothing writes the
 * table while it runs. One entry for each size of element. Clause: table_lookup.value.combined. */
#include "device.h"
#include "exclusive_or.h"
#include "table_lookup/lookup_body.h"

#define READ(type, place) __ldg((const type *)call.table + (place))

#define TABLE_LOOKUP_READ_ONLY(entry, type, combine) LOOKUP_KERNEL(entry, type, combine, READ)

EACH_ELEMENT_SIZE(TABLE_LOOKUP_READ_ONLY, table_lookup_read_only)
