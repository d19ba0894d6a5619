/* Ranges of programs to workers, and what came of each (programs.h). Clauses:
 * program_runs.golden.equal, program_runs.operations.alone, program_runs.operations.table,
 * program_runs.known.avoided, program_runs.known.checked, program_runs.known.versions,
 * program_runs.known.strict, program_runs.known.hangs, program_runs.known.evidence,
 * program_runs.known.held, program_runs.module.apart, program_runs.outputs.whole,
 * program_runs.count.whole, verdicts.crash.reported, verdicts.timeout.reported. */
#include "conformance/programs/programs.h"

#include <stdlib.h>
#include <string.h>

#include "conformance/base/heap.h"
#include "conformance/base/process.h"
#include "conformance/model/program_text.h"
#include "cpu_ref/programs/operations.h"

static const double check_limit_s = 10; /* of a command without --timeout */
static const double program_limit_s = 0.2;

/* A worker that is still at it after all that its compiler may take is hung itself. On the host
 * device a compiler shares the cores with the run: its limit is one of CPU time, and twice that for
 * all that it may wait. */
static const double grace_s = 20;

void programs_ask(const struct programs *programs, struct client *client,
                  const struct programs_asked *asked, struct program_answer *ret)
{
    const struct options *options = programs->session->options;
    const struct programs_row *row = &programs->rows[asked->row];
    const double timeout_s = options->timeout_s > 0 ? options->timeout_s : check_limit_s;
    const size_t text_bytes = strlen(asked->lines);
    struct program_job *job = heap_take(1, program_job_bytes(text_bytes));
    memset(ret, 0, sizeof *ret);
    job->job = ++client->jobs;
    job->count = asked->count;
    job->path = row->path;
    job->compute_capability = row->compute_capability;
    job->only_compiles = row->only_compiles;
    job->keeps_code = asked->keeps_code;
    const double limit_s = timeout_s + program_limit_s * asked->count;
    const bool is_emulated = device_kinds[path_row(row->path)->kind].is_emulated;
    job->cpu_limit_s = asked->cpu_limit_s == 0 && is_emulated ? (int)limit_s : asked->cpu_limit_s;
    job->limit_s = is_emulated ? 2 * limit_s : limit_s;
    memcpy(job->lines, asked->lines, text_bytes + 1);
    const struct client_job message = {.device = client->device,
                                       .type = MESSAGE_PROGRAMS,
                                       .body = job,
                                       .bytes = program_job_bytes(text_bytes),
                                       .wanted = MESSAGE_PROGRAM_RESULTS,
                                       .limit_s = limit_s + grace_s};
    if (!client_ask(client, &message, ret, sizeof *ret, &ret->finding)) {
        ret->count = 0;
        ret->stage = strstr(ret->finding.note, PROGRAM_COMPILING) ? PROGRAM_STAGE_COMPILE
                                                                  : PROGRAM_STAGE_RUN;
    } else if (ret->finding.verdict == VERDICT_CRASH && ret->stage >= PROGRAM_STAGE_LOAD) {
        client_end(client, false); /* its context is lost */
    } else if (ret->finding.verdict == VERDICT_PASS && ret->count != asked->count) {
        finding_set(&ret->finding, VERDICT_ERROR, "", "the worker answered for %d programs of %d",
                    ret->count, asked->count);
    }
    free(job);
}

void programs_ask_one(const struct programs *programs, struct client *client,
                      const struct programs_asked *asked, struct program_answer *ret)
{
    programs_ask(programs, client, asked, ret);
    if (ret->finding.verdict == VERDICT_PASS)
        programs_judge_result(&programs->rows[asked->row], &ret->results[0], &ret->finding);
}

