/* Launches in sequence, a module that is loaded again, and where the driver puts memory: on the
 * host device, through calls that do something else than they say. */
#include "conformance/test/made_check.h"

/* The calls that tests count or falsify. */
static struct wrapped {
    struct cuda_driver inner;
    int launches, loads, unloads; /* of modules with variables of variable_scope */
    int copies;                   /* from device to device */
    int lost_from;      /* copies from this one on, counted from 1, are not made; 0: all are */
    bool keeps_modules; /* none is unloaded, and a load gives one that is there */
    cu_module kept[64];
    const void *kept_images[64];
    int kept_count;
    int opted_bytes; /* of shared memory, of the last function that opted in */
    int most_bytes;  /* of all of them */
    cu_result opting;
} wrapped;

static cu_result launch_kernel(LAUNCH_PARAMETERS)
{
    wrapped.launches++;
    ck_assert(shared_bytes <= 49152 || (int)shared_bytes <= wrapped.most_bytes);
    return wrapped.inner.launch_kernel(LAUNCH_ARGUMENTS);
}

static cu_result func_set_attribute(cu_function function, int attribute, int value)
{
    if (attribute == CU_FUNC_ATTRIBUTE_MAX_DYNAMIC_SHARED_SIZE_BYTES)
        wrapped.opted_bytes = value;
    wrapped.most_bytes = value > wrapped.most_bytes ? value : wrapped.most_bytes;
    return wrapped.opting ? wrapped.opting
                          : wrapped.inner.func_set_attribute(function, attribute, value);
}

static cu_result module_load_data(cu_module *ret, const void *image, unsigned count, int *options,
                                  void **values)
{
    wrapped.loads += strstr(image, "variable_scope") != NULL;
    for (int index = 0; wrapped.keeps_modules && index < wrapped.kept_count; index++) {
        if (wrapped.kept_images[index] != image)
            continue;
        *ret = wrapped.kept[index];
        return CU_SUCCESS;
    }
    cu_result error = wrapped.inner.module_load_data(ret, image, count, options, values);
    if (error == CU_SUCCESS && wrapped.keeps_modules) {
        ck_assert_int_lt(wrapped.kept_count, 64);
        wrapped.kept_images[wrapped.kept_count] = image;
        wrapped.kept[wrapped.kept_count++] = *ret;
    }
    return error;
}

static cu_result module_unload(cu_module module)
{
    wrapped.unloads++;
    return wrapped.keeps_modules ? CU_SUCCESS : wrapped.inner.module_unload(module);
}

static cu_result memcpy_dtod_async(cu_address target, cu_address source, size_t bytes,
                                   cu_stream stream)
{
    wrapped.copies++;
    return wrapped.lost_from > 0 && wrapped.copies >= wrapped.lost_from
               ? CU_SUCCESS
               : wrapped.inner.memcpy_dtod_async(target, source, bytes, stream);
}

static struct checker *open_checker(void)
{
    wrapped = (struct wrapped){.inner = made_driver()};
    struct cuda_driver driver = wrapped.inner;
    driver.launch_kernel = launch_kernel;
    driver.func_set_attribute = func_set_attribute;
    driver.module_load_data = module_load_data;
    driver.module_unload = module_unload;
    driver.memcpy_dtod_async = memcpy_dtod_async;
    struct checker *checker = made_checker(made_device_with(&driver));
    checker->has_edges = false;
    return checker;
}

/* More shared memory than a block has unasked is asked for, and only that. */
START_TEST(a_kernel_opts_in_to_shared_memory, "runner.plan.shared")
{
    static const char line[] = "matmul m=9 n=9 k=9 fill=uniform seed=1";
    struct checker *checker = open_checker();
    ck_assert_int_eq(made_check(checker, "matmul/naive", line).verdict, VERDICT_PASS);
    wrapped.opted_bytes = 0; /* the harness did, when it was opened */
    ck_assert_int_eq(made_check(checker, "matmul/tiled_dynamic", line).verdict, VERDICT_PASS);
    ck_assert_int_eq(wrapped.opted_bytes, 0);
    ck_assert_int_eq(made_check(checker, "matmul/fragments", line).verdict, VERDICT_PASS);
    ck_assert_int_eq(wrapped.opted_bytes, 49920);
    wrapped.opting = CU_ERROR_INVALID_VALUE;
    const struct check_result result = made_check(checker, "matmul/fragments", line);
    ck_assert_int_eq(result.verdict, VERDICT_CRASH);
    ASSERT_HAS(result.finding.note, "asking for 49920 bytes of shared memory");
}

static const char *const kept_kernels[] = {"variable_scope/device", "variable_scope/constant"};

/* Each launch with its scrub of shared memory; without a load the second case finds the module of
 * the first. */
