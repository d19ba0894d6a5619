/* A driver table whose nth call fails (faults.h). */
#include "conformance/test/faults.h"

#include <stdatomic.h>
#include <stddef.h>

/* The wrapped functions have no room for a context of their own: this is the one table's. */
static struct {
    struct cuda_driver inner;
    atomic_int calls;
    int failing_call;
    cu_result error;
    const char *failed; /* the first call that did */
} faults;

/* The error to return in place of the driver's call; CU_SUCCESS: make the call. */
static cu_result fails_now(const char *name)
{
    const cu_result error = faults.error;
    const bool is_sticky = error == CU_ERROR_ILLEGAL_ADDRESS || error == CU_ERROR_LAUNCH_FAILED ||
                           error == CU_ERROR_DEVICE_UNAVAILABLE;
    const int call = atomic_fetch_add(&faults.calls, 1) + 1;
    if (call == faults.failing_call)
        faults.failed = name;
    return call == faults.failing_call || (call > faults.failing_call && is_sticky) ? error
                                                                                    : CU_SUCCESS;
}

/* Each call of the table, failing in its turn. */
#define CALL(member, name, parameters, arguments)                                                  \
    static cu_result faulty_##member parameters                                                    \
    {                                                                                              \
        cu_result fault = fails_now(#member);                                                      \
        return fault != CU_SUCCESS ? fault : faults.inner.member arguments;                        \
    }
#include "cuda/calls.def"

void faults_wrap(struct cuda_driver *driver, int call, cu_result error)
{
    faults.inner = *driver;
    faults.calls = 0;
    faults.failing_call = call;
    faults.error = error;
    faults.failed = NULL;
#define CALL(member, name, parameters, arguments) driver->member = faulty_##member;
#include "cuda/calls.def"
    driver->get_error_name = faults.inner.get_error_name; /* words never fail */
}

const char *faults_failed(void)
{
    return faults.failed;
}
