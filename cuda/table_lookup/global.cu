/* Lookups in global memory: a warp's different addresses cost a sector each, and one address costs
 * one. One entry for each size of element.
 * Clause: table_lookup.value.combined. */
#include "device.h"
#include "exclusive_or.h"
#include "table_lookup/lookup_body.h"

#define READ(type, place) ((const type *)call.table)[place]

#define TABLE_LOOKUP_GLOBAL(entry, type, combine) LOOKUP_KERNEL(entry, type, combine, READ)

EACH_ELEMENT_SIZE(TABLE_LOOKUP_GLOBAL, table_lookup_global)
