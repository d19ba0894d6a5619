/* Measurements out of records: those that are sound, each of its own GPU, and of records that do
 * not contradict themselves. */
#include "conformance/test/made_record.h"

/* Neither memory that failed nor a handful of samples becomes what others are held against. */
START_TEST(what_is_unsound_makes_no_floor, "bandwidth.floor.sound")
{
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
        {"SKIP", "bandwidth.floor.kernel", false},
        {"CRASH", "verdicts.crash.reported", false},
    };
    for (size_t row = 0; row < sizeof table / sizeof table[0]; row++) {
        struct floor_measurements *all = made_measurements(false);
        struct made made;
        made_begin(&made, "NVIDIA B400", "GPU-1");
        made_add_kernel(&made, "sass", 0.5, table[row].verdict, table[row].clause);
        made_add_peak(&made, "PASS", "", 4200, 4200 / 4800.0);
        made_measure(all, &made);
        ck_assert_msg(made_floor(all).measured == table[row].sound, "%s %s", table[row].verdict,
                      table[row].clause);
    }
}

/* What is below its floor counts where slow GPUs are accepted, and only for its speed. */
START_TEST(slow_gpus_are_accepted, "bandwidth.floor.vouched")
{
    static const char kernel[] = "bandwidth.floor.kernel", link[] = "bandwidth.link.floor";
    static const struct {
        int status;
        const char *key, *count; /* of the summary */
        const char *slow;        /* the clause of a failing kernel, or NULL */
        bool relation, accept_slow;
        const char *reason; /* NULL: taken */
    } table[] = {
        {1, "fail", "1", link, false, true, NULL},
        {1, "fail", "1", kernel, false, true, NULL},
        {1, "fail", "1", kernel, false, false, "r: a speed in it is below its floor"},
        {1, "fail", "2", kernel, false, true, "r: something in it failed, and not for its speed"},
        {1, "fail", "2", kernel, false, false, "r: something in it failed, and not for its speed"},
        {1, "fail", "1", NULL, true, true, NULL},
        {1, "fail", "1", NULL, true, false, "r: a speed in it is below its floor"},
        {0, "crash", "1", NULL, false, true, "r: something in it failed, and not for its speed"},
        {0, "timeout", "1", NULL, false, true, "r: something in it failed, and not for its speed"},
        {0, "error", "1", NULL, false, true, "r: something in it failed, and not for its speed"},
        {99, "fail", "0", NULL, false, true, "r: something in it failed, and not for its speed"},
        {0, "fail", "-1", kernel, false, true, NULL}, /* no count */
        {0, "fail", "9223372036854775807", kernel, false, true, "r: something in it failed"},
    };
    for (size_t row = 0; row < sizeof table / sizeof table[0]; row++) {
        struct floor_measurements *all = made_measurements(table[row].accept_slow);
        struct made made;
        struct reason reason = {.text = ""};
        made_begin(&made, "NVIDIA B400", "GPU-1");
        const char *slow = table[row].slow;
        made_add_kernel(&made, "sass", 0.5, slow ? "FAIL" : "PASS", slow ? slow : "");
        if (table[row].relation)
            made_add(&made, "{\"relation\":{\"verdict\":\"FAIL\"}}\n");
        made_add(&made, "{\"summary\":{\"verdict\":\"FAIL\",\"exit_status\":%d,\"%s\":%s}}\n",
                 table[row].status, table[row].key, table[row].count);
        bool taken = made_take(all, &made, &reason);
        ck_assert_int_eq(taken, table[row].reason == NULL);
        ck_assert_uint_eq(all->count, taken);
        ck_assert(taken || strncmp(reason.text, table[row].reason, strlen(table[row].reason)) == 0);
    }
}

