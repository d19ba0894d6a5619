/* Floor files: the shipped one holds its schema, every mistake is refused with its line, and
 * unknown GPUs have derived floors. */
#include "conformance/record/limit_file.h"
#include "conformance/test/made_bench.h"
#include "conformance/test/made_record.h"
#include "conformance/base/input_file.h"

static struct device_info gpu_named(const char *name, int capability)
{
    struct device_info info = {.limits = {.compute_capability = capability}};
    snprintf(info.name, sizeof info.name, "%s", name);
    snprintf(info.driver_release, sizeof info.driver_release, "580.159.04");
    return info;
}

extern const char *const floors_builtin_lines[]; /* lines_builtin.c.in */

START_TEST(shipped_file_holds_its_schema, "bandwidth.floor.schema")
{
    char place[FORM_PATH_BYTES], *builtin = lines_join(floors_builtin_lines);
    size_t bytes;
    struct reason reason = {.text = ""};
    char *shipped = input_read(INPUT_LIMITS, getenv("FLOORS"), &bytes, &reason);
    json_t *file = made_json(json_loads(shipped, JSON_REJECT_DUPLICATES, NULL));
    testing_keep(builtin, free);
    testing_keep(shipped, free);
    ck_assert_msg(form_check(&form_floor_file, file, place, &reason), "%s: %s", place, reason.text);
    ck_assert_msg(strcmp(shipped, builtin) == 0, "the program carries another file");
    json_object_set_new(file, "unit", json_string("MB/s"));
    ck_assert(!form_check(&form_floor_file, file, place, &reason));
    ck_assert_str_eq(reason.text, "unit is an unknown name or unit");
}

/* A file with one of each, in which one text replaces another. */
#define FLOOR                                                                                      \
    "{\"kernel\": \"offset_copy/scalar\", \"shape\": \"offset=0\", \"regime\": \"dram\", "         \
    "\"element_bytes\": 4, \"fraction_of_ceiling\": 0.5,\n\"provenance\": {\"median_gbps\": "      \
    "2100, \"ceiling_gbps\": 4000, \"spread\": 0.01, \"margin\": 0.0476, \"lowest\": 0.51, "       \
    "\"highest\": 9, \"gpus\": 1, \"gpu\": \"G\", \"driver\": \"1\", \"date\": \"2026-11-21\"}}"
#define LATENCY                                                                                    \
    "{\"call\": \"launch\", \"cpu\": \"C\", \"hypervisor\": \"none\", \"ceiling_us\": 8, "         \
    "\"provenance\": {\"median_us\": 3, \"spread\": 0.01, \"margin\": 2, \"gpu\": \"G\", "         \
    "\"driver\": \"1\", \"date\": \"2026-11-21\"}}"
static const char good_file[] =
    "{\"floors\": \"assay\", \"version\": 1, \"bandwidth_unit\": \"GB/s\",\n"
    "\"latency_unit\": \"us\",\n"
    "\"gpus\": [{\"gpu\": \"H\", \"compute_capability\": 90, \"floors\": [], \"latencies\": []},\n"
    "{\"gpu\": \"G\", \"compute_capability\": 90, \"ceiling\": {\"fraction_of_peak\": 0.8, "
    "\"provenance\": {\"margin\": 0.0857, \"median_gbps\": 3500, \"ceiling_gbps\": 4000, "
    "\"spread\": 0.01, \"lowest\": 0.85, \"highest\": 0.9, \"gpus\": 2, \"gpu\": \"G\", "
    "\"driver\": \"1\", \"date\": \"2026-11-20\"}},\n"
    "\"floors\": [\n" FLOOR "\n],\n\"latencies\": [" LATENCY "]}],\n"
    "\"relations\": [{\"clause\": \"bandwidth.relation.aat_padded\", \"kernel\": \"aat/padded\", "
    "\"shape\": \"k=32\", \"against\": \"aat/simple\", \"against_shape\": \"k=32\", \"regime\": "
    "\"dram\", \"least_ratio\": 1, \"most_ratio\": 2, \"gpus\": [\"H\"]}]}";
