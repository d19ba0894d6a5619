/* Floors out of records: joined over GPUs of a kind, lower where those are few, of sound
 * measurements alone. */
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "conformance/bench/floors.h"
#include "conformance/bench/floors_measured.h"
#include "spec/testing.h"

/* A record that is being made up. */
struct made {
    char text[16384];
    size_t bytes;
};

static void add(struct made *made, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    int bytes =
        vsnprintf(made->text + made->bytes, sizeof made->text - made->bytes, format, arguments);
    va_end(arguments);
    ck_assert(bytes > 0 && made->bytes + (size_t)bytes < sizeof made->text);
    made->bytes += (size_t)bytes;
}

/* Repeats about a median: half of them lie `apart` of it above, half below. */
static void add_repeats(struct made *made, const char *key, double median, double apart, int count)
{
    add(made, ",\"%s\":[", key);
    for (int index = 0; index < count; index++)
        add(made, "%s{\"median\":%.9g}", index ? "," : "",
            median * (1 + (index % 2 ? apart : -apart)));
    add(made, "]");
}

static void begin(struct made *made, const char *gpu, const char *uuid)
{
    made->bytes = 0;
    add(made, "{\"record\":\"assay\",\"version\":1,\"started\":\"2026-11-20T23:59:59Z\"}\n");
    add(made,
        "{\"device\":{\"label\":\"cuda:0\",\"name\":\"%s\",\"uuid\":\"%s\",\"driver\":\"590.1\","
        "\"compute_capability\":\"13.0\"}}\n",
        gpu, uuid);
}

static void add_kernel(struct made *made, const char *path, double fraction, const char *verdict,
                       const char *clause)
{
    add(made,
        "{\"bench\":{\"kernel\":\"offset_copy/scalar\",\"device\":\"cuda:0\",\"path\":\"%s\","
        "\"element_bytes\":4,\"shape\":\"offset=1\",\"regime\":\"dram\",\"verdict\":\"%s\","
        "\"clause\":\"%s\"",
        path, verdict, clause);
    add_repeats(made, "gbps", 10000 * fraction, 0.001, BENCH_REPEATS_FLOORS);
    add_repeats(made, "fraction_of_ceiling", fraction, 0.001, BENCH_REPEATS_FLOORS);
    add(made, "}}\n");
}

static void end(struct made *made)
{
    add(made, "{\"summary\":{\"verdict\":\"PASS\",\"exit_status\":0}}\n");
}

static void measure(struct floor_measurements *all, struct made *made)
{
    char why[FLOORS_WHY_BYTES] = "";
    end(made);
    ck_assert_msg(floors_measure_text(all, "r", made->text, made->bytes, false, why, sizeof why),
                  "%s", why);
}

/* A GPU that reaches the fraction. */
static void measure_gpu(struct floor_measurements *all, const char *gpu, const char *uuid,
                        double fraction)
{
    struct made made;
    begin(&made, gpu, uuid);
    add_kernel(&made, "sass", fraction, "PASS", "");
    measure(all, &made);
}

/* The floors of the program with what was measured; to be closed. */
static struct floors make(struct floor_measurements *all)
{
    struct floors base, made;
    char why[FLOORS_WHY_BYTES] = "";
    ck_assert_msg(floors_open(NULL, &base, why, sizeof why), "%s", why);
    json_t *root = floors_make(&base, all, why, sizeof why);
    ck_assert_msg(root != NULL, "%s", why);
    size_t bytes;
    char *text = floors_text(root, &bytes);
    ck_assert_msg(floors_parse("made", text, &made, why, sizeof why), "%s", why);
    ck_assert_int_eq(floors_relation_count(&made), floors_relation_count(&base));
    free(text);
    json_decref(root);
    floors_close(&base);
    floors_measurements_free(all);
    return made;
}

static struct floor floor_of(const struct floors *floors, const char *gpu, int capability)
{
    struct device_info info = {.limits = {.compute_capability = capability}};
    const struct floor_key key = {"offset_copy/scalar", "offset=1", 4, REGIME_DRAM, 0, 0.8};
    snprintf(info.name, sizeof info.name, "%s", gpu);
    return floors_kernel(floors, &info, &key);
}

static struct floor make_one(struct floor_measurements *all)
{
    struct floors floors = make(all);
    struct floor floor = floor_of(&floors, "NVIDIA B400", 130);
    floors_close(&floors);
    return floor;
}

