/* Reads files of others, bounded (input_file.h). Clauses: runner.input.regular,
 * runner.input.one_line, runner.input.bounded. */
#include "conformance/base/input_file.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "conformance/base/process.h"

/* A new kind of file is a row here and in enum input. */
static const struct {
    const char *what;
    size_t bytes_max;
    const char *no_pipe; /* why a pipe is refused, too */
} limits[INPUT_COUNT] = {
    [INPUT_RECORD] = {"a record", (size_t)2 << 30},
    [INPUT_LIMITS] = {"a file of limits", 8 << 20},
    [INPUT_KNOWN] = {"a list of known miscompiles", 1 << 20},
    [INPUT_CASES] = {"a corpus file", 64 << 20},
    [INPUT_NAMES] = {"a list of files", 64 << 20},
    [INPUT_IMAGES] = {"an images file", 1 << 30, "it is a pipe, which workers cannot read again"},
    [INPUT_COMPILER] = {"a compiler", 1 << 30},
    [INPUT_CODE] = {"a compiler's output", TOOL_FILE_BYTES_MAX},
    [INPUT_SOURCE] = {"a text to compile", (1 << 20) - 2},
    [INPUT_SYSTEM] = {"a file of the system", 16 << 20},
};

void input_file_tame(char *text)
{
    for (; *text; text++)
        if ((unsigned char)*text < ' ' || *text == 0x7f)
            *text = '?';
}

/* One file while a thread reads it. Whoever comes last frees it: the thread if it was left behind,
 * else its caller. What both use before the end is under the lock. */
struct reading {
    pthread_mutex_t lock;
    pthread_cond_t end;
    char path[PATH_MAX];
    size_t wanted; /* it ends after that many bytes; 0: the file is only opened */
    bool is_whole; /* a file that has as many is too large */
    const char *no_pipe;
    bool is_left, has_ended, is_pipe;
    char *text; /* with a 0 after it */
    size_t bytes;
    size_t size; /* of a regular file, as the system has it; 0: unknown */
    int error;   /* errno, or 0 */
    const char *refusal;
};

/* Names of files that were open when the program started. */
static bool is_inherited(const char *path)
{
    static const char folder[] = "/dev/fd/";
    return strcmp(path, "/dev/stdin") == 0 || strncmp(path, folder, sizeof folder - 1) == 0;
}

