/* The measure of generated programs: `assay run --programs` and `assay replay` with a program's
 * line. */
#pragma once

#include <jansson.h>
#include <pthread.h>
#include <sys/types.h>

#include "conformance/base/file.h"
#include "conformance/model/job.h"
#include "conformance/model/path.h"
#include "conformance/plan/plan.h"
#include "conformance/programs/known.h"
#include "conformance/session/options.h"
#include "conformance/session/session.h"
#include "fuzz/programs/program_case.h"

/* Generated programs through code paths: what is planned, what came of it, how it is shown and
 * written, and which of them each tier has. programs.c plans the rows, programs.h fills them,
 * programs.h explains what failed. */

enum {
    PROGRAMS_MODULE = 100,   /* programs of one module */
    PROGRAMS_HOST_ARCH = 90, /* compute capability that is compiled for without a GPU */
    PROGRAMS_FINDINGS_MAX = 4096,
    PROGRAMS_PATTERN_BYTES = 512,
    PROGRAMS_CAUSE_BYTES = 256
};

/* Programs through one code path on one device. */
struct programs_row {
    int device, path, compute_capability;
    bool only_compiles;             /* the device cannot run the path's code */
    uint64_t counts[VERDICT_COUNT]; /* of programs */
    uint64_t known;                 /* programs that fail as a known miscompile does; in no count */
    uint64_t known_wrong;           /* of these, those whose bits are wrong */
    uint64_t planned;               /* those of the run; without an end, those handed out */
    uint64_t compared;              /* programs whose every output word was compared */
    uint64_t words;                 /* of these */
    uint64_t kept;                  /* programs whose code an earlier run made */
    double stage_s[PROGRAM_STAGES]; /* of all workers together */
    enum verdict explained;         /* which verdict `why` is of */
    char why[FINDING_NOTE_BYTES];   /* of its first worst verdict, or "" */
    bool is_over;                   /* the rest of it is not tried */
    bool is_broken;                 /* no program gave words where a known miscompile gave none */
    struct finding broken;          /* its result */
};

/* A program that was not right through one row. */
struct program_finding {
    int row;
    uint64_t number; /* its place among the run's programs */
    struct finding finding;
    int stage;                    /* the last that it reached */
    struct program_result result; /* of a FAIL */
    char *line;                   /* its case */
    const struct known *known;    /* the miscompile that it is, or NULL */
    const struct known *like;     /* one whose trigger it has; NULL: none, or it is that one */
    bool is_tried;
    bool recurs;          /* alone in its module, too; else: */
    struct finding again; /* its result when run by itself */
    char *reduced;        /* the smallest case that still fails, or NULL */
    struct program_result reduced_result;
    char pattern[PROGRAMS_PATTERN_BYTES]; /* its instructions, without names and numbers */
    char cause[PROGRAMS_CAUSE_BYTES];     /* its smallest program as a trigger, or "" */
    bool is_origin;                       /* others may have that cause, too */
    char layer[LAYER_BYTES];
    int group; /* index of the first finding with that pattern; -1: not known */
};

/* A known miscompile through one row. */
struct programs_known {
    const struct known *known;
    int row;
    bool is_taken;                /* by a worker; or never tried */
    bool is_listed;               /* that this version has it */
    bool is_present;              /* its program is wrong here, or breaks the compiler */
    enum verdict failure;         /* its program's verdict: FAIL, CRASH, ... */
    struct program_result result; /* of a FAIL */
    struct finding finding; /* FAIL where it is present and should not be; SKIP where it is not
                             * tried; else PASS, or why not */
};

/* A range of programs through one row: a job for a worker. */
struct programs_range {
    int row;
    uint64_t first; /* of the run's programs, or of `checks` */
    int count;
    bool is_known;        /* these are checks of known miscompiles */
    bool is_part;         /* of a module that failed */
    enum verdict verdict; /* of a module that failed as a whole */
};

