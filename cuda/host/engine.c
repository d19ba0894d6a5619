/* The emulated multiprocessor (engine.h). A fiber runs threads back to back until one of them
 * waits; whatever stops running, a thread that waits or a fiber that is free, decides what runs
 * next. */
#include "cuda/host/engine.h"

#include <signal.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <ucontext.h>

#include "cuda/host/fiber.h"
#include "cuda/host/memory.h"
#include "cuda/host/sanitizer.h"
#include "cuda/host/schedule.h"

/* A signal handler gets no argument of ours, so the note's buffer is here. */
static struct {
    char *text;
    size_t bytes;
} kept;

void fault_note(const char *format, ...)
{
    if (!kept.text || kept.bytes == 0)
        return;
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(kept.text, kept.bytes, format, arguments);
    va_end(arguments);
}

/* Warp exchanges by the CUDA C++ programming guide, "Warp Shuffle Functions". A thread that waits,
 * and what its warp exchanges: */
enum { WAIT_BLOCK = -1 }; /* in place of an exchange: the thread waits for its whole block */

struct fiber;

struct wait {
    struct fiber *fiber; /* the stack that it waits on */
    const char *file;
    int line;
    int exchange; /* enum emulation_exchange or WAIT_BLOCK */
    uint32_t mask;
    uint32_t value; /* the value that it gives; once it is ready, the value that it gets */
    int operand, width;
};

enum { LANES = 32 };

static bool wait_same_place(const struct wait *a, const struct wait *b)
{
    return a->line == b->line && (a->file == b->file || strcmp(a->file, b->file) == 0);
}

/* The lane whose value `lane` gets. */
static unsigned source_lane(const struct wait *wait, unsigned lane)
{
    const unsigned width = (unsigned)wait->width;
    const unsigned operand = (unsigned)wait->operand;
    const unsigned first = lane / width * width;
    const unsigned place = lane - first;
    switch (wait->exchange) {
    case EMULATION_INDEX:
        return first + operand % width;
    case EMULATION_UP:
        return operand <= place ? lane - operand : lane;
    case EMULATION_DOWN:
        return operand < width - place ? lane + operand : lane;
    default: /* EMULATION_XOR: into earlier segments, not into later ones */
        return (lane ^ operand) < first + width ? lane ^ operand : lane;
    }
}

/* "tiled.cu:31". The file's name is a part of the given one. */
static const char *wait_file_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

/* Asynchronous copies to shared memory are made when their thread waits for them. A thread's copies
 * are a list in the order in which they were started. */

/* As many as shared memory holds of the smallest: more of them at a time overwrite each other. */
enum {
    LEAST_BYTES = 4,
    MOST_BYTES = 16,
    COPIES_MAX = SHARED_BYTES_MAX / LEAST_BYTES,
    NONE = -1,
    BULKS_MAX = 64
};

struct copy {
    void *target;
    unsigned bytes;
    unsigned group; /* of its thread, by number */
    int next;       /* of its thread, or of those that are free */
    unsigned char value[MOST_BYTES];
};

/* A copy of the whole block. Its bytes are in bulk_values until somebody waits. */
struct bulk {
    void *target;
    const void *barrier;
    size_t first, bytes;
};

static struct {
    bool used; /* since the block began */
    uint64_t garbage;
    struct bulk bulks[BULKS_MAX];
    int bulk_count;
    size_t bulk_bytes;
    unsigned char bulk_values[SHARED_BYTES_MAX];
    struct copy copies[COPIES_MAX];
    int made_count; /* of `copies` */
    int free;
    struct {
        int first, last;
        unsigned group; /* the one that is not committed yet */
    } threads[EMULATION_THREADS_MAX];
} state;

static void begin(void)
{
    state.used = true;
    state.made_count = 0;
    state.free = NONE;
    for (int thread = 0; thread < EMULATION_THREADS_MAX; thread++) {
        state.threads[thread].first = state.threads[thread].last = NONE;
        state.threads[thread].group = 0;
    }
}

static unsigned running_thread(void)
{
    const struct emulation_index *at = &emulation_registers.thread;
    const struct emulation_index *size = &emulation_registers.block_size;
    return at->x + size->x * (at->y + size->y * at->z);
}

