/* The lines that a program is made of: a case ("program ..."), the trigger of a known miscompile
 * ("trigger ...") or an operation ("operation add.u32"). */
#ifndef ASSAY_CONFORMANCE_MODEL_PROGRAM_TEXT_H
#define ASSAY_CONFORMANCE_MODEL_PROGRAM_TEXT_H

#include "conformance/base/reason.h"
#include "fuzz/programs/program_case.h"

/* True where the line begins as one of them. */
bool program_text_is(const char *line);

/* The case of the line and its program; what is made of words has no more of a case than the seed
 * of its inputs. False with the reason. */
bool program_text_make(const char *line, struct program_case *ret, struct program *ret_program,
                       struct reason *ret_reason);

#endif
