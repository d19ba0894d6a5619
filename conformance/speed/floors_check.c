/* Checking a floor file (floors.h): a floor typed in the wrong unit or a thousand times too low
 * looks like any other and never fails, so such a file is refused. Clause:
 * bandwidth.floor.checked. */
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "conformance/speed/bench_plan.h"
#include "conformance/base/reason.h"
#include "conformance/record/limit_file.h"
#include "conformance/speed/floors.h"
#include "conformance/speed/floor_fields.h"
#include "fuzz/input_file.h"

/* A fraction below the one that is sure could be a mistake of units, unless it lies close under
 * what was measured, and that was measured well. */
static const double fraction_sure = 0.02, sure_margin = 0.1, sure_spread = 0.05;
static const size_t gpu_entries_most = 1024; /* each is looked for among all before it */
static const double margin_digits = 0.001;   /* speeds in provenance are rounded */

struct floor_check {
    char *path; /* char[FORM_PATH_BYTES]: of the entry that is looked at, and left there when it is
                   wrong */
    struct reason *reason;
};

__attribute__((format(printf, 2, 3))) static bool refuse(struct floor_check *check,
                                                         const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(check->reason->text, sizeof check->reason->text, format, arguments);
    va_end(arguments);
    input_file_tame(check->reason->text);
    check->reason->kind = REASON_INPUT;
    return false;
}

__attribute__((format(printf, 2, 3))) static void enter(struct floor_check *check,
                                                        const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(check->path, FORM_PATH_BYTES, format, arguments);
    va_end(arguments);
}

/* What is measured of one GPU says nothing of another. */
static bool is_of_gpu(struct floor_check *check, const json_t *origin, const char *gpu)
{
    return strcmp(field_floor_origin_gpu(origin), gpu) == 0 ||
           refuse(check, "its provenance is of another GPU, %.60s", field_floor_origin_gpu(origin));
}

bool floors_is_fraction(double fraction, double measured, double spread)
{
    return fraction > fraction_sure || (fraction > form_fraction.least && spread <= sure_spread &&
                                        fraction >= measured * (1 - sure_margin));
}

/* A floor against what was measured: not above it, and not so low that it cannot fail. */
static bool check_fraction(struct floor_check *check, const char *key, double fraction,
                           const json_t *provenance)
{
    double measured = field_floor_bandwidth_median_gbps(provenance) /
                      field_floor_bandwidth_ceiling_gbps(provenance);
    double lowest = field_floor_bandwidth_lowest(provenance);
    double highest = field_floor_bandwidth_highest(provenance);
    double margin = 1 - fraction / measured, said = field_floor_origin_margin(provenance);
    /* In the L2 cache a kernel may be faster than both copies, but not by much. */
    if (measured < form_fraction.least || measured > 2 * form_fraction.most)
        return refuse(check, "its provenance measured a fraction of %.4g: is a unit wrong?",
                      measured);
    if (!floors_is_fraction(fraction, measured, field_floor_origin_spread(provenance)))
        return refuse(
            check,
            "%s is %g, and below %g it must lie within %g of what was measured, %.4g, with "
            "a spread of %g at most",
            key, fraction, fraction_sure, sure_margin, measured, sure_spread);
    if (fraction < measured / 4)
        return refuse(check, "%s is %.4g, below a quarter of its own provenance, %.4g", key,
                      fraction, measured);
    if (!(lowest <= measured * 1.0001 && measured <= highest * 1.0001))
        return refuse(check, "%.4g, which was measured, is not between %.4g and %.4g", measured,
                      lowest, highest);
    if (fraction > lowest)
        return refuse(check, "%s is %.4g, above its own provenance, %.4g", key, fraction, lowest);
    return fabs(margin - said) < margin_digits ||
           refuse(check, "its margin is %.4g, and %s lies %.4g below what was measured", said, key,
                  margin);
}

/* The kernel of an entry, which has that shape; NULL where there is none. */
static const struct kernel *check_kernel(struct floor_check *check, const char *name,
                                         const char *shape)
{
    const struct kernel *kernel = catalog_known_kernel(name);
    if (kernel == NULL)
        refuse(check, "unknown kernel %.60s", name);
    else if (bench_shape_find(kernel->algorithm, shape) < 0)
        refuse(check, "%s has no shape %.40s", kernel->algorithm, shape);
    else
        return kernel;
    return NULL;
}

static bool check_floor(struct floor_check *check, const json_t *entry, const char *gpu)
{
    const json_t *provenance = field_floor_entry_provenance(entry);
    const char *shape = field_floor_entry_shape(entry);
    const struct kernel *kernel = check_kernel(check, field_floor_entry_kernel(entry), shape);
    if (kernel == NULL)
        return false;
    int bytes =
        bench_shape_element_bytes(&bench_shapes[bench_shape_find(kernel->algorithm, shape)]);
    if (field_floor_entry_element_bytes(entry) != bytes)
        return refuse(check, "element_bytes is %d, and the elements of shape %.40s have %d",
                      (int)field_floor_entry_element_bytes(entry), shape, bytes);
    return is_of_gpu(check, provenance, gpu) &&
           check_fraction(check, "fraction_of_ceiling",
                          field_floor_entry_fraction_of_ceiling(entry), provenance);
}