void emulation_copy_start(void *target, const void *value, unsigned bytes)
{
    if (!state.used)
        begin();
    if (state.free == NONE && state.made_count == COPIES_MAX)
        emulation_trap(__FILE__, __LINE__);
    const int freed = state.free;
    if (freed != NONE)
        state.free = state.copies[freed].next;
    const int index = freed == NONE ? state.made_count++ : freed;
    const unsigned thread = running_thread();
    struct copy *copy = &state.copies[index];
    *copy = (struct copy){target, bytes, state.threads[thread].group, NONE, {0}};
    memcpy(copy->value, value, bytes);
    schedule_garbage(target, bytes, &state.garbage);
    if (state.threads[thread].first == NONE)
        state.threads[thread].first = index;
    else
        state.copies[state.threads[thread].last].next = index;
    state.threads[thread].last = index;
}

void emulation_copy_commit(void)
{
    if (!state.used)
        begin();
    state.threads[running_thread()].group++;
}

void emulation_copy_wait(unsigned groups)
{
    if (!state.used)
        return;
    const unsigned thread = running_thread();
    const unsigned committed = state.threads[thread].group;
    for (int index; (index = state.threads[thread].first) != NONE;) {
        struct copy *copy = &state.copies[index];
        if (copy->group + groups >= committed)
            return;
        memcpy(copy->target, copy->value, copy->bytes);
        state.threads[thread].first = copy->next;
        copy->next = state.free;
        state.free = index;
    }
}

void emulation_bulk_start(void *target, unsigned bytes, const void *barrier)
{
    if (state.bulk_count == BULKS_MAX || bytes > SHARED_BYTES_MAX - state.bulk_bytes)
        emulation_trap(__FILE__, __LINE__);
    struct bulk *bulk = &state.bulks[state.bulk_count++];
    *bulk = (struct bulk){target, barrier, state.bulk_bytes, bytes};
    state.bulk_bytes += bytes;
    memcpy(state.bulk_values + bulk->first, target, bytes);
    schedule_garbage(target, bytes, &state.garbage);
}

/* A GPU would wait for ever for a copy that was never started. */
void emulation_bulk_wait(const void *barrier, const char *file, int line)
{
    int started = 0;
    for (int index = 0; index < state.bulk_count; index++) {
        struct bulk *bulk = &state.bulks[index];
        if (bulk->barrier != barrier)
            continue;
        started++;
        memcpy(bulk->target, state.bulk_values + bulk->first, bulk->bytes);
        bulk->bytes = 0;
    }
    if (started == 0)
        emulation_trap(file, line);
}

/* Threads and blocks. */

enum { WARPS_MAX = ENGINE_THREADS_MAX / ENGINE_WARP_THREADS };

/* Which of the ready threads runs next. If it were always the oldest, no warp could overtake
 * another after a barrier that both have passed; with the newest, one warp runs as far ahead as its
 * barriers let it. */
enum turns { TURNS_OLDEST, TURNS_NEWEST, TURNS_ANY };

struct emulation_registers emulation_registers;

/* The hardware's state: a kernel's calls carry no context, and one OS thread runs everything. */
static struct {
    const struct engine_launch *launch;
    uint64_t seed, launch_count, garbage;
    uint64_t random;                     /* state of this launch's random numbers */
    bool running, failed, out_of_memory; /* the last: what it failed of */

    struct schedule_order blocks;
    uint64_t blocks_left;
    unsigned thread_count; /* of a block */
    /* Threads start group by group: a warp each, or the whole block in one. */
    struct schedule_order groups, lanes;
    unsigned group_size, group_first, group_left;
    uint64_t lanes_random;
    unsigned started_count, ended_count;
    unsigned thread;     /* the running one's number within its block */
    struct fiber *fiber; /* the running one */
    bool warps_first;    /* ready threads continue before further ones start */
    enum turns turns;    /* of this block's ready threads */

    unsigned block_wide_count; /* threads that wait for the block */
    bool block_wide_differs;   /* not all of them at one line */
    unsigned block_wide_first;
    uint32_t live[WARPS_MAX];    /* threads not ended, a bit each */
    uint32_t waiting[WARPS_MAX]; /* threads that wait for their warp */
    struct wait waits[ENGINE_THREADS_MAX];
    unsigned short ready[ENGINE_THREADS_MAX]; /* a ring of threads that are ready */
    unsigned ready_head, ready_tail;
    struct emulation_index index_of[ENGINE_THREADS_MAX];
    unsigned dead_thread; /* 0: none */
} engine;

