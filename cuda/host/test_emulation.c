/* Tests of the emulation: orders, shared memory, barriers, warps. */
#include "cuda/host/test_device.h"
#include "spec/testing.h"

enum { N = 64, SEED_COUNT = 40 };

static const struct test_shape one_warp = {1, 1, 1, 32, 1, 1, 0};

/* Launches a kernel of test_cooperation, which must end well. */
static void cooperate(struct test_device *device, const char *name, struct test_shape shape,
                      struct test_call call)
{
    ck_assert_int_eq(test_device_launch(device, "test_cooperation", name, shape, call), 0);
}

/* N x N floats of small integers, the product of which with itself is exact in any order. */
static void make_matrix(float *ret)
{
    for (int i = 0; i < N * N; i++)
        ret[i] = (float)(i * 7 % 13 - 6);
}

static void multiply(const float *source, float *ret)
{
    for (int row = 0; row < N; row++)
        for (int column = 0; column < N; column++) {
            float sum = 0.0f;
            for (int k = 0; k < N; k++)
                sum += source[row * N + k] * source[k * N + column];
            ret[row * N + column] = sum;
        }
}

/* For how many of SEED_COUNT seeds test_tiled gives the right product. */
static int count_right(long long variant)
{
    static float source[N * N], expected[N * N];
    make_matrix(source);
    multiply(source, expected);
    struct test_device *device = test_device_open();
    device->driver.set_shared_refilled(true); /* or a launch would find the tiles of the last one */
    struct test_call call = {.n = N, .place = variant};
    call.source = test_device_memory(device, sizeof source, source);
    call.target = test_device_memory(device, sizeof source, NULL);
    const struct test_shape shape = {N / 16, N / 16, 1, 16, 16, 1, 0};
    int right_count = 0;
    for (int seed = 0; seed < SEED_COUNT; seed++) {
        device->driver.set_schedule_seed((uint64_t)seed);
        cooperate(device, "test_tiled", shape, call);
        right_count += memcmp(call.target, expected, sizeof expected) == 0;
    }
    return right_count;
}

START_TEST(right_kernel, "driver.host.any_order")
{
    ck_assert_int_eq(count_right(0), SEED_COUNT);
}

START_TEST(missing_barrier, "driver.host.missing_barrier")
{
    ck_assert_int_eq(count_right(1), 0);
    ck_assert_int_eq(count_right(2), 0);
}

/* A warp runs ahead of the others as far as its own barrier lets it. */
START_TEST(warp_barrier_for_block, "driver.host.missing_barrier")
{
    ck_assert_int_lt(count_right(3), SEED_COUNT / 2);
    ck_assert_int_lt(count_right(4), SEED_COUNT / 2);
}

START_TEST(order_of_seed, "driver.host.seeded_order")
{
    enum { BLOCKS = 8, THREADS = 64, WORDS = BLOCKS * THREADS + 1 };
    static unsigned turns[SEED_COUNT][WORDS];
    struct test_device *device = test_device_open();
    struct test_call call = {.n = WORDS,
                             .words = test_device_memory(device, sizeof turns[0], NULL)};
    const struct test_shape shape = {BLOCKS, 1, 1, THREADS, 1, 1, 0};
    for (int i = 0; i < SEED_COUNT; i++) {
        if (i % 2 == 0) /* every seed twice, two launches after each */
            device->driver.set_schedule_seed((uint64_t)i / 4);
        call.words[WORDS - 1] = 0;
        cooperate(device, "test_order", shape, call);
        memcpy(turns[i], call.words, sizeof turns[i]);
    }
    int same_count = 0;
    for (int i = 0; i + 2 < SEED_COUNT; i++) {
        if (i % 4 < 2)
            ASSERT_BYTES_EQUAL(turns[i], turns[i + 2], sizeof turns[i]);
        same_count += memcmp(turns[i], turns[i + 1], sizeof turns[i]) == 0;
    }
    ck_assert_int_eq(same_count, 0);
}

