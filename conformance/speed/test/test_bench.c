/* What a bench plans for a GPU. */
#include "conformance/test/made_bench.h"
#include "conformance/test/made_subject.h"

START_TEST(a_regime_is_measured_alone, "bandwidth.shape.regime")
{
    const struct device_info info = made_gpu(90);
    struct bench_plan *whole = made_plan(&info, 0, 0);
    int groups = 0, rows = 0;
    for (int regime = 0; regime < REGIME_COUNT; regime++) {
        struct bench_plan *plan = made_plan(&info, 0, regime + 1);
        ck_assert_int_gt(plan->row_count, 0);
        for (int index = 0; index < plan->group_count; index++)
            ck_assert_int_eq(plan->groups[index].regime, regime);
        groups += plan->group_count;
        rows += plan->row_count;
    }
    ck_assert_int_eq(groups, whole->group_count);
    ck_assert_int_eq(rows, whole->row_count);
}

START_TEST(regimes_are_cold_and_resident, "bandwidth.regime.cold", "bandwidth.samples.places")
{
    struct device_info info = made_gpu(90);
    struct bench_plan *plan = made_plan(&info, 0, 0);
    uint64_t l2 = (uint64_t)info.l2_bytes, largest = 0;
    int cold = 0, resident = 0;
    for (int index = 0; index < plan->group_count; index++) {
        const struct bench_group *group = &plan->groups[index];
        bool dram = group->regime == REGIME_DRAM;
        if (group->test_case.algorithm->crosses_link) { /* no cache holds it for the link */
            ck_assert_uint_eq(group->rotation.cold_bytes, 0);
            continue;
        }
        cold += dram;
        resident += !dram;
        ck_assert_uint_ge(group->footprint_bytes, 1 << 20);
        ck_assert_uint_eq(group->rotation.cold_bytes, dram ? 4 * l2 : 0);
        /* 4,814 GB/s for 0.3 ms */
        ck_assert_uint_eq(group->rotation.round_bytes / 1000000, dram ? 1444 : 0);
        ck_assert_uint_eq(group->rotation.places, dram ? 0 : BENCH_PLACES);
        ck_assert(dram || group->footprint_bytes <= l2 / 2);
        largest = group->footprint_bytes > largest ? group->footprint_bytes : largest;
    }
    ck_assert_int_ge(cold, 10);
    ck_assert_int_ge(resident, 5);
    ck_assert_uint_eq(largest, UINT64_C(2) << 30); /* 256 Mi floats there and 256 Mi back */
    info.memory_bytes = UINT64_C(8) << 30;
    plan = made_plan(&info, 0, 0);
    for (int index = 0; index < plan->group_count; index++)
        ck_assert_uint_le(plan->groups[index].footprint_bytes, UINT64_C(1) << 30);
}

/* Copies are measured with the first group that they serve, and not where no row needs them. */
START_TEST(copies_are_measured_once, "bandwidth.ceiling.once")
{
    struct device_info info = made_gpu(90);
    struct bench_plan *plan = made_plan(&info, 0, 0);
    int shared = 0, products = 0, links = 0;
    for (int index = 0; index < plan->group_count; index++) {
        const struct bench_group *group = &plan->groups[index];
        const bool is_square = strcmp(group->name, "square") == 0;
        const bool is_link = group->test_case.algorithm->crosses_link;
        products += is_square;
        links += is_link;
        if (is_square || is_link) {
            ck_assert_int_eq(group->ceiling, -1);
            continue;
        }
        ck_assert(group->ceiling >= 0 && group->ceiling <= index);
        const struct bench_group *first = &plan->groups[group->ceiling];
        ck_assert_int_eq(first->ceiling, group->ceiling);
        for (int other = 0; other < index; other++) {
            const struct bench_group *it = &plan->groups[other];
            const bool is_same =
                it->regime == REGIME_DRAM && group->regime == REGIME_DRAM &&
                it->footprint_bytes == group->footprint_bytes &&
                bench_copy_bytes(&it->test_case) == bench_copy_bytes(&group->test_case);
            ck_assert_msg((it->ceiling == group->ceiling) == is_same, "%s %s of %s, %s of %s",
                          regime_name(group->regime), group->name, group->test_case.algorithm->name,
                          it->name, it->test_case.algorithm->name);
        }
        shared += group->ceiling < index;
    }
    ck_assert_int_ge(shared, 4);
    ck_assert_int_eq(products, 4);
    ck_assert_int_eq(links, 1);
    info.sm_clock_khz = 0; /* the peak of arithmetic is not known */
    plan = made_plan(&info, 0, 0);
    for (int index = 0; index < plan->group_count; index++)
        ck_assert(plan->groups[index].ceiling >= 0 ||
                  plan->groups[index].test_case.algorithm->crosses_link);
}

