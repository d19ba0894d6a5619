/* GPUs that a machine should have, and has not. */
#pragma once

#include "conformance/fleet/fleet_judged.h"

/* Adds a finding for each machine that lacks a GPU: one that the base has in the same machine; or,
 * without a base, one at an address where its siblings have one, or as many as most have. Hosts
 * that lack the same are a sort of hosts. */
void fleet_judge_missing(struct fleet *fleet);
