/* Writing to readers that may be stuck, and to terminals that may be fooled (output.h). Clauses:
 * runner.output.stuck, runner.output.tame, runner.output.unread. */
#include "conformance/base/output.h"

#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "conformance/base/clock.h"
#include "conformance/base/stop.h"
#include "conformance/base/utf8.h"
#include "conformance/base/verdict.h"

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
        /* A pipe with room takes so many bytes at once. */
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

/* One of the two streams; what it kept is the beginning of a letter whose rest may come. */
struct channel {
    int fd;
    size_t kept;
    unsigned char letter[UTF8_BYTES_MAX];
};

/* Appends the letter [from, end) as it may be shown. */
static char *put_letter(char *to, const unsigned char *from, const unsigned char *end,
                        uint32_t code)
{
    bool shown = code != UTF8_BAD && (!utf8_is_hidden(code) || code == '\n' || code == '\t');
    bool is_replacement = code == UTF8_BAD && end - from == 3; /* that letter itself */
    for (; from < end; from++) {
        if (shown || is_replacement)
            *to++ = (char)*from;
        else
            to += sprintf(to, "\\x%02x", *from);
    }
    return to;
}

static bool write_piece(struct channel *channel, const char *text, size_t bytes)
{
    unsigned char piece[UTF8_BYTES_MAX + PIECE_BYTES];
    char shown[ESCAPE_BYTES * sizeof piece + 1], *to = shown;
    memcpy(piece, channel->letter, channel->kept);
    memcpy(piece + channel->kept, text, bytes);
    const unsigned char *at = piece, *end = piece + channel->kept + bytes;
    while (at < end && !utf8_is_cut(at, end)) {
        const unsigned char *from = at;
        uint32_t code = utf8_next(&at, end);
        to = put_letter(to, from, at, code);
    }
    channel->kept = (size_t)(end - at);
    memcpy(channel->letter, at, channel->kept);
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

void output_open(void)
{
    static struct channel channels[] = {{.fd = STDOUT_FILENO}, {.fd = STDERR_FILENO}};
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
