/* One verdict over all parts of a gate and the comparison (gate.h). Clauses: gate.verdict.whole,
 * gate.baseline.made, gate.baseline.seed, gate.baseline.read, gate.file.held. */
#include "conformance/gate/gate.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "conformance/base/file.h"
#include "conformance/base/heap.h"
#include "conformance/base/host.h"
#include "conformance/base/process.h"
#include "conformance/base/reason.h"
#include "conformance/base/text.h"
#include "conformance/gate/gate_baseline.h"
#include "conformance/gate/gate_parts.h"
#include "conformance/gate/gate_shown.h"
#include "conformance/record/record.h"
#include "conformance/session/session.h"

/* The file that a gate writes: held from its first part to its verdict, so that no other gate
 * writes between two parts, and looked at after each. The parts lock it in their own way
 * (record.h), each as long as it runs, so the gate's own lock is of another kind: the two do not
 * meet. */
struct gate_file {
    const char *path;
    int fd; /* less than 0: it is not held */
    bool is_new;
    bool is_touched; /* another program has written to it */
    off_t bytes;     /* as it was when it was last looked at */
    struct timespec changed;
};

static bool look(struct gate_file *file)
{
    struct stat status;
    const bool is_there = stat(file->path, &status) == 0;
    file->bytes = is_there ? status.st_size : 0;
    file->changed = is_there ? status.st_mtim : (struct timespec){.tv_sec = 0};
    return is_there && S_ISREG(status.st_mode);
}

/* Makes and holds it; a part of this gate can write to it nevertheless. False with the reason where
 * another gate holds it, it cannot be written, or is no regular file; close it in any case. */
static bool gate_file_hold(struct gate_file *ret, const char *path, struct reason *ret_reason)
{
    struct flock whole = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    *ret = (struct gate_file){.path = path, .fd = -1};
    ret->is_new = access(path, F_OK) != 0;
    /* A pipe without a reader is not opened, which would wait for one. */
    const bool is_file = ret->is_new || look(ret);
    if (is_file)
        ret->fd = file_open_output(path, O_WRONLY | O_CREAT, ret_reason);
    if (is_file && ret->fd < 0)
        return false;
    if (!is_file || !look(ret))
        return reason_set(ret_reason, REASON_INPUT, "%s: not a regular file", path);
    /* A file system without locks holds nothing, and says so by another error. */
    if (fcntl(ret->fd, F_OFD_SETLK, &whole) != 0 && (errno == EAGAIN || errno == EACCES)) {
        ret->is_new = false;
        return reason_set(
            ret_reason, REASON_INPUT,
            "%s: another gate is writing it: wait until it ends, or name another file", path);
    }
    return true;
}

/* True if it has another length or time than when it was last looked at; looks at it. */
static bool gate_file_has_changed(struct gate_file *file)
{
    const struct gate_file before = *file;
    look(file);
    return file->bytes != before.bytes || file->changed.tv_sec != before.changed.tv_sec ||
           file->changed.tv_nsec != before.changed.tv_nsec;
}

/* Any would do, and a fixed one makes the cases of any two gates the same (gate.baseline.seed). */
enum { GATE_SEED = 1 };

struct gate {
    const struct options *options;
    char made[FILE_ANONYMOUS_BYTES]; /* the record's name where the user gave none */
    struct gate_file file;
    double began_s;
    struct loaded old, all; /* BASE, and NEW after it in the end; NEW */
    struct gate_shown shown;
    struct bench_known known;
    struct gate_jobs jobs;
    enum verdict verdict;
    char why[ASSESSMENT_REASON_BYTES + 64];
};

/* Joins the verdict of one part of the answer; the reason is that of the worst. */
static void join(struct gate *gate, enum verdict verdict, const char *what, const char *found)
{
    const enum verdict joined = verdict_join(gate->verdict, verdict);
    if (verdict != VERDICT_PASS && (joined != gate->verdict || gate->why[0] == 0))
        snprintf(gate->why, sizeof gate->why, "%.60s: %.511s", what, found);
    gate->verdict = joined;
}

static int complain(int status, const char *why)
{
    error_line("gate", "%s", why);
    return status;
}

static const char touched[] = "another program has written to the gate's file";

/* Failures of generated programs and skipped checks that the baseline has as well are the stack's,
 * and no change. */
