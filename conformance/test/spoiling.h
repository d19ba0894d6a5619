/* Lines of a record that is a PASS, spoiled in every way that a generator knows. */
#pragma once

#include <jansson.h>

#include "conformance/report/assessment.h"
#include "conformance/test/made_json.h"

/* The lines as a record's text, kept till the test ends. */
char *spoiling_text(const json_t *lines);

/* What a report says of the text; ERROR where it is refused. */
enum verdict spoiling_verdict(const char *text, char reason[ASSESSMENT_REASON_BYTES]);

/* A report says PASS of the lines, or does not. */
void spoiling_must_be(const json_t *lines, bool passes, const char *what);

/* Spoils the value under a key of the record in every way, and takes it away; no spoiled record
 * passes. */
void spoiling_value(const json_t *record, json_t *at, const char *key, const char *what);

/* Spoils every value, every element and every line of the record, and adds lines that a PASS does
 * not have. The record passes before and afterwards, and is freed. */
void spoiling_all(json_t *record, const char *what);
