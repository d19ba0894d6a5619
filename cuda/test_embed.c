/* The round trip of tools/images.py: the table that it wrote for two files, compiled into this
 * program, against the files themselves. */
#include "cuda/image.h"
#include "spec/testing.h"

#include <stdint.h>

static size_t read_file(const char *path, unsigned char *ret, size_t bytes_max)
{
    FILE *input = fopen(path, "rb");
    ck_assert_msg(input != NULL, "cannot open %s", path);
    const size_t bytes = fread(ret, 1, bytes_max, input);
    ck_assert_uint_lt(bytes, bytes_max);
    fclose(input);
    return bytes;
}

START_TEST(bytes_come_back, "driver.images.whole")
{
    static unsigned char file[65536];
    size_t bytes = read_file(getenv("EMBED_SAMPLE"), file, sizeof(file));
    ck_assert_uint_gt(bytes, 512);
    ck_assert_int_eq(image_count, 3);
    ck_assert_str_eq(images[0].unit, "whole");
    ck_assert_uint_eq(images[0].fatbin_bytes, bytes);
    ASSERT_BYTES_EQUAL(images[0].fatbin, file, bytes);
    ck_assert_uint_eq((uintptr_t)images[0].fatbin % 16, 0);

    ck_assert_int_eq(images[0].ptx_count, 2);
    ck_assert_int_eq(images[0].ptx[1].compute_capability, 90);
    file[bytes] = 0;
    ck_assert_uint_eq(images[0].ptx[1].bytes, bytes + 1);
    ASSERT_BYTES_EQUAL(images[0].ptx[1].text, file, bytes + 1);

    bytes = read_file(getenv("EMBED_TEXT"), file, sizeof(file) - 1);
    file[bytes] = 0;
    ck_assert_int_eq(images[0].ptx[0].compute_capability, 75);
    ck_assert_uint_eq(images[0].ptx[0].bytes, bytes + 1);
    ASSERT_BYTES_EQUAL(images[0].ptx[0].text, file, bytes + 1);
}

START_TEST(no_file_no_image, "driver.images.none")
{
    ck_assert_str_eq(images[1].unit, "none");
    ck_assert_ptr_null(images[1].fatbin);
    ck_assert_ptr_null(images[1].ptx);
    ck_assert_uint_eq(images[1].fatbin_bytes, 0);
    ck_assert_int_eq(images[1].ptx_count, 0);
    ck_assert_str_eq(images[2].unit, "text");
    ck_assert_ptr_null(images[2].fatbin);
    ck_assert_int_eq(images[2].ptx_count, 1);
    ck_assert_int_eq(images[2].ptx[0].compute_capability, 80);
    ck_assert_str_eq(image_toolkit, "13.0.88");
    ck_assert_str_eq(image_architectures, "75 90");
}
