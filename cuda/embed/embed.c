/* Turns compiled kernels into the C source of the table images[] (image.h), or into a unit file
 * (unit_file.h):
 *     embed OUTPUT TOOLKIT ARCHITECTURES [unit NAME FATBIN [ptx CAPABILITY PTX]...]...
 *     embed --unit-file OUTPUT NAME TOOLKIT ARCHITECTURES OPTIONS SOURCES [unit ...]...
 * A fatbin given as "-" is not there, and its pointer is NULL. PTX comes in ascending order of the
 * compute capability, and is written with the lowest version that it needs (ptx_version.h). Runs
 * while assay is built; unlike an assembler's .incbin it is run again when a file changes. */
#include "cuda/embed/parts.h"
#include "cuda/embed/ptx_version.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

enum { BYTES_PER_LINE = 64 };

static bool complain(const char *path)
{
    fprintf(stderr, "embed: %s: %s\n", path, strerror(errno));
    return false;
}

/* Bytes as they are where C's strings take them so; anything else as three octal digits, which
 * cannot run into a digit that follows. '?' is escaped, as two of them may start a trigraph. */
static void put_byte(FILE *output, int byte)
{
    if (byte >= ' ' && byte <= '~' && strchr("\"\\?", byte) == NULL)
        fputc(byte, output);
    else
        fprintf(output, "\\%03o", (unsigned)byte);
}

static bool read_part(char **words, struct part *ret)
{
    ret->is_unit = strcmp(words[0], "unit") == 0;
    ret->name = words[1];
    ret->path = words[2];
    ret->is_there = strcmp(words[2], "-") != 0;
    return ret->is_unit || (strcmp(words[0], "ptx") == 0 && ret->is_there);
}

/* All of the file and a 0. */
static char *read_file(const char *path, size_t *ret_bytes)
{
    FILE *input = fopen(path, "rb");
    size_t room = 1 << 16, used = 0;
    char *text = NULL, *more = input ? malloc(room) : NULL;
    while (more) {
        text = more;
        used += fread(text + used, 1, room - 1 - used, input);
        more = used == room - 1 ? realloc(text, room *= 2) : NULL;
    }
    const bool good = text && used < room - 1 && ferror(input) == 0;
    if (!good)
        complain(path);
    if (input)
        fclose(input);
    if (!good) {
        free(text);
        return NULL;
    }
    text[used] = 0;
    *ret_bytes = used;
    return text;
}

char *part_read(const struct part *part, size_t *ret_bytes)
{
    char *file = read_file(part->path, ret_bytes);
    if (file && !part->is_unit)
        ptx_version_lower(file);
    return file;
}

/* Writes the file as an array of its own, a 0 after its last byte; nothing where there is no file.
 */
static bool put_array(FILE *output, int index, const struct part *part)
{
    size_t bytes;
    if (!part->is_there)
        return true;
    char *file = part_read(part, &bytes);
    if (file == NULL)
        return false;
    /* A fatbin is read as 64-bit words. */
    fprintf(output, "static const _Alignas(16) unsigned char file_%d[] =\n    \"", index);
    for (size_t at = 0; at < bytes; at++) {
        if (at % BYTES_PER_LINE == 0)
            fputs("\"\n    \"", output);
        put_byte(output, (unsigned char)file[at]);
    }
    fputs("\";\n", output);
    free(file);
    return true;
}

/* How many PTX follow the unit at `index`. */
static int count_ptx(int part_count, const struct part *parts, int index)
{
    int count = 0;
    while (index + 1 + count < part_count && !parts[index + 1 + count].is_unit)
        count++;
    return count;
}

/* The final 0 counts in a PTX text, which is handed over with it, and not in a fatbin. */
static void put_ptx(FILE *output, int part_count, const struct part *parts, int index)
{
    const int count = count_ptx(part_count, parts, index);
    if (count == 0)
        return;
    fprintf(output, "static const struct image_ptx ptx_%d[] = {\n", index);
    for (int part = index + 1; part <= index + count; part++)
        fprintf(output, "    {%s, file_%d, sizeof(file_%d)},\n", parts[part].name, part, part);
    fputs("};\n", output);
}

static void put_row(FILE *output, int part_count, const struct part *parts, int index)
{
    const int count = count_ptx(part_count, parts, index);
    fprintf(output, "    {.unit = \"%s\"", parts[index].name);
    if (parts[index].is_there)
        fprintf(output, ", .fatbin = file_%d, .fatbin_bytes = sizeof(file_%d) - 1", index, index);
    if (count > 0)
        fprintf(output, ", .ptx = ptx_%d, .ptx_count = %d", index, count);
    fputs("},\n", output);
}

static bool put_table(FILE *output, const char *toolkit, const char *architectures, int part_count,
                      const struct part *parts)
{
    int unit_count = 0;
    fputs("/* Written by embed; do not edit. */\n#include \"cuda/image.h\"\n\n", output);
    for (int index = 0; index < part_count; index++)
        if (!put_array(output, index, &parts[index]))
            return false;
    for (int index = 0; index < part_count; index++)
        if (parts[index].is_unit)
            put_ptx(output, part_count, parts, index);
    fputs("\nconst struct image images[] = {\n", output);
    for (int index = 0; index < part_count; index++) {
        if (parts[index].is_unit)
            put_row(output, part_count, parts, index);
        unit_count += parts[index].is_unit;
    }
    fprintf(output, "};\nconst int image_count = %d;\n", unit_count);
    fprintf(output, "const char *const image_toolkit = \"%s\";\n", toolkit);
    fprintf(output, "const char *const image_architectures = \"%s\";\n", architectures);
    return true;
}

/* Reads the words after the first ones; the first part is a unit. Returns how many there are, or 0
 * where they are none. */
static int read_parts(int count, char **words, struct part *ret)
{
    if (count < 3 || count % 3 != 0 || count / 3 > PARTS_MAX)
        return 0;
    for (int index = 0; index < count / 3; index++)
        if (!read_part(words + 3 * index, &ret[index]))
            return 0;
    return ret[0].is_unit ? count / 3 : 0;
}

int main(int argc, char **argv)
{
    static struct part parts[PARTS_MAX];
    const bool is_unit_file = argc > 1 && strcmp(argv[1], "--unit-file") == 0;
    char **words = argv + 1 + is_unit_file; /* from the output's name on */
    const int before = is_unit_file ? 2 + 1 + UNIT_FILE_TEXTS : 1 + 3;
    const int part_count = read_parts(argc - before, argv + before, parts);
    if (part_count == 0) {
        fprintf(stderr,
                "usage: embed OUTPUT TOOLKIT ARCHITECTURES [unit NAME FATBIN [ptx CAPABILITY "
                "PTX]...]..., at most %d files; or embed --unit-file OUTPUT NAME TOOLKIT "
                "ARCHITECTURES OPTIONS SOURCES [unit ...]...\n",
                PARTS_MAX);
        return EXIT_FAILURE;
    }
    FILE *output = fopen(words[0], "wb");
    if (output == NULL) {
        complain(words[0]);
        return EXIT_FAILURE;
    }
    bool good = is_unit_file ? put_unit_file(output, words + 1, part_count, parts)
                             : put_table(output, words[1], words[2], part_count, parts);
    if (ferror(output) != 0 || fclose(output) != 0)
        good = complain(words[0]);
    if (!good)
        remove(words[0]); /* half a table must not pass for one */
    return good ? EXIT_SUCCESS : EXIT_FAILURE;
}