#define FRACTION                 "0.5,\n\"provenance\": {\"median_gbps\": 2100"
#define MEASURED(fraction, gbps) fraction ",\n\"provenance\": {\"median_gbps\": " gbps

static const struct {
    const char *part, *by, *says;
} mistakes[] = {
    {good_file, "", "f: line 1, column 0: not JSON"},
    {good_file, "{\n\"floors\": 1,,", "f: line 2, column"},
    {good_file, "\033[2J", "not JSON: '[' or '{' expected near '?'"},
    {good_file, "{}", "f: line 1: the file: has no floors"},
    {"\"version\": 1", "\"version\": 2", "not assay floors of version 1"},
    {"\"floors\": \"assay\"", "\"floors\": \"essay\"", "not assay floors of version 1"},
    {"GB/s", "MB/s", "bandwidth_unit is MB/s, not GB/s"},
    {"\"us\"", "\"ms\"", "latency_unit is ms, not us"},
    {"\"gpu\": \"H\"", "\"gpu\": \"G\"", "gpus[1]: occurs twice"},
    {"0.8,", "1.2,", "gpus[1].ceiling: fraction_of_peak is 1.2, outside"},
    {"0.8,", "0.86,", "gpus[1].ceiling: fraction_of_peak is 0.86, above"},
    {"0.8,", "0.81,", "its margin is 0.0857, and fraction_of_peak lies 0.07429 below"},
    {"\"margin\": 0.0857", "\"margin\": 0.088", "its margin is 0.088, and"},
    {"\"lowest\": 0.85", "\"lowest\": 0.88", "0.875, which was measured, is not between 0.88"},
    {"\"highest\": 0.9", "\"highest\": 0.87", "is not between 0.85 and 0.87"},
    {"\"median_gbps\": 3500", "\"median_gbps\": 8500", "is a unit wrong?"},
    {"\"median_gbps\": 3500", "\"median_gbps\": 0.09", "median_gbps is 0.09, outside"},
    {"\"median_gbps\": 3500", "\"median_gbps\": 3.5e5", "median_gbps is 350000, outside"},
    {"\"ceiling_gbps\": 4000", "\"ceiling_gbps\": 1e6", "ceiling_gbps is 1e+06, outside"},
    {"\"spread\": 0.01", "\"spread\": -0.01", "spread is -0.01, outside [0, 0.5]"},
    {"\"spread\": 0.01", "\"spread\": 0.51", "spread is 0.51, outside [0, 0.5]"},
    {"\"gpus\": 2, \"gpu\": \"G\"", "\"gpus\": 2, \"gpu\": \"G\\u001b\\n\"",
     "its provenance is of another GPU, G??"},
    {"2026-11-20", "2026-11-2", ", not YYYY-MM-DD"},
    {"2026-11-20", "2026-11-200", ", not YYYY-MM-DD"},
    {"2026-11-20", "yesterday!", ", not YYYY-MM-DD"},
    {"2026-11-20", "20-26-11-0", ", not YYYY-MM-DD"},
    {FRACTION, MEASURED("0.0005", "2100"),
     "f: line 6: gpus[1].floors[0]: fraction_of_ceiling is 0.0005, outside (0.0005, 1.05)"},
    {FRACTION, MEASURED("0.02", "2100"),
     "fraction_of_ceiling is 0.02, and below 0.02 it must lie within 0.1 of what was measured, "
     "0.525, with a spread of 0.05 at most"},
    {FRACTION, MEASURED("1.06", "4000"), "outside (0.0005, 1.05)"},
    {FLOOR,
     FLOOR ",\n{\"kernel\": \"offset_copy/vector\", \"shape\": \"offset=0\", \"regime\": "
           "\"dram\", \"element_bytes\": 4, \"fraction_of_ceiling\": 0.24, \"provenance\": "
           "{\"median_gbps\": 4000, \"ceiling_gbps\": 4000, \"spread\": 0.01, \"margin\": 0.0476, "
           "\"lowest\": 0.51, \"highest\": 9, \"gpus\": 1, \"gpu\": \"G\", \"driver\": \"1\", "
           "\"date\": \"2026-11-21\"}}",
     "f: line 8: gpus[1].floors[1]: fraction_of_ceiling is 0.24, below a quarter of its own "
     "provenance, 1"},
    {FRACTION, MEASURED("0.6", "2100"),
     "fraction_of_ceiling is 0.6, above its own provenance, 0.51"},
    {FRACTION, MEASURED("0.49", "2100"),
     "its margin is 0.0476, and fraction_of_ceiling lies 0.06667 below what was measured"},
    {FRACTION, MEASURED("0.5", "1.9"), "is a unit wrong?"},
    {"copy/scalar", "copy/sclaar", "unknown kernel offset_copy/sclaar"},
    {"offset=0", "stride=2", "offset_copy has no shape stride=2"},
    {"offset=0", "element=8", "element_bytes is 4, and the elements of shape element=8 have 8"},
    {"\"gpus\": 1,", "\"gpus\": 2147483647,", "gpus is 2.14748e+09, outside (0, 1e+06)"},
    {"\"dram\", \"element", "\"drum\", \"element",
     "gpus[1].floors[0]: regime is drum, not dram|l2"},
    {FLOOR, FLOOR "," FLOOR, "gpus[1].floors[1]: occurs twice"},
    {FLOOR, "3", "gpus[1].floors[0]: is not an object"},
    {FLOOR, "{\"kernel\": 3}", "kernel is of the wrong type"},
    {"\"launch\"", "\"lunch\"", "unknown host call lunch"},
    {"\"ceiling_us\": 8", "\"ceiling_us\": 2000", "ceiling_us is 2000"},
    {"\"ceiling_us\": 8", "\"ceiling_us\": 2", "ceiling_us is 2, not within"},
    {"\"median_us\": 3,", "\"median_us\": -3,", "median_us is -3, outside"},
    {LATENCY, LATENCY "," LATENCY, "gpus[1].latencies[1]: occurs twice"},
    {LATENCY, "{\"call\": \"launch\", \"ceiling_us\": 8}", "gpus[1].latencies[0]: has no cpu"},
    {"aat/padded", "aat/paded", "relations[0]: unknown kernel aat/paded"},
    {"aat/simple", "aat/simpel", "relations[0]: unknown kernel aat/simpel"},
    {"\"dram\", \"least", "\"drum\", \"least", "relations[0]: regime is drum, not dram|l2"},
    {"\"least_ratio\": 1, \"most_ratio\": 2, ", "", "neither least_ratio"},
    {"\"least_ratio\": 1", "\"least_ratio_mbps\": 1",
     "least_ratio_mbps is an unknown name or unit"},
    {"\"least_ratio\": 1", "\"least_ratio\": 0.01", "least_ratio is 0.01, outside"},
    {"\"most_ratio\": 2", "\"most_ratio\": 0.9", "most_ratio is 0.9, not above least_ratio, 1"},
    {"\"gpus\": [\"H\"]", "\"gpus\": \"H\"", "gpus is of the wrong type"},
    {"\"gpus\": [\"H\"]}",
     "\"gpus\": [\"H\"]}, {\"clause\": \"bandwidth.relation.aat_padded\", \"kernel\": "
     "\"aat/padded\", \"shape\": \"k=32\", \"against\": \"aat/simple\", \"against_shape\": "
     "\"k=32\", \"regime\": \"dram\", \"least_ratio\": 3, \"gpus\": [\"G\", \"H\"]}",
     "relations[1]: occurs twice for H"},
};

