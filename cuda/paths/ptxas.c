/* PTX that travels in this program, assembled by a ptxas of the user's (compiler.h, source.h).
 * Clauses: driver.candidate.named, driver.candidate.refused, driver.candidate.alone. */
#include <stdio.h>
#include <string.h>

#include "cuda/paths/compiler.h"
#include "cuda/paths/source.h"

/* In a toolkit, in an unpacked wheel or the folder that it was unpacked to, and in a Python
 * environment. */
static const char *const places[] = {"ptxas",
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

static void add(struct compiler_words *words, const char *word)
{
    snprintf(words->words[words->count++], COMPILER_WORD_BYTES, "%s", word);
}

static void words(int compute_capability, const char *options, const char *input,
                  const char *output, struct compiler_words *ret)
{
    ret->count = 0;
    snprintf(ret->words[ret->count++], COMPILER_WORD_BYTES, "-arch=sm_%d", compute_capability);
    add(ret, "-fmad=true"); /* the default, named: the bits depend on it */
    if (options)
        add(ret, options);
    add(ret, "-o");
    add(ret, output);
    add(ret, input);
}

/* "fatal   : Value 'sm_120' is not defined for option 'gpu-name'": from its words on. */
static const char *refusal(const char *errors)
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
static const char *complaint(const char *errors)
{
    const char *last = errors;
    for (const char *at = errors; *at; at += strcspn(at, "\n"), at += *at == '\n')
        if (strncmp(at, "ptxas fatal   : Ptx assembly aborted", 36) != 0)
            last = at;
    return last;
}

const struct compiler compiler_ptxas = {.name = "ptxas",
                                        .form = "",
                                        .places = places,
                                        .version = version,
                                        .words = words,
                                        .refusal = refusal,
                                        .complaint = complaint};

/* Nothing where all of it is of a later architecture. */
static const void *find(const char *unit, const struct image *image, int compute_capability)
{
    const int target = source_ptx_highest.target(image, compute_capability);
    return target > compute_capability ? NULL
                                       : source_ptx_highest.find(unit, image, compute_capability);
}

static int target(const struct image *image, int compute_capability)
{
    return source_ptx_highest.target(image, compute_capability);
}

/* What it made. */
static cu_result load(const struct cuda_driver *driver, const void *code, const char *options,
                      cu_module *ret)
{
    return source_fatbin.load(driver, code, options, ret);
}

/* "-O0" to "-O3" */
static bool takes(const char *options)
{
    return strlen(options) == 3 && strncmp(options, "-O", 2) == 0 && options[2] >= '0' &&
           options[2] <= '3';
}

const struct source source_ptxas = {.find = find,
                                    .load = load,
                                    .front_end = SOURCE_NVCC,
                                    .target = target,
                                    .takes = takes,
                                    .compiler = &compiler_ptxas,
                                    .is_cubin = true,
                                    .takes_text = SOURCE_TEXT_PTX};
