/* Lines into programs (program_text.h). Clause: program_runs.replay.bits. */
#include "conformance/model/program_text.h"

#include <string.h>

#include "conformance/model/program_operation.h"
#include "conformance/model/program_trigger.h"

/* What follows the word in the line; NULL: it begins otherwise. */
static const char *words_after(const char *line, const char *word)
{
    const size_t length = strlen(word);
    return strncmp(line, word, length) == 0 && (line[length] == ' ' || line[length] == 0)
               ? line + length + (line[length] == ' ')
               : NULL;
}

bool program_text_is(const char *line)
{
    return words_after(line, "program") || words_after(line, "trigger") ||
           words_after(line, "operation");
}

bool program_text_make(const char *line, struct program_case *ret, struct program *ret_program,
                       struct reason *ret_reason)
{
    const char *trigger = words_after(line, "trigger"), *operation = words_after(line, "operation");
    char error[PROGRAM_ERROR_BYTES];
    memset(ret, 0, sizeof *ret);
    if (operation)
        return operation_program(operation, ret_program) ||
               reason_set(ret_reason, REASON_INPUT, "'%.100s' is no operation with its type",
                          operation);
    if (trigger)
        return trigger_check(trigger, ret_reason) &&
               (trigger_program(trigger, ret_program) ||
                reason_set(ret_reason, REASON_INPUT, "no program is made of '%.100s'", trigger));
    if (!program_case_parse(line, ret, error))
        return reason_set(ret_reason, REASON_INPUT, "%s", error);
    program_case_make(ret, ret_program);
    return true;
}
