/* The worker's loop (worker.h): every thread reads a case, checks it, and writes its results. */
#include "conformance/worker/worker.h"

#include <semaphore.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "conformance/base/heap.h"
#include "conformance/base/host.h"
#include "conformance/base/process.h"
#include "conformance/base/text.h"
#include "conformance/work/closing.h"
#include "conformance/work/nvml.h"
#include "conformance/work/program_run.h"
#include "conformance/worker/code_worker.h"
#include "conformance/worker/speed_worker.h"

/* Sums over a worker's threads. */

struct reach {
    unsigned char (*sms)[LAUNCH_SMS_MAX / 8]; /* by kernel and path */
    struct checker_touched *ranges;           /* none touches another */
    int range_count;
    uint64_t touched_bytes;
};

struct reach *reach_open(void)
{
    struct reach *reach = heap_take(1, sizeof *reach);
    reach->sms = heap_take((size_t)(catalog_count() * path_count()), sizeof *reach->sms);
    return reach;
}

void reach_close(struct reach *reach)
{
    free(reach->sms);
    free(reach->ranges);
    free(reach);
}

bool reach_add(struct reach *reach, const struct checker *checker, struct subject subject,
               struct message_reached *ret)
{
    const unsigned char *noted = checker_sms(checker, subject);
    unsigned char *bits = reach->sms[subject.kernel * path_count() + subject.path];
    struct checker_touched range = checker->touched;
    bool more = false, is_known = false;
    for (int sm = 0; noted && sm < LAUNCH_SMS_MAX; sm++) {
        unsigned char bit = (unsigned char)(1 << sm % 8);
        if (!noted[sm] || (bits[sm / 8] & bit))
            continue;
        bits[sm / 8] |= bit;
        more = true;
    }
    for (int index = 0; index < reach->range_count; index++)
        is_known = is_known || (reach->ranges[index].begin <= range.begin &&
                                range.end <= reach->ranges[index].end);
    /* The range is joined with those that it meets. */
    for (int index = 0; !is_known && index < reach->range_count;) {
        struct checker_touched *it = &reach->ranges[index];
        if (it->end < range.begin || range.end < it->begin) {
            index++;
            continue;
        }
        range.begin = it->begin < range.begin ? it->begin : range.begin;
        range.end = it->end > range.end ? it->end : range.end;
        reach->touched_bytes -= it->end - it->begin;
        *it = reach->ranges[--reach->range_count];
    }
    if (!is_known) {
        HEAP_ROOM(reach->ranges, (size_t)reach->range_count);
        reach->ranges[reach->range_count++] = range;
        reach->touched_bytes += range.end - range.begin;
        more = true;
    }
    if (!more)
        return false;
    *ret = (struct message_reached){.subject = subject, .touched_bytes = reach->touched_bytes};
    memcpy(ret->sms, bits, sizeof ret->sms);
    return true;
}

/* Counts the driver's devices. */

_Static_assert(sizeof(struct message_count) <= PROTOCOL_MESSAGE_BYTES_MAX, "all devices fit one");

static bool send_one(enum message_type type, const void *body, size_t bytes)
{
    return message_send(PROTOCOL_RESULT_FD, type, body, bytes);
}

static bool answer_libraries(void)
{
    struct library_file libraries[LIBRARY_COUNT];
    libraries_find(libraries);
    return send_one(MESSAGE_LIBRARIES, libraries, sizeof libraries);
}

/* No driver is one thing; a driver that is there and cannot be loaded, or does not start, another.
 * Answers COUNT, which is 0 if the driver shows no device, or REFUSE or BROKEN with the reason.
 * `libraries` above 0: lists the driver's libraries as well, before and after the JIT compiler of
 * device `libraries` - 1 was loaded, and the boards between. Returns the exit status. */
