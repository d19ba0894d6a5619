/* Operands in arrays of a kernel's module: what the rows name is there, and what a launch finds. */
#include "conformance/work/bindings.h"
#include "conformance/test/made_device.h"
#include "conformance/test/made_subject.h"

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
    *test_case = made_case(line);
    return arena_layout(test_case);
}

START_TEST(rows_name_operands_that_lie_in_a_line, "memory.bindings.fresh")
{
    int bound = 0;
    for (int id = 0; id < catalog_count(); id++) {
        const struct kernel *kernel = catalog_kernel(id);
        const struct algorithm *algorithm = algorithm_find(kernel->algorithm);
        for (int index = 0;
             index < KERNEL_BINDINGS_MAX && kernel_binding_is(&kernel->bindings[index]);
             index++, bound++) {
            int operand = 0;
            int64_t axis[ALGORITHM_AXES_MAX];
            for (int at = 0; at < algorithm->axis_count; at++)
                axis[at] = algorithm->axes[at].kind == AXIS_SIZE
                               ? 8
                               : algorithm_axis_default(algorithm, axis, at);
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

/* The table, then what no kernel expects; nothing of the table before. */
START_TEST(an_array_holds_the_operand_and_nothing_else, "memory.bindings.fresh",
           "memory.bindings.rest")
{
    static const char *const lines[] = {
        "table_lookup n=3 entries=16384 table_offset=3 fill=position seed=1",
        "table_lookup n=3 entries=5 element=2 table_offset=1 fill=position seed=2",
        "table_lookup n=3 entries=0 fill=position seed=3"};
    static unsigned char expected[1 << 17];
    struct reason reason;
    cu_address memory;
    struct device *device = made_device();
    ck_assert_int_eq(device->driver.mem_alloc(&memory, sizeof expected), 0);
    for (int index = 0; index < 3; index++) {
        struct fuzz_case test_case;
        struct bindings bindings;
        struct textures textures = {0};
        struct arena arena = make_arena(&test_case, lines[index]);
        ck_assert_uint_le(arena.bytes, sizeof expected);
        arena_expect(&arena, 0, expected);
        ck_assert_int_eq(
            device->driver.memcpy_htod_async(memory, expected, arena.bytes, device->stream), 0);
        ck_assert_int_eq(
            bindings_open(device, bound_subject(), device, &textures, &arena, &bindings, &reason),
            0);
        ck_assert_int_eq(bindings_put(&bindings, &device->driver, memory,
                                      (struct bindings_launch){.number = 0}, device->stream),
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
}

START_TEST(streams_do_not_share_an_array, "memory.bindings.fresh")
{
    struct fuzz_case test_case;
    struct bindings left, right, again;
    struct textures textures = {0};
    struct reason reason;
    struct arena arena = make_arena(&test_case, "table_lookup n=1 entries=1 fill=uniform seed=1");
    struct device *device = made_device();
    ck_assert_int_eq(
        bindings_open(device, bound_subject(), &left, &textures, &arena, &left, &reason), 0);
    ck_assert_int_eq(
        bindings_open(device, bound_subject(), &right, &textures, &arena, &right, &reason), 0);
    ck_assert_int_eq(
        bindings_open(device, bound_subject(), &left, &textures, &arena, &again, &reason), 0);
    ck_assert(left.items[0].symbol.address != right.items[0].symbol.address);
    ck_assert(left.items[0].symbol.address == again.items[0].symbol.address);
}

START_TEST(an_operand_that_does_not_fit_is_refused, "memory.bindings.rest")
{
    struct fuzz_case test_case;
    struct bindings bindings;
    struct textures textures = {0};
    struct reason reason;
    struct arena arena =
        make_arena(&test_case, "table_lookup n=1 entries=16385 fill=uniform seed=1");
    struct device *device = made_device();
    ck_assert_int_eq(
        bindings_open(device, bound_subject(), NULL, &textures, &arena, &bindings, &reason),
        CU_ERROR_INVALID_VALUE);
    ck_assert_str_eq(reason.text, "lookup_table has 65536 bytes, and table has 65540");
}

static struct subject subject_of(const char *unit)
{
    uint16_t id = 0;
    while (strcmp(catalog_kernel(id)->unit, unit) != 0)
        id++;
    return (struct subject){.kernel = id, .path = (uint16_t)path_find("host")};
}

/* Rows at their pitch, and a line with what lies between rows; the call has the texture. */
START_TEST(a_texture_holds_the_operand, "memory.bindings.texture")
{
    static const char *const units[] = {"texture_fetch_pitch", "texture_fetch_linear"};
    static unsigned char expected[1 << 16];
    struct reason reason;
    cu_address memory;
    struct device *device = made_device();
    ck_assert_int_eq(device->driver.mem_alloc(&memory, sizeof expected), 0);
    for (int index = 0; index < 2; index++) {
        struct fuzz_case test_case;
        struct bindings bindings;
        struct textures textures = {0};
        uint64_t words[] = {1, 2, 3};
        struct arena arena =
            make_arena(&test_case, "texture_fetch n=3 width=9 height=4 ld=11 texel=2 channels=2 "
                                   "texels_offset=3 fill=position seed=1");
        arena_expect(&arena, 0, expected);
        ck_assert_int_eq(
            device->driver.memcpy_htod_async(memory, expected, arena.bytes, device->stream), 0);
        ck_assert_int_eq(bindings_open(device, subject_of(units[index]), device, &textures, &arena,
                                       &bindings, &reason),
                         0);
        ck_assert_int_eq(bindings_put(&bindings, &device->driver, memory,
                                      (struct bindings_launch){.number = 0}, device->stream),
                         0);
        const struct texture_held *held = bindings.items[0].texture;
        const size_t pitch = index == 0 ? 64 : 44; /* 36 bytes a row */
        for (size_t row = 0; row < 4; row++)
            ASSERT_BYTES_EQUAL((const unsigned char *)(uintptr_t)held->memory + row * pitch,
                               expected + arena.operands[0].begin + row * 44, 36);
        bindings_call(&bindings, words);
        ck_assert(words[0] == held->object && words[1] == 2 && words[2] == 3);
        textures_release(&textures, &device->driver);
    }
}

/* Kept for a case that needs the same, made again for another, and none for an empty one. */
START_TEST(a_texture_is_as_the_case_says, "memory.bindings.texture")
{
    static const struct {
        const char *line;
        bool is_kept;
    } rows[] = {
        {"texture_fetch n=3 width=9 height=4 fill=uniform seed=1", false},
        {"texture_fetch n=5 width=9 height=4 fill=uniform seed=2", true},
        {"texture_fetch n=3 width=9 height=4 filter=1 fill=uniform seed=1", false},
        {"texture_fetch n=3 width=9 height=4 address_y=3 filter=1 fill=uniform seed=1", false},
        {"texture_fetch n=3 width=9 height=0 fill=uniform seed=1", false}};
    struct reason reason;
    struct bindings bindings;
    struct textures textures = {0}, others = {0};
    struct fuzz_case test_case;
    cu_array before = NULL;
    struct device *device = made_device();
    for (size_t index = 0; index < sizeof rows / sizeof rows[0]; index++) {
        struct arena arena = make_arena(&test_case, rows[index].line);
        const struct subject subject = subject_of("texture_fetch_array");
        ck_assert_int_eq(
            bindings_open(device, subject, &others, &others, &arena, &bindings, &reason), 0);
        ck_assert_int_eq(
            bindings_open(device, subject, &textures, &textures, &arena, &bindings, &reason), 0);
        const struct texture_held *held = bindings.items[0].texture;
        ck_assert(held->object != others.held[KERNEL_TEXTURE_ARRAY].object);
        ck_assert_int_eq(held->shape.is_linear, test_case.axis[6]);
        ck_assert_int_eq(held->shape.address[1], (int)test_case.axis[9]);
        if (rows[index].is_kept)
            ck_assert(held->array == before);
        before = held->array;
    }
    struct arena empty =
        make_arena(&test_case, "texture_fetch n=3 width=0 height=4 fill=uniform seed=1");
    ck_assert_int_eq(bindings_open(device, subject_of("texture_fetch_array"), &others, &others,
                                   &empty, &bindings, &reason),
                     0);
    ck_assert_ptr_null(bindings.items[0].texture);
    textures_release(&textures, &device->driver);
    textures_release(&others, &device->driver);
}
