/* The caller's environment as far as it reaches the driver: what is recorded of it, what workers do
 * not get, and what hides GPUs. */
#ifndef ASSAY_CONFORMANCE_BASE_ENVIRONMENT_H
#define ASSAY_CONFORMANCE_BASE_ENVIRONMENT_H

#include <stdbool.h>
#include <stddef.h>

enum environment_deed {
    ENVIRONMENT_RECORDED, /* workers get it as it is */
    ENVIRONMENT_CLEARED,  /* workers do not get it */
    ENVIRONMENT_SET,      /* workers get another value */
    ENVIRONMENT_HIDES,    /* workers get it; it may hide GPUs from them */
};

struct environment_rule {
    const char *name; /* a shell pattern */
    enum environment_deed deed;
    const char *value; /* of ENVIRONMENT_SET */
    const char *why;
};

/* The first rule whose name matches holds. */
extern const struct environment_rule environment_rules[];
extern const size_t environment_rule_count;

/* One variable as it is recorded: "NAME=value", in printable ASCII, cut where it is long, and
 * without the value where the name says that it is a secret. */
enum { ENVIRONMENT_TEXT_BYTES = 320 };
struct environment_variable {
    const struct environment_rule *rule;
    char text[ENVIRONMENT_TEXT_BYTES];
};

/* Goes on to the next variable that a rule matches, in the order of their texts; `it` is all 0
 * before the first. False after the last. */
bool environment_next(struct environment_variable *it);

/* Those of one deed, joined by ", ", as many as fit, and "..." for the rest. False where there is
 * none. */
bool environment_join(enum environment_deed deed, char *ret_text, size_t text_bytes);

/* The variables that may keep GPUs from the driver, joined; false where none does. */
bool environment_hides(char *ret_text, size_t text_bytes);

/* In the process that becomes a worker: carries the rules out. */
void environment_apply(void);

#endif