/* Of an H200: every shape in DRAM, and those that stay in the L2 cache. */
START_TEST(shapes_have_their_sizes, "bandwidth.shape.sizes")
{
    static const char *const texts[] = {
        "dram offset_copy n=268435456 fill=uniform seed=7",
        "l2 offset_copy n=3932160 fill=uniform seed=7",
        "dram offset_copy n=268434432 offset=1 fill=uniform seed=7",
        "dram offset_copy n=268434432 offset=8 fill=uniform seed=7",
        "dram offset_copy n=268435456 offset=1 element=1 fill=uniform seed=7",
        "l2 offset_copy n=15727616 offset=1 element=1 fill=uniform seed=7",
        "dram offset_copy n=134217728 offset=1 element=2 fill=uniform seed=7",
        "l2 offset_copy n=7863296 offset=1 element=2 fill=uniform seed=7",
        "dram offset_copy n=33554432 offset=1 element=8 fill=uniform seed=7",
        "l2 offset_copy n=1965056 offset=1 element=8 fill=uniform seed=7",
        "dram offset_copy n=16777216 offset=1 element=16 fill=uniform seed=7",
        "l2 offset_copy n=982016 offset=1 element=16 fill=uniform seed=7",
        "dram strided_copy n=268435456 fill=uniform seed=7",
        "l2 strided_copy n=3932160 fill=uniform seed=7",
        "dram strided_copy n=134217728 stride=2 fill=uniform seed=7",
        "dram strided_copy n=33554432 stride=8 fill=uniform seed=7",
        "dram strided_copy n=268435456 stride=2 element=1 fill=uniform seed=7",
        "l2 strided_copy n=7864320 stride=2 element=1 fill=uniform seed=7",
        "dram strided_copy n=134217728 stride=2 element=2 fill=uniform seed=7",
        "l2 strided_copy n=3932160 stride=2 element=2 fill=uniform seed=7",
        "dram strided_copy n=33554432 stride=2 element=8 fill=uniform seed=7",
        "l2 strided_copy n=983040 stride=2 element=8 fill=uniform seed=7",
        "dram strided_copy n=16777216 stride=2 element=16 fill=uniform seed=7",
        "l2 strided_copy n=491520 stride=2 element=16 fill=uniform seed=7",
        "dram table_lookup n=67108864 entries=4096 distinct=1 fill=uniform seed=7",
        "dram table_lookup n=67108864 entries=4096 fill=uniform seed=7",
        "dram thread_array n=16777216 length=32 distinct=1 rounds=16 fill=uniform seed=7",
        "dram thread_array n=16777216 length=32 rounds=16 fill=uniform seed=7",
        "dram sliding_window n=265814016 hot=5242880 fill=uniform seed=7",
        "dram sliding_window n=260571136 hot=15728640 fill=uniform seed=7",
        "dram texture_fetch n=50331648 width=256 height=256 fill=uniform seed=7",
        "dram texture_fetch n=50331648 width=256 height=256 filter=1 fill=uniform seed=7",
        "dram shared_stride n=268435456 fill=uniform seed=7",
        "dram shared_stride n=67108864 stride=32 fill=uniform seed=7",
        "dram shared_copy n=67108864 copy_count=8 fill=uniform seed=7",
        "dram shared_copy n=16777216 copy_count=8 element=16 fill=uniform seed=7",
        "dram adjacent_difference n=268435456 fill=uniform seed=7",
        "l2 adjacent_difference n=3932160 fill=uniform seed=7",
        "dram host_copy width=268435456 fill=uniform seed=7",
        "dram matmul m=16384 n=16384 k=32 fill=uniform seed=7",
        "l2 matmul m=2048 n=2048 k=32 fill=uniform seed=7",
        "dram matmul m=2048 n=2048 k=2048 fill=uniform seed=7",
        "l2 matmul m=1024 n=1024 k=1024 fill=uniform seed=7",
        "dram aat m=16384 k=32 fill=uniform seed=7",
        "l2 aat m=2048 k=32 fill=uniform seed=7",
        "dram aat m=2048 k=2048 fill=uniform seed=7",
        "l2 aat m=1024 k=1024 fill=uniform seed=7",
    };
    struct device_info info = made_gpu(90);
    struct bench_plan *plan = made_plan(&info, 0, 0);
    size_t next = 0, count = sizeof texts / sizeof texts[0];
    for (int index = 0; index < plan->group_count; index++) {
        char text[CASE_TEXT_BYTES], all[CASE_TEXT_BYTES + 8], name[64];
        bool is_listed = false;
        case_format(&plan->groups[index].test_case, text, sizeof text);
        snprintf(all, sizeof all, "%s %s", regime_name(plan->groups[index].regime), text);
        snprintf(name, sizeof name, " %s ", plan->groups[index].test_case.algorithm->name);
        for (size_t other = 0; other < count; other++)
            is_listed |= strstr(texts[other], name) != NULL;
        if (!is_listed)
            continue; /* an algorithm that the documents do not measure */
        ck_assert_uint_lt(next, count);
        ck_assert_str_eq(all, texts[next++]);
    }
    ck_assert_uint_eq(next, count);
}

