/* Findings and groups of a fleet, and the words and statuses of its verdicts (fleet_judged.h). */
#include "conformance/fleet/fleet_judged.h"

#include <stdlib.h>

#include "conformance/base/array.h"
#include "conformance/base/heap.h"

static const struct {
    const char *name;
    enum verdict verdict;
} verdicts[FLEET_VERDICTS] = {
    [FLEET_SAME] = {"SAME", VERDICT_PASS},
    [FLEET_DIFFERS] = {"DIFFERS", VERDICT_INCONCLUSIVE},
    [FLEET_INCONCLUSIVE] = {"INCONCLUSIVE", VERDICT_INCONCLUSIVE},
    [FLEET_REGRESSED] = {"REGRESSED", VERDICT_FAIL},
    [FLEET_FAIL] = {"FAIL", VERDICT_FAIL},
};

const char *fleet_verdict_name(enum fleet_verdict verdict)
{
    return verdicts[verdict].name;
}

enum verdict fleet_verdict_of(enum fleet_verdict verdict)
{
    return verdicts[verdict].verdict;
}

void fleet_add(struct fleet *fleet, const struct fleet_finding *finding, bool is_undecided)
{
    HEAP_ROOM(fleet->findings, fleet->finding_count);
    struct fleet_finding *it = &fleet->findings[fleet->finding_count++];
    *it = *finding;
    it->severity = fleet_finding_rows[it->kind].severity;
    if (is_undecided && it->severity == SEVERITY_WORSE)
        it->severity = SEVERITY_INCONCLUSIVE;
}

void fleet_add_group(struct fleet *fleet, const struct fleet_group *group)
{
    HEAP_ROOM(fleet->groups, fleet->group_count);
    fleet->groups[fleet->group_count++] = *group;
}

const char *fleet_words(struct fleet *fleet, const char *text)
{
    return zone_text(&fleet->zone, text);
}

void fleet_judged_close(struct fleet *fleet)
{
    free(fleet->findings);
    free(fleet->groups);
    free(fleet->sorts);
    free(fleet->models);
    free(fleet->rows);
    free(fleet->same);
    zone_free(&fleet->zone);
}