void programs_judge_result(const struct programs_row *row, const struct program_result *result,
                           struct finding *ret)
{
    if (!row->only_compiles && result->compared == 0)
        finding_set(ret, VERDICT_ERROR, "", "none of its words was compared");
    else if (!row->only_compiles && result->wrong)
        finding_set(ret, VERDICT_FAIL, "program_runs.golden.equal", "%s",
                    result->unwritten == result->wrong ? "nothing that is wrong was written" : "");
    else if (result->is_unscrubbed)
        finding_set(ret, VERDICT_INCONCLUSIVE, "program_runs.launch.scrubbed",
                    "right, but registers and shared memory were not scrubbed before it: the GPU "
                    "lacks memory for the harness's kernels");
    else
        finding_set(ret, VERDICT_PASS, "", "%s", "");
}

void programs_judge_again(enum verdict first, const struct finding *again, struct finding *ret)
{
    if (verdict_is_failure(again->verdict) || again->verdict == VERDICT_ERROR)
        *ret = *again;
    else
        finding_set(ret, VERDICT_INCONCLUSIVE, "", "it ended in %s once, but not again",
                    verdict_name(first));
}

char *programs_join(const struct program_case *cases, int count)
{
    char *text = heap_take((size_t)count, PROGRAM_TEXT_BYTES + 1);
    size_t used = 0;
    for (int index = 0; index < count; index++) {
        program_case_print(&cases[index], text + used);
        used += strlen(text + used);
        text[used++] = '\n';
    }
    text[used] = 0;
    return text;
}

/* Operations come first: every run has the same ones. */
static void put_line(const struct programs *programs, uint64_t number,
                     char ret_line[PROGRAM_TEXT_BYTES])
{
    enum { OPERATION_EVERY = 16 };
    const uint64_t seed = programs->session->options->seed, count = (uint64_t)operation_count;
    char words[OPERATION_WORDS_BYTES];
    struct program_case it;
    if (number < (uint64_t)programs->operation_count) {
        snprintf(ret_line, PROGRAM_TEXT_BYTES, "operation %s",
                 operation_program_words((int)number, words));
        return;
    }
    number -= (uint64_t)programs->operation_count;
    const uint64_t round = number / OPERATION_EVERY;
    bool is_alone = number % OPERATION_EVERY == OPERATION_EVERY - 1, is_empty;
    do {
        struct program program = {.statement_count = 0};
        if (is_alone)
            program_case_of_operation((int)(round % count), seed + round / count, &it);
        else
            program_case_pick(seed, number, &it);
        if (!programs->session->options->triggers)
            known_avoid(&programs->known, &it);
        if (is_alone)
            program_case_make(&it, &program);
        is_empty = is_alone && program.statement_count == 0; /* a block; or all is avoided */
        is_alone = false;
    } while (is_empty);
    program_case_print(&it, ret_line);
}

char *programs_lines_of(const struct programs *programs, uint64_t first, int count)
{
    if (programs->line)
        return heap_text(programs->line);
    char *lines = heap_take((size_t)count, PROGRAM_TEXT_BYTES + 1);
    size_t used = 0;
    for (int index = 0; index < count; index++) {
        put_line(programs, programs_number(programs, first + (uint64_t)index), lines + used);
        used += strlen(lines + used);
        lines[used++] = '\n';
    }
    lines[used] = 0;
    return lines;
}

/* True if the known miscompile is listed for the row's compiler: "ptxas" and "12.6.20" of a row; of
 * the driver's compiler "driver" and its release. */
static bool is_listed(const struct programs *programs, const struct programs_row *row,
                      const struct known *known)
{
    const struct path *path = path_row(row->path);
    const struct device_info *info = &programs->session->devices[row->device].info;
    const size_t letters = strcspn(path->name, "-");
    char version[KNOWN_VERSION_BYTES] = "";
    if (path->tool && path->name[letters])
        snprintf(version, sizeof version, "%.*s",
                 (int)strspn(path->name + letters + 1, "0123456789."), path->name + letters + 1);
    const bool is_compiled = path->tool && known_has(known, path->source->compiler->name, version);
    const bool is_assembled = !path->source->is_cubin && device_kind(info)->is_gpu &&
                              known_has(known, "driver", info->driver_release);
    return is_compiled || is_assembled ||
           (!device_kind(info)->is_gpu && known_has(known, "host", "0"));
}

