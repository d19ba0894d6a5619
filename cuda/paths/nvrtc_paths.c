/* The kernels' texts, compiled by an NVRTC of the user's, which this program calls in a process of
 * its own (compiler.h, source.h; conformance/worker/nvrtc_tool.h). Clauses: driver.nvrtc.paths,
 * driver.candidate.refused. */
#include <stdio.h>
#include <string.h>

#include "cuda/kernel_text.h"
#include "cuda/paths/compiler.h"
#include "cuda/paths/source.h"

/* In a toolkit, in an unpacked wheel or the folder that it was unpacked to, and in a Python
 * environment; a static library and NVRTC's second form, libnvrtc.alt.so, have other names. */
static const char *const places[] = {"libnvrtc.so*",
                                     "lib64/libnvrtc.so*",
                                     "lib/libnvrtc.so*",
                                     "targets/*/lib/libnvrtc.so*",
                                     "*/lib/libnvrtc.so*",
                                     "nvidia/*/lib/libnvrtc.so*",
                                     "lib/python*/site-packages/nvidia/*/lib/libnvrtc.so*",
                                     NULL};

static const char beside[] = "libnvrtc-builtins*";

static void add(struct compiler_words *words, const char *word)
{
    snprintf(words->words[words->count++], COMPILER_WORD_BYTES, "%s", word);
}

static void words(int compute_capability, const char *options, const char *input,
                  const char *output, struct compiler_words *ret)
{
    ret->count = 0;
    snprintf(ret->words[ret->count++], COMPILER_WORD_BYTES, "-sm_%d", compute_capability);
    for (const char *const *it = kernel_text_options; *it; it++)
        add(ret, *it);
    if (options)
        add(ret, options);
    add(ret, "-o");
    add(ret, output);
    add(ret, input);
}

/* PTX is the same at every level, which the driver's compiler gets. */
static void words_ptx(int compute_capability, const char *options, const char *input,
                      const char *output, struct compiler_words *ret)
{
    (void)options;
    words(compute_capability, NULL, input, output, ret);
    add(ret, "-ptx");
}

/* It has none of the device's architectures, or one from before the unit's instructions: its one
 * line says so. */
static const char *refusal(const char *errors)
{
    return strstr(errors, "none of its architectures is for ") ||
                   strstr(errors, "#error directive: needs compute capability ")
               ? errors
               : NULL;
}

static const char *complaint(const char *errors)
{
    return errors;
}

static const void *find(const char *unit, const struct image *image, int compute_capability)
{
    const struct kernel_text *text = kernel_text_of(unit);
    (void)image, (void)compute_capability;
    return text ? text->text : NULL;
}

static cu_result load(const struct cuda_driver *driver, const void *code, const char *options,
                      cu_module *ret)
{
    return source_fatbin.load(driver, code, options, ret);
}

static cu_result load_ptx(const struct cuda_driver *driver, const void *code, const char *options,
                          cu_module *ret)
{
    return source_ptx_highest.load(driver, code, options, ret);
}

static bool takes(const char *options)
{
    return source_ptxas.takes(options);
}

static bool version(const char *answer, char ret_version[COMPILER_VERSION_BYTES])
{
    return compiler_ptxas.version(answer, ret_version); /* the tool answers in the same words */
}

const struct compiler compiler_nvrtc = {.name = "nvrtc",
                                        .form = "",
                                        .command = "nvrtc",
                                        .places = places,
                                        .beside = beside,
                                        .version = version,
                                        .words = words,
                                        .refusal = refusal,
                                        .complaint = complaint},
                      compiler_nvrtc_ptx = {.name = "nvrtc",
                                            .form = "-ptx",
                                            .command = "nvrtc",
                                            .places = places,
                                            .beside = beside,
                                            .version = version,
                                            .words = words_ptx,
                                            .refusal = refusal,
                                            .complaint = complaint};

const struct source source_nvrtc = {.find = find,
                                    .load = load,
                                    .takes = takes,
                                    .compiler = &compiler_nvrtc,
                                    .is_cubin = true,
                                    .takes_text = SOURCE_TEXT_C},
                    source_nvrtc_ptx = {.find = find,
                                        .load = load_ptx,
                                        .assembler = SOURCE_JIT,
                                        .takes = takes,
                                        .compiler = &compiler_nvrtc_ptx,
                                        .takes_text = SOURCE_TEXT_C};
