/* Reading floors and finding the one that holds (floors.h). Clauses: bandwidth.floor.provenance,
 * bandwidth.floor.derived. */
#include "conformance/speed/floors.h"

#include <stdio.h>
#include <string.h>

#include "conformance/base/reason.h"
#include "conformance/record/limit_file.h"
#include "conformance/speed/floor_fields.h"

/* The model for a GPU that nobody has measured: generous, so that it finds what is broken and not
 * what is merely different. */
static const double derived_copy = 0.25;     /* of what the sector model allows */
static const double derived_bytes = 4;       /* and of less than this an element, in proportion */
static const double derived_compute = 0.005; /* of the roofline, at more than one flop a byte */
/* Of the peak: in DRAM published GPUs reach 0.79 and more; in the L2 cache an H200 reaches 0.31. */
static const double derived_ceilings[REGIME_COUNT] = {[REGIME_DRAM] = 0.6, [REGIME_L2] = 0.1};
static const double derived_latency_us = 1000;

extern const char *const floors_builtin_lines[]; /* lines_builtin.c.in */

static const struct limit_file sort = {
    .name = "spec/floors.json", .builtin_lines = floors_builtin_lines, .check = floors_check};

char *floors_builtin(void)
{
    return limit_file_builtin(&sort);
}

bool floors_parse(const char *path, const char *text, struct floors *ret, struct reason *ret_reason)
{
    json_t *root = limit_file_parse(&sort, path, text, ret_reason);
    if (root)
        ret->root = root;
    return root != NULL;
}

bool floors_open(const char *path, struct floors *ret, struct reason *ret_reason)
{
    json_t *root = limit_file_open(&sort, path, ret_reason);
    if (root)
        ret->root = root;
    return root != NULL;
}

void floors_close(struct floors *floors)
{
    json_decref(floors->root);
    floors->root = NULL;
}

const json_t *floors_gpu(const struct floors *floors, const struct device_info *info)
{
    size_t index;
    json_t *gpu;
    json_array_foreach(field_floor_file_gpus(floors->root), index, gpu)
    {
        if (strcmp(field_floor_gpu_gpu(gpu), info->name) == 0 &&
            field_floor_gpu_compute_capability(gpu) == info->limits.compute_capability)
            return gpu;
    }
    return NULL;
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

static bool is_key(const json_t *entry, const struct floor_key *key)
{
    return strcmp(field_floor_entry_kernel(entry), key->kernel) == 0 &&
           strcmp(field_floor_entry_shape(entry), key->shape) == 0 &&
           strcmp(field_floor_entry_regime(entry), regime_name(key->regime)) == 0 &&
           field_floor_entry_element_bytes(entry) == key->element_bytes;
}

struct limit floors_kernel(const struct floors *floors, const struct device_info *info,
                           const struct floor_key *key)
{
    const json_t *gpu = floors_gpu(floors, info);
    size_t index;
    json_t *entry;
    json_array_foreach(field_floor_gpu_floors(gpu), index, entry)
    {
        if (is_key(entry, key))
            return measured(LIMIT_FLOOR, field_floor_entry_fraction_of_ceiling(entry),
                            field_floor_entry_provenance(entry));
    }
    if (key->flops_per_byte > 1)
        return derived(LIMIT_FLOOR, gpu, derived_compute, "0.005 of the roofline");
    /* An instruction moves an element: where that is small, instructions are the tighter bound. */
    if (key->element_bytes < derived_bytes)
        return derived(
            LIMIT_FLOOR, gpu,
            derived_copy * key->sector_efficiency * key->element_bytes / derived_bytes,
            "a quarter of what the sector model allows, less for elements of under 4 bytes");
    return derived(LIMIT_FLOOR, gpu, derived_copy * key->sector_efficiency,
                   "a quarter of what the sector model allows");
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
    json_array_foreach(field_floor_gpu_latencies(gpu), index, entry)
    {
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
    return (struct relation){
        .clause = field_floor_relation_clause(entry),
        .kernel = field_floor_relation_kernel(entry),
        .shape = field_floor_relation_shape(entry),
        .against = field_floor_relation_against(entry),
        .against_shape = field_floor_relation_against_shape(entry),
        .regime = strcmp(field_floor_relation_regime(entry), regime_name(REGIME_L2)) == 0
                      ? REGIME_L2
                      : REGIME_DRAM,
        .least_ratio = field_floor_relation_least_ratio(entry),
        .most_ratio = field_floor_relation_most_ratio(entry),
        .from = (int)field_floor_relation_from(entry),
        .to = (int)field_floor_relation_to(entry)};
}
