/* Lines into programs (program_text.h). Clause: program_runs.replay.bits. */
#include "conformance/model/program_text.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cpu_ref/programs/operations.h"

/* A program as it grows; it is 0 at first. */
struct program_draft {
    struct program *program;
    uint64_t turn; /* which constant is next */
    bool is_good;  /* false: more than a program has room for */
};

/* Programs statement by statement. Clauses: program_runs.known.made,
 * program_runs.operations.table. */

static uint64_t draft_constant(struct program_draft *draft, enum program_class of_class,
                               uint64_t bound)
{
    static const uint64_t edges[] = {1,      2,          0x7fff,     0x8000, 0xffff, 3,
                                     0xff,   0x80000000, 0x7fffffff, 5,      16,     0xffffffff,
                                     0x8001, 0x10000,    31,         100,    0};
    static const uint64_t masks[PROGRAM_CLASSES] = {
        [CLASS_PREDICATE] = 1,   [CLASS_16] = 0xffff,      [CLASS_32] = 0xffffffff,
        [CLASS_64] = UINT64_MAX, [CLASS_F32] = 0xffffffff, [CLASS_F64] = UINT64_MAX};
    const uint64_t bits = edges[draft->turn++ % (sizeof edges / sizeof edges[0])];
    return bound ? bits % bound : bits & masks[of_class];
}

static struct program_argument draft_constant_of(uint64_t bits)
{
    return (struct program_argument){.kind = ARGUMENT_CONSTANT, .bits = bits};
}

/* A variable of its own: an input, or one for a result. */
static struct program_argument draft_variable(struct program_draft *draft,
                                              enum program_class of_class, bool is_input)
{
    struct program *program = draft->program;
    const int number = program->variable_count;
    draft->is_good = draft->is_good && number < PROGRAM_VARIABLES_MAX;
    if (!draft->is_good)
        return draft_constant_of(0);
    program->variable[number] =
        (struct program_variable){.number = (uint16_t)number,
                                  .of_class = (uint8_t)of_class,
                                  .is_input = is_input,
                                  .bits = is_input ? program->input_count : 0};
    program->variable_count++;
    program->input_count = (uint16_t)(program->input_count + is_input);
    return (struct program_argument){.kind = ARGUMENT_VARIABLE, .variable = (uint8_t)number};
}

/* The next statement; its result is that variable, or, with -1, one of its own. NULL without
 * room. */
static struct program_statement *
draft_add(struct program_draft *draft, int operation, enum program_type type, int result,
          const struct program_argument arguments[PROGRAM_ARGUMENTS_MAX])
{
    struct program *program = draft->program;
    const struct operation *row = &operations[operation];
    if (result < 0 && operation_has_result(row))
        result = draft_variable(draft, operation_class(row, type, 0), false).variable;
    draft->is_good = draft->is_good && program->statement_count < PROGRAM_STATEMENTS_MAX;
    if (!draft->is_good)
        return NULL;
    struct program_statement *it = &program->statement[program->statement_count];
    *it = (struct program_statement){.number = program->statement_count,
                                     .operation = (uint16_t)operation,
                                     .type = (uint8_t)type,
                                     .result = (uint8_t)(result < 0 ? 0 : result)};
    memcpy(it->argument, arguments, sizeof it->argument);
    program->statement_count++;
    return it;
}

/* Reading triggers: op[.type][(argument, ...)], an argument being `_`, `#`, a
 * number, or the trigger of the statement that it is the result of, with `!` before it where that
 * result is overwritten later; or op{trigger}, a block with that in it. Clauses:
 * program_runs.known.trigger, program_runs.known.made. */

enum { DEPTH_MAX = 6, NAME_BYTES = 48 };

static const char *skip_spaces(const char *at)
{
    return at + strspn(at, " ");
}

/* The letters of a name at `at`, and what follows. */
static const char *read_name(const char *at, char ret_name[NAME_BYTES])
{
    size_t length = 0;
    while (isalnum((unsigned char)at[length]) || at[length] == '_')
        length++;
    const size_t kept = length < NAME_BYTES ? length : NAME_BYTES - 1;
    memcpy(ret_name, at, kept);
    ret_name[kept] = 0;
    return at + length;
}

/* Reads "add.u32" or "add": its row (-1: none) and type (PROGRAM_TYPES: any). Returns what
 * follows. */
static const char *trigger_operation(const char *at, int *ret_operation, int *ret_type)
{
    char name[NAME_BYTES];
    at = read_name(at, name);
    *ret_operation = operation_find(name);
    *ret_type = PROGRAM_TYPES;
    if (*at != '.')
        return at;
    at = read_name(at + 1, name);
    int type = 0;
    while (type < PROGRAM_TYPES && strcmp(type_name((enum program_type)type), name) != 0)
        type++;
    *ret_type = type;
    if (type == PROGRAM_TYPES)
        *ret_operation = -1;
    return at;
}