static void leave_out_known(struct gate *gate, const struct loaded_record *record,
                            struct assessment *it)
{
    const bool is_due = gate->options->baseline && !gate->options->strict;
    const size_t failed = is_due ? gate_failed_before(&gate->old, record, &it->verdict) : 0;
    const size_t skipped = is_due && failed == 0 ? gate_skipped_before(&gate->old, record) : 0;
    char skips[sizeof it->reason];
    if (failed > 0)
        snprintf(it->reason, sizeof it->reason, "%s, as in the baseline%s",
                 NUMBER_COUNT(failed, "failure"),
                 it->verdict == VERDICT_PASS ? "" : "; others are undecided");
    if (skipped > 0) {
        snprintf(skips, sizeof skips, "as in the baseline, %.450s", it->reason);
        memcpy(it->reason, skips, sizeof it->reason);
        it->verdict = VERDICT_PASS;
    }
    gate->shown.in_baseline = failed + skipped;
}

/* Tells the result of the record that was written last. If its part ended otherwise than the record
 * says, it is not believed. False if it cannot be read. */
static bool tell_part(struct gate *gate, const struct gate_part *part, enum exit_status status,
                      int *ret_status)
{
    struct reason reason;
    struct assessment assessment;
    const size_t before = gate->all.count;
    loaded_close(&gate->all);
    const bool is_whole = loaded_add(&gate->all, gate->file.path, &reason);
    if (!is_whole || gate->all.count != before + 1) {
        gate->file.is_touched = true;
        *ret_status = complain(EXIT_STATUS_HARNESS, is_whole ? touched : reason.text);
        return false;
    }
    const struct loaded_record *record = &gate->all.records[gate->all.count - 1];
    assess_record(record, &assessment);
    const enum verdict own = assessment.verdict;
    leave_out_known(gate, record, &assessment);
    gate_shown_stack(&gate->shown, &gate->all);
    gate_shown_record(&gate->shown, part->name, part->noun, record, &assessment);
    join(gate, assessment.verdict, part->name,
         assessment.reason[0] ? assessment.reason : verdict_name(assessment.verdict));
    if (status != verdict_exit_status(own))
        join(gate, VERDICT_ERROR, part->name,
             status == EXIT_STATUS_HARNESS ? "it ended before its record was whole"
                                           : "its exit status is not what its record says");
    return true;
}

/* Goes on after a part without a record: one that had nothing to look at has said so. */
static bool go_on(struct gate *gate, const struct gate_part *part, enum exit_status status,
                  int *ret_status)
{
    if (stop_is_signalled())
        return false;
    if (status != EXIT_STATUS_NOTHING_RAN) {
        *ret_status = complain(EXIT_STATUS_HARNESS, "a part left no record");
        return false;
    }
    char words[FINDING_NOTE_BYTES + 32];
    snprintf(words, sizeof words, "nothing was checked%s%s", gate->jobs.why[0] ? ": " : "",
             gate->jobs.why);
    gate_shown_part(&gate->shown, part->name, VERDICT_SKIP, words, words);
    join(gate, VERDICT_SKIP, part->name, words);
    return true;
}

/* False if somebody else wrote to the file since a part of this gate did. */
static bool is_untouched(struct gate *gate, int *ret_status)
{
    gate->file.is_touched = gate->all.count > 0 && gate_file_has_changed(&gate->file);
    if (gate->file.is_touched)
        *ret_status = complain(EXIT_STATUS_HARNESS, touched);
    return !gate->file.is_touched;
}

static bool take_part(struct gate *gate, const struct gate_part *part, int *ret_status)
{
    gate_shown_wait(part->name);
    const enum exit_status status = gate_jobs_end(&gate->jobs, part, gate->all.count > 0);
    *ret_status = stop_is_signalled() ? EXIT_STATUS_INCONCLUSIVE : (int)status;
    if (status == EXIT_STATUS_USAGE)
        return false;
    const bool is_told = gate_file_has_changed(&gate->file)
                             ? tell_part(gate, part, status, ret_status)
                             : go_on(gate, part, status, ret_status);
    /* After these no later part says anything of the stack. */
    return is_told && !stop_is_signalled() && status != EXIT_STATUS_USAGE &&
           status != EXIT_STATUS_HARNESS;
}

