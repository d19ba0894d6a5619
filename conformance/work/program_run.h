/* A module of generated programs on one device: made from their lines, interpreted, rendered,
 * compiled through a code path, launched, and compared word by word.
 *
 *     struct program_runner *state = NULL;
 *     program_work(&state, &device, message, bytes, &answer);   a job, as often as one comes
 *     program_worker_close(state);
 *
 * The programs of a module are launched one after the other, each as a callable; before each the
 * multiprocessors are scrubbed. Every word of every output is compared, and a gap of words after
 * each. A store into another program's words shows as that program's wrong result, unless its own
 * launch comes later and overwrites it; one beyond the module's words is not looked for. */
#pragma once

#include "conformance/model/job.h"
#include "conformance/work/harness.h"
#include "conformance/work/opened_device.h"
#include "cpu_ref/programs/program.h"

/* Each program is launched three times. What earlier launches left in registers and shared memory
 * differs (harness_scrub): code that reads what nothing wrote gives other words. With two launches
 * one of 256 such bytes would be the same by chance. */
enum { PROGRAM_LAUNCHES = 3 };

/* One program of the module, and where its words are in the module's buffers. */
struct module_program {
    struct program program;
    size_t input_at, output_at; /* in words */
    char name[16];              /* of its kernel */
};

struct program_module {
    int count;
    size_t input_words, output_words; /* of all programs together */
    struct module_program *programs;
    uint64_t *inputs;
    uint64_t *before;   /* the outputs as they are before the launch: nowhere what is expected */
    uint64_t *expected; /* and as the golden has them */
    uint64_t *got[PROGRAM_LAUNCHES];
};

/* Makes the programs of the job, their inputs and the golden's outputs. False with the reason. */
bool program_module_make(const struct program_job *job, struct program_module *ret,
                         struct reason *ret_reason);

/* Compares what each launch got with what is expected, word by word. A word that any of them has
 * wrong is wrong; one that varies from launch to launch is its place alone in the digest. */
void program_module_compare(const struct program_module *module, struct program_result *ret);

void program_module_free(struct program_module *module);

/* One job of generated programs, from its lines to its results. */

/* Device memory that is kept from job to job. All 0 at first. */
struct program_runner {
    struct device *device;
    /* Scrubs before each program (callable_scrub), unless the build has no such kernels for the
     * device: programs need none of ours, and a right one reads nothing that it did not write. If
     * memory for them lacks, the results say that they are unscrubbed. */
    struct harness harness;
    cu_address inputs, outputs;
    size_t input_bytes, output_bytes;
    char *note; /* what the process is at, for the supervisor to read where it dies; or NULL */
    size_t note_bytes;
};

/* False if the device can do nothing any more: its context is lost. */
bool program_run(struct program_runner *runner, const struct program_job *job,
                 struct program_answer *ret);

void program_runner_close(struct program_runner *runner);

/* The worker's side of generated programs. */

/* `state` is NULL at first and is made and kept by it. False if the worker cannot continue: a
 * message of that many bytes is no job, or the device is lost; then *ret is an answer all the same,
 * unless its job is 0. */
bool program_work(struct program_runner **state, struct device *device, const void *message,
                  size_t bytes, struct program_answer *ret);
void program_worker_close(struct program_runner *state);
