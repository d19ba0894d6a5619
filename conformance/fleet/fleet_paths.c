/* Folders and lists of records (fleet_paths.h). Clauses: fleet.input.folder, fleet.input.list. */
#include "conformance/fleet/fleet_paths.h"

#include <dirent.h>
#include <errno.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "conformance/base/heap.h"
#include "conformance/base/input_file.h"

/* Folders in folders; a loop of links would have no end. */
enum { FOLDERS_DEEP_MAX = 16 };

static void add(struct fleet_paths *paths, const char *path)
{
    HEAP_ROOM(paths->each, paths->count);
    paths->each[paths->count++] = zone_text(&paths->zone, path);
}

static bool is_folder(const char *path)
{
    struct stat status;
    return stat(path, &status) == 0 && S_ISDIR(status.st_mode);
}

static bool is_record_name(const char *name)
{
    static const char *const ends[] = {".json", ".jsonl"};
    const char *dot = strrchr(name, '.');
    bool is_one = false;
    for (size_t end = 0; dot && dot > name && end < sizeof ends / sizeof ends[0]; end++)
        is_one = is_one || strcmp(dot, ends[end]) == 0;
    return is_one;
}

/* Hidden files and folders, such as those of a program that copies records, are left out. */
static int is_shown(const struct dirent *entry)
{
    return entry->d_name[0] != '.';
}

static bool add_folder(struct fleet_paths *paths, const char *folder, int depth,
                       struct reason *ret_reason)
{
    struct dirent **entries;
    const int count = scandir(folder, &entries, is_shown, alphasort);
    if (count < 0)
        return reason_set(ret_reason, reason_of_errno(errno), "%s: %s", folder, strerror(errno));
    bool good = true;
    for (int index = 0; index < count; index++) {
        char path[PATH_MAX];
        const int length =
            snprintf(path, sizeof path, "%s%s%s", folder,
                     folder[strlen(folder) - 1] == '/' ? "" : "/", entries[index]->d_name);
        free(entries[index]);
        if (!good || length >= (int)sizeof path)
            continue;
        if (is_folder(path))
            good = depth == FOLDERS_DEEP_MAX || add_folder(paths, path, depth + 1, ret_reason);
        else if (is_record_name(path))
            add(paths, path);
    }
    free(entries);
    return good;
}

static bool add_word(struct fleet_paths *paths, const char *word, struct reason *ret_reason)
{
    const size_t before = paths->count;
    if (!is_folder(word))
        add(paths, word);
    else if (!add_folder(paths, word, 0, ret_reason))
        return false;
    return paths->count > before ||
           reason_set(ret_reason, REASON_INPUT, "%s: it has no files *.json or *.jsonl", word);
}

static bool add_list(struct fleet_paths *paths, const char *file, struct reason *ret_reason)
{
    const size_t before = paths->count;
    size_t bytes;
    char *text = input_read(INPUT_NAMES, file, &bytes, ret_reason), *rest = text;
    bool good = text != NULL;
    if (!good)
        return reason_before(ret_reason, "%s: cannot be read: ", file);
    for (char *line; good && (line = strsep(&rest, "\n")) != NULL;)
        if (line[0])
            good = add_word(paths, line, ret_reason);
    free(text);
    return good && (paths->count > before ||
                    reason_set(ret_reason, REASON_INPUT, "%s: it names no files", file));
}

bool fleet_paths_add(struct fleet_paths *paths, const char *word, struct reason *ret_reason)
{
    return word[0] == '@' ? add_list(paths, word + 1, ret_reason)
                          : add_word(paths, word, ret_reason);
}

void fleet_paths_close(struct fleet_paths *paths)
{
    free(paths->each);
    zone_free(&paths->zone);
    *paths = (struct fleet_paths){.each = NULL};
}
