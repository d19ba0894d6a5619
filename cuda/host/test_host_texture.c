/* The host driver's arrays and textures: made, filled, fetched from, and refused. */
#include "cuda/host/emulation_interface.h"
#include "cuda/host/test_device.h"
#include "spec/testing.h"

enum { INVALID_HANDLE = 400 };

static const struct cu_sampler nearest = {.address = {1, 1, 1}};

static cu_array make_array(const struct cuda_driver *driver, size_t width, size_t height,
                           unsigned channels)
{
    const struct cu_array_shape shape = {width, height, CU_FORMAT_U8, channels};
    cu_array array = NULL;
    ck_assert_int_eq(driver->array_create(&array, &shape), 0);
    return array;
}

/* Three rows of five bytes, seven apart, into an array. */
static struct cu_copy copy_to(cu_array array, cu_address from)
{
    return (struct cu_copy){
        .source = {.memory = CU_MEMORY_DEVICE, .device = from, .pitch = 7},
        .target = {.memory = CU_MEMORY_ARRAY, .array = array},
        .width_bytes = 5,
        .height = 3,
    };
}

START_TEST(what_is_copied_is_fetched, "driver.host.textures")
{
    struct test_device *device = test_device_open();
    const struct cuda_driver *driver = &device->driver;
    unsigned char texels[21];
    float fetched[4];
    cu_address memory;
    cu_texture texture;
    cu_array array = make_array(driver, 5, 3, 1);
    for (size_t at = 0; at < sizeof texels; at++)
        texels[at] = (unsigned char)(11 * at);
    ck_assert_int_eq(driver->mem_alloc(&memory, sizeof texels), 0);
    ck_assert_int_eq(driver->memcpy_htod_async(memory, texels, sizeof texels, NULL), 0);
    const struct cu_copy copy = copy_to(array, memory);
    ck_assert_int_eq(driver->memcpy_2d_async(&copy, NULL), 0);
    const struct cu_resource resource = {.kind = CU_RESOURCE_ARRAY, .memory.array = array};
    ck_assert_int_eq(driver->texture_create(&texture, &resource, &nearest, NULL), 0);
    for (int row = 0; row < 3; row++)
        for (int column = 0; column < 5; column++) {
            emulation_texture_fetch(texture, 2, (float)column, (float)row, fetched);
            ck_assert(fetched[0] == (float)texels[row * 7 + column] / 255.0f);
            ck_assert(fetched[1] == 0 && fetched[2] == 0 && fetched[3] == 1);
        }
    ck_assert_int_eq(driver->texture_destroy(texture), 0);
    ck_assert_int_eq(driver->texture_destroy(texture), INVALID_HANDLE);
    ck_assert_int_eq(driver->array_destroy(array), 0);
    ck_assert_int_eq(driver->array_destroy(array), INVALID_HANDLE);
}

/* A line of memory: 0 outside, in all numbers. */
START_TEST(lines_are_read_by_index, "driver.host.textures")
{
    struct test_device *device = test_device_open();
    const struct cuda_driver *driver = &device->driver;
    const float values[] = {1, 2, 3, 4};
    float fetched[4];
    cu_address memory;
    cu_texture texture;
    ck_assert_int_eq(driver->mem_alloc(&memory, sizeof values), 0);
    ck_assert_int_eq(driver->memcpy_htod_async(memory, values, sizeof values, NULL), 0);
    const struct cu_resource resource = {
        .kind = CU_RESOURCE_LINEAR,
        .memory.linear = {
            .address = memory, .format = CU_FORMAT_F32, .channels = 2, .bytes = sizeof values}};
    ck_assert_int_eq(driver->texture_create(&texture, &resource, &nearest, NULL), 0);
    emulation_texture_load(texture, 1, fetched);
    ck_assert(fetched[0] == 3 && fetched[1] == 4 && fetched[2] == 0 && fetched[3] == 1);
    for (int index = -1; index <= 2; index += 3) {
        emulation_texture_load(texture, index, fetched);
        ck_assert(fetched[0] == 0 && fetched[1] == 0 && fetched[2] == 0 && fetched[3] == 0);
    }
}

START_TEST(what_is_wrong_is_refused, "driver.host.textures")
{
    struct test_device *device = test_device_open();
    const struct cuda_driver *driver = &device->driver;
    const struct cu_array_shape shapes[] = {
        {0, 3, CU_FORMAT_U8, 1}, {5, 3, 7, 1}, {5, 3, CU_FORMAT_U8, 3}};
    cu_array array = make_array(driver, 5, 3, 1), other;
    cu_address memory;
    cu_texture texture;
    ck_assert_int_eq(driver->mem_alloc(&memory, 256), 0);
    for (size_t index = 0; index < sizeof shapes / sizeof shapes[0]; index++)
        ck_assert_int_eq(driver->array_create(&other, &shapes[index]), CU_ERROR_INVALID_VALUE);
    for (int wrong = 0; wrong < 5; wrong++) {
        struct cu_copy copy = copy_to(array, memory);
        copy.width_bytes += wrong == 0;
        copy.target.x_bytes += wrong == 1;
        copy.target.y += wrong == 2;
        copy.source.device += wrong == 3 ? 250 : 0;
        copy.source.pitch -= wrong == 4 ? 3 : 0;
        ck_assert_int_eq(driver->memcpy_2d_async(&copy, NULL), CU_ERROR_INVALID_VALUE);
    }
    for (int wrong = 0; wrong < 6; wrong++) {
        struct cu_resource resource = {.kind = wrong == 5 ? 1 : CU_RESOURCE_PITCH,
                                       .memory.pitch = {.address = memory,
                                                        .format = wrong == 0 ? 7 : CU_FORMAT_U8,
                                                        .channels = 1,
                                                        .width = 32,
                                                        .height = wrong == 1 ? 9 : 8,
                                                        .pitch_bytes = wrong == 2 ? 33 : 32}};
        resource.memory.pitch.address += wrong == 3 ? 16 : 0;
        resource.memory.pitch.width += wrong == 4;
        ck_assert_int_eq(driver->texture_create(&texture, &resource, &nearest, NULL),
                         CU_ERROR_INVALID_VALUE);
    }
    const struct cu_resource none = {.kind = CU_RESOURCE_ARRAY, .memory.array = &memory};
    ck_assert_int_eq(driver->texture_create(&texture, &none, &nearest, NULL),
                     CU_ERROR_INVALID_VALUE);
}