void programs_choose_known(struct programs *programs)
{
    struct known_list *list = &programs->known;
    memset(list->is_avoided, 0, sizeof list->is_avoided);
    for (size_t row = 0; row < programs->row_count; row++)
        for (int index = 0; index < list->count; index++)
            list->is_avoided[index] |=
                is_listed(programs, &programs->rows[row], &list->rows[index]);
}

/* The host's compiler says nothing of those for a GPU: on the host device a row is due that names
 * the host. The driver's compiler would hang a worker with its context: only for one who asks. */
void programs_plan_known(struct programs *programs)
{
    const size_t known_count = (size_t)programs->known.count;
    programs->checks = heap_take(known_count * programs->row_count, sizeof *programs->checks);
    for (size_t number = 0; number < programs->row_count && !programs->line; number++) {
        const struct programs_row *row = &programs->rows[number];
        const bool is_gpu = device_kind(&programs->session->devices[row->device].info)->is_gpu;
        const bool avoids_hangs =
            is_gpu && path_row(row->path)->tool == NULL && !programs->session->options->triggers;
        for (int index = 0; index < programs->known.count && !row->only_compiles; index++) {
            const struct known *known = &programs->known.rows[index];
            if (!is_gpu && strstr(known->versions, "host ") == NULL)
                continue;
            struct programs_known *it = &programs->checks[programs->check_count++];
            it->known = known;
            it->row = (int)number;
            it->is_listed = is_listed(programs, row, known);
            it->is_taken = avoids_hangs && known_hangs(known);
            finding_set(&it->finding, it->is_taken ? VERDICT_SKIP : VERDICT_INCONCLUSIVE, "", "%s",
                        it->is_taken ? "it may hang the driver's compiler: assay run --programs 1 "
                                       "--triggers tries it"
                                     : "it did not run");
        }
    }
}

enum programs_match programs_match(const struct programs *programs, int row,
                                   const struct known *known, const struct finding *finding,
                                   int stage, const struct program_result *result)
{
    const int kind = known_kind_of(finding, stage);
    if (!is_listed(programs, &programs->rows[row], known))
        return PROGRAMS_UNLISTED;
    if (!(known_kinds(known) & kind))
        return PROGRAMS_OTHER_KIND;
    if (kind != KNOWN_WRONG || known_gives(known, result))
        return PROGRAMS_AS_LISTED;
    return known->words[0] ? PROGRAMS_OTHER_WORDS : PROGRAMS_NO_WORDS;
}

/* Judges a check by its row's expectation. A row without wrong words requires nothing of a result,
 * and excuses nothing. */
static void judge_known(const struct programs *programs, struct programs_known *it,
                        const struct finding *finding, int stage,
                        const struct program_result *result)
{
    static const char *const whys[] = {/* it is more than the row excuses */
                                       [PROGRAMS_UNLISTED] = "the list marks this version as right",
                                       [PROGRAMS_OTHER_KIND] =
                                           "its row lists another kind of failure",
                                       [PROGRAMS_NO_WORDS] = "its row lists no wrong words",
                                       [PROGRAMS_OTHER_WORDS] = "its row lists other wrong words",
                                       [PROGRAMS_AS_LISTED] = NULL};
    const bool is_of_memory = finding->verdict == VERDICT_FAIL && result->compared == 0;
    it->is_present = verdict_is_failure(finding->verdict) && !is_of_memory;
    it->failure = finding->verdict;
    it->finding = *finding;
    if (!it->is_present)
        return;
    if (finding->verdict == VERDICT_FAIL)
        it->result = *result;
    const enum programs_match match =
        programs_match(programs, it->row, it->known, finding, stage, result);
    const char *why = match == PROGRAMS_AS_LISTED && programs->session->options->strict
                          ? "known, and --strict"
                          : whys[match];
    if (why == NULL)
        finding_set(&it->finding, VERDICT_PASS, "", "%s", "");
    else
        finding_set(
            &it->finding, match == PROGRAMS_NO_WORDS ? VERDICT_INCONCLUSIVE : finding->verdict,
            match == PROGRAMS_UNLISTED ? "program_runs.known.versions" : "program_runs.known.held",
            "%s", why);
}

