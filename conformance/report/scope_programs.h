/* In sentences, what generated programs say of a stack, and what they do not. */
#ifndef ASSAY_CONFORMANCE_REPORT_SCOPE_PROGRAMS_H
#define ASSAY_CONFORMANCE_REPORT_SCOPE_PROGRAMS_H

#include <stdio.h>

#include "conformance/report/loaded.h"

/* "Programs: ..."; nothing without programs. `whose` is before each sentence. */
void scope_put_programs(FILE *file, const char *whose, const struct loaded_record *record);
void scope_put_programs_not_run(FILE *file, const char *whose, const struct loaded_record *record);

/* Known miscompiles as known_words says them; nothing where none was checked. */
void scope_put_known(FILE *file, const char *whose, const struct loaded_record *record);

#endif
