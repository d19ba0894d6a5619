/* The harness's kernels on the host device: what an earlier launch left helps no later one, and a
 * changed byte around the operands is seen wherever it lies. */
#include "conformance/test/made_check.h"
#include "cuda/launch.h"
#include "fuzz/test/made_case.h"

static struct device *device;

/* Barriers that are missing, and right kernels with the same tiles. */
static const struct {
    const char *mutant, *sibling;
} pairs[] = {
    {"mutant/no_barrier_after_load", "matmul/tiled"},
    {"mutant/no_barrier_after_load", "matmul/padded"},
    {"mutant/no_warp_barrier", "matmul/shared_a"},
    {"mutant/warp_barrier_for_block", "matmul/shared_ab"},
    {"mutant/difference_no_barrier", "adjacent_difference/shared"},
};
enum { PAIRS = sizeof pairs / sizeof pairs[0], CASES = 200 };

/* How many of its cases the last of the kernels passes, after the others in their order. */
static int count_passes(struct checker *checker, const int *ids, int count)
{
    struct generator generator =
        made_generator(algorithm_find(catalog_kernel(ids[count - 1])->algorithm), TIER_STANDARD, 1);
    int passes = 0;
    generator.elements_max = 1 << 14;
    for (uint64_t index = 0; index < CASES; index++) {
        struct fuzz_case test_case = generated(&generator, index);
        struct subject checks[4];
        struct check_result results[4];
        for (int check = 0; check < count; check++)
            checks[check] = made_subject(0, ids[check], "host");
        ck_assert_int_eq(
            checker_run(checker, &test_case,
                        &(struct check_list){checks, count, false, made_take, results}),
            CHECK_END_DONE);
        passes += results[count - 1].verdict == VERDICT_PASS;
    }
    return passes;
}

START_TEST(leftovers, "memory.scrub.shared")
{
    device = made_device();
    for (int pair = 0; pair < PAIRS; pair++) {
        struct checker *checker = made_checker(device);
        const int sibling = made_kernel(pairs[pair].sibling);
        const int mutant = made_kernel(pairs[pair].mutant);
        int alone = count_passes(checker, (const int[]){mutant}, 1);
        int after = count_passes(checker, (const int[]){sibling, mutant}, 2);
        ck_assert_msg(alone == after, "%s passes %d cases alone and %d after %s",
                      pairs[pair].mutant, alone, after, pairs[pair].sibling);
    }
}

enum { WORDS = 3000, HOLE_BEGIN = 800, HOLE_END = 4000 };

/* A range of WORDS words, its hole in bytes, filled; and its report. */
struct filled {
    struct harness harness;
    struct harness_range range;
    cu_address report;
};

static void fill(struct filled *ret)
{
    struct finding finding;
    const struct cuda_driver *driver = &device->driver;
    ret->harness.device = NULL;
    ck_assert_msg(harness_open(&ret->harness, device, device->stream, &finding), "%s",
                  finding.note);
    ret->range = (struct harness_range){
        .bytes = WORDS * 8, .hole_begin = HOLE_BEGIN, .hole_end = HOLE_END, .key = 7};
    ck_assert_int_eq(driver->mem_alloc(&ret->range.address, WORDS * 8), CU_SUCCESS);
    ck_assert_int_eq(driver->mem_alloc(&ret->report, sizeof(struct harness_report)), CU_SUCCESS);
    ck_assert_int_eq(harness_fill(&ret->harness, &ret->range), CU_SUCCESS);
}

static struct harness_report look(const struct filled *filled)
{
    struct harness_report report;
    const struct cuda_driver *driver = &device->driver;
    ck_assert_int_eq(driver->memset_d8_async(filled->report, 0, sizeof report, device->stream), 0);
    ck_assert_int_eq(harness_check(&filled->harness, &filled->range, filled->report), 0);
    ck_assert_int_eq(
        driver->memcpy_dtoh_async(&report, filled->report, sizeof report, device->stream), 0);
    return report;
}

/* The host device's memory is the program's own. */
static unsigned char *byte_at(const struct filled *filled, size_t position)
{
    return (unsigned char *)(uintptr_t)(filled->range.address + position);
}

