/* Framing of messages, and those of workers looked through (message.h). Clause:
 * runner.worker.parsed. */
#include "conformance/wire/message.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

#include "conformance/base/process.h"
#include "conformance/base/text.h"

size_t message_append(unsigned char *buffer, size_t length, enum message_type type,
                      const void *body, size_t bytes)
{
    struct message_header header = {.type = (uint32_t)type, .bytes = (uint32_t)bytes};
    memcpy(buffer + length, &header, sizeof header);
    memcpy(buffer + length + sizeof header, body, bytes);
    return length + sizeof header + bytes;
}

size_t message_case_bytes(int check_count)
{
    return sizeof(struct message_case) + (size_t)check_count * sizeof(struct subject);
}

bool message_send(int fd, enum message_type type, const void *body, size_t bytes)
{
    struct message_header header = {.type = (uint32_t)type, .bytes = (uint32_t)bytes};
    struct iovec parts[2] = {{&header, sizeof header}, {(void *)body, bytes}};
    ssize_t written;
    do
        written = writev(fd, parts, 2);
    while (written < 0 && errno == EINTR);
    const size_t done = written < 0 ? 0 : (size_t)written;
    if (written < 0 || done >= sizeof header)
        return written >= 0 && process_write(fd, (const char *)body + done - sizeof header,
                                             bytes + sizeof header - done);
    return process_write(fd, (const char *)&header + done, sizeof header - done) &&
           process_write(fd, body, bytes);
}

bool message_read(int fd, struct message_header *ret_header, void **body)
{
    struct message_header header;
    if (!process_read(fd, &header, sizeof header))
        return false;
    void *grown = realloc(*body, header.bytes + (size_t)1);
    *body = grown ? grown : *body;
    if (grown == NULL || !process_read(fd, grown, header.bytes))
        return false;
    *ret_header = header;
    return true;
}

/* Says what is wrong; always false. */
static bool refuse(const char *what, struct reason *ret_reason)
{
    return reason_set(ret_reason, REASON_BROKEN, "a message of the worker does not parse: %s",
                      what);
}

/* Ended within its room; then nothing in it that a terminal would obey. */
static bool is_text(char *text, size_t bytes)
{
    if (memchr(text, 0, bytes) == NULL)
        return false;
    utf8_tame(text);
    return true;
}

static bool is_verdict(int64_t verdict)
{
    return verdict >= 0 && verdict < VERDICT_COUNT;
}

static bool are_times(const double *seconds, int count)
{
    for (int index = 0; index < count; index++)
        if (!isfinite(seconds[index]) || seconds[index] < 0)
            return false;
    return true;
}

static const char *fault_of_finding(struct finding *finding)
{
    if (!is_verdict((int64_t)finding->verdict))
        return "a finding's verdict";
    if ((uint32_t)finding->place >= PLACE_COUNT)
        return "a finding's place";
    if (finding->operand < -1 || finding->operand >= ALGORITHM_OPERANDS_MAX ||
        (finding->operand < 0 && finding->place != PLACE_NONE))
        return "a finding's operand";
    if (finding->unit_bytes < 0 || finding->unit_bytes > (int)sizeof finding->expected ||
        (finding->unwritten != 0 && finding->unwritten != 1))
        return "a finding's bytes";
    if (!is_text(finding->clause, sizeof finding->clause) ||
        !is_text(finding->note, sizeof finding->note))
        return "a finding's text";
    return NULL;
}

static bool is_subject(const struct subject *subject)
{
    return subject->kernel < catalog_count() && subject->path < path_count();
}

static const char *fault_of_result(struct message_result *message, size_t bytes)
{
    const size_t shortest = offsetof(struct message_result, result.finding);
    struct check_result *result = &message->result;
    if (bytes != shortest && bytes != sizeof *message)
        return "a result's size";
    if (!is_subject(&result->subject))
        return "a result's kernel or path";
    if (!is_verdict((int64_t)result->verdict))
        return "a result's verdict";
    if (verdict_has_finding(result->verdict) != (bytes == sizeof *message))
        return "a result without its finding, or with one";
    if (bytes == shortest)
        return NULL;
    return result->finding.verdict == result->verdict ? fault_of_finding(&result->finding)
                                                      : "a finding of another verdict";
}