START_TEST(mistakes_are_refused_with_the_line, "bandwidth.floor.checked")
{
    struct floors floors;
    struct reason reason;
    ck_assert_msg(floors_parse("f", good_file, &floors, &reason), "%s", reason.text);
    floors_close(&floors);
    for (size_t row = 0; row < sizeof mistakes / sizeof mistakes[0]; row++) {
        char text[2 * sizeof good_file];
        const char *at = strstr(good_file, mistakes[row].part);
        ck_assert_msg(at != NULL, "%s", mistakes[row].part);
        snprintf(text, sizeof text, "%.*s%s%s", (int)(at - good_file), good_file, mistakes[row].by,
                 at + strlen(mistakes[row].part));
        reason.text[0] = 0;
        ck_assert_msg(!floors_parse("f", text, &floors, &reason), "%s", mistakes[row].says);
        ck_assert_msg(strstr(reason.text, mistakes[row].says) != NULL, "`%s` is not `%s`",
                      reason.text, mistakes[row].says);
    }
    ck_assert(!floors_open("/no/such/floors.json", &floors, &reason));
    ck_assert_str_eq(reason.text,
                     "/no/such/floors.json: cannot be read: No such file or directory");
}

/* A file with one floor, whose fraction was measured 1.04 times as high. */
static bool takes_low(double fraction, double above, double spread, struct reason *ret_reason)
{
    char text[2048];
    struct floors floors;
    snprintf(text, sizeof text,
             "{\"floors\": \"assay\", \"version\": 1, \"bandwidth_unit\": \"GB/s\", "
             "\"latency_unit\": \"us\", \"relations\": [], \"gpus\": [{\"gpu\": \"G\", "
             "\"compute_capability\": 90, \"latencies\": [], \"floors\": [{\"kernel\": "
             "\"aat/naive\", \"shape\": \"k=32\", \"regime\": \"dram\", \"element_bytes\": 4, "
             "\"fraction_of_ceiling\": %.9g, \"provenance\": {\"median_gbps\": %.9g, "
             "\"ceiling_gbps\": 4000, \"spread\": %g, \"margin\": %.9g, \"lowest\": %.9g, "
             "\"highest\": 1, \"gpus\": 1, \"gpu\": \"G\", \"driver\": \"1\", \"date\": "
             "\"2026-11-21\"}}]}]}",
             fraction, 4000 * fraction * above, spread, 1 - 1 / above, fraction);
    bool good = floors_parse("f", text, &floors, ret_reason);
    if (good)
        floors_close(&floors);
    return good;
}

