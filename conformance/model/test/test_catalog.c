/* A comparison of subjects looks at device, code path and kernel; each subject has an index of its
 * own. */
#include "conformance/model/catalog.h"
#include "conformance/test/made_subject.h"

enum { EACH = 3, SUBJECTS = EACH * EACH * EACH };

/* The devices, kernels and paths from 0 to EACH - 1. */
static struct subject subject_of(int number)
{
    return (struct subject){.device = (uint16_t)(number % EACH),
                            .kernel = (uint16_t)(number / EACH % EACH),
                            .path = (uint16_t)(number / EACH / EACH)};
}

START_TEST(a_subject_is_all_three, "verdicts.counts.whole")
{
    for (int left = 0; left < SUBJECTS; left++)
        for (int right = 0; right < SUBJECTS; right++)
            ck_assert_msg(subject_is_same(subject_of(left), subject_of(right)) == (left == right),
                          "%d and %d", left, right);
}

/* The last device's, too: all of them have a place in a table of subject_count() rows. */
START_TEST(each_subject_has_its_own_index, "verdicts.counts.whole")
{
    const int count = subject_count(EACH);
    ck_assert_int_eq(count, EACH * catalog_count() * path_count());
    for (int index = 0; index < count; index++) {
        const struct subject subject = subject_at(index);
        ck_assert_int_lt(subject.device, EACH);
        ck_assert_int_lt(subject.kernel, catalog_count());
        ck_assert_int_lt(subject.path, path_count());
        ck_assert_int_eq(subject_index(subject), index);
        ck_assert(index == 0 || !subject_is_same(subject, subject_at(index - 1)));
    }
    const struct subject last = {.device = EACH - 1,
                                 .kernel = (uint16_t)(catalog_count() - 1),
                                 .path = (uint16_t)(path_count() - 1)};
    ck_assert_int_eq(subject_index(last), count - 1);
}

/* A name with a slash is of a kernel, or of a mutant; nothing else is found. */
START_TEST(names_are_found, "runner.kernels.unique")
{
    for (int id = 0; id < catalog_count(); id++) {
        ck_assert_int_eq(catalog_find(CATALOG_NAME(id)), id);
        ck_assert((catalog_mutant(id) != NULL) == (id >= kernel_count));
        ck_assert_ptr_eq(catalog_known_kernel(CATALOG_NAME(id)),
                         id < kernel_count ? catalog_kernel(id) : NULL);
    }
    static const char *const unknown[] = {"",        "tiled",      "matmul",
                                          "matmul/", "aat/scalar", "mutant/tiled"};
    for (size_t index = 0; index < sizeof unknown / sizeof unknown[0]; index++)
        ck_assert_int_eq(catalog_find(unknown[index]), -1);
}

/* A pattern is one of names, or of algorithms; mutants have no algorithm's name. */
START_TEST(patterns_match_names_and_algorithms, "runner.kernels.unique")
{
    const int tiled = catalog_find("matmul/tiled"), mutant = catalog_find("mutant/k_short");
    ck_assert(catalog_matches(tiled, "matmul/tiled") && catalog_matches(tiled, "matmul/t*") &&
              catalog_matches(tiled, "*/tiled") && catalog_matches(tiled, "matmul") &&
              catalog_matches(tiled, "mat*"));
    ck_assert(!catalog_matches(tiled, "tiled") && !catalog_matches(tiled, "aat/*") &&
              !catalog_matches(tiled, "mutant/*"));
    ck_assert_str_eq(catalog_kernel(mutant)->algorithm, "matmul");
    ck_assert(catalog_matches(mutant, "mutant/k_short") && catalog_matches(mutant, "mutant/*"));
    ck_assert(!catalog_matches(mutant, "matmul") && !catalog_matches(mutant, "matmul/*"));
}

