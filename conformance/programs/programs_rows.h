/* Generated programs through code paths: what is planned, what came of it, how it is shown and
 * written, and which of them each tier has. programs.c plans the rows, programs_take.h fills them,
 * programs_try.h explains what failed. */
#ifndef ASSAY_CONFORMANCE_PROGRAMS_PROGRAMS_ROWS_H
#define ASSAY_CONFORMANCE_PROGRAMS_PROGRAMS_ROWS_H

#include <jansson.h>
#include <pthread.h>

#include "conformance/model/layer.h"
#include "conformance/model/path.h"
#include "conformance/model/job.h"
#include "conformance/plan/plan.h"
#include "conformance/programs/known.h"
#include "conformance/session/options.h"
#include "conformance/session/session_lines.h"
#include "fuzz/programs/program_case.h"

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
    bool only_compiles;             /* the device cannot run what the path makes */
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
    bool is_over;                   /* what is left of it is not tried */
    bool is_broken;                 /* no program gave words where a known miscompile gave none */
    struct finding broken;          /* what that came to */
};

/* A program that did not come out right through one row. */
struct program_finding {
    int row;
    uint64_t number; /* of the run's programs */
    struct finding finding;
    int stage;                    /* that it came to */
    struct program_result result; /* of a FAIL */
    char *line;                   /* its case */
    const struct known *known;    /* the miscompile that it is, or NULL */
    const struct known *like;     /* one whose trigger it has; NULL: none, or it is that one */
    bool is_tried;
    bool recurs;          /* alone in its module, too; else: */
    struct finding again; /* what it came to there */
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
    enum verdict came_to;         /* its program: FAIL, CRASH, ... */
    struct program_result result; /* of a FAIL */
    struct finding finding; /* FAIL where it is present and should not be; SKIP where it is not
                             * tried; else PASS, or why not */
};

/* A range of programs through one row: what a worker is handed. */
struct programs_range {
    int row;
    uint64_t first; /* of the run's programs, or of `checks` */
    int count;
    bool is_known; /* these are checks of known miscompiles */
    bool is_part;  /* of a module that failed */
};

struct programs {
    struct session *session;
    const struct programs_report *report;
    uint64_t count;            /* programs of the run */
    bool is_endless;           /* as many as --time allows */
    int operation_count;       /* the first of them are of an operation each */
    unsigned char *operations; /* what each came to through each row; NULL without */
    const char *line;          /* the one program that is replayed, or NULL */
    size_t row_count;          /* that are planned */
    size_t try_count;          /* and those at level 0 after them, for what fails */
    struct programs_row *rows;
    struct clients *clients;
    pthread_mutex_t lock;
    pthread_cond_t changed;           /* something that was under way came to its end */
    uint64_t next[PROBE_DEVICES_MAX]; /* modules × rows of the device that are handed out */
    struct programs_range *split;     /* halves of what failed, to be tried next */
    size_t split_count;
    struct programs_range *broken; /* modules that crashed or hung as a whole */
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
    bool is_short_of_memory;
};

/* True where the run looks for miscompiles that nobody has seen, with the user's seed. */
static inline bool programs_search(const struct programs *programs)
{
    return !programs->line && !programs->session->options->same_programs;
}

/* How it is shown; NULL members say nothing. */
struct programs_report {
    void (*begin)(const struct programs *programs);
    void (*end)(const struct programs *programs, const struct outcome *outcome);
};

/* The row's programs in one verdict. */
enum verdict programs_row_verdict(const struct programs_row *row);

/* Notes what a program came to through a row, where it is an operation's. */
enum { OPERATION_KNOWN = VERDICT_COUNT /* it fails as a known miscompile does */ };
void programs_note_operation(struct programs *programs, int row, uint64_t number, int verdict);

/* Keeps why so many of the row's programs came to that verdict, and counts them. */
void programs_count(struct programs_row *row, enum verdict verdict, uint64_t count,
                    const char *why);

/* Operations times code paths: what the program of each came to through each row. */

/* Plans them, before anything else that the rows have. False without memory. */
bool programs_open_operations(struct programs *programs);

/* The record's line of a row; NULL where none was planned. */
json_t *programs_operations_line(const struct programs *programs, int row);

/* Lines of a record. A new reference each. */
json_t *programs_row_line(const struct programs *programs, const struct programs_row *row);
json_t *programs_finding_line(const struct programs *programs, const struct program_finding *it);

json_t *programs_known_line(const struct programs *programs, const struct programs_known *it);

/* "variable 5 in thread 3"; "" where there is none. Returns `ret_text`. */
enum { PROGRAMS_PLACE_BYTES = 96 };
const char *programs_place(const struct program_finding *it, char ret_text[PROGRAMS_PLACE_BYTES]);

/* The smallest case that is known of it, and what came of that. */
const char *programs_smallest(const struct program_finding *it,
                              const struct program_result **ret_result);

/* Writes the smallest program of each miscompile into the folder of --artifacts, which is created:
 * PATH-NUMBER.ptx and .cu; a link or what is no regular file is refused in their place. The .cu has
 * a main() and the inputs of all threads: built with nvcc or the host's compiler, it prints each
 * wrong word with what is expected, and ends with 1 where there is one. The versions of GPU, driver
 * and compilers are in the head of both. False with the reason. */
bool programs_write_artifacts(const struct programs *programs, struct reason *ret_reason);

/* The seed of the programs that each run and gate has. */
enum { PROGRAMS_SEED = 2 };

/* How many programs a run of a tier has; 0: it has none. */
uint64_t programs_of_tier(enum tier tier);

/* Gives a run or a gate its tier's programs. They follow from the generator's version alone, so
 * that what is known of them is known for all: --seed chooses cases of kernels. Tier deep is a
 * search, as --programs is in a run. */
void programs_take_tier(struct options *options);

/* Why options like these leave programs out, where nobody asks for them: NULL where nothing does.
 */
const char *programs_left_out(const struct options *options);

/* True where programs run through the path: it takes their text. */
bool programs_take_path(const struct path *path);

#endif
