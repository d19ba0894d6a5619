/* Programs of one operation (program_operation.h). Clause: program_runs.operations.table. */
#include "conformance/model/program_operation.h"

#include <stdio.h>
#include <string.h>

#include "conformance/model/program_draft.h"
#include "conformance/model/program_trigger.h"

enum { THREADS = 128, TURNS = 8, MEMORY_WORDS = PROGRAM_PRIVATE_BYTES / 8 };

static int types_of(int row)
{
    int count = 0;
    for (int type = 0; type < PROGRAM_TYPES; type++)
        count += operations[row].types >> type & 1;
    return count;
}

int operation_programs(void)
{
    int count = 0;
    for (int row = 0; row < OPERATIONS; row++)
        count += types_of(row);
    return count;
}

/* The row, and which of its types, from 0 on. */
static int find(int index, int *ret_type)
{
    int row = 0;
    while (index >= types_of(row))
        index -= types_of(row++);
    *ret_type = 0;
    while (index > 0 || !(operations[row].types >> *ret_type & 1))
        index -= operations[row].types >> (*ret_type)++ & 1;
    return row;
}

int operation_program_row(int index)
{
    int type;
    return find(index, &type);
}

const char *operation_program_words(int index, char ret_words[OPERATION_WORDS_BYTES])
{
    int type;
    const int row = find(index, &type);
    snprintf(ret_words, OPERATION_WORDS_BYTES, "%s.%s", operations[row].name,
             type_name((enum program_type)type));
    return ret_words;
}

/* Arguments of one statement: of turn 0 and 1 variables wherever there may be one, then one of them
 * a constant, another one each turn. */
static void draw_arguments(struct program_draft *draft, int row, enum program_type type, int turn,
                           struct program_argument ret[PROGRAM_ARGUMENTS_MAX])
{
    const struct operation *operation = &operations[row];
    const int count = operation_arguments(operation);
    for (int place = 1; place <= count; place++) {
        const enum program_class of_class = operation_class(operation, type, place);
        uint64_t bound = 0;
        const bool is_constant = operation_is_constant(operation, type, place, &bound) ||
                                 (turn > 1 && (turn - 2) % count == place - 1);
        ret[place - 1] = is_constant ? draft_constant_of(draft_constant(draft, of_class, bound))
                                     : draft_variable(draft, of_class, true);
    }
}

/* Stores or loads of all words of the thread's memory. */
static void go_through_memory(struct program_draft *draft, int operation, bool is_store)
{
    struct program_argument value = {.kind = ARGUMENT_NONE};
    if (is_store)
        value = draft_variable(draft, CLASS_64, true);
    for (uint64_t word = 0; word < MEMORY_WORDS; word++) {
        const bool is_constant = is_store && word % 2 == 1;
        const struct program_argument arguments[PROGRAM_ARGUMENTS_MAX] = {
            draft_constant_of(word),
            is_constant ? draft_constant_of(draft_constant(draft, CLASS_64, 0) << 40 | word)
                        : value};
        draft_add(draft, operation, TYPE_U64, -1, arguments);
    }
}

/* A block's body: what is done to the sum in another order, or another time, gives other bits. */
static void add_sum(struct program_draft *draft, uint8_t sum)
{
    const struct program_argument arguments[PROGRAM_ARGUMENTS_MAX] = {
        {.kind = ARGUMENT_VARIABLE, .variable = sum},
        draft_constant_of(5),
        draft_constant_of(draft_constant(draft, CLASS_32, 0))};
    draft_add(draft, OPERATION_mad_lo, TYPE_U32, sum, arguments);
}

static void add_block(struct program_draft *draft, int row, enum program_type type, int turn)
{
    enum { CHILDREN = 5 };
    struct program_argument arguments[PROGRAM_ARGUMENTS_MAX] = {{0}};
    const uint8_t sum = draft_variable(draft, CLASS_32, true).variable;
    draw_arguments(draft, row, type, turn, arguments);
    struct program_statement *block = draft_add(draft, row, type, -1, arguments);
    for (int child = 0; child < CHILDREN; child++)
        add_sum(draft, sum);
    if (block == NULL || !draft->is_good)
        return;
    block->body = CHILDREN;
    block->otherwise = row == OPERATION_if ? 2 : 0;
}

static bool has_memory(const struct operation *operation)
{
    return operation->group == GROUP_LOCAL || operation->group == GROUP_GLOBAL ||
           operation->group == GROUP_ATOMIC;
}

bool operation_program(const char *words, struct program *ret)
{
    struct program_draft draft = {.program = ret, .is_good = true};
    int row, type;
    memset(ret, 0, sizeof *ret);
    if (*trigger_operation(words, &row, &type) || row < 0 || type == PROGRAM_TYPES ||
        !(operations[row].types >> type & 1))
        return false;
    const struct operation *operation = &operations[row];
    const bool is_local = operation->group == GROUP_LOCAL;
    ret->threads = THREADS;
    for (int word = 0; word < PROGRAM_TABLE_WORDS; word++)
        ret->table[word] = 0x9e3779b9u * (uint32_t)(word + 1);
    if (has_memory(operation))
        go_through_memory(&draft, is_local ? OPERATION_local_store : OPERATION_global_store, true);
    const int room = is_local && !operation_has_result(operation) ? MEMORY_WORDS : 0;
    for (int turn = 0; turn < TURNS; turn++) {
        struct program_argument arguments[PROGRAM_ARGUMENTS_MAX] = {{0}};
        const int most = operation_arguments(operation) + 7; /* variables of one turn */
        if (ret->variable_count + most + room > PROGRAM_VARIABLES_MAX)
            break;
        if (operation->is_block) {
            add_block(&draft, row, (enum program_type)type, turn);
            continue;
        }
        draw_arguments(&draft, row, (enum program_type)type, turn, arguments);
        draft_add(&draft, row, (enum program_type)type, -1, arguments);
    }
    if (room > 0)
        go_through_memory(&draft, OPERATION_local_load, false);
    return draft.is_good;
}
