/* Tries failures again, and finds what they share: a pattern, a known miscompile, a cause
 * (programs.h). Clauses: program_runs.finding.confirmed, program_runs.finding.reduced,
 * program_runs.finding.attributed, program_runs.finding.grouped, program_runs.known.own,
 * program_runs.known.evidence. */
#include "conformance/programs/programs.h"

#include <stdlib.h>
#include <string.h>

#include "conformance/base/heap.h"
#include "conformance/base/process.h"
#include "conformance/model/program_text.h"
#include "cpu_ref/programs/operations.h"

/* A line's program, with the case that it is of. */
struct made {
    struct program_case test_case;
    struct program program;
};

/* For free(); NULL if it is no line of a program. */
static struct made *make(const char *line)
{
    struct made *made = heap_take(1, sizeof *made);
    struct reason reason;
    if (line && program_text_make(line, &made->test_case, &made->program, &reason))
        return made;
    free(made);
    return NULL;
}

/* Names of variables, in the order in which they come. */
struct names {
    int count;
    int of[PROGRAM_VARIABLES_MAX]; /* 1 + its number; 0: none yet */
};

static void put_variable(char text[PROGRAMS_PATTERN_BYTES], struct names *names, int variable)
{
    if (names->of[variable] == 0)
        names->of[variable] = ++names->count;
    text_add(text, PROGRAMS_PATTERN_BYTES, "v%d", names->of[variable]);
}

/* The instructions of a program in their order, variables named as they come. Returns
 * `ret_text`. */
static const char *pattern_of(const char *line, char ret_text[PROGRAMS_PATTERN_BYTES])
{
    struct made *made = make(line);
    struct names names = {.count = 0};
    ret_text[0] = 0;
    for (int number = 0; made && number < made->program.statement_count; number++) {
        const struct program_statement *it = &made->program.statement[number];
        const struct operation *operation = &operations[it->operation];
        const bool has_result = operation_has_result(operation);
        const char *type = it->type != TYPE_PREDICATE ? type_name((enum program_type)it->type) : "";
        text_add(ret_text, PROGRAMS_PATTERN_BYTES, "%s%s%s%s ", number ? "; " : "", operation->name,
                 type[0] ? "." : "", type);
        if (has_result)
            put_variable(ret_text, &names, it->result);
        for (int index = 0; index < operation_arguments(operation); index++) {
            const bool is_variable = it->argument[index].kind == ARGUMENT_VARIABLE;
            text_add(ret_text, PROGRAMS_PATTERN_BYTES, "%s%s", index || has_result ? ", " : "",
                     is_variable ? "" : "#");
            if (is_variable)
                put_variable(ret_text, &names, it->argument[index].variable);
        }
    }
    free(made);
    return ret_text;
}

/* A program that hangs is not reduced. A row without a trigger is of its program alone: as it was
 * generated it has that one's seed. */
const struct known *programs_known_like(const struct programs *programs,
                                        const struct program_finding *it)
{
    struct made *whole = make(it->line), *reduced = make(it->reduced ? it->reduced : it->line);
    const struct known *found = NULL;
    for (int index = 0; whole && reduced && !found && index < programs->known.count; index++) {
        const struct known *known = &programs->known.rows[index];
        char pattern[PROGRAMS_PATTERN_BYTES], line[KNOWN_LINE_BYTES];
        const bool is_it =
            known_is_of_one(known)
                ? known_is_seed_of(known, &whole->test_case) &&
                      strcmp(pattern_of(known_line(known, line), pattern), it->pattern) == 0
                : known_trigger(known, &whole->program) >= 0 &&
                      known_trigger(known, &reduced->program) >= 0;
        if (is_it && programs_match(programs, it->row, known, &it->finding, it->stage,
                                    &it->result) > PROGRAMS_OTHER_KIND)
            found = known;
    }
    free(reduced);
    free(whole);
    return found;
}

/* It counts as another verdict from here on, or as none. */
static void uncount(struct programs_row *row, enum verdict verdict)
{
    row->counts[verdict]--;
    if (row->counts[row->explained] == 0)
        row->why[0] = 0;
}

/* Nobody can list the words of a program that --triggers made: there the row's own program speaks
 * for it, which came out as listed through the same path. What follows from its words alone is the
 * same in each run, and is listed. */
