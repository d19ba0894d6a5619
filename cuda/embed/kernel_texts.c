/* Turns the kernels' sources into the C source of the table kernel_texts[] (kernel_text.h): a
 * text a unit, with the headers in the place of their #includes:
 *     embed_texts OUTPUT DEPFILE FOLDER OPTIONS [unit NAME FILE NEEDS]...
 * Files and what they include are named from FOLDER. OPTIONS, with spaces between them, are those
 * of every file. NEEDS is the compute capability that the unit's instructions need, as 80 for 8.0,
 * or 0. Runs while assay is built; the depfile has it run again when a file changes. What such a
 * text cannot hold is refused: a header of the system, and a name that means another file to nvcc.
 */
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { FILES_MAX = 1024, NAME_BYTES = 256, PATH_BYTES = 4096, LINE_BYTES = 4096, DEPTH_MAX = 16 };

struct embedding {
    FILE *output;
    const char *folder;
    int file_count; /* each once, for the depfile */
    char files[FILES_MAX][NAME_BYTES];
};

static bool complain(const char *path)
{
    fprintf(stderr, "embed_texts: %s: %s\n", path, strerror(errno));
    return false;
}

static bool refuse(const struct embedding *it, const char *name, const char *why)
{
    fprintf(stderr, "embed_texts: %s/%s: %s\n", it->folder, name, why);
    return false;
}

static const char *path_of(const struct embedding *it, const char *name, char ret[PATH_BYTES])
{
    snprintf(ret, PATH_BYTES, "%s/%s", it->folder, name);
    return ret;
}

static bool note_file(struct embedding *it, const char *name)
{
    for (int index = 0; index < it->file_count; index++)
        if (strcmp(it->files[index], name) == 0)
            return true;
    if (it->file_count == FILES_MAX || strlen(name) >= NAME_BYTES)
        return refuse(it, name, "one file too many, or too long a name");
    snprintf(it->files[it->file_count++], NAME_BYTES, "%s", name);
    return true;
}

/* nvcc looks in the including file's own folder first: a name must mean one file. */
static bool is_hidden(const struct embedding *it, const char *includer, const char *name)
{
    char beside[2 * NAME_BYTES], path[PATH_BYTES];
    const char *slash = strrchr(includer, '/');
    snprintf(beside, sizeof beside, "%.*s/%s", slash ? (int)(slash - includer) : 0, includer, name);
    return slash && access(path_of(it, beside, path), F_OK) == 0;
}

static bool is_plain(const char *line)
{
    while (*line && (*line == '\n' || (*line >= ' ' && *line <= '~')))
        line++;
    return *line == 0;
}

static bool is_include(const char *line)
{
    line += strspn(line, " \t");
    if (*line != '#')
        return false;
    line++;
    line += strspn(line, " \t");
    return strncmp(line, "include", strlen("include")) == 0;
}

/* Up to the line's end. '?' is escaped too, as two of them may start a trigraph. */
static void put_line(const struct embedding *it, const char *text)
{
    fputs("    \"", it->output);
    for (; *text && *text != '\n'; text++)
        fprintf(it->output, strchr("\"\\?", *text) ? "\\%c" : "%c", *text);
    fputs("\\n\"\n", it->output);
}

/* What follows is from that line of the file on. */
static void put_place(const struct embedding *it, int line, const char *name)
{
    char text[NAME_BYTES + 32];
    snprintf(text, sizeof text, "#line %d \"%s\"", line, name);
    put_line(it, text);
}

static bool put_file(struct embedding *it, const char *name, int depth);

static bool put_included(struct embedding *it, const char *includer, const char *line, int depth)
{
    char name[NAME_BYTES];
    if (sscanf(line + strcspn(line, "i"), "include \"%255[^\"\n]\"", name) != 1)
        return refuse(it, includer, "includes a header of the system, which NVRTC has not");
    if (is_hidden(it, includer, name))
        return refuse(it, includer, "includes a name that two files have");
    if (depth == DEPTH_MAX)
        return refuse(it, includer, "is included by itself, or by too many");
    return put_file(it, name, depth + 1);
}

