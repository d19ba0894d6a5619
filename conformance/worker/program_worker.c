/* Jobs of generated programs (program_worker.h). Clause: program_runs.compile.alone. */
#include "conformance/worker/program_worker.h"

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "conformance/base/reason.h"
#include "conformance/model/path.h"
#include "conformance/wire/message.h"

_Static_assert(sizeof(struct program_answer) <= PROTOCOL_MESSAGE_BYTES_MAX,
               "results of programs fit a message");

static bool is_job(const struct program_job *job, size_t bytes)
{
    return bytes > sizeof *job && ((const char *)job)[bytes - 1] == 0 && job->count > 0 &&
           job->count <= PROGRAM_JOB_MAX && job->path >= 0 && job->path < path_count() &&
           path_row(job->path)->source->takes_text != SOURCE_TEXT_NONE;
}

static struct program_runner *open_runner(struct device *device)
{
    struct program_runner *it = calloc(1, sizeof *it);
    if (it == NULL)
        return NULL;
    it->device = device;
    void *note =
        mmap(NULL, PROTOCOL_NOTE_BYTES, PROT_READ | PROT_WRITE, MAP_SHARED, PROTOCOL_NOTE_FD, 0);
    if (note != MAP_FAILED) {
        it->note = note;
        it->note_bytes = PROTOCOL_NOTE_BYTES;
    }
    return it;
}

bool program_work(struct program_runner **state, struct device *device, const void *message,
                  size_t bytes, struct program_answer *ret)
{
    const struct program_job *job = message;
    ret->job = 0;
    if (!is_job(job, bytes))
        return false;
    if (*state == NULL)
        *state = open_runner(device);
    return *state && program_run(*state, job, ret);
}

void program_worker_close(struct program_runner *state)
{
    if (state)
        program_runner_close(state);
    free(state);
}
