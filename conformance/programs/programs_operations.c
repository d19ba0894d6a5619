/* The table of operations (programs_operations.h). Clause: program_runs.operations.table. */
#include "conformance/programs/programs_operations.h"

#include <stdlib.h>
#include <string.h>

#include "conformance/model/program_operation.h"
#include "conformance/record/record_fields.h"
#include "cpu_ref/programs/operations.h"

bool programs_open_operations(struct programs *programs)
{
    const size_t cells = programs->row_count * (size_t)programs->operation_count;
    if (cells == 0)
        return true;
    programs->operations = malloc(cells);
    if (programs->operations)
        memset(programs->operations, VERDICT_INCONCLUSIVE, cells);
    return programs->operations != NULL;
}

void programs_note_operation(struct programs *programs, int row, uint64_t number, int verdict)
{
    const size_t count = (size_t)programs->operation_count;
    if (programs->operations && number < count)
        programs->operations[(size_t)row * count + number] = (unsigned char)verdict;
}

static int cell(const struct programs *programs, int row, int index)
{
    const size_t count = (size_t)programs->operation_count;
    return programs->operations[(size_t)row * count + (size_t)index];
}

/* How many are right in all their types. */
static uint64_t count_right(const struct programs *programs, int row)
{
    uint64_t right = 0;
    bool is_right = true;
    for (int index = 0; index < programs->operation_count; index++) {
        is_right = is_right && cell(programs, row, index) == VERDICT_PASS;
        if (index + 1 < programs->operation_count &&
            operation_program_row(index + 1) == operation_program_row(index))
            continue;
        right += is_right;
        is_right = true;
    }
    return right;
}

json_t *programs_operations_line(const struct programs *programs, int row)
{
    const struct programs_row *it = &programs->rows[row];
    char words[OPERATION_WORDS_BYTES];
    if (programs->operations == NULL)
        return NULL;
    json_t *line = json_object(), *wrong = json_array(), *known = json_array();
    json_t *open = json_array();
    for (int index = 0; index < programs->operation_count; index++) {
        const int verdict = cell(programs, row, index);
        json_t *list = verdict == OPERATION_KNOWN                  ? known
                       : verdict_is_failure((enum verdict)verdict) ? wrong
                                                                   : open;
        if (verdict != VERDICT_PASS)
            json_array_append_new(list, json_string(operation_program_words(index, words)));
    }
    put_operations_device(line, programs->session->devices[it->device].label);
    put_operations_path(line, path_name(it->path));
    put_operations_verdict(line, json_array_size(wrong)  ? VERDICT_FAIL
                                 : json_array_size(open) ? VERDICT_INCONCLUSIVE
                                                         : VERDICT_PASS);
    put_operations_planned(line, (uint64_t)operation_count);
    put_operations_right(line, count_right(programs, row));
    put_operations_programs(line, (uint64_t)programs->operation_count);
    put_operations_runs(line, !it->only_compiles);
    put_operations_wrong(line, wrong);
    put_operations_known(line, known);
    put_operations_open(line, open);
    return wrap_operations(line);
}