static void make_ready(unsigned thread)
{
    engine.ready[engine.ready_tail++ % ENGINE_THREADS_MAX] = (unsigned short)thread;
}

/* Exchanges the oldest thread that is ready for any other. */
static __attribute__((noinline)) void draw_oldest(void)
{
    const unsigned count = engine.ready_tail - engine.ready_head;
    const unsigned skip = (unsigned)((schedule_random(&engine.random) >> 32) * count >> 32);
    unsigned short *oldest = &engine.ready[engine.ready_head % ENGINE_THREADS_MAX];
    unsigned short *other = &engine.ready[(engine.ready_head + skip) % ENGINE_THREADS_MAX];
    const unsigned short thread = *oldest;
    *oldest = *other;
    *other = thread;
}

/* Makes a ready thread the running one; returns its fiber. */
static struct fiber *resume_ready(void)
{
    if (engine.turns == TURNS_ANY)
        draw_oldest();
    const bool newest = engine.turns == TURNS_NEWEST;
    engine.thread =
        engine.ready[(newest ? --engine.ready_tail : engine.ready_head++) % ENGINE_THREADS_MAX];
    engine.fiber = engine.waits[engine.thread].fiber;
    emulation_registers.thread = engine.index_of[engine.thread];
    const unsigned next = newest ? engine.ready_tail - 1 : engine.ready_head; /* as it seems now */
    fiber_expect(engine.waits[engine.ready[next % ENGINE_THREADS_MAX]].fiber);
    return engine.fiber;
}

static struct fiber *fail(void)
{
    engine.failed = true;
    return fiber_host();
}

/* Makes the threads of the mask ready if all live ones among them wait at one line. */
static bool release_warp(unsigned warp, uint32_t mask)
{
    const uint32_t lanes = mask & engine.live[warp];
    if ((lanes & ~engine.waiting[warp]) != 0)
        return false;
    struct wait *waits = &engine.waits[warp * ENGINE_WARP_THREADS];
    const struct wait *first = NULL;
    for (unsigned lane = 0; lane < ENGINE_WARP_THREADS; lane++) {
        if (!(lanes >> lane & 1))
            continue;
        if (!first)
            first = &waits[lane];
        if (!wait_same_place(first, &waits[lane]) || waits[lane].mask != mask)
            return false;
    }
    if (!first)
        return false;
    /* Replaces the value that each thread gave by the one it gets; random numbers stand for those
     * of threads that take no part. */
    if (first->exchange != EMULATION_BARRIER) {
        uint32_t given[LANES];
        for (unsigned lane = 0; lane < LANES; lane++)
            given[lane] =
                lanes >> lane & 1 ? waits[lane].value : (uint32_t)schedule_random(&engine.garbage);
        for (unsigned lane = 0; lane < LANES; lane++)
            if (lanes >> lane & 1)
                waits[lane].value = given[source_lane(&waits[lane], lane)];
    }
    const unsigned flip = schedule_random(&engine.random) & 1 ? ENGINE_WARP_THREADS - 1 : 0;
    for (unsigned i = 0; i < ENGINE_WARP_THREADS; i++) {
        if (lanes >> (i ^ flip) & 1)
            make_ready(warp * ENGINE_WARP_THREADS + (i ^ flip));
    }
    engine.waiting[warp] &= ~lanes;
    return true;
}

static bool is_live(unsigned thread)
{
    return engine.live[thread / ENGINE_WARP_THREADS] >> thread % ENGINE_WARP_THREADS & 1;
}

/* No thread is ready and none is left to start: makes ready the threads that waited for one that
 * has ended; else the threads wait for each other for ever. */
static bool release_stuck(void)
{
    bool released = false;
    for (unsigned thread = 0; thread < engine.thread_count; thread++) {
        const unsigned warp = thread / ENGINE_WARP_THREADS;
        if (engine.waiting[warp] >> thread % ENGINE_WARP_THREADS & 1)
            released = release_warp(warp, engine.waits[thread].mask) || released;
    }
    if (!released) {
        unsigned a = 0;
        while (a < engine.thread_count && !is_live(a))
            a++;
        unsigned b = 0;
        while (b < engine.thread_count && is_live(b) &&
               wait_same_place(&engine.waits[a], &engine.waits[b]))
            b++;
        char other[160] = "another there with another mask";
        if (b < engine.thread_count) {
            const struct emulation_index *at = &engine.index_of[b];
            const struct wait *wait = &engine.waits[b];
            if (is_live(b))
                snprintf(other, sizeof other, "thread (%u,%u,%u) at %s:%d", at->x, at->y, at->z,
                         wait_file_name(wait->file), wait->line);
            else
                snprintf(other, sizeof other, "thread (%u,%u,%u) has ended", at->x, at->y, at->z);
        }
        const struct emulation_index *block = &emulation_registers.block;
        const struct emulation_index *at = &engine.index_of[a];
        fault_note("divergent barrier in block (%u,%u,%u): thread (%u,%u,%u) waits at %s:%d, %s",
                   block->x, block->y, block->z, at->x, at->y, at->z,
                   wait_file_name(engine.waits[a].file), engine.waits[a].line, other);
    }
    return released;
}

