/* Speeds, host calls and machine code that changed: what counts, and how it is put. */
#include <math.h>

#include "conformance/test/made_lines.h"
#include "conformance/test/made_pair.h"
#include "conformance/test/noise.h"

/* The images files of a header: one. */
#define IMAGES(toolkit, digest)                                                                    \
    "[{\"file\":\"c.images\",\"name\":\"cand\",\"toolkit\":\"" toolkit                             \
    "\",\"architectures\":\"90\",\"options\":\"-x\",\"digest\":\"" digest "\"}]"

/* The speed of the host device is this machine's mood. */
START_TEST(host_speeds_are_left_alone, "compare.speed.host")
{
    struct made_comparison pair = made_compared(
        made_lines_bench, {BOTH, "3/bench/device", "\"host\""}, {BOTH, "0/devices/0", "\"host\""},
        {BASE, "3/bench/gbps", GBPS(4000, 4004, 3998)},
        {NEW, "3/bench/gbps", GBPS(2000, 2001, 2002)});
    ck_assert_uint_eq(pair.it->kinds[DIFFERENCE_speed_lost], 0);
    ck_assert_uint_eq(pair.it->looked_at[COMPARED_SPEEDS], 0);
}

START_TEST(a_disturbed_gain_is_none, "compare.speed.disturbed")
{
    struct made_comparison pair = made_compared(
        made_lines_bench, {BASE, "3/bench/gbps", GBPS(4000, 4004, 3998)},
        {BASE, "3/bench/sensors", OTHERS}, {NEW, "3/bench/gbps", GBPS(4070, 4072, 4069)});
    ck_assert_int_eq(pair.it->change, CHANGE_SAME);
}

START_TEST(a_lost_speed_has_its_ratio, "compare.speed.lost")
{
    struct made_comparison pair =
        made_compared(made_lines_bench, {BASE, "3/bench/gbps", GBPS(4000, 4004, 3998)},
                      {NEW, "3/bench/gbps", GBPS(3940, 3942, 3939)},
                      {BOTH, "3/bench/shape", "\"k=32\""}, {BOTH, "3/bench/regime", "\"dram\""});
    const struct difference *it = &pair.it->differences[0];
    ck_assert_int_eq(it->kind, DIFFERENCE_speed_lost);
    ck_assert_str_eq(it->place, "matmul/naive through sass on cuda:0, k=32 dram");
    ck_assert_str_eq(it->base, "4,000 GB/s");
    ck_assert_str_eq(it->next, "3,940 GB/s (-1.5 %, -2.0 to -1.0 %)");
}

/* The smallest loss that one repeat of NEW finds, of `planned` that a gate would have taken. */
static double finds_of(const char *planned)
{
    struct made_comparison pair =
        made_compared(made_lines_bench, {BASE, "3/bench/gbps", GBPS(4000, 4004, 3998)},
                      {NEW, "3/bench/gbps", "[[4000]]"}, {NEW, "3/bench/settled_of", planned});
    double finds = 0;
    for (size_t index = 0; index < pair.it->figure_count; index++)
        if (strstr(pair.it->figures[index].place, "matmul/naive"))
            finds = pair.it->figures[index].finds;
    return finds;
}

START_TEST(what_is_settled_finds_as_much_as_all_repeats, "compare.speed.finds")
{
    ck_assert_double_gt(finds_of("3"), 0.01);
    ck_assert_double_lt(finds_of("3"), finds_of("1"));
}

/* The verdict on three repeats of a kernel, or of a host call, beside those of BASE. */
static enum change change_of(const double base[3], const double next[3], bool is_call)
{
    const char *path = is_call ? "15/latency/us" : "3/bench/gbps";
    char values[2][256];
    for (int side = 0; side < 2; side++) {
        const double *it = side ? next : base;
        snprintf(values[side], sizeof values[side], "[[%.9g],[%.9g],[%.9g]]", it[0], it[1], it[2]);
    }
    struct made_comparison pair =
        made_compared(made_lines_bench, {BASE, path, values[0]}, {NEW, path, values[1]});
    const enum change change = pair.it->change;
    return change;
}

/* Over records with random repeats, of speeds and of host calls: one repeat of NEW that is slower,
 * or that no number says, never makes the verdict of the comparison better. */
START_TEST(slower_repeats_make_no_verdict_better, "compare.speed.monotonic")
{
    static const int badness[CHANGE_COUNT] = {[CHANGE_BETTER] = 0,
                                              [CHANGE_SAME] = 1,
                                              [CHANGE_NOT_COMPARABLE] = 2,
                                              [CHANGE_REGRESSED] = 3};
    static const double spreads[] = {0, 0.002, 0.02, 0.4}, moves[] = {0.6, 0.98, 1, 1.03, 1.9};
    int fell = 0;
    uint64_t counter = 0;
    for (int index = 0; index < 400; index++) {
        double base[3], next[3];
        const double base_spread = spreads[random_below(3, counter++, 4)],
                     next_spread = spreads[random_below(3, counter++, 4)],
                     move = moves[random_below(3, counter++, 5)];
        for (int repeat = 0; repeat < 3; repeat++) {
            base[repeat] = 1000 * exp(base_spread * noise_normal(3, &counter));
            next[repeat] = 1000 * move * exp(next_spread * noise_normal(3, &counter));
        }
        const bool is_call = index % 4 == 3;
        const enum change before = change_of(base, next, is_call);
        const double by = random_below(3, counter++, 2) ? 0.9 : 0.5;
        next[random_below(3, counter++, 3)] *= is_call ? 1 / by : index % 16 == 0 ? 0 : by;
        const enum change after = change_of(base, next, is_call);
        ck_assert_msg(badness[after] >= badness[before], "try %d: %s to %s", index,
                      change_name(before), change_name(after));
        fell += badness[after] > badness[before];
    }
    ck_assert_int_ge(fell, 40);
}

