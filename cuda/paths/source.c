/* The sources of machine code (source.h), and the compilers that users name (compiler.h): machine
 * code that travels in this program, PTX that the driver compiles, PTX for a ptxas of the user's,
 * and the kernels' texts for an NVRTC of the user's, which this program calls in a process of its
 * own (conformance/worker/nvrtc_tool.h). Clauses: driver.path.ptx, driver.candidate.named,
 * driver.candidate.refused, driver.candidate.alone, driver.nvrtc.paths. */
#include "cuda/paths/source.h"

#include <stdio.h>
#include <string.h>

static const void *find_fatbin(const char *unit, const struct image *image, int compute_capability)
{
    (void)unit, (void)compute_capability;
    return image ? image->fatbin : NULL;
}

static const void *find_name(const char *unit, const struct image *image, int compute_capability)
{
    (void)image, (void)compute_capability;
    return unit;
}

static cu_result load_code(const struct cuda_driver *driver, const void *code, const char *options,
                           cu_module *ret)
{
    (void)options; /* it was compiled before */
    return driver->module_load_data(ret, code, 0, NULL, NULL);
}

const struct source source_fatbin = {.find = find_fatbin,
                                     .load = load_code,
                                     .assembler = "ptxas of this program's toolkit",
                                     .front_end = SOURCE_NVCC,
                                     .is_fatbin = true},
                    source_unit_name = {.find = find_name,
                                        .load = load_code,
                                        .assembler = "the host's compiler",
                                        .front_end = "the host's compiler",
                                        .takes_text = SOURCE_TEXT_C};

/* PTX that travels in this program, compiled by the driver. */

static const struct image_ptx *lowest(const struct image *image)
{
    return image && image->ptx_count > 0 ? image->ptx : NULL;
}

static const struct image_ptx *highest(const struct image *image, int compute_capability)
{
    return image ? image_highest_ptx(image, compute_capability) : NULL;
}

static const void *find_lowest(const char *unit, const struct image *image, int compute_capability)
{
    (void)unit, (void)compute_capability;
    return lowest(image) ? lowest(image)->text : NULL;
}

static const void *find_highest(const char *unit, const struct image *image, int compute_capability)
{
    const struct image_ptx *ptx = highest(image, compute_capability);
    (void)unit;
    return ptx ? ptx->text : NULL;
}

static int lowest_target(const struct image *image, int compute_capability)
{
    (void)compute_capability;
    return lowest(image) ? lowest(image)->compute_capability : 0;
}

static int highest_target(const struct image *image, int compute_capability)
{
    const struct image_ptx *ptx = highest(image, compute_capability);
    return ptx ? ptx->compute_capability : 0;
}

/* "-O0" to "-O4" */
static bool takes_jit(const char *options)
{
    return strlen(options) == 3 && strncmp(options, "-O", 2) == 0 && options[2] >= '0' &&
           options[2] <= '4';
}

static cu_result load_ptx(const struct cuda_driver *driver, const void *code, const char *options,
                          cu_module *ret)
{
    int name = CU_JIT_OPTIMIZATION_LEVEL;
    const bool has_level = options && takes_jit(options);
    void *value = (void *)(uintptr_t)(has_level ? options[2] - '0' : 0); /* in a pointer's place */
    return driver->module_load_data(ret, code, has_level, &name, &value);
}

const struct source source_ptx_highest = {.find = find_highest,
                                          .load = load_ptx,
                                          .assembler = SOURCE_JIT,
                                          .front_end = SOURCE_NVCC,
                                          .target = highest_target,
                                          .takes = takes_jit,
                                          .takes_text = SOURCE_TEXT_PTX},
                    source_ptx_lowest = {.find = find_lowest,
                                         .load = load_ptx,
                                         .assembler = SOURCE_JIT,
                                         .front_end = SOURCE_NVCC,
                                         .target = lowest_target,
                                         .takes = takes_jit};

/* The same, assembled by a ptxas of the user's. */

int compiler_program(const struct compiler *compiler, const char *file, const char **ret_words)
{
    int count = 0;
    if (compiler->command) {
        ret_words[count++] = "/proc/self/exe";
        ret_words[count++] = compiler->command;
    }
    ret_words[count++] = file;
    return count;
}

/* In a toolkit, in an unpacked wheel or the folder that it was unpacked to, and in a Python
 * environment. */
static const char *const ptxas_places[] = {"ptxas",
                                           "bin/ptxas",
                                           "*/bin/ptxas",
                                           "nvidia/*/bin/ptxas",
                                           "lib/python*/site-packages/nvidia/*/bin/ptxas",
                                           NULL};

/* "Cuda compilation tools, release 12.6, V12.6.20" */
static bool version(const char *answer, char ret_version[COMPILER_VERSION_BYTES])
{
    static const char before[] = ", V", letters[] = "0123456789.";
    const char *at = strstr(answer, before);
    const size_t length = at ? strspn(at + sizeof before - 1, letters) : 0;
    if (length == 0 || length >= COMPILER_VERSION_BYTES)
        return false;
    snprintf(ret_version, COMPILER_VERSION_BYTES, "%.*s", (int)length, at + sizeof before - 1);
    return true;
}

static void add_word(struct compiler_words *words, const char *word)
{
    snprintf(words->words[words->count++], COMPILER_WORD_BYTES, "%s", word);
}

