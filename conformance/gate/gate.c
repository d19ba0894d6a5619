/* One verdict over all parts of a gate and the comparison (gate.h). Clauses: gate.verdict.whole,
 * gate.baseline.made, gate.baseline.seed. */
#include "conformance/gate/gate.h"

#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "conformance/base/clock.h"
#include "conformance/base/escape.h"
#include "conformance/base/number.h"
#include "conformance/base/reason.h"
#include "conformance/base/stop.h"
#include "conformance/compare/comparison.h"
#include "conformance/gate/gate_parts.h"
#include "conformance/report/assessment.h"
#include "conformance/report/terminal.h"
#include "conformance/session/session_lines.h"

struct gate {
    const struct options *options;
    const char *record;
    char made[64]; /* the record's name where the user gave none */
    double began_s;
    struct loaded old, all; /* BASE; BASE, if there is one, and NEW */
    enum verdict verdict;
    char why[ASSESSMENT_REASON_BYTES + 64];
};

/* Joins what one part of the answer comes to; the worst names itself. */
static void join(struct gate *gate, enum verdict verdict, const char *what, const char *found)
{
    const enum verdict joined = verdict_join(gate->verdict, verdict);
    if (verdict != VERDICT_PASS && (joined != gate->verdict || gate->why[0] == 0))
        snprintf(gate->why, sizeof gate->why, "%s: %s", what, found);
    gate->verdict = joined;
}

static int complain(int status, const char *why)
{
    fprintf(stderr, "assay gate: %s\n", why);
    return status;
}

/* "bits      PASS  729,982 passed, in 24.1 s". */
static void put_part(const char *name, enum verdict verdict, const char *words)
{
    printf("%-9s %s%s", name, verdict_name(verdict), words[0] ? "  " : "\n");
    if (words[0])
        escape_wrap(stdout, words, 10, 80);
    fflush(stdout);
}

/* What the record that was written last says of itself. Where its part ended otherwise than the
 * record says, it is not believed. False where it cannot be read. */
static bool tell_part(struct gate *gate, const struct gate_part *part, enum exit_status status)
{
    char words[ASSESSMENT_REASON_BYTES + SESSION_PHASES_BYTES + 64], number[NUMBER_COUNT_BYTES];
    char phases[SESSION_PHASES_BYTES];
    struct reason reason;
    struct assessment assessment;
    loaded_close(&gate->all);
    if (!loaded_add(&gate->all, gate->record, &reason))
        return complain(EXIT_STATUS_HARNESS, reason.text) == EXIT_STATUS_PASS;
    const struct loaded_record *record = &gate->all.records[gate->all.count - 1];
    assess_record(record, &assessment);
    session_phases_text(field_summary_phases(record->summary), phases);
    snprintf(words, sizeof words, "%s, in %.1f s%s%s%s%s%s",
             number_count(field_counts_passed(record->summary), part->noun, number),
             field_summary_seconds(record->summary), phases[0] ? " (" : "", phases,
             phases[0] ? ")" : "", assessment.reason[0] ? ": " : "", assessment.reason);
    put_part(part->name, assessment.verdict, words);
    join(gate, assessment.verdict, part->name,
         assessment.reason[0] ? assessment.reason : verdict_name(assessment.verdict));
    if (status != verdict_exit_status(assessment.verdict))
        join(gate, VERDICT_ERROR, part->name, "its exit status is not what its record says");
    return true;
}

/* What tells whether a part has written to the file, which may be there from before. */
struct state {
    off_t bytes;
    struct timespec changed;
};

static struct state state_of(const char *path)
{
    struct stat status;
    if (stat(path, &status) != 0)
        return (struct state){.bytes = 0};
    return (struct state){status.st_size, status.st_mtim};
}

static bool has_written(const struct state *before, const char *path)
{
    const struct state now = state_of(path);
    return now.bytes > 0 &&
           (now.bytes != before->bytes || now.changed.tv_sec != before->changed.tv_sec ||
            now.changed.tv_nsec != before->changed.tv_nsec);
}

/* Where a part left no record: one that had nothing to look at has said so, and so has one that
 * could not begin, after which nothing can. */
static bool go_on(struct gate *gate, const struct gate_part *part, enum exit_status status)
{
    if (status != EXIT_STATUS_NOTHING_RAN)
        return false;
    put_part(part->name, VERDICT_SKIP, "nothing was looked at");
    join(gate, VERDICT_SKIP, part->name, "nothing was looked at");
    return true;
}

/* After these no later part says anything of the stack. */
static bool is_over(enum exit_status status)
{
    return stop_is_signalled() || status == EXIT_STATUS_USAGE || status == EXIT_STATUS_HARNESS;
}

/* Takes the parts one after the other. False when the gate ends here: the status is why. */
static bool take_parts(struct gate *gate, int *ret_status)
{
    for (int index = 0; index < gate_part_count; index++) {
        const struct gate_part *part = &gate_parts[index];
        const struct state before = state_of(gate->record);
        if (part->needs_gpu && (gate->all.count == 0 || assess_no_gpu(&gate->all))) {
            put_part(part->name, VERDICT_SKIP, "there is no GPU");
            join(gate, VERDICT_SKIP, part->name, "there is no GPU");
            continue;
        }
        const enum exit_status status =
            gate_part_take(part, gate->options, gate->record, gate->all.count > 0);
        *ret_status = stop_is_signalled() ? EXIT_STATUS_INCONCLUSIVE : (int)status;
        if (is_over(status) || !(has_written(&before, gate->record) ? tell_part(gate, part, status)
                                                                    : go_on(gate, part, status)))
            return false;
    }
    return true;
}

