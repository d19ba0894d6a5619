/* Fills the table of driver functions from libcuda.so.1, opened at run time, so that the program
 * starts if there is no driver. Clauses: driver.open.reason, driver.open.complete. */
#include "cuda/driver.h"

#include <dlfcn.h>
#include <errno.h>
#include <stdio.h>
#include <string.h>

/* Each call's name in libcuda, the name that an older driver has it under or NULL, and where its
 * pointer is in struct cuda_driver. */
static const struct symbol {
    const char *name;
    const char *older;
    size_t offset;
} symbols[] = {
#define CALL(member, name, parameters, arguments)                                                  \
    {#name, NULL, offsetof(struct cuda_driver, member)},
#define CALL_RENAMED(member, name, older, parameters, arguments)                                   \
    {#name, #older, offsetof(struct cuda_driver, member)},
#include "cuda/calls.def"
};

static bool driver_fill(struct cuda_driver *driver, void *library,
                        struct driver_refusal *ret_refusal)
{
    for (size_t index = 0; index < sizeof(symbols) / sizeof(symbols[0]); index++) {
        const struct symbol *symbol = &symbols[index];
        void *address = dlsym(library, symbol->name);
        if (address == NULL && symbol->older != NULL)
            address = dlsym(library, symbol->older);
        if (address == NULL) {
            snprintf(ret_refusal->text, sizeof(ret_refusal->text),
                     "%s has no %s: the driver is too old, or no CUDA driver", driver->name,
                     symbol->name);
            return false;
        }
        /* Copied, as C has no cast from an object's pointer to a function's. */
        memcpy((char *)driver + symbol->offset, &address, sizeof(address));
    }
    return true;
}

/* dlopen has no code for it, so its sentence is read: it begins with the library's own name (a
 * dependency's otherwise), or holds it, and ends with the system's words for ENOENT. */
static bool says_absent(const char *text, const char *library_name)
{
    const char *words = strerror(ENOENT), *name = strstr(text, library_name);
    return strlen(text) >= strlen(words) && name && name[strlen(library_name)] == ':' &&
           strcmp(text + strlen(text) - strlen(words), words) == 0;
}

bool driver_open_library(const char *library_name, struct cuda_driver *ret,
                         struct driver_refusal *ret_refusal)
{
    struct cuda_driver driver = {.name = library_name};
    ret_refusal->absent = false;
    void *library = dlopen(library_name, RTLD_NOW | RTLD_LOCAL);
    if (library == NULL) {
        /* The text lives only until the next dl call of this thread, so it is copied at once. */
        const char *text = dlerror();
        snprintf(ret_refusal->text, sizeof(ret_refusal->text), "%s",
                 text != NULL ? text : "no reason given");
        ret_refusal->absent = text != NULL && says_absent(text, library_name);
        return false;
    }
    if (!driver_fill(&driver, library, ret_refusal)) {
        dlclose(library);
        return false;
    }
    *ret = driver;
    return true;
}

bool driver_open_libcuda(struct cuda_driver *ret, struct driver_refusal *ret_refusal)
{
    return driver_open_library("libcuda.so.1", ret, ret_refusal);
}