static const char *fault_of_reached(void *body)
{
    const struct message_reached *message = body;
    return is_subject(&message->subject) ? NULL : "a coverage report of no kernel or path";
}

static const char *fault_of_done(void *body)
{
    const struct message_done *message = body;
    return are_times(message->stage_s, STAGE_COUNT) ? NULL : "a time";
}

static const char *fault_of_info(void *body)
{
    struct device_info *info = body;
    const struct device_limits *limits = &info->limits;
    const long long counts[] = {
        info->driver_version,
        info->memory_clock_khz,
        info->memory_bus_bits,
        info->sm_clock_khz,
        info->l2_bytes,
        limits->compute_capability,
        limits->warp_size,
        limits->multiprocessor_count,
        limits->max_threads_per_block,
        limits->max_grid[0],
        limits->max_grid[1],
        limits->max_grid[2],
        (long long)info->memory_bytes,
        info->id.kind,
        DEVICE_KIND_COUNT - 1 - info->id.kind,
        info->index,
        UINT16_MAX - info->index,
        info->sm.warp_size - 1, /* what occupancy divides by */
        info->sm.register_unit - 1,
        info->sm.partitions - 1,
        info->sm.shared_unit - 1,
    };
    for (size_t index = 0; index < sizeof counts / sizeof counts[0]; index++)
        if (counts[index] < 0)
            return "a device's attribute";
    if (!device_set_is_valid(&info->id))
        return "a set of devices";
    if (!is_text(info->name, sizeof info->name) || !is_text(info->uuid, sizeof info->uuid) ||
        !is_text(info->pci, sizeof info->pci) ||
        !is_text(info->driver_release, sizeof info->driver_release))
        return "a device's text";
    return NULL;
}

static const char *fault_of_count(void *body)
{
    struct message_count *message = body;
    if (message->count < 0)
        return "a number of devices";
    for (int index = 0; index < PROTOCOL_DEVICES_MAX; index++)
        if (!is_text(message->devices[index].uuid, sizeof message->devices[index].uuid) ||
            message->devices[index].compute_capability < 0)
            return "a device's identity";
    return NULL;
}

static const char *fault_of_libraries(void *body)
{
    struct library_file *libraries = body;
    for (int library = 0; library < LIBRARY_COUNT; library++)
        if (!is_text(libraries[library].path, sizeof libraries[library].path) ||
            !is_text(libraries[library].version, sizeof libraries[library].version) ||
            libraries[library].bytes > INT64_MAX)
            return "a library";
    return NULL;
}

static const char *fault_of_board(void *body)
{
    struct board *board = body;
    return is_text(board->vbios, sizeof board->vbios) &&
                   is_text(board->serial, sizeof board->serial) &&
                   board->known >> BOARD_VALUE_COUNT == 0
               ? NULL
               : "a board";
}

/* A bool whose byte is neither 0 nor 1 cannot even be looked at. */
static bool is_reading(const struct nvml_reading *reading)
{
    unsigned char known;
    memcpy(&known, &reading->ecc_known, sizeof known);
    return known <= 1;
}

static const char *fault_of_times(void *body)
{
    struct bench_times *times = body;
    const int32_t counts[] = {times->sample_count,  times->slowed, times->throttled,
                              times->late,          times->batch,  times->buffers,
                              times->company.others};
    for (size_t index = 0; index < sizeof counts / sizeof counts[0]; index++)
        if (counts[index] < 0)
            return "a count of times";
    if (times->sample_count > BENCH_SAMPLES_MAX)
        return "a count of samples";
    if (!are_times(times->unit_us, times->sample_count))
        return "a time of a sample";
    if (!are_times(times->phase_s, BENCH_PHASE_COUNT))
        return "a time of a phase";
    if (!are_times(&times->event_ratio, 1))
        return "a ratio of times";
    if (!is_reading(&times->before) || !is_reading(&times->during) || !is_reading(&times->after))
        return "a reading of sensors";
    if (!is_text(times->sensors_why, sizeof times->sensors_why))
        return "a text of sensors";
    return fault_of_finding(&times->finding);
}

