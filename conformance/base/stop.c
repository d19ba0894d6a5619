/* The one thing that a signal's handler can reach (stop.h). Clauses: runner.signal.soon,
 * runner.signal.ignored. */
#include "conformance/base/stop.h"

#include <stddef.h>

volatile sig_atomic_t stop_signal;

static const int caught[] = {SIGINT, SIGTERM, SIGHUP, SIGQUIT};
enum { CAUGHT_COUNT = sizeof caught / sizeof caught[0] };

static void on_signal(int number)
{
    stop_signal = number;
}

void stop_catch_signals(void)
{
    for (int index = 0; index < CAUGHT_COUNT; index++) {
        struct sigaction action = {.sa_handler = on_signal}, old;
        if (sigaction(caught[index], NULL, &old) == 0 && old.sa_handler != SIG_IGN)
            sigaction(caught[index], &action, NULL);
    }
}

bool stop_is_signalled(void)
{
    for (int index = 0; index < CAUGHT_COUNT; index++)
        if (stop_signal == caught[index])
            return true;
    return false;
}