/* A floor must fail none that is well, and find a loss on each. */
START_TEST(gpus_of_a_kind_are_joined)
{
    CLAUSE("bandwidth.floor.kind");
    struct floor_measurements all = {0};
    measure_gpu(&all, "NVIDIA B400", "GPU-1", 0.800);
    measure_gpu(&all, "NVIDIA B400", "GPU-2", 0.808);
    measure_gpu(&all, "NVIDIA B400", "GPU-3", 0.804);
    measure_gpu(&all, "NVIDIA B400", "GPU-4", 0.804);
    measure_gpu(&all, "NVIDIA B400", "GPU-5", 0.804);
    struct floor floor = make_one(&all);
    double lowest = 0.800 * (1 - 2 * 0.001054), highest = 0.808 * (1 + 2 * 0.001054);
    ck_assert(floor.measured);
    ck_assert_double_eq_tol(floor.limit, (lowest + highest * (1 - BENCH_LOSS)) / 2, 2e-5);
    ck_assert_ptr_nonnull(strstr(floor.from, "NVIDIA B400, driver 590.1, 2026-11-20"));
    /* So far apart that a loss on the fastest looks like the slowest one's health. */
    measure_gpu(&all, "NVIDIA B400", "GPU-1", 0.800);
    measure_gpu(&all, "NVIDIA B400", "GPU-2", 0.814);
    measure_gpu(&all, "NVIDIA B400", "GPU-3", 0.840);
    measure_gpu(&all, "NVIDIA B400", "GPU-4", 0.810);
    measure_gpu(&all, "NVIDIA B400", "GPU-5", 0.810);
    ck_assert_double_eq_tol(make_one(&all).limit, lowest * 0.995, 2e-5);
}
END_TEST

START_TEST(few_gpus_have_lower_floors)
{
    CLAUSE("bandwidth.floor.few");
    struct floor_span span = {0.7, 0.71, .gpus = 5};
    double enough = floors_fraction_of_kind(span);
    ck_assert_double_eq(enough, floors_fraction(span));
    span.gpus = 4;
    double few = floors_fraction_of_kind(span);
    ck_assert(few < 0.98 * enough && few > 0.96 * enough);
    /* One GPU is one, however often it was measured, and through however many paths. */
    struct floor_measurements all = {0};
    struct made made;
    measure_gpu(&all, "NVIDIA B400", "GPU-1", 0.800);
    double alone = make_one(&all).limit;
    for (int time = 0; time < 3; time++) {
        begin(&made, "NVIDIA B400", "GPU-1");
        add_kernel(&made, "sass", 0.800, "PASS", "");
        add_kernel(&made, "ptx", 0.800, "PASS", "");
        measure(&all, &made);
    }
    ck_assert_double_eq(make_one(&all).limit, alone);
    for (int gpu = 1; gpu <= 5; gpu++) {
        char uuid[16];
        snprintf(uuid, sizeof uuid, "GPU-%d", gpu);
        measure_gpu(&all, "NVIDIA B400", uuid, 0.800);
    }
    ck_assert(make_one(&all).limit > 1.005 * alone);
}
END_TEST

/* What is measured is made anew, the slower path's floor among it; the rest is kept. */
START_TEST(the_rest_is_kept)
{
    CLAUSE("bandwidth.floor.provenance");
    struct floors shipped;
    struct floor_measurements all = {0};
    struct made made;
    char why[FLOORS_WHY_BYTES];
    ck_assert_msg(floors_open(NULL, &shipped, why, sizeof why), "%s", why);
    begin(&made, "NVIDIA B400", "GPU-1");
    add_kernel(&made, "sass", 0.500, "PASS", "");
    add_kernel(&made, "ptx", 0.480, "PASS", "");
    add(&made, "{\"peak\":{\"device\":\"cuda:0\",\"verdict\":\"PASS\",\"clause\":\"\"");
    add_repeats(&made, "gbps", 4200, 0.0001, BENCH_REPEATS_FLOORS);
    add_repeats(&made, "fraction_of_peak", 4200 / 4800.0, 0.0001, BENCH_REPEATS_FLOORS);
    add(&made, "}}\n{\"latency\":{\"call\":\"attribute\",\"device\":\"cuda:0\",\"verdict\":"
               "\"PASS\",\"clause\":\"\"");
    add_repeats(&made, "us", 0.5, 0.01, BENCH_REPEATS_FLOORS);
    add(&made, "}}\n{\"latency\":{\"call\":\"of the future\",\"device\":\"cuda:0\",\"verdict\":"
               "\"PASS\",\"clause\":\"\"");
    add_repeats(&made, "us", 0.5, 0.01, BENCH_REPEATS_FLOORS);
    add(&made, "}}\n");
    measure(&all, &made);
    struct floors floors = make(&all);
    struct device_info info = {.name = "NVIDIA B400", .limits = {.compute_capability = 130}};
    ck_assert(floor_of(&floors, "NVIDIA B400", 130).limit < 0.48 * 0.97);
    ck_assert(!floor_of(&floors, "NVIDIA B400", 131).measured);
    ck_assert(floors_ceiling(&floors, &info).limit > 0.84);
    ck_assert_double_eq_tol(floors_latency(&floors, &info, "attribute").limit, 1.5, 1e-9);
    ck_assert_double_eq(floor_of(&floors, "NVIDIA H200", 90).limit,
                        floor_of(&shipped, "NVIDIA H200", 90).limit);
    floors_close(&floors);
    floors_close(&shipped);
}
END_TEST