static void start_block(void)
{
    static const enum turns kinds[8] = {TURNS_ANY, TURNS_NEWEST, TURNS_NEWEST}; /* or oldest */
    const struct engine_launch *launch = engine.launch;
    const struct emulation_index *grid = &launch->grid_size;
    const uint64_t block = schedule_order_next(&engine.blocks);
    emulation_registers.block =
        (struct emulation_index){(unsigned)(block % grid->x), (unsigned)(block / grid->x % grid->y),
                                 (unsigned)(block / grid->x / grid->y)};
    engine.blocks_left--;

    const uint64_t random = schedule_random(&engine.random);
    const bool mixed = random >> 61 == 0; /* once in eight, threads of all warps in turn */
    engine.group_size = mixed ? engine.thread_count : ENGINE_WARP_THREADS;
    engine.group_left = 0;
    engine.groups = schedule_order_make(
        (engine.thread_count + engine.group_size - 1) / engine.group_size, random);
    engine.lanes_random = random >> 12;
    engine.warps_first = (random >> 59 & 3) != 0;
    engine.turns = kinds[random >> 56 & 7];
    engine.started_count = engine.ended_count = 0;
    engine.ready_head = engine.ready_tail = 0;
    for (unsigned first = 0; first < engine.thread_count; first += ENGINE_WARP_THREADS) {
        const unsigned count = engine.thread_count - first;
        engine.live[first / ENGINE_WARP_THREADS] =
            count < ENGINE_WARP_THREADS ? (1u << count) - 1 : 0xffffffffu;
    }
    shared_begin_block(&engine.garbage);
    /* The copies of the block before are forgotten: who did not wait for them does not get them. */
    state.garbage = engine.garbage;
    state.used = false;
    state.bulk_count = 0;
    state.bulk_bytes = 0;
}

static void run_next_thread(void)
{
    if (engine.group_left == 0) {
        engine.group_first = (unsigned)schedule_order_next(&engine.groups) * engine.group_size;
        engine.group_left = engine.thread_count - engine.group_first;
        if (engine.group_left > engine.group_size)
            engine.group_left = engine.group_size;
        engine.lanes = schedule_order_make(engine.group_left, engine.lanes_random);
    }
    engine.group_left--;
    const unsigned thread = engine.group_first + (unsigned)schedule_order_next(&engine.lanes);
    engine.started_count++;
    engine.thread = thread;
    emulation_registers.thread = engine.index_of[thread];
    if (thread != engine.dead_thread || thread == 0)
        engine.launch->entry->invoke(engine.launch->parameters);
    /* Other threads have run since; this one's number is still its own. */
    engine.live[thread / ENGINE_WARP_THREADS] &= ~(1u << thread % ENGINE_WARP_THREADS);
    engine.ended_count++;
}

/* A fiber's function: runs threads, and is idle once none is left for it. */
static void fiber_body(void)
{
    for (;;) {
        struct fiber *self = engine.fiber;
        const bool unstarted = engine.started_count < engine.thread_count;
        const bool ready = engine.ready_head != engine.ready_tail;
        if (ready && (engine.warps_first || !unstarted)) {
            fiber_give(self);
            fiber_switch(self, resume_ready());
        } else if (unstarted)
            run_next_thread();
        else if (engine.ended_count < engine.thread_count) {
            if (!release_stuck())
                fiber_switch(self, fail());
        } else if (engine.blocks_left > 0)
            start_block();
        else {
            fiber_give(self);
            fiber_switch(self, fiber_host());
        }
    }
}

