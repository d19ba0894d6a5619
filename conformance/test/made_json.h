/* JSON of a test. */
#pragma once

#include "conformance/record/record_fields.h"
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