static bool is_known(const struct programs *programs, const struct program_finding *it)
{
    const bool is_wrong = it->finding.verdict == VERDICT_FAIL;
    bool is_as_listed = false;
    if (it->like == NULL ||
        (is_wrong && programs_match(programs, it->row, it->like, &it->finding, it->stage,
                                    &it->result) == PROGRAMS_AS_LISTED))
        return it->like != NULL;
    const bool is_drawn = strncmp(it->line, "program ", strlen("program ")) == 0;
    for (size_t index = 0; index < programs->check_count; index++) {
        const struct programs_known *check = &programs->checks[index];
        if (check->known == it->like && check->row == it->row)
            is_as_listed = check->is_present && check->finding.verdict == VERDICT_PASS;
    }
    return (is_drawn || !is_wrong) && (it->reduced || it->finding.verdict == VERDICT_TIMEOUT) &&
           is_as_listed;
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
        uncount(row, it->finding.verdict);
        row->known++;
        row->known_wrong += it->finding.verdict == VERDICT_FAIL;
    }
}

/* The statement, with what gave each of its arguments; statements are counted. False if no trigger
 * says it. */
static bool put_statement(char text[PROGRAMS_CAUSE_BYTES], const struct program *program, int index,
                          int *statements)
{
    const struct program_statement *it = &program->statement[index];
    const struct operation *operation = &operations[it->operation];
    bool good = !operation->is_block && operation_has_result(operation);
    ++*statements;
    text_add(text, PROGRAMS_CAUSE_BYTES, "%s.%s", operation->name,
             type_name((enum program_type)it->type));
    for (int number = 0; number < operation_arguments(operation); number++) {
        const int from = trigger_argument_from(program, index, number);
        const bool is_constant = it->argument[number].kind == ARGUMENT_CONSTANT;
        text_add(text, PROGRAMS_CAUSE_BYTES, "%s%s", number ? ", " : "(",
                 is_constant ? "#"
                 : from < 0  ? "_"
                             : "");
        if (!is_constant && from >= 0)
            good = good && put_statement(text, program, from, statements);
    }
    text_add(text, PROGRAMS_CAUSE_BYTES, "%s", operation_arguments(operation) > 0 ? ")" : "");
    return good;
}

const char *programs_cause(const struct program *program, char ret_text[PROGRAMS_CAUSE_BYTES])
{
    struct reason reason;
    int statements = 0;
    ret_text[0] = 0;
    const bool is_one =
        program->statement_count > 0 &&
        put_statement(ret_text, program, program->statement_count - 1, &statements) &&
        statements == program->statement_count && strlen(ret_text) < PROGRAMS_CAUSE_BYTES - 1 &&
        trigger_check(ret_text, &reason);
    if (!is_one)
        ret_text[0] = 0;
    return ret_text;
}

/* The finding is of the other's miscompile: its smallest program, pattern, cause and layer are. */
static void share_cause(struct program_finding *it, const struct program_finding *of)
{
    if (it == of)
        return;
    free(it->reduced);
    it->reduced = of->reduced ? heap_text(of->reduced) : NULL;
    it->reduced_result = of->reduced_result;
    memcpy(it->pattern, of->pattern, sizeof it->pattern);
    memcpy(it->cause, of->cause, sizeof it->cause);
    memcpy(it->layer, of->layer, sizeof it->layer);
}

void programs_tell_cause(struct programs *programs, struct program_finding *it)
{
    struct made *reduced = make(it->reduced);
    char cause[PROGRAMS_CAUSE_BYTES] = "";
    if (reduced && programs_known_like(programs, it) == NULL)
        programs_cause(&reduced->program, cause);
    pthread_mutex_lock(&programs->lock);
    memcpy(it->cause, cause, sizeof it->cause);
    it->is_origin = true;
    pthread_mutex_unlock(&programs->lock);
    free(reduced);
}

