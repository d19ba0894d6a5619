/* Checking a floor file (floors.h): a floor typed in the wrong unit or a thousand times too low
 * looks like any other and never fails, so such a file is refused. Clause:
 * bandwidth.floor.checked. */
#include <ctype.h>
#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "conformance/speed/bench_plan.h"
#include "conformance/base/reason.h"
#include "conformance/speed/floors.h"
#include "conformance/record/field.h"
#include "fuzz/input_file.h"

/* A fraction outside is a mistake of units: no kernel beats the copy, and none is so slow and fit.
 * One below the fraction that is sure could be one, too, unless it lies close under what was
 * measured, and that was measured well. */
static const double fraction_least = 0.0005, fraction_sure = 0.02, fraction_most = 1.05;
static const double sure_margin = 0.1, sure_spread = 0.05;
static const double ratio_least = 0.02; /* of a relation */
static const double gbps_least = 0.1, gbps_most = 1e5, latency_us_most = 1e6;
static const size_t gpu_entries_most = 1024; /* each is looked for among all before it */
static const double margin_digits = 0.001;   /* speeds in provenance are rounded */
static const double gpus_most = 1e6, capability_most = 1e4;

struct floor_check {
    const json_t *root;
    char *path; /* char[128]: of the entry that is looked at, and left there when it is wrong */
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
    vsnprintf(check->path, 128, format, arguments);
    va_end(arguments);
}

/* A member that an object must have; every other is refused. */
struct member {
    const char *name;
    json_type type; /* JSON_REAL: any number */
    bool optional;
};

static bool is_type(const json_t *value, json_type type)
{
    return type == JSON_REAL ? json_is_number(value) : value && json_typeof(value) == type;
}

static bool has_members(struct floor_check *check, const json_t *object,
                        const struct member *members, int count)
{
    const char *key;
    json_t *value;
    if (!json_is_object(object))
        return refuse(check, "is not an object");
    for (int index = 0; index < count; index++) {
        value = json_object_get(object, members[index].name);
        if (value == NULL && members[index].optional)
            continue;
        if (value == NULL)
            return refuse(check, "has no %s", members[index].name);
        if (!is_type(value, members[index].type))
            return refuse(check, "%s is of the wrong type", members[index].name);
    }
    json_object_foreach((json_t *)object, key, value)
    {
        int index = 0;
        while (index < count && strcmp(members[index].name, key) != 0)
            index++;
        if (index == count)
            return refuse(check, "%.40s is no name that is known here, or no unit", key);
    }
    return true;
}
#define HAS_MEMBERS(check, object, members)                                                        \
    has_members(check, object, members, (int)(sizeof members / sizeof members[0]))

static double number(const json_t *object, const char *key)
{
    return json_number_value(json_object_get(object, key));
}

static bool in_range(struct floor_check *check, const json_t *object, const char *key, double least,
                     double most)
{
    double value = number(object, key);
    return (value > least && value < most) ||
           refuse(check, "%s is %g, outside (%g, %g)", key, value, least, most);
}

bool floors_is_date(const char *text)
{
    static const char form[] = "0000-00-00";
    size_t index = 0;
    while (form[index] &&
           (form[index] == '-' ? text[index] == '-' : isdigit((unsigned char)text[index])))
        index++;
    return form[index] == 0 && text[index] == 0;
}