struct programs {
    struct session *session;
    uint64_t planned;          /* programs of all shards */
    uint64_t count;            /* of this one: those of the run */
    bool is_endless;           /* as many as --time allows */
    int operation_count;       /* the first of them are of an operation each */
    unsigned char *operations; /* the result of each through each row; NULL without */
    const char *line;          /* the one program that is replayed, or NULL */
    size_t row_count;          /* that are planned */
    size_t try_count;          /* and those at level 0 after them, for what fails */
    struct programs_row *rows;
    struct clients *clients;
    pthread_mutex_t lock;
    pthread_cond_t changed;           /* a job that was running has ended */
    uint64_t next[PROBE_DEVICES_MAX]; /* modules × rows of the device that are handed out */
    struct programs_range *split;     /* halves of what failed, to be tried next */
    size_t split_count;
    struct programs_range *broken; /* modules that failed as a whole */
    size_t broken_count;
    int under_way;
    struct program_finding *findings;
    size_t finding_count;
    uint64_t findings_left_out;
    struct known_list known;       /* miscompiles */
    struct programs_known *checks; /* of these, each through each row that runs */
    size_t check_count;
    bool is_late;                 /* only checks are left */
    int tried[PROBE_DEVICES_MAX]; /* programs that failed, tried again so far */
};

/* True if the run searches for unknown miscompiles, with the user's seed. */
static inline bool programs_search(const struct programs *programs)
{
    return !programs->line && !programs->session->options->same_programs;
}

/* The number in the plan of all shards of the run's program `place`. */
static inline uint64_t programs_number(const struct programs *programs, uint64_t place)
{
    return shard_at(&programs->session->plan.shard, programs->planned, place);
}

/* The row's programs in one verdict. */
enum verdict programs_row_verdict(const struct programs_row *row);

/* Notes the verdict of the run's program `place` through a row, if it is an operation's. */
enum {
    OPERATION_KNOWN = VERDICT_COUNT, /* it fails as a known miscompile does */
    OPERATION_ELSEWHERE              /* another shard has it */
};
void programs_note_operation(struct programs *programs, int row, uint64_t place, int verdict);

/* Counts `count` of the row's programs under the verdict, and keeps the reason. */
void programs_count(struct programs_row *row, enum verdict verdict, uint64_t count,
                    const char *why);

/* Operations times code paths: the verdict of each one's program through each row. */

/* Plans them, before anything else that the rows have. */
void programs_open_operations(struct programs *programs);

/* The record's line of a row; NULL if none was planned. */
const struct line *programs_operations_line(const struct programs *programs, int row,
                                            struct zone *zone);

/* Lines of a record. A new reference each. */
const struct line *programs_row_line(const struct programs *programs,
                                     const struct programs_row *row, struct zone *zone);
const struct line *programs_finding_line(const struct programs *programs,
                                         const struct program_finding *it, struct zone *zone);

const struct line *programs_known_line(const struct programs *programs,
                                       const struct programs_known *it, struct zone *zone);

/* "variable 5 in thread 3", or "". Returns `ret_text`. */
enum { PROGRAMS_PLACE_BYTES = 96 };
/* Writes the smallest program of each miscompile into the folder of --artifacts, which is created:
 * PATH-NUMBER.ptx and .cu; a link or what is no regular file is refused in their place. The .cu has
 * a main() and the inputs of all threads: built with nvcc or the host's compiler, it prints each
 * wrong word with what is expected, and ends with 1 where there is one. The versions of GPU, driver
 * and compilers are in the head of both. False with the reason. */
bool programs_write_artifacts(const struct programs *programs, struct reason *ret_reason);

/* The seed of the programs that each run and gate has. */
enum { PROGRAMS_SEED = 2 };

/* The number of programs in a run of a tier; 0: none. */
uint64_t programs_of_tier(enum tier tier);

/* Gives a run or a gate its tier's programs. They depend only on the generator's version, so that
 * known results are valid for all runs: --seed chooses cases of kernels. Tier deep is a search,
 * like --programs in a run. */
void programs_take_tier(struct options *options);

/* Why options like these leave programs out, where nobody asks for them: NULL if nothing
 * does. */
const char *programs_left_out(const struct options *options);

/* True if programs run through the path: it compiles their text. */
bool programs_take_path(const struct path *path);

/* How many workers generated programs have by default: one for each core, and at most 16 for each
 * GPU, since more wait for the driver's lock, and kernels with them. On one H100 of a host with 64
 * cores a run took 49.0 s with 64 workers and 28.3 s with 16. `gpus` 0: compilers alone. */
int programs_workers(int cores, int gpus);

/* Programs to workers: which a run has, what a worker is asked of them, and what its answers say.
 * The programs of the run and the known miscompiles go one way: a range of them, a module, to a
 * worker; halves of it where it fails as a whole; and of one program a verdict, which an
 * expectation, where it has one, turns into that of a known miscompile. */

