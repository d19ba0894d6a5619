/* Workers that are asked for figures side by side, each by a thread of its own: a driver compiles
 * for one thread of a process at a time. */
#ifndef ASSAY_CONFORMANCE_CODEGEN_CODEGEN_CREW_H
#define ASSAY_CONFORMANCE_CODEGEN_CODEGEN_CREW_H

#include "conformance/codegen/codegen_rows.h"

struct codegen_crew;

/* Begins with the rows. One worker where a GPU opens for one process at a time, or where there is
 * little to ask. NULL without memory or a thread. */
struct codegen_crew *codegen_crew_open(struct codegen *codegen);

/* Waits until the row is taken. False where it never will be, as the session is interrupted. */
bool codegen_crew_wait(struct codegen_crew *crew, const struct codegen_row *row);

/* Waits for the threads, which end their workers. NULL: nothing to do. */
void codegen_crew_close(struct codegen_crew *crew);

#endif
