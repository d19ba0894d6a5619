/* Reading, checking and asking floors (floors.h). A floor typed in the wrong unit or a thousand
 * times too low looks like any other and never fails, so such a file is refused. Clauses:
 * bandwidth.floor.provenance, bandwidth.floor.derived, bandwidth.floor.checked. */
#include "conformance/speed/floors.h"

#include <math.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "conformance/base/input_file.h"
#include "conformance/record/limit_file.h"
#include "conformance/speed/bench_plan.h"

/* The model for a GPU that nobody has measured: generous, so that it finds what is broken and not
 * what is merely different. */
static const double derived_link = 0.7, derived_pageable = 0.02; /* of the link to the host */
static const double derived_copy = 0.25;     /* of what the sector model allows */
static const double derived_bytes = 4;       /* and of less than this an element, in proportion */
static const double derived_compute = 0.005; /* of the roofline, at more than one flop a byte */
/* Fractions of the peak: in DRAM published GPUs reach 0.79 and more; in the L2 cache an H200
 * reaches 0.31. */
static const double derived_ceilings[REGIME_COUNT] = {[REGIME_DRAM] = 0.6, [REGIME_L2] = 0.1};
static const double derived_latency_us = 1000;

extern const char *const floors_builtin_lines[]; /* lines_builtin.c.in */

static const struct limit_file sort = {.section = "floors",
                                       .name = "spec/floors.json",
                                       .builtin_lines = floors_builtin_lines,
                                       .check = floors_check};

bool floors_parse(const char *path, const char *text, struct floors *ret, struct reason *ret_reason)
{
    ret->root = limit_file_parse(&sort, path, text, ret_reason);
    return ret->root != NULL;
}

bool floors_open(const char *path, struct floors *ret, struct reason *ret_reason)
{
    ret->root = limit_file_open(&sort, path, ret_reason);
    return ret->root != NULL;
}

void floors_close(struct floors *floors)
{
    json_decref(floors->root);
    floors->root = NULL;
}

json_t *floors_find_gpu(const json_t *root, const char *name, int compute_capability)
{
    size_t index;
    json_t *gpu;
    json_array_foreach(field_floor_file_gpus(root), index, gpu) {
        if (strcmp(field_floor_gpu_gpu(gpu), name) == 0 &&
            field_floor_gpu_compute_capability(gpu) == compute_capability)
            return gpu;
    }
    return NULL;
}

const json_t *floors_gpu(const struct floors *floors, const struct device_info *info)
{
    return floors_find_gpu(floors->root, info->name, info->limits.compute_capability);
}

static struct limit measured(enum limit_kind kind, double value, const json_t *provenance)
{
    struct limit limit = {.kind = kind,
                          .value = value,
                          .measured = true,
                          .found_loss = field_floor_bandwidth_found_loss(provenance)};
    snprintf(limit.from, sizeof limit.from, "measured on %.60s, driver %.20s, %.12s",
             field_floor_origin_gpu(provenance), field_floor_origin_driver(provenance),
             field_floor_origin_date(provenance));
    return limit;
}

static struct limit derived(enum limit_kind kind, const json_t *gpu, double value,
                            const char *formula)
{
    struct limit limit = {.kind = kind, .value = value};
    snprintf(limit.from, sizeof limit.from, "derived, as %s: %s",
             gpu ? "this GPU's floors have no such entry" : "there are no floors for this GPU",
             formula);
    return limit;
}

struct limit floors_kernel(const struct floors *floors, const struct device_info *info,
                           const struct floor_key *key)
{
    const json_t *gpu = floors_gpu(floors, info);
    size_t index;
    json_t *entry;
    json_array_foreach(field_floor_gpu_floors(gpu), index, entry) {
        if (strcmp(field_floor_entry_kernel(entry), key->kernel) == 0 &&
            strcmp(field_floor_entry_shape(entry), key->shape) == 0 &&
            strcmp(field_floor_entry_regime(entry), regime_name(key->regime)) == 0 &&
            field_floor_entry_element_bytes(entry) == key->element_bytes)
            return measured(LIMIT_FLOOR, field_floor_entry_fraction_of_ceiling(entry),
                            field_floor_entry_provenance(entry));
    }
    if (key->crosses_link)
        return key->is_pageable
                   ? derived(
                         LIMIT_FLOOR, gpu, derived_pageable,
                         "0.02 of the link, since the host's copies to pinned memory are the bound")
                   : derived(LIMIT_FLOOR, gpu, derived_link, "0.7 of the link");
    if (key->flops_per_byte > 1)
        return derived(LIMIT_FLOOR, gpu, derived_compute, "0.005 of the roofline");
    /* An instruction moves an element: where that is small, instructions are the tighter bound. */
    if (key->element_bytes < derived_bytes)
        return derived(
            LIMIT_FLOOR, gpu,
            derived_copy * key->sector_efficiency * key->element_bytes / derived_bytes,
            "a quarter of the sector model's bandwidth, less for elements of under 4 bytes");
    return derived(LIMIT_FLOOR, gpu, derived_copy * key->sector_efficiency,
                   "a quarter of the sector model's bandwidth");
}