void programs_join_causes(struct programs *programs)
{
    for (size_t index = 0; index < programs->finding_count; index++) {
        struct program_finding *it = &programs->findings[index];
        struct made *reduced = it->known ? NULL : make(it->reduced);
        /* The finding with the shortest cause that this one's smallest program has, too: itself, or
         * one through the same row. */
        const struct program_finding *found = it;
        for (size_t other = 0; reduced && other < programs->finding_count; other++) {
            const struct program_finding *that = &programs->findings[other];
            if (that->cause[0] == 0 || that->known || that->row != it->row ||
                that->finding.verdict != it->finding.verdict ||
                (found->cause[0] && strlen(that->cause) >= strlen(found->cause)))
                continue;
            const struct known cause = {.trigger = that->cause};
            if (known_trigger(&cause, &reduced->program) >= 0)
                found = that;
        }
        share_cause(it, found);
        free(reduced);
    }
}

/* One failure under way, in a thread of its own. */
struct attempt {
    struct programs *programs;
    struct client *client;
    int row;
    enum verdict verdict; /* that it must have */
    int asked, asked_max; /* of a CRASH, which costs a process each time */
    int stage;            /* that the program tried last reached */
    bool had[KNOWN_MAX];  /* of each known miscompile's trigger: the program that is reduced */
};

/* Tries one program alone through a row. */
static void try_alone(struct attempt *attempt, int row, const char *line, struct finding *ret,
                      struct program_result *ret_result)
{
    struct program_answer answer;
    const struct programs_asked asked = {.row = row, .lines = line, .count = 1};
    programs_ask_one(attempt->programs, attempt->client, &asked, &answer);
    *ret = answer.finding;
    if (ret->verdict == VERDICT_PASS || ret->verdict == VERDICT_FAIL)
        *ret_result = answer.results[0];
    else
        attempt->stage = answer.stage;
}

/* As many at once as a module has; where that says nothing one by one: whatever ends a worker ends
 * it for one alone. */
static bool ask_all(struct attempt *attempt, const struct program_case *cases, int count,
                    bool *ret_fails)
{
    const struct programs_row *row = &attempt->programs->rows[attempt->row];
    struct program_answer answer;
    bool good = true;
    for (int done = 0, most; good && done < count && !stop_signal; done += most) {
        most = count - done < PROGRAMS_MODULE ? count - done : PROGRAMS_MODULE;
        struct program_result result;
        struct finding finding;
        char *lines = attempt->verdict == VERDICT_FAIL ? programs_join(cases + done, most) : NULL;
        const struct programs_asked asked = {.row = attempt->row, .lines = lines, .count = most};
        finding_set(&answer.finding, VERDICT_ERROR, "", "%s", "");
        if (lines)
            programs_ask(attempt->programs, attempt->client, &asked, &answer);
        free(lines);
        const bool is_whole = answer.finding.verdict == VERDICT_PASS && answer.count == most;
        for (int index = done; good && index < done + most; index++) {
            char *line = is_whole ? NULL : programs_join(&cases[index], 1);
            if (is_whole)
                programs_judge_result(row, &answer.results[index - done], &finding);
            else
                good = !stop_signal && attempt->asked++ < attempt->asked_max;
            if (good && !is_whole)
                try_alone(attempt, attempt->row, line, &finding, &result);
            ret_fails[index] = good && finding.verdict == attempt->verdict;
            free(line);
        }
    }
    return good && !stop_signal;
}

/* The shrinker's question: which of the cases fail. A case that gained the
 * trigger of a known miscompile may fail by that one, and no longer by what is looked for: it does
 * not count. */
static bool fails(void *context, const struct program_case *cases, int count, bool *ret_fails)
{
    struct attempt *attempt = context;
    const struct known_list *list = &attempt->programs->known;
    struct program_case *kept = heap_take((size_t)count, sizeof *kept);
    struct program program;
    bool fail[PROGRAM_SHRINK_BATCH] = {false};
    int from[PROGRAM_SHRINK_BATCH], kept_count = 0;
    for (int index = 0; index < count; index++) {
        ret_fails[index] = false;
        program_case_make(&cases[index], &program);
        if (known_find(list, &program, attempt->had) >= 0)
            continue;
        kept[kept_count] = cases[index];
        from[kept_count++] = index;
    }
    const bool good = kept_count == 0 || ask_all(attempt, kept, kept_count, fail);
    for (int index = 0; good && index < kept_count; index++)
        ret_fails[from[index]] = fail[index];
    free(kept);
    return good;
}