/* What every measured entry says of where it comes from. */
static bool check_provenance(struct floor_check *check, const json_t *entry, const char *gpu,
                             bool latency)
{
    static const struct member bandwidth[] = {
        {"median_gbps", JSON_REAL, false}, {"ceiling_gbps", JSON_REAL, false},
        {"spread", JSON_REAL, false},      {"margin", JSON_REAL, false},
        {"lowest", JSON_REAL, false},      {"highest", JSON_REAL, false},
        {"gpus", JSON_INTEGER, false},     {"gpu", JSON_STRING, false},
        {"driver", JSON_STRING, false},    {"date", JSON_STRING, false},
        {"found_loss", JSON_REAL, true},
    };
    static const struct member time[] = {
        {"median_us", JSON_REAL, false}, {"spread", JSON_REAL, false},
        {"margin", JSON_REAL, false},    {"gpu", JSON_STRING, false},
        {"driver", JSON_STRING, false},  {"date", JSON_STRING, false},
    };
    const json_t *provenance = json_object_get(entry, "provenance");
    if (latency ? !HAS_MEMBERS(check, provenance, time)
                : !HAS_MEMBERS(check, provenance, bandwidth))
        return false;
    if (strcmp(field_text(provenance, "gpu"), gpu) != 0)
        return refuse(check, "its provenance is another GPU, %.60s", field_text(provenance, "gpu"));
    if (!floors_is_date(field_text(provenance, "date")))
        return refuse(check, "the date of its provenance is not YYYY-MM-DD");
    if (number(provenance, "spread") < 0 || number(provenance, "spread") > 0.5)
        return refuse(check, "a spread of %g is no measurement", number(provenance, "spread"));
    if (latency)
        return in_range(check, provenance, "median_us", 0, latency_us_most);
    if (json_object_get(provenance, "found_loss") &&
        !in_range(check, provenance, "found_loss", 0, 1))
        return false;
    return in_range(check, provenance, "gpus", 0, gpus_most) &&
           in_range(check, provenance, "median_gbps", gbps_least, gbps_most) &&
           in_range(check, provenance, "ceiling_gbps", gbps_least, gbps_most);
}

bool floors_is_fraction(double fraction, double measured, double spread)
{
    return fraction > fraction_sure || (fraction > fraction_least && spread <= sure_spread &&
                                        fraction >= measured * (1 - sure_margin));
}

/* A floor against what was measured: not above it, and not so low that it cannot fail. */
static bool check_fraction(struct floor_check *check, const json_t *entry, const char *key)
{
    if (!in_range(check, entry, key, fraction_least, fraction_most))
        return false;
    const json_t *provenance = json_object_get(entry, "provenance");
    double measured = number(provenance, "median_gbps") / number(provenance, "ceiling_gbps");
    /* In the L2 cache a kernel may be faster than both copies, but not by much. */
    if (measured < fraction_least || measured > 2 * fraction_most)
        return refuse(check, "its provenance measured a fraction of %.4g: is a unit wrong?",
                      measured);
    if (!floors_is_fraction(number(entry, key), measured, number(provenance, "spread")))
        return refuse(
            check,
            "%s is %g, and below %g it must lie within %g of what was measured, %.4g, with "
            "a spread of %g at most",
            key, number(entry, key), fraction_sure, sure_margin, measured, sure_spread);
    if (number(entry, key) < measured / 4)
        return refuse(check, "%s is %.4g, below a quarter of its own provenance, %.4g", key,
                      number(entry, key), measured);
    double lowest = number(provenance, "lowest"), highest = number(provenance, "highest");
    if (!(lowest <= measured * 1.0001 && measured <= highest * 1.0001))
        return refuse(check, "%.4g, which was measured, is not between %.4g and %.4g", measured,
                      lowest, highest);
    if (number(entry, key) > lowest)
        return refuse(check, "%s is %.4g, above its own provenance, %.4g", key, number(entry, key),
                      lowest);
    double margin = 1 - number(entry, key) / measured;
    return fabs(margin - number(provenance, "margin")) < margin_digits ||
           refuse(check, "its margin is %.4g, and %s lies %.4g below what was measured",
                  number(provenance, "margin"), key, margin);
}

const struct kernel *floors_known_kernel(const char *name)
{
    for (int id = 0; id < kernel_count; id++) {
        char each[CATALOG_NAME_BYTES];
        if (strcmp(catalog_name(id, each), name) == 0)
            return &kernels[id];
    }
    return NULL;
}

static bool check_kernel(struct floor_check *check, const json_t *entry, const char *kernel_key,
                         const char *shape_key)
{
    const struct kernel *kernel = floors_known_kernel(field_text(entry, kernel_key));
    if (kernel == NULL)
        return refuse(check, "unknown kernel %.60s", field_text(entry, kernel_key));
    return bench_shape_find(kernel->algorithm, field_text(entry, shape_key)) >= 0 ||
           refuse(check, "%s has no shape %.40s", kernel->algorithm, field_text(entry, shape_key));
}