/* A part that the baseline lacks was compared with nothing. */
static void join_uncompared(struct gate *gate)
{
    const struct loaded_record *records = gate->all.records;
    for (size_t index = 0; index < gate->all.count; index++) {
        const char *kind = compared_kind(&records[index]);
        bool found = records[index].file == 0;
        for (size_t other = 0; other < index && !found; other++)
            found = records[other].file == 0 && compared_kind(&records[other]) == kind;
        if (found)
            continue;
        printf("NOT COMPARED  %s: the baseline has no record of that part\n", kind);
        join(gate, VERDICT_INCONCLUSIVE, "not compared", kind);
    }
}

static void compare(struct gate *gate)
{
    static const enum verdict verdicts[CHANGE_COUNT] = {
        [CHANGE_SAME] = VERDICT_PASS,
        [CHANGE_BETTER] = VERDICT_PASS,
        [CHANGE_NOT_COMPARABLE] = VERDICT_INCONCLUSIVE,
        [CHANGE_REGRESSED] = VERDICT_FAIL,
    };
    bool whole;
    printf("\n");
    const enum change change = comparison_write_all(stdout, &gate->all, comparison_text, &whole);
    join(gate, whole ? verdicts[change] : VERDICT_ERROR, change_name(change),
         "against the baseline");
    join_uncompared(gate);
    if (gate->why[0] == 0)
        snprintf(gate->why, sizeof gate->why, "%s as the baseline", change_name(change));
}

/* Shows what failed, and what has changed. */
static bool show(struct gate *gate)
{
    struct reason reason;
    terminal_failures(stdout, &gate->all);
    if (gate->options->baseline == NULL)
        return true;
    loaded_close(&gate->all);
    if (!loaded_add(&gate->all, gate->options->baseline, &reason) ||
        !loaded_add(&gate->all, gate->record, &reason))
        return complain(EXIT_STATUS_HARNESS, reason.text) == EXIT_STATUS_PASS;
    for (size_t index = 0; gate->made[0] && index < gate->all.count; index++)
        if (gate->all.records[index].file > 0)
            gate->all.records[index].path = "this gate";
    compare(gate);
    return true;
}

/* The cases of the baseline are those to run again. */
static bool read_baseline(struct options *options, struct loaded *old)
{
    struct reason reason;
    if (!options_output_is_free("gate", options->record, options->baseline))
        return false;
    if (!loaded_add(old, options->baseline, &reason))
        return complain(EXIT_STATUS_USAGE, reason.text) == EXIT_STATUS_PASS;
    if (!options->given.seed)
        options->seed = strtoull(field_header_seed(old->records[0].header), NULL, 0);
    options->given.seed = true;
    return true;
}

static int carry_out(struct gate *gate)
{
    int status = EXIT_STATUS_HARNESS;
    const struct options *options = gate->options;
    if (!take_parts(gate, &status))
        return status;
    if (!show(gate))
        return EXIT_STATUS_HARNESS;
    printf("\n%s  ", verdict_name(gate->verdict));
    escape_line(stdout, gate->why, sizeof gate->why);
    printf("%sin %.1f s\n", gate->why[0] ? ", " : "", clock_now_s() - gate->began_s);
    if (options->baseline == NULL && options->record)
        escape_sentence(stdout, "It is a baseline now: assay gate --baseline %s\n",
                        options->record);
    if (fflush(stdout) != 0)
        return complain(EXIT_STATUS_HARNESS, "cannot write standard output");
    return (int)verdict_exit_status(gate->verdict);
}

/* The file that the record goes to where the user names none. */
static bool make_record(struct gate *gate)
{
    gate->record = gate->options->record;
    if (gate->record)
        return true;
    snprintf(gate->made, sizeof gate->made, "/tmp/assay-gate-XXXXXX");
    const int file = mkstemp(gate->made);
    if (file < 0)
        return false;
    close(file);
    gate->record = gate->made;
    return true;
}

int gate_run(const struct options *options)
{
    struct options own = *options;
    struct gate *gate = calloc(1, sizeof *gate);
    if (gate == NULL)
        return complain(EXIT_STATUS_HARNESS, "no memory");
    *gate = (struct gate){.options = &own, .began_s = clock_now_s(), .verdict = VERDICT_DECLINED};
    int status = EXIT_STATUS_USAGE;
    if (own.baseline == NULL && own.record == NULL)
        complain(status, "there is nothing to compare with: --baseline FILE names a record of a "
                         "gate, and -o FILE makes one");
    else if (own.baseline == NULL || read_baseline(&own, &gate->old)) {
        stop_catch_signals();
        status = make_record(gate)
                     ? carry_out(gate)
                     : complain(EXIT_STATUS_HARNESS, "/tmp: a record cannot be written there");
    }
    if (gate->made[0])
        unlink(gate->made);
    loaded_close(&gate->old);
    loaded_close(&gate->all);
    free(gate);
    return status;
}