/* Through every row of the same device, those that are tried for failures alone, too. */
static void attribute(struct attempt *attempt, struct program_finding *it,
                      enum verdict *ret_verdicts)
{
    const struct programs *programs = attempt->programs;
    const size_t count = programs->row_count + programs->try_count;
    struct layer_path *paths = heap_take(count, sizeof *paths);
    struct program_result result;
    struct finding finding;
    int found = 0;
    for (size_t row = 0; row < count && !stop_signal; row++) {
        ret_verdicts[row] = VERDICT_SKIP;
        if (programs->rows[row].device != programs->rows[it->row].device ||
            programs->rows[row].only_compiles != programs->rows[it->row].only_compiles)
            continue;
        try_alone(attempt, (int)row, it->reduced ? it->reduced : it->line, &finding, &result);
        ret_verdicts[row] = finding.verdict;
        paths[found++] = (struct layer_path){programs->rows[row].path, finding.verdict};
    }
    layer_text(paths, found, it->layer);
    free(paths);
}

static void reduce(struct attempt *attempt, struct program_finding *it)
{
    const struct known_list *list = &attempt->programs->known;
    struct program_case smallest;
    struct program whole;
    char error[PROGRAM_ERROR_BYTES];
    struct finding finding;
    if (!program_case_parse(it->line, &smallest, error)) {
        /* One that is made of words is as small as it gets. */
        it->reduced = program_text_is(it->line) ? heap_text(it->line) : NULL;
        it->reduced_result = it->result;
        if (it->reduced)
            pattern_of(it->reduced, it->pattern);
        return;
    }
    program_case_make(&smallest, &whole);
    for (int row = 0; row < list->count; row++)
        attempt->had[row] = known_trigger(&list->rows[row], &whole) >= 0;
    program_shrink(&smallest, fails, attempt);
    char *line = programs_join(&smallest, 1);
    line[strcspn(line, "\n")] = 0;
    try_alone(attempt, it->row, line, &finding, &it->reduced_result);
    if (finding.verdict == it->finding.verdict) {
        it->reduced = line;
        pattern_of(line, it->pattern);
    } else {
        free(line);
    }
}

/* True if the program is right without the statements of a cause that is known by now, of a
 * finding of the same row. */
static bool has_cause(struct attempt *attempt, struct program_finding *it)
{
    struct programs *programs = attempt->programs;
    struct program_case whole, without;
    const struct program_finding *that = NULL;
    struct program_result result;
    struct finding finding = {.verdict = it->finding.verdict};
    char error[PROGRAM_ERROR_BYTES];
    bool good = program_case_parse(it->line, &whole, error);
    for (size_t index = 0; good && !stop_signal && finding.verdict != VERDICT_PASS; index++) {
        char cause[PROGRAMS_CAUSE_BYTES] = "";
        pthread_mutex_lock(&programs->lock);
        good = index < programs->finding_count;
        that = good ? &programs->findings[index] : NULL;
        if (good && that->is_origin && that->row == attempt->row &&
            that->finding.verdict == attempt->verdict)
            memcpy(cause, that->cause, sizeof cause);
        pthread_mutex_unlock(&programs->lock);
        if (cause[0] == 0)
            continue;
        without = whole;
        if (known_drop(&(struct known){.trigger = cause}, NULL, 1, &without) == 0)
            continue;
        char *line = programs_join(&without, 1);
        try_alone(attempt, it->row, line, &finding, &result);
        free(line);
    }
    good = good && finding.verdict == VERDICT_PASS;
    if (good)
        share_cause(it, that);
    return good;
}