/* Returns when the running thread, which has just noted what it waits for, is ready again. */
static void wait_here(void)
{
    struct fiber *self = engine.fiber;
    engine.waits[engine.thread].fiber = self;
    for (;;) {
        const bool unstarted = engine.started_count < engine.thread_count;
        const bool ready = engine.ready_head != engine.ready_tail;
        struct fiber *next;
        if (ready && (engine.warps_first || !unstarted))
            next = resume_ready();
        else if (unstarted) {
            next = fiber_take(fiber_body);
            engine.fiber = next;
        } else if (release_stuck())
            continue;
        else
            next = fail();
        if (!next) {
            engine.out_of_memory = true;
            fault_note("no memory for the stack of a thread");
            next = fail();
        }
        if (next != self)
            fiber_switch(self, next);
        return;
    }
}

void emulation_block_barrier(const char *file, int line)
{
    struct wait *wait = &engine.waits[engine.thread];
    wait->file = file;
    wait->line = line;
    wait->exchange = WAIT_BLOCK;
    if (engine.block_wide_count++ == 0)
        engine.block_wide_first = engine.thread;
    else if (!wait_same_place(wait, &engine.waits[engine.block_wide_first]))
        engine.block_wide_differs = true;
    if (engine.block_wide_count == engine.thread_count && !engine.block_wide_differs) {
        struct schedule_order order =
            schedule_order_make(engine.thread_count, schedule_random(&engine.random));
        for (unsigned i = 0; i < engine.thread_count; i++)
            make_ready((unsigned)schedule_order_next(&order));
        engine.block_wide_count = 0;
        engine.block_wide_differs = false;
    }
    wait_here();
}

void engine_describe_thread(char *ret, size_t ret_bytes)
{
    const struct emulation_registers *at = &emulation_registers;
    if (!engine.running)
        snprintf(ret, ret_bytes, "outside any kernel");
    else
        snprintf(ret, ret_bytes, "block (%u,%u,%u), thread (%u,%u,%u)", at->block.x, at->block.y,
                 at->block.z, at->thread.x, at->thread.y, at->thread.z);
}

uint32_t emulation_warp_exchange(enum emulation_exchange exchange, uint32_t mask, uint32_t value,
                                 int operand, int width, const char *file, int line)
{
    const unsigned thread = engine.thread;
    const unsigned warp = thread / ENGINE_WARP_THREADS;
    const unsigned lane = thread % ENGINE_WARP_THREADS;
    const struct wait wait = {.file = file,
                              .line = line,
                              .exchange = (int)exchange,
                              .mask = mask,
                              .value = value,
                              .operand = operand,
                              .width = width};
    engine.waits[thread] = wait;
    /* The width is a power of two up to a warp, and the mask names the thread itself. */
    if (wait.width < 1 || wait.width > LANES || (wait.width & (wait.width - 1)) != 0 ||
        (wait.mask >> lane & 1) == 0) {
        char where[128];
        engine_describe_thread(where, sizeof where);
        fault_note("%s: %s:%d: a width that is not a power of two up to 32, or a mask without the "
                   "thread itself",
                   where, wait_file_name(file), line);
        fiber_switch(engine.fiber, fail());
    }
    engine.waiting[warp] |= 1u << lane;
    release_warp(warp, mask);
    wait_here();
    return engine.waits[thread].value;
}

_Noreturn void emulation_trap(const char *file, int line)
{
    char where[128];
    engine_describe_thread(where, sizeof where);
    fault_note("trap in %s at %s:%d", where, wait_file_name(file), line);
    fiber_switch(engine.fiber, fail());
    __builtin_unreachable();
}

void engine_set_seed(uint64_t seed)
{
    engine.seed = seed;
    engine.launch_count = 0;
}

void engine_set_dead_thread(unsigned thread)
{
    engine.dead_thread = thread;
}

static void set_block_size(const struct emulation_index *size)
{
    const struct emulation_index *last = &emulation_registers.block_size;
    if (size->x == last->x && size->y == last->y && size->z == last->z)
        return;
    engine.thread_count = 0;
    for (unsigned z = 0; z < size->z; z++)
        for (unsigned y = 0; y < size->y; y++)
            for (unsigned x = 0; x < size->x; x++)
                engine.index_of[engine.thread_count++] = (struct emulation_index){x, y, z};
    emulation_registers.block_size = *size;
}

