/* The driver's table, watched (closing.h). Clause: runner.worker.closed. */
#include "conformance/work/closing.h"

#include <stdio.h>

#include "conformance/base/text.h"

/* The functions of a table have no room for a context of their own: this is the one table's. */
static struct {
    struct cuda_driver inner;
    char *note;
    size_t note_bytes;
    int faults;
    char first[128], text[192];
} closing;

static void enter(const char *call)
{
    if (closing.note)
        snprintf(closing.note, closing.note_bytes, "in %s", call);
}

void closing_note(const char *call, const char *error)
{
    if (closing.faults++ == 0)
        snprintf(closing.first, sizeof closing.first, "%s: %s", call, error);
}

static cu_result leave(const char *call, cu_result error)
{
    const char *name = NULL;
    if (error != CU_SUCCESS) {
        closing.inner.get_error_name(error, &name);
        closing_note(call, name ? name : "an unknown driver error");
    }
    if (closing.note)
        closing.note[0] = 0;
    return error;
}

#define CALL(member, name, parameters, arguments)                                                  \
    static cu_result watched_##member parameters                                                   \
    {                                                                                              \
        enter(#name);                                                                              \
        return leave(#name, closing.inner.member arguments);                                       \
    }
#include "cuda/calls.def"

void closing_watch(struct cuda_driver *driver, char *note, size_t note_bytes)
{
    closing.inner = *driver;
    closing.note = note;
    closing.note_bytes = note_bytes;
#define CALL(member, name, parameters, arguments) driver->member = watched_##member;
#include "cuda/calls.def"
    if (note)
        note[0] = 0;
}

const char *closing_fault(void)
{
    if (closing.faults > 1)
        snprintf(closing.text, sizeof closing.text, "%s, and %s after it", closing.first,
                 NUMBER_COUNT((uint64_t)closing.faults - 1, "failed call"));
    return closing.faults > 1 ? closing.text : closing.first;
}
