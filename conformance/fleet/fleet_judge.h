/* What the machines of a fleet differ in from the rest, or from a base (spec/fleet.md).
 *
 *     struct fleet fleet;
 *     fleet_judge(&fleet, &table);
 *     for (size_t index = 0; index < fleet.row_count; index++)
 *         fleet.rows[index] ...        // outliers first, the worst before others
 *     fleet_judged_close(&fleet);
 */
#pragma once

#include "conformance/fleet/fleet_judged.h"

void fleet_judge(struct fleet *ret, const struct fleet_table *table);