static int count_devices(int libraries)
{
    struct cuda_driver driver;
    int count = 0;
    struct reason reason;
    struct driver_refusal refusal;
    enum message_type type = MESSAGE_COUNT;
    if (!driver_open_libcuda(&driver, &refusal)) {
        type = refusal.absent ? MESSAGE_REFUSE : MESSAGE_BROKEN;
        reason_set(&reason, REASON_BROKEN, "%s", refusal.text);
    } else if (driver.init(0) != CU_ERROR_NO_DEVICE &&
               !device_driver(DEVICE_GPU, &driver, &count, &reason)) {
        type = MESSAGE_BROKEN;
    }
    const int listed = count < PROTOCOL_DEVICES_MAX ? count : PROTOCOL_DEVICES_MAX;
    struct message_count counted = {.count = count};
    struct nvml first = {.library = NULL}; /* held open, so that NVML starts once */
    for (int ordinal = 0; ordinal < listed; ordinal++)
        counted.devices[ordinal] = device_identify(&driver, ordinal);
    bool sent = type == MESSAGE_COUNT ? send_one(type, &counted, sizeof counted)
                                      : send_one(type, reason.text, strlen(reason.text) + 1);
    if (!sent || type != MESSAGE_COUNT || libraries <= 0)
        return sent ? 0 : EXIT_STATUS_HARNESS;
    /* After the answer: a JIT compiler that hangs or crashes is a finding of the run that
     * follows. */
    sent = answer_libraries();
    for (int index = 0; sent && index < listed; index++) {
        struct nvml nvml = {.library = NULL};
        nvml_open(&nvml, counted.devices[index].uuid, &reason);
        struct board board = nvml_read_board(&nvml);
        sent = send_one(MESSAGE_BOARD, &board, sizeof board);
        if (index == 0)
            first = nvml;
        else
            nvml_close(&nvml);
    }
    nvml_close(&first);
    if (count > 0)
        libraries_load_jit(&driver, libraries - 1);
    return answer_libraries() && sent ? 0 : EXIT_STATUS_HARNESS;
}

struct worker {
    struct device device;
    bool careful;
    int sharers; /* of the host's memory */
    pthread_mutex_t read_lock;
    pthread_mutex_t write_lock;
    struct reach *reach;
    sem_t opened;          /* posted by each thread that has opened the device, or failed to */
    atomic_int open_error; /* of any of them */
    sem_t begun;           /* posted for each thread when it is known whether the worker serves */
    bool ready;            /* it does; to be read after `begun` */
};

/* A thread that serves, and the results of the case that it is at: sent together as far as there is
 * room; one by one when careful. */
struct server {
    struct worker *worker;
    struct checker checker;
    struct bench_worker *bench;      /* NULL until it is asked for times */
    struct program_runner *programs; /* NULL until it is asked for programs */
    uint64_t job;
    size_t length;
    unsigned char buffer[32 << 10];
};

static bool send_results(struct server *it)
{
    pthread_mutex_lock(&it->worker->write_lock);
    bool sent = process_write(PROTOCOL_RESULT_FD, it->buffer, it->length);
    pthread_mutex_unlock(&it->worker->write_lock);
    it->length = 0;
    return sent;
}

/* False when the other end is gone. */
static bool append(struct server *it, enum message_type type, const void *body, size_t bytes)
{
    bool sent =
        it->length + sizeof(struct message_header) + bytes <= sizeof it->buffer || send_results(it);
    it->length = message_append(it->buffer, it->length, type, body, bytes);
    return sent;
}

static void take_result(void *context, int index, const struct check_result *result)
{
    struct server *it = context;
    (void)index; /* the subject names the check */
    struct message_result message = {.job = it->job, .result = *result};
    if (float_watch_is_lost()) /* whatever its verdict */
        checker_note(&message.result, VERDICT_ERROR, "", float_watch_note);
    /* A pass has no finding, and passes are nearly all that goes through the pipe. */
    bool has_finding = verdict_has_finding(message.result.verdict);
    size_t bytes = has_finding ? sizeof message : offsetof(struct message_result, result.finding);
    append(it, MESSAGE_RESULT, &message, bytes);
    if (it->worker->careful)
        send_results(it);
}

/* Checks one case, and appends what its checks reached beyond all earlier ones: rarely anything. */
static bool take_case(struct server *it, const void *body, size_t bytes)
{
    const struct message_case *message = body;
    struct fuzz_case test_case;
    struct case_error error;
    if (bytes != message_case_bytes(message->check_count))
        return false;
    it->job = message->job;
    it->length = 0;
    if (!case_parse(message->text, &test_case, &error)) {
        fprintf(stderr, "assay worker: case '%s': column %d: %s\n", message->text, error.column,
                error.message);
        return false;
    }
    memset(it->checker.stage_s, 0, sizeof it->checker.stage_s);
    const struct check_list list = {message->checks, message->check_count, it->worker->careful,
                                    take_result, it};
    if (checker_run(&it->checker, &test_case, &list) == CHECK_END_LOST)
        return send_results(it) && false;
    for (int index = 0; index < message->check_count; index++) {
        struct message_reached reached;
        pthread_mutex_lock(&it->worker->write_lock);
        const bool more =
            reach_add(it->worker->reach, &it->checker, message->checks[index], &reached);
        pthread_mutex_unlock(&it->worker->write_lock);
        if (more)
            append(it, MESSAGE_REACHED, &reached, sizeof reached);
    }
    struct message_done done = {.job = message->job};
    memcpy(done.stage_s, it->checker.stage_s, sizeof done.stage_s);
    return append(it, MESSAGE_DONE, &done, sizeof done) && send_results(it);
}

_Static_assert(sizeof(struct bench_times) <= PROTOCOL_MESSAGE_BYTES_MAX, "times fit a message");

