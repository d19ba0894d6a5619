/* The text columns of a fleet: what most rows have is the rest, and another value is a finding. */
#pragma once

#include "conformance/fleet/fleet_judged.h"
#include "conformance/fleet/fleet_siblings.h"

/* Adds the findings and groups of all text columns. */
void fleet_judge_exact(struct fleet *fleet, const struct fleet_classes classes[SIBLINGS_COUNT]);