/* Launches of 2.65, 2.43 and 5.04 us that take four times as long, and eight times. */
START_TEST(a_scattered_base_hides_no_slower_call, "compare.call.bounded")
{
    static const double base[] = {2.65, 2.43, 5.04};
    static const struct {
        double times;
        enum change change;
    } table[] = {{1, CHANGE_SAME},
                 {1.3, CHANGE_SAME},
                 {2, CHANGE_NOT_COMPARABLE},
                 {4, CHANGE_NOT_COMPARABLE},
                 {8, CHANGE_REGRESSED}};
    for (size_t row = 0; row < sizeof table / sizeof table[0]; row++) {
        double next[3];
        for (int repeat = 0; repeat < 3; repeat++)
            next[repeat] = table[row].times * base[repeat];
        ck_assert_msg(change_of(base, next, true) == table[row].change, "row %zu", row);
    }
}

START_TEST(calls_of_another_host_are_left_alone, "compare.call.host")
{
    struct made_comparison pair = made_compared(
        made_lines_bench, {BASE, "15/latency/us", GBPS(2.5, 2.6, 2.7)},
        {NEW, "15/latency/us", GBPS(7.5, 7.6, 7.7)}, {NEW, "15/latency/hypervisor", "\"another\""});
    ck_assert_int_eq(pair.it->change, CHANGE_SAME);
    ck_assert_uint_eq(pair.it->kinds[DIFFERENCE_calls_apart], 1);
}

/* What a budget has room for is named, and is not worse. */
START_TEST(code_may_change_a_little, "compare.code.changed")
{
    static const struct {
        enum change change;
        size_t changed;
        struct edit edits[3];
    } table[] = {
        {CHANGE_SAME, 1, {{NEW, "3/codegen/registers", "40"}}},
        {CHANGE_SAME, 1, {{NEW, "3/codegen/code_bytes", "1536"}}},
        {CHANGE_SAME, 1, {{NEW, "3/codegen/code_xxh3_64", "\"0\""}}},
        {CHANGE_NOT_COMPARABLE, 0, {{NEW, "3/codegen/occupancy", BLOCKS(7)}}},
        {CHANGE_REGRESSED, 0, {{NEW, "3/codegen/verdict", "\"FAIL\""}}},
    };
    for (size_t row = 0; row < sizeof table / sizeof table[0]; row++) {
        struct made_comparison pair = made_comparison(made_pair_code, table[row].edits);
        ck_assert_msg(pair.it->change == table[row].change, "row %zu: %s", row, pair.it->why);
        ck_assert_uint_eq(pair.it->kinds[DIFFERENCE_code_changed], table[row].changed);
    }
}

START_TEST(code_that_runs_worse_is_worse, "compare.code.worse")
{
    struct made_comparison pair =
        made_compared(made_pair_code, {BOTH, "3/codegen/local_bytes", "16"},
                      {NEW, "3/codegen/local_bytes", "24"});
    ck_assert_str_eq(pair.it->differences[0].place, "matmul/naive through sass on cuda:0, f");
    ck_assert_str_eq(pair.it->differences[0].next,
                     "32 registers, 24 bytes of local memory, 0 of shared memory, 1024 of code "
                     "8899aabb");
}

START_TEST(clocks_under_load_are_named, "compare.environment.clocks")
{
    struct made_comparison pair = made_compared(
        made_lines_bench, {BASE, "3/bench/sensors", "{\"sm_mhz\":1980,\"memory_mhz\":3201}"},
        {NEW, "3/bench/sensors", "{\"sm_mhz\":1410,\"memory_mhz\":3150}"});
    ck_assert_uint_eq(pair.it->count, 1);
    ck_assert_str_eq(pair.it->differences[0].place, "SM clock under load on cuda:0");
    ck_assert_str_eq(pair.it->differences[0].next, "1410 MHz");
    ck_assert_int_eq(pair.it->change, CHANGE_SAME); /* speeds decide */
    /* Memory has one clock under load. */
    pair = made_compared(made_lines_bench,
                         {BASE, "3/bench/sensors", "{\"sm_mhz\":1980,\"memory_mhz\":3201}"},
                         {NEW, "3/bench/sensors", "{\"sm_mhz\":1980,\"memory_mhz\":1600}"});
    ck_assert_int_eq(pair.it->change, CHANGE_NOT_COMPARABLE);
    ck_assert_str_eq(pair.it->differences[0].place, "memory clock under load on cuda:0");
}

