/* What failures have in common: a pattern, a known miscompile, a cause (programs_cause.h). Clauses:
 * program_runs.finding.grouped, program_runs.known.own, program_runs.known.evidence. */
#include "conformance/programs/programs_cause.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "conformance/model/program_text.h"
#include "conformance/model/program_trigger.h"
#include "conformance/programs/programs_take.h"
#include "cpu_ref/programs/operations.h"

/* Names of variables, in the order in which they come. */
struct names {
    int count;
    int of[PROGRAM_VARIABLES_MAX]; /* 1 + its number; 0: none yet */
};

/* A text as it grows; what has no room is left out. */
struct text {
    char *at;
    size_t bytes, used;
    int statements; /* that are in it */
};

static void put(struct text *text, const char *words)
{
    const size_t room = text->bytes - text->used;
    const int length = snprintf(text->at + text->used, room, "%s", words);
    text->used += (size_t)length < room ? (size_t)length : room - 1;
}

static void put_variable(struct text *text, struct names *names, int variable)
{
    char name[16];
    if (names->of[variable] == 0)
        names->of[variable] = ++names->count;
    snprintf(name, sizeof name, "v%d", names->of[variable]);
    put(text, name);
}

static void put_instruction(struct text *text, struct names *names,
                            const struct program_statement *it)
{
    const struct operation *operation = &operations[it->operation];
    put(text, text->used ? "; " : "");
    put(text, operation->name);
    if (it->type != TYPE_PREDICATE) {
        put(text, ".");
        put(text, type_name((enum program_type)it->type));
    }
    put(text, " ");
    if (operation_has_result(operation))
        put_variable(text, names, it->result);
    for (int index = 0; index < operation_arguments(operation); index++) {
        put(text, index || operation_has_result(operation) ? ", " : "");
        if (it->argument[index].kind == ARGUMENT_VARIABLE)
            put_variable(text, names, it->argument[index].variable);
        else
            put(text, "#");
    }
}

const char *programs_pattern(const char *line, char ret_text[PROGRAMS_PATTERN_BYTES])
{
    struct program_case *test_case = malloc(sizeof *test_case);
    struct program *program = malloc(sizeof *program);
    struct reason reason;
    struct names names = {.count = 0};
    struct text text = {.at = ret_text, .bytes = PROGRAMS_PATTERN_BYTES};
    ret_text[0] = 0;
    if (test_case && program && program_text_make(line, test_case, program, &reason)) {
        for (int index = 0; index < program->statement_count; index++)
            put_instruction(&text, &names, &program->statement[index]);
    }
    free(test_case);
    free(program);
    return ret_text;
}

/* A row without a trigger is of its program alone: as it was generated it has that one's seed. */
static bool is_of_one(const struct known *known, const struct program_finding *it,
                      const struct program_case *test_case)
{
    char pattern[PROGRAMS_PATTERN_BYTES], line[KNOWN_LINE_BYTES];
    return known_is_seed_of(known, test_case) &&
           strcmp(programs_pattern(known_line(known, line), pattern), it->pattern) == 0;
}

/* What hangs is not reduced. */
const struct known *programs_known_like(const struct programs *programs,
                                        const struct program_finding *it)
{
    struct program_case *test_case = malloc(sizeof *test_case),
                        *of_reduced = malloc(sizeof *of_reduced);
    struct program *whole = malloc(sizeof *whole), *reduced = malloc(sizeof *reduced);
    const int kind = known_kind_of(&it->finding, it->stage);
    const struct known *found = NULL;
    struct reason reason;
    const bool good =
        test_case && of_reduced && whole && reduced && it->line &&
        program_text_make(it->line, test_case, whole, &reason) &&
        program_text_make(it->reduced ? it->reduced : it->line, of_reduced, reduced, &reason);
    for (int index = 0; good && !found && index < programs->known.count; index++) {
        const struct known *known = &programs->known.rows[index];
        const bool is_it = known_is_of_one(known) ? is_of_one(known, it, test_case)
                                                  : known_trigger(known, whole) >= 0 &&
                                                        known_trigger(known, reduced) >= 0;
        if (is_it && known_kinds(known) & kind &&
            programs_lists(programs, &programs->rows[it->row], known))
            found = known;
    }
    free(reduced);
    free(whole);
    free(of_reduced);
    free(test_case);
    return found;
}

/* Through the same path the row's own program came out as the row says. */
static bool is_as_listed(const struct programs *programs, int row, const struct known *known)
{
    for (size_t index = 0; index < programs->check_count; index++) {
        const struct programs_known *it = &programs->checks[index];
        if (it->known == known && it->row == row)
            return it->is_present && it->finding.verdict == VERDICT_PASS;
    }
    return false;
}

/* Nobody can list the words of a program that --triggers made: there the row's own program speaks
 * for it. What follows from its words alone is the same in each run, and is listed. */
static bool is_known(const struct programs *programs, const struct program_finding *it)
{
    const bool is_wrong = it->finding.verdict == VERDICT_FAIL;
    if (it->like == NULL || (is_wrong && known_gives(it->like, &it->result)))
        return it->like != NULL;
    const bool is_drawn = strncmp(it->line, "program ", strlen("program ")) == 0;
    return (is_drawn || !is_wrong) && (it->reduced || it->finding.verdict == VERDICT_TIMEOUT) &&
           is_as_listed(programs, it->row, it->like);
}

void programs_take_known(struct programs *programs)
{
    for (size_t index = 0; index < programs->finding_count; index++) {
        struct program_finding *it = &programs->findings[index];
        struct programs_row *row = &programs->rows[it->row];
        it->like = programs_known_like(programs, it);
        if (programs->session->options->strict || !is_known(programs, it))
            continue;
        it->known = it->like;
        programs_note_operation(programs, it->row, it->number, OPERATION_KNOWN);
        row->counts[it->finding.verdict]--;
        row->known++;
        row->known_wrong += it->finding.verdict == VERDICT_FAIL;
        if (row->counts[row->explained] == 0)
            row->why[0] = 0;
    }
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
    struct text text = {.at = ret_text, .bytes = PROGRAMS_CAUSE_BYTES};
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
