/* Opens unit files (image_files.h). Each is read into memory: a file that somebody cuts short must
 * not take this program with it. Clauses: driver.images.hostile, driver.images.sources. */
#include "conformance/model/image_files.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "conformance/base/array.h"
#include "cuda/kernel_text.h"
#include "fuzz/input_file.h"

enum { FILE_BYTES_MAX = 1 << 30 };

/* Each stays where it is. */
static struct image_file **opened;
static size_t opened_count;

/* All bytes of an open file, for free(). NULL with the reason. */
static void *read_bytes(FILE *file, size_t *ret_bytes, struct reason *ret_reason)
{
    struct stat status;
    if (fstat(fileno(file), &status) != 0 || !S_ISREG(status.st_mode) ||
        status.st_size > FILE_BYTES_MAX) {
        reason_set(ret_reason, REASON_INPUT, "it is no file of at most %d bytes", FILE_BYTES_MAX);
        return NULL;
    }
    const size_t bytes = (size_t)status.st_size;
    void *memory = malloc(bytes + 1);
    if (memory && fread(memory, 1, bytes, file) == bytes) {
        *ret_bytes = bytes;
        return memory;
    }
    reason_set(ret_reason, REASON_SYSTEM, "%s",
               memory ? "it cannot be read, or grows shorter" : "no memory for it");
    free(memory);
    return NULL;
}

/* What other sources were compiled to may take another call, or mean something else. */
static bool is_of_these_sources(const struct unit_file *units, struct reason *ret_reason)
{
    return strcmp(units->sources, kernel_texts_digest) == 0 ||
           reason_set(ret_reason, REASON_INPUT,
                      "it was made of other kernels than those of this assay: make it again with "
                      "this version's cuda/make_images");
}

static struct image_file *read_units(const char *name, struct reason *ret_reason)
{
    const char *why_not;
    FILE *file = input_file_open(name, &why_not);
    char why[UNIT_FILE_WHY_BYTES];
    size_t bytes = 0;
    if (file == NULL) {
        reason_set(ret_reason, REASON_INPUT, "%s", why_not);
        return NULL;
    }
    void *memory = read_bytes(file, &bytes, ret_reason);
    fclose(file);
    if (memory == NULL)
        return NULL;
    struct image_file *it = calloc(1, sizeof *it);
    char *copy = strdup(name);
    if (it == NULL || copy == NULL)
        reason_set(ret_reason, REASON_SYSTEM, "no memory for its units");
    else if (!unit_file_read(memory, bytes, &it->units, why))
        reason_set(ret_reason, REASON_INPUT, "%s", why);
    else if (!is_of_these_sources(&it->units, ret_reason))
        unit_file_free(&it->units);
    else {
        it->file = copy;
        return it; /* whose units lie in `memory` */
    }
    free(copy);
    free(it);
    free(memory);
    return NULL;
}

const struct image_file *image_file_open(const char *name, struct reason *ret_reason)
{
    for (size_t index = 0; index < opened_count; index++)
        if (strcmp(opened[index]->file, name) == 0)
            return opened[index];
    if (!ARRAY_ROOM(opened, opened_count)) {
        reason_set(ret_reason, REASON_SYSTEM, "no memory for one more");
        return NULL;
    }
    struct image_file *it = read_units(name, ret_reason);
    if (it)
        opened[opened_count++] = it;
    return it;
}