/* A device of which one value changed, of the same GPU and of another of its name. */
START_TEST(a_device_that_got_worse_is_no_same, "compare.device.worse", "compare.device.changed",
           "compare.device.link")
{
    static const struct {
        const char *key, *base, *next;
        enum difference_kind kind;
    } table[] = {
        {"ecc", "\"on\"", "\"off\"", DIFFERENCE_ecc_off},
        {"ecc", "\"off\"", "\"on\"", DIFFERENCE_environment},
        {"ecc", "\"on\"", NULL, DIFFERENCE_device_unreported},
        {"ecc", NULL, "\"off\"", DIFFERENCE_environment},
        {"mig", "\"off\"", "\"on\"", DIFFERENCE_mig_on},
        {"mig", "\"on\"", "\"off\"", DIFFERENCE_environment},
        {"mig", "\"off\"", NULL, DIFFERENCE_device_unreported},
        {"memory_bytes", "150109880320", "75054940160", DIFFERENCE_memory_less},
        {"memory_bytes", "150109880320", "147000000000", DIFFERENCE_memory_less},
        {"memory_bytes", "150754820096", "150109880320", DIFFERENCE_environment}, /* 0.4 % */
        {"memory_bytes", "150109880320", "148000000000", DIFFERENCE_environment},
        {"memory_bytes", "75054940160", "150109880320", DIFFERENCE_environment},
        {"l2_bytes", "62914560", "31457280", DIFFERENCE_device_less},
        {"l2_bytes", "31457280", "62914560", DIFFERENCE_environment},
        {"memory_clock_khz", "3201000", "1600500", DIFFERENCE_device_less},
        {"memory_clock_khz", "3201000", "3200000", DIFFERENCE_environment},
        {"memory_bus_bits", "6016", "5120", DIFFERENCE_device_less},
        {"sm_clock_khz", "1980000", "1410000", DIFFERENCE_device_less},
        {"multiprocessors", "132", "130", DIFFERENCE_device_less},
        {"multiprocessors", "130", "132", DIFFERENCE_environment},
        {"power_limit_w", "700.0", "100.0", DIFFERENCE_device_less},
        {"power_limit_w", "700.0", NULL, DIFFERENCE_device_unreported},
        {"application_sm_mhz", "1980", "1410", DIFFERENCE_device_less},
        {"application_memory_mhz", "3201", "1600", DIFFERENCE_device_less},
        {"vbios", "\"96.00\"", NULL, DIFFERENCE_environment}, /* a later NVML may lack functions */
        {"application_sm_mhz", "1980", NULL, DIFFERENCE_environment},
        {"vbios", "\"96.00\"", "\"96.01\"", DIFFERENCE_environment},
        {"pcie_width_max", "16", "1", DIFFERENCE_device_less},
        {"pcie_generation_max", "5", "3", DIFFERENCE_device_less},
        {"pcie_width", "16", "1", DIFFERENCE_environment}, /* the link may be idle */
        {"pcie_generation", "5", "1", DIFFERENCE_environment},
    };
    static const enum change changes[DIFFERENCE_KIND_COUNT] = {
        [DIFFERENCE_ecc_off] = CHANGE_REGRESSED,
        [DIFFERENCE_memory_less] = CHANGE_REGRESSED,
        [DIFFERENCE_device_less] = CHANGE_NOT_COMPARABLE,
        [DIFFERENCE_mig_on] = CHANGE_NOT_COMPARABLE,
        [DIFFERENCE_device_unreported] = CHANGE_NOT_COMPARABLE,
        [DIFFERENCE_environment] = CHANGE_SAME,
    };
    for (size_t row = 0; row < sizeof table / sizeof table[0]; row++)
        for (int is_other = 0; is_other < 2; is_other++) {
            char path[64], place[64];
            snprintf(path, sizeof path, "1/device/%s", table[row].key);
            snprintf(place, sizeof place, "%s on cuda:0", table[row].key);
            for (char *at = place; *at; at++)
                *at = *at == '_' ? ' ' : *at;
            struct made_comparison pair =
                made_compared(made_lines_run, {BOTH, "1/device/name", "\"GPU X\""},
                              {is_other ? NEW : BOTH, "1/device/uuid", "\"GPU-9\""},
                              {table[row].base ? BASE : NEW, path,
                               table[row].base ? table[row].base : table[row].next},
                              {table[row].base && table[row].next ? NEW : NONE, path,
                               table[row].next ? table[row].next : table[row].base});
            const enum difference_kind kind = table[row].kind;
            ck_assert_msg(pair.it->kinds[kind] == 1, "row %zu: %s", row, pair.it->why);
            ck_assert_int_eq(pair.it->change, changes[kind]);
            ck_assert_str_eq(pair.it->differences[pair.it->count - 1].place, place);
        }
}

/* ECC in a GPU's own memory takes a sixteenth of it. */
START_TEST(memory_that_ecc_takes_is_there, "compare.device.worse")
{
    static const struct {
        const char *base, *next, *bytes;
        enum change change;
    } table[] = {{"\"off\"", "\"on\"", "22500000000", CHANGE_SAME},
                 {"\"off\"", "\"on\"", "21000000000", CHANGE_REGRESSED},
                 {"\"on\"", "\"on\"", "22500000000", CHANGE_REGRESSED}};
    for (size_t row = 0; row < sizeof table / sizeof table[0]; row++) {
        struct made_comparison pair = made_compared(
            made_lines_run, {BASE, "1/device/ecc", table[row].base},
            {NEW, "1/device/ecc", table[row].next}, {BASE, "1/device/memory_bytes", "24000000000"},
            {NEW, "1/device/memory_bytes", table[row].bytes});
        ck_assert_msg(pair.it->change == table[row].change, "row %zu: %s", row, pair.it->why);
    }
}

