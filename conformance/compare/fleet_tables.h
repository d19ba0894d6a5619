/* A fleet in tables: how much differs on each machine, and what each has that most have not. */
#ifndef ASSAY_CONFORMANCE_COMPARE_FLEET_TABLES_H
#define ASSAY_CONFORMANCE_COMPARE_FLEET_TABLES_H

#include "conformance/compare/comparison.h"
#include "conformance/report/table.h"

/* A machine a row: verdict, differences from BASE by section, and how many of them most have not.
 * To be closed. */
void fleet_table_counts(const struct comparison_set *set, struct table *ret);

/* A difference from the rest a row. To be closed. */
void fleet_table_rows(const struct comparison_set *set, struct table *ret);

/* "2 of 5 machines differ from the rest in 3 things". */
enum { FLEET_SENTENCE_BYTES = 160 };
void fleet_sentence(const struct comparison_set *set, char ret_text[FLEET_SENTENCE_BYTES]);

#endif
