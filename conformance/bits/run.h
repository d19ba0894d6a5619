/* One run: a plan carried out on devices, reported to a record and to a reader as it goes. */
#ifndef ASSAY_CONFORMANCE_BITS_RUN_H
#define ASSAY_CONFORMANCE_BITS_RUN_H

#include "conformance/model/layer.h"
#include "conformance/plan/plan.h"
#include "conformance/session/session.h"
#include "conformance/supervise/trial.h"
#include "conformance/bits/tally.h"

/* After so many crashes or hangs of a kernel through a path, it is launched no more on that device:
 * each costs a worker, and the verdict stays. */
enum { RUN_CRASHES_MAX = 3, RUN_FINDINGS_MAX = 64 };

/* A check that did not pass, kept for the report. */
struct run_finding {
    uint64_t index; /* of the case in the plan */
    struct fuzz_case test_case;
    struct subject subject;
    struct finding finding;
    bool retried; /* then `reduced` says what came of it */
    bool passing; /* a TIMEOUT that did not come back: it is INCONCLUSIVE */
    struct trial_report reduced;
    char corpus_file[512];    /* where the smallest case was kept, or "" */
    char layer[LAYER_BYTES];  /* that it comes from, as its smallest case shows it, or "" */
    struct sequence *history; /* what its worker ran up to it; NULL without memory */
    bool needs_history;       /* it is reported after those: it came in a sequence of the corpus, or
                               * does not fail by itself */
};

struct run;

/* How a run is shown as it goes; NULL members, and no report, say nothing. */
struct run_report {
    void (*begin)(const struct run *run);
    /* Once when it is found, and once more when it was tried again and reduced. */
    void (*finding)(const struct run *run, const struct run_finding *finding);
    void (*progress)(const struct run *run);
    void (*end)(const struct run *run, const struct outcome *outcome);
};

struct hand_out_list;
struct journal;
struct ranges;
struct resume;

/* What a run keeps of one share of the plan on a device (plan.h). */
struct run_share {
    uint64_t next_index;    /* no case before it is left to be handed out */
    size_t finished_next;   /* the first range of `finished` that next_index has not passed */
    uint64_t touched_bytes; /* of its memory, by the worker that touched most */
};

/* What a run keeps of each device of its session, under the same index. */
struct run_device {
    char lost[FINDING_NOTE_BYTES];        /* why it is gone, or "" */
    char unexplained[FINDING_NOTE_BYTES]; /* a worker's death that nothing explains, or "" */
    struct run_share shares[PLAN_SHARES_MAX];
    uint64_t handed;             /* jobs so far: the next one's id */
    struct hand_out_list *lists; /* of checks, that its jobs have (carry_out.h) */
    uint64_t cases_done;
    bool recorded;                 /* the record has its line already */
    const struct ranges *finished; /* before the run was resumed; NULL: nothing */
};

struct run {
    struct session *session;
    const struct resume *resume; /* what it resumes, or NULL */
    struct journal *journal;     /* in place of a line a case: tier deep; else NULL */
    /* What was done before it was resumed, as far as it is counted in what follows. */
    uint64_t resumed_cases, resumed_checks, resumed_findings;
    uint64_t handed_end;             /* cases up to here are handed out now: a sequence, or all */
    struct plan_shares shares;       /* among the workers that they are handed out to */
    int unopened;                    /* workers that have not opened their devices yet */
    const struct run_report *report; /* NULL: nothing is shown */
    struct run_device devices[PROBE_DEVICES_MAX];
    struct tally_table tally;
    struct sequence history; /* of the failure that is reported next */
    struct run_finding findings[RUN_FINDINGS_MAX];
    int finding_count;
    uint64_t findings_left_out;  /* beyond RUN_FINDINGS_MAX */
    uint64_t findings_untried;   /* failures that were not tried again, as others were */
    uint64_t small_checks;       /* of cases of at most 4 Ki output elements */
    double stage_s[STAGE_COUNT]; /* of all threads together */
    bool careful;                /* one check at a time: a replay, and cases that fill a device */
    bool keeps_corpus;           /* failures are written to files */
    bool passes_declined;        /* a kernel that declines every case is not missed */
};

#endif
