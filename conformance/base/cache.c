/* Entries of the user's cache (cache.h), a file each. Clauses: driver.candidate.cached,
 * driver.candidate.trimmed. */
#include "conformance/base/cache.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#define XXH_INLINE_ALL
#include <xxhash.h>

#include "conformance/base/array.h"
#include "conformance/base/file.h"
#include "conformance/base/input_file.h"
#include "conformance/base/process.h"

/* The first bytes of a file; the last letter is the number of its form. */
static const char magic[8] = "assay 1";

struct entry {
    char magic[sizeof magic];
    struct cache_key key, digest;
    uint64_t count;
};

static struct cache_key key_of_hash(XXH128_hash_t hash)
{
    return (struct cache_key){{hash.low64, hash.high64}};
}

static bool is_same(const struct cache_key *left, const struct cache_key *right)
{
    return left->words[0] == right->words[0] && left->words[1] == right->words[1];
}

struct cache_key cache_key(const struct cache_part *parts, int part_count)
{
    XXH3_state_t state;
    XXH3_128bits_reset(&state);
    for (int index = 0; index < part_count; index++) {
        const uint64_t count = parts[index].count;
        XXH3_128bits_update(&state, &count, sizeof count);
        XXH3_128bits_update(&state, parts[index].bytes, parts[index].count);
    }
    return key_of_hash(XXH3_128bits_digest(&state));
}

bool cache_key_of_file(const char *path, struct cache_key *ret, struct reason *ret_reason)
{
    size_t count;
    char *bytes = input_read(INPUT_COMPILER, path, &count, ret_reason);
    if (bytes == NULL)
        return reason_before(ret_reason, "%s cannot be read: ", path);
    *ret = key_of_hash(XXH3_128bits(bytes, count));
    free(bytes);
    return true;
}

const char *cache_key_text(const struct cache_key *key, char ret_text[CACHE_KEY_TEXT_BYTES])
{
    snprintf(ret_text, CACHE_KEY_TEXT_BYTES, "%016" PRIx64 "%016" PRIx64, key->words[1],
             key->words[0]);
    return ret_text;
}