static bool check_regime(struct floor_check *check, const json_t *entry)
{
    for (int regime = 0; regime < REGIME_COUNT; regime++)
        if (strcmp(field_text(entry, "regime"), regime_name((enum regime)regime)) == 0)
            return true;
    return refuse(check, "unknown regime %.20s", field_text(entry, "regime"));
}

/* True when an entry before this one has the same keys. */
static bool is_repeated(const json_t *array, size_t index, const char *const *keys)
{
    for (size_t before = 0; before < index; before++) {
        const char *const *key = keys;
        while (*key && json_equal(json_object_get(json_array_get(array, before), *key),
                                  json_object_get(json_array_get(array, index), *key)))
            key++;
        if (*key == NULL)
            return true;
    }
    return false;
}

static bool check_floor(struct floor_check *check, const json_t *entry, const char *gpu)
{
    static const struct member members[] = {
        {"kernel", JSON_STRING, false},     {"shape", JSON_STRING, false},
        {"regime", JSON_STRING, false},     {"element_bytes", JSON_INTEGER, false},
        {"provenance", JSON_OBJECT, false}, {"fraction_of_ceiling", JSON_REAL, false},
    };
    if (!HAS_MEMBERS(check, entry, members) || !check_kernel(check, entry, "kernel", "shape") ||
        !check_regime(check, entry))
        return false;
    const struct kernel *kernel = floors_known_kernel(field_text(entry, "kernel"));
    int shape = bench_shape_find(kernel->algorithm, field_text(entry, "shape"));
    int bytes = bench_shape_element_bytes(&bench_shapes[shape]);
    if (number(entry, "element_bytes") != bytes)
        return refuse(check, "element_bytes is %g, and the elements of shape %.40s have %d",
                      number(entry, "element_bytes"), field_text(entry, "shape"), bytes);
    return check_provenance(check, entry, gpu, false) &&
           check_fraction(check, entry, "fraction_of_ceiling");
}

static bool check_latency(struct floor_check *check, const json_t *entry, const char *gpu)
{
    static const struct member members[] = {{"call", JSON_STRING, false},
                                            {"cpu", JSON_STRING, false},
                                            {"hypervisor", JSON_STRING, false},
                                            {"ceiling_us", JSON_REAL, false},
                                            {"provenance", JSON_OBJECT, false}};
    if (!HAS_MEMBERS(check, entry, members))
        return false;
    int call = 0;
    while (call < bench_latency_count() &&
           strcmp(bench_latency_name(call), field_text(entry, "call")) != 0)
        call++;
    if (call == bench_latency_count())
        return refuse(check, "unknown host call %.40s", field_text(entry, "call"));
    if (!check_provenance(check, entry, gpu, true) ||
        !in_range(check, entry, "ceiling_us", 0, latency_us_most))
        return false;
    double measured = number(json_object_get(entry, "provenance"), "median_us");
    double ceiling = number(entry, "ceiling_us");
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
        if (is_repeated(array, index, keys))
            return refuse(check, "is there twice");
    }
    return true;
}

static bool check_ceiling(struct floor_check *check, const json_t *ceiling, const char *gpu)
{
    static const struct member members[] = {{"fraction_of_peak", JSON_REAL, false},
                                            {"provenance", JSON_OBJECT, false}};
    return HAS_MEMBERS(check, ceiling, members) && check_provenance(check, ceiling, gpu, false) &&
           check_fraction(check, ceiling, "fraction_of_peak");
}

static bool check_gpu(struct floor_check *check, const json_t *gpu, size_t index)
{
    static const struct member members[] = {
        {"gpu", JSON_STRING, false},    {"compute_capability", JSON_INTEGER, false},
        {"ceiling", JSON_OBJECT, true}, {"l2_ceiling", JSON_OBJECT, true},
        {"floors", JSON_ARRAY, false},  {"latencies", JSON_ARRAY, false},
    };
    static const char *const floor_keys[] = {"kernel", "shape", "regime", "element_bytes", NULL};
    static const char *const latency_keys[] = {"call", "cpu", "hypervisor", NULL};
    char path[64];
    enter(check, "gpus[%zu]", index);
    if (!HAS_MEMBERS(check, gpu, members))
        return false;
    const char *name = field_text(gpu, "gpu");
    for (int regime = 0; regime < REGIME_COUNT; regime++) {
        const char *key = floors_ceiling_key((enum regime)regime);
        enter(check, "gpus[%zu].%s", index, key);
        if (json_object_get(gpu, key) && !check_ceiling(check, json_object_get(gpu, key), name))
            return false;
    }
    snprintf(path, sizeof path, "gpus[%zu].floors", index);
    if (!check_entries(check, json_object_get(gpu, "floors"), path, name, check_floor, floor_keys))
        return false;
    snprintf(path, sizeof path, "gpus[%zu].latencies", index);
    return check_entries(check, json_object_get(gpu, "latencies"), path, name, check_latency,
                         latency_keys);
}

