/* The mutants of tier huge, on the host device: that each is right while its products of indices
 * are small and wrong when they pass 2^32, where the kernel that it mocks is right both times.
 * Memory is a range of addresses that is touched at its elements alone, so this takes next to none
 * of it; a mutant that goes wrong by the number of its elements is for a GPU. */
#include <sys/mman.h>

#include "conformance/work/arena.h"
#include "conformance/work/callable.h"
#include "cuda/launch.h"
#include "cuda/test/large_gpu.h"
#include "fuzz/fill.h"
#include "conformance/test/made_subject.h"

static const struct device_limits limits = {LARGE_GPU, .multiprocessor_count = 1};

static const struct row {
    const char *kernel, *mutant; /* NULL: only the kernel and the golden are held together */
    const char *near, *far;      /* index products below 2^32, and past it */
} rows[] = {
    {"matmul/naive", "mutant/a_row_32_bits", "matmul m=3 n=5 k=7 lda=9 fill=uniform seed=1",
     "matmul m=3 n=5 k=7 lda=2147483649 fill=uniform seed=1"},
    {"matmul/naive", "mutant/b_row_32_bits",
     "matmul m=3 n=5 k=3 ldb=1073741825 fill=uniform seed=2",
     "matmul m=3 n=5 k=3 ldb=2147483649 fill=uniform seed=2"},
    {"aat/naive", "mutant/c_row_32_bits", "aat m=3 k=5 ldc=1073741825 fill=uniform seed=3",
     "aat m=3 k=5 ldc=2147483649 fill=uniform seed=3"},
    {"offset_copy/scalar", NULL, "offset_copy n=33 offset=3 element=1 fill=random seed=6",
     "offset_copy n=33 offset=4294967299 element=1 fill=random seed=6"},
    {"strided_copy/scalar", "mutant/stride_32_bits",
     "strided_copy n=3 stride=2147483647 element=1 fill=random seed=4",
     "strided_copy n=3 stride=2147483649 element=1 fill=random seed=4"},
    {"shared_stride/shared", NULL, "shared_stride n=7 stride=65537 fill=random seed=5",
     "shared_stride n=7 stride=4294967299 fill=random seed=5"},
};
enum { ROWS = sizeof rows / sizeof rows[0], OUTPUT_BYTES_MAX = 256 };

/* An arena that is all addresses and hardly any memory. */
static unsigned char *map_arena(const struct arena *arena)
{
    void *memory = mmap(NULL, arena->bytes, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    ck_assert_msg(memory != MAP_FAILED, "no room for %zu bytes of addresses", arena->bytes);
    return memory;
}

/* The output's elements, packed. */
static void gather(const struct arena *arena, const unsigned char *memory,
                   unsigned char ret[OUTPUT_BYTES_MAX])
{
    int output = arena->operand_count - 1;
    const struct view *view = &arena->operands[output].view;
    size_t bytes = (size_t)view->element_bytes, at = 0;
    memset(ret, 0, OUTPUT_BYTES_MAX);
    for (int64_t row = 0; row < view->rows; row++)
        for (int64_t column = 0; column < view->columns; column++, at += bytes) {
            ck_assert_uint_le(at + bytes, OUTPUT_BYTES_MAX);
            memcpy(ret + at, memory + arena_element(arena, output, row, column), bytes);
        }
}

static void launch(const struct cuda_driver *driver, int id, const struct fuzz_case *test_case,
                   const uint64_t *addresses)
{
    uint64_t words[CATALOG_CALL_WORDS_MAX];
    const struct kernel *kernel = catalog_kernel(id);
    struct launch plan;
    char why[FINDING_NOTE_BYTES];
    cu_module module;
    cu_function function;
    catalog_call(test_case->algorithm, test_case->axis, addresses, words);
    ck_assert_int_eq(launch_plan(kernel, test_case, &limits, &plan, why), VERDICT_PASS);
    ck_assert_int_eq(driver->module_load_data(&module, kernel->unit, 0, NULL, NULL), CU_SUCCESS);
    ck_assert_int_eq(driver->module_get_function(&function, module, plan.entry), CU_SUCCESS);
    ck_assert_int_eq(launch_function(driver, function, &plan, words, NULL, NULL), CU_SUCCESS);
    ck_assert_int_eq(driver->ctx_synchronize(), CU_SUCCESS);
}

/* True when the kernel's output is the golden's. */
static bool is_right(const struct cuda_driver *driver, const char *kernel, const char *line)
{
    struct fuzz_case test_case = made_case(line);
    struct arena arena = arena_layout(&test_case);
    unsigned char *golden = map_arena(&arena), *got = map_arena(&arena);
    unsigned char wanted[OUTPUT_BYTES_MAX], found[OUTPUT_BYTES_MAX];
    void *operands[ALGORITHM_OPERANDS_MAX];
    uint64_t addresses[ALGORITHM_OPERANDS_MAX];
    for (int index = 0; index < arena.operand_count; index++) {
        operands[index] = golden + arena.operands[index].begin;
        addresses[index] = (uint64_t)(uintptr_t)(got + arena.operands[index].begin);
        if (test_case.algorithm->operands[index].role == OPERAND_OUTPUT)
            continue;
        fill_operand(&test_case, index, operands[index]);
        fill_operand(&test_case, index, got + arena.operands[index].begin);
    }
    test_case.algorithm->golden(test_case.axis, operands);
    launch(driver, made_kernel(kernel), &test_case, addresses);
    gather(&arena, golden, wanted);
    gather(&arena, got, found);
    munmap(golden, arena.bytes);
    munmap(got, arena.bytes);
    return memcmp(wanted, found, sizeof wanted) == 0;
}

START_TEST(they_are_wrong_past_4_gi_alone, "verdicts.mutants.huge")
{
    struct cuda_driver driver;
    cu_context context;
    driver_open_host(&driver);
    ck_assert_int_eq(driver.init(0), CU_SUCCESS);
    ck_assert_int_eq(driver.primary_ctx_retain(&context, 0), CU_SUCCESS);
    ck_assert_int_eq(driver.ctx_set_current(context), CU_SUCCESS);
    for (int index = 0; index < ROWS; index++) {
        const struct row *row = &rows[index];
        ck_assert_msg(is_right(&driver, row->kernel, row->near), "%s, near", row->kernel);
        ck_assert_msg(is_right(&driver, row->kernel, row->far), "%s, far", row->kernel);
        if (row->mutant == NULL)
            continue;
        ck_assert_msg(catalog_mutant(made_kernel(row->mutant))->needs_huge, "%s", row->mutant);
        ck_assert_msg(is_right(&driver, row->mutant, row->near), "%s, near", row->mutant);
        ck_assert_msg(!is_right(&driver, row->mutant, row->far), "%s, far", row->mutant);
    }
}