START_TEST(shared_garbage, "driver.host.shared_garbage")
{
    enum { BLOCKS = 3, WORDS = BLOCKS * 128 };
    struct test_device *device = test_device_open();
    ck_assert_int_eq(setenv("ASSAY_HOST_SHARED", "garbage", 1), 0);
    ck_assert_int_eq(device->driver.init(0), CU_SUCCESS);
    struct test_call call = {.words = test_device_memory(device, WORDS * 4, NULL)};
    const struct test_shape shape = {BLOCKS, 1, 1, 64, 1, 1, 256};
    cooperate(device, "test_stale", shape, call);
    for (int i = 0; i < WORDS; i++) {
        ck_assert_uint_ne(call.words[i], 0);
        ck_assert_uint_ne(call.words[i], 7);
        for (int j = 0; j < i; j++)
            ck_assert_uint_ne(call.words[i], call.words[j]);
    }
}

/* Of one thread and the next, of one launch and the next. */
START_TEST(local_garbage, "memory.local.garbage")
{
    enum { LAUNCHES = 2, WORDS = 2 * 40 * 5 };
    struct test_device *device = test_device_open();
    struct test_call call = {0};
    unsigned words[LAUNCHES * WORDS];
    call.words = test_device_memory(device, WORDS * 4, NULL);
    const struct test_shape shape = {2, 1, 1, 40, 1, 1, 0};
    for (int launch = 0; launch < LAUNCHES; launch++) {
        cooperate(device, "test_local", shape, call);
        memcpy(words + (size_t)launch * WORDS, call.words, WORDS * sizeof *words);
    }
    for (int i = 0; i < LAUNCHES * WORDS; i++) {
        ck_assert_uint_ne(words[i], 0);
        for (int j = 0; j < i; j++)
            ck_assert_uint_ne(words[i], words[j]);
    }
}

/* The first block of all finds garbage, every other one what the block before it left. */
START_TEST(shared_persists, "driver.host.shared_persists")
{
    enum { WORDS = 2 * 128 };
    struct test_device *device = test_device_open();
    struct test_call call = {.n = 1, .words = test_device_memory(device, WORDS * 4, NULL)};
    const struct test_shape shape = {2, 1, 1, 64, 1, 1, 256};
    for (int launch = 0; launch < 2; launch++) {
        cooperate(device, "test_stale", shape, call);
        for (int i = 0; i < WORDS; i++)
            ck_assert_msg((call.words[i] == 7) == (launch == 1 || i >= 128),
                          "launch %d, word %d: %u", launch, i, call.words[i]);
    }
}

/* Turns 1, 2, ... around in blocks of the given shape and returns the launch's result. */
static cu_result turn(struct test_device *device, struct test_shape shape, long long passes)
{
    enum { COUNT = 4096 };
    static float source[COUNT];
    for (int i = 0; i < COUNT; i++)
        source[i] = (float)i;
    struct test_call call = {.n = passes};
    call.source = test_device_memory(device, sizeof source, source);
    call.target = test_device_memory(device, sizeof source, NULL);
    const cu_result result =
        test_device_launch(device, "test_cooperation", "test_turn", shape, call);
    const unsigned count = shape.block_x * shape.block_y * shape.block_z;
    for (unsigned i = 0; result == CU_SUCCESS && i < shape.grid_x * count; i++) {
        const unsigned first = i / count * count;
        const unsigned partner = passes % 2 ? first + (count - 1 - i % count) : i;
        ck_assert_float_eq(call.target[i], source[partner]);
    }
    return result;
}

START_TEST(dynamic_shared, "driver.host.dynamic_shared")
{
    struct test_device *device = test_device_open();
    const struct test_shape shapes[] = {
        {4, 1, 1, 1, 1, 1, 4},        {1, 1, 1, 33, 1, 1, 132},     {4, 1, 1, 1024, 1, 1, 4096},
        {3, 1, 1, 16, 8, 4, 2048},    {4, 1, 1, 1024, 1, 1, 16384}, {63, 1, 1, 1, 1, 64, 256},
        {1, 1, 1, 1, 1000, 1, 49152}, {2, 1, 1, 7, 5, 3, 420},
    };
    for (size_t i = 0; i < sizeof shapes / sizeof shapes[0]; i++) {
        ck_assert_int_eq(turn(device, shapes[i], 1), 0);
        ck_assert_int_eq(turn(device, shapes[i], 6), 0);
    }
}

