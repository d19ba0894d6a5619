/* JSON of a test. */
#pragma once

#include <stdlib.h>

#include "conformance/base/heap.h"
#include "conformance/record/lines.h"
#include "spec/testing.h"

static inline void made_json_release(void *json)
{
    json_decref(json);
}

/* Kept till the test ends. */
static inline json_t *made_json(json_t *json)
{
    testing_keep(json, made_json_release);
    return json;
}

/* Memory of lines, until the test ends. */
static inline void made_zone_release(void *zone)
{
    zone_free(zone);
    free(zone);
}

static inline struct zone *made_zone(void)
{
    struct zone *zone = heap_take(1, sizeof *zone);
    testing_keep(zone, made_zone_release);
    return zone;
}