/* Times one job. A crash ends the worker, as the device's context is lost with it. */
static bool take_bench(struct server *it, const void *body, size_t bytes)
{
    struct bench_times times;
    if (bytes != sizeof(struct bench_job))
        return false;
    float_watch_begin();
    bench_work(&it->bench, &it->worker->device, body, &times);
    if (device_kind(&it->worker->device.info)->is_emulated)
        float_watch_end();
    if (float_watch_is_lost()) {
        times.finding.verdict = VERDICT_ERROR;
        snprintf(times.finding.note, sizeof times.finding.note, "%s", float_watch_note);
    }
    return send_one(MESSAGE_TIMES, &times, sizeof times) && times.finding.verdict != VERDICT_CRASH;
}

static bool take_code(struct server *it, const void *body, size_t bytes)
{
    struct code_answer answer;
    if (bytes != sizeof(struct code_job))
        return false;
    code_work(&it->worker->device, body, &answer);
    return send_one(MESSAGE_FIGURES, &answer, sizeof answer);
}

static bool take_programs(struct server *it, const void *body, size_t bytes)
{
    struct program_answer answer;
    const bool goes_on = program_work(&it->programs, &it->worker->device, body, bytes, &answer);
    if (float_watch_is_lost()) {
        answer.count = 0;
        finding_set(&answer.finding, VERDICT_ERROR, "", "%s", float_watch_note);
    }
    return answer.job && send_one(MESSAGE_PROGRAM_RESULTS, &answer, sizeof answer) && goes_on;
}

/* A worker's answers to messages. Each is false when the worker cannot continue. */
static const struct {
    enum message_type type;
    size_t least_bytes;
    bool (*take)(struct server *it, const void *body, size_t bytes);
} jobs[] = {
    {MESSAGE_CASE, sizeof(struct message_case), take_case},
    {MESSAGE_BENCH, sizeof(struct bench_job), take_bench},
    {MESSAGE_CODE, sizeof(struct code_job), take_code},
    {MESSAGE_PROGRAMS, sizeof(struct program_job) + 1, take_programs},
};

static void serve(struct server *it)
{
    struct worker *worker = it->worker;
    struct message_header header;
    void *message = NULL;
    bool serving = true;
    while (serving) {
        pthread_mutex_lock(&worker->read_lock);
        bool got = message_read(STDIN_FILENO, &header, &message);
        pthread_mutex_unlock(&worker->read_lock);
        if (!got)
            break;
        serving = false;
        for (size_t index = 0; index < sizeof jobs / sizeof jobs[0]; index++)
            if (header.type == (uint32_t)jobs[index].type &&
                header.bytes >= jobs[index].least_bytes)
                serving = jobs[index].take(it, message, header.bytes);
    }
    /* A lost context takes every thread's cases with it: leave at once, and let the supervisor see
     * to what was under way. */
    if (!serving)
        _exit(EXIT_STATUS_HARNESS);
    free(message);
}

static void wait_for(sem_t *semaphore)
{
    while (sem_wait(semaphore) != 0)
        continue; /* a signal */
}

/* A thread's part of the device. NULL with worker->open_error set. */
static struct server *open_server(struct worker *worker)
{
    struct server *it = heap_take(1, sizeof *it);
    const cu_result error = checker_open(&it->checker, &worker->device);
    if (error != CU_SUCCESS) {
        worker->open_error = error;
        free(it);
        return NULL;
    }
    it->worker = worker;
    it->checker.sharers = worker->sharers;
    return it;
}

static void close_server(struct server *it)
{
    if (it == NULL)
        return;
    bench_worker_close(it->bench);
    program_worker_close(it->programs);
    checker_close(&it->checker);
    free(it);
}

/* Returns the server, which the first thread closes: no thread calls the driver then. */
static void *run_thread(void *context)
{
    struct worker *worker = context;
    struct server *it = open_server(worker);
    sem_post(&worker->opened);
    wait_for(&worker->begun);
    if (it && worker->ready)
        serve(it);
    return it;
}

/* The worker's end: gives everything back, and says whether the driver did so well. */
static bool close_all(struct worker *worker, struct server *const *servers, int count)
{
    void *note =
        mmap(NULL, PROTOCOL_NOTE_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, PROTOCOL_NOTE_FD, 0);
    closing_watch(&worker->device.driver, note == MAP_FAILED ? NULL : note, PROTOCOL_NOTE_BYTES);
    for (int index = 0; index < count; index++)
        close_server(servers[index]);
    if (!worker->ready)
        return false;
    device_close(&worker->device);
    const char *fault = closing_fault();
    return send_one(MESSAGE_CLOSED, fault, strlen(fault) + 1);
}