const char *floors_ceiling_key(enum regime regime)
{
    return regime == REGIME_L2 ? FIELD_KEY(floor_gpu, l2_ceiling) : FIELD_KEY(floor_gpu, ceiling);
}

struct limit floors_ceiling(const struct floors *floors, const struct device_info *info,
                            enum regime regime)
{
    const json_t *gpu = floors_gpu(floors, info);
    const json_t *entry = json_object_get(gpu, floors_ceiling_key(regime));
    char formula[64];
    if (entry)
        return measured(LIMIT_FLOOR, field_floor_ceiling_fraction_of_peak(entry),
                        field_floor_ceiling_provenance(entry));
    snprintf(formula, sizeof formula, "%g of the derived peak", derived_ceilings[regime]);
    return derived(LIMIT_FLOOR, gpu, derived_ceilings[regime], formula);
}

struct limit floors_latency(const struct floors *floors, const struct device_info *info,
                            const struct host_machine *host, const char *call)
{
    const json_t *gpu = floors_gpu(floors, info);
    size_t index;
    json_t *entry;
    json_array_foreach(field_floor_gpu_latencies(gpu), index, entry) {
        if (strcmp(field_floor_latency_call(entry), call) == 0 &&
            strcmp(field_floor_latency_cpu(entry), host->cpu) == 0 &&
            strcmp(field_floor_latency_hypervisor(entry), host->hypervisor) == 0)
            return measured(LIMIT_CEILING, field_floor_latency_ceiling_us(entry),
                            field_floor_latency_provenance(entry));
    }
    return derived(LIMIT_CEILING, gpu, derived_latency_us, "a millisecond");
}

int floors_relation_count(const struct floors *floors)
{
    return (int)json_array_size(field_floor_file_relations(floors->root));
}

struct relation floors_relation(const struct floors *floors, int index)
{
    const json_t *entry = json_array_get(field_floor_file_relations(floors->root), (size_t)index);
    enum regime regime = REGIME_DRAM;
    regime_find(field_floor_relation_regime(entry), &regime);
    return (struct relation){.clause = field_floor_relation_clause(entry),
                             .kernel = field_floor_relation_kernel(entry),
                             .shape = field_floor_relation_shape(entry),
                             .against = field_floor_relation_against(entry),
                             .against_shape = field_floor_relation_against_shape(entry),
                             .regime = regime,
                             .least_ratio = field_floor_relation_least_ratio(entry),
                             .most_ratio = field_floor_relation_most_ratio(entry),
                             .gpus = field_floor_relation_gpus(entry)};
}

bool floors_relation_applies(const struct relation *relation, const struct device_info *info)
{
    return value_array_has(relation->gpus, info->name);
}

bool floors_relation_is_chosen(const struct floors *floors, int index,
                               const struct device_info *info)
{
    const struct relation own = floors_relation(floors, index);
    bool is_first = true, is_of_others = false;
    for (int other = 0; other < floors_relation_count(floors); other++) {
        const struct relation it = floors_relation(floors, other);
        if (other == index || strcmp(it.clause, own.clause) != 0)
            continue;
        is_first = is_first && other > index;
        is_of_others = is_of_others || floors_relation_applies(&it, info);
    }
    return floors_relation_applies(&own, info) || (is_first && !is_of_others);
}

/* A fraction below the one that is sure could be a mistake of units, unless it is close under
 * what was measured, and that was measured well. */
static const double fraction_sure = 0.02, sure_margin = 0.1, sure_spread = 0.05;
static const size_t gpu_entries_most = 1024; /* each is looked for among all before it */
static const double margin_digits = 0.001;   /* speeds in provenance are rounded */

const char *const floors_entry_keys[] = {
    FIELD_KEY(floor_entry, kernel), FIELD_KEY(floor_entry, shape), FIELD_KEY(floor_entry, regime),
    FIELD_KEY(floor_entry, element_bytes), NULL};
const char *const floors_latency_keys[] = {FIELD_KEY(floor_latency, call),
                                           FIELD_KEY(floor_latency, cpu),
                                           FIELD_KEY(floor_latency, hypervisor), NULL};

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

/* Measurements of one GPU say nothing of another. */
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
                           const json_t *provenance, const char *gpu)
{
    double measured = field_floor_bandwidth_median_gbps(provenance) /
                      field_floor_bandwidth_ceiling_gbps(provenance);
    double lowest = field_floor_bandwidth_lowest(provenance);
    double highest = field_floor_bandwidth_highest(provenance);
    double margin = 1 - fraction / measured, said = field_floor_origin_margin(provenance);
    if (!is_of_gpu(check, provenance, gpu))
        return false;
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

/* The kernel of an entry, which has that shape, or NULL. */
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
    const char *shape = field_floor_entry_shape(entry);
    const struct kernel *kernel = check_kernel(check, field_floor_entry_kernel(entry), shape);
    if (kernel == NULL)
        return false;
    int bytes =
        bench_shape_element_bytes(&bench_shapes[bench_shape_find(kernel->algorithm, shape)]);
    if (field_floor_entry_element_bytes(entry) != bytes)
        return refuse(check, "element_bytes is %d, and the elements of shape %.40s have %d",
                      (int)field_floor_entry_element_bytes(entry), shape, bytes);
    return check_fraction(check, FIELD_KEY(floor_entry, fraction_of_ceiling),
                          field_floor_entry_fraction_of_ceiling(entry),
                          field_floor_entry_provenance(entry), gpu);
}