static const char *fault_of_code(void *body)
{
    struct code_answer *answer = body;
    const struct code_figures *figures = &answer->figures;
    if (figures->registers > INT32_MAX || figures->local_bytes > INT32_MAX ||
        figures->shared_bytes > INT32_MAX || figures->max_threads > INT32_MAX)
        return "a figure of code";
    if (answer->occupancy.compared < 0 || answer->occupancy.differing < 0 ||
        answer->occupancy.differing > answer->occupancy.compared)
        return "a comparison of occupancy";
    return fault_of_finding(&answer->finding);
}

static const char *fault_of_programs(void *body)
{
    struct program_answer *answer = body;
    if (answer->stage < 0 || answer->stage >= PROGRAM_STAGES)
        return "a stage of programs";
    if (answer->count < 0 || answer->count > PROGRAM_JOB_MAX ||
        (answer->finding.verdict == VERDICT_PASS) != (answer->count > 0))
        return "a count of programs";
    if (!are_times(answer->stage_s, PROGRAM_STAGES))
        return "a time of programs";
    for (int index = 0; index < answer->count; index++)
        if (answer->results[index].unwritten > answer->results[index].wrong)
            return "a program's result";
    return fault_of_finding(&answer->finding);
}

/* Messages of one size: what is said of another size, and what looks for a fault in the body. */
static const struct {
    size_t bytes;
    const char *size;
    const char *(*fault_of)(void *body);
} plain[] = {
    [MESSAGE_READY] = {sizeof(struct device_info), "a device's size", fault_of_info},
    [MESSAGE_COUNT] = {sizeof(struct message_count), "the size of a number of devices",
                       fault_of_count},
    [MESSAGE_LIBRARIES] = {LIBRARY_COUNT * sizeof(struct library_file),
                           "the size of a list of libraries", fault_of_libraries},
    [MESSAGE_BOARD] = {sizeof(struct board), "a board's size", fault_of_board},
    [MESSAGE_REACHED] = {sizeof(struct message_reached), "the size of a coverage report",
                         fault_of_reached},
    [MESSAGE_DONE] = {sizeof(struct message_done), "the size of the end of a case", fault_of_done},
    [MESSAGE_TIMES] = {sizeof(struct bench_times), "the size of measurements", fault_of_times},
    [MESSAGE_FIGURES] = {sizeof(struct code_answer), "the size of figures of code", fault_of_code},
    [MESSAGE_PROGRAM_RESULTS] = {sizeof(struct program_answer), "the size of results of programs",
                                 fault_of_programs},
};

/* NULL if nothing is wrong. */
static const char *fault_of_body(const struct message_header *header, void *body)
{
    if (header->type == MESSAGE_RESULT)
        return fault_of_result(body, header->bytes);
    if (header->type == MESSAGE_BROKEN || header->type == MESSAGE_REFUSE ||
        header->type == MESSAGE_CLOSED)
        return header->bytes == 0 || !is_text(body, header->bytes) ? "a reason" : NULL;
    if (header->type >= sizeof plain / sizeof plain[0] || plain[header->type].fault_of == NULL)
        return "its type";
    return header->bytes == plain[header->type].bytes ? plain[header->type].fault_of(body)
                                                      : plain[header->type].size;
}

bool message_inspect(const struct message_header *header, void *body, size_t capacity,
                     struct reason *ret_reason)
{
    bool is_result = header->type == MESSAGE_RESULT;
    if (header->bytes > capacity || (is_result && capacity < sizeof(struct message_result)))
        return refuse("its size", ret_reason);
    /* A pass ends before its finding; there are so many of them that no more is cleared. */
    if (is_result && header->bytes < sizeof(struct message_result))
        memset((unsigned char *)body + header->bytes, 0,
               sizeof(struct message_result) - header->bytes);
    const char *fault = fault_of_body(header, body);
    return fault == NULL || refuse(fault, ret_reason);
}

bool message_finding_fits(const struct finding *finding, const struct algorithm *algorithm)
{
    return finding->operand < algorithm->operand_count;
}
