/* That the run is to end: set by a signal, or because its output is lost. */
#ifndef ASSAY_CONFORMANCE_BASE_STOP_H
#define ASSAY_CONFORMANCE_BASE_STOP_H

#include <signal.h>
#include <stdbool.h>

/* 0, or why: the signal's number; SIGPIPE where the output is lost. What is under way is to be
 * given up soon. */
extern volatile sig_atomic_t stop_signal;

/* From here on SIGINT, SIGTERM, SIGHUP and SIGQUIT end nothing by themselves, but set stop_signal.
 * One that was ignored when the program was started (nohup, a shell's background) stays ignored. */
void stop_catch_signals(void);

/* True where a signal set it. */
bool stop_is_signalled(void);

#endif