/* Readings that BASE has of a GPU and NEW does not. */
START_TEST(sensors_that_are_gone_are_no_same, "compare.device.changed")
{
    static const char reading[] = "{\"sm_mhz\":1980,\"memory_mhz\":3201}",
                      none[] = "{\"sm_mhz\":0,\"memory_mhz\":0}";
    for (int side = BASE; side <= NEW; side++) {
        struct made_comparison pair = made_compared(
            made_lines_bench, {BOTH, "3/bench/sensors", reading}, {BOTH, "4/bench/sensors", none},
            {side == BASE ? BASE : NEW, "3/bench/sensors", none});
        ck_assert_int_eq(pair.it->change, side == BASE ? CHANGE_SAME : CHANGE_NOT_COMPARABLE);
        ck_assert_uint_eq(pair.it->kinds[DIFFERENCE_device_unreported], side == NEW ? 2 : 0);
    }
}

/* Two values of a form that are not the same, as JSON. */
static void make_value(const struct form *form, int number, char ret[256])
{
    char item[256];
    if (form->items) {
        make_value(form->items, number, item);
        snprintf(ret, 256, "[%.200s]", item);
    } else if (form->type == JSON_OBJECT) { /* in its last field alone */
        const struct form_field *last = form->fields;
        while (last[1].name)
            last++;
        make_value(last->form, number, item);
        snprintf(ret, 256, "{\"%s\":\"same\",\"%s\":%.200s}", form->fields->name, last->name, item);
    } else {
        const bool is_word = form->pattern && strncmp(form->pattern, "^0x", 3) == 0;
        snprintf(ret, 256,
                 is_word                     ? "\"0x1%d\""
                 : form->type == JSON_STRING ? "\"value%d\""
                                             : "%d",
                 number);
    }
}

/* Whether the field is named where its values differ, or one record lacks it (NULL). */
static bool is_named(const char *line, const struct form_field *field, const char *base,
                     const char *next)
{
    char path[128], place[64];
    snprintf(path, sizeof path, "%s/%s", line, field->name);
    snprintf(place, sizeof place, "%s", strrchr(path, '/') + 1);
    for (char *at = place; *at; at++)
        *at = *at == '_' ? ' ' : *at;
    struct made_comparison pair =
        made_compared(made_lines_run, {base ? BASE : NEW, path, base ? base : next},
                      {next ? NEW : BASE, path, next ? next : base});
    bool found[2] = {base == NULL, next == NULL};
    for (size_t index = 0; index < pair.it->count; index++) {
        const struct difference *it = &pair.it->differences[index];
        if (difference_rows[it->kind].section != SECTION_ENVIRONMENT ||
            strncmp(it->place, place, strlen(place)) != 0)
            continue;
        found[0] = found[0] || strstr(it->base, "1") != NULL;
        found[1] = found[1] || strstr(it->next, "2") != NULL;
    }
    return found[0] && found[1];
}

START_TEST(every_field_of_the_stack_is_named, "compare.environment.fields")
{
    static const char *const others[] = {"record",       "version", "started",    "cases_planned",
                                         "devices",      "paths",   "kernels",    "devices_chosen",
                                         "images",       "label",   "uuid",       "part",
                                         "parts",        "host",    "machine",    "booted",
                                         "serial",       "pci",     "ptx",        "command",
                                         "cases_corpus", "repeats", "samples",    "against",
                                         "shard",        "shards",  "shard_same", "job"};
    static const struct {
        const char *line;
        const struct form *form;
    } objects[] = {{"0", &form_header}, {"1/device", &form_device}};
    for (size_t object = 0; object < 2; object++) {
        struct form_walk walk = form_walk(objects[object].form);
        for (const struct form_field *it; (it = form_next(&walk)) != NULL;) {
            char values[2][256];
            bool is_other = false;
            for (size_t index = 0; index < sizeof others / sizeof others[0]; index++)
                is_other = is_other || strcmp(it->name, others[index]) == 0;
            if (is_other && (object == 0 || strcmp(it->name, "kernels") != 0))
                continue;
            for (int number = 0; number < 2; number++)
                make_value(it->form, number + 1, values[number]);
            ck_assert_msg(is_named(objects[object].line, it, values[0], values[1]), "%s", it->name);
            if (strcmp(it->name, "tier") == 0 || it->need != FORM_OPTIONAL)
                continue;
            ck_assert_msg(is_named(objects[object].line, it, values[0], NULL), "%s", it->name);
            ck_assert_msg(is_named(objects[object].line, it, NULL, values[1]), "%s", it->name);
        }
    }
}

/* A value of another type reads as none, and one in an object of a list as any other. */
START_TEST(items_are_named, "compare.environment.fields")
{
    static const struct {
        const char *path, *values[2], *words[2];
    } table[] = {
        {"0/os", {"true", "\"Linux\""}, {"", "Linux"}},
        {"0/compilers",
         {"[{\"path\":\"a\",\"file\":\"f\",\"digest\":\"0x1\"}]",
          "[{\"path\":\"a\",\"file\":\"f\",\"digest\":\"0x2\"}]"},
         {"a f 0x0000000000000001", "a f 0x0000000000000002"}},
        {"1/device/ptx",
         {"[{\"path\":\"ptx-a\",\"ptx\":\"b\"},{\"path\":\"ptx\",\"ptx\":\"same\"}]",
          "[{\"path\":\"ptx\",\"ptx\":\"same\"},{\"path\":\"ptx-a\",\"ptx\":\"c\"}]"},
         {"b", "c"}},
    };
    for (size_t row = 0; row < sizeof table / sizeof table[0]; row++) {
        struct made_comparison pair =
            made_compared(made_lines_run, {BASE, table[row].path, table[row].values[0]},
                          {NEW, table[row].path, table[row].values[1]});
        bool found[2] = {false, false};
        for (size_t index = 0; index < pair.it->count; index++) {
            found[0] |= strcmp(pair.it->differences[index].base, table[row].words[0]) == 0;
            found[1] |= strcmp(pair.it->differences[index].next, table[row].words[1]) == 0;
        }
        ck_assert_msg(found[0] && found[1], "%s", table[row].path);
    }
}