/* True if the row is known to be broken as a whole: that is found so once. */
static bool is_broken(struct programs *programs, int row, struct finding *ret)
{
    pthread_mutex_lock(&programs->lock);
    const bool is = programs->rows[row].is_broken;
    if (is)
        *ret = programs->rows[row].broken;
    pthread_mutex_unlock(&programs->lock);
    return is;
}

static bool has_words(const struct program_answer *answer)
{
    return answer->finding.verdict == VERDICT_PASS || answer->finding.verdict == VERDICT_FAIL;
}

/* A program of a known row takes a tenth of a second. What hangs is compiled alone, and given so
 * much of a core, whatever else runs there. The list is the same in each run: what is made of it is
 * kept. */
enum { HANG_CPU_S = 3 };

/* A check gave no words. A crash or a hang is its compiler's where it is listed or recurs in
 * another worker, and where another program runs all the same. */
static void confirm(struct programs *programs, struct client *client, struct programs_known *it,
                    struct program_answer *answer)
{
    const enum verdict first = answer->finding.verdict;
    struct finding finding = answer->finding;
    struct program_result result = {.wrong = 0};
    int stage = answer->stage;
    char line[KNOWN_LINE_BYTES];
    struct programs_asked asked = {.row = it->row, .lines = line, .count = 1, .keeps_code = true};
    if (verdict_is_failure(first) && !is_broken(programs, it->row, &finding)) {
        bool has = false;
        if (!it->is_listed || !known_is_alone(it->known)) {
            client_close(client);
            known_line(it->known, line);
            asked.cpu_limit_s = known_hangs(it->known) ? HANG_CPU_S : 0;
            programs_ask_one(programs, client, &asked, answer);
            has = has_words(answer);
            programs_judge_again(first, &answer->finding, &finding);
            stage = answer->stage;
            result = answer->results[0];
        }
        snprintf(line, sizeof line, "program version=%d seed=1 statements=1 threads=1",
                 PROGRAM_VERSION); /* of no known miscompile */
        asked.cpu_limit_s = 0;
        if (!has && verdict_is_failure(finding.verdict))
            programs_ask_one(programs, client, &asked, answer);
        if (!has && verdict_is_failure(finding.verdict) && !has_words(answer)) {
            struct finding broken = answer->finding;
            if (broken.verdict != VERDICT_ERROR)
                finding_set(&broken, VERDICT_INCONCLUSIVE, "",
                            "it ended in %s, and another program on the same path in %s",
                            verdict_name(finding.verdict), verdict_name(broken.verdict));
            pthread_mutex_lock(&programs->lock);
            programs->rows[it->row].broken = finding = broken;
            programs->rows[it->row].is_broken = true;
            pthread_mutex_unlock(&programs->lock);
        }
    }
    if (!stop_is_signalled()) /* else it may be the end of this run */
        judge_known(programs, it, &finding, stage, &result);
}

/* After that many of a kind the rest of a row is not tried: each costs a worker or a time limit. */
enum { CRASHES_MAX = 8, REFUSALS_MAX = 32 };

static bool is_ended(const struct programs *programs)
{
    struct session *session = programs->session;
    const double time_s = session->options->time_s;
    if (time_s > 0 && session_seconds(session) >= time_s)
        session->out_of_time = true;
    return stop_signal || session->out_of_time || programs->is_late;
}

/* The next checks of the device, for one job: some of one row that follow each other, or one that
 * is alone. */
static bool take_checks(struct programs *programs, int device, bool alone,
                        struct programs_range *ret)
{
    enum { MODULE_MOST = 8 }; /* where one of them crashes the compiler, the others follow again */
    struct programs_range range = {.is_known = true};
    const int most = alone ? 1 : MODULE_MOST;
    for (size_t index = 0; index < programs->check_count && range.count < most; index++) {
        struct programs_known *that = &programs->checks[index];
        const bool is_next =
            !that->is_taken && known_is_alone(that->known) == alone &&
            (range.count ? that->row == range.row : programs->rows[that->row].device == device);
        if (range.count && !is_next)
            break;
        if (!is_next)
            continue;
        range.row = that->row;
        range.first = range.count++ ? range.first : index;
        that->is_taken = true;
    }
    *ret = range;
    return range.count > 0;
}

