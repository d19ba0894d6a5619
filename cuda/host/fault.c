/* The signals that a kernel's mistakes end in (fault.h). */
#include "cuda/host/fault.h"
#include "cuda/host/engine.h"
#include "cuda/host/fault_note.h"
#include "cuda/host/fiber.h"
#include "cuda/host/memory.h"
#include "cuda/host/sanitizer.h"

#include <signal.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <ucontext.h>

/* Formatting is safe here although snprintf is not on POSIX's list for signal handlers: these
 * signals come from an instruction of the kernel, not from within libc. */
static void note_access(const void *address, const char *how)
{
    char thread[128];
    char place[128];
    engine_describe_thread(thread, sizeof thread);
    if (fiber_overflowed(address)) {
        fault_note("%s: stack overflow", thread);
        return;
    }
    memory_describe(address, place, sizeof place);
    fault_note("%s: stray access %s%s", thread, place, how);
}

/* " (a write)" or " (a read)" where the machine reports it. */
static const char *access_kind(const void *context)
{
#ifdef __x86_64__
    const ucontext_t *machine = context;
    return machine->uc_mcontext.gregs[REG_ERR] & 2 ? " (a write)" : " (a read)";
#else
    (void)context;
    return "";
#endif
}

static void handle(int signal_number, siginfo_t *info, void *context)
{
    char thread[128];
    engine_describe_thread(thread, sizeof thread);
    if ((signal_number == SIGSEGV || signal_number == SIGBUS) && info->si_code > 0 &&
        info->si_code != SI_KERNEL)
        note_access(info->si_addr, access_kind(context));
    else if (signal_number == SIGSEGV || signal_number == SIGBUS)
        fault_note("%s: stray access to an address that cannot exist or is misaligned", thread);
    else if (signal_number == SIGILL)
        fault_note("%s: misaligned access, or an index outside its array", thread);
    else
        fault_note("%s: integer division by zero", thread);
    raise(signal_number); /* held back until this returns, then deadly (SA_RESETHAND) */
}

#if SANITIZER_ADDRESS
/* AddressSanitizer has found a stray access before the processor did: note it if it is a kernel's,
 * and die of the same signal as without it. */
static void handle_sanitizer_report(const char *report)
{
    (void)report;
    if (!engine_is_running())
        return;
    note_access(__asan_get_report_address(),
                __asan_get_report_access_type() ? " (a write)" : " (a read)");
    signal(SIGSEGV, SIG_DFL);
    raise(SIGSEGV);
}
#endif

static void install_handlers(void)
{
    /* The fault may be the stack's own overflow, so the handler runs on another one. */
    static unsigned char handler_stack[65536];
    static const int signals[] = {SIGSEGV, SIGBUS, SIGILL, SIGFPE};
    const stack_t stack = {.ss_sp = handler_stack, .ss_size = sizeof handler_stack};
    struct sigaction action = {.sa_sigaction = handle,
                               .sa_flags = SA_SIGINFO | SA_ONSTACK | (int)SA_RESETHAND};
    sigemptyset(&action.sa_mask);
    sigaltstack(&stack, NULL);
    for (size_t i = 0; i < sizeof signals / sizeof signals[0]; i++)
        sigaction(signals[i], &action, NULL);
#if SANITIZER_ADDRESS
    __asan_set_error_report_callback(handle_sanitizer_report);
#endif
}

void fault_set_note(char *buffer, size_t bytes)
{
    static bool installed;
    fault_note_keep(buffer, bytes);
    if (buffer && bytes && !installed)
        install_handlers();
    installed = installed || (buffer && bytes);
}