/* Takes the parts in their order. False when the gate ends here: the status is why. */
static bool take_parts(struct gate *gate, int *ret_status)
{
    for (int index = 0; index < gate_part_count; index++) {
        const struct gate_part *part = &gate_parts[index];
        enum verdict verdict;
        const char *why_not = gate_jobs_why_not(&gate->jobs, part, &verdict);
        if (!is_untouched(gate, ret_status))
            return false;
        if (why_not[0] == 0) {
            if (!take_part(gate, part, ret_status))
                return false;
            continue;
        }
        gate_shown_part(&gate->shown, part->name, verdict, why_not, why_not);
        if (verdict != VERDICT_DECLINED)
            join(gate, verdict, part->name, why_not);
    }
    *ret_status = EXIT_STATUS_NOTHING_RAN; /* what the file has is of another gate */
    return gate->all.count > 0 && is_untouched(gate, ret_status);
}

/* Shows what failed, and what has changed since the baseline, as it was when the gate began. */
static bool show(struct gate *gate)
{
    static const enum verdict verdicts[CHANGE_COUNT] = {
        [CHANGE_SAME] = VERDICT_PASS,
        [CHANGE_BETTER] = VERDICT_PASS,
        [CHANGE_NOT_COMPARABLE] = VERDICT_INCONCLUSIVE,
        [CHANGE_REGRESSED] = VERDICT_FAIL,
    };
    struct reason reason;
    gate_shown_found(&gate->shown);
    if (gate->options->baseline == NULL)
        return true;
    if (!loaded_add(&gate->old, gate->file.path, &reason))
        return error_line("gate", "%s", reason.text);
    for (size_t index = 0; index < gate->old.count; index++) {
        struct loaded_record *it = &gate->old.records[index];
        if (it->file == 0)
            continue;
        it->is_of_cut = false; /* it gives its verdict after the comparison */
        it->path = gate->made[0] ? "this gate" : it->path;
    }
    const enum change change = gate_shown_comparison(&gate->shown, &gate->old);
    join(gate, verdicts[change], "compared with the baseline", change_name(change));
    if (gate->why[0] == 0)
        snprintf(gate->why, sizeof gate->why, "%s", gate_shown_agreed(change));
    return true;
}

/* The cases of the baseline are those to run again. */
static bool read_baseline(struct options *options, struct loaded *old)
{
    struct reason reason;
    if (!options_output_is_free("gate", options->record, options->baseline))
        return false;
    if (!loaded_add(old, options->baseline, &reason))
        return error_line("gate", "%s", reason.text);
    if (!options->given.seed)
        options->seed = strtoull(field_header_seed(old->records[0].header), NULL, 0);
    return true;
}

/* A gate that ends before its last part compares nothing, and says why it ended. */
static void end_early(struct gate *gate, int status)
{
    static const char what[] = "the gate ended before its last part";
    gate->shown.is_cut = true;
    if (status == EXIT_STATUS_NOTHING_RAN) /* a GPU that no driver gives any more */
        join(gate, VERDICT_FAIL, change_name(CHANGE_REGRESSED),
             "nothing in the baseline was checked");
    else if (stop_is_signalled())
        join(gate, VERDICT_INCONCLUSIVE, what, "interrupted");
    else if (gate->verdict != VERDICT_ERROR)
        snprintf(gate->why, sizeof gate->why, "%s", what);
    if (status == EXIT_STATUS_HARNESS)
        gate->verdict = VERDICT_ERROR;
    for (int index = gate->shown.part_count; index < gate_part_count; index++)
        text_join(gate->why, sizeof gate->why,
                  index == gate->shown.part_count ? "; not checked: " : ", ", "%s",
                  gate_parts[index].name);
    gate_shown_found(&gate->shown);
}

/* Ends the gate's file with the verdict. One whose last record was cut short, or that somebody else
 * wrote to, stays as it is. */
