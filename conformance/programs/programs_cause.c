/* Failures of one cause (programs_cause.h). Clause: program_runs.finding.grouped. */
#include "conformance/programs/programs_cause.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "conformance/model/program_text.h"
#include "conformance/model/program_trigger.h"
#include "conformance/programs/programs_known.h"
#include "cpu_ref/programs/operations.h"

struct text {
    char *at;
    size_t used;
    int statements; /* that are in it */
};

static void put(struct text *text, const char *words)
{
    const size_t room = PROGRAMS_CAUSE_BYTES - text->used;
    const int length = snprintf(text->at + text->used, room, "%s", words);
    text->used += (size_t)length < room ? (size_t)length : room - 1;
}

/* The statement, with what gave each of its arguments. False where no trigger says it. */
static bool put_statement(struct text *text, const struct program *program, int index)
{
    const struct program_statement *it = &program->statement[index];
    const struct operation *operation = &operations[it->operation];
    bool good = !operation->is_block && operation_has_result(operation);
    text->statements++;
    put(text, operation->name);
    put(text, ".");
    put(text, type_name((enum program_type)it->type));
    for (int number = 0; number < operation_arguments(operation); number++) {
        const int from = trigger_argument_from(program, index, number);
        put(text, number ? ", " : "(");
        if (it->argument[number].kind == ARGUMENT_CONSTANT)
            put(text, "#");
        else if (from < 0)
            put(text, "_");
        else
            good = good && put_statement(text, program, from);
    }
    put(text, operation_arguments(operation) > 0 ? ")" : "");
    return good;
}

const char *programs_cause(const struct program *program, char ret_text[PROGRAMS_CAUSE_BYTES])
{
    struct text text = {.at = ret_text};
    struct reason reason;
    ret_text[0] = 0;
    const bool is_one = program->statement_count > 0 &&
                        put_statement(&text, program, program->statement_count - 1) &&
                        text.statements == program->statement_count &&
                        text.used < PROGRAMS_CAUSE_BYTES - 1 && trigger_check(ret_text, &reason);
    if (!is_one)
        ret_text[0] = 0;
    return ret_text;
}

bool programs_without_cause(const char *cause, struct program_case *it, struct program *scratch)
{
    bool had = false, has = cause[0] != 0;
    while (has) {
        has = false;
        program_case_make(it, scratch);
        for (int index = 0; index < scratch->statement_count && !has; index++) {
            has = trigger_matches(cause, scratch, index);
            if (has)
                it->dropped[scratch->statement[index].number] = true;
        }
        had = had || has;
    }
    return had;
}

void programs_take_cause(struct program_finding *it, const struct program_finding *of)
{
    if (it == of)
        return;
    free(it->reduced);
    it->reduced = of->reduced ? strdup(of->reduced) : NULL;
    it->reduced_result = of->reduced_result;
    memcpy(it->pattern, of->pattern, sizeof it->pattern);
    memcpy(it->cause, of->cause, sizeof it->cause);
    memcpy(it->layer, of->layer, sizeof it->layer);
}

void programs_tell_cause(struct programs *programs, struct program_finding *it)
{
    struct program_case *test_case = malloc(sizeof *test_case);
    struct program *program = malloc(sizeof *program);
    char cause[PROGRAMS_CAUSE_BYTES] = "";
    struct reason reason;
    if (test_case && program && it->reduced &&
        program_text_make(it->reduced, test_case, program, &reason) &&
        programs_known_like(programs, it) == NULL)
        programs_cause(program, cause);
    pthread_mutex_lock(&programs->lock);
    memcpy(it->cause, cause, sizeof it->cause);
    it->is_origin = true;
    pthread_mutex_unlock(&programs->lock);
    free(program);
    free(test_case);
}

/* The finding with the shortest cause that this one's smallest program has, too: itself, or one
 * through the same row. */
static const struct program_finding *origin(const struct programs *programs,
                                            const struct program_finding *it,
                                            const struct program *reduced)
{
    const struct program_finding *found = it;
    for (size_t index = 0; index < programs->finding_count; index++) {
        const struct program_finding *that = &programs->findings[index];
        if (that->cause[0] == 0 || that->known || that->row != it->row ||
            that->finding.verdict != it->finding.verdict ||
            (found->cause[0] && strlen(that->cause) >= strlen(found->cause)))
            continue;
        for (int at = 0; at < reduced->statement_count; at++)
            if (trigger_matches(that->cause, reduced, at))
                found = that;
    }
    return found;
}

void programs_join_causes(struct programs *programs)
{
    struct program_case *test_case = malloc(sizeof *test_case);
    struct program *reduced = malloc(sizeof *reduced);
    struct reason reason;
    for (size_t index = 0; test_case && reduced && index < programs->finding_count; index++) {
        struct program_finding *it = &programs->findings[index];
        if (it->reduced && it->known == NULL &&
            program_text_make(it->reduced, test_case, reduced, &reason))
            programs_take_cause(it, origin(programs, it, reduced));
    }
    free(reduced);
    free(test_case);
}
