/* What a finding means for whoever runs the machine: how severe it is, and what to do.
 *
 *     const struct advice it = advise(line, VERDICT_FAIL, NULL);
 *     printf("%s: %s\n", finding_severity_words[it.severity], action_words[it.action]);
 *
 * Both are data, so a scheduler, an alert or a ticket can go by them. */
#pragma once

#include <stdbool.h>

#include "conformance/record/lines.h"

enum finding_severity {
    FINDING_INFO,     /* not checked, for a reason that is no fault */
    FINDING_UNKNOWN,  /* undecided: neither good nor bad */
    FINDING_CRITICAL, /* the stack is unfit */
    FINDING_SEVERITY_COUNT
};

/* From none to the most that can be done; the last three take the machine out of service. */
enum action {
    ACTION_NONE,
    ACTION_REPEAT,   /* run it again: the machine was busy, or the run was cut short */
    ACTION_FIX_HOST, /* the host lacks something, or is too slow */
    ACTION_REPORT,   /* to the compiler's vendor: the machine itself is not at fault */
    ACTION_RESET,    /* reset the GPU and run it again */
    ACTION_DRAIN,    /* take the machine out of service */
    ACTION_RETURN,   /* the GPU itself is faulty: wrong bits that come and go */
    ACTION_COUNT
};

/* "info", "unknown", "critical"; "none", "repeat", "fix_host", "report", "reset", "drain",
 * "return". */
extern const char *const finding_severity_words[FINDING_SEVERITY_COUNT],
    *const action_words[ACTION_COUNT];

struct advice {
    enum finding_severity severity;
    enum action action;
};

/* Of a verdict alone, whatever it is of. */
struct advice advice_of(enum verdict verdict);

/* A finding: the line that says so, its verdict, and the `reduced` line of a failing check, or
 * NULL. */
struct advice advise(const struct line *line, enum verdict verdict,
                     const struct line_reduced *reduced);