START_TEST(every_byte_is_seen, "memory.outside.looked_at")
{
    struct filled filled;
    device = made_device();
    fill(&filled);
    ck_assert_uint_eq(look(&filled).wrong, 0);
    ck_assert_uint_eq(look(&filled).words, harness_words(&filled.range));
    for (size_t position = 0; position < WORDS * 8; position += 7) {
        *byte_at(&filled, position) ^= 1;
        bool in_hole = position >= HOLE_BEGIN && position < HOLE_END;
        struct harness_report report = look(&filled);
        ck_assert_msg(report.wrong == !in_hole, "byte %zu: %llu words are wrong", position,
                      report.wrong);
        ck_assert_uint_eq(report.last, in_hole ? 0 : position / 8 + 1);
        *byte_at(&filled, position) ^= 1;
    }
    uint64_t word;
    memcpy(&word, byte_at(&filled, 8 * 77), sizeof word);
    ck_assert_uint_eq(word, harness_word(&filled.range, 8 * 77));
}

/* Two words exchanged, or one changed, are another digest; the hole has no part in it. */
START_TEST(digest_of_a_range, "memory.outside.looked_at")
{
    struct filled filled;
    struct harness_report reports[4];
    device = made_device();
    const struct cuda_driver *driver = &device->driver;
    fill(&filled);
    for (int turn = 0; turn < 4; turn++) {
        unsigned char *word = byte_at(&filled, turn == 3 ? HOLE_BEGIN : 8 * 500);
        if (turn == 1 || turn == 3)
            word[3] ^= 4;
        if (turn == 2) {
            uint64_t swapped[2];
            word[3] ^= 4;
            memcpy(swapped, word, sizeof swapped);
            memcpy(word, &swapped[1], 8);
            memcpy(word + 8, &swapped[0], 8);
        }
        ck_assert_int_eq(
            driver->memset_d8_async(filled.report, 0, sizeof reports[0], device->stream), 0);
        ck_assert_int_eq(harness_digest(&filled.harness, &filled.range, filled.report), 0);
        memcpy(&reports[turn], (void *)(uintptr_t)filled.report, sizeof reports[0]);
    }
    ck_assert_uint_ne(reports[0].sum, reports[1].sum);
    ck_assert_uint_ne(reports[0].sum, reports[2].sum);
    ck_assert_uint_ne(reports[1].sum, reports[2].sum);
    ck_assert_uint_eq(reports[2].sum, reports[3].sum);
    ck_assert_uint_eq(reports[0].words, harness_words(&filled.range));
}

/* The host takes the same digest, in whatever parts; no byte can change without another sum. */
START_TEST(digests_of_device_and_host, "bandwidth.bits.digest")
{
    struct filled filled;
    struct harness_report *report;
    device = made_device();
    fill(&filled);
    report = (void *)(uintptr_t)filled.report;
    filled.range.key = 0;
    filled.range.hole_begin = filled.range.hole_end = 0;
    const unsigned char *bytes = byte_at(&filled, 0);
    const uint64_t right = harness_sum(bytes, WORDS * 8, 0);
    ck_assert_uint_eq(right,
                      harness_sum(bytes, 808, 0) + harness_sum(bytes + 808, WORDS * 8 - 808, 808));
    for (size_t position = 0; position < WORDS * 8; position += 8 * 37 + 3) {
        memset(report, 0, sizeof *report);
        ck_assert_int_eq(harness_digest(&filled.harness, &filled.range, filled.report), 0);
        ck_assert_uint_eq(report->words, WORDS);
        ck_assert_uint_eq(report->sum, harness_sum(bytes, WORDS * 8, 0));
        ck_assert(position == 0 || report->sum != right);
        *byte_at(&filled, position) ^=
            (unsigned char)(1U << position % 8); /* one more in each turn */
    }
}

enum { SCRUB_THREADS = 1024, READ_WORDS = 4096, LOCAL = 64, KEY = 11 };

static unsigned scrubbed_word(uint64_t number)
{
    return (unsigned)harness_word(&(struct harness_range){.key = KEY}, number * 8);
}

/* What the threads of one block put into the sink. */
static void scrub(cu_function function, unsigned threads, unsigned first, unsigned *ret)
{
    const struct cuda_driver *driver = &device->driver;
    struct launch plan = {
        .grid = {1, 1, 1}, .block = {threads, 1, 1}, .shared_bytes = READ_WORDS * 8};
    struct harness_scrub_call call = {.key = KEY, .shared_words = READ_WORDS};
    cu_address sink;
    ck_assert_int_eq(driver->mem_alloc(&sink, SCRUB_THREADS * sizeof *ret), CU_SUCCESS);
    call.sink = (unsigned *)(uintptr_t)sink;
    call.sink[0] = first;
    ck_assert_int_eq(launch_function(driver, function, &plan, &call, NULL, device->stream), 0);
    ck_assert_int_eq(driver->stream_synchronize(device->stream), CU_SUCCESS);
    memcpy(ret, call.sink, threads * sizeof *ret);
    ck_assert_int_eq(driver->mem_free(sink), CU_SUCCESS);
}