/* The PTX of a code path is compared with that of the same one, wherever it is in the list. */
START_TEST(ptx_is_compared_by_its_path, "compare.environment.fields")
{
    static const char both[] = "[{\"path\":\"ptx\",\"ptx\":\"compute_90\"},"
                               "{\"path\":\"ptx-lowest\",\"ptx\":\"compute_75\"}]",
                      turned[] = "[{\"path\":\"ptx-lowest\",\"ptx\":\"compute_80\"},"
                                 "{\"path\":\"ptx\",\"ptx\":\"compute_90\"}]",
                      one[] = "[{\"path\":\"ptx\",\"ptx\":\"compute_90\"}]";
    static const struct {
        const char *base, *next, *before, *after;
    } table[] = {{both, turned, "compute_75", "compute_80"},
                 {both, one, "compute_75", ""},
                 {one, turned, "", "compute_80"}};
    for (size_t row = 0; row < sizeof table / sizeof table[0]; row++) {
        struct made_comparison pair =
            made_compared(made_lines_run, {BASE, "1/device/ptx", table[row].base},
                          {NEW, "1/device/ptx", table[row].next});
        ck_assert_uint_eq(pair.it->kinds[DIFFERENCE_environment], 1);
        ck_assert_str_eq(pair.it->differences[0].place, "ptx lowest on cuda:0");
        ck_assert_str_eq(pair.it->differences[0].base, table[row].before);
        ck_assert_str_eq(pair.it->differences[0].next, table[row].after);
    }
}

/* A new code path is named; which PTX its kernels are given is not. */
START_TEST(ptx_of_a_new_path_is_no_news, "compare.environment.fields")
{
    const struct form_field *field = form_device.fields;
    while (strcmp(field->name, "kernels") != 0)
        field++;
    ck_assert(is_named("1/device", field, NULL,
                       "[{\"kernel\":\"a\",\"path\":\"sass\",\"ptx\":\"value2\"}]"));
    ck_assert(!is_named("1/device", field, NULL,
                        "[{\"kernel\":\"a\",\"path\":\"no_such\",\"ptx\":\"value2\"}]"));
}

/* An images file that was made again is named by each field that is another; one that is alone by
 * all.
 */
START_TEST(unit_files_are_named, "compare.environment.images")
{
    static const struct {
        const char *base, *next;
        size_t count;
        const char *place, *before, *after;
    } table[] = {
        {IMAGES("13.0.88", "0x1"), IMAGES("13.0.88", "0x1"), 0, "", "", ""},
        {IMAGES("13.0.88", "0x1"), IMAGES("13.0.88", "0x2"), 1, "digest of images cand",
         "0x0000000000000001", "0x0000000000000002"},
        {IMAGES("13.0.88", "0x1"), IMAGES("13.5.37", "0x1"), 1, "toolkit of images cand", "13.0.88",
         "13.5.37"},
        {"[]", IMAGES("13.5.37", "0x1"), 6, "architectures of images cand", "", "90"},
        {IMAGES("13.5.37", "0x1"), "[]", 6, "architectures of images cand", "90", ""},
    };
    for (size_t row = 0; row < sizeof table / sizeof table[0]; row++) {
        struct made_comparison pair =
            made_compared(made_lines_run, {BASE, "0/images", table[row].base},
                          {NEW, "0/images", table[row].next});
        ck_assert_int_eq(pair.it->change, CHANGE_SAME);
        ck_assert_uint_eq(pair.it->kinds[DIFFERENCE_environment], table[row].count);
        if (table[row].count > 0) {
            ck_assert_str_eq(pair.it->differences[0].place, table[row].place);
            ck_assert_str_eq(pair.it->differences[0].base, table[row].before);
            ck_assert_str_eq(pair.it->differences[0].next, table[row].after);
        }
    }
}

/* A speed that passed though the GPU was slowed, before or after, is neither lost nor gained. */
START_TEST(slowed_speeds_decide_nothing, "compare.speed.disturbed", "bandwidth.samples.slowed")
{
    static const char *const gbps[] = {GBPS(3700, 3701, 3702), GBPS(4300, 4304, 4298)};
    for (int side = 0; side < 4; side++) {
        struct made_comparison pair = made_compared(
            made_lines_bench, {BASE, "3/bench/gbps", GBPS(4000, 4004, 3998)},
            {NEW, "3/bench/gbps", gbps[side / 2]}, {side % 2 ? NEW : BASE, "3/bench/slowed", "30"});
        ck_assert_uint_eq(pair.it->kinds[DIFFERENCE_speed_lost], 0);
        ck_assert_uint_eq(pair.it->kinds[DIFFERENCE_speed_gained], 0);
        ck_assert_uint_eq(pair.it->kinds[DIFFERENCE_speed_disturbed], side / 2 == 0);
    }
}

/* If BASE was disturbed, a measured floor that NEW passes alone finds a loss that both have. Where
 * NEW was disturbed too, both had the same company. */
