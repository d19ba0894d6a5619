/* Everything that can be put on a stream with operands: a kernel's launch, a generated program's,
 * the driver's own copies, a call of the driver that is timed. Checks, timings and programs differ
 * in what they do around an enqueue; loading, binding, placing, scrubbing and enqueueing are here,
 * once.
 *
 *     struct callable it = {.device = device, .stream = stream, .holder = &holder};
 *     callable_plan(&it, subject, &test_case, CALLABLE_LIMITS_OF_DEVICE, why);   PASS
 *     callable_load(&it, &reason);                                               CU_SUCCESS
 *     callable_bind(&it, &arena, &reason);                                       CU_SUCCESS
 *     struct callable_operands operands = callable_place(&it, &arena, address);
 *     callable_scrub(&it, &harness, key);
 *     callable_prepare(&it, &operands, (struct bindings_launch){.number = 0});
 *     callable_enqueue(&it, &operands, NULL);
 *     callable_release(&it);
 *
 * callable_plan makes the callable of a subject. callable_copy, callable_program, callable_library
 * and callable_host_call, in place of it, make those that are no subject's; the other calls are the
 * same, and do nothing where a kind needs nothing. They return the driver's error where they return
 * one, and only a timed call of the driver waits for anything.
 *
 * A kind is a row of one table in callable.c: its functions (those of operands that are elsewhere
 * are in remote.c), and the properties that others ask for. No other code tests which kind a
 * callable is. A new kind is a row, its functions next to it and, if kernels.def has rows of it, a
 * name in cuda/kernel.h (kernel_kind). */
#pragma once

#include "conformance/work/bindings.h"
#include "conformance/work/cublas.h"
#include "conformance/work/harness.h"

/* Kept by one that runs callables, from case to case; all zero at first. Its address names it: a
 * kernel with bindings has a module for each holder (device_function). */

/* Host memory that copies go to and come from: of each sort, with a second stream. */
struct host_memory {
    unsigned char *memory[KERNEL_MEMORIES];
    size_t bytes[KERNEL_MEMORIES];
    cu_address mapped; /* where the device finds that of KERNEL_MEMORY_MAPPED */
    cu_stream second;
    cu_event forked, joined;
};

/* Memory of the second device of a set, for the operand that is there, with what reaches it: a
 * stream of that device and its harness, and pinned host memory that bytes pass through. */
struct peer_memory {
    struct harness harness;
    cu_stream stream;
    cu_event left, ready;           /* on the first device's stream, and on this one */
    unsigned char *bounce, *report; /* pinned */
    cu_address memory;              /* the report, then `around` */
    size_t bytes;
    struct harness_range around;
};

struct callable_holder {
    struct textures textures;
    struct host_memory hosts;
    struct peer_memory peer;
    struct cublas cublas;
};

void host_memory_release(struct host_memory *hosts, struct device *device);
void peer_memory_release(struct peer_memory *peer, struct device *device);
void callable_holder_release(struct callable_holder *holder, struct device *device);

/* The operand that is in host memory or in a peer's, guards and gaps with it, at the alignment that
 * it has in the arena. Its own place in the arena on the device is poisoned meanwhile: a copy from
 * there, or to there, shows. Clauses: host_copy.host.guarded, host_copy.streams.both,
 * peer_copy.remote.guarded. */
struct remote_side {
    unsigned char *memory;       /* bytes [from, to) of the arena; NULL: they are in a peer's */
    cu_address mapped;           /* the same for the device; 0: it is not mapped */
    cu_address peer;             /* the same in a peer's memory */
    int operand;                 /* which one it is */
    size_t from, begin, end, to; /* of the arena, as of the operand there */
};

/* One set of operands: the words of a kernel's call for an arena at `address`; of a copy its source
 * and its target; of a program its input and its output. */
struct callable_operands {
    cu_address address;
    uint64_t words[CATALOG_CALL_WORDS_MAX];
};

/* The caller sets the first three fields; callable_plan sets the next four, and the functions that
 * take its place the kind and the fields that are named after them;
 * callable_load, callable_bind and checker_plan set the others. */
