/* A library with every name of libcuda's that assay looks for: each function takes its call, does
 * nothing and answers success. For the tests of the loader; and what stand_in_libcuda.c does not do
 * itself, hence the weak symbols. With -DFAKE_IS_OLDER it has a renamed function under its older
 * name alone, as an older driver does. */
#include "cuda/driver.h"

/* No header declares libcuda's names, on purpose: the program finds them by name. */
#define FAKE(name, parameters)                                                                     \
    cu_result name parameters __attribute__((weak));                                               \
    cu_result name parameters                                                                      \
    {                                                                                              \
        return CU_SUCCESS;                                                                         \
    }
#pragma GCC diagnostic ignored "-Wunused-parameter"

#define CALL(member, name, parameters, arguments) FAKE(name, parameters)
#ifdef FAKE_IS_OLDER
#define CALL_RENAMED(member, name, older, parameters, arguments) FAKE(older, parameters)
#else
#define CALL_RENAMED(member, name, older, parameters, arguments)                                   \
    FAKE(name, parameters)                                                                         \
    FAKE(older, parameters)
#endif
#include "cuda/calls.def"