START_TEST(a_disturbed_base_proves_no_speed, "compare.speed.disturbed")
{
    static const struct {
        int side;
        const char *floor, *verdict;
        uint64_t open;
    } table[] = {{BASE, "{\"limit\":0.6,\"measured\":false}", "\"PASS\"", 1},
                 {BASE, "{\"limit\":0.98,\"measured\":true}", "\"PASS\"", 0},
                 {BASE, "{\"limit\":0.98,\"measured\":true}", "\"INCONCLUSIVE\"", 1},
                 {BOTH, "{\"limit\":0.6,\"measured\":false}", "\"PASS\"", 0},
                 {NEW, "{\"limit\":0.6,\"measured\":false}", "\"PASS\"", 0}};
    for (size_t row = 0; row < sizeof table / sizeof table[0]; row++) {
        struct made_comparison pair = made_compared(
            made_lines_bench, {BOTH, "3/bench/gbps", GBPS(3200, 3204, 3198)},
            {BOTH, "3/bench/floor", table[row].floor}, {table[row].side, "3/bench/slowed", "30"},
            {BOTH, "3/bench/verdict", table[row].verdict});
        ck_assert_uint_eq(pair.it->kinds[DIFFERENCE_speed_base_disturbed], table[row].open);
    }
}

/* An undecided floor is no disturbance; clocks that were held are. */
START_TEST(what_disturbed_decides, "compare.speed.disturbed")
{
    static const struct {
        const char *clause;
        enum difference_kind kind;
    } table[] = {{"\"bandwidth.verdict.repeats\"", DIFFERENCE_speed_lost},
                 {"\"bandwidth.sensors.clocks\"", DIFFERENCE_speed_disturbed},
                 {"\"bandwidth.samples.throttled\"", DIFFERENCE_speed_disturbed}};
    for (size_t row = 0; row < sizeof table / sizeof table[0]; row++) {
        struct made_comparison pair =
            made_compared(made_lines_bench, {BASE, "3/bench/gbps", GBPS(4000, 4004, 3998)},
                          {NEW, "3/bench/gbps", GBPS(3900, 3901, 3902)},
                          {BOTH, "3/bench/verdict", "\"INCONCLUSIVE\""},
                          {BOTH, "3/bench/clause", table[row].clause});
        ck_assert_uint_eq(pair.it->kinds[table[row].kind], 1);
    }
}

/* A driver's copy is disturbed with the kernels that are compared with it, on one device. */
START_TEST(a_disturbed_copy_is_not_lost, "compare.speed.disturbed")
{
    static const struct {
        const char *place;
        enum difference_kind kind;
    } table[] = {{"3/bench/sensors", DIFFERENCE_speed_disturbed},
                 {"4/bench/sensors", DIFFERENCE_speed_lost},
                 {"14/bench/sensors", DIFFERENCE_speed_lost}};
    static const char copy[] = "{\"ceiling\":{\"device\":\"cuda:0\",\"regime\":\"dram\","
                               "\"footprint_bytes\":1000000000,\"memcpy_verdict\":\"PASS\","
                               "\"copy_verdict\":\"PASS\",\"memcpy_gbps\":%s}}";
    char copies[2][512];
    snprintf(copies[0], sizeof copies[0], copy, GBPS(4000, 4001, 4002));
    snprintf(copies[1], sizeof copies[1], copy, GBPS(3800, 3801, 3802));
    for (size_t row = 0; row < sizeof table / sizeof table[0]; row++)
        for (int side = BASE; side <= NEW; side++) {
            const struct edit disturbed = {side == BASE ? BASE : NEW, table[row].place, OTHERS};
            struct made_comparison pair = made_compared(
                made_lines_bench, {BASE, "18", copies[0]}, {NEW, "18", copies[1]}, disturbed,
                {BOTH, "3/bench/regime", "\"dram\""}, {BOTH, "14/bench/regime", "\"dram\""},
                {BOTH, "3/bench/footprint_bytes", "1000000000"},
                {BOTH, "14/bench/footprint_bytes", "1000000000"});
            ck_assert_uint_eq(pair.it->kinds[table[row].kind], 1);
        }
}

/* A run that --time or a signal ended has its summary, and too few cases, whatever it found. */
START_TEST(an_interrupted_run_is_cut, "compare.record.cut")
{
    static const char *const verdicts[] = {"\"INCONCLUSIVE\"", "\"FAIL\"", "\"SKIP\"", "\"ERROR\""};
    for (size_t row = 0; row < sizeof verdicts / sizeof verdicts[0]; row++) {
        struct made_comparison pair =
            made_compared(made_lines_run, {BOTH, "0/cases_planned", "9"},
                          {BOTH, "last/summary/verdict", verdicts[row]},
                          {BOTH, "last/summary/reason", "\"interrupted\""});
        ck_assert_int_eq(pair.it->change, CHANGE_NOT_COMPARABLE);
        ck_assert_uint_eq(pair.it->kinds[DIFFERENCE_base_cut], 1);
        ck_assert_uint_eq(pair.it->kinds[DIFFERENCE_new_cut], 1);
    }
}

/* An interrupted run has a SKIP row, without a check, for each kernel that it did not reach. */
START_TEST(a_kernel_not_reached_is_not_lost, "compare.record.unfinished")
{
    for (int is_cut = 0; is_cut < 2; is_cut++) {
        const struct edit planned = {is_cut ? BOTH : NONE, "0/cases_planned", "9"};
        struct made_comparison pair = made_compared(
            made_lines_run, {NEW, "last/summary/verdict", is_cut ? "\"INCONCLUSIVE\"" : "\"PASS\""},
            {NEW, "3/bits/verdict", "\"SKIP\""}, {NEW, "3/bits/passed", "0"}, planned);
        ck_assert_int_eq(pair.it->change, is_cut ? CHANGE_NOT_COMPARABLE : CHANGE_REGRESSED);
        ck_assert_uint_eq(pair.it->kinds[DIFFERENCE_subject_missing], 1);
    }
}

