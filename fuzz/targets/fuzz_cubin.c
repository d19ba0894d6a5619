/* Any bytes as a fatbin: refused with one printable line, or read; figures are of bytes that are
 * there. Then the same bytes as a cubin. */
#include <string.h>

#include "conformance/model/cubin.h"
#include "fuzz/targets/target.h"

static const char function[] = "plain";

static void check_reason(const struct reason *reason)
{
    MUST(reason->text[0] != 0);
    for (const char *letter = reason->text; *letter; letter++)
        MUST((unsigned char)*letter >= ' ' && *letter != 0x7f);
}

static void read_cubin(struct cubin_bytes cubin)
{
    struct code_figures figures;
    struct reason reason = {.text = ""};
    if (cubin_read(cubin, function, &figures, &reason))
        MUST(figures.code_bytes <= cubin.count);
    else
        check_reason(&reason);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
    enum { ARCHITECTURES_MAX = 16 };
    const struct cubin_bytes all = {data, bytes};
    struct cubin_bytes cubin;
    struct reason reason = {.text = ""};
    int architectures[ARCHITECTURES_MAX];
    int count = cubin_architectures(all, architectures, ARCHITECTURES_MAX, &reason);
    MUST(count <= ARCHITECTURES_MAX);
    if (count == 0)
        check_reason(&reason);
    for (int index = 0; index < count; index++) {
        if (cubin_find(all, architectures[index], &cubin, &reason)) {
            MUST(cubin.first >= data && cubin.count <= bytes - (size_t)(cubin.first - data));
            read_cubin(cubin);
        } else {
            check_reason(&reason);
        }
    }
    read_cubin(all);
    return 0;
}