bool floors_is_call(const char *name)
{
    for (int call = 0; call < bench_latency_count(); call++)
        if (strcmp(bench_latency_name(call), name) == 0)
            return true;
    return false;
}

static bool check_latency(struct floor_check *check, const json_t *entry, const char *gpu)
{
    const json_t *provenance = field_floor_latency_provenance(entry);
    double measured = field_floor_time_median_us(provenance);
    double ceiling = field_floor_latency_ceiling_us(entry);
    if (!floors_is_call(field_floor_latency_call(entry)))
        return refuse(check, "unknown host call %.40s", field_floor_latency_call(entry));
    if (!is_of_gpu(check, provenance, gpu))
        return false;
    return (ceiling >= measured && ceiling <= 10 * measured) ||
           refuse(check, "ceiling_us is %g, not within 1 to 10 times the measured %g", ceiling,
                  measured);
}

typedef bool entry_check(struct floor_check *check, const json_t *entry, const char *gpu);

static bool check_entries(struct floor_check *check, const json_t *array, const char *array_path,
                          const char *gpu, entry_check *check_entry, const char *const *keys)
{
    size_t index;
    json_t *entry;
    json_array_foreach(array, index, entry) {
        enter(check, "%s[%zu]", array_path, index);
        if (!check_entry(check, entry, gpu))
            return false;
        if (limit_file_repeats(array, index, keys))
            return refuse(check, "occurs twice");
    }
    return true;
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
    return most <= 0 || most > least ||
           refuse(check, "most_ratio is %g, not above least_ratio, %g", most, least);
}

/* A model has one row of a clause. */
static bool check_models(struct floor_check *check, const json_t *relations)
{
    for (size_t index = 0; index < json_array_size(relations); index++) {
        const json_t *own = json_array_get(relations, index), *name;
        enter(check, "relations[%zu]", index);
        for (size_t at = 0; (name = value_next(field_floor_relation_gpus(own), &at)) != NULL;)
            for (size_t before = 0; before < index; before++) {
                const json_t *other = json_array_get(relations, before);
                if (strcmp(field_floor_relation_clause(own), field_floor_relation_clause(other)) ==
                        0 &&
                    value_array_has(field_floor_relation_gpus(other), value_text(name)))
                    return refuse(check, "occurs twice for %.60s", value_text(name));
            }
    }
    return true;
}

bool floors_check(const json_t *root, char ret_path[FORM_PATH_BYTES], struct reason *ret_reason)
{
    static const char *const gpu_keys[] = {FIELD_KEY(floor_gpu, gpu),
                                           FIELD_KEY(floor_gpu, compute_capability), NULL};
    static const char *const relation_keys[] = {FIELD_KEY(floor_relation, clause),
                                                FIELD_KEY(floor_relation, gpus), NULL};
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
    json_array_foreach(gpus, index, gpu) {
        const char *name = field_floor_gpu_gpu(gpu);
        char path[64];
        for (int regime = 0; regime < REGIME_COUNT; regime++) {
            const char *key = floors_ceiling_key((enum regime)regime);
            const json_t *ceiling = json_object_get(gpu, key);
            enter(&check, "gpus[%zu].%s", index, key);
            if (ceiling && !check_fraction(&check, FIELD_KEY(floor_ceiling, fraction_of_peak),
                                           field_floor_ceiling_fraction_of_peak(ceiling),
                                           field_floor_ceiling_provenance(ceiling), name))
                return false;
        }
        snprintf(path, sizeof path, "gpus[%zu].floors", index);
        if (!check_entries(&check, field_floor_gpu_floors(gpu), path, name, check_floor,
                           floors_entry_keys))
            return false;
        snprintf(path, sizeof path, "gpus[%zu].latencies", index);
        if (!check_entries(&check, field_floor_gpu_latencies(gpu), path, name, check_latency,
                           floors_latency_keys))
            return false;
        enter(&check, "gpus[%zu]", index);
        if (limit_file_repeats(gpus, index, gpu_keys))
            return refuse(&check, "occurs twice");
    }
    if (!check_entries(&check, field_floor_file_relations(root), "relations", "", check_relation,
                       relation_keys))
        return false;
    return check_models(&check, field_floor_file_relations(root));
}

/* The table of the file's fields. */
#define FORM_TABLE "conformance/speed/floor_fields.def"
#include "conformance/record/form_table.inc"
