/* What a bench makes of a GPU's sensors. */
#include "conformance/test/held_stream.h"

static int tell_clock(void *device, int type, unsigned *ret)
{
    *ret = type == 1 ? 1980 : 3201;
    return device != NULL;
}

static int tell_slowed(void *device, unsigned long long *ret)
{
    *ret = 0x4 | 0x1; /* power cap, idle */
    return device != NULL;
}

static int tell_idle(void *device, unsigned long long *ret)
{
    *ret = 0x1 | 0x2; /* idle, the owner's clocks */
    return device != NULL;
}

static int tell_temperature(void *device, int sensor, unsigned *ret)
{
    *ret = 40 + (unsigned)sensor;
    return device != NULL;
}

static int tell_power(void *device, unsigned *ret)
{
    *ret = 350500;
    return device != NULL;
}

static int tell_errors(void *device, int type, int counter, unsigned long long *ret)
{
    *ret = (unsigned long long)(type == 1 && counter == 0 ? 3 : 0);
    return device != NULL;
}

/* They are measured again, but not for ever. */
START_TEST(slowed_samples_are_discarded, "bandwidth.samples.throttled", "bandwidth.samples.again",
           "bandwidth.samples.slowed")
{
    struct nvml nvml = {.library = &nvml,
                        .clock_info = tell_clock,
                        .reasons = tell_slowed,
                        .temperature = tell_temperature,
                        .power = tell_power,
                        .ecc_errors = tell_errors};
    char text[80];
    struct bench_times slowed = time_nothing(true, TIMER_HOLD_MS, &nvml);
    ck_assert_int_eq(slowed.sample_count, 2); /* as nothing better came */
    ck_assert_int_eq(slowed.slowed, 2);
    ck_assert_int_eq(slowed.throttled, 4);
    ck_assert_str_eq(nvml_reasons_text(slowed.during.reasons, text, sizeof text), "power cap");
    ck_assert_uint_eq(slowed.after.sm_mhz, 1980);
    ck_assert_uint_eq(slowed.after.memory_mhz, 3201);
    ck_assert_uint_eq(slowed.after.ecc_uncorrected, 3);
    nvml.reasons = tell_idle;
    struct bench_times idle = time_nothing(true, TIMER_HOLD_MS, &nvml);
    ck_assert_int_eq(idle.sample_count, 2);
    ck_assert(nvml_slows(UINT64_C(1) << 40)); /* a reason that nobody knows yet */
    ck_assert_str_eq(nvml_reasons_text(0x48, text, sizeof text),
                     "hardware slowdown, hardware thermal slowdown");
    ck_assert_str_eq(nvml_reasons_text(3, text, sizeof text), "none");
}

static int look, slow_look;
static unsigned long long errors;

static int tell_slowed_once(void *device, unsigned long long *ret)
{
    *ret = ++look == slow_look ? 0x4 : 0x1;
    return device != NULL;
}

static int tell_more_errors(void *device, int type, int counter, unsigned long long *ret)
{
    (void)type, (void)counter;
    *ret = errors++;
    return device != NULL;
}

/* Of two groups of a sample each: before all, before the first, during and after each, after all; a
 * group that is taken again has its own looks. */
START_TEST(each_look_counts, "bandwidth.samples.throttled", "bandwidth.samples.again")
{
    static const int discarded[] = {0, 1, 1, 1, 1, 1, 0};
    struct nvml nvml = {.library = &nvml,
                        .clock_info = tell_clock,
                        .reasons = tell_slowed_once,
                        .temperature = tell_temperature,
                        .power = tell_power,
                        .ecc_errors = tell_more_errors};
    for (slow_look = 1; slow_look <= 7; slow_look++) {
        const bool is_again = discarded[slow_look - 1] > 0;
        look = 0;
        struct bench_times times = time_nothing(true, TIMER_HOLD_MS, &nvml);
        ck_assert_int_eq(look, is_again ? 10 : 7);
        ck_assert_int_eq(times.throttled, discarded[slow_look - 1]);
        ck_assert_int_eq(times.sample_count, 2);
        ck_assert_int_eq(times.slowed, 0);
        ck_assert_int_eq((times.during.reasons & 0x4) != 0, is_again);
        ck_assert_uint_eq(times.during.power_mw, 350500);
        ck_assert(times.before.ecc_known && times.after.ecc_known);
        ck_assert_uint_gt(times.after.ecc_uncorrected, times.before.ecc_uncorrected);
    }
}

START_TEST(sensors_are_optional, "bandwidth.sensors.optional")
{
    struct nvml nvml = {.library = NULL};
    struct reason reason = {.text = ""};
    ck_assert(!nvml_open_library("libno_such_nvml.so.1", &nvml, "GPU-0", &reason));
    ASSERT_HAS(reason.text, "libno_such_nvml.so.1");
    ck_assert(!nvml_open_library("libc.so.6", &nvml, "GPU-0", &reason));
    ck_assert_str_eq(reason.text, "libc.so.6 has no nvmlShutdown");
    ck_assert_uint_eq(nvml_read(&nvml).sm_mhz, 0);
    nvml_close(&nvml);
}