/* The folder, open, or less than 0. `is_made`: with all folders above it. */
static int open_folder(bool is_made)
{
    char name[FILE_FOLDER_BYTES];
    if (!file_user_folder("XDG_CACHE_HOME", ".cache", name))
        return -1;
    if (is_made)
        file_make_folders(name);
    return open(name, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
}

/* True for the bytes of a file that is a whole entry. */
static bool is_entry(const char *bytes, size_t count, const struct cache_key *key)
{
    struct entry entry;
    if (count <= sizeof entry)
        return false;
    memcpy(&entry, bytes, sizeof entry);
    const struct cache_key digest =
        key_of_hash(XXH3_128bits(bytes + sizeof entry, count - sizeof entry));
    return memcmp(entry.magic, magic, sizeof magic) == 0 && is_same(&entry.key, key) &&
           entry.count == count - sizeof entry && is_same(&digest, &entry.digest);
}

void *cache_read(const struct cache_key *key, size_t *ret_count)
{
    char name[CACHE_KEY_TEXT_BYTES], folder[FILE_FOLDER_BYTES];
    char path[sizeof folder + sizeof name];
    struct reason reason;
    size_t count = 0;
    static atomic_bool hangs; /* one entry that does not come is enough */
    if (hangs || !file_user_folder("XDG_CACHE_HOME", ".cache", folder))
        return NULL;
    const double began_s = clock_now_s();
    snprintf(path, sizeof path, "%s/%s", folder, cache_key_text(key, name));
    char *bytes = input_read(INPUT_CODE, path, &count, &reason);
    if (bytes && is_entry(bytes, count, key)) {
        *ret_count = count - sizeof(struct entry);
        memmove(bytes, bytes + sizeof(struct entry), *ret_count);
        utimensat(AT_FDCWD, path, NULL, AT_SYMLINK_NOFOLLOW); /* it was used now */
        return bytes;
    }
    free(bytes);
    hangs = clock_now_s() - began_s > INPUT_WAIT_S;
    return NULL;
}

/* A file of the folder, and when it was used. */
struct kept {
    char name[NAME_MAX + 1];
    struct timespec used;
    uint64_t bytes;
};

static int sort_kept(const void *left, const void *right)
{
    const struct timespec *a = &((const struct kept *)left)->used;
    const struct timespec *b = &((const struct kept *)right)->used;
    if (a->tv_sec != b->tv_sec)
        return a->tv_sec < b->tv_sec ? -1 : 1;
    return (a->tv_nsec > b->tv_nsec) - (a->tv_nsec < b->tv_nsec);
}

/* The entries, for free(); how many, and how many bytes they have together. */
static struct kept *list_entries(DIR *folder, size_t *ret_count, uint64_t *ret_bytes)
{
    struct kept *all = NULL;
    struct stat status;
    *ret_count = 0;
    *ret_bytes = 0;
    for (const struct dirent *it; (it = readdir(folder)) != NULL;) {
        /* An entry, or one that is being written, or whose writer was killed. */
        const size_t digits = strspn(it->d_name, "0123456789abcdef");
        if (digits != CACHE_KEY_TEXT_BYTES - 1 ||
            (it->d_name[digits] && it->d_name[digits] != '.') ||
            fstatat(dirfd(folder), it->d_name, &status, AT_SYMLINK_NOFOLLOW) != 0 ||
            !S_ISREG(status.st_mode))
            continue;
        if (!ARRAY_ROOM(all, *ret_count))
            break;
        struct kept *kept = &all[(*ret_count)++];
        *kept = (struct kept){.used = status.st_mtim, .bytes = (uint64_t)status.st_size};
        snprintf(kept->name, sizeof kept->name, "%s", it->d_name);
        *ret_bytes += kept->bytes;
    }
    return all;
}

void cache_trim(uint64_t bytes_max)
{
    uint64_t bytes;
    size_t count;
    const int file = open_folder(false);
    DIR *folder = file < 0 ? NULL : fdopendir(file);
    if (folder == NULL) {
        if (file >= 0)
            close(file);
        return;
    }
    struct kept *all = list_entries(folder, &count, &bytes);
    if (bytes > bytes_max)
        qsort(all, count, sizeof *all, sort_kept);
    for (size_t index = 0; index < count && bytes > bytes_max; index++) {
        unlinkat(dirfd(folder), all[index].name, 0); /* or another program has done so */
        bytes -= all[index].bytes;
    }
    free(all);
    closedir(folder);
}

void cache_write(const struct cache_key *key, const void *bytes, size_t count)
{
    static _Atomic unsigned number;
    static _Atomic uint64_t written_bytes;
    char name[CACHE_KEY_TEXT_BYTES], partial[CACHE_KEY_TEXT_BYTES + 48];
    struct entry entry = {.key = *key, .count = count};
    memcpy(entry.magic, magic, sizeof magic);
    entry.digest = key_of_hash(XXH3_128bits(bytes, count));
    const int folder = open_folder(true);
    if (folder < 0)
        return;
    /* Trims before this program's first entry, and so often that all workers of a run together
     * write at most a sixteenth of the limit between two trims. */
    const uint64_t step = CACHE_BYTES_MAX / 16 / 64, more = sizeof entry + count;
    const uint64_t before = atomic_fetch_add(&written_bytes, more), after = before + more;
    if (before == 0 || before / step != after / step)
        cache_trim(CACHE_BYTES_MAX);
    snprintf(partial, sizeof partial, "%s.%ld.%u", cache_key_text(key, name), (long)getpid(),
             number++);
    const int file =
        openat(folder, partial, O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC, 0600);
    const bool written =
        file >= 0 && output_write(file, &entry, sizeof entry) && output_write(file, bytes, count);
    const bool closed = file >= 0 && close(file) == 0;
    if (file >= 0 && !(written && closed && renameat(folder, partial, folder, name) == 0))
        unlinkat(folder, partial, 0);
    close(folder);
}