/* Such a fraction may be a unit's mistake: it lies close under what was measured, and steadily. */
START_TEST(a_low_floor_is_measured_well, "bandwidth.floor.low")
{
    static const struct {
        double fraction, above, spread;
        bool good;
    } table[] = {
        {0.0072, 1.04, 0.01, true},  {0.0072, 1.11, 0.05, true}, {0.0072, 1.12, 0.01, false},
        {0.0072, 1.04, 0.06, false}, {0.0004, 1.04, 0, false},   {0.0201, 1.3, 0.3, true},
    };
    for (size_t row = 0; row < sizeof table / sizeof table[0]; row++) {
        struct reason reason = {.text = ""};
        ck_assert_msg(takes_low(table[row].fraction, table[row].above, table[row].spread,
                                &reason) == table[row].good,
                      "%zu: %s", row, reason.text);
    }
}

/* On the GPU that it was measured on no row of the shipped file is left to the model. */
START_TEST(every_row_of_a_known_gpu_has_a_floor, "bandwidth.floor.low")
{
    const struct floors floors = made_shipped();
    struct device_info info = gpu_named(made_gpu_name(), 90);
    static const char *const shapes[] = {"k=32", "square"}, *const low[] = {"naive", "simple"};
    int found = 0;
    for (int row = 0; row < 8; row++) {
        char kernel[32];
        snprintf(kernel, sizeof kernel, "aat/%s", low[row & 1]);
        const struct floor_key key = {.kernel = kernel,
                                      .shape = shapes[row >> 1 & 1],
                                      .element_bytes = 4,
                                      .regime = (enum regime)(row >> 2),
                                      .flops_per_byte = 10};
        struct limit floor = floors_kernel(&floors, &info, &key);
        found += floor.measured;
        ck_assert(!floor.measured || (floor.value > 0.0066 && floor.value < 0.0074));
        ck_assert(!floor.measured || (floor.found_loss > 0.01 && floor.found_loss < 0.1));
    }
    ck_assert_int_eq(found, 6); /* aat/simple takes no square */
}