/* Opens it without waiting for another process. Less than 0 with the reading's error. */
static int open_file(struct reading *it)
{
    struct stat status;
    const int fd = open(it->path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    if (fd >= 0 && fstat(fd, &status) == 0) {
        const bool is_regular = S_ISREG(status.st_mode);
        pthread_mutex_lock(&it->lock);
        it->is_pipe = S_ISFIFO(status.st_mode) && is_inherited(it->path);
        pthread_mutex_unlock(&it->lock);
        it->size = is_regular && status.st_size > 0 ? (size_t)status.st_size : 0;
        it->refusal = it->is_pipe ? it->no_pipe : is_regular ? NULL : "not a regular file";
        if (!it->refusal && fcntl(fd, F_SETFL, 0) == 0)
            return fd;
    }
    it->error = errno;
    if (fd >= 0)
        close(fd);
    return -1;
}

/* Reads until the end or as much as is wanted; with room for all at once if the size is known.
 * Returns errno, or 0. */
static int read_wanted(struct reading *it, int fd)
{
    enum { ROOM_BYTES = 1 << 16 };
    size_t room = 0;
    ssize_t got = 1;
    while (got > 0 && it->bytes < it->wanted) {
        if (it->bytes + 1 >= room) { /* the size may be wrong */
            room = room ? 2 * room : it->size < ROOM_BYTES ? ROOM_BYTES : it->size + 2;
            room = room > it->wanted + 1 ? it->wanted + 1 : room;
            char *larger = realloc(it->text, room);
            if (larger == NULL)
                return ENOMEM;
            it->text = larger;
        }
        got = read(fd, it->text + it->bytes, room - 1 - it->bytes);
        if (got < 0 && errno == EINTR)
            got = 1;
        else if (got < 0)
            return errno;
        else {
            pthread_mutex_lock(&it->lock);
            it->bytes += (size_t)got;
            got = it->is_left ? 0 : got;
            pthread_mutex_unlock(&it->lock);
        }
    }
    if (it->text)
        it->text[it->bytes] = 0;
    return 0;
}

static void free_reading(struct reading *it)
{
    pthread_mutex_destroy(&it->lock);
    pthread_cond_destroy(&it->end);
    free(it->text);
    free(it);
}

static void *read_on_thread(void *context)
{
    struct reading *it = context;
    const int fd = open_file(it);
    if (fd >= 0 && !(it->is_whole && it->size >= it->wanted))
        it->error = read_wanted(it, fd);
    if (fd >= 0)
        close(fd);
    pthread_mutex_lock(&it->lock);
    it->has_ended = true;
    const bool is_left = it->is_left;
    pthread_cond_signal(&it->end);
    pthread_mutex_unlock(&it->lock);
    if (is_left)
        free_reading(it);
    return NULL;
}

/* The lock is held. */
static bool is_late(const struct reading *it, double waited_s)
{
    const double limit_s = it->is_pipe ? INPUT_PIPE_WAIT_S : INPUT_WAIT_S;
    return waited_s > limit_s + (double)it->bytes / INPUT_BYTES_A_SECOND;
}

/* Waits for the thread. False with the reason if it is left behind; the reading is its own then. */
static bool wait_for(struct reading *it, struct reason *ret_reason)
{
    enum { LOOK_NS = 100000000 };
    static const double interrupted_s = 2; /* what ends by itself is waited for */
    static const double look_s =
        0.2; /* at most: a process that was stopped meanwhile did not wait */
    double waited_s = 0, now_s = clock_now_s();
    bool good = true;
    pthread_mutex_lock(&it->lock);
    while (good && !it->has_ended) {
        struct timespec until;
        clock_gettime(CLOCK_MONOTONIC, &until);
        until.tv_nsec += LOOK_NS;
        until.tv_sec += until.tv_nsec / 1000000000;
        until.tv_nsec %= 1000000000;
        pthread_cond_timedwait(&it->end, &it->lock, &until);
        if (it->has_ended)
            break;
        const double since_s = clock_now_s() - now_s;
        now_s += since_s;
        waited_s += since_s < look_s ? since_s : look_s;
        if (stop_is_signalled() && waited_s > interrupted_s)
            good = reason_set(ret_reason, REASON_INPUT, "interrupted: its file system hangs");
        else if (is_late(it, waited_s))
            good = reason_set(ret_reason, REASON_INPUT,
                              "reading it does not end: %zu bytes in %.0f s, the limit is %d s and "
                              "1 s for each %d MiB",
                              it->bytes, waited_s, it->is_pipe ? INPUT_PIPE_WAIT_S : INPUT_WAIT_S,
                              INPUT_BYTES_A_SECOND >> 20);
    }
    it->is_left = !good;
    pthread_mutex_unlock(&it->lock);
    return good;
}

/* Starts the thread, which gets no signal: those are for the thread that waits. */
static int start(struct reading *it)
{
    enum { STACK_BYTES = 256 << 10 };
    pthread_attr_t attributes;
    pthread_t thread;
    sigset_t all, before;
    sigfillset(&all);
    pthread_attr_init(&attributes);
    pthread_attr_setstacksize(&attributes, STACK_BYTES);
    pthread_attr_setdetachstate(&attributes, PTHREAD_CREATE_DETACHED);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    const int error = pthread_create(&thread, &attributes, read_on_thread, it);
    pthread_sigmask(SIG_SETMASK, &before, NULL);
    pthread_attr_destroy(&attributes);
    return error;
}

/* The reading of that much of a file, which the caller frees. NULL with the reason. */
static struct reading *read_file(const char *path, size_t wanted, bool is_whole,
                                 const char *no_pipe, struct reason *ret_reason)
{
    pthread_condattr_t monotonic;
    struct reading *it = strlen(path) < PATH_MAX ? calloc(1, sizeof *it) : NULL;
    if (it == NULL) {
        errno = strlen(path) < PATH_MAX ? ENOMEM : ENAMETOOLONG;
        reason_set(ret_reason, reason_of_errno(errno), "%s", strerror(errno));
        return NULL;
    }
    pthread_mutex_init(&it->lock, NULL);
    pthread_condattr_init(&monotonic);
    pthread_condattr_setclock(&monotonic, CLOCK_MONOTONIC);
    pthread_cond_init(&it->end, &monotonic);
    pthread_condattr_destroy(&monotonic);
    strcpy(it->path, path);
    it->wanted = wanted;
    it->is_whole = is_whole;
    it->no_pipe = no_pipe;
    const int error = start(it);
    bool good = error == 0 ||
                reason_set(ret_reason, REASON_SYSTEM, "no thread to read it: %s", strerror(error));
    if (good && !wait_for(it, ret_reason))
        return NULL; /* the thread frees it */
    if (good && it->refusal)
        good = reason_set(ret_reason, REASON_INPUT, "%s", it->refusal);
    else if (good && it->error)
        good = reason_set(ret_reason, reason_of_errno(it->error), "%s", strerror(it->error));
    if (good)
        return it;
    free_reading(it);
    return NULL;
}

/* The words for one that is too large. Always false. */
static bool refuse_large(enum input input, enum reason_kind kind, size_t bytes, const char *least,
                         struct reason *ret_reason)
{
    return reason_set(ret_reason, kind, "too large: %s%zu bytes; the limit of %s is %zu bytes",
                      least, bytes, limits[input].what, limits[input].bytes_max);
}

char *input_read(enum input input, const char *path, size_t *ret_bytes, struct reason *ret_reason)
{
    const size_t most = limits[input].bytes_max;
    struct reading *it = read_file(path, most + 1, true, limits[input].no_pipe, ret_reason);
    if (it == NULL)
        return NULL;
    char *text = NULL;
    if (it->size > most)
        refuse_large(input, REASON_INPUT, it->size, "", ret_reason);
    else if (it->bytes > most)
        refuse_large(input, REASON_INPUT, it->bytes, "at least ", ret_reason);
    else {
        text = it->text;
        *ret_bytes = it->bytes;
        it->text = NULL;
    }
    free_reading(it);
    return text;
}

bool input_can_open(const char *path, struct reason *ret_reason)
{
    struct reading *it = read_file(path, 0, false, NULL, ret_reason);
    if (it)
        free_reading(it);
    return it != NULL;
}

bool input_begins(const char *path, const void *bytes, size_t count)
{
    struct reason reason;
    struct reading *it =
        read_file(path, count, false, "its bytes are there once: for its reader", &reason);
    const bool is_it = it && it->bytes == count && memcmp(it->text, bytes, count) == 0;
    if (it)
        free_reading(it);
    return is_it;
}

bool input_is_large(enum input input, int file)
{
    struct stat status;
    return fstat(file, &status) == 0 && status.st_size > 0 &&
           (size_t)status.st_size > limits[input].bytes_max;
}

/* Such a file waits for nobody: no thread is needed. */
char *input_read_memory(enum input input, int file, size_t *ret_bytes, struct reason *ret_reason)
{
    struct stat status = {.st_size = 0};
    const bool known = fstat(file, &status) == 0;
    const size_t count = (size_t)status.st_size;
    if (known && count == 0) {
        reason_set(ret_reason, REASON_BROKEN, "it wrote nothing");
        return NULL;
    }
    if (known && count > limits[input].bytes_max) {
        refuse_large(input, REASON_BROKEN, count, "", ret_reason);
        return NULL;
    }
    char *bytes = known ? malloc(count + 1) : NULL;
    if (bytes && lseek(file, 0, SEEK_SET) == 0 && process_read(file, bytes, count)) {
        bytes[count] = 0;
        *ret_bytes = count;
        return bytes;
    }
    free(bytes);
    reason_set(ret_reason, REASON_SYSTEM, "no memory for what it wrote");
    return NULL;
}