static bool write_verdict(struct gate *gate, double seconds)
{
    struct reason reason;
    if (gate->made[0] || gate->all.count == 0 || !loaded_complete(&gate->all) ||
        gate->file.is_touched || gate_file_has_changed(&gate->file))
        return true;
    struct record *record = record_append(gate->file.path, &reason);
    if (record == NULL)
        return error_line("gate", "%s", reason.text);
    struct zone zone = {.blocks = NULL};
    record_line(record,
                line_json(gate_shown_line(&gate->shown, gate->verdict, gate->why, seconds, &zone)));
    zone_free(&zone);
    const bool is_whole = record_error(record) == NULL;
    if (!record_close(record, &reason) || !is_whole)
        return error_line("gate", "its verdict cannot be written to its file");
    return true;
}

static int carry_out(struct gate *gate)
{
    int status = EXIT_STATUS_HARNESS;
    gate_jobs_begin(&gate->jobs, gate->options, gate->file.path);
    const struct probe_choice *devices = &gate->jobs.devices;
    const bool is_lame = !devices->is_made && devices->status == EXIT_STATUS_HARNESS;
    if (is_lame && stop_is_signalled())
        status = EXIT_STATUS_INCONCLUSIVE;
    else if (is_lame)
        join(gate, VERDICT_ERROR, "no part", devices->line);
    else if (!devices->is_made) {
        session_no_choice("", devices);
        if (!devices->has_none || gate->options->baseline == NULL)
            return (int)devices->status;
        status = EXIT_STATUS_NOTHING_RAN;
    }
    gate_shown_begin(&gate->shown, devices->line, gate_jobs_gpus(&gate->jobs));
    const bool is_taken = devices->is_made && take_parts(gate, &status);
    gate_jobs_abandon(&gate->jobs);
    if (!is_taken && (status == EXIT_STATUS_USAGE ||
                      (status == EXIT_STATUS_NOTHING_RAN && gate->options->baseline == NULL)))
        return status;
    if (!is_taken)
        end_early(gate, status);
    else if (!show(gate))
        return EXIT_STATUS_HARNESS;
    const double seconds = clock_now_s() - gate->began_s;
    if (!write_verdict(gate, seconds))
        return EXIT_STATUS_HARNESS;
    if (!gate_shown_end(&gate->shown, gate->verdict, gate->why, seconds))
        return complain(EXIT_STATUS_HARNESS, "cannot write standard output");
    return (int)verdict_exit_status(gate->verdict);
}

/* Goes through it with a file to write: where the user names none, one without a name. */
static int begin(struct gate *gate)
{
    struct reason reason;
    const char *path = gate->options->record ? gate->options->record : gate->made;
    const int made = gate->options->record ? -1 : file_anonymous(gate->made);
    int status = EXIT_STATUS_USAGE;
    if (made < 0 && path == gate->made) {
        char lacks[FINDING_NOTE_BYTES] = "", why[FINDING_NOTE_BYTES + 64];
        const char *error = strerror(errno);
        const bool is_host = host_system_lacks(false, lacks, sizeof lacks);
        snprintf(why, sizeof why, "ERROR: no file in memory: %s", is_host ? lacks : error);
        return complain(EXIT_STATUS_HARNESS, why);
    }
    if (gate_file_hold(&gate->file, path, &reason)) {
        stop_catch_signals();
        status = carry_out(gate);
    } else {
        status = complain((int)reason_exit_status(&reason), reason.text);
    }
    /* One that was made and got nothing is removed. */
    if (gate->file.fd >= 0 && gate->file.is_new && look(&gate->file) && gate->file.bytes == 0)
        unlink(path);
    if (gate->file.fd >= 0)
        close(gate->file.fd);
    if (made >= 0)
        close(made);
    return status;
}

int gate_run(const struct options *options)
{
    struct options own = *options;
    struct gate *gate = heap_take(1, sizeof *gate);
    *gate = (struct gate){.options = &own,
                          .file = {.fd = -1},
                          .began_s = clock_now_s(),
                          .shown = {.options = &own},
                          .verdict = VERDICT_DECLINED};
    own.seed = own.given.seed ? own.seed : GATE_SEED;
    int status = EXIT_STATUS_USAGE;
    if (own.baseline == NULL || read_baseline(&own, &gate->old)) {
        gate->known = gate_known(&gate->old);
        own.known = own.baseline ? &gate->known : NULL;
        status = begin(gate);
    }
    gate_shown_close(&gate->shown);
    loaded_close(&gate->old);
    loaded_close(&gate->all);
    free(gate);
    return status;
}