static bool check_relation(struct floor_check *check, const json_t *entry, const char *gpu)
{
    static const struct member members[] = {
        {"clause", JSON_STRING, false},   {"kernel", JSON_STRING, false},
        {"shape", JSON_STRING, false},    {"against", JSON_STRING, false},
        {"regime", JSON_STRING, false},   {"against_shape", JSON_STRING, false},
        {"least_ratio", JSON_REAL, true}, {"most_ratio", JSON_REAL, true},
        {"from", JSON_INTEGER, false},    {"to", JSON_INTEGER, false},
    };
    (void)gpu;
    if (!HAS_MEMBERS(check, entry, members) || !check_regime(check, entry) ||
        !check_kernel(check, entry, "kernel", "shape") ||
        !check_kernel(check, entry, "against", "against_shape"))
        return false;
    bool least = json_object_get(entry, "least_ratio") != NULL;
    bool most = json_object_get(entry, "most_ratio") != NULL;
    if (!least && !most)
        return refuse(check, "has neither least_ratio nor most_ratio");
    if (number(entry, "from") > number(entry, "to"))
        return refuse(check, "from is above to");
    if (!in_range(check, entry, "from", 0, capability_most) ||
        !in_range(check, entry, "to", 0, capability_most))
        return false;
    return (!least || in_range(check, entry, "least_ratio", ratio_least, 100)) &&
           (!most || in_range(check, entry, "most_ratio", number(entry, "least_ratio"), 100));
}

bool floors_check(const json_t *root, char ret_path[128], struct reason *ret_reason)
{
    static const struct member members[] = {{"floors", JSON_STRING, false},
                                            {"version", JSON_INTEGER, false},
                                            {"bandwidth_unit", JSON_STRING, false},
                                            {"latency_unit", JSON_STRING, false},
                                            {"gpus", JSON_ARRAY, false},
                                            {"relations", JSON_ARRAY, false}};
    static const char *const gpu_keys[] = {"gpu", "compute_capability", NULL};
    static const char *const relation_keys[] = {"clause", NULL};
    struct floor_check check = {root, ret_path, ret_reason};
    enter(&check, "%s", "");
    if (!HAS_MEMBERS(&check, root, members))
        return false;
    if (strcmp(field_text(root, "floors"), "assay") != 0 ||
        number(root, "version") != FLOORS_VERSION)
        return refuse(&check, "no assay floors of version %d", FLOORS_VERSION);
    if (strcmp(field_text(root, "bandwidth_unit"), "GB/s") != 0)
        return refuse(&check, "bandwidth_unit is %.20s, not GB/s",
                      field_text(root, "bandwidth_unit"));
    if (strcmp(field_text(root, "latency_unit"), "us") != 0)
        return refuse(&check, "latency_unit is %.20s, not us", field_text(root, "latency_unit"));
    size_t index;
    json_t *gpu;
    const json_t *gpus = json_object_get(root, "gpus");
    json_array_foreach(gpus, index, gpu)
    {
        if (!check_gpu(&check, gpu, index))
            return false;
        enter(&check, "gpus[%zu]", index);
        if (index == gpu_entries_most)
            return refuse(&check, "is one more than the %zu that a file may have",
                          gpu_entries_most);
        if (is_repeated(gpus, index, gpu_keys))
            return refuse(&check, "is there twice");
    }
    return check_entries(&check, json_object_get(root, "relations"), "relations", "",
                         check_relation, relation_keys);
}
