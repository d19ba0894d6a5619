/* Reads an images file (unit_file.h). Nothing in it is believed before it is checked: no offset is
 * followed beyond the end, and what a driver gets is as long as it says. Clauses:
 * driver.images.file, driver.images.hostile. */
#include "cuda/unit_file.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const uint64_t prime = UINT64_C(0x100000001b3);

uint64_t unit_file_digest(uint64_t digest, const void *words, size_t bytes)
{
    for (size_t at = 0; at + sizeof digest <= bytes; at += sizeof digest) {
        uint64_t word;
        memcpy(&word, (const char *)words + at, sizeof word);
        digest = (digest ^ word) * prime;
    }
    return digest;
}

struct reading {
    const unsigned char *file;
    size_t bytes;
    struct unit_file_header header;
    const struct unit_file_part *parts;
    struct unit_file found;
    int ptx_count;
    char *why;
};

__attribute__((format(printf, 2, 3))) static bool refuse(const struct reading *it,
                                                         const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(it->why, UNIT_FILE_WHY_BYTES, format, arguments);
    va_end(arguments);
    return false;
}

static bool refuse_part(const struct reading *it, uint32_t index, const char *what)
{
    return refuse(it, "part %u of %u, at byte %llu: %s", index + 1, it->header.part_count,
                  (unsigned long long)it->parts[index].offset, what);
}

/* The part's bytes are in the file, and are of a kind that may come after the part before it. */
static bool check_place(const struct reading *it, uint32_t index)
{
    const struct unit_file_part *part = &it->parts[index], *before = index > 0 ? part - 1 : NULL;
    if (part->bytes == 0 || part->offset % UNIT_FILE_ALIGNMENT != 0 || part->offset > it->bytes ||
        part->bytes > it->bytes - part->offset)
        return refuse_part(it, index, "its bytes do not lie in the file");
    if (index < UNIT_PART_UNIT ? part->kind != index
                               : part->kind < UNIT_PART_UNIT || part->kind >= UNIT_PART_KINDS)
        return refuse_part(it, index, "it is of no kind that comes here");
    if (part->kind == UNIT_PART_FATBIN && before->kind != UNIT_PART_UNIT)
        return refuse_part(it, index, "machine code without a unit before it");
    if (part->kind == UNIT_PART_PTX &&
        (before->kind < UNIT_PART_UNIT || part->compute_capability <= before->compute_capability ||
         part->compute_capability > 9999))
        return refuse_part(it, index, "PTX without a unit, or out of order");
    if (part->kind != UNIT_PART_PTX && part->compute_capability != 0)
        return refuse_part(it, index, "a compute capability where there is none");
    return true;
}

/* A text ends with its only 0. One but PTX is of letters that can be shown, and one that is a name
 * of few of them. */
static bool check_text(const struct reading *it, uint32_t index)
{
    static const char digits[] = "0123456789", unit[] = "abcdefghijklmnopqrstuvwxyz_";
    static const struct {
        size_t letters_most;
        const char *letters, *more;
    } forms[UNIT_PART_KINDS] = {
        [UNIT_PART_NAME] = {UNIT_FILE_NAME_LETTERS_MAX, digits,
                            "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ.-"},
        [UNIT_PART_TOOLKIT] = {20, digits, "."},
        [UNIT_PART_ARCHITECTURES] = {256, digits, " "},
        [UNIT_PART_OPTIONS] = {1024, NULL, NULL},
        [UNIT_PART_SOURCES] = {18, digits, "abcdefx"},
        [UNIT_PART_UNIT] = {64, digits, unit},
    };
    const struct unit_file_part *part = &it->parts[index];
    const char *text = (const char *)it->file + part->offset;
    if (memchr(text, 0, part->bytes) != text + part->bytes - 1)
        return refuse_part(it, index, "a text that does not end with its only 0");
    if (part->kind == UNIT_PART_PTX)
        return true;
    if (part->bytes - 1 > forms[part->kind].letters_most)
        return refuse_part(it, index, "a text that is too long");
    if (part->bytes == 1 && part->kind != UNIT_PART_OPTIONS)
        return refuse_part(it, index, "a text that is empty");
    for (; *text; text++) {
        const char *letters = forms[part->kind].letters;
        if (letters ? !strchr(letters, *text) && !strchr(forms[part->kind].more, *text)
                    : *text < ' ' || *text > '~')
            return refuse_part(it, index, "a text with a letter that does not belong there");
    }
    return true;
}

/* A driver reads as many bytes as a fatbin itself says that it has. */
static bool check_fatbin(const struct reading *it, uint32_t index)
{
    const struct unit_file_part *part = &it->parts[index];
    struct {
        uint32_t magic;
        uint16_t version, header_bytes;
        uint64_t bytes;
    } fatbin;
    if (part->bytes < sizeof fatbin)
        return refuse_part(it, index, "too short for a fatbin");
    memcpy(&fatbin, it->file + part->offset, sizeof fatbin);
    return (fatbin.magic == 0xba55ed50 && fatbin.header_bytes >= sizeof fatbin &&
            fatbin.header_bytes <= part->bytes &&
            fatbin.bytes <= part->bytes - fatbin.header_bytes) ||
           refuse_part(it, index, "no fatbin, or one that does not end within its bytes");
}