/* Checks what comes, with that many threads, once all of them have opened the device: a worker that
 * said it was ready before would take cases that it cannot run. READY, or the reason why not. */
static int run_threads(struct worker *worker, int count)
{
    pthread_t threads[PROTOCOL_THREADS_MAX];
    struct server *servers[PROTOCOL_THREADS_MAX + 1] = {NULL};
    int started = 0;
    sem_init(&worker->opened, 0, 0);
    sem_init(&worker->begun, 0, 0);
    while (started < count - 1 && started < PROTOCOL_THREADS_MAX &&
           pthread_create(&threads[started], NULL, run_thread, worker) == 0)
        started++;
    struct server *it = open_server(worker);
    for (int index = 0; index < started; index++)
        wait_for(&worker->opened);
    if (worker->open_error == CU_SUCCESS) {
        worker->ready = send_one(MESSAGE_READY, &worker->device.info, sizeof worker->device.info);
    } else {
        char label[DEVICE_LABEL_BYTES], number[NUMBER_COUNT_BYTES];
        struct reason reason;
        reason_set(&reason, REASON_BROKEN, "%s: opening it for each of %s: %s",
                   device_label(worker->device.info.id, label),
                   number_count((uint64_t)started + 1, "thread", number),
                   device_error(&worker->device, worker->open_error));
        send_one(MESSAGE_REFUSE, reason.text, strlen(reason.text) + 1);
    }
    for (int index = 0; index < started; index++)
        sem_post(&worker->begun);
    if (it && worker->ready)
        serve(it);
    for (int index = 0; index < started; index++) {
        void *other = NULL;
        pthread_join(threads[index], &other);
        servers[index] = other;
    }
    servers[started] = it;
    return close_all(worker, servers, started + 1) ? 0 : EXIT_STATUS_HARNESS;
}

/* Opens the device that the first message names. */
static bool open_device(const struct message_open *open, struct device *ret,
                        struct reason *ret_reason)
{
    struct cuda_driver driver;
    int count = 0;
    if (!device_driver(open->id.kind, &driver, &count, ret_reason))
        return false;
    void *note = MAP_FAILED;
    if (driver.set_fault_note)
        note = mmap(NULL, PROTOCOL_NOTE_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, PROTOCOL_NOTE_FD,
                    0);
    if (note != MAP_FAILED)
        driver.set_fault_note(note, PROTOCOL_NOTE_BYTES);
    gpu_row_set(&open->gpu_row);
    if (!device_open_with(ret, &driver, open->id, ret_reason))
        return false;
    ret->info.index = open->index;
    const struct golden_filter *filter = gpu_row_filter(&ret->info);
    ret->info.limits.coordinate_bits = filter ? filter->coordinate_bits : 0;
    golden_filter_set(filter);
    return true;
}

/* The first messages: the supervisor's rows of code paths, what was made for them, and the device
 * to open. */
static bool read_open(struct message_open *ret, struct reason *ret_reason)
{
    struct message_header header;
    void *body = NULL;
    bool good = true, is_open = false;
    while (good && !is_open && (good = message_read(STDIN_FILENO, &header, &body))) {
        uint64_t bytes;
        is_open = header.type == MESSAGE_OPEN && header.bytes == sizeof *ret;
        if (is_open) {
            memcpy(ret, body, sizeof *ret);
        } else if (header.type == MESSAGE_PATH && header.bytes == sizeof(struct path_addition)) {
            good = path_add(body, ret_reason);
        } else {
            good = header.type == MESSAGE_MADE && header.bytes == sizeof bytes;
            if (good)
                memcpy(&bytes, body, sizeof bytes);
            good = good && made_code_take(PROTOCOL_MADE_FD, bytes);
        }
    }
    free(body);
    return good;
}

int worker_main(void)
{
    struct message_open open = {.index = 0};
    struct reason reason = {.text = ""};
    environment_apply();
    if (!read_open(&open, &reason) && reason.text[0] == 0) {
        fprintf(stderr, "assay worker: this command is for the supervisor alone\n");
        return EXIT_STATUS_USAGE;
    }
    struct worker worker = {.careful = open.careful != 0,
                            .sharers = open.sharers,
                            .read_lock = PTHREAD_MUTEX_INITIALIZER,
                            .write_lock = PTHREAD_MUTEX_INITIALIZER};
    if (reason.text[0] == 0 && open.counts_devices)
        return count_devices(open.lists_libraries);
    /* It cannot have a row that the supervisor has, or the device does not open. */
    if (reason.text[0] || !open_device(&open, &worker.device, &reason)) {
        send_one(MESSAGE_REFUSE, reason.text, strlen(reason.text) + 1);
        return EXIT_STATUS_HARNESS;
    }
    worker.reach = reach_open();
    int status = run_threads(&worker, open.threads);
    reach_close(worker.reach);
    return status;
}
