/* The misbehaving worker (fake_worker.h). Every worker is a process of its own: the script travels
 * in the environment, and each leaves a byte in a file of the test's. */
#include "conformance/test/fake_worker.h"

#include <fcntl.h>
#include <signal.h>
#include <stddef.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

#include "conformance/base/process.h"
#include "conformance/model/program_text.h"
#include "conformance/test/garbled_worker.h"
#include "cpu_ref/programs/operations.h"

static const char script_name[] = "FAKE_WORKER_SCRIPT", count_name[] = "FAKE_WORKER_COUNT";
static const char log_name[] = "FAKE_WORKER_LOG";

/* Puts the path of an empty file, which workers can open, into a variable. */
static void share_file(const char *name, int *fd)
{
    char path[64];
    if (*fd >= 0)
        close(*fd);
    *fd = memfd_create("workers", MFD_CLOEXEC);
    snprintf(path, sizeof path, "/proc/%d/fd/%d", (int)getpid(), *fd);
    setenv(name, path, 1);
}

void fake_worker_script(const char *words)
{
    static int count_fd = -1, log_fd = -1;
    setenv(script_name, words, 1);
    share_file(count_name, &count_fd);
    share_file(log_name, &log_fd);
}

int fake_worker_log(char ret_log[FAKE_WORKER_LOG_BYTES])
{
    int fd = open(getenv(log_name), O_RDONLY);
    ssize_t got = read(fd, ret_log, FAKE_WORKER_LOG_BYTES);
    close(fd);
    return (int)got;
}

static void log_job(int device, char letter)
{
    const char letters[2] = {(char)('0' + device), letter};
    int fd = open(getenv(log_name), O_WRONLY | O_APPEND);
    if (write(fd, letters, sizeof letters) != sizeof letters)
        _exit(EXIT_STATUS_HARNESS);
    close(fd);
}

/* Waits until a job of another device is under way beside this one, some seconds at most. */
static void meet(int device)
{
    static char log[FAKE_WORKER_LOG_BYTES];
    const struct timespec pause = {.tv_nsec = 1000000};
    for (int tries = 0; tries < 5000; tries++) {
        const int letters = fake_worker_log(log);
        bool open[10] = {false}, has_met = false;
        for (int at = 0; at < letters; at += 2) {
            const int that = log[at] - '0';
            open[that] = log[at + 1] == 'M';
            if (that == device) /* its last one counts */
                has_met = false;
            for (int other = 0; other < 10; other++)
                has_met = has_met || (open[device] && other != device && open[other]);
        }
        if (has_met)
            return;
        nanosleep(&pause, NULL);
    }
}

int fake_worker_count(void)
{
    struct stat status;
    return stat(getenv(count_name), &status) == 0 ? (int)status.st_size : -1;
}

/* This worker's word. */
static void take_word(char *ret_word, size_t bytes)
{
    int fd = open(getenv(count_name), O_WRONLY | O_APPEND);
    flock(fd, LOCK_EX); /* several start at a time: no two have the same word */
    int number = fake_worker_count();
    const char *at = getenv(script_name);
    bool counted = write(fd, "", 1) == 1;
    close(fd);
    for (; number > 0 && *at; number--) {
        at += strcspn(at, " ");
        at += strspn(at, " ");
    }
    snprintf(ret_word, bytes, "%.*s", (int)strcspn(at, " "), counted && *at ? at : "pass");
}

static void send_message(enum message_type type, const void *body, size_t bytes)
{
    if (!message_send(PROTOCOL_RESULT_FD, type, body, bytes))
        _exit(EXIT_STATUS_HARNESS);
}

/* Dies, and leaves a child that holds what it had open. */
static _Noreturn void leave_child(void)
{
    if (fork() == 0)
        sleep(FAKE_WORKER_CHILD_S);
    _exit(EXIT_STATUS_HARNESS);
}

static void send_result(const struct message_case *it, int index, enum verdict verdict)
{
    struct message_result message = {
        .job = it->job,
        .result = {.subject = it->checks[index],
                   .verdict = verdict,
                   .finding = {.verdict = verdict, .operand = -1, .note = "as the script says"}}};
    if (verdict == VERDICT_FAIL)
        strcpy(message.result.finding.clause, "matmul.order.ascending");
    bool has_finding = verdict_has_finding(verdict);
    send_message(MESSAGE_RESULT, &message,
                 has_finding ? sizeof message : offsetof(struct message_result, result.finding));
}

/* Runs for a tenth of 2 seconds, once. */
static void starve(void)
{
    static bool has_starved;
    if (has_starved)
        return;
    has_starved = true;
    const double until_s = clock_now_s() + 2;
    for (double from_s = clock_now_s(); from_s < until_s; from_s = clock_now_s()) {
        while (clock_now_s() < from_s + 0.005)
            continue;
        nanosleep(&(struct timespec){.tv_nsec = 45000000}, NULL);
    }
}