/* Each capability, each host call and each device of a record has what was measured of it. */
START_TEST(nothing_is_mixed_up, "bandwidth.floor.kind")
{
    struct floor_measurements *all = made_measurements(false);
    struct made made;
    made_begin(&made, "NVIDIA L4", "GPU-0");
    made_add(&made, "{\"device\":{\"label\":\"cuda:1\",\"name\":\"NVIDIA L4\",\"uuid\":\"GPU-1\","
                    "\"compute_capability\":\"8.9\"}}\n");
    made_add_kernel(&made, "sass", 0.5, "PASS", "");
    size_t second = made.bytes;
    made_add_kernel(&made, "sass", 0.8, "PASS", "");
    strstr(made.text + second, "cuda:0")[5] = '1';
    for (int call = 0; call < 2; call++) {
        made_add(&made,
                 "{\"latency\":{\"call\":\"%s\",\"device\":\"cuda:1\",\"cpu\":\"C\","
                 "\"hypervisor\":\"none\",\"verdict\":\"PASS\"",
                 bench_latency_name(call));
        made_add_repeats(&made, "us", call + 1, 0.01, BENCH_REPEATS_FLOORS);
        made_add(&made, "}}\n");
    }
    made_add(&made, "{\"peak\":{\"device\":\"cuda:1\",\"verdict\":\"INCONCLUSIVE\",\"clause\":"
                    "\"bandwidth.ceiling.floor\"");
    made_add_repeats(&made, "gbps", 4200, 0.0001, BENCH_REPEATS_MAX);
    made_add_repeats(&made, "fraction_of_peak", 4200 / 4800.0, 0.0001, BENCH_REPEATS_MAX);
    made_add(&made, "}}\n{\"bench\":{\"kernel\":\"offset_copy/scalar\",\"device\":\"cuda:0\","
                    "\"element_bytes\":4,\"shape\":\"offset=1\",\"regime\":\"hbm\",\"verdict\":"
                    "\"PASS\""); /* a regime of the future is not that of today */
    made_add_repeats(&made, "gbps", 400, 0.001, BENCH_REPEATS_FLOORS);
    made_add_repeats(&made, "fraction_of_ceiling", 0.1, 0.001, BENCH_REPEATS_FLOORS);
    made_add(&made, "}}\n");
    made_measure(all, &made);
    struct floors floors = made_floors(all);
    struct device_info info = {.name = "NVIDIA L4", .limits = {.compute_capability = 89}};
    const struct host_machine host = {.cpu = "C", .hypervisor = "none"};
    double one = made_floor_of(&floors, "NVIDIA L4", 130).value;
    ck_assert(one > 0.45 && one < 0.5);
    ck_assert_double_eq_tol(made_floor_of(&floors, "NVIDIA L4", 89).value, one * 8 / 5, 1e-4);
    ck_assert_double_eq_tol(floors_latency(&floors, &info, &host, bench_latency_name(0)).value, 3,
                            1e-9);
    ck_assert_double_eq_tol(floors_latency(&floors, &info, &host, bench_latency_name(1)).value, 6,
                            1e-9);
    ck_assert(floors_ceiling(&floors, &info, REGIME_DRAM).measured);
}

/* Two hosts have a ceiling each, and a record of no host makes none. */
START_TEST(host_calls_have_their_host, "bandwidth.latency.host")
{
    static const char *const hosts[] = {"\"cpu\":\"C\",\"hypervisor\":\"none\",",
                                        "\"cpu\":\"C\",\"hypervisor\":\"KVMKVMKVM\",", ""};
    struct floor_measurements *all = made_measurements(false);
    for (int index = 0; index < 3; index++) {
        struct made made;
        made_begin(&made, "NVIDIA L4", "GPU-0");
        made_add_kernel(&made, "sass", 0.5, "PASS", "");
        made_add(&made,
                 "{\"latency\":{\"call\":\"launch\",\"device\":\"cuda:0\",%s\"verdict\":"
                 "\"INCONCLUSIVE\",\"clause\":\"bandwidth.latency.host\"",
                 hosts[index]);
        made_add_repeats(&made, "us", index + 1, 0.01, BENCH_REPEATS_FLOORS);
        made_add(&made, "}}\n");
        made_measure(all, &made);
    }
    struct floors floors = made_floors(all);
    struct device_info info = {.name = "NVIDIA L4", .limits = {.compute_capability = 130}};
    struct host_machine host = {.cpu = "C", .hypervisor = "none"};
    ck_assert_double_eq_tol(floors_latency(&floors, &info, &host, "launch").value, 3, 1e-9);
    strcpy(host.hypervisor, "KVMKVMKVM");
    ck_assert_double_eq_tol(floors_latency(&floors, &info, &host, "launch").value, 6, 1e-9);
    strcpy(host.hypervisor, "unknown");
    ck_assert(!floors_latency(&floors, &info, &host, "launch").measured);
}

