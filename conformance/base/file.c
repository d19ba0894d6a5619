/* Writing files and streams (file.h). Clauses: report.output.whole, runner.output.planted,
 * runner.output.mode, runner.output.stuck, runner.output.tame, runner.output.unread,
 * record.writer.alone. */
#include "conformance/base/file.h"

#include <ctype.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <sys/mman.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include "conformance/base/input_file.h"
#include "conformance/base/process.h"
#include "conformance/base/reason.h"
#include "conformance/base/text.h"

enum { NAME_TRIES = 100, HOLD_TRIES = 20, HOLD_PAUSE_US = 10000 };

const char *file_reason(int error)
{
    return error == ELOOP   ? "it is a symbolic link: name the file itself"
           : error == ENXIO ? "it is a pipe that nobody reads, or a socket"
           : error == EMFILE
               ? "too many open files: raise the limit, for example by `ulimit -n 256`"
               : strerror(error);
}

static bool refuse(const char *path, struct reason *ret_reason)
{
    return reason_set(ret_reason, reason_of_errno(errno), "%s: cannot be written: %s", path,
                      file_reason(errno));
}

/* It was begun, and not ended. */
static bool fail(const char *path, struct reason *ret_reason)
{
    refuse(path, ret_reason);
    ret_reason->kind = REASON_SYSTEM;
    return false;
}

/* Names of what was open when the program was started; the system has them as links. */
static bool is_inherited(const char *path)
{
    static const char folder[] = "/dev/fd/";
    return strcmp(path, "/dev/stdout") == 0 || strcmp(path, "/dev/stderr") == 0 ||
           strncmp(path, folder, sizeof folder - 1) == 0;
}

int file_open_output(const char *path, int flags, struct reason *ret_reason)
{
    const int more = O_CLOEXEC | O_NOCTTY | O_NONBLOCK | (is_inherited(path) ? 0 : O_NOFOLLOW);
    int fd = open(path, flags | more, 0666);
    if (fd >= 0 && fcntl(fd, F_SETFL, flags & O_APPEND) != 0) { /* writing may wait */
        close(fd);
        fd = -1;
    }
    if (fd < 0)
        refuse(path, ret_reason);
    return fd;
}

static bool is_absolute(const char *path)
{
    return path && path[0] == '/' && path[strspn(path, "/")] != 0;
}

bool file_user_folder(const char *variable, const char *below_home,
                      char ret_path[FILE_FOLDER_BYTES])
{
    char path[FILE_FOLDER_BYTES];
    const char *own = getenv(variable), *home = getenv("HOME");
    int length = -1;
    if (is_absolute(own)) /* a relative one is ignored */
        length = snprintf(path, sizeof path, "%s/assay", own);
    else if (is_absolute(home))
        length = snprintf(path, sizeof path, "%s/%s/assay", home, below_home);
    if (length <= 0 || length >= FILE_FOLDER_BYTES)
        return false;
    memcpy(ret_path, path, (size_t)length + 1);
    return true;
}

void file_make_folders(const char *path)
{
    char name[FILE_FOLDER_BYTES];
    snprintf(name, sizeof name, "%s", path);
    for (char *slash = name; slash; slash = strchr(slash + 1, '/')) {
        *slash = 0;
        if (name[0])
            mkdir(name, 0700);
        *slash = '/';
    }
    mkdir(name, 0700);
}

int file_open_folder(const char *path, bool is_named, struct reason *ret_reason)
{
    if (mkdir(path, 0777) != 0 && errno != EEXIST) {
        reason_set(ret_reason, REASON_INPUT, "%.300s: cannot be created: %s", path,
                   strerror(errno));
        return -1;
    }
    const int flags = O_RDONLY | O_DIRECTORY | O_CLOEXEC;
    const int fd = open(path, is_named ? flags : flags | O_NOFOLLOW);
    if (fd < 0)
        reason_set(ret_reason, REASON_INPUT, "%.300s: cannot be written: %s", path,
                   file_reason(!is_named && errno == ENOTDIR ? ELOOP : errno));
    return fd;
}

static bool is_one_file(const struct stat *left, const struct stat *right)
{
    return left->st_dev == right->st_dev && left->st_ino == right->st_ino;
}