/* --bytes may ask for more than an eighth of the memory, and no path but those that are asked for
 * is measured, nor the ceiling through it. */
START_TEST(what_is_asked_for_is_planned, "bandwidth.shape.sizes")
{
    struct device_info info = made_gpu(90);
    uint64_t largest = 0;
    info.memory_bytes = UINT64_C(8) << 30;
    struct bench_plan *plan = made_plan(&info, UINT64_C(4) << 30, 0);
    for (int index = 0; index < plan->group_count; index++)
        if (plan->groups[index].footprint_bytes > largest)
            largest = plan->groups[index].footprint_bytes;
    ck_assert_uint_eq(largest, UINT64_C(4) << 30);
    ck_assert_int_eq(plan->copy_kernel.path, path_find(made_paths[0]));
    for (int place = 0; place < 2; place++) {
        const int path = path_find(made_paths[place]);
        struct plan select = {.paths = made_paths[place]};
        select.selected[0] = true;
        bench_plan_make(plan, &select, &info, 0, 7);
        ck_assert_int_eq(plan->copy_kernel.path, path);
        ck_assert_int_gt(plan->row_count, 0);
        for (int row = 0; row < plan->row_count; row++)
            ck_assert_int_eq(plan->rows[row].subject.path, path);
    }
}

START_TEST(every_kernel_has_rows, "bandwidth.traffic.algorithm")
{
    struct device_info info = made_gpu(90);
    struct bench_plan *plan = made_plan(&info, 0, 0);
    for (int id = 0; id < kernel_count; id++) {
        int rows[2] = {0};
        if (strcmp(kernels[id].algorithm, "variable_scope") == 0) /* a sequence has no speed */
            continue;
        if (kernel_is_of_set(&kernels[id])) /* nor has one GPU */
            continue;
        for (int row = 0; row < plan->row_count; row++)
            if (plan->rows[row].subject.kernel == id)
                rows[made_place(plan->rows[row].subject.path)]++;
        char name[CATALOG_NAME_BYTES];
        ck_assert_msg(rows[0] > 0, "%s is never measured", catalog_name(id, name));
        ck_assert_int_eq(rows[1], catalog_has_code(&kernels[id]) ? rows[0] : 0);
    }
}

