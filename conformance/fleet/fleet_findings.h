/* The kinds of finding of a fleet (fleet_findings.def). */
#pragma once

#include "conformance/compare/compared.h"

enum fleet_finding_kind {
#define FINDING(id, difference, words)    FLEET_##id,
#define OWN(id, section, severity, words) FLEET_##id,
#include "conformance/fleet/fleet_findings.def"
#undef FINDING
#undef OWN
    FLEET_FINDING_KINDS
};

struct fleet_finding_row {
    const char *name; /* in JSON */
    enum section section;
    enum severity severity;
    const char *words;
};
extern const struct fleet_finding_row fleet_finding_rows[FLEET_FINDING_KINDS];
