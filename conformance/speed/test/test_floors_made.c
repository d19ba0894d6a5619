/* Floors out of measurements: joined over GPUs of a kind, lower where those are few, and everything
 * else of the file as it was. */
#include "conformance/record/limit_file.h"
#include "conformance/test/made_bench.h"
#include "conformance/test/made_record.h"

/* A floor must fail none that is well, and find a loss on each. */
START_TEST(gpus_of_a_kind_are_joined, "bandwidth.floor.kind")
{
    struct floor_measurements *all = made_measurements(false);
    made_measure_gpu(all, "NVIDIA B400", "GPU-1", 0.800);
    made_measure_gpu(all, "NVIDIA B400", "GPU-2", 0.808);
    made_measure_gpu(all, "NVIDIA B400", "GPU-3", 0.804);
    made_measure_gpu(all, "NVIDIA B400", "GPU-4", 0.804);
    made_measure_gpu(all, "NVIDIA B400", "GPU-5", 0.804);
    struct limit floor = made_floor(all);
    double lowest = 0.800 * (1 - 2 * 0.001054), highest = 0.808 * (1 + 2 * 0.001054);
    ck_assert(floor.measured);
    ck_assert_double_eq_tol(floor.value, (lowest + highest * (1 - BENCH_LOSS)) / 2, 2e-5);
    ASSERT_HAS(floor.from, "NVIDIA B400, driver 590.1, 2026-11-20");
    /* So far apart that a loss on the fastest looks like the slowest one's health. */
    made_measure_gpu(all, "NVIDIA B400", "GPU-1", 0.800);
    made_measure_gpu(all, "NVIDIA B400", "GPU-2", 0.814);
    made_measure_gpu(all, "NVIDIA B400", "GPU-3", 0.840);
    made_measure_gpu(all, "NVIDIA B400", "GPU-4", 0.810);
    made_measure_gpu(all, "NVIDIA B400", "GPU-5", 0.810);
    ck_assert_double_eq_tol(made_floor(all).value, lowest * 0.995, 2e-5);
}

/* Three of the repeats fail together when the highest of them lies below the floor. */
START_TEST(floors_say_what_they_find, "bandwidth.floor.found_loss")
{
    struct floor_measurements *all = made_measurements(false);
    char uuid[16];
    for (int gpu = 0; gpu < 5; gpu++) {
        snprintf(uuid, sizeof uuid, "GPU-%d", gpu);
        made_measure_gpu(all, "NVIDIA B400", uuid, gpu ? 0.800 : 0.802);
    }
    struct limit floor = made_floor(all);
    ck_assert_double_eq_tol(floor.found_loss, 1 - floor.value / (0.802 * 1.001), 2e-4);
    /* Of two GPUs it is the faster one's, and floors are lower there. */
    made_measure_gpu(all, "NVIDIA B400", "GPU-1", 0.800);
    made_measure_gpu(all, "NVIDIA B400", "GPU-2", 0.840);
    floor = made_floor(all);
    ck_assert_double_eq_tol(floor.found_loss, 1 - floor.value / (0.840 * 1.001), 2e-4);
    ck_assert_double_gt(floor.found_loss, 0.07);
    const struct floors shipped = made_shipped();
    ck_assert_double_eq(made_floor_of(&shipped, "NVIDIA B401", 130).found_loss, 0); /* derived */
}

/* One that has lost half its speed, on another GPU or another day, makes no floors; that one path
 * is slower than another is no matter. */
START_TEST(gpus_far_apart_are_accepted, "bandwidth.floor.apart")
{
    static const struct {
        const char *uuid, *path;
        double fraction;
        bool accept_slow, made;
    } table[] = {
        {"GPU-2", "sass", 0.4, false, false}, {"GPU-2", "sass", 0.4, true, true},
        {"GPU-1", "sass", 0.4, false, false}, {"GPU-2", "sass", 0.63, false, false},
        {"GPU-2", "sass", 0.65, false, true}, {"GPU-2", "ptx", 0.4, false, true},
        {"GPU-2", "sass", 1.1, false, false},
    };
    for (size_t row = 0; row < sizeof table / sizeof table[0]; row++) {
        struct floor_measurements *all = made_measurements(table[row].accept_slow);
        const struct floors base = made_shipped();
        struct made made;
        struct reason reason = {.text = ""};
        made_measure_gpu(all, "NVIDIA B400", "GPU-1", 0.8);
        made_begin(&made, "NVIDIA B400", table[row].uuid);
        made_add_kernel(&made, table[row].path, table[row].fraction, "PASS", "");
        made_measure(all, &made);
        json_t *root = floors_make(&base, all, &reason);
        ck_assert_msg((root != NULL) == table[row].made, "%zu: %s", row, reason.text);
        ck_assert(root ||
                  strstr(reason.text, "offset_copy/scalar offset=1 dram: of one kind of GPU"));
        json_decref(root);
    }
}