enum engine_end engine_run(const struct engine_launch *launch)
{
    struct fiber *fiber = NULL;
    if (shared_enter(launch->entry, launch->dynamic_shared_bytes))
        fiber = fiber_take(fiber_body);
    if (!fiber) {
        fault_note("no memory for a thread's stack or a block's shared memory");
        return ENGINE_NO_MEMORY;
    }
    uint64_t mixed = engine.seed + engine.launch_count++ * 0xd1342543de82ef95u;
    engine.random = schedule_random(&mixed);
    engine.garbage = schedule_random(&mixed);
    engine.launch = launch;
    set_block_size(&launch->block_size);
    emulation_registers.grid_size = launch->grid_size;
    engine.blocks_left = (uint64_t)launch->grid_size.x * launch->grid_size.y * launch->grid_size.z;
    engine.blocks = schedule_order_make(engine.blocks_left, schedule_random(&engine.random));
    engine.started_count = engine.ended_count = engine.thread_count; /* as after a block */
    engine.ready_head = engine.ready_tail = 0;
    engine.block_wide_count = 0;
    engine.fiber = fiber;
    engine.running = true;
    fiber_switch(fiber_host(), fiber);
    engine.running = false;
    shared_leave();
    return engine.out_of_memory ? ENGINE_NO_MEMORY : engine.failed ? ENGINE_FAULT : ENGINE_DONE;
}

/* Signals that a kernel's mistakes end in. */

/* Formatting is safe here although snprintf is not on POSIX's list for signal handlers: these
 * signals come from an instruction of the kernel, not from within libc. */
static void note_access(const void *address, const char *how)
{
    char thread[128];
    char place[128];
    engine_describe_thread(thread, sizeof thread);
    if (fiber_overflowed(address)) {
        fault_note("%s: stack overflow", thread);
        return;
    }
    memory_describe(address, place, sizeof place);
    fault_note("%s: stray access %s%s", thread, place, how);
}

/* " (a write)" or " (a read)" where the machine reports it. */
static const char *access_kind(const void *context)
{
#ifdef __x86_64__
    const ucontext_t *machine = context;
    return machine->uc_mcontext.gregs[REG_ERR] & 2 ? " (a write)" : " (a read)";
#else
    (void)context;
    return "";
#endif
}

static void handle(int signal_number, siginfo_t *info, void *context)
{
    char thread[128];
    engine_describe_thread(thread, sizeof thread);
    if ((signal_number == SIGSEGV || signal_number == SIGBUS) && info->si_code > 0 &&
        info->si_code != SI_KERNEL)
        note_access(info->si_addr, access_kind(context));
    else if (signal_number == SIGSEGV || signal_number == SIGBUS)
        fault_note("%s: stray access to an address that cannot exist or is misaligned", thread);
    else if (signal_number == SIGILL)
        fault_note("%s: misaligned access, or an index outside its array", thread);
    else
        fault_note("%s: integer division by zero", thread);
    raise(signal_number); /* held back until this returns, then deadly (SA_RESETHAND) */
}

#if SANITIZER_ADDRESS
/* AddressSanitizer has found a stray access before the processor did: note it if it is a kernel's,
 * and die of the same signal as without it. */
static void handle_sanitizer_report(const char *report)
{
    (void)report;
    if (!engine.running)
        return;
    note_access(__asan_get_report_address(),
                __asan_get_report_access_type() ? " (a write)" : " (a read)");
    signal(SIGSEGV, SIG_DFL);
    raise(SIGSEGV);
}
#endif

static void install_handlers(void)
{
    /* The fault may be the stack's own overflow, so the handler runs on another one. */
    static unsigned char handler_stack[65536];
    static const int signals[] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE};
    const stack_t stack = {.ss_sp = handler_stack, .ss_size = sizeof handler_stack};
    struct sigaction action = {.sa_sigaction = handle,
                               .sa_flags = SA_SIGINFO | SA_ONSTACK | (int)SA_RESETHAND};
    sigemptyset(&action.sa_mask);
    sigaltstack(&stack, NULL);
    for (size_t i = 0; i < sizeof signals / sizeof signals[0]; i++)
        sigaction(signals[i], &action, NULL);
#if SANITIZER_ADDRESS
    __asan_set_error_report_callback(handle_sanitizer_report);
#endif
}

void fault_set_note(char *buffer, size_t bytes)
{
    static bool installed;
    kept.text = buffer;
    kept.bytes = bytes;
    if (!buffer || bytes == 0)
        return;
    buffer[0] = '\0';
    if (!installed)
        install_handlers();
    installed = true;
}