/* Neither memory that failed nor a handful of samples becomes what others are held against. */
START_TEST(what_is_unsound_makes_no_floor)
{
    CLAUSE("bandwidth.floor.sound");
    static const struct {
        const char *verdict, *clause;
        bool sound;
    } table[] = {
        {"PASS", "", true},
        {"INCONCLUSIVE", "bandwidth.floor.kernel", true}, /* too near to the floor of its day */
        {"INCONCLUSIVE", "bandwidth.samples.count", false},
        {"INCONCLUSIVE", "", false},
        {"FAIL", "bandwidth.sensors.ecc", false},
        {"SKIP", "", false},
        {"CRASH", "verdicts.crash.reported", false},
    };
    for (size_t row = 0; row < sizeof table / sizeof table[0]; row++) {
        struct floor_measurements all = {0};
        struct made made;
        begin(&made, "NVIDIA B400", "GPU-1");
        add_kernel(&made, "sass", 0.5, table[row].verdict, table[row].clause);
        add(&made, "{\"peak\":{\"device\":\"cuda:0\",\"verdict\":\"PASS\"");
        add_repeats(&made, "gbps", 4200, 0.0001, BENCH_REPEATS_FLOORS);
        add_repeats(&made, "fraction_of_peak", 4200 / 4800.0, 0.0001, BENCH_REPEATS_FLOORS);
        add(&made, "}}\n");
        measure(&all, &made);
        ck_assert_msg(make_one(&all).measured == table[row].sound, "%s %s", table[row].verdict,
                      table[row].clause);
    }
}
END_TEST

/* What is below its floor counts where somebody vouches for the GPU, and only for its speed. */
START_TEST(slow_gpus_are_vouched_for)
{
    CLAUSE("bandwidth.floor.vouched");
    static const struct {
        int failed; /* as the summary counts */
        bool vouched;
        const char *why; /* NULL: taken */
    } table[] = {
        {1, true, NULL},
        {1, false, "r: a speed in it is below its floor"},
        {2, true, "r: something in it failed, and not for its speed"},
        {2, false, "r: something in it failed, and not for its speed"},
    };
    for (size_t row = 0; row < sizeof table / sizeof table[0]; row++) {
        struct floor_measurements all = {0};
        struct made made;
        char why[FLOORS_WHY_BYTES] = "";
        begin(&made, "NVIDIA B400", "GPU-1");
        add_kernel(&made, "sass", 0.5, "FAIL", "bandwidth.floor.kernel");
        add(&made, "{\"summary\":{\"verdict\":\"FAIL\",\"exit_status\":1,\"fail\":%d}}\n",
            table[row].failed);
        bool taken = floors_measure_text(&all, "r", made.text, made.bytes, table[row].vouched, why,
                                         sizeof why);
        ck_assert_int_eq(taken, table[row].why == NULL);
        ck_assert_uint_eq(all.count, taken);
        ck_assert(taken || strncmp(why, table[row].why, strlen(table[row].why)) == 0);
        floors_measurements_free(&all);
    }
}
END_TEST

/* A kernel so slow that its floor would be none is held by its relation. */
START_TEST(too_low_is_no_floor)
{
    CLAUSE("bandwidth.floor.checked");
    struct floor_measurements all = {0};
    measure_gpu(&all, "NVIDIA B400", "GPU-1", 0.015);
    ck_assert(!make_one(&all).measured);
    /* And one that beats the copies need not. */
    measure_gpu(&all, "NVIDIA B400", "GPU-1", 1.3);
    ck_assert_double_eq(make_one(&all).limit, 1);
}
END_TEST

int main(int argc, char **argv)
{
    const struct testing_test tests[] = {
        {"gpus of a kind are joined", gpus_of_a_kind_are_joined},
        {"few gpus have lower floors", few_gpus_have_lower_floors},
        {"the rest is kept", the_rest_is_kept},
        {"what is unsound makes no floor", what_is_unsound_makes_no_floor},
        {"slow gpus are vouched for", slow_gpus_are_vouched_for},
        {"too low is no floor", too_low_is_no_floor},
        {NULL, NULL},
    };
    return testing_main(argc, argv, "floors_made", tests);
}