/* The text after the `!` at `at`; or NULL. */
static const char *pass_overwritten(const char *at)
{
    return *at == '!' ? skip_spaces(at + 1) : NULL;
}

static const char *pass(const char *at, int depth);

/* The end of the arguments that may come at `at`, or of the trigger in braces. */
static const char *pass_rest(const char *at, int depth)
{
    if (*at == '{') {
        at = skip_spaces(at + 1);
        at = isalpha((unsigned char)*at) ? pass(at, depth + 1) : NULL;
        return at && *at == '}' ? skip_spaces(at + 1) : NULL;
    }
    if (*at != '(')
        return at;
    do
        at = pass(at + 1, depth + 1);
    while (at && *at == ',');
    return at && *at == ')' ? skip_spaces(at + 1) : NULL;
}

/* The end of the argument or the trigger at `at`; NULL: it is neither. */
static const char *pass(const char *at, int depth)
{
    int operation, type;
    at = skip_spaces(at);
    if (*at == '#' || (*at == '_' && !isalnum((unsigned char)at[1])))
        return skip_spaces(at + 1);
    if (isdigit((unsigned char)*at)) {
        char *end;
        strtoull(at, &end, 0);
        return skip_spaces(end);
    }
    const char *overwritten = pass_overwritten(at);
    at = skip_spaces(trigger_operation(overwritten ? overwritten : at, &operation, &type));
    return operation < 0 || depth == DEPTH_MAX ? NULL : pass_rest(at, depth);
}

bool trigger_check(const char *trigger, struct reason *ret_reason)
{
    const char *end = isalpha((unsigned char)trigger[0]) ? pass(trigger, 0) : NULL;
    return (end && *end == 0) ||
           reason_set(ret_reason, REASON_INPUT, "'%.100s' is not a trigger", trigger);
}

/* True if the statement gives the variable a value. */
static bool gives(const struct program_statement *statement, int variable)
{
    return statement->result == variable && operation_has_result(&operations[statement->operation]);
}

int trigger_argument_from(const struct program *program, int index, int number)
{
    const struct program_argument *argument = &program->statement[index].argument[number];
    int at = argument->kind == ARGUMENT_VARIABLE ? index - 1 : -1;
    while (at >= 0 && !gives(&program->statement[at], argument->variable))
        at--;
    return at;
}

static bool argument_matches(const char *at, const struct program *program, int index, int number)
{
    const struct program_argument *argument = &program->statement[index].argument[number];
    at = skip_spaces(at);
    if (*at == '_' && !isalnum((unsigned char)at[1]))
        return true;
    if (*at == '#')
        return argument->kind == ARGUMENT_CONSTANT;
    if (isdigit((unsigned char)*at))
        return argument->kind == ARGUMENT_CONSTANT && argument->bits == strtoull(at, NULL, 0);
    const int from = trigger_argument_from(program, index, number);
    const char *overwritten = pass_overwritten(at);
    int later = index; /* this statement or a later one gives the variable another value */
    while (overwritten && later < program->statement_count &&
           !gives(&program->statement[later], argument->variable))
        later++;
    return from >= 0 && trigger_matches(overwritten ? overwritten : at, program, from) &&
           later < program->statement_count;
}

/* The text after that name at `at`; NULL: it is another name. Each statement is compared with each
 * row of a list: apart from compilers, looking names up in the table of operations took most of a
 * run. */
static const char *pass_name(const char *at, const char *name)
{
    const size_t length = strlen(name);
    return strncmp(at, name, length) == 0 && !isalnum((unsigned char)at[length]) &&
                   at[length] != '_'
               ? at + length
               : NULL;
}

bool trigger_matches(const char *at, const struct program *program, int index)
{
    const struct program_statement *it = &program->statement[index];
    at = pass_name(skip_spaces(at), operations[it->operation].name);
    if (at && *at == '.')
        at = pass_name(at + 1, type_name((enum program_type)it->type));
    if (at == NULL)
        return false;
    at = skip_spaces(at);
    if (*at == '{') {
        const int end = index + 1 + program->statement[index].body;
        for (int inner = index + 1; inner < end; inner++)
            if (trigger_matches(at + 1, program, inner))
                return true;
        return false;
    }
    for (int number = 0; *at == (number ? ',' : '('); number++) {
        if (number >= operation_arguments(&operations[it->operation]) ||
            !argument_matches(at + 1, program, index, number))
            return false;
        at = pass(at + 1, 1);
    }
    return true;
}

static struct program_argument draft_statement(struct program_draft *draft, const char *at);

