/* Warp exchanges by the CUDA C++ programming guide, "Warp Shuffle Functions" (wait.h). */
#include "cuda/host/wait.h"
#include "cuda/host/emulation_interface.h"
#include "cuda/host/schedule.h"

#include <string.h>

enum { LANES = 32 };

bool wait_same_place(const struct wait *a, const struct wait *b)
{
    return a->line == b->line && (a->file == b->file || strcmp(a->file, b->file) == 0);
}

bool wait_well_formed(const struct wait *wait, unsigned lane)
{
    return wait->width >= 1 && wait->width <= LANES && (wait->width & (wait->width - 1)) == 0 &&
           (wait->mask >> lane & 1) != 0;
}

/* The lane whose value `lane` gets. */
static unsigned source_lane(const struct wait *wait, unsigned lane)
{
    const unsigned width = (unsigned)wait->width;
    const unsigned operand = (unsigned)wait->operand;
    const unsigned first = lane / width * width;
    const unsigned place = lane - first;
    switch (wait->exchange) {
    case EMULATION_INDEX:
        return first + operand % width;
    case EMULATION_UP:
        return operand <= place ? lane - operand : lane;
    case EMULATION_DOWN:
        return operand < width - place ? lane + operand : lane;
    default: /* EMULATION_XOR: into earlier segments, not into later ones */
        return (lane ^ operand) < first + width ? lane ^ operand : lane;
    }
}

void wait_exchange(struct wait *warp_waits, uint32_t lanes, uint64_t *garbage)
{
    uint32_t given[LANES];
    uint32_t ballot = 0;
    for (unsigned lane = 0; lane < LANES; lane++) {
        if (lanes >> lane & 1) {
            given[lane] = warp_waits[lane].value;
            ballot |= (uint32_t)(given[lane] != 0) << lane;
        } else
            given[lane] = (uint32_t)schedule_random(garbage);
    }
    for (unsigned lane = 0; lane < LANES; lane++) {
        if (!(lanes >> lane & 1))
            continue;
        struct wait *wait = &warp_waits[lane];
        wait->value = wait->exchange == EMULATION_BALLOT ? ballot : given[source_lane(wait, lane)];
    }
}

const char *wait_file_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}
