/* Floors out of measurements (floors_make.h). Clauses: bandwidth.floor.provenance,
 * bandwidth.floor.kind. */
#include "conformance/floors/floors_make.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "conformance/base/reason.h"
#include "conformance/floors/floor_span.h"
#include "conformance/speed/bench_plan.h"
#include "conformance/speed/statistics.h"
#include "conformance/speed/floor_fields.h"
#include "fuzz/input_file.h"

static const double latency_margin = 2; /* a ceiling is at three times the median */

/* Of healthy ones none was measured beyond 1.05 of another. */
static const double apart_most = 1.25;

/* What was measured of one entry, on all GPUs of a kind. */
struct joined {
    size_t first;                        /* among the measurements */
    struct floor_span span;              /* not of a host call */
    const struct floor_measurement *own; /* the worst of them, whose figures are the provenance */
};

static double fraction_of(const struct floor_measurement *it)
{
    return it->median / it->ceiling_gbps;
}

/* Among equals the same one whatever the order of the records. */
static bool is_worse(const struct floor_measurement *it, const struct floor_measurement *than)
{
    double own = it->kind == FLOOR_LATENCY ? -it->median : fraction_of(it);
    double other = it->kind == FLOOR_LATENCY ? -than->median : fraction_of(than);
    if (own != other)
        return own < other;
    if (it->spread != than->spread)
        return it->spread > than->spread;
    return strcmp(it->source.uuid, than->source.uuid) < 0;
}

static bool is_same_gpu_kind(const struct floor_source *left, const struct floor_source *right)
{
    return strcmp(left->gpu, right->gpu) == 0 &&
           left->compute_capability == right->compute_capability;
}

static bool is_same_entry(const struct floor_measurement *left,
                          const struct floor_measurement *right)
{
    return left->kind == right->kind && is_same_gpu_kind(&left->source, &right->source) &&
           strcmp(left->kernel, right->kernel) == 0 && strcmp(left->shape, right->shape) == 0 &&
           left->regime == right->regime && left->element_bytes == right->element_bytes &&
           strcmp(left->call, right->call) == 0 && strcmp(left->host.cpu, right->host.cpu) == 0 &&
           strcmp(left->host.hypervisor, right->host.hypervisor) == 0;
}

/* The first measurement from `begin` on of an entry, and of a GPU unless `uuid` is NULL. */
static size_t find_entry(const struct floor_measurements *all, size_t begin,
                         const struct floor_measurement *like, const char *uuid)
{
    while (begin < all->count && (!is_same_entry(&all->items[begin], like) ||
                                  (uuid && strcmp(all->items[begin].source.uuid, uuid) != 0)))
        begin++;
    return begin;
}

static struct floor_span span_of(const struct floor_measurement *it)
{
    struct floor_span span = floor_span_of(fraction_of(it), it->spread);
    for (int index = 0; index < it->repeats; index++)
        if (it->lowers[index] > 0 && it->lowers[index] < span.bound)
            span.bound = it->lowers[index];
    return span;
}

/* Several paths and several records of one GPU are one GPU. */
static struct joined join(const struct floor_measurements *all, size_t first)
{
    const struct floor_measurement *like = &all->items[first];
    struct joined joined = {.first = first, .own = like};
    for (size_t index = first; index < all->count; index = find_entry(all, index + 1, like, NULL)) {
        const struct floor_measurement *it = &all->items[index];
        if (is_worse(it, joined.own))
            joined.own = it;
        if (it->kind == FLOOR_LATENCY)
            continue;
        struct floor_span span = span_of(it);
        span.gpus = find_entry(all, first, like, it->source.uuid) == index;
        joined.span = index == first ? span : floor_span_join(joined.span, span);
    }
    return joined;
}

/* What is beyond all reason is left to floors_check. */
static double rounded(double value)
{
    if (value > 1e12)
        return value;
    double scale = value > 100 ? 10 : 10000;
    return (double)(long long)(value * scale + 0.5) / scale;
}

