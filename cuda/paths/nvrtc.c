/* Compiling CUDA C in memory (nvrtc.h). Clauses: driver.nvrtc.memory,
 * driver.nvrtc.refused. */
#include "cuda/paths/nvrtc.h"

#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { CODE_BYTES_MAX = 1 << 28 };

static bool say(char ret_why[NVRTC_TEXT_BYTES], const char *format, const char *name)
{
    snprintf(ret_why, NVRTC_TEXT_BYTES, format, name);
    return false;
}

static const struct symbol {
    const char *name;
    size_t offset;
} symbols[] = {
#define CALL(member, name, parameters) {#name, offsetof(struct nvrtc, member)},
#include "cuda/paths/nvrtc_calls.def"
};

static bool fill(void *library, struct nvrtc *ret, char ret_why[NVRTC_TEXT_BYTES])
{
    for (size_t index = 0; index < sizeof symbols / sizeof symbols[0]; index++) {
        void *address = dlsym(library, symbols[index].name);
        if (address == NULL)
            return say(ret_why, "it has no %s: not an NVRTC, or one before 11.2",
                       symbols[index].name);
        /* Copied, as C has no cast from an object's pointer to a function's. */
        memcpy((char *)ret + symbols[index].offset, &address, sizeof address);
    }
    return true;
}

/* The line of the log that says what is wrong: the first error, else the first line. */
static bool say_log(char ret_why[NVRTC_TEXT_BYTES], const char *log)
{
    const char *line = strstr(log, "error");
    while (line && line > log && line[-1] != '\n')
        line--;
    line = line ? line : log + strspn(log, "\n");
    const size_t length = strcspn(line, "\n");
    if (length == 0)
        return say(ret_why, "%s", "it compiles nothing and gives no reason");
    snprintf(ret_why, NVRTC_TEXT_BYTES, "%.*s",
             (int)(length < NVRTC_TEXT_BYTES ? length : NVRTC_TEXT_BYTES - 1), line);
    return false;
}

/* The bytes that a pair of functions gives, and a 0 after them; or NULL. */
static char *take(void *program, int (*size)(void *, size_t *), int (*get)(void *, char *),
                  size_t *ret_bytes)
{
    size_t bytes = 0;
    if (size(program, &bytes) != 0 || bytes == 0 || bytes > CODE_BYTES_MAX)
        return NULL;
    char *text = calloc(bytes + 1, 1);
    if (text && get(program, text) != 0) {
        free(text);
        return NULL;
    }
    *ret_bytes = bytes;
    return text;
}

static bool compile(const struct nvrtc *nvrtc, const char *text, const char *name,
                    enum nvrtc_form form, const char *const *options, struct nvrtc_code *ret,
                    char ret_why[NVRTC_TEXT_BYTES])
{
    int option_count = 0;
    while (options[option_count])
        option_count++;
    void *program = NULL;
    if (nvrtc->create_program(&program, text, name, 0, NULL, NULL) != 0)
        return say(ret_why, "it rejects the text of %s", name);
    struct nvrtc_code code = {.bytes = NULL};
    bool good = nvrtc->compile_program(program, option_count, options) == 0;
    if (good)
        code.bytes = form == NVRTC_PTX
                         ? take(program, nvrtc->get_ptx_size, nvrtc->get_ptx, &code.count)
                         : take(program, nvrtc->get_cubin_size, nvrtc->get_cubin, &code.count);
    else {
        size_t bytes;
        char *log = take(program, nvrtc->get_program_log_size, nvrtc->get_program_log, &bytes);
        say_log(ret_why, log ? log : "");
        free(log);
    }
    if (good && code.bytes == NULL)
        good = say(ret_why, "it reports success for %s but returns no code", name);
    nvrtc->destroy_program(&program);
    if (good)
        *ret = code;
    return good;
}

static const char *form_option(enum nvrtc_form form, int arch, char ret[32])
{
    snprintf(ret, 32, "-arch=%s_%d", form == NVRTC_PTX ? "compute" : "sm", arch);
    return ret;
}

