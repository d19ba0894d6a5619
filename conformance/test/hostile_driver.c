/* Calls that misbehave (hostile_driver.h). */
#include "conformance/test/hostile_driver.h"

#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static struct cuda_driver inner;

static void run_exit(int status)
{
    _exit(status);
}

static void run_abort(int unused)
{
    (void)unused;
    abort();
}

static void run_crash(int unused)
{
    (void)unused;
    signal(SIGSEGV, SIG_DFL); /* the emulation handles those of kernels */
    raise(SIGSEGV);
}

static void run_hang(int unused)
{
    (void)unused;
    for (;;)
        pause();
}

static void run_stop(int unused)
{
    (void)unused;
    raise(SIGSTOP);
}

static void run_fork(int unused)
{
    (void)unused;
    if (fork() == 0) {
        sleep(HOSTILE_CHILD_S);
        _exit(0);
    }
    _exit(3);
}

static void run_print(int unused)
{
    (void)unused;
    /* Not by stdout, which is the program's, and escapes them. */
    dprintf(STDOUT_FILENO, "\nPASS  evil\n\033[2Jcleared\rreturned\n");
    dprintf(STDERR_FILENO, "a line that has no end");
}

static void run_flood(int unused)
{
    (void)unused;
    static bool is_done;
    for (int line = 0; !is_done && line < 100000; line++)
        dprintf(STDOUT_FILENO, "flood %d\n", line);
    dprintf(STDERR_FILENO, "after the flood\n");
    is_done = true;
}

static void run_report(int unused)
{
    (void)unused;
    dprintf(STDERR_FILENO, "==1==ERROR: AddressSanitizer: heap-use-after-free\n");
    for (int frame = 0; frame < 60; frame++)
        dprintf(STDERR_FILENO, "    #%d 0x%012x in a_function_of_the_driver (libcuda.so.1+0x%x)\n",
                frame, frame, frame);
    dprintf(STDERR_FILENO, "SUMMARY: AddressSanitizer: heap-use-after-free\n");
    _exit(1);
}

static const struct {
    const char *word;
    void (*run)(int number);
} behaviours[] = {
    {"exit", run_exit},   {"abort", run_abort}, {"crash", run_crash},
    {"hang", run_hang},   {"stop", run_stop},   {"fork", run_fork},
    {"print", run_print}, {"flood", run_flood}, {"report", run_report},
};

/* Does what the environment says of that call, and returns its error. */
static cu_result misbehave(const char *call)
{
    const char *words = getenv("ASSAY_HOSTILE");
    const size_t letters = strlen(call);
    for (const char *at = words; at && *at; at += strcspn(at, " "), at += strspn(at, " ")) {
        if (strncmp(at, call, letters) != 0 || at[letters] != '=')
            continue;
        const char *word = at + letters + 1, *number = word + strcspn(word, ": ");
        if (strncmp(word, "error", 5) == 0)
            return CU_ERROR_UNKNOWN;
        for (size_t index = 0; index < sizeof behaviours / sizeof behaviours[0]; index++)
            if (strlen(behaviours[index].word) == (size_t)(number - word) &&
                strncmp(behaviours[index].word, word, (size_t)(number - word)) == 0)
                behaviours[index].run(*number == ':' ? atoi(number + 1) : 0);
    }
    return CU_SUCCESS;
}

#define CALL(member, name, parameters, arguments)                                                  \
    static cu_result hostile_##member parameters                                                   \
    {                                                                                              \
        const cu_result own_result = misbehave(#name);                                             \
        return own_result ? own_result : inner.member arguments;                                   \
    }
#include "cuda/calls.def"

void hostile_wrap(struct cuda_driver *driver)
{
    inner = *driver;
    if (getenv("ASSAY_HOSTILE") == NULL)
        return;
#define CALL(member, name, parameters, arguments) driver->member = hostile_##member;
#include "cuda/calls.def"
}

__attribute__((destructor)) static void end(void)
{
    if (inner.init)
        misbehave("end");
}
