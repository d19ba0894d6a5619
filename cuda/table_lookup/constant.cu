/* Lookups in constant memory, all 64 KiB of it (documents 000, 002 and 004). The threads of a warp
 * that read one address are served by one read; different addresses follow one another. The row
 * binds the table to the array. One entry for each size of element. Clauses:
 * table_lookup.value.combined, memory.bindings.fresh. */
#include "device.h"
#include "exclusive_or.h"
#include "table_lookup/lookup_body.h"

CONSTANT(uint4, lookup_table, 4096)

#define READ(type, place) ((const type *)lookup_table)[place]

#define TABLE_LOOKUP_CONSTANT(entry, type, combine) LOOKUP_KERNEL(entry, type, combine, READ)

EACH_ELEMENT_SIZE(TABLE_LOOKUP_CONSTANT, table_lookup_constant)