START_TEST(sectors_of_the_documents, "bandwidth.traffic.sectors")
{
    static const struct {
        const char *text;
        uint64_t sectors; /* of a warp, of both operands */
    } table[] = {
        {"offset_copy n=32 offset=0 fill=equal seed=0", 4 + 4},
        {"offset_copy n=32 offset=1 fill=equal seed=0", 5 + 5},
        {"offset_copy n=32 offset=8 fill=equal seed=0", 4 + 4},
        {"offset_copy n=32 offset=31 fill=equal seed=0", 5 + 5},
        {"offset_copy n=32 element=16 fill=equal seed=0", 16 + 16},
        {"strided_copy n=32 stride=2 fill=equal seed=0", 8 + 8},
        {"strided_copy n=32 stride=5 fill=equal seed=0", 20 + 20},
        {"strided_copy n=32 stride=8 fill=equal seed=0", 32 + 32},
        {"strided_copy n=32 stride=32 fill=equal seed=0", 32 + 32},
        {"strided_copy n=64 stride=2 fill=equal seed=0", 16 + 16},
        {"offset_copy n=33 offset=0 fill=equal seed=0", 8 + 8},
        {"offset_copy n=32 element=1 offset=1 fill=equal seed=0", 2 + 2},
        {"offset_copy n=32 element=2 offset=1 fill=equal seed=0", 3 + 3},
        {"offset_copy n=32 element=8 offset=1 fill=equal seed=0", 9 + 9},
        {"offset_copy n=32 element=16 offset=1 fill=equal seed=0", 17 + 17},
        {"strided_copy n=32 element=1 stride=2 fill=equal seed=0", 2 + 2},
        {"strided_copy n=32 element=2 stride=2 fill=equal seed=0", 4 + 4},
        {"strided_copy n=32 element=8 stride=2 fill=equal seed=0", 16 + 16},
        {"strided_copy n=32 element=16 stride=2 fill=equal seed=0", 32 + 32},
        {"adjacent_difference n=32 fill=equal seed=0", 4 + 4},
        {"matmul m=2 n=1 k=1 fill=equal seed=0", 0},
    };
    for (size_t row = 0; row < sizeof table / sizeof table[0]; row++) {
        const struct fuzz_case test_case = made_case(table[row].text);
        ck_assert_msg(bench_model_bytes(&test_case, 0) == 32 * table[row].sectors,
                      "%s: %llu sectors", table[row].text,
                      (unsigned long long)bench_model_bytes(&test_case, 0) / 32);
    }
}

/* What memory moves for a copy with a stride: loads in what L2 fetches, stores in sectors, and
 * these twice if they are filled in part. */
START_TEST(memory_moves_what_is_fetched_and_filled, "transactions.fetched.granularity",
           "transactions.stored.filled")
{
    static const struct {
        const char *text;
        int fetch_bytes;
        uint64_t bytes;
    } table[] = {
        {"strided_copy n=32 stride=1 fill=equal seed=0", 64, 128 + 128},
        {"strided_copy n=32 stride=2 fill=equal seed=0", 64, 256 + 2 * 256},
        {"strided_copy n=32 stride=8 fill=equal seed=0", 64, 1024 + 2 * 1024},
        {"strided_copy n=32 stride=12 fill=equal seed=0", 64, 1536 + 2 * 1024},
        {"strided_copy n=32 stride=32 fill=equal seed=0", 64, 2048 + 2 * 1024},
        {"strided_copy n=32 stride=32 fill=equal seed=0", 32, 1024 + 2 * 1024},
        {"strided_copy n=32 stride=32 fill=equal seed=0", 128, 4096 + 2 * 1024},
    };
    for (size_t row = 0; row < sizeof table / sizeof table[0]; row++) {
        const struct fuzz_case test_case = made_case(table[row].text);
        ck_assert_uint_eq(bench_model_bytes(&test_case, table[row].fetch_bytes), table[row].bytes);
    }
}

