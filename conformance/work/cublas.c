/* cuBLAS by dlopen (cublas.h). Clause: bandwidth.sweep.library. */
#include "conformance/work/cublas.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>

#include "conformance/work/closing.h"

static const char *const names[] = {"libcublas.so.13", "libcublas.so.12", "libcublas.so.11",
                                    "/usr/local/cuda/lib64/libcublas.so"};

/* Copied, as C has no cast from an object's pointer to a function's. */
static bool find(void *library, const char *name, void *ret_function)
{
    void *address = dlsym(library, name);
    memcpy(ret_function, &address, sizeof address);
    return address != NULL;
}

bool cublas_open(struct cublas *cublas, cu_stream stream, struct reason *ret_reason)
{
    struct cublas it = {.library = NULL};
    int (*create)(void **);
    int (*set_stream)(void *, cu_stream);
    int (*get_property)(int, int *);
    int error = 0, version[3] = {0}; /* major, minor, patch level */
    if (cublas->library)
        return true;
    for (size_t index = 0; it.library == NULL && index < sizeof names / sizeof names[0]; index++)
        it.library = dlopen(names[index], RTLD_NOW | RTLD_LOCAL);
    if (it.library == NULL)
        return reason_set(ret_reason, REASON_ABSENT, "cuBLAS was not found (LD_LIBRARY_PATH)");
    if (!find(it.library, "cublasCreate_v2", &create) ||
        !find(it.library, "cublasDestroy_v2", &it.destroy) ||
        !find(it.library, "cublasSetStream_v2", &set_stream) ||
        !find(it.library, "cublasGetProperty", &get_property) ||
        !find(it.library, "cublasSgemm_v2", &it.multiply))
        reason_set(ret_reason, REASON_ABSENT, "this cuBLAS lacks a function");
    else if ((error = create(&it.handle)) != 0)
        reason_set(ret_reason, REASON_BROKEN, "cuBLAS does not start: error %d", error);
    else if ((error = set_stream(it.handle, stream)) != 0 ||
             (error = get_property(0, &version[0])) != 0 ||
             (error = get_property(1, &version[1])) != 0 ||
             (error = get_property(2, &version[2])) != 0)
        reason_set(ret_reason, REASON_BROKEN, "cuBLAS: error %d", error);
    else {
        snprintf(it.name, sizeof it.name, "cuBLAS %d.%d.%d", version[0], version[1], version[2]);
        *cublas = it;
        return true;
    }
    if (it.handle)
        it.destroy(it.handle);
    dlclose(it.library);
    return false;
}

void cublas_close(struct cublas *cublas)
{
    if (cublas->library == NULL)
        return;
    const int error = cublas->destroy(cublas->handle);
    char text[32];
    snprintf(text, sizeof text, "error %d", error);
    if (error != 0)
        closing_note("cublasDestroy_v2", text);
    dlclose(cublas->library);
    cublas->library = NULL;
}

cu_result cublas_product(const struct cublas *cublas, const struct fuzz_case *test_case,
                         const uint64_t addresses[ALGORITHM_OPERANDS_MAX])
{
    enum { A, B, C, OPERANDS };
    static const float one = 1, zero = 0;
    struct view view[OPERANDS];
    void *memory[OPERANDS];
    for (int index = 0; index < OPERANDS; index++) {
        const uintptr_t address = (uintptr_t)addresses[index];
        view[index] = case_view(test_case, index);
        memcpy(&memory[index], &address, sizeof address);
    }
    /* It reads columns: row by row C = AB is column by column C' = B'A'. */
    const int error =
        cublas->multiply(cublas->handle, 0, 0, (int)view[C].columns, (int)view[C].rows,
                         (int)view[A].columns, &one, memory[B], (int)view[B].row_stride, memory[A],
                         (int)view[A].row_stride, &zero, memory[C], (int)view[C].row_stride);
    return error == 0 ? CU_SUCCESS : CU_ERROR_UNKNOWN;
}