/* Registers and local memory cannot be looked at; what a thread makes of all it held there can. */
START_TEST(scrubs_hold_the_pattern, "memory.scrub.shared")
{
    struct harness harness = {.device = NULL};
    struct finding finding;
    unsigned got[SCRUB_THREADS];
    device = made_device();
    ck_assert_msg(harness_open(&harness, device, device->stream, &finding), "%s", finding.note);
    scrub(harness.scrub, SCRUB_THREADS, 0, got);
    for (unsigned thread = 0; thread < SCRUB_THREADS; thread++) {
        const unsigned first = (unsigned)(thread + KEY) % HARNESS_SCRUB_READ;
        unsigned chain = scrubbed_word(first);
        for (unsigned index = 0; index < HARNESS_SCRUB_HELD; index++)
            chain = (chain ^ scrubbed_word(first + index)) * 0x9e3779b1u;
        ck_assert_uint_eq(got[thread], chain);
    }
    for (unsigned index = 0; index < LOCAL; index++) {
        scrub(harness.scrub_local, 1, index, got);
        ck_assert_uint_eq(got[0], scrubbed_word(index));
    }
}

/* A stack that compiles one of the harness's kernels wrongly: what its launches leave, and which
 * kernel the error must name. */
static cu_result (*launch)(LAUNCH_PARAMETERS);

static void see_nothing(void *call)
{
    ((struct harness_range_call *)call)->report->wrong = 0;
}
static void see_one_less(void *call)
{
    struct harness_report *report = ((struct harness_range_call *)call)->report;
    report->wrong -= report->wrong > 0;
}
static void see_one_more(void *call)
{
    ((struct harness_range_call *)call)->report->wrong++;
}
static void see_no_flipped_right(void *call) /* what is compared with is not read */
{
    const struct harness_range_call *it = call;
    if (it->right && it->words > it->right)
        it->report->wrong = 0;
}
static void see_no_high_bits(void *call)
{
    const struct harness_range_call *it = call;
    it->report->wrong = it->report->last = 0;
    for (long long word = 0; word < it->count; word++) {
        const long long place = word < it->hole_begin ? word : word + it->hole_words;
        const struct harness_range range = {.key = it->key};
        const uint64_t right =
            it->right ? it->right[place] : harness_word(&range, (size_t)place * 8);
        if (((it->words[place] ^ right) << 1) == 0)
            continue;
        it->report->wrong++;
        it->report->last = (unsigned long long)place + 1;
    }
}
static void place_wrongly(void *call)
{
    struct harness_report *report = ((struct harness_range_call *)call)->report;
    report->last += report->wrong > 0;
}
static void look_at_fewer(void *call)
{
    ((struct harness_range_call *)call)->report->words--;
}
static void digest_alike(void *call)
{
    ((struct harness_range_call *)call)->report->sum = 5;
}
static void leave_last_word(void *call)
{
    const struct harness_range_call *it = call;
    it->words[it->count - 1] = 0;
}
static void fill_one_more(void *call) /* the first of a hole, or of what follows */
{
    const struct harness_range_call *it = call;
    it->words[it->count] = 0;
}
static void fill_into_a_hole(void *call) /* the fills of whole ranges are right */
{
    static long long most;
    const struct harness_range_call *it = call;
    most = it->count > most ? it->count : most;
    if (it->count < most)
        it->words[it->count] = 0;
}
static void flip_no_last_byte(void *call)
{
    const struct harness_flip_call *it = call;
    it->first[it->element_bytes - 1] ^= 0xff;
}
static void flip_a_gap(void *call)
{
    const struct harness_flip_call *it = call;
    it->first[it->element_bytes] ^= 1;
}
static void sink_nothing(void *call)
{
    const struct harness_scrub_call *it = call;
    if (it->sink)
        it->sink[0] = 0;
}

static const struct spoilt {
    const char *unit, *kernel;
    void (*spoil)(void *call);
} spoilt[] = {
    {"harness_range", "harness_check", see_nothing},
    {"harness_range", "harness_check", see_one_less},
    {"harness_range", "harness_check", see_one_more},
    {"harness_range", "harness_check", see_no_flipped_right},
    {"harness_range", "harness_check", see_no_high_bits},
    {"harness_range", "harness_check", place_wrongly},
    {"harness_range", "harness_check", look_at_fewer},
    {"harness_range", "harness_digest", digest_alike},
    {"harness_range", "harness_digest", look_at_fewer},
    {"harness_range", "harness_fill", leave_last_word},
    {"harness_range", "harness_fill", fill_one_more},
    {"harness_range", "harness_fill", fill_into_a_hole},
    {"harness_range", "harness_flip", flip_no_last_byte},
    {"harness_range", "harness_flip", flip_a_gap},
    {"harness_scrub", "harness_scrub", sink_nothing},
    {"harness_scrub", "harness_scrub_local", sink_nothing},
};
enum { SPOILT = sizeof spoilt / sizeof spoilt[0] };
static const struct spoilt *spoiling;
static cu_function spoilt_function;
static bool none_runs; /* no kernel at all */
static int registers;  /* of each kernel */

