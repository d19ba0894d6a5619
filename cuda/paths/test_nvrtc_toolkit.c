/* The toolkit's own NVRTC compiles what is in the program: some units that between them have every
 * sort of instruction; where the build found it. */
#include "cuda/image.h"
#include "cuda/paths/nvrtc.h"
#include "spec/testing.h"

START_TEST(texts_compile, "driver.nvrtc.memory")
{
    static const char *const units[] = {"matmul_tiled", "shared_copy_bulk", "texture_fetch_array"};
    char why[NVRTC_TEXT_BYTES] = "", version[NVRTC_VERSION_BYTES];
    struct nvrtc nvrtc;
    ck_assert_msg(nvrtc_open(getenv("TOOLKIT_NVRTC"), &nvrtc, why), "%s", why);
    ck_assert_msg(nvrtc_version(&nvrtc, version, why), "%s", why);
    ck_assert_int_eq(strncmp(version, getenv("TOOLKIT_VERSION"), 4), 0);
    const int arch = nvrtc_arch(&nvrtc, NVRTC_CUBIN, 90);
    ck_assert_int_eq(arch, 90);
    for (size_t index = 0; index < sizeof units / sizeof units[0]; index++) {
        const struct kernel_text *text = kernel_text_of(units[index]);
        struct nvrtc_code code;
        ck_assert_ptr_nonnull(text);
        ck_assert_msg(nvrtc_compile(&nvrtc, text->text, text->name, NVRTC_CUBIN, arch,
                                    kernel_text_options, "-O1", &code, why),
                      "%s: %s", units[index], why);
        ck_assert_int_eq(memcmp(code.bytes, "\177ELF", 4), 0);
        free(code.bytes);
    }
    /* Without the instructions that it needs a unit is refused, not compiled to a trap. */
    const struct kernel_text *text = kernel_text_of("shared_copy_bulk");
    struct nvrtc_code code;
    ck_assert(!nvrtc_compile(&nvrtc, text->text, text->name, NVRTC_PTX, 80, kernel_text_options,
                             NULL, &code, why));
    ASSERT_HAS(why, "needs compute capability 9.0");
}
