/* The speeds of a gate: rows of kernels and shapes that there are, and a plan of them alone. */

#include "conformance/test/made_bench.h"

START_TEST(every_row_is_measured, "gate.parts.speeds")
{
    for (int quick = 0; quick < 2; quick++) {
        struct device_info info = made_gpu(90);
        struct bench_plan whole = {.row_count = 0};
        struct plan select = {.paths = "sass", .is_brief = true, .is_quick = quick};
        memset(select.selected, true, sizeof select.selected);
        bench_brief_select(&select, quick);
        bench_plan_make(&whole, &select, &info, 0, 1);
        for (int index = 0; index < bench_brief_count; index++) {
            const struct bench_brief *it = &bench_briefs[index];
            const int id = catalog_find(it->kernel);
            bool found = false;
            ck_assert_msg(id >= 0, "no kernel %s", it->kernel);
            for (int row = 0; row < whole.row_count; row++)
                found =
                    found || (whole.rows[row].subject.kernel == id &&
                              strcmp(bench_shapes[whole.groups[whole.rows[row].group].shape].name,
                                     it->shape) == 0);
            ck_assert_msg(found == (!quick || it->is_quick), "%s %s", it->kernel, it->shape);
        }
        for (int row = 0; row < whole.row_count; row++) {
            char name[CATALOG_NAME_BYTES];
            ck_assert(bench_brief_has(catalog_name(whole.rows[row].subject.kernel, name),
                                      bench_shapes[whole.groups[whole.rows[row].group].shape].name,
                                      quick));
        }
        bench_plan_free(&whole);
    }
}

START_TEST(every_algorithm_is_in_it, "gate.parts.speeds")
{
    for (int id = 0; id < catalog_count(); id++) {
        const char *algorithm = catalog_kernel(id)->algorithm;
        /* How far apart copies of the host lie from run to run is not known yet. */
        bool found =
            bench_shape_find(algorithm, NULL) < 0 || algorithm_find(algorithm)->crosses_link;
        for (int index = 0; index < bench_brief_count; index++)
            found =
                found || strcmp(catalog_kernel(catalog_find(bench_briefs[index].kernel))->algorithm,
                                algorithm) == 0;
        ck_assert_msg(found, "no speed of %s", algorithm);
    }
}