bool nvrtc_compile(const struct nvrtc *nvrtc, const char *text, const char *name,
                   enum nvrtc_form form, int arch, const char *const *options, const char *level,
                   struct nvrtc_code *ret, char ret_why[NVRTC_TEXT_BYTES])
{
    const char *all[NVRTC_OPTIONS_MAX + 4] = {NULL};
    char arch_option[32], level_option[64];
    int count = 0;
    for (; options[count] && count < NVRTC_OPTIONS_MAX; count++)
        all[count] = options[count];
    all[count++] = "-no-source-include"; /* no folder that happens to be here */
    all[count++] = form_option(form, arch, arch_option);
    if (level) {
        snprintf(level_option, sizeof level_option, "--ptxas-options=%s", level);
        all[count++] = level_option;
    }
    return compile(nvrtc, text, name, form, all, ret, ret_why);
}

int nvrtc_arch(const struct nvrtc *nvrtc, enum nvrtc_form form, int compute_capability)
{
    int highest = 0;
    for (int index = 0; index < nvrtc->arch_count; index++) {
        const int arch = nvrtc->archs[index];
        if (arch <= compute_capability && arch > highest &&
            (form == NVRTC_PTX || arch / 10 == compute_capability / 10))
            highest = arch;
    }
    return highest;
}

static bool ask_archs(struct nvrtc *nvrtc, char ret_why[NVRTC_TEXT_BYTES])
{
    int count = 0;
    if (nvrtc->get_num_supported_archs(&count) != 0 || count < 1 || count > NVRTC_ARCHS_MAX ||
        nvrtc->get_supported_archs(nvrtc->archs) != 0)
        return say(ret_why, "%s", "it does not report its architectures");
    nvrtc->arch_count = count;
    return true;
}

/* Two numbers are all that NVRTC says of its version; the third is in a comment of its PTX, "Cuda
 * compilation tools, release 12.9, V12.9.86". Clause: driver.nvrtc.version. */
bool nvrtc_version(const struct nvrtc *nvrtc, char ret_version[NVRTC_VERSION_BYTES],
                   char ret_why[NVRTC_TEXT_BYTES])
{
    static const char empty[] = "extern \"C\" __global__ void empty(void)\n{\n}\n";
    char option[32], begin[NVRTC_VERSION_BYTES];
    const char *const options[] = {form_option(NVRTC_PTX, nvrtc->archs[0], option), NULL};
    struct nvrtc_code code;
    int major = 0, minor = 0;
    if (nvrtc->version(&major, &minor) != 0 || major < 1 || minor < 0 || major > 999 || minor > 999)
        return say(ret_why, "%s", "it does not report its version");
    if (!compile(nvrtc, empty, "empty.cu", NVRTC_PTX, options, &code, ret_why))
        return false;
    snprintf(ret_version, NVRTC_VERSION_BYTES, "%d.%d", major, minor);
    snprintf(begin, sizeof begin, "%d.%d.", major, minor);
    const char *said = strstr(code.bytes, ", V");
    const size_t length = said ? strspn(said + 3, ".0123456789") : 0;
    if (length < NVRTC_VERSION_BYTES && length > strlen(begin) &&
        strncmp(said + 3, begin, strlen(begin)) == 0)
        snprintf(ret_version, NVRTC_VERSION_BYTES, "%.*s", (int)length, said + 3);
    free(code.bytes);
    return true;
}

bool nvrtc_open(const char *path, struct nvrtc *ret, char ret_why[NVRTC_TEXT_BYTES])
{
    struct nvrtc nvrtc = {.arch_count = 0};
    void *library = dlopen(path, RTLD_NOW | RTLD_LOCAL);
    if (library == NULL) {
        const char *text = dlerror(); /* lives until the next call: copied at once */
        return say(ret_why, "%s", text ? text : "it cannot be loaded");
    }
    /* It is never closed: NVRTC leaves threads and handlers behind. */
    if (!fill(library, &nvrtc, ret_why) || !ask_archs(&nvrtc, ret_why))
        return false;
    *ret = nvrtc;
    return true;
}