/* Confirms, reduces and attributes one. `verdicts` has room for each row. */
static void try_finding(struct attempt *attempt, struct program_finding *it, enum verdict *verdicts)
{
    enum { WORKERS = 60, PROCESSES = 1000 };
    struct program_result result = it->result;
    struct finding finding;
    if (it->finding.verdict != VERDICT_FAIL)
        client_close(attempt->client); /* it may say of its device what the other one did */
    try_alone(attempt, it->row, it->line, &finding, &result);
    if (stop_signal)
        return;
    it->is_tried = true;
    it->recurs = finding.verdict == it->finding.verdict;
    if (!it->recurs) {
        finding_set(&it->again, finding.verdict, "", "%.200s", finding.note);
        if (it->finding.verdict != VERDICT_FAIL && !verdict_is_failure(finding.verdict)) {
            /* No wrong output, and it did not recur: a device that is lost, or a machine that ends
             * processes, does as much. */
            struct programs *programs = attempt->programs;
            programs_judge_again(it->finding.verdict, &it->again, &finding);
            pthread_mutex_lock(&programs->lock);
            uncount(&programs->rows[it->row], it->finding.verdict);
            programs_count(&programs->rows[it->row], finding.verdict, 1, finding.note);
            programs_note_operation(programs, it->row, it->number, finding.verdict);
            it->finding = finding;
            pthread_mutex_unlock(&programs->lock);
        }
        return;
    }
    it->result = result;
    it->finding = finding;
    it->stage = attempt->stage;
    /* A compiler that is a file crashes in a process of its own; the driver's, and code that
     * crashes, end a worker, with its context. */
    const bool is_file = path_row(attempt->programs->rows[attempt->row].path)->tool;
    attempt->asked_max = is_file && attempt->stage <= PROGRAM_STAGE_COMPILE ? PROCESSES : WORKERS;
    if (has_cause(attempt, it))
        return;
    if (finding.verdict == VERDICT_FAIL || finding.verdict == VERDICT_CRASH)
        reduce(attempt, it);
    attribute(attempt, it, verdicts);
    programs_tell_cause(attempt->programs, it);
}

/* All findings of one program on one device. Those whose rows fail the reduced program as well have
 * the same bug. */
static void try_program(struct attempt *attempt, struct program_finding *first, size_t count)
{
    struct programs *programs = attempt->programs;
    enum verdict *verdicts = heap_take(programs->row_count + programs->try_count, sizeof *verdicts);
    for (size_t index = 0; index < count && !stop_signal; index++) {
        struct program_finding *it = &first[index];
        const bool is_of_memory = it->finding.verdict == VERDICT_FAIL && it->result.compared == 0;
        if (it->is_tried || !verdict_is_failure(it->finding.verdict) || is_of_memory ||
            programs->rows[it->row].device != attempt->client->device)
            continue;
        attempt->row = it->row;
        attempt->verdict = it->finding.verdict;
        attempt->asked = 0;
        try_finding(attempt, it, verdicts);
        for (size_t other = 0; it->is_origin && other < count; other++) {
            struct program_finding *that = &first[other];
            if (that->is_tried || verdicts[that->row] != that->finding.verdict ||
                programs->rows[that->row].device != attempt->client->device)
                continue;
            that->is_tried = that->recurs = true;
            share_cause(that, it);
            programs_tell_cause(programs, that);
        }
    }
    free(verdicts);
}

/* The next program with findings of the client's device. */
static bool step(void *context, struct client *client)
{
    enum { TRIED_MAX = 256 };
    struct programs *programs = context;
    struct attempt attempt = {.programs = programs, .client = client};
    const int device = client->device;
    pthread_mutex_lock(&programs->lock);
    const size_t first = (size_t)programs->next[device];
    size_t end = first;
    while (end < programs->finding_count &&
           programs->findings[end].number == programs->findings[first].number)
        end++;
    programs->next[device] = end;
    const bool is_tried = first < end && programs->tried[device]++ < TRIED_MAX;
    pthread_mutex_unlock(&programs->lock);
    if (is_tried)
        try_program(&attempt, &programs->findings[first], end - first);
    return end < programs->finding_count && !stop_signal;
}

void programs_try_all(struct programs *programs)
{
    for (size_t index = 0; index < programs->finding_count; index++) {
        struct program_finding *it = &programs->findings[index];
        if (it->line == NULL)
            it->line = programs_lines_of(programs, it->number, 1);
        it->line[strcspn(it->line, "\n")] = 0; /* what replays it */
    }
    if (programs->finding_count == 0 || stop_signal)
        return;
    memset(programs->next, 0, sizeof programs->next);
    clients_work(programs->clients, step, programs);
}

void programs_group(struct programs *programs)
{
    programs_join_causes(programs);
    for (size_t index = 0; index < programs->finding_count; index++) {
        struct program_finding *it = &programs->findings[index];
        if (it->reduced == NULL)
            continue;
        size_t other = 0;
        while (programs->findings[other].reduced == NULL ||
               programs->findings[other].finding.verdict != it->finding.verdict ||
               strcmp(programs->findings[other].pattern, it->pattern) != 0)
            other++;
        it->group = (int)other;
    }
}
