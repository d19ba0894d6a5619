/* The protocol of supervisor and worker: framed messages over two pipes. One program
 * is at both ends, so the messages are plain structs. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "conformance/base/reason.h"
#include "conformance/model/device_info.h"
#include "conformance/model/job.h"
#include "conformance/model/path.h"
#include "cuda/launch.h"
#include "fuzz/case.h"

enum {
    PROTOCOL_THREADS_MAX = 64,          /* of one worker */
    PROTOCOL_MESSAGE_BYTES_MAX = 16384, /* from a worker */
    PROTOCOL_PIPE_BYTES = 64 << 10,     /* that a pipe holds while nobody reads it */
    PROTOCOL_DEVICES_MAX = 256,         /* that one message lists */
    PROTOCOL_RESULT_FD = 3,             /* the worker's end of the pipe that results go through */
    PROTOCOL_NOTE_FD = 4,               /* shared memory for the fault note */
    PROTOCOL_NOTE_BYTES = 4096,
    PROTOCOL_MADE_FD = 5 /* the memory of made code (model/path.h) */
};

enum message_type {
    MESSAGE_PATH,      /* to the worker, before OPEN: struct path_addition, a row each */
    MESSAGE_MADE,      /* to the worker, before OPEN: uint64_t, the bytes of PROTOCOL_MADE_FD */
    MESSAGE_OPEN,      /* to the worker: struct message_open */
    MESSAGE_CASE,      /* to the worker: struct message_case, and its checks */
    MESSAGE_BENCH,     /* to the worker: struct bench_job (model/job.h) */
    MESSAGE_CODE,      /* to the worker: struct code_job (model/job.h) */
    MESSAGE_PROGRAMS,  /* to the worker: struct program_job (model/job.h), and its text */
    MESSAGE_READY,     /* from it: struct device_info */
    MESSAGE_COUNT,     /* from it, in place of READY: struct message_count */
    MESSAGE_LIBRARIES, /* from it, twice after COUNT where it was asked: struct library_file of each
                        */
    MESSAGE_BOARD,     /* from it, between those two: struct board of each device of COUNT */
    MESSAGE_BROKEN,  /* from it, in place of COUNT: text, why a driver that is there cannot be used
                      */
    MESSAGE_REFUSE,  /* from it: text, why the device does not open */
    MESSAGE_RESULT,  /* from it: struct message_result; a pass ends before its finding */
    MESSAGE_REACHED, /* from it: struct message_reached, before DONE where there is more */
    MESSAGE_DONE,    /* from it: struct message_done */
    MESSAGE_TIMES,   /* from it: struct bench_times (model/job.h) */
    MESSAGE_FIGURES, /* from it: struct code_answer (model/job.h) */
    MESSAGE_PROGRAM_RESULTS, /* from it: struct program_answer (model/job.h) */
    MESSAGE_CLOSED, /* from it, the last, once it has closed its device: text, the driver calls that
                     * failed meanwhile, or "" */
};

struct message_header {
    uint32_t type;
    uint32_t bytes; /* of what follows */
};

struct message_open {
    struct device_set id;
    int32_t index;          /* of the device in the session */
    int32_t counts_devices; /* 1: no device is opened, libcuda's are counted */
    int32_t threads;        /* that check cases side by side; 1 when careful */
    int32_t careful;
    int32_t lists_libraries; /* where they are counted: 1 + which device's, 0: none */
    int32_t sharers;         /* workers that run side by side, this one too, on the host's memory */
    struct gpu_row gpu_row;  /* child_start fills it: what this process knows */
};

struct message_count {
    int32_t count; /* of the driver's devices, however many */
    struct device_identity devices[PROTOCOL_DEVICES_MAX];
};

struct message_case {
    uint64_t job;
    int32_t check_count; /* however many */
    char text[CASE_TEXT_BYTES];
    struct subject checks[];
};

struct message_result {
    uint64_t job; /* one that the worker holds, with an open check of the result's subject */
    struct check_result result;
};

/* SMs that ran a block of the subject, since the worker began, and how much memory it touched. */
struct message_reached {
    struct subject subject;
    unsigned char sms[LAUNCH_SMS_MAX / 8]; /* a bit each */
    uint64_t touched_bytes;
};

struct message_done {
    uint64_t job;
    double stage_s[STAGE_COUNT]; /* what this case cost its thread */
};

/* Bytes of a message_case with that many checks. */
size_t message_case_bytes(int check_count);

/* Writes one message, however often it is interrupted. False when the other end is gone. */
bool message_send(int fd, enum message_type type, const void *body, size_t bytes);

/* Appends a message to a buffer; returns the new length. The buffer has room. */
size_t message_append(unsigned char *buffer, size_t length, enum message_type type,
                      const void *body, size_t bytes);

/* Reads one message, however long, into *body: memory of malloc's that grows, NULL at first. False
 * at the end, and without memory. */
bool message_read(int fd, struct message_header *ret_header, void **body);

/* Checking a worker's messages before use: its memory may hold anything, since whatever the driver
 * or a kernel did to the process may have damaged its messages too. */

/* True when the message is one that a worker sends: of a known type, as long as that is, with every
 * number in its range and every text ended. Texts are tamed, and the finding that a pass leaves out
 * is zeroed, in `body`, which has room for `capacity` bytes. False with the reason. */
bool message_inspect(const struct message_header *header, void *body, size_t capacity,
                     struct reason *ret_reason);

/* True if the finding is of a case of this algorithm: its operand is one of the algorithm's. */
bool message_finding_fits(const struct finding *finding, const struct algorithm *algorithm);