/* With those of host calls alone every floor is kept. */
START_TEST(host_calls_alone, "bandwidth.latency.host")
{
    for (int named = 0; named < 2; named++) {
        struct floor_measurements *all = made_measurements(false);
        struct made made;
        struct reason reason = {.text = ""};
        all->calls_only = true;
        made_begin(&made, "NVIDIA B400", "GPU-0");
        made_add_kernel(&made, "sass", 0.5, "PASS", "");
        made_add_call(&made, "launch", named ? "\"cpu\":\"C\",\"hypervisor\":\"none\"," : "", 2);
        made_end(&made);
        ck_assert_int_eq(made_take(all, &made, &reason), named);
        ck_assert_str_eq(reason.text, named ? "" : "r: no host call in it names its host");
        if (!named)
            continue;
        struct floors floors = made_floors(all);
        struct device_info info = {.name = "NVIDIA B400", .limits = {.compute_capability = 130}};
        const struct host_machine host = {.cpu = "C", .hypervisor = "none"};
        ck_assert(floors_latency(&floors, &info, &host, "launch").measured);
        ck_assert(!made_floor_of(&floors, "NVIDIA B400", 130).measured);
    }
}

START_TEST(hosts_have_names, "bandwidth.latency.host")
{
    static const struct {
        const char *cpuinfo, *vendor, *cpu, *hypervisor;
    } table[] = {
        {"processor\t: 0\nmodel\t\t: 17\nmodel name\t: AMD EPYC 9654 96-Core \nflags\t\t: fpu "
         "vme\n",
         "KVMKVMKVM", "AMD EPYC 9654 96-Core", "none"},
        {"model name : X\nflags : fpu hypervisor lahf_lm\nmodel name : Y\n", "KVMKVMKVM", "X",
         "KVMKVMKVM"},
        {"model name\t: X\nflags\t: fpu hypervisor\n", "", "X", "unknown"},
        {"processor : 0\nCPU implementer : 0x41\nCPU part\t: 0xd4f\n", "",
         "implementer 0x41 part 0xd4f", "unknown"},
        {"", "KVM", "unknown", "unknown"},
        {"model name : \x1b[2J\nflags : hypervisor", "\n", "?[2J", "unknown"},
    };
    for (size_t row = 0; row < sizeof table / sizeof table[0]; row++) {
        struct host_machine host = host_machine_parse(table[row].cpuinfo, table[row].vendor);
        ck_assert_str_eq(host.cpu, table[row].cpu);
        ck_assert(strcmp(host.hypervisor, table[row].hypervisor) == 0 || row == 5);
        ck_assert_ptr_null(strchr(host.hypervisor, '\n'));
    }
    const int open_files = testing_open_files();
    struct host_machine here = host_machine_read(), again = host_machine_read();
    ck_assert_int_eq(testing_open_files(), open_files);
    ck_assert(here.cpu[0] && here.hypervisor[0]);
    ck_assert(strcmp(here.cpu, again.cpu) == 0 && strcmp(here.hypervisor, again.hypervisor) == 0);
}

/* Lines that no bench writes. */
START_TEST(what_contradicts_itself_is_refused, "bandwidth.floor.sound")
{
    static const struct {
        const char *from, *to, *reason; /* one text replaces another */
    } table[] = {
        {"2026-11-20", "20.11.2026", "r: it does not say when it began"},
        {"[0,7", "[0,-7", "r: a repeat in it has no median above 0"},
        {"[0,7", "[0,null,7", "r: a repeat in it has no median above 0"},
        {"[0,7", "[0,7000000000000000", "r: a repeat in it has no median above 0"},
        {"\"label\":\"cuda:1\"", "\"label\":\"cuda:0\"", "r: two devices in it have one label"},
    };
    struct made made, edited;
    struct reason reason = {.text = ""};
    made_begin(&made, "NVIDIA B400", "GPU-0");
    made_add(&made, "{\"device\":{\"label\":\"cuda:1\",\"name\":\"NVIDIA B400\",\"uuid\":\"GPU-1\","
                    "\"compute_capability\":\"13.0\"}}\n");
    made_add_kernel(&made, "sass", 0.7, "PASS", "");
    made_end(&made);
    struct floor_measurements *all = made_measurements(true);
    for (size_t row = 0; row < sizeof table / sizeof table[0]; row++) {
        const char *at = strstr(made.text, table[row].from);
        edited.bytes = 0;
        made_add(&edited, "%.*s%s%s", (int)(at - made.text), made.text, table[row].to,
                 at + strlen(table[row].from));
        ck_assert(!made_take(all, &edited, &reason));
        ck_assert_str_eq(reason.text, table[row].reason);
    }
    /* Half of an invalid file leaves nothing. */
    made_begin(&made, "NVIDIA B400", "GPU-0");
    made_add_kernel(&made, "sass", 0.7, "PASS", "");
    made_add(&made, "{\x1b[2J\n");
    ck_assert(!made_take(all, &made, &reason));
    ck_assert_ptr_null(strchr(reason.text, 0x1b));
    ck_assert_uint_eq(all->count, 0);
}
