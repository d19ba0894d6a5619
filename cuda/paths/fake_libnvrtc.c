/* A library in NVRTC's place that compiles nothing: its code is a text that says what it was given,
 * behind the first bytes of what it stands for. For tests, which need no toolkit.
 *
 * What ASSAY_FAKE_NVRTC may be:
 *     short-version  says two numbers of its version in its PTX, too
 *     other-version  says those of another version there
 *     no-version     does not say its version
 *     no-archs       does not say which architectures it compiles for
 *     ampere         compiles for none after 8.6
 *     no-builtins    is without the library that belongs to it
 *     no-copies      cannot compile units that copy asynchronously
 *     silent         cannot compile anything, and has no log
 *     empty          gives code of no bytes
 *     newer          writes PTX of a version that no driver takes
 *     crash, hang    does that when it compiles a unit that copies asynchronously
 * With -DFAKE_IS_PARTIAL it has not every function. */
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* No header declares NVRTC's names, on purpose: the program finds them by name. */
#define CALL(member, name, parameters) int name parameters;
#include "cuda/paths/nvrtc_calls.def"

enum { FAKE_SUCCESS = 0, FAKE_BROKEN = 1, FAKE_REFUSED = 6, FAKE_TEXT_BYTES = 65536 };

struct program {
    char *text;
    char name[64];
    char code[FAKE_TEXT_BYTES], log[512];
};

static bool mode_is(const char *mode)
{
    const char *set = getenv("ASSAY_FAKE_NVRTC");
    return set != NULL && strcmp(set, mode) == 0;
}

int nvrtcVersion(int *ret_major, int *ret_minor)
{
    *ret_major = 12;
    *ret_minor = 9;
    return mode_is("no-version") ? FAKE_BROKEN : FAKE_SUCCESS;
}

int nvrtcGetNumSupportedArchs(int *ret)
{
    *ret = mode_is("ampere") ? 2 : 4;
    return mode_is("no-archs") ? FAKE_BROKEN : FAKE_SUCCESS;
}

int nvrtcGetSupportedArchs(int *ret)
{
    static const int archs[] = {75, 86, 90, 120};
    memcpy(ret, archs, (mode_is("ampere") ? 2 : 4) * sizeof archs[0]);
    return FAKE_SUCCESS;
}

int nvrtcCreateProgram(void **ret, const char *text, const char *name, int header_count,
                       const char *const *headers, const char *const *header_names)
{
    struct program *program = calloc(1, sizeof *program);
    if (program == NULL)
        return FAKE_BROKEN;
    program->text = strdup(text);
    snprintf(program->name, sizeof program->name, "%s", name);
    (void)header_count, (void)headers, (void)header_names;
    *ret = program;
    return FAKE_SUCCESS;
}

static int refuse(struct program *program, const char *line)
{
    snprintf(program->log, sizeof program->log, "%s(1): warning: nothing much\n%s\nand more\n",
             program->name, line);
    return FAKE_REFUSED;
}

/* The one thing that it knows of a preprocessor: the lines before a text that needs more than the
 * architecture has. */
static bool needs_more(const struct program *program, int option_count, const char *const *options)
{
    int needed = 0, arch = 0;
    sscanf(program->text, "#if defined __CUDA_ARCH__ && __CUDA_ARCH__ < %d", &needed);
    for (int index = 0; index < option_count; index++)
        if (strncmp(options[index], "-arch=", 6) == 0)
            arch = atoi(strchr(options[index], '_') + 1);
    return 10 * arch < needed;
}

int nvrtcCompileProgram(void *handle, int option_count, const char *const *options)
{
    struct program *program = handle;
    const bool copies = strstr(program->text, "#line 1 \"async_copy.h\"") != NULL;
    size_t used =
        (size_t)snprintf(program->code, FAKE_TEXT_BYTES,
                         "//\n// Cuda compilation tools, release 12.9, V%s\n//\n"
                         ".version %s\n// %s of %zu bytes\n",
                         mode_is("short-version")   ? "12.9"
                         : mode_is("other-version") ? "12.4.127"
                                                    : "12.9.86",
                         mode_is("newer") ? "99.0" : "8.8", program->name, strlen(program->text));
    for (int index = 0; index < option_count && used < FAKE_TEXT_BYTES; index++)
        used += (size_t)snprintf(program->code + used, FAKE_TEXT_BYTES - used, "// %s\n",
                                 options[index]);
    if (needs_more(program, option_count, options))
        return refuse(program, "x.cu(2): error: #error directive: needs compute capability 9.0");
    if (mode_is("no-builtins"))
        return refuse(program, "nvrtc: error: failed to open libnvrtc-builtins.so.12.9.");
    if (mode_is("no-copies") && copies)
        return refuse(program, "async_copy.h(7): error: no such instruction");
    while (mode_is("hang") && copies)
        pause();
    if (mode_is("crash") && copies)
        abort();
    return mode_is("silent") ? FAKE_REFUSED : FAKE_SUCCESS;
}

static void give(char *ret, const char *text)
{
    memcpy(ret, text, strlen(text) + 1);
}

int nvrtcGetProgramLogSize(void *handle, size_t *ret)
{
    *ret = strlen(((struct program *)handle)->log) + 1;
    return FAKE_SUCCESS;
}

int nvrtcGetProgramLog(void *handle, char *ret)
{
    give(ret, ((struct program *)handle)->log);
    return FAKE_SUCCESS;
}

int nvrtcGetPTXSize(void *handle, size_t *ret)
{
    *ret = mode_is("empty") ? 0 : strlen(((struct program *)handle)->code) + 1;
    return FAKE_SUCCESS;
}

int nvrtcGetPTX(void *handle, char *ret)
{
    give(ret, ((struct program *)handle)->code);
    return FAKE_SUCCESS;
}

int nvrtcGetCUBINSize(void *handle, size_t *ret)
{
    return nvrtcGetPTXSize(handle, ret);
}

int nvrtcGetCUBIN(void *handle, char *ret)
{
    give(ret, ((struct program *)handle)->code);
    ret[0] = '\177'; /* an ELF file begins so */
    ret[1] = 'E';
    return FAKE_SUCCESS;
}

#ifndef FAKE_IS_PARTIAL
int nvrtcDestroyProgram(void **program)
{
    free(((struct program *)*program)->text);
    free(*program);
    *program = NULL;
    return FAKE_SUCCESS;
}
#endif
