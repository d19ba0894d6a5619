/* Looking for NVRTC (nvrtc_find.h). Clause: driver.nvrtc.found. */
#include "cuda/paths/nvrtc_find.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { DEPTH_MAX = 8 }; /* folders below the one that is named: a toolkit has 3, a wheel 3 */

struct search {
    char found[NVRTC_PATH_BYTES], other[NVRTC_PATH_BYTES]; /* files, no links; "": none */
};

static bool is_library(const char *name)
{
    static const char begin[] = "libnvrtc.so";
    return strncmp(name, begin, strlen(begin)) == 0 &&
           (name[strlen(begin)] == 0 || name[strlen(begin)] == '.');
}

/* Several names of one file are one. */
static void add_file(struct search *search, const char *path)
{
    char *file = realpath(path, NULL);
    if (file && search->found[0] == 0)
        snprintf(search->found, sizeof search->found, "%s", file);
    else if (file && strcmp(search->found, file) != 0)
        snprintf(search->other, sizeof search->other, "%s", file);
    free(file);
}

static void search_folder(struct search *search, const char *folder, int depth)
{
    DIR *entries = opendir(folder);
    struct dirent *entry;
    while (entries && (entry = readdir(entries)) != NULL) {
        char path[NVRTC_PATH_BYTES];
        struct stat status;
        if (snprintf(path, sizeof path, "%s/%s", folder, entry->d_name) >= (int)sizeof path ||
            lstat(path, &status) != 0 || strcmp(entry->d_name, ".") == 0 ||
            strcmp(entry->d_name, "..") == 0)
            continue;
        if (S_ISDIR(status.st_mode) &&
            depth < DEPTH_MAX) /* a link's folder has a place of its own */
            search_folder(search, path, depth + 1);
        else if (!S_ISDIR(status.st_mode) && is_library(entry->d_name))
            add_file(search, path);
    }
    if (entries)
        closedir(entries);
}

static bool is_wheel(const char *path)
{
    const size_t length = strlen(path);
    return length > 4 && strcmp(path + length - 4, ".whl") == 0;
}

bool nvrtc_find(const char *path, char ret_file[NVRTC_PATH_BYTES], char ret_why[NVRTC_TEXT_BYTES])
{
    struct search search = {.found = ""};
    struct stat status;
    const char *why = "";
    if (stat(path, &status) != 0)
        why = strerror(errno);
    else if (is_wheel(path) && !S_ISDIR(status.st_mode))
        why = "it is packed: `unzip -d FOLDER` it, and name the folder";
    else if (!S_ISDIR(status.st_mode))
        add_file(&search, path);
    else
        search_folder(&search, path, 0);
    if (why[0] == 0 && search.found[0] == 0)
        why = "there is no libnvrtc.so in it";
    if (search.other[0]) {
        snprintf(ret_why, NVRTC_TEXT_BYTES, "it has two: %.200s and %.200s; name one", search.found,
                 search.other);
        return false;
    }
    if (why[0]) {
        snprintf(ret_why, NVRTC_TEXT_BYTES, "%s", why);
        return false;
    }
    snprintf(ret_file, NVRTC_PATH_BYTES, "%s", search.found);
    return true;
}
