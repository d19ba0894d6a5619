/* Makes the record of a bench small enough to be kept: `reduce_record RECORD > FILE` leaves what
 * floors are made of (floors_make.c) and what test_aa reads, with five digits. */
#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "conformance/record/record_fields.h"

/* What is left of each kind of line; NULL after the last key. */
static const struct kept_line {
    const char *kind;
    const char *keys[12];
} kept_lines[] = {
    {LINE_KEY(bench),
     {FIELD_KEY(subject, kernel), FIELD_KEY(subject, device), FIELD_KEY(subject, path),
      FIELD_KEY(bench, element_bytes), FIELD_KEY(shaped, shape), FIELD_KEY(shaped, regime),
      FIELD_KEY(result, verdict), FIELD_KEY(result, clause), FIELD_KEY(result, samples),
      FIELD_KEY(bench, gbps), FIELD_KEY(bench, fraction_of_ceiling)}},
    {LINE_KEY(peak),
     {FIELD_KEY(peak, device), FIELD_KEY(peak, regime), FIELD_KEY(result, verdict),
      FIELD_KEY(result, clause), FIELD_KEY(peak, gbps), FIELD_KEY(peak, fraction_of_peak)}},
    {LINE_KEY(latency),
     {FIELD_KEY(latency, call), FIELD_KEY(latency, device), FIELD_KEY(latency, cpu),
      FIELD_KEY(latency, hypervisor), FIELD_KEY(result, verdict), FIELD_KEY(result, clause),
      FIELD_KEY(latency, us)}},
};

/* Speeds are provenance, for which the medians do; fractions are judged, with their bounds. */
static json_t *reduce_value(const char *key, json_t *value)
{
    size_t index;
    json_t *interval;
    if (strcmp(key, FIELD_KEY(bench, gbps)) != 0 && strcmp(key, FIELD_KEY(latency, us)) != 0)
        return json_incref(value);
    json_t *medians = json_array();
    json_array_foreach(value, index, interval)
    {
        json_t *kept = json_object();
        put_interval_median(kept, json_number_value(raw_interval_median(interval)));
        json_array_append_new(medians, kept);
    }
    return medians;
}

/* A new reference: the line as it is kept, or NULL for one that is not. */
static json_t *reduce(json_t *line)
{
    static const char *const whole[] = {FIELD_KEY(header, record), LINE_KEY(device),
                                        LINE_KEY(summary)};
    for (size_t index = 0; index < sizeof whole / sizeof whole[0]; index++)
        if (json_object_get(line, whole[index]))
            return json_incref(line);
    for (size_t index = 0; index < sizeof kept_lines / sizeof kept_lines[0]; index++) {
        const struct kept_line *it = &kept_lines[index];
        json_t *object = json_object_get(line, it->kind);
        if (object == NULL)
            continue;
        json_t *kept = json_object();
        for (const char *const *key = it->keys; *key; key++)
            if (json_object_get(object, *key))
                json_object_set_new(kept, *key, reduce_value(*key, json_object_get(object, *key)));
        return json_pack("{s:o}", it->kind, kept);
    }
    return NULL;
}

/* Reads line by line. False with a message on stderr. */
static bool reduce_file(FILE *file, const char *path)
{
    char *text = NULL;
    size_t text_bytes = 0;
    bool good = true;
    for (int number = 1; good && getline(&text, &text_bytes, file) > 0; number++) {
        json_error_t error;
        json_t *line = json_loads(text, 0, &error), *kept = line ? reduce(line) : NULL;
        good = line != NULL;
        if (!good)
            fprintf(stderr, "reduce_record: %s: line %d: %s\n", path, number, error.text);
        if (kept) {
            json_dumpf(kept, stdout, JSON_COMPACT | JSON_REAL_PRECISION(5));
            putchar('\n');
        }
        json_decref(kept);
        json_decref(line);
    }
    free(text);
    return good && !ferror(file) && fflush(stdout) == 0;
}

int main(int argc, char **argv)
{
    FILE *file = argc == 2 ? fopen(argv[1], "r") : NULL;
    if (file == NULL) {
        fprintf(stderr, "reduce_record: cannot read %s; usage: reduce_record RECORD > FILE\n",
                argc == 2 ? argv[1] : "nothing");
        return 2;
    }
    bool good = reduce_file(file, argv[1]);
    fclose(file);
    return good ? 0 : 2;
}
