/* Waiting for a turn (turn.h). */
#include "conformance/base/turn.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <unistd.h>

#include "conformance/base/stop.h"

enum { TICK_MS = 200 };

static void close_end(int *fd)
{
    if (*fd >= 0)
        close(*fd);
    *fd = -1;
}

bool turn_open(struct turn *ret)
{
    int ends[2] = {-1, -1};
    const bool is_open = pipe2(ends, O_CLOEXEC) == 0;
    *ret = (struct turn){.waits_fd = ends[0], .gives_fd = ends[1]};
    return is_open;
}

bool turn_wait(struct turn *turn)
{
    struct pollfd polled = {.fd = turn->waits_fd, .events = POLLIN};
    char given;
    close_end(&turn->gives_fd); /* else the end of the other process would not be seen */
    while (!stop_is_signalled()) {
        if (poll(&polled, 1, TICK_MS) <= 0)
            continue; /* a signal, or nothing yet */
        const ssize_t got = read(turn->waits_fd, &given, 1);
        if (got == 1)
            return true;
        if (got == 0 || errno != EINTR)
            return false;
    }
    return false;
}

void turn_give(struct turn *turn)
{
    const char given = 1;
    while (turn->gives_fd >= 0 && write(turn->gives_fd, &given, 1) < 0 && errno == EINTR)
        continue;
    close_end(&turn->gives_fd);
}

void turn_close(struct turn *turn)
{
    close_end(&turn->waits_fd);
    close_end(&turn->gives_fd);
}