static cu_result give_registers(int *ret, int attribute, cu_function function)
{
    (void)function;
    *ret = attribute == CU_FUNC_ATTRIBUTE_NUM_REGS ? registers : 0;
    return CU_SUCCESS;
}

static cu_result launch_spoilt(LAUNCH_PARAMETERS)
{
    if (none_runs)
        return CU_SUCCESS;
    if (spoiling && spoiling->spoil == NULL && function == spoilt_function)
        return CU_ERROR_LAUNCH_OUT_OF_RESOURCES;
    const cu_result error = launch(LAUNCH_ARGUMENTS);
    if (spoiling && function == spoilt_function)
        spoiling->spoil(parameters[0]);
    return error;
}

/* What one case comes to on a device of its own. */
static struct check_result check_one(void)
{
    device = made_device();
    const struct kernel kernel = {.unit = spoiling ? spoiling->unit : "harness_range"};
    spoilt_function = made_function(device, &kernel, spoiling ? spoiling->kernel : "harness_check");
    launch = device->driver.launch_kernel;
    device->driver.launch_kernel = launch_spoilt;
    device->driver.func_get_attribute = give_registers;
    const struct subject subject = made_subject(0, made_kernel("offset_copy/scalar"), "host");
    const struct fuzz_case test_case = made_case("offset_copy n=40 element=4 fill=position seed=1");
    struct check_result result = {.verdict = VERDICT_ERROR};
    checker_run(made_checker(device), &test_case,
                &(struct check_list){&subject, 1, false, made_take_one, &result});
    testing_release();
    return result;
}

START_TEST(a_blind_harness_is_an_error, "runner.harness.proved")
{
    char name[64];
    spoiling = NULL;
    struct check_result result = check_one();
    ck_assert_msg(result.verdict == VERDICT_PASS, "%s", result.finding.note);
    for (int row = 0; row < SPOILT; row++) {
        spoiling = &spoilt[row];
        result = check_one();
        snprintf(name, sizeof name, "its own kernel %s, ", spoiling->kernel);
        ck_assert_msg(result.verdict == VERDICT_ERROR && strstr(result.finding.note, name),
                      "row %d: %s, %s", row, verdict_name(result.verdict), result.finding.note);
    }
    spoiling = NULL;
}

/* A compiler that keeps fewer words in registers leaves what earlier launches had in the others. */
START_TEST(a_scrub_without_registers_is_an_error, "runner.harness.proved")
{
    registers = HARNESS_SCRUB_HELD;
    struct check_result result = check_one();
    ck_assert_msg(result.verdict == VERDICT_PASS, "%s", result.finding.note);
    registers--;
    result = check_one();
    ck_assert_int_eq(result.verdict, VERDICT_ERROR);
    ASSERT_HAS(result.finding.note, "harness_scrub, compiled by this stack, has "
                                    "51 registers to write 52 words in");
    registers = 0;
}

/* The driver's size of shared memory is blamed for the launch that asks for it, and no other. */
START_TEST(a_refused_launch_is_told_by_its_kernel, "runner.harness.proved")
{
    static const struct spoilt refused[] = {{"harness_scrub", "harness_scrub", NULL},
                                            {"harness_range", "harness_check", NULL},
                                            {"harness_scrub", "harness_scrub_local", NULL}};
    for (int row = 0; row < 3; row++) {
        spoiling = &refused[row];
        const struct check_result result = check_one();
        ck_assert_int_eq(result.verdict, VERDICT_ERROR);
        ck_assert_int_eq(strstr(result.finding.note, "bytes of shared memory") != NULL, row == 0);
    }
    spoiling = NULL;
}

/* A stack on which nothing runs is no error of the harness: the output was not written. */
START_TEST(a_harness_that_does_not_run_excuses_nothing, "runner.harness.proved")
{
    none_runs = true;
    const struct check_result result = check_one();
    ck_assert_msg(result.verdict == VERDICT_FAIL, "%s", result.finding.note);
    none_runs = false;
}