/* A gate without a verdict, or with one from before its last part, whichever side it is of. What a
 * whole record of it lacks is lost nevertheless. */
START_TEST(a_gate_that_ended_early_is_cut, "compare.record.cut")
{
    static const struct edit lacking = {NEW, "6", NULL};
    static const struct {
        const char *gate;
        bool is_cut;
    } table[] = {{NULL, true},
                 {"{\"gate\":{\"verdict\":\"INCONCLUSIVE\",\"ended_early\":true}}", true},
                 {"{\"gate\":{\"verdict\":\"ERROR\"}}", true},
                 {"{\"gate\":{\"verdict\":\"INCONCLUSIVE\"}}", false}};
    for (size_t row = 0; row < sizeof table / sizeof table[0]; row++)
        for (int side = BASE; side <= NEW; side++) {
            const struct edit parts = {side == BASE ? BASE : NEW, "0/parts", "[\"bits\"]"};
            const struct edit gate = {table[row].gate ? parts.of : NONE, "99", table[row].gate};
            const enum difference_kind kind =
                side == BASE ? DIFFERENCE_base_cut : DIFFERENCE_new_cut;
            struct made_comparison pair = made_compared(made_lines_run, parts, gate);
            ck_assert_int_eq(pair.it->change,
                             table[row].is_cut ? CHANGE_NOT_COMPARABLE : CHANGE_SAME);
            ck_assert_uint_eq(pair.it->kinds[kind], table[row].is_cut);
            pair = made_compared(made_lines_run, parts, lacking, gate);
            ck_assert_int_eq(pair.it->change, CHANGE_REGRESSED);
        }
}

/* A quick record has less than a whole one, and nothing is lost; what no tier leaves out is. */
START_TEST(a_smaller_tier_is_no_loss, "compare.coverage.tier")
{
    static const struct {
        json_t *(*make)(void);
        enum change change, same_tier;
        struct edit edit;
    } table[] = {{made_lines_run,
                  CHANGE_NOT_COMPARABLE,
                  CHANGE_REGRESSED,
                  {NEW, "17/cases/finished/0/1", "2"}},
                 {made_lines_run, CHANGE_NOT_COMPARABLE, CHANGE_REGRESSED, {NEW, "6", NULL}},
                 {made_lines_bench, CHANGE_NOT_COMPARABLE, CHANGE_REGRESSED, {NEW, "3", NULL}},
                 {made_lines_run, CHANGE_REGRESSED, CHANGE_REGRESSED, {NEW, "2", NULL}}};
    for (size_t row = 0; row < sizeof table / sizeof table[0]; row++)
        for (int same = 0; same < 2; same++) {
            struct made_comparison pair =
                made_compared(table[row].make, table[row].edit, {NEW, "0/tier", "\"smoke\""},
                              {BASE, "0/tier", same ? "\"smoke\"" : "\"standard\""});
            ck_assert_msg(pair.it->change == (same ? table[row].same_tier : table[row].change),
                          "row %zu, %d: %s", row, same, pair.it->why);
        }
}

/* A failure is named with its layer, as the run found it. */
START_TEST(the_layer_is_named, "compare.bits.layer")
{
    struct made_comparison pair =
        made_compared(made_lines_run, {NEW, "3/bits/verdict", "\"FAIL\""},
                      {NEW, "3/bits/layer", "\"the driver's JIT from level 1 on\""});
    ck_assert_int_eq(pair.it->change, CHANGE_REGRESSED);
    for (size_t index = 0; index < pair.it->count; index++)
        if (pair.it->differences[index].kind == DIFFERENCE_verdict_fails)
            ck_assert_str_eq(pair.it->differences[index].next,
                             "FAIL: the driver's JIT from level 1 on");
    ck_assert_uint_eq(pair.it->kinds[DIFFERENCE_verdict_fails], 1);
}

/* A speed is that of its case, footprint and buffers: half the footprint at half the speed is no
 * loss, twice the speed no gain, and the same speed not the same. A seed changes only data; a line
 * of an earlier version, which lacks a field, is compared. */
START_TEST(another_case_is_another_speed, "compare.speed.apart")
{
    static const char *const speeds[] = {GBPS(2000, 2001, 2002), GBPS(4000, 4004, 3998),
                                         GBPS(8000, 8001, 8002)};
    static const struct {
        const char *key, *base, *next;
        bool is_apart;
    } table[] = {
        {"footprint_bytes", "1000", "2000", true},
        {"footprint_bytes", "1000", "1000", false},
        {"footprint_bytes", "null", "1000", false},
        {"case", "\"matmul m=1 k=32 seed=1\"", "\"matmul m=2 k=32 seed=1\"", true},
        {"case", "\"matmul m=1 k=32 seed=1\"", "\"matmul m=1 k=32 seed=77\"", false},
        {"case", "\"matmul m=1 k=32 seed=1\"", "\"matmul m=1 k=32 seed=1 ldb=9\"", true},
        {"case", "\"matmul m=1 k=32 seed=1\"", "null", false},
        {"buffers", "1", "2", true},
        {"buffers", "16", "16", false},
    };
    for (size_t row = 0; row < sizeof table / sizeof table[0]; row++)
        for (size_t speed = 0; speed < sizeof speeds / sizeof speeds[0]; speed++) {
            char path[64];
            snprintf(path, sizeof path, "3/bench/%s", table[row].key);
            struct made_comparison pair = made_compared(
                made_lines_bench, {BASE, path, table[row].base}, {NEW, path, table[row].next},
                {BASE, "3/bench/gbps", GBPS(4000, 4004, 3998)},
                {NEW, "3/bench/gbps", speeds[speed]});
            const enum change of_speed = speed == 0   ? CHANGE_REGRESSED
                                         : speed == 1 ? CHANGE_SAME
                                                      : CHANGE_BETTER;
            ck_assert_int_eq(pair.it->change,
                             table[row].is_apart ? CHANGE_NOT_COMPARABLE : of_speed);
            /* With another footprint the best copy and a relation are others, too. */
            ck_assert_uint_eq(pair.it->kinds[DIFFERENCE_speed_apart], !table[row].is_apart ? 0
                                                                      : row == 0           ? 3
                                                                                           : 1);
            ck_assert_uint_eq(pair.it->looked_at[COMPARED_SPEEDS], !table[row].is_apart);
        }
}

