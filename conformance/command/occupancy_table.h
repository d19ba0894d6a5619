/* The table of `assay info --occupancy`. */
#ifndef ASSAY_CONFORMANCE_COMMAND_OCCUPANCY_TABLE_H
#define ASSAY_CONFORMANCE_COMMAND_OCCUPANCY_TABLE_H

#include "conformance/model/occupancy.h"

/* Prints how many blocks of each function an SM holds: a line on the SM, a line of headings, a line
 * for each function of the machine code in this program that such a GPU runs. `label` says whose
 * SM. */
void occupancy_table_print(const char *label, int architecture, const struct sm_limits *sm);

#endif