/* A half of what failed, of that device. */
static bool take_split(struct programs *programs, int device, struct programs_range *ret)
{
    for (size_t index = programs->split_count; index-- > 0;) {
        const struct programs_range range = programs->split[index];
        struct programs_row *row = &programs->rows[range.row];
        if (row->device != device || (!range.is_known && is_ended(programs)))
            continue;
        *ret = range;
        programs->split[index] = programs->split[--programs->split_count];
        if (range.is_known || !row->is_over)
            return true;
        programs_count(row, VERDICT_SKIP, (uint64_t)range.count, "");
    }
    return false;
}

/* The row of that number among the device's; how many there are where `number` is not less. */
static int row_of(const struct programs *programs, int device, int number)
{
    int count = 0;
    for (size_t row = 0; row < programs->row_count; row++)
        if (programs->rows[row].device == device && count++ == number)
            return (int)row;
    return count;
}

/* The next module: each number through every row of the device, then the next ones. */
static bool take_planned(struct programs *programs, int device, struct programs_range *ret)
{
    const uint64_t rows = (uint64_t)row_of(programs, device, INT32_MAX);
    const uint64_t modules = (programs->count + PROGRAMS_MODULE - 1) / PROGRAMS_MODULE;
    uint64_t over = 0; /* rows in sequence of which nothing is tried any more */
    while (programs->next[device] < modules * rows && over < rows) {
        const uint64_t next = programs->next[device]++;
        const uint64_t first = next / rows * PROGRAMS_MODULE, left = programs->count - first;
        *ret =
            (struct programs_range){.row = row_of(programs, device, (int)(next % rows)),
                                    .first = first,
                                    .count = left < PROGRAMS_MODULE ? (int)left : PROGRAMS_MODULE};
        struct programs_row *row = &programs->rows[ret->row];
        row->planned += programs->is_endless && !row->is_over ? (uint64_t)ret->count : 0;
        if (!row->is_over)
            return true;
        if (!programs->is_endless)
            programs_count(row, VERDICT_SKIP, (uint64_t)ret->count, "");
        over += programs->is_endless;
    }
    return false;
}

static void keep_range(struct programs_range **ranges, size_t *count, struct programs_range range)
{
    HEAP_ROOM(*ranges, *count);
    (*ranges)[(*count)++] = range;
}

static void keep_finding(struct programs *programs, const struct programs_range *range, int index,
                         const struct finding *finding, int stage,
                         const struct program_result *result)
{
    if (programs->finding_count >= PROGRAMS_FINDINGS_MAX) {
        programs->findings_left_out++;
        return;
    }
    HEAP_ROOM(programs->findings, programs->finding_count);
    struct program_finding *it = &programs->findings[programs->finding_count++];
    *it = (struct program_finding){.row = range->row,
                                   .number = range->first + (uint64_t)index,
                                   .finding = *finding,
                                   .stage = stage,
                                   .group = -1};
    if (result)
        it->result = *result;
}

/* A module failed as a whole: its halves are tried, down to the one program that it failed for,
 * unless the reason holds for all of them. */
