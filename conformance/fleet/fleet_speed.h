/* The figures of a fleet: a GPU that is slower than others of its model, or than a base, by more
 * than chance makes of all that is looked at (spec/fleet.md). */
#pragma once

#include "conformance/fleet/fleet_judged.h"
#include "conformance/fleet/fleet_siblings.h"

/* Adds the findings of all figures, and the sorts that the GPUs of a model are of; says what was
 * looked at in fleet->speeds. */
void fleet_judge_speeds(struct fleet *fleet, const struct fleet_classes *models);