struct callable {
    struct device *device;
    cu_stream stream;
    struct callable_holder *holder; /* may be NULL for a copy on the device and for a program */
    const struct callable_kind *kind;
    struct subject subject;
    const struct fuzz_case *called; /* what a kernel is called for */
    struct launch plan;
    size_t bytes;             /* callable_copy */
    cu_module module;         /* callable_program */
    int host_call;            /* callable_host_call; the two that follow, too: */
    cu_address memory;        /* 4 bytes that the call copies to and from, */
    void *pinned;             /* and the same on the host */
    cu_function function;     /* callable_load; NULL: it has none */
    struct bindings bindings; /* callable_bind */
    struct remote_side side;  /* the same, of an operand that is not in the device's memory */
    bool is_blocking;         /* the same: an enqueue returns when all of it has been done */
    bool has_work;            /* checker_plan: the case leaves some */
};

/* A row of the table of kinds. A function that is NULL has nothing to do. */
typedef enum verdict callable_planner(struct callable *callable, bool is_low,
                                      char ret_why[FINDING_NOTE_BYTES]);
typedef cu_result callable_binder(struct callable *callable, const struct arena *arena,
                                  struct reason *ret_reason);
typedef void callable_placer(const struct callable *callable, const uint64_t *addresses,
                             uint64_t *ret_words);
typedef cu_result callable_preparer(const struct callable *callable, cu_address address,
                                    struct bindings_launch launch);
typedef cu_result callable_enqueuer(const struct callable *callable,
                                    struct callable_operands *operands, unsigned char *sms);
typedef cu_result callable_gatherer(const struct callable *callable, cu_address address);
typedef bool callable_taker(const struct callable *callable, size_t begin, size_t end,
                            unsigned char *got, struct finding *ret);

struct callable_kind {
    /* It runs as blocks on multiprocessors, which are scrubbed before it, and counted. */
    bool has_blocks;
    /* One of its operands is in the holder's host memory or a peer's, of which there is one:
     * callables of a holder take turns, and data goes through the link to there. */
    bool crosses_link;
    callable_planner *plan;
    cu_result (*load)(struct callable *callable, struct reason *ret_reason);
    callable_binder *bind;
    /* Makes the words of the operands' addresses; NULL: they are the addresses. */
    callable_placer *place;
    callable_preparer *prepare;
    callable_enqueuer *enqueue;
    callable_gatherer *gather;
    callable_taker *take;
    cu_result (*release)(const struct callable *callable);
};

/* The row of a subject's callable. */
const struct callable_kind *callable_kind_of(const struct kernel *kernel);

/* Limits that a launch is planned under. A grid's limits in y and z are so high that a kernel's
 * loop over the rows beyond them would hardly ever take a second turn: some cases lower them
 * (runner.plan.low_grid). */
enum callable_limits {
    CALLABLE_LIMITS_OF_DEVICE,
    CALLABLE_LIMITS_OF_CASE, /* the case's; the device's where the kernel needs more */
};
enum {
    LIMITS_LOW_EVERY = 4, /* one small case in that many, by its seed */
    LIMITS_LOW_GRID = 3,  /* blocks in y and in z */
    LIMITS_LOW_ELEMENTS = 1 << 16
};
struct device_limits limits_of_case(const struct device_limits *device,
                                    const struct fuzz_case *test_case);

/* How a kernel is launched on a case. PASS: *ret is set. DECLINED: the kernel does not take the
 * case's shape. SKIP: it does, and a launch needs more than the device has: `ret_why` names the
 * limit. */
enum verdict launch_plan(const struct kernel *kernel, const struct fuzz_case *test_case,
                         const struct device_limits *limits, struct launch *ret,
                         char ret_why[FINDING_NOTE_BYTES]);

/* The same for the subject's kernel, which the callable then launches. The case must outlive it. */
enum verdict callable_plan(struct callable *callable, struct subject subject,
                           const struct fuzz_case *test_case, enum callable_limits limits,
                           char ret_why[FINDING_NOTE_BYTES]);

/* True if a dimension of the planned grid is 0: the case leaves nothing to do. */
bool callable_is_empty(const struct callable *callable);

/* Loads the kernel's module for the holder, and finds its function or the program's. */
cu_result callable_load(struct callable *callable, struct reason *ret_reason);

/* Finds what the kernel needs besides its call (bindings.h), or takes the host memory of a copy. */
cu_result callable_bind(struct callable *callable, const struct arena *arena,
                        struct reason *ret_reason);

/* The driver's copy from device to device of that many bytes. */
void callable_copy(struct callable *callable, size_t bytes);

/* The program `name` of a module, by one block of that many threads. The name must outlive it. */
void callable_program(struct callable *callable, cu_module module, const char *name,
                      unsigned threads);