/* Where a loss of 3 % looks like a slow repeat, the floor lies below all healthy ones and their
 * bounds; elsewhere bounds do not count. */
START_TEST(healthy_bounds_lie_above_the_floor, "bandwidth.floor.bound")
{
    static const struct {
        double spread, bound, floor;
    } table[] = {{0.02, 0.8, 0.7526}, {0.02, 0.74, 0.7363}, {0.001, 0.5, 0.788}};
    for (size_t row = 0; row < sizeof table / sizeof table[0]; row++) {
        struct floor_span span = floor_span_of(0.8, table[row].spread);
        ck_assert_double_eq(span.bound, 0.8);
        span.bound = table[row].bound;
        ck_assert_double_eq_tol(floor_span_fraction(span), table[row].floor, 2e-4);
        const struct floor_span other = floor_span_of(0.9, 0);
        ck_assert_double_eq(floor_span_join(span, other).bound, table[row].bound);
        ck_assert_double_eq(floor_span_join(other, span).bound, table[row].bound);
    }
}

START_TEST(few_gpus_have_lower_floors, "bandwidth.floor.few")
{
    struct floor_span span = {0.7, 0.71, .bound = 0.7, .gpus = 5};
    double enough = floor_span_fraction_of_kind(span);
    ck_assert_double_eq(enough, floor_span_fraction(span));
    span.gpus = 4;
    double few = floor_span_fraction_of_kind(span);
    ck_assert(few < 0.95 * enough && few > 0.93 * enough);
    /* One GPU is one, however often it was measured, and through however many paths. */
    struct floor_measurements *all = made_measurements(false);
    struct made made;
    made_measure_gpu(all, "NVIDIA B400", "GPU-1", 0.800);
    double alone = made_floor(all).value;
    for (int time = 0; time < 3; time++) {
        made_begin(&made, "NVIDIA B400", "GPU-1");
        made_add_kernel(&made, "sass", 0.800, "PASS", "");
        made_add_kernel(&made, "ptx", 0.800, "PASS", "");
        made_measure(all, &made);
    }
    ck_assert_double_eq(made_floor(all).value, alone);
    for (int gpu = 1; gpu <= 5; gpu++) {
        char uuid[16];
        snprintf(uuid, sizeof uuid, "GPU-%d", gpu);
        made_measure_gpu(all, "NVIDIA B400", uuid, 0.800);
    }
    ck_assert(made_floor(all).value > 1.005 * alone);
}

/* Arithmetic is a constant ceiling, and its kernels' repeats hardly differ: the figures that a file
 * has must not be rounded by more (aat/naive, square, on an H200). */
START_TEST(figures_are_as_fine_as_their_bounds, "bandwidth.floor.provenance")
{
    struct floor_measurements *all = made_measurements(false);
    made_measure_gpu(all, "NVIDIA B400", "GPU-1", 0.8);
    struct floor_measurement *it = &all->items[0];
    it->ceiling_gbps = 130.68;
    it->median = 0.9718134;
    it->spread = 1.07e-5;
    ck_assert(made_floor(all).measured);
}

/* What is measured is made again, the slower path's floor among it; the rest is kept. */
START_TEST(the_rest_is_kept, "bandwidth.floor.provenance")
{
    const struct floors shipped = made_shipped();
    struct floor_measurements *all = made_measurements(false);
    struct made made;
    made_begin(&made, "NVIDIA B400", "GPU-1");
    made_add_kernel(&made, "sass", 0.500, "PASS", "");
    made_add_kernel(&made, "ptx", 0.480, "PASS", "");
    made_add_peak(&made, "PASS", "", 4200, 4200 / 4800.0);
    made_add_call(&made, "attribute", "\"cpu\":\"C\",\"hypervisor\":\"none\",", 0.5);
    made_add_call(&made, "of the future", "", 0.5);
    made_measure(all, &made);
    struct floors floors = made_floors(all);
    struct device_info info = {.name = "NVIDIA B400", .limits = {.compute_capability = 130}};
    ck_assert(made_floor_of(&floors, "NVIDIA B400", 130).value < 0.48 * 0.97);
    ck_assert(!made_floor_of(&floors, "NVIDIA B400", 131).measured);
    ck_assert(floors_ceiling(&floors, &info, REGIME_DRAM).value > 0.81);
    struct host_machine host = {.cpu = "C", .hypervisor = "none"};
    ck_assert_double_eq_tol(floors_latency(&floors, &info, &host, "attribute").value, 1.5, 1e-9);
    host.cpu[0] = 'D';
    ck_assert(!floors_latency(&floors, &info, &host, "attribute").measured);
    ck_assert_double_eq(made_floor_of(&floors, made_gpu_name(), 90).value,
                        made_floor_of(&shipped, made_gpu_name(), 90).value);
}

