/* Records that are made up (made_record.h). */
#include "conformance/record/limit_file.h"
#include "conformance/test/made_record.h"

#include <stdarg.h>

#include "conformance/test/ended.h"

void made_add(struct made *made, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    int bytes =
        vsnprintf(made->text + made->bytes, sizeof made->text - made->bytes, format, arguments);
    va_end(arguments);
    ck_assert(bytes > 0 && made->bytes + (size_t)bytes < sizeof made->text);
    made->bytes += (size_t)bytes;
}

void made_add_repeats(struct made *made, const char *key, double median, double apart, int count)
{
    made_add(made, ",\"%s\":[", key);
    for (int index = 0; index < count; index++)
        made_add(made, "%s[0,%.9g,%.9g]", index ? "," : "",
                 median * (1 + (index % 2 ? apart : -apart)),
                 median * (1 + (index % 2 ? apart : -apart)));
    made_add(made, "]");
}

void made_begin(struct made *made, const char *gpu, const char *uuid)
{
    made->bytes = 0;
    made_add(made, "{\"record\":\"assay\",\"version\":1,\"started\":\"2026-11-20T23:59:59Z\"}\n");
    made_add(
        made,
        "{\"device\":{\"label\":\"cuda:0\",\"name\":\"%s\",\"uuid\":\"%s\",\"driver\":\"590.1\","
        "\"compute_capability\":\"13.0\"}}\n",
        gpu, uuid);
}

static void add_row(struct made *made, const char *path, double fraction, double apart,
                    const char *verdict, const char *clause)
{
    made_add(made,
             "{\"bench\":{\"kernel\":\"offset_copy/scalar\",\"device\":\"cuda:0\",\"path\":\"%s\","
             "\"element_bytes\":4,\"shape\":\"offset=1\",\"regime\":\"dram\",\"verdict\":\"%s\","
             "\"clause\":\"%s\"",
             path, verdict, clause);
    made_add_repeats(made, "gbps", 10000 * fraction, apart, BENCH_REPEATS_FLOORS);
    made_add_repeats(made, "fraction_of_ceiling", fraction, apart, BENCH_REPEATS_FLOORS);
    made_add(made, "}}\n");
}

void made_add_kernel(struct made *made, const char *path, double fraction, const char *verdict,
                     const char *clause)
{
    add_row(made, path, fraction, 0.001, verdict, clause);
}

void made_add_spread(struct made *made, const char *path, double fraction, double apart)
{
    add_row(made, path, fraction, apart, "PASS", "");
}

void made_add_peak(struct made *made, const char *verdict, const char *clause, double gbps,
                   double fraction)
{
    made_add(made, "{\"peak\":{\"device\":\"cuda:0\",\"verdict\":\"%s\",\"clause\":\"%s\"", verdict,
             clause);
    made_add_repeats(made, "gbps", gbps, 0.0001, BENCH_REPEATS_FLOORS);
    made_add_repeats(made, "fraction_of_peak", fraction, 0.0001, BENCH_REPEATS_FLOORS);
    made_add(made, "}}\n");
}

void made_add_call(struct made *made, const char *call, const char *host, double us)
{
    made_add(made, "{\"latency\":{\"call\":\"%s\",\"device\":\"cuda:0\",%s\"verdict\":\"PASS\"",
             call, host);
    made_add_repeats(made, "us", us, 0.01, BENCH_REPEATS_FLOORS);
    made_add(made, "}}\n");
}

void made_end(struct made *made)
{
    made_add(made, "{\"summary\":{\"verdict\":\"PASS\",\"exit_status\":0}}\n");
}

bool made_take(struct floor_measurements *all, const struct made *made, struct reason *ret_reason)
{
    size_t bytes;
    char *text = ended_text(made->text, made->bytes, &bytes);
    testing_keep(text, free);
    return floors_measure_text(all, "r", text, bytes, ret_reason);
}

void made_measure(struct floor_measurements *all, struct made *made)
{
    struct reason reason = {.text = ""};
    made_end(made);
    ck_assert_msg(made_take(all, made, &reason), "%s", reason.text);
}

void made_measure_gpu(struct floor_measurements *all, const char *gpu, const char *uuid,
                      double fraction)
{
    struct made made;
    made_begin(&made, gpu, uuid);
    made_add_kernel(&made, "sass", fraction, "PASS", "");
    made_measure(all, &made);
}

static void release_measurements(void *all)
{
    floors_measurements_free(all);
}

struct floor_measurements *made_measurements(bool accept_slow)
{
    struct floor_measurements *all = testing_new(sizeof *all);
    all->accept_slow = accept_slow;
    testing_keep(all, release_measurements);
    return all;
}

struct floors made_shipped(void)
{
    struct floors shipped;
    struct reason reason;
    ck_assert_msg(floors_open(NULL, &shipped, &reason), "%s", reason.text);
    made_json(shipped.root);
    return shipped;
}

struct floors made_floors(struct floor_measurements *all)
{
    const struct floors base = made_shipped();
    struct floors made;
    struct reason reason = {.text = ""};
    json_t *root = made_json(floors_make(&base, all, &reason));
    ck_assert_msg(root != NULL, "%s", reason.text);
    size_t bytes;
    char *text = limit_file_text(root, &bytes);
    ck_assert_msg(floors_parse("made", text, &made, &reason), "%s", reason.text);
    ck_assert_int_eq(floors_relation_count(&made), floors_relation_count(&base));
    free(text);
    made_json(made.root);
    floors_measurements_free(all);
    return made;
}

struct limit made_floor_of(const struct floors *floors, const char *gpu, int capability)
{
    struct device_info info = {.limits = {.compute_capability = capability}};
    const struct floor_key key = {.kernel = "offset_copy/scalar",
                                  .shape = "offset=1",
                                  .element_bytes = 4,
                                  .sector_efficiency = 0.8};
    snprintf(info.name, sizeof info.name, "%s", gpu);
    return floors_kernel(floors, &info, &key);
}

struct limit made_floor(struct floor_measurements *all)
{
    const struct floors floors = made_floors(all);
    return made_floor_of(&floors, "NVIDIA B400", 130);
}