/* cuBLAS's product of the case, of an algorithm that is one. The case must outlive it. */
void callable_library(struct callable *callable, const struct fuzz_case *test_case);

/* The calls of the driver whose latency is timed, by the numbers of model/job.h. The callable is
 * already a kernel's, planned, loaded and bound, whose launch is among them; a call returns when
 * the driver has done it. */
void callable_host_call(struct callable *callable, int call, cu_address memory, void *pinned);

/* The operands in an arena at `address`; or at addresses of their own, as many as the callable has.
 * Only after callable_bind, which makes the textures that are among a kernel's words. */
struct callable_operands callable_place(const struct callable *callable, const struct arena *arena,
                                        cu_address address);
struct callable_operands callable_place_at(const struct callable *callable, cu_address address,
                                           const uint64_t addresses[ALGORITHM_OPERANDS_MAX]);

/* Writes over what earlier launches left in shared memory, registers and local memory, if it runs
 * as blocks: a callable that reads what it did not write must not find there what a right one left.
 * Before each launch of a check and each program, and before the first launch of a timing, whose
 * bits are checked before it goes on. Not between timed launches: a scrub takes 2 to 27 us of an
 * H200 and empties its caches. Clause: memory.scrub.shared. */
cu_result callable_scrub(const struct callable *callable, const struct harness *harness,
                         uint64_t key);

/* Enqueues what the launch needs in its module's arrays; of a copy between host and device, the
 * operand's way to host memory, and poison in its place. */
cu_result callable_prepare(const struct callable *callable,
                           const struct callable_operands *operands, struct bindings_launch launch);

/* Gives later launches the kernel's window on its operands' arena; and none. */
cu_result callable_put_window(const struct callable *callable,
                              const struct callable_operands *operands);
cu_result callable_drop_window(const struct callable *callable);

/* Enqueues it. `sms`: as in cuda/launch.h, or NULL. */
cu_result callable_enqueue(const struct callable *callable, struct callable_operands *operands,
                           unsigned char *sms);

/* Enqueues the way back of an operand that is elsewhere to its place in the arena at `address`: a
 * digest of the arena then is of all operands. */
cu_result callable_gather(const struct callable *callable, cu_address address);

/* When everything has run: copies an operand that is elsewhere into bytes [begin, end) of the arena
 * as downloaded to `got`, replacing the poison. False with the finding: a FAIL if the poisoned
 * place was written, or memory around the operand; any other verdict if the operand could not be
 * brought back, and `got` says nothing. */
bool callable_take(const struct callable *callable, size_t begin, size_t end, unsigned char *got,
                   struct finding *ret);

/* No later launch has the window, and L2 keeps nothing any more. Waits for the stream. Needed at
 * the end of a timing, whose launches leave the window where callable_put_window put it, whether or
 * not it was planned; a check drops its window after each launch, and a program has none. */
cu_result callable_release(const struct callable *callable);

/* Callables of which one operand is not in the arena's memory: `remote` of the kernel's row says
 * which and where it is. These functions of remote.c are in their rows of the table of kinds. A
 * check calls plan, bind, prepare, enqueue, take; a timing calls gather in place of take, before
 * its digest.
 *
 *     plan     declines what the row declines
 *     bind     takes memory for the operand, with its guards and gaps, at the arena's alignment
 *     prepare  moves the operand there, and poisons its place in the arena
 *     enqueue  runs it
 *     take     puts the operand back into its place in the downloaded arena, and says whether the
 *              poison there was written
 *     gather   moves the operand back to the arena on the device
 */

/* In host memory: a copy that the driver makes. */
callable_planner remote_host_plan;
callable_binder remote_host_bind;
callable_preparer remote_host_prepare;
callable_enqueuer remote_host_enqueue;
callable_gatherer remote_host_gather;
callable_taker remote_host_take;

/* In the memory of a set's second device: uploaded and downloaded by that device itself, by way of
 * host memory, and the memory around it is checked there. Bytes that crossed the link under test
 * are compared, never compared with. Each leaves the first device's context current. */
callable_planner remote_peer_plan;
callable_binder remote_peer_bind;
callable_placer remote_peer_place;
callable_preparer remote_peer_prepare;
callable_enqueuer remote_peer_enqueue;
callable_gatherer remote_peer_gather;
callable_taker remote_peer_take;
