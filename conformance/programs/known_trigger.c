/* Reading triggers (known_trigger.h): op[.type][(argument, ...)], an argument being `_`, `#`, a
 * number, or the trigger of the statement that it is the result of. Clause:
 * program_runs.known.trigger. */
#include "conformance/programs/known_trigger.h"

#include <ctype.h>
#include <stdlib.h>
#include <string.h>

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

/* The operation's row (-1: none) and type (PROGRAM_TYPES: any). */
static const char *read_operation(const char *at, int *ret_operation, int *ret_type)
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
    at = skip_spaces(read_operation(at, &operation, &type));
    if (operation < 0 || depth == DEPTH_MAX)
        return NULL;
    if (*at != '(')
        return at;
    do
        at = pass(at + 1, depth + 1);
    while (at && *at == ',');
    return at && *at == ')' ? skip_spaces(at + 1) : NULL;
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

static bool matches(const char *at, const struct program *program, int index);

static bool argument_matches(const char *at, const struct program *program, int index,
                             const struct program_argument *argument)
{
    at = skip_spaces(at);
    if (*at == '_' && !isalnum((unsigned char)at[1]))
        return true;
    if (*at == '#')
        return argument->kind == ARGUMENT_CONSTANT;
    if (isdigit((unsigned char)*at))
        return argument->kind == ARGUMENT_CONSTANT && argument->bits == strtoull(at, NULL, 0);
    const int from =
        argument->kind == ARGUMENT_VARIABLE ? defined_at(program, index, argument->variable) : -1;
    return from >= 0 && matches(at, program, from);
}

static bool matches(const char *at, const struct program *program, int index)
{
    const struct program_statement *it = &program->statement[index];
    int operation, type;
    at = skip_spaces(read_operation(skip_spaces(at), &operation, &type));
    if (operation != it->operation || (type != PROGRAM_TYPES && type != it->type))
        return false;
    for (int number = 0; *at == '(' || *at == ','; number++) {
        if (number >= operation_arguments(&operations[operation]) ||
            !argument_matches(at + 1, program, index, &it->argument[number]))
            return false;
        at = pass(at + 1, 1);
    }
    return true;
}

bool trigger_matches(const char *trigger, const struct program *program, int index)
{
    return matches(trigger, program, index);
}
