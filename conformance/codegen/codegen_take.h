/* Taking the figures of machine code, and judging them. */
#ifndef ASSAY_CONFORMANCE_CODEGEN_CODEGEN_TAKE_H
#define ASSAY_CONFORMANCE_CODEGEN_CODEGEN_TAKE_H

#include "conformance/codegen/codegen_rows.h"

/* Counts a row's instructions, where that is asked for and its machine code is here. Where it
 * should be and cannot, a row that passed is INCONCLUSIVE. */
void codegen_mix_row(struct codegen *codegen, struct codegen_row *row);

/* Reads a row's figures, from that worker where its device has a driver, or says in its finding why
 * there are none. Threads with workers of their own take rows side by side. */
void codegen_take_row(const struct codegen *codegen, struct client *client,
                      struct codegen_row *row);

/* Holds a row's figures to its budget. */
void codegen_judge_row(const struct codegen *codegen, struct codegen_row *row);

/* Holds the driver's occupancy to the model's: where they differ, a row that is
 * not worse already is a FAIL, or INCONCLUSIVE where the architecture is not in the model's table.
 */
void codegen_judge_occupancy(const struct codegen *codegen, struct codegen_row *row);

/* Reads what is compared with. False with the reason: it is neither, or has nothing of machine
 * code. */
bool against_open(const char *file, struct against *ret, struct reason *ret_reason);
void against_close(struct against *against);

/* Gives the row what the other toolkit made of its function for its architecture: of a record the
 * figures of the path of that name, or else of the code that was compiled offline. */
void codegen_compare_row(const struct codegen *codegen, struct codegen_row *row);

#endif
