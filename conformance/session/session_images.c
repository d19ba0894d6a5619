/* Unit files into code paths (session_images.h). Clauses: driver.images.paths,
 * driver.images.recorded. */
#include "conformance/session/session_images.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "conformance/record/record_fields.h"

/* The paths of this program whose code comes from another's file, too. */
static const char *const likes[] = {"sass", "ptx"};

static bool add(const char *file, struct reason *ret_reason)
{
    struct path_addition it = {.name = ""};
    if (strlen(file) >= sizeof it.images)
        return reason_set(ret_reason, REASON_INPUT, "--images: a name of more than %d bytes",
                          PATH_FILE_BYTES - 1);
    snprintf(it.images, sizeof it.images, "%s", file);
    const struct image_file *opened = image_file_open(file, ret_reason);
    if (opened == NULL)
        return reason_before(ret_reason, "--images %.300s: ", file);
    it.digest = opened->units.digest;
    for (size_t index = 0; index < sizeof likes / sizeof likes[0]; index++) {
        snprintf(it.like, sizeof it.like, "%s", likes[index]);
        snprintf(it.name, sizeof it.name, "%s-%s", likes[index], opened->units.name);
        if (!path_add(&it, ret_reason))
            return reason_before(ret_reason, "--images %.300s: ", file);
    }
    return true;
}

bool images_add_all(const struct options *options, struct reason *ret_reason)
{
    for (int index = 0; index < options->images.count; index++)
        if (!add(options->images.names[index], ret_reason))
            return false;
    return true;
}

json_t *images_json(void)
{
    json_t *files = NULL;
    const struct image_file *it = NULL;
    for (int path = 0; path < path_count(); path++) {
        if (path_row(path)->images == NULL || path_row(path)->images == it)
            continue; /* or the row before has it, too */
        it = path_row(path)->images;
        files = files ? files : json_array();
        json_t *object = json_object();
        char digest[24];
        snprintf(digest, sizeof digest, "0x%016" PRIx64, it->units.digest);
        put_image_file_file(object, it->file);
        put_image_file_name(object, it->units.name);
        put_image_file_toolkit(object, it->units.toolkit);
        put_image_file_architectures(object, it->units.architectures);
        put_image_file_options(object, it->units.options);
        put_image_file_digest(object, digest);
        json_array_append_new(files, object);
    }
    return files;
}
