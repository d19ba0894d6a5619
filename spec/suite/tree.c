/* Reads the source tree for the spec suite (tree.h). */
#include "spec/suite/tree.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { DEPTH_MAX = 8, PATH_BYTES = 1024 };

static const char *const folders[] = {"spec", "cpu_ref", "cuda", "conformance", "fuzz"};

static bool ends_with(const char *text, const char *end)
{
    size_t bytes = strlen(text), end_bytes = strlen(end);
    return bytes > end_bytes && strcmp(text + bytes - end_bytes, end) == 0;
}

/* left/right; false where it does not fit. */
static bool path_join(char ret[PATH_BYTES], const char *left, const char *right)
{
    int bytes = snprintf(ret, PATH_BYTES, "%s/%s", left, right);
    return bytes > 0 && bytes < PATH_BYTES;
}

static bool path_is_source(const char *path)
{
    return ends_with(path, ".c") || ends_with(path, ".h") || ends_with(path, ".cu") ||
           ends_with(path, ".def") || ends_with(path, ".inc");
}

static const char *name_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

bool tree_path_tests(const char *path)
{
    return strncmp(name_of(path), "test_", 5) == 0 || strstr(path, "/test/") ||
           strncmp(path, "spec/suite/", 11) == 0 || strncmp(path, "fuzz/targets/", 13) == 0;
}

bool tree_is_kernel(const struct tree_file *file)
{
    return ends_with(file->path, ".cu") && strncmp(file->path, "cuda/mutants/", 13) != 0 &&
           !strstr(file->path, "/test_");
}

bool tree_is_script(const struct tree_file *file)
{
    return (ends_with(file->path, ".sh") || ends_with(file->path, ".py")) &&
           tree_path_tests(file->path) && strncmp(file->text, "#!", 2) == 0;
}

bool tree_is_source(const struct tree_file *file)
{
    return path_is_source(file->path);
}

bool tree_is_test(const struct tree_file *file)
{
    if (!ends_with(file->path, ".c"))
        return false;
    bool named = strncmp(name_of(file->path), "test_", 5) == 0 || strstr(file->path, "/test/");
    return named && (strstr(file->text, "START_TEST(") || strstr(file->text, "main("));
}

bool tree_is_page(const struct tree_file *file)
{
    return strncmp(file->path, "spec/", 5) == 0 && !strchr(file->path + 5, '/') &&
           ends_with(file->path, ".md") && strcmp(file->path, "spec/README.md") != 0;
}

void tree_page_name(const struct tree_file *file, char *ret, size_t bytes)
{
    const char *name = file->path + strlen("spec/");
    snprintf(ret, bytes, "%.*s", (int)(strlen(name) - strlen(".md")), name);
}

bool tree_add(struct tree *tree, const char *path, const char *text, size_t bytes)
{
    struct tree_file *files = realloc(tree->files, (tree->count + 1) * sizeof *files);
    if (!files)
        return false;
    tree->files = files;
    struct tree_file file = {strdup(path), malloc(bytes + 1), bytes};
    if (!file.path || !file.text) {
        free(file.path);
        free(file.text);
        return false;
    }
    memcpy(file.text, text, bytes);
    file.text[bytes] = 0;
    files[tree->count++] = file;
    return true;
}

static int path_compare(const void *left, const void *right)
{
    return strcmp(((const struct tree_file *)left)->path, ((const struct tree_file *)right)->path);
}

void tree_sort(struct tree *tree)
{
    if (tree->count)
        qsort(tree->files, tree->count, sizeof *tree->files, path_compare);
}

const struct tree_file *tree_find(const struct tree *tree, const char *path)
{
    struct tree_file key = {.path = (char *)path};
    return tree->count ? bsearch(&key, tree->files, tree->count, sizeof *tree->files, path_compare)
                       : NULL;
}

void tree_free(struct tree *tree)
{
    for (size_t index = 0; index < tree->count; index++) {
        free(tree->files[index].path);
        free(tree->files[index].text);
    }
    free(tree->files);
    *tree = (struct tree){NULL, 0};
}

/* Reads the open file to its end. */
static bool stream_read(FILE *stream, char **ret_text, size_t *ret_bytes)
{
    char *text = NULL, chunk[16384];
    size_t bytes = 0, got;
    FILE *memory = open_memstream(&text, &bytes);
    if (!memory)
        return false;
    while ((got = fread(chunk, 1, sizeof chunk, stream)) > 0)
        fwrite(chunk, 1, got, memory);
    bool whole = !ferror(stream) && !ferror(memory);
    if (fclose(memory) != 0 || !whole) {
        free(text);
        return false;
    }
    *ret_text = text;
    *ret_bytes = bytes;
    return true;
}

static bool file_load(struct tree *tree, const char *root, const char *path)
{
    char full[PATH_BYTES], *text;
    size_t bytes;
    FILE *stream = path_join(full, root, path) ? fopen(full, "rb") : NULL;
    if (!stream)
        return false;
    bool done = stream_read(stream, &text, &bytes);
    fclose(stream);
    if (!done)
        return false;
    done = tree_add(tree, path, text, bytes);
    free(text);
    return done;
}

static bool folder_load(struct tree *tree, const char *root, const char *folder, int depth);

static bool entry_load(struct tree *tree, const char *root, const char *path, int depth)
{
    char full[PATH_BYTES];
    struct stat status;
    if (!path_join(full, root, path) || lstat(full, &status) != 0)
        return false;
    if (S_ISDIR(status.st_mode))
        return depth < DEPTH_MAX && folder_load(tree, root, path, depth + 1);
    if (!S_ISREG(status.st_mode) || !(path_is_source(path) || ends_with(path, ".md") ||
                                      ends_with(path, ".sh") || ends_with(path, ".py")))
        return true;
    return file_load(tree, root, path);
}

static bool folder_load(struct tree *tree, const char *root, const char *folder, int depth)
{
    char path[PATH_BYTES];
    bool done = true;
    DIR *directory = path_join(path, root, folder) ? opendir(path) : NULL;
    if (!directory)
        return false;
    for (struct dirent *entry; done && (entry = readdir(directory));)
        if (entry->d_name[0] != '.')
            done = path_join(path, folder, entry->d_name) && entry_load(tree, root, path, depth);
    closedir(directory);
    return done;
}

bool tree_load(const char *root, struct tree *ret, char *why, size_t why_bytes)
{
    struct tree tree = {NULL, 0};
    for (size_t index = 0; index < sizeof folders / sizeof *folders; index++) {
        errno = 0;
        if (folder_load(&tree, root, folders[index], 0))
            continue;
        snprintf(why, why_bytes, "%s/%s cannot be read: %s", root, folders[index],
                 errno ? strerror(errno) : "its paths are too long or too deep");
        tree_free(&tree);
        return false;
    }
    file_load(&tree, root, "README.md"); /* may be missing */
    tree_sort(&tree);
    *ret = tree;
    return true;
}
