/* Two processes: one is prepared and waits, the other gives it its token, or ends (process.h). */
#include <signal.h>
#include <sys/wait.h>
#include <unistd.h>

#include "conformance/base/process.h"
#include "spec/testing.h"

enum { HAS_TOKEN = 3, STOPPED = 4, ALONE = 5 };

/* A process that waits, and ends with what came of it. */
static pid_t begin_waiting(struct token *token)
{
    ck_assert(token_open(token));
    stop_catch_signals();
    const pid_t waiter = fork();
    ck_assert_int_ge(waiter, 0);
    if (waiter == 0) {
        const bool has_token = token_wait(token, 0);
        _exit(has_token ? HAS_TOKEN : stop_is_signalled() ? STOPPED : ALONE);
    }
    return waiter;
}

static int end_of(pid_t waiter)
{
    int status;
    ck_assert_int_eq(waitpid(waiter, &status, 0), waiter);
    ck_assert(WIFEXITED(status));
    return WEXITSTATUS(status);
}

START_TEST(one_that_waits_goes_on_when_it_has_its_turn, "gate.parts.concurrent")
{
    struct token token;
    int status;
    const pid_t waiter = begin_waiting(&token);
    ck_assert_int_eq(waitpid(waiter, &status, WNOHANG), 0);
    token_give(&token);
    token_close(&token);
    ck_assert_int_eq(end_of(waiter), HAS_TOKEN);
}

START_TEST(one_that_never_gets_it_measures_nothing, "gate.parts.concurrent")
{
    struct token token;
    pid_t waiter = begin_waiting(&token);
    token_close(&token); /* as at the end of the other process */
    ck_assert_int_eq(end_of(waiter), ALONE);
    waiter = begin_waiting(&token);
    kill(waiter, SIGTERM);
    ck_assert_int_eq(end_of(waiter), STOPPED);
    token_give(&token); /* nobody is there, and nothing happens */
    token_close(&token);
}