static bool take_unit(struct reading *it, uint32_t index, int *count)
{
    const char *name = (const char *)it->file + it->parts[index].offset;
    for (int image = 0; image < *count; image++)
        if (strcmp(it->found.images[image].unit, name) == 0)
            return refuse_part(it, index, "a unit that occurs twice");
    it->found.images[(*count)++] = (struct image){.unit = name};
    return true;
}

/* Turns parts into images; they were checked. */
static bool take_parts(struct reading *it)
{
    const char *const file = (const char *)it->file;
    struct image_ptx *ptx = it->found.ptx;
    int count = 0;
    it->found.name = file + it->parts[UNIT_PART_NAME].offset;
    it->found.toolkit = file + it->parts[UNIT_PART_TOOLKIT].offset;
    it->found.architectures = file + it->parts[UNIT_PART_ARCHITECTURES].offset;
    it->found.options = file + it->parts[UNIT_PART_OPTIONS].offset;
    it->found.sources = file + it->parts[UNIT_PART_SOURCES].offset;
    for (uint32_t index = UNIT_PART_UNIT; index < it->header.part_count; index++) {
        const struct unit_file_part *part = &it->parts[index];
        if (part->kind == UNIT_PART_UNIT && !take_unit(it, index, &count))
            return false;
        struct image *image = &it->found.images[count - 1];
        if (part->kind == UNIT_PART_FATBIN) {
            image->fatbin = it->file + part->offset;
            image->fatbin_bytes = part->bytes;
        } else if (part->kind == UNIT_PART_PTX) {
            image->ptx = image->ptx ? image->ptx : ptx;
            image->ptx_count++;
            *ptx++ = (struct image_ptx){(int)part->compute_capability, it->file + part->offset,
                                        part->bytes};
        }
    }
    return true;
}

bool unit_file_read(const void *file, size_t bytes, struct unit_file *ret,
                    char ret_why[UNIT_FILE_WHY_BYTES])
{
    struct reading it = {.file = file, .bytes = bytes, .why = ret_why};
    struct unit_file_header *header = &it.header;
    uint64_t digest;
    if (it.bytes < sizeof *header + sizeof digest)
        return refuse(&it, "it has %zu bytes, fewer than an images file's header", it.bytes);
    memcpy(header, it.file, sizeof *header);
    if (memcmp(header->magic, UNIT_FILE_MAGIC, sizeof header->magic) != 0)
        return refuse(&it, "byte 0: it is no images file, as cuda/make_images writes it");
    if (header->version != UNIT_FILE_VERSION)
        return refuse(&it, "byte 8: it is of version %u, and this assay reads version %d",
                      header->version, UNIT_FILE_VERSION);
    if (header->bytes != it.bytes || it.bytes % sizeof digest != 0)
        return refuse(&it, "byte 16: it says that it has %llu bytes, and has %zu",
                      (unsigned long long)header->bytes, it.bytes);
    if (header->part_count > UNIT_FILE_PARTS_MAX ||
        header->part_count > (it.bytes - sizeof *header) / sizeof *it.parts)
        return refuse(&it, "byte 12: no room for %u parts", header->part_count);
    memcpy(&digest, it.file + it.bytes - sizeof digest, sizeof digest);
    it.found.digest = unit_file_digest(UNIT_FILE_DIGEST, it.file, it.bytes - sizeof digest);
    if (it.found.digest != digest)
        return refuse(&it, "byte %zu: its digest is of other bytes: the file is damaged",
                      it.bytes - sizeof digest);
    /* 24 bytes from the beginning on, and of 8-byte words. */
    it.parts = (const void *)(it.file + sizeof it.header);
    if (it.header.part_count < UNIT_PART_UNIT)
        return refuse(&it, "byte 12: it has %u parts, and %d come before the first unit",
                      it.header.part_count, UNIT_PART_UNIT);
    for (uint32_t index = 0; index < it.header.part_count; index++) {
        const uint32_t kind = it.parts[index].kind;
        if (!check_place(&it, index) ||
            !(kind == UNIT_PART_FATBIN ? check_fatbin(&it, index) : check_text(&it, index)))
            return false;
        it.found.image_count += kind == UNIT_PART_UNIT;
        it.ptx_count += kind == UNIT_PART_PTX;
    }
    it.found.images = calloc((size_t)it.found.image_count + 1, sizeof *it.found.images);
    it.found.ptx = calloc((size_t)it.ptx_count + 1, sizeof *it.found.ptx);
    if (!it.found.images || !it.found.ptx ? !refuse(&it, "no memory for its rows")
                                          : !take_parts(&it)) {
        unit_file_free(&it.found);
        return false;
    }
    *ret = it.found;
    return true;
}

void unit_file_free(struct unit_file *file)
{
    free(file->images);
    free(file->ptx);
    *file = (struct unit_file){.name = NULL};
}

const struct image *unit_file_image(const struct unit_file *file, const char *unit)
{
    for (int index = 0; index < file->image_count; index++)
        if (strcmp(file->images[index].unit, unit) == 0)
            return &file->images[index];
    return NULL;
}
