/* Reads the records of a fleet into its table: thousands of files, by as many threads as there are
 * cores, in the memory of the table and of one file a thread.
 *
 *     fleet_read(&table, base.each, base.count, true);    // if there is a base
 *     fleet_read(&table, paths.each, paths.count, false);
 */
#pragma once

#include "conformance/fleet/fleet_table.h"

/* Adds the files with their machines and GPUs. A file that cannot be read, was cut short, is there
 * twice or is older than another of the same GPU has its row in table->files, and adds nothing
 * else. Records of one machine, in one file or in several, are one row of table->machines: they
 * name the same machine, or the same host and boot. */
void fleet_read(struct fleet_table *table, const char *const *paths, size_t count, bool is_base);