/* A file system without locks holds nothing, and says so by another error. */
static bool is_held(int fd)
{
    for (int tries = 0; tries < HOLD_TRIES; tries++) {
        if (flock(fd, LOCK_EX | LOCK_NB) == 0 || errno != EWOULDBLOCK)
            return false;
        usleep(HOLD_PAUSE_US); /* one that was killed a moment ago holds it until it is gone */
    }
    return true;
}

bool file_hold(int fd, const char *path, struct reason *ret_reason)
{
    struct stat status, other;
    bool regular = fstat(fd, &status) == 0 && S_ISREG(status.st_mode);
    for (int stream = STDOUT_FILENO; regular && stream <= STDERR_FILENO; stream++) {
        if (fd == stream || fstat(stream, &other) != 0 || !is_one_file(&status, &other))
            continue;
        return reason_set(ret_reason, REASON_INPUT,
                          "%s: standard %s goes there too: name another file", path,
                          stream == STDOUT_FILENO ? "output" : "error");
    }
    if (!regular || !is_held(fd))
        return true;
    return reason_set(ret_reason, REASON_INPUT,
                      "%s: another program is writing it: wait until it ends, or name another file",
                      path);
}

/* A new file in the folder of the one of that name. Less than 0 with errno. */
static int make_temporary(int folder, const char *name, char *ret_temporary, size_t temporary_bytes)
{
    for (int tries = 0; tries < NAME_TRIES; tries++) {
        uint32_t number = 0;
        if (getrandom(&number, sizeof number, 0) != sizeof number)
            return -1;
        snprintf(ret_temporary, temporary_bytes, "%.240s.%08x", name, (unsigned)number);
        int fd = openat(folder, ret_temporary, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC,
                        0666);
        if (fd >= 0 || errno != EEXIST)
            return fd;
    }
    return -1;
}

/* Whose it was and who may read it stays so; only root can give a file away. */
static bool take_over(int fd, const struct stat *old)
{
    struct stat mine;
    if (old == NULL)
        return true;
    bool same = fstat(fd, &mine) == 0 && mine.st_uid == old->st_uid && mine.st_gid == old->st_gid;
    if (!same && fchown(fd, old->st_uid, old->st_gid) != 0 && errno != EPERM)
        return false;
    return fchmod(fd, old->st_mode & 0777) == 0;
}

bool file_replace_in(int folder, const char *name, const char *path, const char *text, size_t bytes,
                     struct reason *ret_reason)
{
    struct stat old;
    bool there = fstatat(folder, name, &old, AT_SYMLINK_NOFOLLOW) == 0;
    if (there && S_ISLNK(old.st_mode)) {
        errno = ELOOP;
        return refuse(path, ret_reason);
    }
    if (there && !S_ISREG(old.st_mode))
        return reason_set(ret_reason, REASON_INPUT, "%s: cannot be written: not a regular file",
                          path);
    /* Asks for the lock of the file that is there: a record that grows is not to be replaced. */
    const int flags = O_RDONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC;
    const int held = there ? openat(folder, name, flags) : -1;
    const bool is_free = held < 0 || file_hold(held, path, ret_reason);
    if (held >= 0)
        close(held);
    if (!is_free)
        return false;
    char temporary[256];
    int fd = make_temporary(folder, name, temporary, sizeof temporary);
    if (fd < 0)
        return refuse(path, ret_reason);
    bool good =
        take_over(fd, there ? &old : NULL) && output_write(fd, text, bytes) && fsync(fd) == 0;
    int error = errno;
    if (close(fd) != 0 && good) {
        good = false;
        error = errno;
    }
    if (good && renameat(folder, temporary, folder, name) == 0)
        return true;
    errno = good ? errno : error;
    fail(path, ret_reason);
    unlinkat(folder, temporary, 0);
    return false;
}

/* Writes to what is no file of its own: a device, a pipe, standard output. */
static bool write_into(const char *path, const char *text, size_t bytes, struct reason *ret_reason)
{
    const bool is_output = strcmp(path, "-") == 0;
    const int fd = is_output ? STDOUT_FILENO : file_open_output(path, O_WRONLY, ret_reason);
    if (fd < 0)
        return false;
    bool good = output_write(fd, text, bytes) || fail(path, ret_reason);
    if (!is_output && close(fd) != 0 && good)
        good = fail(path, ret_reason);
    return good;
}