START_TEST(a_case_is_launched_and_loaded_as_it_says, "memory.launches.sequence",
           "memory.launches.loaded", "memory.scrub.shared")
{
    static const struct {
        const char *line;
        int launches, loads;
    } rows[] = {
        {"variable_scope n=300 fill=random seed=1", 1, 0},
        {"variable_scope n=300 launches=7 fill=random seed=2", 7, 0},
        {"variable_scope n=300 launches=7 reload=3 fill=random seed=3", 7, 1},
        {"variable_scope n=300 launches=7 reload=6 fill=random seed=3", 7, 1},
        {"variable_scope n=300 launches=64 reload=64 fill=random seed=4", 64, 0},
        {"variable_scope n=0 launches=7 reload=3 fill=random seed=5", 0, 0},
        {"variable_scope n=300 launches=2 fill=random seed=6", 2, 0},
    };
    for (int kernel = 0; kernel < 2; kernel++) {
        struct checker *checker = open_checker();
        made_check(checker, "matmul/naive", "matmul m=1 n=1 k=1 fill=random seed=1");
        for (size_t row = 0; row < sizeof rows / sizeof rows[0]; row++) {
            wrapped.launches = wrapped.loads = 0;
            struct check_result result = made_check(checker, kept_kernels[kernel], rows[row].line);
            ck_assert_msg(result.verdict == (rows[row].launches ? VERDICT_PASS : VERDICT_EMPTY),
                          "%s: %s", rows[row].line, result.finding.note);
            const int looks = wrapped.launches - 2 * rows[row].launches;
            ck_assert_msg(looks >= 0 && looks <= 4, "%s: %d launches", rows[row].line,
                          wrapped.launches);
            const int opened = row == 0; /* the module, for all cases */
            ck_assert_int_eq(wrapped.loads, opened + (kernel == 0 ? rows[row].loads : 0));
        }
        testing_release();
    }
}

/* A driver that gives the old module in place of a fresh one: what it keeps is found by the kernel
 * that loads. */
START_TEST(a_load_that_keeps_variables_fails, "variable_scope.lifetime.load")
{
    for (int kernel = 0; kernel < 2; kernel++) {
        for (int reload = 1; reload <= 3; reload++) {
            char line[100];
            struct checker *checker = open_checker();
            wrapped.keeps_modules = true;
            snprintf(line, sizeof line,
                     "variable_scope n=300 launches=4 reload=%d fill=random seed=7", reload);
            struct check_result result = made_check(checker, kept_kernels[kernel], line);
            ck_assert_int_eq(result.verdict, kernel == 0 ? VERDICT_FAIL : VERDICT_PASS);
            if (kernel == 0)
                ck_assert_str_eq(result.finding.clause, "variable_scope.value.sequence");
            testing_release();
        }
    }
}

/* Upload after upload is lost, with all that follow. */
START_TEST(a_constant_that_is_not_the_latest_fails, "variable_scope.constant.latest")
{
    for (int lost = 1; lost <= 4; lost++) {
        struct checker *checker = open_checker();
        const char *line = "variable_scope n=300 launches=3 fill=random seed=8";
        wrapped.lost_from = lost;
        struct check_result result = made_check(checker, kept_kernels[1], line);
        ck_assert_int_eq(result.verdict, lost <= 3 ? VERDICT_FAIL : VERDICT_PASS);
        ck_assert_int_eq(wrapped.copies, 3);
        testing_release();
    }
}

/* Two checkers on one device, as a worker's threads are: neither sees the other's variables, though
 * their launches alternate. */
START_TEST(modules_of_one_image_have_variables_of_their_own, "variable_scope.lifetime.load")
{
    struct checker *checker = open_checker(), *other = made_checker(checker->device);
    for (int turn = 0; turn < 12; turn++) {
        char line[100];
        snprintf(line, sizeof line, "variable_scope n=%d launches=%d reload=%d fill=random seed=%d",
                 20 + turn, 1 + turn % 5, turn % 3, turn);
        struct check_result result =
            made_check(turn % 2 ? other : checker, kept_kernels[turn / 2 % 2], line);
        ck_assert_msg(result.verdict == VERDICT_PASS, "%s: %s", line, result.finding.note);
    }
}

START_TEST(shared_and_automatic_variables_are_apart, "variable_scope.shared.block",
           "variable_scope.shared.apart", "variable_scope.automatic.thread")
{
    static const struct {
        const char *kernel;
        bool is_right;
    } rows[] = {{"variable_scope/shared", true},
                {"variable_scope/automatic", true},
                {"mutant/scope_row_of_neighbour", false},
                {"mutant/scope_arrays_alias", false},
                {"mutant/scope_value_shared", false}};
    struct checker *checker = open_checker();
    for (size_t row = 0; row < sizeof rows / sizeof rows[0]; row++) {
        struct check_result result = made_check(
            checker, rows[row].kernel, "variable_scope n=900 launches=3 fill=random seed=9");
        ck_assert_msg(result.verdict == (rows[row].is_right ? VERDICT_PASS : VERDICT_FAIL), "%s",
                      rows[row].kernel);
    }
}
