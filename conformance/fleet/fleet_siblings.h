/* The classes of rows that are compared with each other (enum fleet_siblings). */
#pragma once

#include "conformance/fleet/fleet_table.h"

/* The classes of one sort. Rows are those of table->gpus, or of table->machines. */
struct fleet_classes {
    uint32_t *of;   /* the class of each row, or FLEET_NO_CLASS */
    uint32_t *rows; /* those of class 0, then those of class 1, ... */
    size_t *begins; /* of each class in `rows`, and of the one after the last */
    size_t *voters; /* rows whose values are the rest's: of the base if there is one, else all */
    size_t row_count, count;
};
#define FLEET_NO_CLASS UINT32_MAX

/* A class is a group, whose value is no outlier, from this many rows on; see fleet_is_group. */
enum { FLEET_GROUP_MACHINES = 4 };

void fleet_classes_open(struct fleet_classes *ret, const struct fleet_table *table,
                        enum fleet_siblings siblings);
void fleet_classes_close(struct fleet_classes *classes);

/* True if the row's value counts when the rest is found: without a base all do, with one only those
 * of the base. */
bool fleet_is_voter(const struct fleet_table *table, enum fleet_siblings siblings, uint32_t row);

/* The machine of a row. */
size_t fleet_machine_of(const struct fleet_table *table, enum fleet_siblings siblings,
                        uint32_t row);

/* True if `count` of `all` rows, on that many machines, are a group and so no outliers: at least 1
 * in 10, on at least FLEET_GROUP_MACHINES machines. */
bool fleet_is_group(size_t count, size_t machines, size_t all);