/* A trigger's argument; `at` is NULL if the trigger leaves it open. */
static struct program_argument draft_argument(struct program_draft *draft, const char *at,
                                              const struct operation *operation,
                                              enum program_type type, int place)
{
    const enum program_class of_class = operation_class(operation, type, place);
    uint64_t bound = 0;
    const bool is_constant = operation_is_constant(operation, type, place, &bound);
    at = at ? skip_spaces(at) : "_";
    if (isdigit((unsigned char)*at))
        return draft_constant_of(strtoull(at, NULL, 0));
    if (*at == '#' || is_constant)
        return draft_constant_of(draft_constant(draft, of_class, bound));
    if (*at == '_' && !isalnum((unsigned char)at[1]))
        return draft_variable(draft, of_class, true);
    const char *overwritten = pass_overwritten(at);
    return draft_statement(draft, overwritten ? overwritten : at);
}

/* The statement that the trigger at `at` asks for, after those that its arguments ask for. */
static struct program_argument draft_statement(struct program_draft *draft, const char *at)
{
    struct program_argument arguments[PROGRAM_ARGUMENTS_MAX] = {{0}};
    int row, type;
    at = skip_spaces(trigger_operation(skip_spaces(at), &row, &type));
    at = *at == '(' ? at : NULL;
    const struct operation *operation = &operations[row];
    for (int other = PROGRAM_TYPES - 1; type == PROGRAM_TYPES && other >= 0; other--)
        if (operation->types >> other & 1 && (operation->types & ((1u << other) - 1)) == 0)
            type = other;
    draft->is_good = draft->is_good && !operation->is_block && operation_has_result(operation) &&
                     (operation->types >> type & 1);
    int result = -1;
    for (int index = 0; draft->is_good && index < operation_arguments(operation); index++) {
        const bool is_given = at && *at == (index ? ',' : '(');
        const bool is_lost = is_given && pass_overwritten(skip_spaces(at + 1));
        arguments[index] = draft_argument(draft, is_given ? at + 1 : NULL, operation,
                                          (enum program_type)type, index + 1);
        if (is_lost) { /* it is of the result's class, or there is no such program */
            result = arguments[index].variable;
            draft->is_good = draft->is_good && draft->program->variable[result].of_class ==
                                                   operation_class(operation, type, 0);
        }
        at = is_given ? pass(at + 1, 1) : NULL;
    }
    const struct program_statement *it =
        draft->is_good ? draft_add(draft, row, (enum program_type)type, result, arguments) : NULL;
    return it ? (struct program_argument){.kind = ARGUMENT_VARIABLE, .variable = it->result}
              : draft_constant_of(0);
}

bool trigger_program(const char *trigger, struct program *ret)
{
    enum { TURNS = 17, THREADS = 256 };
    struct program_draft draft = {.program = ret, .is_good = true};
    memset(ret, 0, sizeof *ret);
    ret->threads = THREADS;
    draft_statement(&draft, trigger);
    const int variables = ret->variable_count;
    for (int turn = 1;
         draft.is_good && turn < TURNS && ret->variable_count + variables <= PROGRAM_VARIABLES_MAX;
         turn++)
        draft_statement(&draft, trigger);
    return draft.is_good;
}

/* Programs of one operation. Clause: program_runs.operations.table. */

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

static void add_block(struct program_draft *draft, int row, enum program_type type, int turn)
{
    enum { CHILDREN = 5 };
    struct program_argument arguments[PROGRAM_ARGUMENTS_MAX] = {{0}};
    const uint8_t sum = draft_variable(draft, CLASS_32, true).variable;
    draw_arguments(draft, row, type, turn, arguments);
    struct program_statement *block = draft_add(draft, row, type, -1, arguments);
    for (int child = 0; child < CHILDREN; child++) {
        const struct program_argument operands[PROGRAM_ARGUMENTS_MAX] = {
            {.kind = ARGUMENT_VARIABLE, .variable = sum},
            draft_constant_of(5),
            draft_constant_of(draft_constant(draft, CLASS_32, 0))};
        draft_add(draft, OPERATION_mad_lo, TYPE_U32, sum, operands);
    }
    if (block == NULL || !draft->is_good)
        return;
    block->body = CHILDREN;
    block->otherwise = row == OPERATION_if ? 2 : 0;
}

/* The program of these words: several statements of the operation, each with inputs or constants of
 * its own, memory filled before one that reads it, and read after one that writes it. It follows
 * from the words alone, whatever the generator does. False if they name no operation. */
static bool operation_program(const char *words, struct program *ret)
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
    if (operation->group == GROUP_LOCAL || operation->group == GROUP_GLOBAL ||
        operation->group == GROUP_ATOMIC)
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

/* The line after the word; NULL: it begins otherwise. */
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
               reason_set(ret_reason, REASON_INPUT, "'%.100s' is not an operation with its type",
                          operation);
    if (trigger)
        return trigger_check(trigger, ret_reason) &&
               (trigger_program(trigger, ret_program) ||
                reason_set(ret_reason, REASON_INPUT, "no program can be made from '%.100s'",
                           trigger));
    if (!program_case_parse(line, ret, error))
        return reason_set(ret_reason, REASON_INPUT, "%s", error);
    program_case_make(ret, ret_program);
    return true;
}
