/* Reading triggers (program_trigger.h): op[.type][(argument, ...)], an argument being `_`, `#`, a
 * number, or the trigger of the statement that it is the result of, with `!` before it where that
 * result is overwritten later; or op{trigger}, a block with that in it. Clauses:
 * program_runs.known.trigger, program_runs.known.made. */
#include "conformance/model/program_trigger.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "conformance/model/program_draft.h"
#include "cpu_ref/programs/operations.h"

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

const char *trigger_operation(const char *at, int *ret_operation, int *ret_type)
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

/* What follows the `!` at `at`; NULL: there is none. */
static const char *pass_overwritten(const char *at)
{
    return *at == '!' ? skip_spaces(at + 1) : NULL;
}

static const char *pass(const char *at, int depth);

/* Where the arguments that may come at `at` end, or the trigger in braces. */
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

/* Where the argument or the trigger at `at` ends; NULL: it is none. */
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
           reason_set(ret_reason, REASON_INPUT, "'%.100s' is no trigger", trigger);
}

/* The statement that gave the variable what statement `index` reads: the last one before it; -1:
 * it is an input, or a constant. */
static int defined_at(const struct program *program, int index, int variable)
{
    int at = index - 1;
    while (at >= 0 && (program->statement[at].result != variable ||
                       !operation_has_result(&operations[program->statement[at].operation])))
        at--;
    return at;
}

int trigger_argument_from(const struct program *program, int index, int number)
{
    const struct program_argument *argument = &program->statement[index].argument[number];
    return argument->kind == ARGUMENT_VARIABLE ? defined_at(program, index, argument->variable)
                                               : -1;
}

/* True where statement `index` or a later one gives the variable another value. */
static bool is_overwritten(const struct program *program, int index, int variable)
{
    while (index < program->statement_count &&
           (program->statement[index].result != variable ||
            !operation_has_result(&operations[program->statement[index].operation])))
        index++;
    return index < program->statement_count;
}

static bool matches(const char *at, const struct program *program, int index);

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
    return from >= 0 && matches(overwritten ? overwritten : at, program, from) &&
           (!overwritten || is_overwritten(program, index, argument->variable));
}

static bool body_matches(const char *at, const struct program *program, int index)
{
    const int end = index + 1 + program->statement[index].body;
    for (int inner = index + 1; inner < end; inner++)
        if (matches(at, program, inner))
            return true;
    return false;
}

/* What follows that name at `at`; NULL: it is another. Each statement is compared with each row of
 * a list: apart from compilers, looking names up in the table of operations took most of a run. */
static const char *pass_name(const char *at, const char *name)
{
    const size_t length = strlen(name);
    return strncmp(at, name, length) == 0 && !isalnum((unsigned char)at[length]) &&
                   at[length] != '_'
               ? at + length
               : NULL;
}

static bool matches(const char *at, const struct program *program, int index)
{
    const struct program_statement *it = &program->statement[index];
    at = pass_name(skip_spaces(at), operations[it->operation].name);
    if (at && *at == '.')
        at = pass_name(at + 1, type_name((enum program_type)it->type));
    if (at == NULL)
        return false;
    at = skip_spaces(at);
    if (*at == '{')
        return body_matches(at + 1, program, index);
    for (int number = 0; *at == (number ? ',' : '('); number++) {
        if (number >= operation_arguments(&operations[it->operation]) ||
            !argument_matches(at + 1, program, index, number))
            return false;
        at = pass(at + 1, 1);
    }
    return true;
}

bool trigger_matches(const char *trigger, const struct program *program, int index)
{
    return matches(trigger, program, index);
}

static struct program_argument draft_statement(struct program_draft *draft, const char *at);

/* What stands in an argument's place; `at` is NULL where the trigger leaves it open. */
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