static void ptxas_words(int compute_capability, const char *options, const char *input,
                        const char *output, struct compiler_words *ret)
{
    ret->count = 0;
    snprintf(ret->words[ret->count++], COMPILER_WORD_BYTES, "-arch=sm_%d", compute_capability);
    add_word(ret, "-fmad=true"); /* the default, named: the bits depend on it */
    if (options)
        add_word(ret, options);
    add_word(ret, "-o");
    add_word(ret, output);
    add_word(ret, input);
}

/* "fatal   : Value 'sm_120' is not defined for option 'gpu-name'": from its words on. */
static const char *ptxas_refusal(const char *errors)
{
    static const char *const phrases[] = {"Unsupported .version ",
                                          "is not defined for option 'gpu-name'"};
    for (size_t index = 0; index < sizeof phrases / sizeof phrases[0]; index++) {
        const char *at = strstr(errors, phrases[index]);
        while (at && at > errors + 1 && at[-1] != '\n' && strncmp(at - 2, ": ", 2) != 0)
            at--;
        if (at)
            return at;
    }
    return NULL;
}

/* The last line but for the one that only says that there were others. */
static const char *ptxas_complaint(const char *errors)
{
    const char *last = errors;
    for (const char *at = errors; *at; at += strcspn(at, "\n"), at += *at == '\n')
        if (strncmp(at, "ptxas fatal   : Ptx assembly aborted", 36) != 0)
            last = at;
    return last;
}

const struct compiler compiler_ptxas = {.name = "ptxas",
                                        .form = "",
                                        .places = ptxas_places,
                                        .version = version,
                                        .words = ptxas_words,
                                        .refusal = ptxas_refusal,
                                        .complaint = ptxas_complaint};

/* Nothing where all of it is of a later architecture. */
static const void *find_for_ptxas(const char *unit, const struct image *image,
                                  int compute_capability)
{
    return highest_target(image, compute_capability) > compute_capability
               ? NULL
               : find_highest(unit, image, compute_capability);
}

/* "-O0" to "-O3" */
static bool takes_level(const char *options)
{
    return strlen(options) == 3 && strncmp(options, "-O", 2) == 0 && options[2] >= '0' &&
           options[2] <= '3';
}

const struct source source_ptxas = {.find = find_for_ptxas,
                                    .load = load_code,
                                    .front_end = SOURCE_NVCC,
                                    .target = highest_target,
                                    .takes = takes_level,
                                    .compiler = &compiler_ptxas,
                                    .is_cubin = true,
                                    .takes_text = SOURCE_TEXT_PTX};

/* The kernels' texts, compiled by an NVRTC of the user's. */

/* In a toolkit, in an unpacked wheel or the folder that it was unpacked to, and in a Python
 * environment; a static library and NVRTC's second form, libnvrtc.alt.so, have other names. */
static const char *const nvrtc_places[] = {"libnvrtc.so*",
                                           "lib64/libnvrtc.so*",
                                           "lib/libnvrtc.so*",
                                           "targets/*/lib/libnvrtc.so*",
                                           "*/lib/libnvrtc.so*",
                                           "nvidia/*/lib/libnvrtc.so*",
                                           "lib/python*/site-packages/nvidia/*/lib/libnvrtc.so*",
                                           NULL};

static const char nvrtc_companions[] = "libnvrtc-builtins*";

static void nvrtc_words(int compute_capability, const char *options, const char *input,
                        const char *output, struct compiler_words *ret)
{
    ret->count = 0;
    snprintf(ret->words[ret->count++], COMPILER_WORD_BYTES, "-sm_%d", compute_capability);
    for (const char *const *it = kernel_text_options; *it; it++)
        add_word(ret, *it);
    if (options)
        add_word(ret, options);
    add_word(ret, "-o");
    add_word(ret, output);
    add_word(ret, input);
}

/* PTX is the same at every level, which the driver's compiler gets. */
static void nvrtc_ptx_words(int compute_capability, const char *options, const char *input,
                            const char *output, struct compiler_words *ret)
{
    (void)options;
    nvrtc_words(compute_capability, NULL, input, output, ret);
    add_word(ret, "-ptx");
}

/* It has none of the device's architectures, or one from before the unit's instructions: its one
 * line says so. */
static const char *nvrtc_refusal(const char *errors)
{
    return strstr(errors, "none of its architectures is for ") ||
                   strstr(errors, "#error directive: needs compute capability ")
               ? errors
               : NULL;
}

static const char *nvrtc_complaint(const char *errors)
{
    return errors;
}

static const void *find_text(const char *unit, const struct image *image, int compute_capability)
{
    const struct kernel_text *text = kernel_text_of(unit);
    (void)image, (void)compute_capability;
    return text ? text->text : NULL;
}

#define NVRTC(of_form, of_words)                                                                   \
    {                                                                                              \
        .name = "nvrtc", .form = of_form, .command = "nvrtc", .places = nvrtc_places,              \
        .companions = nvrtc_companions, .version = version, .words = of_words,                     \
        .refusal = nvrtc_refusal, .complaint = nvrtc_complaint                                     \
    }

const struct compiler compiler_nvrtc = NVRTC("", nvrtc_words),
                      compiler_nvrtc_ptx = NVRTC("-ptx", nvrtc_ptx_words);

const struct source source_nvrtc = {.find = find_text,
                                    .load = load_code,
                                    .takes = takes_level,
                                    .compiler = &compiler_nvrtc,
                                    .is_cubin = true,
                                    .takes_text = SOURCE_TEXT_C},
                    source_nvrtc_ptx = {.find = find_text,
                                        .load = load_ptx,
                                        .assembler = SOURCE_JIT,
                                        .takes = takes_level,
                                        .compiler = &compiler_nvrtc_ptx,
                                        .takes_text = SOURCE_TEXT_C};
