/* The table of a gate's speeds (bench_brief.h). Clauses: gate.parts.speeds, gate.parts.samples. */
#include "conformance/speed/bench_brief.h"

#include <string.h>

#include "conformance/model/speed_job.h"

const struct bench_brief bench_briefs[] = {
    {"offset_copy/vector", "offset=0", true},
    {"offset_copy/scalar", "offset=1", false},
    {"offset_copy/vector", "element=1", false},
    {"strided_copy/scalar", "stride=8", false},
    {"adjacent_difference/shared", "line", false},
    {"matmul/shared_ab", "k=32", false},
    {"matmul/tiled", "square", true},
    {"aat/padded", "k=32", false},
    {"aat/tiled", "square", false},
    {"table_lookup/constant", "distinct=32", false},
    {"thread_array/local", "distinct=1", false},
    {"sliding_window/window", "hot=5242880", false},
    {"texture_fetch/array", "filter", false},
    {"shared_stride/padded", "stride=32", false},
    {"shared_copy/pipeline", "element=16", false},
};
const int bench_brief_count = sizeof bench_briefs / sizeof bench_briefs[0];

bool bench_brief_has(const char *kernel, const char *shape, bool quick)
{
    for (int index = 0; index < bench_brief_count; index++) {
        const struct bench_brief *it = &bench_briefs[index];
        if (strcmp(it->kernel, kernel) == 0 && (shape == NULL || strcmp(it->shape, shape) == 0) &&
            (!quick || it->is_quick))
            return true;
    }
    return false;
}

void bench_brief_select(struct plan *select, bool quick)
{
    char name[CATALOG_NAME_BYTES];
    for (int id = 0; id < catalog_count(); id++)
        select->selected[id] =
            select->selected[id] && bench_brief_has(catalog_name(id, name), NULL, quick);
}

int bench_brief_samples(bool is_timed, bool quick)
{
    return !is_timed ? BENCH_SAMPLES_HOST : quick ? BENCH_SAMPLES_QUICK : BENCH_SAMPLES;
}
