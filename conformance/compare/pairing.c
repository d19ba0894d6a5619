/* Pairs devices of two records (pairing.h). Clause: compare.device.paired. */
#include "conformance/compare/pairing.h"

#include <string.h>

#include "conformance/model/device_info.h"

static bool is_gpu(const char *label)
{
    return device_kind_of(label)->is_gpu;
}

const char *pairing_identity(const struct loaded_record *record, const char *label)
{
    const char *uuid = is_gpu(label) ? field_device_uuid(loaded_device(record, label)) : "";
    return uuid[0] ? uuid : label;
}

bool pairing_has_gpu(const struct loaded_record *record)
{
    for (size_t index = 0; index < record->device_count; index++)
        if (is_gpu(record->devices[index]))
            return true;
    return false;
}

static bool is_same(const struct loaded_record *base, const char *left,
                    const struct loaded_record *next, const char *right)
{
    return strcmp(pairing_identity(base, left), pairing_identity(next, right)) == 0;
}

static bool is_alike(const struct loaded_record *base, const char *left,
                     const struct loaded_record *next, const char *right)
{
    const char *name = field_device_name(loaded_device(base, left));
    return is_gpu(left) && is_gpu(right) && name[0] &&
           strcmp(name, field_device_name(loaded_device(next, right))) == 0;
}

/* A round takes those of NEW that are left to what is left of BASE, or to any of it. */
struct round {
    bool (*fits)(const struct loaded_record *base, const char *left,
                 const struct loaded_record *next, const char *right);
    bool other, again;
};
static const struct round rounds[] = {
    {is_same, false, false}, {is_alike, true, false}, {is_alike, true, true}};

static void take(const struct round *round, const struct loaded_record *base,
                 const struct loaded_record *next, size_t right, struct pairing *ret)
{
    for (size_t left = 0; left < base->device_count; left++) {
        if ((ret->has_base[left] && !round->again) ||
            !round->fits(base, base->devices[left], next, next->devices[right]))
            continue;
        ret->has_base[left] = ret->has_next[right] = true;
        ret->pairs[ret->count++] =
            (struct device_pair){base->devices[left], next->devices[right], round->other};
        return;
    }
}

void pairing_make(const struct loaded_record *base, const struct loaded_record *next,
                  struct pairing *ret)
{
    memset(ret, 0, sizeof *ret);
    for (size_t round = 0; round < sizeof rounds / sizeof rounds[0]; round++)
        for (size_t right = 0; right < next->device_count; right++)
            if (!ret->has_next[right])
                take(&rounds[round], base, next, right, ret);
}
