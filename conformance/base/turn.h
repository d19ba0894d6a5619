/* A process that waits for another: until nothing disturbs what it measures, or until the devices
 * that the other needs first are open. */
#ifndef ASSAY_CONFORMANCE_BASE_TURN_H
#define ASSAY_CONFORMANCE_BASE_TURN_H

#include <stdbool.h>

/* A pipe, made before the process that waits is forked. */
struct turn {
    int waits_fd, gives_fd; /* less than 0: closed */
};

/* False where there is no pipe. */
bool turn_open(struct turn *ret);

/* Returns when the turn is given. False where a signal came (stop.h), or the process that gives has
 * ended before. */
bool turn_wait(struct turn *turn);

/* Once; what follows does nothing. */
void turn_give(struct turn *turn);

void turn_close(struct turn *turn);

#endif