static void take_failure(struct programs *programs, const struct programs_range *range,
                         const struct finding *finding, int stage)
{
    struct programs_row *row = &programs->rows[range->row];
    const bool is_of_memory = finding->verdict == VERDICT_FAIL;
    const bool is_of_all =
        is_of_memory || finding->verdict == VERDICT_SKIP || finding->verdict == VERDICT_ERROR;
    if (!range->is_known && row->is_over) {
        programs_count(row, VERDICT_SKIP, (uint64_t)range->count, "");
    } else if (!range->is_known && is_of_all) {
        programs_count(row, finding->verdict, (uint64_t)range->count, finding->note);
        if (is_of_memory)
            keep_finding(programs, range, 0, finding, stage, NULL);
        row->is_over = row->is_over || finding->verdict == VERDICT_SKIP;
    } else if (range->count > 1) {
        struct programs_range half = *range;
        half.verdict = finding->verdict;
        if (!range->is_part && !is_of_all)
            keep_range(&programs->broken, &programs->broken_count, half);
        half.is_part = true;
        half.count = range->count / 2;
        keep_range(&programs->split, &programs->split_count, half);
        half.first += (uint64_t)half.count;
        half.count = range->count - half.count;
        keep_range(&programs->split, &programs->split_count, half);
    } else if (!range->is_known) {
        programs_count(row, finding->verdict, 1, finding->note);
        programs_note_operation(programs, range->row, range->first, finding->verdict);
        keep_finding(programs, range, 0, finding, stage, NULL);
        row->is_over = row->counts[VERDICT_CRASH] + row->counts[VERDICT_TIMEOUT] >= CRASHES_MAX ||
                       row->counts[VERDICT_INCONCLUSIVE] >= REFUSALS_MAX;
    }
}

static void take_answer(struct programs *programs, const struct programs_range *range,
                        const struct program_answer *answer)
{
    struct programs_row *row = &programs->rows[range->row];
    for (int stage = 0; stage < PROGRAM_STAGES && !range->is_known; stage++)
        row->stage_s[stage] += answer->stage_s[stage];
    if (answer->finding.verdict != VERDICT_PASS) {
        if (!stop_is_signalled()) /* else it was cut short, and counts as not done */
            take_failure(programs, range, &answer->finding, answer->stage);
        return;
    }
    row->kept += answer->is_kept && !range->is_known ? (uint64_t)range->count : 0;
    for (int index = 0; index < range->count; index++) {
        const struct program_result *result = &answer->results[index];
        struct finding finding;
        programs_judge_result(row, result, &finding);
        if (range->is_known) {
            judge_known(programs, &programs->checks[range->first + (uint64_t)index], &finding,
                        answer->stage, result);
            continue;
        }
        programs_count(row, finding.verdict, 1, finding.note);
        programs_note_operation(programs, range->row, range->first + (uint64_t)index,
                                finding.verdict);
        row->compared += result->compared > 0;
        row->words += result->compared;
        /* What is right and undecided is so for one reason, which the row has. */
        if (finding.verdict != VERDICT_PASS && finding.verdict != VERDICT_INCONCLUSIVE)
            keep_finding(programs, range, index, &finding, PROGRAM_STAGE_RUN, result);
    }
}

/* The lines of a range, for free(). */
static char *lines_of(const struct programs *programs, const struct programs_range *range)
{
    if (!range->is_known)
        return programs_lines_of(programs, range->first, range->count);
    char *lines = heap_take((size_t)range->count + 1, KNOWN_LINE_BYTES + 1);
    size_t used = 0;
    for (int index = 0; index < range->count; index++) {
        known_line(programs->checks[range->first + (uint64_t)index].known, lines + used);
        used += strlen(lines + used);
        lines[used++] = '\n';
    }
    lines[used] = 0;
    return lines;
}

/* Code of programs that each run of tier standard or smoke has, too, is worth keeping; programs of
 * another seed are mostly run once. */
static void ask(struct programs *programs, struct client *client,
                const struct programs_range *range, struct program_answer *ret)
{
    const uint64_t of_tier =
        programs->session->options->seed == PROGRAMS_SEED ? programs_of_tier(TIER_STANDARD) : 0;
    const uint64_t last = programs_number(programs, range->first + (uint64_t)range->count - 1);
    const bool recurs =
        programs->line == NULL && last < (uint64_t)programs->operation_count + of_tier;
    struct programs_known *first = range->is_known ? &programs->checks[range->first] : NULL;
    char *lines = lines_of(programs, range);
    const struct programs_asked asked = {.row = range->row,
                                         .lines = lines,
                                         .count = range->count,
                                         .keeps_code = first || recurs,
                                         .cpu_limit_s =
                                             first && known_hangs(first->known) ? HANG_CPU_S : 0};
    programs_ask(programs, client, &asked, ret);
    free(lines);
    if (first && range->count == 1 && ret->finding.verdict != VERDICT_PASS) {
        confirm(programs, client, first, ret);
        finding_set(&ret->finding, VERDICT_INCONCLUSIVE, "", "%s", "it is judged");
    }
}

