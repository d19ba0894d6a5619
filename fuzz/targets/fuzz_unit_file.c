/* Any bytes as an images file: refused with one printable line, or images that are in those bytes.
 * Then the same with a digest that is right, so that what follows it is read, too. */
#include <string.h>

#include "cuda/unit_file.h"
#include "fuzz/targets/target.h"

enum { FILE_BYTES_MAX = 1 << 16 };

static void read_file(const unsigned char *file, size_t bytes)
{
    struct unit_file read;
    char why[UNIT_FILE_WHY_BYTES] = "";
    if (!unit_file_read(file, bytes, &read, why)) {
        MUST(why[0] != 0);
        for (const char *letter = why; *letter; letter++)
            MUST((unsigned char)*letter >= ' ' && *letter != 0x7f);
        return;
    }
    for (int index = 0; index < read.image_count; index++) {
        const struct image *image = &read.images[index];
        MUST(unit_file_image(&read, image->unit) == image);
        MUST(image->fatbin == NULL ||
             (image->fatbin >= file && image->fatbin + image->fatbin_bytes <= file + bytes));
        for (int ptx = 0; ptx < image->ptx_count; ptx++)
            MUST(strlen((const char *)image->ptx[ptx].text) + 1 == image->ptx[ptx].bytes);
    }
    unit_file_free(&read);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
    static _Alignas(UNIT_FILE_ALIGNMENT) unsigned char file[FILE_BYTES_MAX];
    struct unit_file_header header;
    uint64_t digest;
    bytes = bytes > sizeof file ? sizeof file : bytes;
    memcpy(file, data, bytes);
    read_file(file, bytes);
    bytes -= bytes % sizeof digest;
    if (bytes < sizeof header + sizeof digest)
        return 0;
    memcpy(&header, file, sizeof header);
    header.bytes = bytes;
    memcpy(file, &header, sizeof header);
    digest = unit_file_digest(UNIT_FILE_DIGEST, file, bytes - sizeof digest);
    memcpy(file + bytes - sizeof digest, &digest, sizeof digest);
    read_file(file, bytes);
    return 0;
}