/* Six digits, as a file shows them. */
static double shortened(double value)
{
    char text[32];
    snprintf(text, sizeof text, "%.6g", value);
    return strtod(text, NULL);
}

/* On the GPU where it takes the most: a loss that is found on one may pass on another that is
 * faster. */
static double found_loss(const struct floor_measurements *all, size_t first, double limit)
{
    const struct floor_measurement *like = &all->items[first];
    double most = 0;
    for (size_t index = first; index < all->count; index = find_entry(all, index + 1, like, NULL)) {
        const struct floor_measurement *it = &all->items[index];
        double loss = statistics_found_loss(it->uppers, it->repeats, limit);
        if (loss == 0)
            return 0;
        most = loss > most ? loss : most;
    }
    return most;
}

static void put_origin(json_t *object, const struct floor_measurement *it)
{
    put_floor_origin_gpu(object, it->source.gpu);
    put_floor_origin_driver(object, it->source.driver);
    put_floor_origin_date(object, it->source.date);
}

/* What a fraction is made of. */
static json_t *bandwidth_origin(const struct floor_measurements *all, const struct joined *joined,
                                double fraction)
{
    const struct floor_measurement *it = joined->own;
    json_t *object = json_object();
    double loss = found_loss(all, joined->first, fraction);
    put_floor_bandwidth_median_gbps(object, rounded(it->median));
    put_floor_bandwidth_ceiling_gbps(object, rounded(it->ceiling_gbps));
    put_floor_origin_spread(object, rounded(it->spread));
    put_floor_origin_margin(object, rounded(1 - fraction / fraction_of(it)));
    if (loss > 0)
        put_floor_bandwidth_found_loss(object, loss);
    put_floor_bandwidth_lowest(object, shortened(joined->span.lowest));
    put_floor_bandwidth_highest(object, shortened(joined->span.highest));
    put_floor_bandwidth_gpus(object, joined->span.gpus);
    put_origin(object, it);
    return object;
}

static json_t *time_origin(const struct floor_measurement *it)
{
    json_t *object = json_object();
    put_floor_time_median_us(object, rounded(it->median));
    put_floor_origin_spread(object, rounded(it->spread));
    put_floor_origin_margin(object, rounded(latency_margin));
    put_origin(object, it);
    return object;
}

/* Takes out the entry that has the same values under the keys, if there is one. */
static void take_out(json_t *array, const json_t *like, const char *const *keys)
{
    for (size_t index = 0; index < json_array_size(array); index++) {
        json_t *older = json_array_get(array, index);
        const char *const *key = keys;
        while (*key && json_equal(json_object_get(older, *key), json_object_get(like, *key)))
            key++;
        if (*key == NULL) {
            json_array_remove(array, index);
            return;
        }
    }
}

/* Takes over the entry, which replaces the one that has the same values under the keys. One that is
 * no limit leaves none there. */
static void put(json_t *array, json_t *entry, const char *const *keys, double limit)
{
    take_out(array, entry, keys);
    if (limit > 0)
        json_array_append(array, entry);
    json_decref(entry);
}

/* The floor of what was joined; 0 where it would be none. */
static double fraction_made(const struct joined *joined)
{
    double fraction = floor_span_fraction_of_kind(joined->span);
    bool good = floors_is_fraction(fraction, fraction_of(joined->own), joined->own->spread);
    return good ? fraction : 0; /* such a kernel is held by a relation, or by the derived floor */
}