/* Computes for 0.3 s, for each of the first cases. */
static void plod(void)
{
    enum { CASES = 4 };
    static int cases;
    const clock_t until = clock() + 3 * CLOCKS_PER_SEC / 10;
    for (cases++; cases <= CASES && clock() < until;)
        continue;
}

static void answer(const char *word, const struct message_case *it)
{
    static int first_kernel = -1;
    if (strcmp(word, "hang") == 0)
        pause();
    if (strcmp(word, "child") == 0)
        leave_child();
    if (strcmp(word, "starve") == 0)
        starve();
    if (strcmp(word, "plod") == 0)
        plod();
    while (strcmp(word, "forget_fourth") == 0 && fake_worker_count() < 4)
        nanosleep(&(struct timespec){.tv_nsec = 1000000}, NULL);
    if (strncmp(word, "garbled_", 8) == 0 || strncmp(word, "fuzz_", 5) == 0)
        garbled_answer(word, it);
    for (int index = 0; index < it->check_count; index++) {
        int kernel = it->checks[index].kernel;
        bool together = first_kernel >= 0 && first_kernel != kernel;
        first_kernel = first_kernel < 0 ? kernel : first_kernel;
        enum verdict verdict = VERDICT_PASS;
        if (strcmp(word, "fail") == 0 || (strcmp(word, "together") == 0 && together))
            verdict = VERDICT_FAIL;
        if (strcmp(word, "error") == 0)
            verdict = VERDICT_ERROR;
        if (strcmp(word, "skip") == 0)
            verdict = VERDICT_SKIP;
        if (strncmp(word, "forget", 6) != 0 || index != 1)
            send_result(it, index, verdict);
        if (verdict == VERDICT_ERROR)
            _exit(EXIT_STATUS_HARNESS);
    }
    struct message_done done = {.job = it->job};
    if (strcmp(word, "vanish") == 0)
        _exit(EXIT_STATUS_HARNESS);
    send_message(MESSAGE_DONE, &done, sizeof done);
}

/* Keeps its first case until that many later ones have their results, of which the sixth fails. */
static void answer_late(int wanted, const struct message_case *it, size_t bytes)
{
    enum { FAILS = 5 };
    static struct message_case *first;
    static int later;
    if (first == NULL) {
        first = malloc(bytes);
        memcpy(first, it, bytes);
        return;
    }
    answer(later == FAILS ? "fail" : "pass", it);
    if (++later == wanted)
        answer("fail", first);
}

/* How long a call takes, and a launch or a copy for each GiB, in even samples and in odd ones:
 * times that decide everything, but for what the word says, or that spread so far that they decide
 * nothing. */
static const struct {
    const char *word;
    double call_us[2], kernel_us[2], copy_us[2];
} paces[] = {
    {"steady", {10, 10}, {1000, 1000}, {1000, 1000}},
    {"calls_late", {5000, 5000}, {1000, 1000}, {1000, 1000}},
    {"calls_waver", {5000, 10}, {1000, 1000}, {1000, 1000}},
    {"copies_waver", {10, 10}, {3400, 3400}, {1250, 900}},
    {"copies_swift", {10, 10}, {3400, 3400}, {800, 800}},
    {"memory_slow", {10, 10}, {4000, 4000}, {4000, 4000}},
    {"slow_crowded", {10, 10}, {4000, 4000}, {4000, 4000}},
    {"slow_locked", {10, 10}, {4000, 4000}, {4000, 4000}},
    {"slow_slowed", {10, 10}, {4000, 4000}, {4000, 4000}},
    {"no_time", {10, 10}, {0, 0}, {1000, 1000}},
    {"", {1000, 1}, {1000, 1}, {1000, 1}}, /* every other word */
};

static double sample_us(const char *word, const struct bench_job *job, int sample)
{
    size_t row = 0;
    while (strncmp(word, paces[row].word, strlen(paces[row].word)) != 0)
        row++;
    if (strcmp(word, "stairs") == 0)
        return 1000 + sample;
    if (job->kind == BENCH_LATENCY)
        return paces[row].call_us[sample % 2];
    struct fuzz_case test_case;
    struct case_error error;
    if (!case_parse(job->text, &test_case, &error))
        _exit(EXIT_STATUS_HARNESS);
    const struct traffic traffic = algorithm_traffic(test_case.algorithm, test_case.axis);
    const double gib = (double)(traffic.read_bytes + traffic.written_bytes) / (1 << 30);
    return (gib < 0.25 ? 1 : gib) * /* those in L2 are slow enough */
           (job->kind == BENCH_KERNEL ? paces[row].kernel_us[sample % 2]
                                      : paces[row].copy_us[sample % 2]);
}