bool file_replace(const char *path, const char *text, size_t bytes, struct reason *ret_reason)
{
    struct stat status;
    if (strcmp(path, "-") == 0 || is_inherited(path) ||
        (lstat(path, &status) == 0 && (S_ISFIFO(status.st_mode) || S_ISCHR(status.st_mode))))
        return write_into(path, text, bytes, ret_reason);
    const char *slash = strrchr(path, '/');
    char *parent = slash ? strndup(path, (size_t)(slash - path) + 1) : strdup(".");
    int folder = parent ? open(parent, O_PATH | O_DIRECTORY | O_CLOEXEC) : -1;
    const char *name = slash ? slash + 1 : path;
    bool good = false;
    if (folder < 0)
        refuse(path, ret_reason);
    else
        good = file_replace_in(folder, name[0] ? name : ".", path, text, bytes, ret_reason);
    if (folder >= 0)
        close(folder);
    free(parent);
    return good;
}

bool file_same(const char *left, const char *right)
{
    struct stat one, other;
    return stat(left, &one) == 0 && stat(right, &other) == 0 && is_one_file(&one, &other);
}

/* Writing to readers that may be stuck, and to terminals that may be fooled. */

enum { LOOK_MS = 50, ESCAPE_BYTES = 4 /* of one byte: \xHH */, PIECE_BYTES = 1024 };

/* How long a reader may take once the run is to end. */
static const double patience_s = 0.5;

/* Files with numbers below 64 whose reader was given up: nothing waits for it twice. */
static uint64_t given_up;

/* True when a write of PIPE_BUF bytes would not wait. False with errno when it is given up. */
static bool wait_for_reader(int fd)
{
    uint64_t bit = fd < 64 ? UINT64_C(1) << fd : 0;
    double stopped_s = 0;
    while (!(given_up & bit)) {
        struct pollfd polled = {.fd = fd, .events = POLLOUT};
        if (poll(&polled, 1, LOOK_MS) > 0)
            return true;
        double now_s = clock_now_s();
        stopped_s = stop_signal && stopped_s <= 0 ? now_s : stopped_s;
        if (stop_signal && now_s - stopped_s > patience_s)
            given_up |= bit;
    }
    errno = EINTR;
    return false;
}

static bool has_reader(int fd)
{
    struct stat status;
    return fstat(fd, &status) != 0 || !S_ISREG(status.st_mode);
}

bool output_write(int fd, const void *buffer, size_t bytes)
{
    const char *from = buffer;
    bool waits = bytes > 0 && has_reader(fd);
    while (bytes > 0) {
        if (waits && !wait_for_reader(fd))
            return false;
        /* A pipe with room takes PIPE_BUF bytes at once. */
        ssize_t written = write(fd, from, waits && bytes > PIPE_BUF ? PIPE_BUF : bytes);
        if (written < 0 && (errno == EINTR || errno == EAGAIN))
            continue;
        if (written <= 0)
            return false;
        from += written;
        bytes -= (size_t)written;
    }
    return true;
}

/* Verdicts in the colours that a terminal shows them in: bold red, green, yellow. */
static const struct {
    const char *word, *colour;
} colours[] = {{"PASS", "32"},    {"SAME", "32"},         {"BETTER", "32"},        {"FAIL", "1;31"},
               {"CRASH", "1;31"}, {"TIMEOUT", "1;31"},    {"REGRESSED", "1;31"},   {"ERROR", "33"},
               {"SKIP", "33"},    {"INCONCLUSIVE", "33"}, {"NOT COMPARABLE", "33"}};
enum { COLOUR_BYTES = 4 /* a word grows at most by that factor */ };

static bool is_of_word(char letter)
{
    return isalnum((unsigned char)letter) || letter == '_' || letter == '-';
}

/* The colour of the word that begins there, or NULL; how many letters it has. */
static const char *colour_of(const char *text, const char *at, const char *end, size_t *ret_letters)
{
    if (at > text && is_of_word(at[-1]))
        return NULL;
    for (size_t index = 0; index < sizeof colours / sizeof colours[0]; index++) {
        const size_t letters = strlen(colours[index].word);
        if ((size_t)(end - at) < letters || memcmp(at, colours[index].word, letters) != 0 ||
            (at + letters < end && is_of_word(at[letters])))
            continue;
        *ret_letters = letters;
        return colours[index].colour;
    }
    return NULL;
}