static bool check_latency(struct floor_check *check, const json_t *entry, const char *gpu)
{
    const json_t *provenance = field_floor_latency_provenance(entry);
    double measured = field_floor_time_median_us(provenance);
    double ceiling = field_floor_latency_ceiling_us(entry);
    int call = 0;
    while (call < bench_latency_count() &&
           strcmp(bench_latency_name(call), field_floor_latency_call(entry)) != 0)
        call++;
    if (call == bench_latency_count())
        return refuse(check, "unknown host call %.40s", field_floor_latency_call(entry));
    if (!is_of_gpu(check, provenance, gpu))
        return false;
    return (ceiling >= measured && ceiling <= 10 * measured) ||
           refuse(check, "ceiling_us is %g where %g was measured: not from 1 to 10 times that",
                  ceiling, measured);
}

typedef bool entry_check(struct floor_check *check, const json_t *entry, const char *gpu);

static bool check_entries(struct floor_check *check, const json_t *array, const char *array_path,
                          const char *gpu, entry_check *check_entry, const char *const *keys)
{
    size_t index;
    json_t *entry;
    json_array_foreach(array, index, entry)
    {
        enter(check, "%s[%zu]", array_path, index);
        if (!check_entry(check, entry, gpu))
            return false;
        if (limit_file_repeats(array, index, keys))
            return refuse(check, "occurs twice");
    }
    return true;
}

static bool check_ceiling(struct floor_check *check, const json_t *ceiling, const char *gpu)
{
    const json_t *provenance = field_floor_ceiling_provenance(ceiling);
    return is_of_gpu(check, provenance, gpu) &&
           check_fraction(check, "fraction_of_peak", field_floor_ceiling_fraction_of_peak(ceiling),
                          provenance);
}

static bool check_gpu(struct floor_check *check, const json_t *gpu, size_t index)
{
    static const char *const floor_keys[] = {
        FIELD_KEY(floor_entry, kernel), FIELD_KEY(floor_entry, shape),
        FIELD_KEY(floor_entry, regime), FIELD_KEY(floor_entry, element_bytes), NULL};
    static const char *const latency_keys[] = {FIELD_KEY(floor_latency, call),
                                               FIELD_KEY(floor_latency, cpu),
                                               FIELD_KEY(floor_latency, hypervisor), NULL};
    const char *name = field_floor_gpu_gpu(gpu);
    char path[64];
    for (int regime = 0; regime < REGIME_COUNT; regime++) {
        const char *key = floors_ceiling_key((enum regime)regime);
        enter(check, "gpus[%zu].%s", index, key);
        if (json_object_get(gpu, key) && !check_ceiling(check, json_object_get(gpu, key), name))
            return false;
    }
    snprintf(path, sizeof path, "gpus[%zu].floors", index);
    if (!check_entries(check, field_floor_gpu_floors(gpu), path, name, check_floor, floor_keys))
        return false;
    snprintf(path, sizeof path, "gpus[%zu].latencies", index);
    return check_entries(check, field_floor_gpu_latencies(gpu), path, name, check_latency,
                         latency_keys);
}

static bool check_relation(struct floor_check *check, const json_t *entry, const char *gpu)
{
    double least = field_floor_relation_least_ratio(entry);
    double most = field_floor_relation_most_ratio(entry);
    (void)gpu;
    if (check_kernel(check, field_floor_relation_kernel(entry),
                     field_floor_relation_shape(entry)) == NULL ||
        check_kernel(check, field_floor_relation_against(entry),
                     field_floor_relation_against_shape(entry)) == NULL)
        return false;
    if (least <= 0 && most <= 0)
        return refuse(check, "has neither least_ratio nor most_ratio");
    if (field_floor_relation_from(entry) > field_floor_relation_to(entry))
        return refuse(check, "from is above to");
    return most <= 0 || most > least ||
           refuse(check, "most_ratio is %g, not above least_ratio, %g", most, least);
}

bool floors_check(const json_t *root, char ret_path[FORM_PATH_BYTES], struct reason *ret_reason)
{
    static const char *const gpu_keys[] = {FIELD_KEY(floor_gpu, gpu),
                                           FIELD_KEY(floor_gpu, compute_capability), NULL};
    static const char *const relation_keys[] = {FIELD_KEY(floor_relation, clause), NULL};
    struct floor_check check = {ret_path, ret_reason};
    const json_t *gpus = field_floor_file_gpus(root), *gpu;
    size_t index;
    enter(&check, "%s", "");
    if (field_floor_file_floors(root)[0] && raw_floor_file_version(root) &&
        (strcmp(field_floor_file_floors(root), "assay") != 0 ||
         field_floor_file_version(root) != FLOORS_VERSION))
        return refuse(&check, "not assay floors of version %d", FLOORS_VERSION);
    if (json_array_size(gpus) > gpu_entries_most) {
        enter(&check, "gpus[%zu]", gpu_entries_most);
        return refuse(&check, "is one more than the %zu that a file may have", gpu_entries_most);
    }
    if (!form_check(&form_floor_file, root, ret_path, ret_reason))
        return false;
    json_array_foreach(gpus, index, gpu)
    {
        if (!check_gpu(&check, gpu, index))
            return false;
        enter(&check, "gpus[%zu]", index);
        if (limit_file_repeats(gpus, index, gpu_keys))
            return refuse(&check, "occurs twice");
    }
    return check_entries(&check, field_floor_file_relations(root), "relations", "", check_relation,
                         relation_keys);
}