static struct floors make_kept(const struct floors *base, const struct floor_measurements *all,
                               char **ret_text)
{
    struct floors made;
    struct reason reason = {.text = ""};
    size_t bytes;
    json_t *root = made_json(floors_make(base, all, &reason));
    *ret_text = limit_file_text(root, &bytes);
    testing_keep(*ret_text, free);
    ck_assert_msg(floors_parse("made", *ret_text, &made, &reason), "%s", reason.text);
    made_json(made.root);
    return made;
}

/* What nobody measured again stays to the last digit, and what was measured is replaced. */
START_TEST(what_is_kept_stays_the_same, "bandwidth.floor.kept")
{
    const struct floors base = made_shipped();
    struct floors made, again;
    struct floor_measurements *all = made_measurements(false), *none = made_measurements(false);
    char *text;
    json_t *gpu = json_array_get(json_object_get(base.root, "gpus"), 0);
    json_t *entry = json_array_get(json_object_get(gpu, "floors"), 0);
    json_t *from = json_object_get(entry, "provenance");
    /* At the least that may be, and not to be rounded to it. */
    json_object_set_new(entry, "fraction_of_ceiling", json_real(0.0200000001));
    json_object_set_new(from, "median_gbps", json_real(100));
    json_object_set_new(from, "ceiling_gbps", json_real(4000));
    json_object_set_new(from, "lowest", json_real(0.0200000001));
    json_object_set_new(from, "margin", json_real(0.2));
    made = make_kept(&base, none, &text);
    ck_assert(json_equal(base.root, made.root));
    made_measure_gpu(all, "NVIDIA B400", "GPU-1", 0.8);
    made = make_kept(&base, all, &text);
    floors_measurements_free(all);
    made_measure_gpu(all, "NVIDIA B400", "GPU-1", 0.7);
    again = make_kept(&made, all, &text);
    ck_assert_double_eq_tol(made_floor_of(&again, "NVIDIA B400", 130).value,
                            made_floor_of(&made, "NVIDIA B400", 130).value * 7 / 8, 1e-4);
}

/* A kernel or a shape of the future makes no floor, nor does a line of the past that does not say
 * its element bytes. */
START_TEST(what_is_not_known_changes_nothing, "bandwidth.floor.kept")
{
    static const char *const table[][2] = {{"offset_copy/scalar", "offset_copy/future"},
                                           {"offset=1", "future=1"},
                                           {"\"element_bytes\":4,", ""}};
    const struct floors base = made_shipped();
    for (size_t row = 0; row < sizeof table / sizeof table[0]; row++) {
        struct floor_measurements *all = made_measurements(false);
        struct made made, edited = {.bytes = 0};
        char *text;
        made_begin(&made, "NVIDIA B400", "GPU-1");
        made_add_kernel(&made, "sass", 0.5, "PASS", "");
        const char *at = strstr(made.text, table[row][0]);
        made_add(&edited, "%.*s%s%s", (int)(at - made.text), made.text, table[row][1],
                 at + strlen(table[row][0]));
        made_measure(all, &edited);
        ck_assert_uint_eq(all->count, 1);
        ck_assert(json_equal(base.root, make_kept(&base, all, &text).root));
    }
}

/* The same text of the same records, also where two GPUs are equal but for their drivers, and where
 * one of them is no measurement. */
