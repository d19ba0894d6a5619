/* Everything that can be put on a stream with operands: a kernel's launch, a generated program's,
 * the driver's own copy, a call of the driver that is timed. Checks, timings and programs differ in
 * what they do around an enqueue; loading, placing, binding and enqueueing are here, once.
 *
 *     struct callable it = {.device = device, .stream = stream, .holder = me};
 *     it.textures = &textures;
 *     callable_plan(&it, subject, &test_case, CALLABLE_LIMITS_OF_DEVICE, why);   PASS
 *     callable_load(&it, &reason);                                               CU_SUCCESS
 *     callable_bind(&it, &arena, &reason);                                       CU_SUCCESS
 *     struct callable_operands operands = callable_place(&it, &arena, address);
 *     callable_prepare(&it, &operands, (struct bindings_launch){.number = 0});
 *     callable_enqueue(&it, &operands, NULL);
 *     callable_release(&it);
 *
 * A copy, a program and a call of the driver are made by one function each and are enqueued alike.
 * All functions return the driver's error where they return one, and wait for nothing but where a
 * call of the driver that is timed does. */
#ifndef ASSAY_CONFORMANCE_WORK_CALLABLE_H
#define ASSAY_CONFORMANCE_WORK_CALLABLE_H

#include "conformance/work/bindings.h"
#include "conformance/work/host_side.h"

struct callable;

/* One set of operands: the words of a kernel's call for an arena at `address`; of a copy its source
 * and its target; of a program its input and its output. */
struct callable_operands {
    cu_address address;
    uint64_t words[CATALOG_CALL_WORDS_MAX];
};

/* How one kind is put on the stream. */
typedef cu_result callable_call(const struct callable *callable, struct callable_operands *operands,
                                unsigned char *sms);

/* The caller sets the first five fields, callable_plan sets the next three, and checker_plan
 * `has_work`. The others belong to one kind each: `function` and `bindings` to a kernel or program,
 * `side` to a copy between host and device, `bytes` to a copy on the device, and `host_call`,
 * `memory` and `pinned` to a timed call of the driver. */
struct callable {
    struct device *device;
    cu_stream stream;
    const void *holder;        /* whose module it is (device_function) */
    struct textures *textures; /* the holder's; */
    struct host_memory *hosts; /* the same; NULL: it makes no copies between host and device */
    struct subject subject;
    const struct fuzz_case *called; /* what a kernel is called for */
    struct launch plan;
    bool has_work;        /* of the holder: the case leaves some */
    cu_function function; /* NULL: the driver makes the copy */
    struct bindings bindings;
    struct host_side side; /* of a copy between host and device */
    size_t bytes;          /* of a copy */
    int host_call;
    cu_address memory; /* 4 bytes that a timed call of the driver copies to and from; */
    void *pinned;      /* the same on the host */
    callable_call *enqueue;
};

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
    LIMITS_LOW_ELEMENTS = 1 << 15
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

/* Loads the kernel's module for the holder and finds its function; a copy has none. */
cu_result callable_load(struct callable *callable, struct reason *ret_reason);

/* Finds what the kernel needs besides its call (bindings.h). */
cu_result callable_bind(struct callable *callable, const struct arena *arena,
                        struct reason *ret_reason);

/* The driver's copy from device to device of that many bytes. */
void callable_copy(struct callable *callable, size_t bytes);

/* The program `name` of a module, by one block of that many threads. */
cu_result callable_program(struct callable *callable, cu_module module, const char *name,
                           unsigned threads);

/* The calls of the driver whose latency is timed, by the numbers of model/job.h. The callable is
 * already a kernel's, whose launch is among them; a call returns when the driver has done it. */
void callable_host_call(struct callable *callable, int call, cu_address memory, void *pinned);

/* The kernel's operands in an arena at `address`; or at addresses of their own. Only after
 * callable_bind, which makes the textures that are among the words. */
struct callable_operands callable_place(const struct callable *callable, const struct arena *arena,
                                        cu_address address);
struct callable_operands callable_place_at(const struct callable *callable, cu_address address,
                                           const uint64_t addresses[ALGORITHM_OPERANDS_MAX]);

/* Enqueues what the launch needs in its module's arrays; of a copy, its operand in host memory. */
cu_result callable_prepare(const struct callable *callable,
                           const struct callable_operands *operands, struct bindings_launch launch);

/* Gives later launches the kernel's window on its operands' arena; and none. */
cu_result callable_put_window(const struct callable *callable,
                              const struct callable_operands *operands);
cu_result callable_drop_window(const struct callable *callable);

/* Enqueues it. `sms`: as in cuda/launch.h, or NULL. */
cu_result callable_enqueue(const struct callable *callable, struct callable_operands *operands,
                           unsigned char *sms);

/* No later launch has the window, and L2 keeps nothing any more. Waits for the stream. Only timings
 * need it: a check drops its window after each launch. */
cu_result callable_release(const struct callable *callable);

#endif
