/* A subject for tests. */
#ifndef ASSAY_CONFORMANCE_TEST_MADE_SUBJECT_H
#define ASSAY_CONFORMANCE_TEST_MADE_SUBJECT_H

#include "conformance/model/path.h"
#include "conformance/model/subject.h"

static inline struct subject made_subject(int device, int kernel, const char *path)
{
    return (struct subject){(uint16_t)device, (uint16_t)kernel, (uint16_t)path_find(path)};
}

#endif