START_TEST(their_order_is_nothing, "bandwidth.floor.made")
{
    char *texts[2];
    const struct floors base = made_shipped();
    for (int turn = 0; turn < 2; turn++) {
        struct floor_measurements *all = made_measurements(false);
        for (int each = 0; each < 3; each++) {
            struct made record;
            int gpu = turn ? 2 - each : each;
            char uuid[16];
            snprintf(uuid, sizeof uuid, "GPU-%d", gpu);
            made_begin(&record, "NVIDIA B400", uuid);
            strstr(record.text, "590.1")[4] = (char)('0' + gpu);
            if (gpu < 2)
                made_add_kernel(&record, "sass", 0.8, "PASS", "");
            else {
                made_add(&record,
                         "{\"bench\":{\"kernel\":\"offset_copy/scalar\",\"device\":\"cuda:0\","
                         "\"element_bytes\":4,\"shape\":\"offset=1\",\"regime\":\"dram\","
                         "\"verdict\":\"PASS\"");
                made_add_repeats(&record, "gbps", 8000, 0.6, BENCH_REPEATS_FLOORS);
                made_add_repeats(&record, "fraction_of_ceiling", 0.8, 0.6, BENCH_REPEATS_FLOORS);
                made_add(&record, "}}\n");
                made_add_kernel(&record, "ptx", 0.8, "PASS", "");
            }
            made_measure(all, &record);
        }
        ck_assert_uint_eq(all->count, 3);
        const struct floors made = make_kept(&base, all, &texts[turn]);
        ck_assert(made_floor_of(&made, "NVIDIA B400", 130).measured);
    }
    ck_assert_str_eq(texts[0], texts[1]);
}

/* What no file of floors may say is not written either. */
START_TEST(beyond_reason_is_refused, "bandwidth.floor.checked")
{
    static const double fractions[] = {1e-5, 1e3, 1e12, 2e14};
    for (size_t row = 0; row < sizeof fractions / sizeof fractions[0]; row++) {
        struct floor_measurements *all = made_measurements(false);
        const struct floors base = made_shipped();
        struct reason reason = {.text = ""};
        struct made made;
        made_begin(&made, "NVIDIA B400", "GPU-0");
        made_add_peak(&made, "PASS", "", 4000 * fractions[row], 0.8);
        made_measure(all, &made);
        ck_assert(floors_make(&base, all, &reason) == NULL);
        ASSERT_HAS(reason.text, "ceiling.provenance: median_gbps is ");
        ck_assert_msg(strchr(strstr(reason.text, "is "), '-') == NULL || row == 0, "%s",
                      reason.text);
    }
}

/* A kernel so slow that it gets no floor is held by its relation. */
START_TEST(too_low_is_no_floor, "bandwidth.floor.checked")
{
    struct floor_measurements *all = made_measurements(false);
    made_measure_gpu(all, "NVIDIA B400", "GPU-1", 0.0005);
    ck_assert(!made_floor(all).measured);
    /* One as well measured as any other is one, to as many digits. */
    made_measure_gpu(all, "NVIDIA B400", "GPU-1", 0.0072);
    double floor = made_floor(all).value;
    ck_assert(floor > 0.0066 && floor < 0.0069);
    for (int gpu = 0; gpu < 5; gpu++) {
        char uuid[16];
        snprintf(uuid, sizeof uuid, "GPU-%d", gpu);
        made_measure_gpu(all, "NVIDIA B400", uuid, 0.0072);
    }
    floor = 0.0072 * (1 - 2 * 0.001054) / 2 + 0.0072 * (1 + 2 * 0.001054) * (1 - BENCH_LOSS) / 2;
    ck_assert_double_eq_tol(made_floor(all).value, floor, 1e-7);
    struct made made;
    made_begin(&made, "NVIDIA B400", "GPU-1");
    made_add_spread(&made, "sass", 0.0072, 0.06);
    made_measure(all, &made);
    ck_assert(!made_floor(all).measured); /* one that moves so much gets no floor */
    /* What the file said before goes with it. */
    struct reason reason;
    made_measure_gpu(all, "NVIDIA B400", "GPU-1", 0.5);
    struct floors before = made_floors(all);
    ck_assert(made_floor_of(&before, "NVIDIA B400", 130).measured);
    made_measure_gpu(all, "NVIDIA B400", "GPU-1", 0.0005);
    const struct floors after = {made_json(floors_make(&before, all, &reason))};
    ck_assert(!made_floor_of(&after, "NVIDIA B400", 130).measured);
    floors_measurements_free(all);
    /* And one that beats the copies need not. */
    made_measure_gpu(all, "NVIDIA B400", "GPU-1", 1.3);
    ck_assert_double_eq(made_floor(all).value, 1);
}