/* A product that no integer holds is above every limit. */
START_TEST(a_shape_is_what_its_row_names, "runner.kernels.shapes")
{
    const struct kernel bounded = {.takes = {{"n", .times = "stride", .at_most = 65536}}};
    const struct kernel halved = {.takes = {{"n", .at_least = 1}},
                                  .unsaid = {"n", .multiple_of = 64}};
    struct fuzz_case it = made_case("strided_copy n=64 stride=1024 fill=uniform seed=1");
    ck_assert(catalog_takes(&bounded, &it) && !catalog_declines(&bounded, &it));
    ck_assert(!catalog_declines(&halved, &it));
    it.axis[0] = 65;
    ck_assert(!catalog_takes(&bounded, &it) && catalog_declines(&bounded, &it));
    ck_assert(catalog_takes(&halved, &it) && catalog_declines(&halved, &it));
    it.axis[0] = INT64_MAX / 2;
    ck_assert(!catalog_takes(&bounded, &it));
}

/* A GPU's filter that nobody knows bars cases that depend on it; the host device computes the
 * filter, and a coordinate that is not normalized has all its bits. */
START_TEST(a_filter_bars_what_depends_on_it, "texture_fetch.filter.other")
{
    static const struct {
        const char *axes;
        struct device_limits limits;
        bool filters, cuts;
    } table[] = {
        {"", {.compute_capability = 90}, false, false},
        {"filter=1", {.compute_capability = 90}, true, false},
        {"normalized=1", {.compute_capability = 90}, true, false},
        {"filter=1", {.compute_capability = 0}, false, false},
        {"filter=1", {.compute_capability = 90, .coordinate_bits = 21}, false, false},
        {"normalized=1", {.compute_capability = 90, .coordinate_bits = 21}, false, false},
        {"normalized=1", {.compute_capability = 90, .coordinate_bits = 20}, false, true},
        {"filter=1", {.compute_capability = 90, .coordinate_bits = 20}, false, false},
        {"", {.compute_capability = 90, .coordinate_bits = 20}, false, false},
    };
    const struct kernel filters = {.filter_axes = {"filter", "normalized"}};
    const struct kernel cuts = {.coordinate_bits = 21};
    for (size_t row = 0; row < sizeof table / sizeof table[0]; row++) {
        char line[CASE_TEXT_BYTES];
        snprintf(line, sizeof line, "texture_fetch n=3 width=4 height=2 %s%sfill=uniform seed=1",
                 table[row].axes, table[row].axes[0] ? " " : "");
        const struct fuzz_case it = made_case(line);
        ck_assert_msg(catalog_needs_other_gpu(&filters, &it, &table[row].limits) ==
                          table[row].filters,
                      "filters, row %zu", row);
        ck_assert_msg(catalog_needs_other_gpu(&cuts, &it, &table[row].limits) == table[row].cuts,
                      "cuts, row %zu", row);
    }
}

/* Arrays of a module and launches in sequence belong to one stream; a texture does not. */
START_TEST(what_a_stream_owns_is_apart, "runner.kernels.image")
{
    ck_assert(catalog_is_apart(&(struct kernel){.bindings = {{.symbol = "lookup_table"}}}));
    ck_assert(catalog_is_apart(&(struct kernel){.launch_axis = "launches"}));
    ck_assert(!catalog_is_apart(catalog_kernel(made_kernel("texture_fetch/array"))));
    ck_assert(!catalog_is_apart(catalog_kernel(made_kernel("matmul/tiled"))));
}

/* One for each size of element, or one; of a driver's copy none. */
START_TEST(functions_are_of_sizes, "runner.kernels.image")
{
    static const char *const entries[] = {"offset_copy_scalar_1", "offset_copy_scalar_2",
                                          "offset_copy_scalar_4", "offset_copy_scalar_8",
                                          "offset_copy_scalar_16"};
    const struct kernel *copy = catalog_kernel(made_kernel("offset_copy/scalar"));
    const struct kernel *product = catalog_kernel(made_kernel("matmul/tiled"));
    for (int number = 0; number < KERNEL_ELEMENT_SIZES; number++) {
        ck_assert_str_eq(catalog_function(copy, number), entries[number]);
        ck_assert((catalog_function(product, number) != NULL) == (number == 0));
        ck_assert_ptr_null(
            catalog_function(catalog_kernel(made_kernel("host_copy/upload")), number));
    }
    ck_assert_str_eq(catalog_function(product, 0), "matmul_tiled");
}
