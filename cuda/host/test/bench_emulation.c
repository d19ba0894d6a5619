/* Benchmark of the emulation: `meson test --benchmark`. Prints what a launch, a switch between
 * threads, a tiled matrix product of 256^3 and an allocation take. */
#include "cuda/driver.h"
#include "cuda/host/test_call.h"

#include "spec/testing.h"

static struct cuda_driver driver;

static void check(cu_result result)
{
    if (result != CU_SUCCESS) {
        fprintf(stderr, "the driver returned %d\n", result);
        exit(1);
    }
}

static void *allocate(size_t bytes)
{
    cu_address address;
    check(driver.mem_alloc(&address, bytes));
    check(driver.memset_d8_async(address, 0, bytes, NULL));
    return (void *)(uintptr_t)address;
}

/* The launch's time, the best of five runs of `count` launches each. */
static double time_ns(const char *unit, const char *name, const unsigned shape[6],
                      unsigned shared_bytes, struct test_call call, int count)
{
    cu_module module;
    cu_function function;
    cu_event start, end;
    unsigned char *sms = NULL;
    void *parameters[] = {&call, &sms};
    double best_ns = 1e30;
    check(driver.module_load_data(&module, unit, 0, NULL, NULL));
    check(driver.module_get_function(&function, module, name));
    check(driver.event_create(&start, 0));
    check(driver.event_create(&end, 0));
    for (int run = 0; run < 5; run++) {
        float elapsed_ms;
        check(driver.event_record(start, NULL));
        for (int i = 0; i < count; i++)
            check(driver.launch_kernel(function, shape[0], shape[1], shape[2], shape[3], shape[4],
                                       shape[5], shared_bytes, NULL, parameters, NULL));
        check(driver.event_record(end, NULL));
        check(driver.event_elapsed_ms(&elapsed_ms, start, end));
        const double ns = (double)elapsed_ms * 1e6 / count;
        best_ns = ns < best_ns ? ns : best_ns;
    }
    return best_ns;
}

int main(void)
{
    CLAUSE("driver.host.any_order");
    enum { N = 256, THREADS = 256, PASSES = 1000 };
    cu_context context;
    driver_open_host(&driver);
    check(driver.init(0));
    check(driver.primary_ctx_retain(&context, 0));
    check(driver.ctx_set_current(context));
    struct test_call call = {.source = allocate(N * N * 4), .target = allocate(N * N * 4)};

    call.n = 64;
    const unsigned bare[] = {1, 1, 1, 64, 1, 1};
    const double launch_ns = time_ns("test_bare", "test_bare", bare, 0, call, 10000);
    call.n = N * N;
    const unsigned plain[] = {N * N / THREADS, 1, 1, THREADS, 1, 1};
    const double thread_ns = time_ns("test_bare", "test_bare", plain, 0, call, 100) / (N * N);
    call.n = PASSES;
    const unsigned turn[] = {1, 1, 1, THREADS, 1, 1};
    const double switch_ns = time_ns("test_cooperation", "test_turn", turn, 4 * THREADS, call, 1) /
                             (2.0 * PASSES * THREADS);
    call.n = N;
    const unsigned tiles[] = {N / 16, N / 16, 1, 16, 16, 1};
    const double tiled_ns = time_ns("test_cooperation", "test_tiled", tiles, 0, call, 1);
    printf("launch of 64 threads     %10.0f ns\n", launch_ns);
    printf("thread without a barrier %10.1f ns\n", thread_ns);
    printf("thread at a barrier      %10.1f ns\n", switch_ns);
    printf("tiled matmul of 256^3    %10.1f ms\n", tiled_ns * 1e-6);
    /* Allocating and freeing 4 KiB. */
    enum { COUNT = 2000 };
    cu_event start, end;
    float elapsed_ms;
    check(driver.event_create(&start, 0));
    check(driver.event_create(&end, 0));
    check(driver.event_record(start, NULL));
    for (int i = 0; i < COUNT; i++)
        check(driver.mem_free((cu_address)(uintptr_t)allocate(4096)));
    check(driver.event_record(end, NULL));
    check(driver.event_elapsed_ms(&elapsed_ms, start, end));
    printf("allocation of 4 KiB      %10.0f ns\n", (double)elapsed_ms * 1e6 / COUNT);
    check(driver.primary_ctx_release(0));
    return 0;
}