/* Else a hostile file would take minutes. */
START_TEST(too_many_gpus_are_refused, "bandwidth.floor.checked")
{
    char *text = testing_new(1 << 20), *end = text;
    struct reason reason;
    struct floors floors;
    end += sprintf(end, "{\"floors\": \"assay\", \"version\": 1, \"bandwidth_unit\": \"GB/s\", "
                        "\"latency_unit\": \"us\", \"relations\": [], \"gpus\": [\n");
    for (int gpu = 0; gpu < 1025; gpu++)
        end += sprintf(end,
                       "%s{\"gpu\": \"G%d\", \"compute_capability\": 90, \"floors\": [], "
                       "\"latencies\": []}\n",
                       gpu ? "," : "", gpu);
    sprintf(end, "]}");
    ck_assert(!floors_parse("f", text, &floors, &reason));
    ck_assert_str_eq(reason.text,
                     "f: line 1026: gpus[1024]: is one more than the 1024 that a file may have");
}

START_TEST(line_of_an_entry, "bandwidth.floor.checked")
{
    static const char text[] = "{\n \"a\": \"}]\\\",[{\",\n \"b\": [1, [2,\n 3], {\"c\":\n {\"d\": "
                               "true}}\n],\n \"bb\": 4}\n";
    ck_assert_int_eq(limit_file_line(text, ""), 1);
    ck_assert_int_eq(limit_file_line(text, "a"), 2);
    ck_assert_int_eq(limit_file_line(text, "b"), 3);
    ck_assert_int_eq(limit_file_line(text, "b[1][1]"), 4);
    ck_assert_int_eq(limit_file_line(text, "b[2].c.d"), 5);
    ck_assert_int_eq(limit_file_line(text, "bb"), 7);
    ck_assert_int_eq(limit_file_line(text, "b[7]"), 3); /* the owner of what is missing */
}

START_TEST(unknown_gpus_have_derived_floors, "bandwidth.floor.derived")
{
    const struct floors floors = made_shipped();
    struct device_info known = gpu_named(made_gpu_name(), 90),
                       other = gpu_named(made_gpu_name(), 91);
    struct floor_key key = {.kernel = "offset_copy/scalar",
                            .shape = "offset=1",
                            .element_bytes = 4,
                            .regime = REGIME_DRAM,
                            .sector_efficiency = 0.8};
    struct limit floor = floors_kernel(&floors, &known, &key);
    ck_assert(floor.measured && floor.value > 0.55 && floor.value < 0.65);
    ASSERT_HAS(floor.from, "measured on ");
    ASSERT_HAS(floor.from, made_gpu_name());
    floor = floors_kernel(&floors, &other, &key);
    ck_assert(!floor.measured && floor.value > 0.199 && floor.value < 0.201);
    ASSERT_HAS(floor.from, "there are no floors for this GPU");
    key.element_bytes = 1; /* no such entry: elements of 1 byte have a shape of their own */
    floor = floors_kernel(&floors, &known, &key);
    ck_assert(!floor.measured && floor.value > 0.0499 && floor.value < 0.0501);
    ASSERT_HAS(floor.from, "elements of under 4 bytes");
    key.element_bytes = 8;
    floor = floors_kernel(&floors, &known, &key);
    ck_assert(!floor.measured && floor.value > 0.199 && floor.value < 0.201);
    ASSERT_HAS(floor.from, "have no such entry");
    key.flops_per_byte = 1; /* a flop a byte is still the memory's */
    ck_assert_double_eq(floors_kernel(&floors, &other, &key).value, 0.25 * 0.8);
    key.flops_per_byte = 1.01;
    ck_assert_double_eq(floors_kernel(&floors, &other, &key).value, 0.005);
    ck_assert(floors_ceiling(&floors, &known, REGIME_DRAM).measured);
    ck_assert_double_eq(floors_ceiling(&floors, &other, REGIME_DRAM).value, 0.6);
    ck_assert(floors_ceiling(&floors, &known, REGIME_L2).measured);
    ck_assert_double_eq(floors_ceiling(&floors, &other, REGIME_L2).value, 0.1);
    ASSERT_HAS(floors_ceiling(&floors, &other, REGIME_L2).from, "0.1 of the derived peak");
    const struct host_machine host = {.cpu = "C", .hypervisor = "none"};
    ck_assert(!floors_latency(&floors, &other, &host, "launch").measured);
    ck_assert_double_eq(floors_latency(&floors, &other, &host, "launch").value, 1000);
}