/* The lines of that many programs of the run from place `first` on, for free().
 * Mostly ones that the generator picks; every sixteenth is made of one operation, of each in its
 * turn. Statements that complete the trigger of a known miscompile are dropped, unless the run
 * wants them. */
char *programs_lines_of(const struct programs *programs, uint64_t first, int count);

/* The cases one after the other, a line each, for free(). */
char *programs_join(const struct program_case *cases, int count);

/* Programs through a row, for one job. */
struct programs_asked {
    int row;
    const char *lines;
    int count;       /* of the lines */
    bool keeps_code; /* the compiler's output is worth caching */
    int cpu_limit_s; /* of the compiler; 0: none but the job's own */
};

/* Sends the job to the client's worker. Whatever happens to the worker, *ret is the answer; its
 * finding is ERROR if no worker could be asked, or if some programs have no answer. */
void programs_ask(const struct programs *programs, struct client *client,
                  const struct programs_asked *asked, struct program_answer *ret);

/* The same of one program, whose verdict ret->finding is then. */
void programs_ask_one(const struct programs *programs, struct client *client,
                      const struct programs_asked *asked, struct program_answer *ret);

/* Compares a program's result with the expectation: PASS, FAIL, or, if a result proves nothing,
 * ERROR. */
void programs_judge_result(const struct programs_row *row, const struct program_result *result,
                           struct finding *ret);

/* The verdict of two tries of which the first was a CRASH or a TIMEOUT: the second one's if that is
 * a failure, too, or an ERROR; else INCONCLUSIVE. */
void programs_judge_again(enum verdict first, const struct finding *again, struct finding *ret);

/* A failure of a program held to the expectation of a row of the list: the row's compiler is not
 * listed, or another kind of failure is, or the failure is listed without wrong words, with others,
 * or as it is. The result is that of a FAIL. */
enum programs_match {
    PROGRAMS_UNLISTED,
    PROGRAMS_OTHER_KIND,
    PROGRAMS_NO_WORDS,
    PROGRAMS_OTHER_WORDS,
    PROGRAMS_AS_LISTED
};
enum programs_match programs_match(const struct programs *programs, int row,
                                   const struct known *known, const struct finding *finding,
                                   int stage, const struct program_result *result);

/* Programs of the run avoid the known miscompiles that are listed for one of its compilers. */
void programs_choose_known(struct programs *programs);

/* Plans a check of each known miscompile through each row that runs, in the list's order. One that
 * would hang the driver's compiler is skipped unless --triggers is given. */
void programs_plan_known(struct programs *programs);

/* Hands out what is planned until all of it is done, or the run is to end: known miscompiles that
 * hang or crash a compiler first, then the other ones, which come after the programs with
 * --time. */
void programs_take_all(struct programs *programs);

/* Runs the remaining checks. */
void programs_check_late(struct programs *programs);

/* Failures of a run, each tried again: alone, smaller, and through every other row. */

/* Confirms, reduces and attributes what failed, unless the run is interrupted. */
void programs_try_all(struct programs *programs);

/* Those of one miscompile get one group, once what is known is found among them. */
void programs_group(struct programs *programs);

/* Failures of one cause: a smallest program, used as a trigger, shows which other failures come
 * from the same miscompile, without reducing each. */

/* The row whose trigger the program has, as it was generated and as it was reduced, which lists
 * that way of failing for its compiler; NULL: none. Whether it is that miscompile takes
 * evidence. */
const struct known *programs_known_like(const struct programs *programs,
                                        const struct program_finding *it);

/* A failure that is a known miscompile is counted as that, and is no failure of its own: its row
 * lists its wrong words, or, of a program that --triggers made, the row's own program came out as
 * listed through the same path. Checks of known miscompiles are over by then. */
void programs_take_known(struct programs *programs);

/* The whole program as the trigger of its last statement, arguments that no statement gives left
 * open; "" where a trigger cannot say it. Returns `ret_text`. */
const char *programs_cause(const struct program *program, char ret_text[PROGRAMS_CAUSE_BYTES]);

/* Others of the same row may have its cause from now on, where its smallest program is of nothing
 * that is known there. */
void programs_tell_cause(struct programs *programs, struct program_finding *it);

/* If a smallest program contains the shorter cause of another one, it belongs to that one. Known
 * miscompiles neither give nor take a cause: else one that is not listed would be counted as
 * known. */
void programs_join_causes(struct programs *programs);

extern const struct measure programs_measure, programs_measure_replay;

/* True if a run with these options has programs in addition to its kernels. */
bool programs_are_due(const struct options *options);
