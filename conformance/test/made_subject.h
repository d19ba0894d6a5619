/* Subjects and cases for tests. */
#pragma once

#include "conformance/model/catalog.h"
#include "conformance/model/path.h"
#include "fuzz/test/made_case.h"

static inline struct subject made_subject(int device, int kernel, const char *path)
{
    return (struct subject){(uint16_t)device, (uint16_t)kernel, (uint16_t)path_find(path)};
}

/* The number of the kernel or mutant, which there must be. */
static inline int made_kernel(const char *name)
{
    const int id = catalog_find(name);
    ck_assert_msg(id >= 0, "no kernel %s", name);
    return id;
}