/* True while there may be more: a module that is under way may come apart. Known miscompiles are
 * first: what hangs or crashes a compiler takes seconds, while the others go on. */
static bool step(void *context, struct client *client)
{
    struct programs *programs = context;
    struct programs_range range;
    struct program_answer answer;
    const int device = client->device;
    const bool has_time = programs->is_late || programs->session->options->time_s <= 0;
    pthread_mutex_lock(&programs->lock);
    const bool taken =
        !stop_signal && (take_checks(programs, device, true, &range) ||
                         (has_time && take_checks(programs, device, false, &range)) ||
                         take_split(programs, device, &range) ||
                         (!is_ended(programs) && take_planned(programs, device, &range)));
    programs->under_way += taken;
    const bool waits = !taken && programs->under_way > 0 && !stop_signal;
    if (waits)
        pthread_cond_wait(&programs->changed, &programs->lock);
    pthread_mutex_unlock(&programs->lock);
    if (!taken)
        return waits;
    ask(programs, client, &range, &answer);
    pthread_mutex_lock(&programs->lock);
    take_answer(programs, &range, &answer);
    programs->under_way--;
    pthread_cond_broadcast(&programs->changed);
    pthread_mutex_unlock(&programs->lock);
    return true;
}

/* True if a program's verdict explains why its module gave no words. */
static bool explains(const struct programs_range *range, enum verdict verdict)
{
    return verdict == range->verdict || verdict == VERDICT_CRASH || verdict == VERDICT_TIMEOUT;
}

/* A module that failed while none of its programs does alone. */
static void explain_broken(struct programs *programs, const struct programs_range *range)
{
    struct programs_row *row = &programs->rows[range->row];
    struct programs_known *checks = range->is_known ? &programs->checks[range->first] : NULL;
    struct finding finding;
    if (row->counts[VERDICT_ERROR] > 0) /* its parts may not have been tried */
        return;
    for (int index = 0; checks && index < range->count; index++)
        if (explains(range, checks[index].failure))
            return;
    for (size_t index = 0; !checks && index < programs->finding_count; index++) {
        const struct program_finding *it = &programs->findings[index];
        if (it->row == range->row && it->number >= range->first &&
            it->number - range->first < (uint64_t)range->count &&
            explains(range, it->finding.verdict))
            return;
    }
    finding_set(&finding, VERDICT_INCONCLUSIVE, "",
                "a module of %d programs from here on failed, but no part of it does",
                range->count);
    if (checks) {
        checks->finding = finding;
        return;
    }
    if (row->counts[VERDICT_PASS] > 0)
        row->counts[VERDICT_PASS]--;
    programs_count(row, VERDICT_INCONCLUSIVE, 1, finding.note);
    keep_finding(programs, range, 0, &finding, PROGRAM_STAGE_RUN, NULL);
}

static void take(struct programs *programs)
{
    clients_work(programs->clients, step, programs);
    for (size_t index = 0; index < programs->broken_count; index++)
        explain_broken(programs, &programs->broken[index]);
    programs->broken_count = 0;
}

static int order(const void *left, const void *right)
{
    const struct program_finding *a = left, *b = right;
    if (a->number != b->number)
        return a->number < b->number ? -1 : 1;
    return a->row - b->row;
}

void programs_take_all(struct programs *programs)
{
    take(programs);
    if (programs->finding_count > 0)
        qsort(programs->findings, programs->finding_count, sizeof programs->findings[0], order);
}

void programs_check_late(struct programs *programs)
{
    programs->is_late = true;
    if (!stop_signal)
        take(programs);
}
