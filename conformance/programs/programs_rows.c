/* Counting what came of programs (programs_rows.h). */
#include "conformance/programs/programs_rows.h"

#include <string.h>

void programs_count(struct programs_row *row, enum verdict verdict, uint64_t count, const char *why)
{
    row->counts[verdict] += count;
    if (count && why[0] && (row->why[0] == 0 || verdict_is_worse(verdict, row->explained))) {
        row->explained = verdict;
        memcpy(row->why, why, strnlen(why, sizeof row->why - 1) + 1);
        row->why[sizeof row->why - 1] = 0;
    }
}

enum verdict programs_row_verdict(const struct programs_row *row)
{
    return verdict_of_counts(row->counts);
}
