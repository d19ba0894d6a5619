/* Any bytes that are taken for the record of a bench, and any file of floors after a first zero
 * byte, make floors that can be read again and stay as they are, or are refused with a printable
 * line, whatever the order. Without such a file the record's floors are put into a small one: the
 * program's own is read and written eight times an input, which takes 20 ms, and is tested by
 * `assay floors`. */
#include <string.h>

#include "conformance/speed/floors.h"
#include "conformance/record/limit_file.h"
#include "conformance/test/ended.h"
#include "fuzz/targets/target.h"

#define FROM "\"gpu\": \"NVIDIA B400\", \"driver\": \"1\", \"date\": \"2026-11-21\"}}"

static const char small[] =
    "{\"floors\": \"assay\", \"version\": 1, \"bandwidth_unit\": \"GB/s\", \"latency_unit\": "
    "\"us\","
    "\"gpus\": [{\"gpu\": \"NVIDIA B400\", \"compute_capability\": 130, \"floors\": [{\"kernel\": "
    "\"offset_copy/scalar\", \"shape\": \"offset=1\", \"regime\": \"dram\", \"element_bytes\": 4, "
    "\"fraction_of_ceiling\": 0.5, \"provenance\": {\"median_gbps\": 2100, \"ceiling_gbps\": 4000, "
    "\"spread\": 0.01, \"margin\": 0.0476, \"lowest\": 0.51, \"highest\": 0.54, \"gpus\": 1, " FROM
    "], \"latencies\": []}], \"relations\": []}";

static void check_reason(const char *why)
{
    MUST(why[0]);
    for (; *why; why++)
        MUST((unsigned char)*why >= ' ' && *why != 0x7f);
}

/* The text of the floors that follow, or NULL if none do. */
static char *make(const struct floors *base, const struct floor_measurements *measured)
{
    struct reason reason = {.text = ""};
    json_t *root = floors_make(base, measured, &reason);
    size_t bytes = 0;
    if (root == NULL)
        check_reason(reason.text);
    char *text = root ? limit_file_text(root, &bytes) : NULL;
    json_decref(root);
    MUST(text == NULL || strlen(text) == bytes);
    return text;
}

/* floors_make without measurements leaves the floors unchanged. */
static void check_made(const char *text)
{
    struct floor_measurements none = {0};
    struct floors made;
    struct reason reason;
    MUST(floors_parse("made", text, &made, &reason));
    char *again = make(&made, &none);
    MUST(again != NULL && strcmp(text, again) == 0);
    free(again);
    floors_close(&made);
}

static void turn_round(struct floor_measurements *all)
{
    for (size_t index = 0; index < all->count / 2; index++) {
        struct floor_measurement it = all->items[index];
        all->items[index] = all->items[all->count - 1 - index];
        all->items[all->count - 1 - index] = it;
    }
}

static void check_floors(const struct floors *base, const char *record, size_t bytes,
                         bool accept_slow)
{
    struct floor_measurements measured = {.accept_slow = accept_slow};
    struct reason reason = {.text = ""};
    size_t ended_bytes;
    char *ended = ended_text(record, bytes, &ended_bytes); /* a mutant's would not hold */
    const bool good = floors_measure_text(&measured, "r", ended, ended_bytes, &reason);
    free(ended);
    if (good) {
        char *text = make(base, &measured);
        if (text)
            check_made(text);
        turn_round(&measured);
        char *other = make(base, &measured);
        MUST((text == NULL) == (other == NULL));
        free(text);
        free(other);
    } else {
        check_reason(reason.text);
        MUST(measured.count == 0);
    }
    floors_measurements_free(&measured);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
    char *file = NULL;
    struct reason reason = {.text = ""};
    const char *record = (const char *)data;
    const char *end = bytes ? memchr(data, 0, bytes) : NULL;
    size_t record_bytes = end ? (size_t)(end - record) : bytes;
    struct floors base;
    if (end) {
        file = strndup(end + 1, bytes - record_bytes - 1);
        MUST(file);
    }
    if (floors_parse("f", file ? file : small, &base, &reason)) {
        check_floors(&base, record, record_bytes, false);
        check_floors(&base, record, record_bytes, true);
        floors_close(&base);
    } else {
        MUST(file);
        check_reason(reason.text);
    }
    free(file);
    return 0;
}
