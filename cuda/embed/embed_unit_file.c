/* Writes a unit file (cuda/unit_file.h), and reads it as assay will before it is written. Clause:
 * driver.images.file. */
#include "cuda/embed/parts.h"
#include "cuda/unit_file.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* The file in memory, as it grows: bytes that are rows of parts first. */
struct growing {
    unsigned char *bytes;
    size_t count;
    uint32_t part_count;
};

static bool complain(const char *what, const char *why)
{
    fprintf(stderr, "embed: %s: %s\n", what, why);
    return false;
}

static bool grow(struct growing *it, const void *bytes, size_t count)
{
    const size_t all = (it->count + count + UNIT_FILE_ALIGNMENT - 1) & ~(UNIT_FILE_ALIGNMENT - 1u);
    unsigned char *grown = realloc(it->bytes, all);
    if (grown == NULL)
        return complain("memory", strerror(errno));
    memset(grown + it->count, 0, all - it->count);
    if (count > 0)
        memcpy(grown + it->count, bytes, count);
    it->bytes = grown;
    it->count = all;
    return true;
}

static bool add(struct growing *it, enum unit_part_kind kind, int compute_capability,
                const void *bytes, size_t count)
{
    const struct unit_file_part part = {.kind = (uint32_t)kind,
                                        .compute_capability = (uint32_t)compute_capability,
                                        .offset = it->count,
                                        .bytes = count};
    if (!grow(it, bytes, count))
        return false;
    memcpy(it->bytes + sizeof(struct unit_file_header) + it->part_count++ * sizeof part, &part,
           sizeof part);
    return true;
}

static bool add_text(struct growing *it, enum unit_part_kind kind, const char *text)
{
    return add(it, kind, 0, text, strlen(text) + 1);
}

/* The file that follows the words `unit NAME` or `ptx CAPABILITY`; the final 0 counts in PTX. */
static bool add_file(struct growing *it, const struct part *part)
{
    size_t count;
    if (!part->is_there)
        return true;
    char *bytes = part_read(part, &count);
    const bool added =
        bytes && (part->is_unit ? add(it, UNIT_PART_FATBIN, 0, bytes, count)
                                : add(it, UNIT_PART_PTX, atoi(part->name), bytes, count + 1));
    free(bytes);
    return added;
}

static bool end(struct growing *it)
{
    char why[UNIT_FILE_WHY_BYTES];
    struct unit_file read;
    const size_t bytes = it->count + sizeof(uint64_t);
    const struct unit_file_header header = {.magic = UNIT_FILE_MAGIC,
                                            .version = UNIT_FILE_VERSION,
                                            .part_count = it->part_count,
                                            .bytes = bytes};
    memcpy(it->bytes, &header, sizeof header);
    const uint64_t digest = unit_file_digest(UNIT_FILE_DIGEST, it->bytes, it->count);
    if (!grow(it, &digest, sizeof digest))
        return false;
    it->count = bytes;
    if (!unit_file_read(it->bytes, it->count, &read, why))
        return complain("no unit file can be made of that", why);
    unit_file_free(&read);
    return true;
}

bool put_unit_file(FILE *output, char *const *texts, int part_count, const struct part *parts)
{
    static const unsigned char
        room[sizeof(struct unit_file_header) +
             (2 * PARTS_MAX + UNIT_FILE_TEXTS) * sizeof(struct unit_file_part)];
    struct growing file = {.bytes = NULL};
    size_t row_count = UNIT_FILE_TEXTS;
    for (int index = 0; index < part_count; index++)
        row_count += 1u + (parts[index].is_unit && parts[index].is_there);
    bool good = grow(&file, room,
                     sizeof(struct unit_file_header) + row_count * sizeof(struct unit_file_part));
    for (int index = 0; good && index < UNIT_FILE_TEXTS; index++)
        good = add_text(&file, (enum unit_part_kind)index, texts[index]);
    for (int index = 0; good && index < part_count; index++)
        good = (!parts[index].is_unit || add_text(&file, UNIT_PART_UNIT, parts[index].name)) &&
               add_file(&file, &parts[index]);
    good = good && end(&file);
    if (good && fwrite(file.bytes, 1, file.count, output) != file.count)
        good = complain("output", strerror(errno));
    free(file.bytes);
    return good;
}
