/* Makes the record of a bench small enough to be kept: `reduce_record RECORD > FILE` leaves the
 * header and the device, and of each measurement its fractions of the ceiling with five digits.
 * test_aa reads either. */
#include <jansson.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

static const char *const kept_keys[] = {"kernel",        "device",  "path",
                                        "element_bytes", "shape",   "regime",
                                        "verdict",       "samples", "fraction_of_ceiling"};

/* A new reference: the line as it is kept, or NULL for one that is not. */
static json_t *reduce(json_t *line)
{
    json_t *bench = json_object_get(line, "bench");
    if (json_object_get(line, "record") || json_object_get(line, "device"))
        return json_incref(line);
    if (bench == NULL)
        return NULL;
    json_t *kept = json_object();
    for (size_t index = 0; index < sizeof kept_keys / sizeof kept_keys[0]; index++)
        json_object_set(kept, kept_keys[index], json_object_get(bench, kept_keys[index]));
    return json_pack("{s:o}", "bench", kept);
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