static void answer_bench(const char *word, int device, const struct bench_job *job)
{
    static bool has_met;
    struct bench_times times = {.job = job->job - (strcmp(word, "stale") == 0),
                                .sample_count = job->samples};
    if (strcmp(word, "hang") == 0)
        pause();
    if (strcmp(word, "killed") == 0 || strcmp(word, "abort") == 0)
        raise(word[0] == 'k' ? SIGKILL : SIGABRT);
    log_job(device, job->kind == BENCH_LATENCY ? 'C' : 'M');
    if (strcmp(word, "meet") == 0 && job->kind == BENCH_KERNEL && !has_met) {
        meet(device);
        has_met = true;
    }
    for (int sample = 0; sample < job->samples; sample++)
        times.unit_us[sample] = sample_us(word, job, sample);
    if (strcmp(word, "steady_few") == 0 && job->kind == BENCH_KERNEL)
        times.sample_count = BENCH_SAMPLES_LEAST - 1;
    if (strcmp(word, "steady_copies") == 0 && job->kind == BENCH_MEMCPY)
        times.sample_count = BENCH_SAMPLES_LEAST - 1;
    if (strcmp(word, "steady_slow_copies") == 0 && job->kind == BENCH_MEMCPY)
        times.slowed = job->samples;
    if (strcmp(word, "slow_crowded") == 0)
        times.company.others = 1;
    if (strcmp(word, "slow_locked") == 0 || strcmp(word, "calls_late_locked") == 0)
        times.during.sm_mhz = 6;
    if (strcmp(word, "steady_slowed") == 0 || strcmp(word, "slow_slowed") == 0)
        times.during.reasons = 0x4;
    bool blind = strcmp(word, "blind") == 0, harm = strcmp(word, "harm") == 0;
    times.before = (struct nvml_reading){.ecc_uncorrected = blind ? 0 : 7, .ecc_known = !blind};
    times.after = times.before;
    times.after.ecc_uncorrected += harm && job->kind == BENCH_MEMCPY;
    times.after.ecc_uncorrected += strcmp(word, "hurt") == 0 && job->kind == BENCH_COPY;
    const bool fails = strcmp(word, "fail") == 0 && job->kind == BENCH_MEMCPY;
    if (fails || strcmp(word, "broken") == 0)
        finding_set(&times.finding, fails ? VERDICT_FAIL : VERDICT_ERROR,
                    fails ? "bandwidth.bits.last" : "", "as the script says");
    log_job(device, job->kind == BENCH_LATENCY ? 'c' : 'm');
    send_message(MESSAGE_TIMES, &times, sizeof times);
}

/* A compiler that miscompiles two operations, or what has many statements. */
static bool is_spoilt(const char *word, const struct program *program)
{
    enum { LONG = 16 };
    bool is = strncmp(word, "long", 4) == 0 && program->statement_count >= LONG;
    if (strcmp(word, "spoilt") != 0)
        return is;
    for (int index = 0; index < program->statement_count; index++) {
        const struct program_statement *it = &program->statement[index];
        const char *name = operations[it->operation].name;
        is = is || (it->argument[0].kind == ARGUMENT_VARIABLE &&
                    ((it->type == TYPE_U32 && strcmp(name, "not") == 0) ||
                     (it->type == TYPE_S32 && strcmp(name, "neg") == 0)));
    }
    return is;
}

static void answer_spoilt(const char *word, const struct program_job *job,
                          struct program_answer *answer)
{
    struct program_case *test_case = malloc(sizeof *test_case);
    struct program *program = malloc(sizeof *program);
    struct reason reason;
    const char *line = job->lines;
    answer->count = job->count;
    for (int index = 0; index < job->count; index++, line += strcspn(line, "\n") + 1) {
        char *own = strndup(line, strcspn(line, "\n"));
        ck_assert_msg(program_text_make(own, test_case, program, &reason), "%s", reason.text);
        answer->results[index] =
            (struct program_result){.compared = 1,
                                    .wrong = is_spoilt(word, program),
                                    .is_unscrubbed = strstr(word, "unscrubbed") != NULL,
                                    .variable = 1};
        if (answer->results[index].wrong) {
            answer->results[index].wrong_bits = FAKE_WORKER_WRONG_BITS;
            answer->results[index].wrong_places = FAKE_WORKER_WRONG_PLACES;
        }
        free(own);
    }
    free(program);
    free(test_case);
}