static void put_kernel(json_t *gpu, const struct floor_measurements *all,
                       const struct joined *joined)
{
    static const char *const keys[] = {
        FIELD_KEY(floor_entry, kernel), FIELD_KEY(floor_entry, shape),
        FIELD_KEY(floor_entry, regime), FIELD_KEY(floor_entry, element_bytes), NULL};
    const struct floor_measurement *it = joined->own;
    double fraction = fraction_made(joined);
    json_t *entry = json_object();
    put_floor_entry_kernel(entry, it->kernel);
    put_floor_entry_shape(entry, it->shape);
    put_floor_entry_regime(entry, regime_name(it->regime));
    put_floor_entry_element_bytes(entry, it->element_bytes);
    put_floor_entry_fraction_of_ceiling(entry, fraction);
    put_floor_entry_provenance(entry, bandwidth_origin(all, joined, fraction));
    put(raw_floor_gpu_floors(gpu), entry, keys, fraction);
}

static void put_ceiling(json_t *gpu, const struct floor_measurements *all,
                        const struct joined *joined)
{
    double fraction = fraction_made(joined);
    json_t *ceiling = json_object();
    put_floor_ceiling_fraction_of_peak(ceiling, fraction);
    put_floor_ceiling_provenance(ceiling, bandwidth_origin(all, joined, fraction));
    json_object_set_new(gpu, floors_ceiling_key(joined->own->regime), ceiling);
}

static void put_latency(json_t *gpu, const struct floor_measurements *all,
                        const struct joined *joined)
{
    static const char *const keys[] = {FIELD_KEY(floor_latency, call),
                                       FIELD_KEY(floor_latency, cpu),
                                       FIELD_KEY(floor_latency, hypervisor), NULL};
    const struct floor_measurement *it = joined->own;
    double ceiling_us = rounded(it->median * (1 + latency_margin));
    json_t *entry = json_object();
    (void)all;
    put_floor_latency_call(entry, it->call);
    put_floor_latency_cpu(entry, it->host.cpu);
    put_floor_latency_hypervisor(entry, it->host.hypervisor);
    put_floor_latency_ceiling_us(entry, ceiling_us);
    put_floor_latency_provenance(entry, time_origin(it));
    put(raw_floor_gpu_latencies(gpu), entry, keys, ceiling_us);
}

/* A newer or older program may have measured what this one does not know. */
static bool is_known(const struct floor_measurement *it)
{
    if (it->kind == FLOOR_LATENCY) {
        for (int call = 0; call < bench_latency_count(); call++)
            if (strcmp(bench_latency_name(call), it->call) == 0)
                return true;
        return false;
    }
    if (it->kind == FLOOR_CEILING)
        return true;
    const struct kernel *kernel = catalog_known_kernel(it->kernel);
    return kernel && bench_shape_find(kernel->algorithm, it->shape) >= 0;
}

/* An entry and where a bench measures it. */
struct ranked {
    int shape, regime, kernel;
    json_t *entry;
};

static int compare_ranked(const void *left, const void *right)
{
    const struct ranked *a = left, *b = right;
    if (a->shape != b->shape)
        return a->shape - b->shape;
    return a->regime != b->regime ? a->regime - b->regime : a->kernel - b->kernel;
}

static struct ranked rank(json_t *entry)
{
    const struct kernel *kernel = catalog_known_kernel(field_floor_entry_kernel(entry));
    return (struct ranked){
        .shape = bench_shape_find(kernel->algorithm, field_floor_entry_shape(entry)),
        .regime = strcmp(field_floor_entry_regime(entry), regime_name(REGIME_L2)) == 0,
        .kernel = (int)(kernel - kernels),
        .entry = entry,
    };
}

/* The floors in the order of a bench, whatever the order of the records: all of their kernels and
 * shapes are known, and none occurs twice. False without memory. */
static bool order_floors(json_t *gpu)
{
    json_t *floors = raw_floor_gpu_floors(gpu), *ordered = json_array(), *entry;
    size_t count = json_array_size(floors), index;
    struct ranked *all = calloc(count + 1, sizeof *all);
    if (all == NULL)
        return false;
    json_array_foreach(floors, index, entry) all[index] = rank(entry);
    qsort(all, count, sizeof *all, compare_ranked);
    for (index = 0; index < count; index++)
        json_array_append(ordered, all[index].entry);
    free(all);
    return json_object_set_new(gpu, "floors", ordered) == 0;
}