/* A kernel's work is what its algorithm's row says, in the line of each row that does any. */
START_TEST(lines_have_their_work, "bandwidth.traffic.algorithm")
{
    static const double gbps = 100;
    const struct device_info info = made_gpu(90);
    struct bench_plan *plan = made_plan(&info, 0, 0);
    int with = 0;
    for (int group = 0; group < plan->group_count; group++) {
        const struct bench_group *it = &plan->groups[group];
        const struct traffic traffic = bench_traffic(it);
        const double bytes = (double)(traffic.read_bytes + traffic.written_bytes);
        const struct line_shaped shaped = bench_line_shaped(made_zone(), it);
        const struct line_work work = bench_line_work(it, gbps);
        ck_assert_uint_eq(shaped.read_bytes, traffic.read_bytes);
        ck_assert_uint_eq(shaped.written_bytes, traffic.written_bytes);
        ck_assert_uint_eq(shaped.sector_bytes, bench_model_bytes(&it->test_case, 0));
        ck_assert_uint_eq(work.flops, traffic.flops);
        ck_assert_double_eq_tol(work.flops_per_byte, (double)traffic.flops / bytes, 1e-9);
        ck_assert_double_eq_tol(work.gflops, gbps * (double)traffic.flops / bytes, 1e-6);
        with += traffic.flops > 0;
    }
    ck_assert_int_gt(with, 10);
    ck_assert_int_lt(with, plan->group_count);
}

START_TEST(peaks_are_derived, "bandwidth.ceiling.floor")
{
    struct device_info info = made_gpu(90);
    double memory = bench_peak_gbps(&info, REGIME_DRAM), l2 = bench_peak_gbps(&info, REGIME_L2);
    ck_assert(memory > 4813 && memory < 4815);
    ck_assert_double_eq_tol(l2, 132 * 64 * 1.98, 1e-6);
    ck_assert(device_peak_gflops(&info) > 66800 && device_peak_gflops(&info) < 67000);
    info.limits.compute_capability = 80;
    ck_assert(device_peak_gflops(&info) < 33500);
    info.limits.compute_capability = 61;
    ck_assert(device_peak_gflops(&info) > 66800);
    info.limits.compute_capability = 0;
    ck_assert(device_peak_gflops(&info) <= 0);
}

/* Generations as the base specification has them, the later ones less their line codes. */
START_TEST(links_have_their_peaks, "bandwidth.link.floor", "bandwidth.link.unknown")
{
    static const struct {
        uint32_t generation, width;
        double gbps;
    } rows[] = {{1, 16, 4},      {2, 8, 4},      {3, 16, 15.754}, {4, 16, 31.508},
                {5, 16, 63.015}, {5, 8, 31.508}, {6, 16, 121},    {7, 16, 0}};
    struct board board = {.known = UINT32_C(1) << BOARD_PCIE_GENERATION_MAX};
    for (size_t row = 0; row < sizeof rows / sizeof rows[0]; row++) {
        board.values[BOARD_PCIE_GENERATION_MAX] = rows[row].generation;
        board.values[BOARD_PCIE_WIDTH_MAX] = rows[row].width;
        board.known &= ~(UINT32_C(1) << BOARD_PCIE_WIDTH_MAX);
        ck_assert_double_eq(bench_link_gbps(&board), 0);
        board.known |= UINT32_C(1) << BOARD_PCIE_WIDTH_MAX;
        ck_assert_double_eq_tol(bench_link_gbps(&board), rows[row].gbps, 1e-3);
    }
}

/* MiB that drivers report of GPUs and MIG slices: what their makers call 4 to 288 GB, with and
 * without ECC. */
static const double real_mib[] = {
    3905,   4041,                           /* 4 GB */
    4864,   5952,   5944,                   /* 1g.5gb, 1g.6gb, 6 GB */
    7420,   7680,   7973,   8192,           /* 8 GB */
    9728,   9856,   10009,  10240,          /* 1g.10gb, 2g.10gb, 10 GB */
    11019,  11172,  11264,                  /* 11 GB, 1g.12gb of 96 GB */
    11264,  11910,  11968,  12045,  12288,  /* 2g.12gb, 12 GB */
    14930,  15109,  15360,  16151,  16384,  /* 16 GB */
    16384,  16640,  18432,                  /* 1g.18gb */
    19968,  20096,  20475,                  /* 2g.20gb, 20 GB */
    22515,  22731,  23028,  24082,  24564,  /* 24 GB */
    30595,  32088,  32607,                  /* 32 GB */
    40326,  40536,  45498,  47975,  49140,  /* 40 and 48 GB */
    80994,  81153,  95341,  97871,  143156, /* 80, 94, 96 and 141 GB */
    183359, 191000, 275040, 294912,         /* 180, 192 and 288 GB */
};