static void answer_programs(const char *word, int device, const struct program_job *job)
{
    struct program_answer *answer = calloc(1, sizeof *answer);
    const bool is_lost = strstr(word, "lost") != NULL,
               is_uncompiled = strstr(word, "uncompiled") != NULL;
    const bool is_part = strcmp(word, "spoilt") == 0 || strcmp(word, "unscrubbed") == 0 ||
                         strncmp(word, "long", 4) == 0;
    bool is_wrong = !is_part;
    log_job(device, 'P');
    if (strcmp(word, "hang") == 0)
        pause();
    if (strcmp(word, "child") == 0)
        leave_child();
    if (strcmp(word, "starve") == 0)
        starve();
    answer->job = job->job;
    answer->count = 1;
    if (is_part)
        answer_spoilt(word, job, answer);
    for (int index = 0; index < answer->count; index++)
        is_wrong = is_wrong || answer->results[index].wrong > 0;
    answer->stage = is_uncompiled ? PROGRAM_STAGE_COMPILE : PROGRAM_STAGE_RUN;
    answer->finding.verdict = VERDICT_PASS;
    if (is_wrong && strstr(word, "compiling") != NULL &&
        pwrite(PROTOCOL_NOTE_FD, PROGRAM_COMPILING, sizeof PROGRAM_COMPILING, 0) < 0)
        raise(SIGABRT);
    if (is_wrong && strstr(word, "killed") != NULL)
        raise(SIGKILL);
    if (is_wrong && (is_lost || is_uncompiled)) {
        answer->finding.verdict = VERDICT_CRASH;
        answer->count = 0;
    }
    if (strcmp(word, "misplaced") == 0) {
        finding_set(&answer->finding, VERDICT_FAIL, "memory.alignment.allocations", "misplaced");
        answer->count = 0;
    }
    send_message(MESSAGE_PROGRAM_RESULTS, answer, sizeof *answer);
    free(answer);
}

/* The driver has one GPU. */
static void answer_count(const char *word)
{
    const struct message_count message = {
        .count = 1,
        .devices = {{.uuid = "GPU-1",
                     .compute_capability = 90,
                     .compute_mode = CU_COMPUTE_MODE_DEFAULT + (strcmp(word, "exclusive") == 0)}}};
    send_message(MESSAGE_COUNT, &message, sizeof message);
}

/* True when this process is a worker; then *ret_status is what it ends with. */
static bool serve(int argc, char **argv, int *ret_status)
{
    struct message_header header;
    void *message = NULL;
    /* 1600 GB/s, and 0.8 in the L2 cache, whose cases are so much smaller. */
    struct device_info info = {.name = "fake",
                               .memory_clock_khz = 1000000,
                               .memory_bus_bits = 6400,
                               .sm_clock_khz = 12500,
                               .limits = {.multiprocessor_count = 1}};
    char word[32];
    if (argc != 2 || strcmp(argv[1], "worker") != 0)
        return false;
    take_word(word, sizeof word);
    *ret_status = EXIT_STATUS_HARNESS;
    struct reason reason;
    bool got;
    do
        got = message_read(STDIN_FILENO, &header, &message);
    while (got && header.type == MESSAGE_PATH && path_add(message, &reason));
    if (!got || strcmp(word, "dumb") == 0) {
        free(message);
        return true;
    }
    *ret_status = 0;
    const struct message_open *open = message;
    if (open->counts_devices) {
        answer_count(word);
        free(message);
        return true;
    }
    info.id = open->id;
    info.index = open->index;
    info.driver_version = open->sharers;
    sm_limits_of(90, &info.sm);
    info.sm.threads = open->threads;
    if (strcmp(word, "refuse") == 0) {
        static const char why[] = "as the script says";
        send_message(MESSAGE_REFUSE, why, sizeof why);
        free(message);
        return true;
    }
    info.index += strcmp(word, "other") == 0;
    if (strcmp(word, "nameless") == 0)
        memset(info.name, 'x', sizeof info.name);
    if (strcmp(word, "foreign") == 0)
        strcpy(info.name, "gr\xf6\xc2\x9b\x1b[2J\n");
    send_message(MESSAGE_READY, &info, sizeof info);
    while (message_read(STDIN_FILENO, &header, &message))
        if (header.type == MESSAGE_BENCH)
            answer_bench(word, info.index, message);
        else if (header.type == MESSAGE_PROGRAMS)
            answer_programs(word, info.index, message);
        else if (strncmp(word, "late_", 5) == 0)
            answer_late(atoi(word + 5), message, header.bytes);
        else
            answer(word, message);
    free(message);
    const char *fault = strcmp(word, "broken_end") == 0 ? "as the script says" : "";
    if (strcmp(word, "silent") != 0)
        send_message(MESSAGE_CLOSED, fault, strlen(fault) + 1);
    *ret_status = strcmp(word, "fall") == 0 ? EXIT_STATUS_HARNESS : 0;
    return true;
}

int testing_begin(int argc, char **argv)
{
    int status;
    if (serve(argc, argv, &status))
        return status;
    signal(SIGPIPE, SIG_IGN); /* as the program does: a worker that died is an error */
    return testing_run(argc, argv);
}