/* The object of a kind of GPU, made where there is none. */
static json_t *own_gpu(json_t *root, const struct floor_source *source)
{
    json_t *gpus = raw_floor_file_gpus(root), *gpu;
    size_t index;
    json_array_foreach(gpus, index, gpu)
    {
        if (strcmp(field_floor_gpu_gpu(gpu), source->gpu) == 0 &&
            field_floor_gpu_compute_capability(gpu) == source->compute_capability)
            return gpu;
    }
    gpu = json_object();
    put_floor_gpu_gpu(gpu, source->gpu);
    put_floor_gpu_compute_capability(gpu, source->compute_capability);
    put_floor_gpu_floors(gpu, json_array());
    put_floor_gpu_latencies(gpu, json_array());
    json_array_append_new(gpus, gpu);
    return json_array_get(gpus, json_array_size(gpus) - 1);
}

/* Through one path: another may be slower. A floor below the slowest of GPUs that lie far apart
 * passes the fastest when it is faulty, and the slowest may be so already. */
static bool lie_near(const struct floor_measurements *all, const struct joined *joined,
                     struct reason *ret_reason)
{
    const struct floor_measurement *it = joined->own;
    for (size_t first = joined->first; it->kind != FLOOR_LATENCY && first < all->count;
         first = find_entry(all, first + 1, it, NULL)) {
        double least = fraction_of(&all->items[first]), most = least;
        for (size_t index = first; index < all->count;
             index = find_entry(all, index + 1, it, NULL)) {
            if (strcmp(all->items[index].path, all->items[first].path) != 0)
                continue;
            double fraction = fraction_of(&all->items[index]);
            least = fraction < least ? fraction : least;
            most = fraction > most ? fraction : most;
        }
        if (most <= least * apart_most)
            continue;
        reason_set(ret_reason, REASON_INPUT,
                   "%s %s %s: of one kind of GPU, %.60s, one reaches %.4f and another, or another "
                   "record, %.4f: is one GPU faulty? use --accept-slow if you know all are healthy",
                   it->kind == FLOOR_KERNEL ? it->kernel : "ceiling", it->shape,
                   regime_name(it->regime), it->source.gpu, least, most);
        input_file_tame(ret_reason->text);
        return false;
    }
    return true;
}

json_t *floors_make(const struct floors *floors, const struct floor_measurements *measurements,
                    struct reason *ret_reason)
{
    static void (*const puts[])(json_t * gpu, const struct floor_measurements *all,
                                const struct joined *joined) = {
        [FLOOR_KERNEL] = put_kernel, [FLOOR_CEILING] = put_ceiling, [FLOOR_LATENCY] = put_latency};
    char entry[128];
    json_t *root = json_deep_copy(floors->root);
    for (size_t each = 0; root && each < measurements->count; each++) {
        const struct floor_measurement *it = &measurements->items[each];
        if (!is_known(it) || find_entry(measurements, 0, it, NULL) != each)
            continue;
        struct joined joined = join(measurements, each);
        if (!measurements->accept_slow && !lie_near(measurements, &joined, ret_reason)) {
            json_decref(root);
            return NULL;
        }
        puts[it->kind](own_gpu(root, &it->source), measurements, &joined);
    }
    size_t index;
    json_t *gpu;
    bool ordered = root != NULL;
    json_array_foreach(raw_floor_file_gpus(root), index, gpu) ordered &= order_floors(gpu);
    if (ordered && floors_check(root, entry, ret_reason))
        return root;
    if (ordered)
        reason_before(ret_reason, "%s: ", entry);
    else
        reason_set(ret_reason, REASON_SYSTEM, "no memory for the floors");
    json_decref(root);
    return NULL;
}
