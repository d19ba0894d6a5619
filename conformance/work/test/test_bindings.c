/* Operands in arrays of a kernel's module: what the rows name is there, and what a launch finds. */
#include <string.h>

#include "conformance/work/bindings.h"
#include "spec/testing.h"

/* The first kernel with bindings. */
static struct subject bound_subject(void)
{
    uint16_t id = 0;
    while (catalog_kernel(id)->bindings[0].symbol == NULL)
        id++;
    return (struct subject){.kernel = id, .path = (uint16_t)path_find("host")};
}

static struct arena make_arena(struct fuzz_case *test_case, const char *line)
{
    struct case_error wrong;
    ck_assert_msg(case_parse(line, test_case, &wrong), "%s", wrong.message);
    return arena_layout(test_case);
}

static void open_host(struct device *ret)
{
    struct reason reason;
    const struct device_id id = {.kind = DEVICE_HOST};
    ck_assert_msg(device_open(ret, id, &reason), "%s", reason.text);
}

START_TEST(rows_name_operands_that_lie_in_a_line)
{
    CLAUSE("memory.bindings.fresh");
    int bound = 0;
    for (int id = 0; id < catalog_count(); id++) {
        const struct kernel *kernel = catalog_kernel(id);
        const struct algorithm *algorithm = algorithm_find(kernel->algorithm);
        for (int index = 0; index < KERNEL_BINDINGS_MAX && kernel->bindings[index].symbol;
             index++, bound++) {
            int operand = 0;
            int64_t axis[ALGORITHM_AXES_MAX];
            for (int at = 0; at < algorithm->axis_count; at++)
                axis[at] = 8;
            if (kernel->bindings[index].operand == NULL)
                continue;
            while (operand < algorithm->operand_count &&
                   strcmp(algorithm->operands[operand].name, kernel->bindings[index].operand) != 0)
                operand++;
            ck_assert_int_lt(operand, algorithm->operand_count - 1);
            ck_assert_int_eq(algorithm_view(algorithm, axis, operand).column_stride, 1);
        }
    }
    ck_assert_int_ge(bound, 1);
}
END_TEST

/* The table, then what no kernel expects; nothing of the table before. */
START_TEST(an_array_holds_the_operand_and_nothing_else)
{
    CLAUSE("memory.bindings.fresh");
    CLAUSE("memory.bindings.rest");
    static const char *const lines[] = {
        "table_lookup n=3 entries=16384 table_offset=3 fill=position seed=1",
        "table_lookup n=3 entries=5 element=2 table_offset=1 fill=position seed=2",
        "table_lookup n=3 entries=0 fill=position seed=3"};
    static unsigned char expected[1 << 17];
    struct device device;
    struct reason reason;
    cu_address memory;
    open_host(&device);
    ck_assert_int_eq(device.driver.mem_alloc(&memory, sizeof expected), 0);
    for (int index = 0; index < 3; index++) {
        struct fuzz_case test_case;
        struct bindings bindings;
        struct arena arena = make_arena(&test_case, lines[index]);
        ck_assert_uint_le(arena.bytes, sizeof expected);
        arena_expect(&arena, 0, expected);
        ck_assert_int_eq(
            device.driver.memcpy_htod_async(memory, expected, arena.bytes, device.stream), 0);
        ck_assert_int_eq(
            bindings_open(&device, bound_subject(), &device, &arena, &bindings, &reason), 0);
        ck_assert_int_eq(bindings_put(&bindings, &device.driver, memory,
                                      (struct bindings_launch){.number = 0}, device.stream),
                         0);
        const unsigned char *array =
            (const unsigned char *)(uintptr_t)bindings.items[0].symbol.address;
        const size_t bytes =
            case_operand_bytes(&test_case, 0) -
            (size_t)(case_view(&test_case, 0).origin * case_view(&test_case, 0).element_bytes);
        ASSERT_BYTES_EQUAL(array, expected + arena.operands[0].begin, bytes);
        for (size_t at = bytes; at < bindings.items[0].symbol.bytes; at++)
            ck_assert_uint_eq(array[at], 0xa5);
    }
    device_close(&device);
}
END_TEST

START_TEST(streams_do_not_share_an_array)
{
    CLAUSE("memory.bindings.fresh");
    struct device device;
    struct fuzz_case test_case;
    struct bindings left, right, again;
    struct reason reason;
    struct arena arena = make_arena(&test_case, "table_lookup n=1 entries=1 fill=uniform seed=1");
    open_host(&device);
    ck_assert_int_eq(bindings_open(&device, bound_subject(), &left, &arena, &left, &reason), 0);
    ck_assert_int_eq(bindings_open(&device, bound_subject(), &right, &arena, &right, &reason), 0);
    ck_assert_int_eq(bindings_open(&device, bound_subject(), &left, &arena, &again, &reason), 0);
    ck_assert(left.items[0].symbol.address != right.items[0].symbol.address);
    ck_assert(left.items[0].symbol.address == again.items[0].symbol.address);
    device_close(&device);
}
END_TEST

START_TEST(an_operand_that_does_not_fit_is_refused)
{
    CLAUSE("memory.bindings.rest");
    struct device device;
    struct fuzz_case test_case;
    struct bindings bindings;
    struct reason reason;
    struct arena arena =
        make_arena(&test_case, "table_lookup n=1 entries=16385 fill=uniform seed=1");
    open_host(&device);
    ck_assert_int_eq(bindings_open(&device, bound_subject(), NULL, &arena, &bindings, &reason),
                     CU_ERROR_INVALID_VALUE);
    ck_assert_str_eq(reason.text, "lookup_table has 65536 bytes, and table has 65540");
    device_close(&device);
}
END_TEST