/* Launches of 0.1 ms and more are on fewer buffers: a kernel that became so slow is slower. */
START_TEST(buffers_that_follow_from_the_speed_are_the_same, "compare.speed.apart")
{
    static const struct {
        const char *read_bytes, *next;
        enum change change;
    } table[] = {
        {"360000000", GBPS(3000, 3001, 3002), CHANGE_REGRESSED},      /* 0.09 to 0.12 ms */
        {"398000000", GBPS(4000, 4004, 3998), CHANGE_SAME},           /* just below */
        {"200000000", GBPS(3900, 3901, 3902), CHANGE_NOT_COMPARABLE}, /* 0.05 ms */
        {"900000000", GBPS(4000, 4004, 3998), CHANGE_NOT_COMPARABLE},
    };
    for (size_t row = 0; row < sizeof table / sizeof table[0]; row++) {
        struct made_comparison pair = made_compared(
            made_lines_bench, {BOTH, "3/bench/read_bytes", table[row].read_bytes},
            {BASE, "3/bench/buffers", "32"}, {NEW, "3/bench/buffers", "4"},
            {BASE, "3/bench/gbps", GBPS(4000, 4004, 3998)}, {NEW, "3/bench/gbps", table[row].next});
        ck_assert_int_eq(pair.it->change, table[row].change);
    }
}

/* What a bench of another footprint says of its whole regime, and the lines that it has no like of,
 * are no losses; a failure of another case is named. */
START_TEST(a_bench_of_other_sizes_is_no_loss, "compare.speed.apart")
{
    static const char *const ceiling =
        "{\"ceiling\":{\"device\":\"cuda:0\",\"regime\":\"dram\",\"footprint_bytes\":%s}}";
    char ceilings[2][128];
    snprintf(ceilings[0], sizeof ceilings[0], ceiling, "1000");
    snprintf(ceilings[1], sizeof ceilings[1], ceiling, "2000");
    for (int same = 0; same < 2; same++) {
        struct made_comparison pair = made_compared(
            made_lines_bench, {BOTH, "3/bench/regime", "\"dram\""},
            {BASE, "3/bench/footprint_bytes", "1000"},
            {NEW, "3/bench/footprint_bytes", same ? "1000" : "2000"},
            {BOTH, "16/peak/regime", "\"dram\""}, {BASE, "16/peak/gbps", GBPS(4000, 4004, 3998)},
            {NEW, "16/peak/gbps", GBPS(2000, 2001, 2002)}, {BASE, "18", ceilings[0]},
            {NEW, "18", same ? ceilings[0] : ceilings[1]});
        ck_assert_int_eq(pair.it->change, same ? CHANGE_REGRESSED : CHANGE_NOT_COMPARABLE);
        ck_assert_uint_eq(pair.it->kinds[DIFFERENCE_speed_lost], same ? 1 : 0);
        ck_assert_uint_eq(pair.it->kinds[DIFFERENCE_speed_apart], same ? 0 : 5);
        ck_assert_uint_eq(pair.it->kinds[DIFFERENCE_subject_missing], 0);
    }
    struct made_comparison failing = made_compared(
        made_lines_bench, {BASE, "3/bench/footprint_bytes", "1000"},
        {NEW, "3/bench/footprint_bytes", "2000"}, {NEW, "3/bench/verdict", "\"FAIL\""});
    ck_assert_uint_eq(failing.it->kinds[DIFFERENCE_subject_fails], 1);
    /* A ceiling that is gone, although kernels of its footprint are there. */
    struct made_comparison gone =
        made_compared(made_lines_bench, {BOTH, "3/bench/regime", "\"dram\""},
                      {BOTH, "3/bench/footprint_bytes", "1000"}, {BASE, "18", ceilings[0]},
                      {NEW, "18", NULL}, {BOTH, "17", ceilings[1]});
    ck_assert_uint_eq(gone.it->kinds[DIFFERENCE_speed_apart], 0);
    ck_assert_int_eq(gone.it->change, CHANGE_REGRESSED);
}

/* With another --bytes other points and shapes fit. */
START_TEST(what_does_not_fit_is_no_loss, "compare.speed.apart")
{
    for (int same = 0; same < 2; same++) {
        struct made_comparison pair =
            made_compared(made_lines_bench, {BASE, "0/bytes", "4096"},
                          {NEW, "0/bytes", same ? "4096" : "2048"}, {NEW, "18", NULL});
        ck_assert_int_eq(pair.it->change, same ? CHANGE_REGRESSED : CHANGE_NOT_COMPARABLE);
    }
}