START_TEST(coordinates, "driver.host.coordinates")
{
    const struct test_shape shapes[] = {{3, 4, 5, 2, 3, 4, 0},
                                        {7, 1, 1, 1024, 1, 1, 0},
                                        {1, 1, 6, 1, 1, 64, 0},
                                        {1, 5, 1, 1, 1, 1, 0}};
    struct test_device *device = test_device_open();
    for (size_t i = 0; i < sizeof shapes / sizeof shapes[0]; i++) {
        const struct test_shape s = shapes[i];
        const size_t threads = (size_t)s.block_x * s.block_y * s.block_z;
        const size_t count = threads * s.grid_x * s.grid_y * s.grid_z;
        struct test_call call = {.words = test_device_memory(device, 8 * count, NULL)};
        memset(call.words, 0, 8 * count);
        cooperate(device, "test_coordinates", s, call);
        for (size_t place = 0; place < count; place++) {
            const size_t thread = place % threads;
            const size_t expected = thread % s.block_x | thread / s.block_x % s.block_y << 10 |
                                    thread / s.block_x / s.block_y << 20;
            ck_assert_uint_eq(call.words[2 * place], 1);
            ck_assert_uint_eq(call.words[2 * place + 1], expected);
        }
    }
}

/* For how many seeds 256 threads each got the right neighbour within `group`. */
static int count_neighbours(const char *kernel, unsigned group, long long variant)
{
    enum { COUNT = 256 };
    float source[COUNT];
    for (int i = 0; i < COUNT; i++)
        source[i] = (float)i;
    struct test_device *device = test_device_open();
    device->driver.set_shared_refilled(true);
    struct test_call call = {.place = variant};
    call.source = test_device_memory(device, sizeof source, source);
    call.target = test_device_memory(device, sizeof source, NULL);
    const struct test_shape shape = {1, 1, 1, COUNT, 1, 1, 0};
    int right_count = 0;
    for (int seed = 0; seed < SEED_COUNT; seed++) {
        device->driver.set_schedule_seed((uint64_t)seed);
        cooperate(device, kernel, shape, call);
        unsigned i = 0;
        while (i < COUNT && call.target[i] == source[i / group * group + (i + 1) % group])
            i++;
        right_count += i == COUNT;
    }
    return right_count;
}

START_TEST(warp_barrier, "driver.host.warp_barrier")
{
    ck_assert_int_eq(count_neighbours("test_neighbour", 32, 0), SEED_COUNT);
    /* Most seeds show a wrong kernel, if not all. */
    ck_assert_int_lt(count_neighbours("test_neighbour", 256, 1), SEED_COUNT / 2);
    ck_assert_int_lt(count_neighbours("test_scratch", 32, 0), SEED_COUNT - SEED_COUNT / 8);
}

/* For how many seeds the kernel turns its elements around, or, variant 6, copies the even ones. */
static int count_copied(const char *kernel, long long variant)
{
    enum { COUNT = 1000 };
    float source[COUNT];
    for (int i = 0; i < COUNT; i++)
        source[i] = (float)i;
    struct test_device *device = test_device_open();
    device->driver.set_shared_refilled(true); /* or a launch would find what the last one copied */
    struct test_call call = {.n = COUNT, .place = variant};
    call.source = test_device_memory(device, sizeof source, source);
    call.target = test_device_memory(device, sizeof source, NULL);
    const struct test_shape shape = {1, 1, 1, 96, 1, 1, sizeof source};
    int right_count = 0;
    for (int seed = 0; seed < SEED_COUNT; seed++) {
        device->driver.set_schedule_seed((uint64_t)seed);
        cooperate(device, kernel, shape, call);
        int i = 0, step = variant == 6 ? 2 : 1;
        while (i < COUNT && call.target[i] == source[variant == 6 ? i : COUNT - 1 - i])
            i += step;
        right_count += i >= COUNT;
    }
    return right_count;
}

