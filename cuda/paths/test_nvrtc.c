/* Opening NVRTC and compiling with it, against a library in its place (fake_libnvrtc.c), and
 * against the toolkit's own where there is one. */
#include "cuda/image.h"
#include "cuda/paths/nvrtc.h"
#include "spec/testing.h"

static struct nvrtc open_fake(const char *mode)
{
    struct nvrtc nvrtc;
    char why[NVRTC_TEXT_BYTES] = "";
    setenv("ASSAY_FAKE_NVRTC", mode, 1);
    ck_assert_msg(nvrtc_open(getenv("FAKE_NVRTC"), &nvrtc, why), "%s", why);
    return nvrtc;
}

START_TEST(what_cannot_be_used_is_refused_with_a_reason, "driver.nvrtc.refused")
{
    static const struct {
        const char *mode, *library, *why; /* of the environment; NULL: the fake */
    } rows[] = {
        {"", "libno_such_nvrtc.so", "No such file"},
        {"", "libc.so.6", "nvrtcVersion"},
        {"", "PARTIAL_NVRTC", "nvrtcDestroyProgram"},
        {"no-version", NULL, "version"},
        {"no-archs", NULL, "architectures"},
        {"no-builtins", NULL, "libnvrtc-builtins.so.12.9"},
        {"silent", NULL, "no reason"},
        {"empty", NULL, "no code"},
    };
    for (size_t index = 0; index < sizeof rows / sizeof rows[0]; index++) {
        const char *name = rows[index].library ? rows[index].library : "FAKE_NVRTC";
        struct nvrtc nvrtc;
        char why[NVRTC_TEXT_BYTES] = "", version[NVRTC_VERSION_BYTES] = "untouched";
        setenv("ASSAY_FAKE_NVRTC", rows[index].mode, 1);
        ck_assert(!nvrtc_open(getenv(name) ? getenv(name) : name, &nvrtc, why) ||
                  !nvrtc_version(&nvrtc, version, why));
        ck_assert_msg(strstr(why, rows[index].why) != NULL, "row %zu: %s", index, why);
        ck_assert_str_eq(version, "untouched");
    }
}

START_TEST(its_own_words_name_its_version, "driver.nvrtc.version")
{
    static const char *const rows[][2] = {
        {"", "12.9.86"},
        {"short-version", "12.9"},
        {"other-version", "12.9"}, /* the library's own word counts */
    };
    for (size_t index = 0; index < sizeof rows / sizeof rows[0]; index++) {
        const struct nvrtc nvrtc = open_fake(rows[index][0]);
        char why[NVRTC_TEXT_BYTES], version[NVRTC_VERSION_BYTES];
        ck_assert(nvrtc_version(&nvrtc, version, why));
        ck_assert_str_eq(version, rows[index][1]);
    }
}

START_TEST(a_device_gets_the_highest_architecture_that_it_runs, "driver.nvrtc.architecture")
{
    static const int table[][3] = {
        /* the device, its machine code's, its PTX's; the fake has 75, 86, 90, 120 */
        {70, 0, 0},   {75, 75, 75}, {80, 0, 75},  {86, 86, 86},    {89, 86, 86},
        {90, 90, 90}, {100, 0, 90}, {103, 0, 90}, {120, 120, 120}, {121, 120, 120}};
    const struct nvrtc nvrtc = open_fake("");
    for (size_t index = 0; index < sizeof table / sizeof table[0]; index++) {
        ck_assert_int_eq(nvrtc_arch(&nvrtc, NVRTC_CUBIN, table[index][0]), table[index][1]);
        ck_assert_int_eq(nvrtc_arch(&nvrtc, NVRTC_PTX, table[index][0]), table[index][2]);
    }
}

static struct nvrtc_code compile(const struct nvrtc *nvrtc, const char *unit, enum nvrtc_form form,
                                 int arch, const char *level)
{
    struct nvrtc_code code;
    char why[NVRTC_TEXT_BYTES] = "";
    const struct kernel_text *text = kernel_text_of(unit);
    ck_assert_msg(nvrtc_compile(nvrtc, text->text, text->name, form, arch, kernel_text_options,
                                level, &code, why),
                  "%s: %s", unit, why);
    return code;
}

START_TEST(it_is_given_texts_and_options, "driver.nvrtc.memory")
{
    const struct nvrtc nvrtc = open_fake("");
    const struct kernel_text *text = kernel_text_of("matmul_tiled");
    struct nvrtc_code ptx = compile(&nvrtc, "matmul_tiled", NVRTC_PTX, 90, NULL);
    struct nvrtc_code cubin = compile(&nvrtc, "matmul_tiled", NVRTC_CUBIN, 90, "-O1");
    char given[128];
    snprintf(given, sizeof given, "// matmul/tiled.cu of %zu bytes\n", text->bytes - 1);
    ASSERT_HAS(ptx.bytes, given);
    ck_assert_uint_eq(ptx.count, strlen(ptx.bytes) + 1);
    ASSERT_HAS(ptx.bytes, "// -arch=compute_90\n");
    ASSERT_LACKS(ptx.bytes, "ptxas");
    ASSERT_HAS(cubin.bytes, "// -arch=sm_90\n// --ptxas-options=-O1\n");
    for (const char *const *option = kernel_text_options; *option; option++) {
        ASSERT_HAS(ptx.bytes, *option);
        ASSERT_HAS(cubin.bytes, *option);
    }
    free(ptx.bytes);
    free(cubin.bytes);
}

START_TEST(a_unit_that_is_refused_has_the_first_error, "driver.nvrtc.refused")
{
    const struct nvrtc nvrtc = open_fake("no-copies");
    struct nvrtc_code code = {.bytes = NULL};
    char why[NVRTC_TEXT_BYTES] = "";
    const struct kernel_text *text = kernel_text_of("shared_copy_async");
    ck_assert(!nvrtc_compile(&nvrtc, text->text, text->name, NVRTC_PTX, 90, kernel_text_options,
                             NULL, &code, why));
    ck_assert_str_eq(why, "async_copy.h(7): error: no such instruction");
    ck_assert_ptr_null(code.bytes);
    free(compile(&nvrtc, "matmul_tiled", NVRTC_CUBIN, 90, NULL)
             .bytes); /* others are not its matter */
}
