/* A process that is prepared and waits for its turn, since others under way would disturb what it
 * measures. */
#ifndef ASSAY_CONFORMANCE_BASE_TURN_H
#define ASSAY_CONFORMANCE_BASE_TURN_H

#include <stdbool.h>

/* A pipe, made before the process that waits is forked. */
struct turn {
    int waits_fd, gives_fd; /* less than 0: closed */
};

/* False where there is no pipe. */
bool turn_open(struct turn *ret);

/* Returns when the turn is given. False where a signal came, or the process that gives has ended
 * before: then nothing is to be measured, and stop_signal (stop.h) says so. */
bool turn_wait(struct turn *turn);

void turn_give(struct turn *turn);

void turn_close(struct turn *turn);

#endif
