/* Numbers of subjects (subject.h). */
#include "conformance/model/subject.h"

#include "conformance/model/catalog.h"

bool subject_is_same(struct subject left, struct subject right)
{
    return left.device == right.device && left.kernel == right.kernel && left.path == right.path;
}

int subject_count(int device_count)
{
    return device_count * catalog_count() * path_count();
}

int subject_index(struct subject subject)
{
    return (subject.device * catalog_count() + subject.kernel) * path_count() + subject.path;
}

struct subject subject_at(int index)
{
    const int pair = index / path_count();
    return (struct subject){.device = (uint16_t)(pair / catalog_count()),
                            .kernel = (uint16_t)(pair % catalog_count()),
                            .path = (uint16_t)(index % path_count())};
}