/* Writes the text with its verdicts in colour; returns how many bytes that takes. */
static size_t paint(const char *text, size_t bytes, char *ret)
{
    char *to = ret;
    for (const char *at = text, *end = text + bytes; at < end;) {
        size_t letters = 1;
        const char *colour = colour_of(text, at, end, &letters);
        if (colour)
            to += sprintf(to, "\033[%sm%.*s\033[0m", colour, (int)letters, at);
        else
            *to++ = *at;
        at += letters;
    }
    return (size_t)(to - ret);
}

/* One of the two streams; what it kept is the beginning of a letter whose rest may come. */
struct channel {
    int fd;
    bool has_colour;
    size_t kept;
    unsigned char letter[UTF8_BYTES_MAX];
};

static bool write_piece(struct channel *channel, const char *text, size_t bytes)
{
    unsigned char piece[UTF8_BYTES_MAX + PIECE_BYTES];
    char shown[ESCAPE_BYTES * sizeof piece + 1], *to = shown;
    memcpy(piece, channel->letter, channel->kept);
    memcpy(piece + channel->kept, text, bytes);
    const unsigned char *at = piece, *end = piece + channel->kept + bytes;
    while (at < end && !utf8_is_cut(at, end)) {
        const unsigned char *from = at;
        const uint32_t code = utf8_next(&at, end);
        const bool is_replacement = code == UTF8_BAD && at - from == 3; /* that letter itself */
        const bool is_shown =
            is_replacement ||
            (code != UTF8_BAD && (!utf8_is_hidden(code) || code == '\n' || code == '\t'));
        for (; from < at; from++)
            if (is_shown)
                *to++ = (char)*from;
            else
                to += sprintf(to, "\\x%02x", *from);
    }
    channel->kept = (size_t)(end - at);
    memcpy(channel->letter, at, channel->kept);
    char painted[COLOUR_BYTES * sizeof shown];
    if (channel->has_colour)
        return output_write(channel->fd, painted, paint(shown, (size_t)(to - shown), painted));
    return output_write(channel->fd, shown, (size_t)(to - shown));
}

/* A cookie's write: 0 is its failure. */
static ssize_t write_channel(void *cookie, const char *text, size_t bytes)
{
    for (size_t done = 0; done < bytes;) {
        size_t piece = bytes - done < PIECE_BYTES ? bytes - done : PIECE_BYTES;
        if (!write_piece(cookie, text + done, piece))
            return 0;
        done += piece;
    }
    return (ssize_t)bytes;
}

static FILE *open_channel(struct channel *channel, int mode)
{
    FILE *file = fopencookie(channel, "w", (cookie_io_functions_t){.write = write_channel});
    if (file)
        setvbuf(file, NULL, mode, BUFSIZ);
    return file;
}

/* A terminal that shows colours, and a user who has not refused them (https://no-color.org). */
static bool has_colour(int fd)
{
    const char *refused = getenv("NO_COLOR"), *terminal = getenv("TERM");
    return isatty(fd) && (refused == NULL || refused[0] == 0) && terminal && terminal[0] &&
           strcmp(terminal, "dumb") != 0;
}

void output_open(void)
{
    static struct channel channels[] = {{.fd = STDOUT_FILENO}, {.fd = STDERR_FILENO}};
    for (int index = 0; index < 2; index++)
        channels[index].has_colour = has_colour(channels[index].fd);
    FILE *out = open_channel(&channels[0], isatty(STDOUT_FILENO) ? _IOLBF : _IOFBF);
    FILE *error = open_channel(&channels[1], _IOLBF);
    stdout = out ? out : stdout;
    stderr = error ? error : stderr;
}

void output_erase_line(void)
{
    static const char erase[] = "\r\033[K";
    fflush(stderr);
    output_write(STDERR_FILENO, erase, sizeof erase - 1);
}

int output_end(const char *command, int status)
{
    if (fflush(stdout) == 0 && !ferror(stdout))
        return status;
    if (!output_is_unread())
        fprintf(stderr, "assay %s: cannot write standard output\n", command);
    return EXIT_STATUS_HARNESS;
}

bool output_is_unread(void)
{
    struct pollfd polled = {.fd = STDOUT_FILENO};
    return has_reader(STDOUT_FILENO) && poll(&polled, 1, 0) == 1 &&
           (polled.revents & (POLLERR | POLLHUP)) != 0;
}

int output_leave(int status)
{
    if (status != EXIT_STATUS_HARNESS || !output_is_unread())
        return status;
    signal(SIGPIPE, SIG_DFL);
    raise(SIGPIPE);
    return 128 + SIGPIPE; /* where the signal is blocked */
}