/* A driver that reports a few per cent more or less changes no case and no number of buffers. */
START_TEST(a_footprint_does_not_follow_the_driver, "bandwidth.shape.sizes",
           "bandwidth.sweep.figures", "bandwidth.regime.cold")
{
    static const double factors[] = {0.96, 0.996, 1.004, 1.04};
    for (size_t size = 0; size < sizeof real_mib / sizeof real_mib[0]; size++) {
        struct device_info info = made_gpu(90);
        info.memory_bytes = (uint64_t)real_mib[size] << 20;
        const struct bench_plan *plan = made_plan(&info, 0, REGIME_DRAM + 1),
                                *sweep = made_sweep(&info, 0);
        const uint64_t share = device_share_bytes(&info);
        for (size_t row = 0; row < sizeof factors / sizeof factors[0]; row++) {
            struct device_info other = info;
            other.memory_bytes = (uint64_t)((double)info.memory_bytes * factors[row]);
            ck_assert_uint_eq(device_share_bytes(&other), share);
            const struct bench_plan *plans[] = {made_plan(&other, 0, REGIME_DRAM + 1),
                                                made_sweep(&other, 0)};
            ck_assert_int_eq(plans[0]->group_count, plan->group_count);
            ck_assert_int_eq(plans[1]->group_count, sweep->group_count);
            for (int group = 0; group < plan->group_count; group++)
                ck_assert_msg(
                    plans[0]->groups[group].footprint_bytes == plan->groups[group].footprint_bytes,
                    "%g MiB, %g of it: %s", real_mib[size], factors[row], plan->groups[group].name);
            for (int group = 0; group < sweep->group_count; group++)
                ck_assert_uint_eq(plans[1]->groups[group].footprint_bytes,
                                  sweep->groups[group].footprint_bytes);
        }
    }
}

/* Of any size: a power of two, from a thirteenth to a sixth of the memory, and never less of more.
 * From 13.2 GiB on a copy in DRAM has 2 GiB, so floors hold for every slice of that size. */
START_TEST(a_share_is_a_round_number, "bandwidth.shape.sizes")
{
    uint64_t before = 0;
    struct device_info info = made_gpu(90);
    for (uint64_t mib = 64; mib < 300 << 10; mib += 1 + mib / 512) {
        info.memory_bytes = mib << 20;
        const uint64_t share = device_share_bytes(&info);
        ck_assert_uint_eq(share & (share - 1), 0);
        ck_assert(share >= before && share * 6 <= info.memory_bytes);
        ck_assert_uint_gt(share * 14, info.memory_bytes);
        before = share;
    }
    info.memory_bytes = 0; /* unknown */
    ck_assert_uint_eq(device_share_bytes(&info), 0);
    static const struct {
        double gib;
        uint64_t largest_mib;
    } table[] = {{13.3, 2048}, {16, 2048}, {80, 2048}, {13.1, 1024},
                 {6.7, 1024},  {6.5, 512}, {3.2, 256}};
    for (size_t row = 0; row < sizeof table / sizeof table[0]; row++) {
        uint64_t largest = 0;
        info.memory_bytes = (uint64_t)(table[row].gib * (UINT64_C(1) << 30));
        const struct bench_plan *plan = made_plan(&info, 0, REGIME_DRAM + 1);
        for (int group = 0; group < plan->group_count; group++)
            if (plan->groups[group].footprint_bytes > largest)
                largest = plan->groups[group].footprint_bytes;
        ck_assert_uint_eq(largest, table[row].largest_mib << 20);
    }
}
