/* Made code, an entry after the other in one piece of shared memory (made_code.h). */
#include "conformance/model/made_code.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum {
    ALIGNMENT = 16, /* a fatbin is read as 64-bit words */
    FILE_LEAST = 16 /* its number is above those that a worker's files get */
};

static struct {
    pthread_mutex_t lock;
    bool begun;
    int file;
    uint64_t bytes;
    const char *mapped;
    uint64_t mapped_bytes;
} all = {.lock = PTHREAD_MUTEX_INITIALIZER, .file = -1};

static uint64_t aligned(uint64_t bytes)
{
    return (bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
}

static bool put(const void *bytes, uint64_t count, uint64_t at)
{
    for (uint64_t done = 0; done < count;) {
        const ssize_t wrote =
            pwrite(all.file, (const char *)bytes + done, count - done, (off_t)(at + done));
        if (wrote <= 0)
            return false;
        done += (uint64_t)wrote;
    }
    return true;
}

/* With the lock held. */
static bool append(const struct made_code *made, const void *code)
{
    const uint64_t body = all.bytes + aligned(sizeof *made), end = body + aligned(made->bytes);
    if (!all.begun) {
        const int file = memfd_create("assay made code", MFD_CLOEXEC);
        all.begun = true;
        all.file = file < 0 ? -1 : fcntl(file, F_DUPFD_CLOEXEC, FILE_LEAST);
        if (file >= 0)
            close(file);
    }
    if (all.file < 0 || !put(made, sizeof *made, all.bytes) || !put(code, made->bytes, body) ||
        ftruncate(all.file, (off_t)end) != 0)
        return false;
    all.bytes = end;
    return true;
}

bool made_code_add(const struct made_code *made, const void *code, struct reason *ret_reason)
{
    pthread_mutex_lock(&all.lock);
    const bool good = append(made, code);
    const int error = errno;
    pthread_mutex_unlock(&all.lock);
    return good ||
           reason_set(ret_reason, REASON_SYSTEM, "no memory for made code: %s", strerror(error));
}

int made_code_file(uint64_t *ret_bytes)
{
    *ret_bytes = all.bytes;
    return all.bytes ? all.file : -1;
}

bool made_code_take(int file, uint64_t bytes)
{
    all.begun = true;
    all.file = file;
    all.bytes = bytes;
    return lseek(file, 0, SEEK_END) == (off_t)bytes;
}

/* With the lock held. What was mapped before stays: somebody may hold its code. */
static bool map(void)
{
    if (all.mapped_bytes == all.bytes)
        return all.bytes > 0;
    void *memory = mmap(NULL, all.bytes, PROT_READ, MAP_SHARED, all.file, 0);
    if (memory == MAP_FAILED)
        return false;
    all.mapped = memory;
    all.mapped_bytes = all.bytes;
    return true;
}

const struct made_code *made_code_find(int path, const char *unit, int compute_capability,
                                       const void **ret_code)
{
    const struct made_code *found = NULL;
    pthread_mutex_lock(&all.lock);
    const bool is_mapped = map();
    for (uint64_t at = 0; is_mapped && !found && at < all.mapped_bytes;) {
        const struct made_code *it = (const void *)(all.mapped + at);
        const char *code = all.mapped + at + aligned(sizeof *it);
        at += aligned(sizeof *it) + aligned(it->bytes);
        if (it->path != path || it->compute_capability != compute_capability ||
            strcmp(it->unit, unit) != 0)
            continue;
        found = it;
        *ret_code = it->bytes ? code : NULL;
    }
    pthread_mutex_unlock(&all.lock);
    return found;
}
