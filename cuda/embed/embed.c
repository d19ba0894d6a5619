/* Turns compiled kernels into the C source of the table images[] (image.h):
 *     embed OUTPUT TOOLKIT ARCHITECTURES [UNIT FATBIN PTX]...
 * A file given as "-" is not there, and its pointer is NULL. Runs while assay is built; unlike an
 * assembler's .incbin it is run again when a file changes. */
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
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

static bool is_there(const char *path)
{
    return strcmp(path, "-") != 0;
}

/* Writes the file as an array `name`, a 0 behind its last byte; nothing where there is no file. */
static bool put_array(FILE *output, const char *name, int index, const char *path)
{
    if (!is_there(path))
        return true;
    FILE *input = fopen(path, "rb");
    if (input == NULL)
        return complain(path);
    /* A fatbin is read as 64-bit words. */
    fprintf(output, "static const _Alignas(16) unsigned char %s_%d[] =\n    \"", name, index);
    unsigned long long bytes = 0;
    for (int byte = fgetc(input); byte != EOF; byte = fgetc(input)) {
        if (bytes++ % BYTES_PER_LINE == 0)
            fputs("\"\n    \"", output);
        put_byte(output, byte);
    }
    fputs("\";\n", output);
    const bool read_all = ferror(input) == 0;
    fclose(input);
    return read_all || complain(path);
}

/* The final 0 counts in a PTX text, which is handed over with it, and not in a fatbin. */
static void put_row(FILE *output, int index, char **unit)
{
    fprintf(output, "    {.unit = \"%s\"", unit[0]);
    if (is_there(unit[1]))
        fprintf(output, ", .fatbin = fatbin_%d, .fatbin_bytes = sizeof(fatbin_%d) - 1", index,
                index);
    if (is_there(unit[2]))
        fprintf(output, ", .ptx = ptx_%d, .ptx_bytes = sizeof(ptx_%d)", index, index);
    fputs("},\n", output);
}

static bool put_table(FILE *output, const char *toolkit, const char *architectures, int unit_count,
                      char **units)
{
    fputs("/* Written by embed; do not edit. */\n#include \"cuda/image.h\"\n\n", output);
    for (int index = 0; index < unit_count; index++) {
        if (!put_array(output, "fatbin", index, units[3 * index + 1]) ||
            !put_array(output, "ptx", index, units[3 * index + 2]))
            return false;
    }
    fputs("\nconst struct image images[] = {\n", output);
    for (int index = 0; index < unit_count; index++)
        put_row(output, index, units + 3 * index);
    fprintf(output, "};\nconst int image_count = %d;\n", unit_count);
    fprintf(output, "const char *const image_toolkit = \"%s\";\n", toolkit);
    fprintf(output, "const char *const image_architectures = \"%s\";\n", architectures);
    return true;
}

int main(int argc, char **argv)
{
    if (argc < 7 || (argc - 4) % 3 != 0) {
        fputs("usage: embed OUTPUT TOOLKIT ARCHITECTURES UNIT FATBIN PTX [UNIT FATBIN PTX]...\n",
              stderr);
        return EXIT_FAILURE;
    }
    FILE *output = fopen(argv[1], "w");
    if (output == NULL) {
        complain(argv[1]);
        return EXIT_FAILURE;
    }
    bool good = put_table(output, argv[2], argv[3], (argc - 4) / 3, argv + 4);
    if (ferror(output) != 0 || fclose(output) != 0)
        good = complain(argv[1]);
    if (!good)
        remove(argv[1]); /* half a table must not pass for one */
    return good ? EXIT_SUCCESS : EXIT_FAILURE;
}