/* The file's lines, an #include replaced by what it includes, as the preprocessor does it. */
static bool put_file(struct embedding *it, const char *name, int depth)
{
    char path[PATH_BYTES], line[LINE_BYTES];
    FILE *input = fopen(path_of(it, name, path), "r");
    if (input == NULL)
        return complain(path);
    bool good = note_file(it, name);
    put_place(it, 1, name);
    for (int number = 1; good && fgets(line, sizeof line, input); number++) {
        if (strlen(line) == LINE_BYTES - 1 || !is_plain(line)) {
            good = refuse(it, name, "a line is too long, or not of ASCII alone");
        } else if (is_include(line)) {
            good = put_included(it, name, line, depth);
            put_place(it, number + 1, name);
        } else {
            put_line(it, line);
        }
    }
    if (ferror(input))
        good = complain(path);
    fclose(input);
    return good;
}

/* For an architecture without its instructions the text is an error: its code would be a trap. */
static void put_needs(const struct embedding *it, const char *needs)
{
    char text[64];
    if (needs == NULL || strcmp(needs, "0") == 0)
        return;
    snprintf(text, sizeof text, "#if defined __CUDA_ARCH__ && __CUDA_ARCH__ < %s0", needs);
    put_line(it, text);
    snprintf(text, sizeof text, "#error needs compute capability %d.%d", atoi(needs) / 10,
             atoi(needs) % 10);
    put_line(it, text);
    put_line(it, "#endif");
}

/* Words: "unit", its name, its file, the compute capability that it needs. */
static bool put_texts(struct embedding *it, int unit_count, char **words)
{
    fputs("/* Written by embed_texts; do not edit. */\n#include \"cuda/kernel_text.h\"\n\n",
          it->output);
    for (int index = 0; index < unit_count; index++) {
        if (strcmp(words[4 * index], "unit") != 0)
            return refuse(it, words[4 * index], "is no unit");
        fprintf(it->output, "static const char text_%d[] =\n", index);
        put_needs(it, words[4 * index + 3]);
        if (!put_file(it, words[4 * index + 2], 0))
            return false;
        fputs("    ;\n", it->output);
    }
    return true;
}

static void put_table(FILE *output, int unit_count, char **words, char *options)
{
    fputs("\nconst struct kernel_text kernel_texts[] = {\n", output);
    for (int index = 0; index < unit_count; index++)
        fprintf(output, "    {\"%s\", \"%s\", text_%d, sizeof(text_%d)},\n", words[4 * index + 1],
                words[4 * index + 2], index, index);
    fprintf(output, "};\nconst int kernel_text_count = %d;\n", unit_count);
    fputs("const char *const kernel_text_options[] = {", output);
    for (char *option = strtok(options, " "); option; option = strtok(NULL, " "))
        fprintf(output, "\"%s\", ", option);
    fputs("NULL};\n", output);
}

static bool write_depfile(const struct embedding *it, const char *depfile, const char *output)
{
    char path[PATH_BYTES];
    FILE *file = fopen(depfile, "w");
    if (file == NULL)
        return complain(depfile);
    fprintf(file, "%s:", output);
    for (int index = 0; index < it->file_count; index++)
        fprintf(file, " %s", path_of(it, it->files[index], path));
    fputc('\n', file);
    return fclose(file) == 0 || complain(depfile);
}

int main(int argc, char **argv)
{
    static struct embedding it;
    const int first = 5; /* of the units' words */
    const int unit_count = (argc - first) / 4;
    if (argc <= first || (argc - first) % 4 != 0) {
        fprintf(stderr, "usage: embed_texts OUTPUT DEPFILE FOLDER OPTIONS "
                        "[unit NAME FILE NEEDS]..., each file named from FOLDER\n");
        return EXIT_FAILURE;
    }
    it.folder = argv[3];
    it.output = fopen(argv[1], "w");
    if (it.output == NULL) {
        complain(argv[1]);
        return EXIT_FAILURE;
    }
    bool good = put_texts(&it, unit_count, argv + first) && write_depfile(&it, argv[2], argv[1]);
    put_table(it.output, unit_count, argv + first, argv[4]);
    if (ferror(it.output) != 0 || fclose(it.output) != 0)
        good = complain(argv[1]);
    if (!good)
        remove(argv[1]); /* half a table must not pass for one */
    return good ? EXIT_SUCCESS : EXIT_FAILURE;
}