START_TEST(asynchronous_copies, "driver.host.async_copy")
{
    ck_assert_int_eq(count_copied("test_async_copy", 0), SEED_COUNT);
    ck_assert_int_eq(count_copied("test_async_copy", 6), SEED_COUNT);
    for (long long variant = 1; variant <= 5; variant++)
        ck_assert_msg(count_copied("test_async_copy", variant) == 0, "variant %lld", variant);
}

START_TEST(bulk_copies, "driver.host.bulk_copy")
{
    ck_assert_int_eq(count_copied("test_bulk_copy", 0), SEED_COUNT);
    ck_assert_int_eq(count_copied("test_bulk_copy", 1), 0);
}

START_TEST(widths_of_copies, "driver.host.async_copy")
{
    float source[12];
    for (int i = 0; i < 12; i++)
        source[i] = (float)i;
    struct test_device *device = test_device_open();
    struct test_call call = {0};
    call.source = test_device_memory(device, sizeof source, source);
    call.words = test_device_memory(device, 64, NULL);
    const struct test_shape shape = {1, 1, 1, 1, 1, 1, 64};
    cooperate(device, "test_async_widths", shape, call);
    ASSERT_BYTES_EQUAL(&call.words[0], &source[0], 4);
    ASSERT_BYTES_EQUAL(&call.words[4], &source[2], 8);
    ASSERT_BYTES_EQUAL(&call.words[8], &source[4], 16);
    ASSERT_BYTES_EQUAL(&call.words[12], &source[8], 16);
}

START_TEST(shuffle, "driver.host.shuffle")
{
    struct test_device *device = test_device_open();
    struct test_call call = {.words = test_device_memory(device, 7 * 32 * 4, NULL)};
    for (uint64_t seed = 0; seed < 8; seed++) {
        device->driver.set_schedule_seed(seed);
        cooperate(device, "test_shuffle", one_warp, call);
        for (unsigned lane = 0; lane < 32; lane++) {
            const unsigned *words = call.words + lane;
            float number;
            memcpy(&number, &words[96], sizeof number);
            ck_assert_uint_eq(words[0], 101);
            ck_assert_uint_eq(words[32], 100 + (lane % 8 < 3 ? lane : lane - 3));
            ck_assert_int_eq((int)words[64], -(int)(lane % 8 < 5 ? lane + 3 : lane));
            ck_assert_float_eq(number, (float)(lane ^ 5));
            ck_assert_uint_eq(words[128], lane < 16 ? lane ^ 1 : lane ^ 2);
        }
    }
}

START_TEST(ended_lanes, "driver.host.warp_barrier")
{
    struct test_device *device = test_device_open();
    struct test_call call = {.target = test_device_memory(device, 16 * 4, NULL)};
    for (uint64_t seed = 0; seed < 8; seed++) {
        device->driver.set_schedule_seed(seed);
        cooperate(device, "test_half_warp", one_warp, call);
        for (int i = 0; i < 16; i++)
            ck_assert_float_eq(call.target[i], 120.0f);
    }
}

START_TEST(many_launches, "driver.host.any_order")
{
    struct test_device *device = test_device_open();
    struct test_call call = {.n = 200, .words = test_device_memory(device, 200 * 4, NULL)};
    const struct test_shape shape = {4, 1, 1, 64, 1, 1, 0};
    for (int i = 0; i < 2000; i++) {
        memset(call.words, 0xff, 200 * 4);
        ck_assert_int_eq(test_device_launch(device, "test_lone", "test_lone", shape, call), 0);
        for (unsigned j = 0; j < 200; j++)
            ck_assert_uint_eq(call.words[j], j);
    }
}
