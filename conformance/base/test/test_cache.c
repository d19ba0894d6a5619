/* The user's cache: what is kept comes back whole, or not at all (cache.h). */
#include <dirent.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/resource.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "conformance/base/cache.h"
#include "spec/testing.h"

static const char *folder;
static const char text[] = "what was made";

/* The name of an entry's file. */
static const char *file_of(const struct cache_key *key)
{
    static char name[256];
    char digits[CACHE_KEY_TEXT_BYTES];
    snprintf(name, sizeof name, "%s/assay/%s", folder, cache_key_text(key, digits));
    return name;
}

/* An empty cache of this test's own; returns the name of the entry's file. */
static const char *open_cache(const struct cache_key *key)
{
    folder = testing_folder();
    setenv("XDG_CACHE_HOME", folder, 1);
    return file_of(key);
}

static struct cache_key key_of(const char *left, const char *right)
{
    const struct cache_part parts[] = {{left, strlen(left)}, {right, strlen(right)}};
    return cache_key(parts, 2);
}

static bool has(const struct cache_key *key)
{
    size_t bytes = 0;
    char *got = cache_read(key, &bytes);
    if (got == NULL)
        return false;
    ck_assert_uint_eq(bytes, sizeof text);
    ASSERT_BYTES_EQUAL(got, text, sizeof text);
    free(got);
    return true;
}

static int files_in_cache(void)
{
    char name[256];
    snprintf(name, sizeof name, "%s/assay", folder);
    DIR *open = opendir(name);
    int count = 0;
    for (struct dirent *it; open && (it = readdir(open)) != NULL;)
        count += it->d_name[0] != '.';
    if (open)
        closedir(open);
    return count;
}

START_TEST(an_entry_is_of_its_key, "driver.candidate.cached")
{
    const struct cache_key key = key_of("ab", "c"), other = key_of("a", "bc");
    open_cache(&key);
    ck_assert(!has(&key));
    cache_write(&key, text, sizeof text);
    ck_assert(has(&key) && !has(&other));
    cache_write(&key, text, sizeof text);
    ck_assert(has(&key));
    ck_assert_int_eq(files_in_cache(), 1);
}

/* Each byte of it, and each length. */
START_TEST(a_damaged_entry_is_none, "driver.candidate.cached")
{
    const struct cache_key key = key_of("ptx", "-O1");
    const char *name = open_cache(&key);
    char whole[256];
    cache_write(&key, text, sizeof text);
    FILE *file = fopen(name, "r+b");
    ck_assert_ptr_nonnull(file);
    const size_t bytes = fread(whole, 1, sizeof whole, file);
    for (size_t at = 0; at < bytes; at++) {
        const char spoilt = (char)(whole[at] ^ 1);
        ck_assert(pwrite(fileno(file), &spoilt, 1, (off_t)at) == 1 && !has(&key));
        ck_assert(pwrite(fileno(file), &whole[at], 1, (off_t)at) == 1 && has(&key));
    }
    ck_assert(pwrite(fileno(file), "x", 1, (off_t)bytes) == 1 && !has(&key));
    for (size_t length = bytes; length-- > 0;)
        ck_assert(ftruncate(fileno(file), (off_t)length) == 0 && !has(&key));
    fclose(file);
    cache_write(&key, text, sizeof text);
    ck_assert(has(&key));
}

/* In a process of its own: no file of that may have more bytes than an entry's head. */
static void write_without_room(const struct cache_key *key)
{
    const struct rlimit least = {.rlim_cur = 50, .rlim_max = RLIM_INFINITY};
    const pid_t child = fork();
    int status = -1;
    if (child == 0) {
        signal(SIGXFSZ, SIG_IGN);
        const bool is_set = setrlimit(RLIMIT_FSIZE, &least) == 0;
        cache_write(key, text, sizeof text);
        _exit(is_set ? 0 : 1);
    }
    ck_assert(waitpid(child, &status, 0) == child && status == 0);
}

/* A pipe that nobody writes to would be waited for. */
START_TEST(what_is_no_file_is_no_entry, "driver.candidate.cached")
{
    const struct cache_key key = key_of("a", "pipe");
    const char *name = open_cache(&key);
    cache_write(&key, text, sizeof text);
    ck_assert(has(&key));
    ck_assert_int_eq(unlink(name), 0);
    ck_assert_int_eq(mkfifo(name, 0600), 0);
    ck_assert(!has(&key));
    cache_write(&key, text, sizeof text);
    ck_assert(has(&key));
}

START_TEST(without_room_nothing_is_kept, "driver.candidate.cached")
{
    const struct cache_key key = key_of("ptx", "");
    open_cache(&key);
    write_without_room(&key);
    ck_assert(!has(&key));
    ck_assert_int_eq(files_in_cache(), 0);
    setenv("XDG_CACHE_HOME", "/dev/null", 1);
    cache_write(&key, text, sizeof text);
    ck_assert(!has(&key));
    setenv("XDG_CACHE_HOME", "not/absolute", 1);
    setenv("HOME", folder, 1); /* takes its place */
    cache_write(&key, text, sizeof text);
    ck_assert(has(&key));
    unsetenv("XDG_CACHE_HOME");
    ck_assert(has(&key));
    unsetenv("HOME");
    ck_assert(!has(&key));
}

START_TEST(a_files_key_is_of_its_bytes, "driver.candidate.cached")
{
    const char *left = testing_file("what "), *right = testing_file("what ");
    struct cache_key keys[2];
    struct reason reason;
    ck_assert(cache_key_of_file(left, &keys[0], &reason) &&
              cache_key_of_file(right, &keys[1], &reason));
    ASSERT_BYTES_EQUAL(&keys[0], &keys[1], sizeof keys[0]);
    FILE *file = fopen(right, "a");
    ck_assert(file && fputs("w", file) >= 0 && fclose(file) == 0);
    ck_assert(cache_key_of_file(right, &keys[1], &reason));
    ck_assert(memcmp(&keys[0], &keys[1], sizeof keys[0]) != 0);
    ck_assert(!cache_key_of_file("/no/such/file", &keys[0], &reason));
}

/* Its file was last used that many seconds after 1970. */
static void use_at(const struct cache_key *key, int second)
{
    const struct timespec times[2] = {{.tv_sec = second}, {.tv_sec = second}};
    ck_assert_int_eq(utimensat(AT_FDCWD, file_of(key), times, 0), 0);
}

/* What is read counts as used; what is no entry stays, and a writer that was killed leaves nothing.
 */
START_TEST(what_was_not_used_for_longest_goes, "driver.candidate.trimmed")
{
    static const char *const names[] = {"a", "b", "c", "d"};
    const struct cache_key left = key_of("left", "over");
    struct cache_key keys[4];
    char partial[300];
    struct stat status;
    snprintf(partial, sizeof partial, "%s.7.0", open_cache(&left));
    for (int index = 0; index < 4; index++) {
        keys[index] = key_of(names[index], "");
        cache_write(&keys[index], text, sizeof text);
        use_at(&keys[index], 1000 + index);
    }
    cache_write(&left, text, sizeof text);
    use_at(&left, 1);
    ck_assert(stat(file_of(&left), &status) == 0 && rename(file_of(&left), partial) == 0);
    const uint64_t one = (uint64_t)status.st_size;
    const char *foreign = testing_put(folder, "assay/README", text, sizeof text);

    cache_trim(5 * one);
    ck_assert_int_eq(files_in_cache(), 6);
    ck_assert(has(&keys[0])); /* and is the last that was used */
    cache_trim(2 * one);
    ck_assert(access(partial, F_OK) != 0 && access(foreign, F_OK) == 0);
    ck_assert(has(&keys[0]) && !has(&keys[1]) && !has(&keys[2]) && has(&keys[3]));
    cache_trim(2 * one - 1);
    ck_assert_int_eq(files_in_cache(), 2);
    cache_trim(0);
    ck_assert_int_eq(files_in_cache(), 1);
    setenv("XDG_CACHE_HOME", "/no/such/folder", 1);
    cache_trim(0);
}

/* In a process of its own, as the program that writes it: makes the entry, and its file so long. */
static void write_apart(const struct cache_key *key, uint64_t bytes)
{
    int status = 1;
    const pid_t child = fork();
    if (child == 0) {
        cache_write(key, text, sizeof text);
        _exit(bytes != 0 && truncate(file_of(key), (off_t)bytes) != 0);
    }
    ck_assert(waitpid(child, &status, 0) == child && status == 0);
}

/* A program's first entry trims what others left to the limit, and no further. */
START_TEST(what_is_written_trims, "driver.candidate.trimmed")
{
    const struct cache_key large = key_of("large", ""), small = key_of("small", "");
    open_cache(&large);
    for (int over = 0; over < 2; over++) {
        write_apart(&large, CACHE_BYTES_MAX + (uint64_t)over);
        use_at(&large, 1);
        unlink(file_of(&small));
        write_apart(&small, 0);
        ck_assert(has(&small));
        ck_assert_int_eq(access(file_of(&large), F_OK) != 0, over);
    }
}

/* Two programs that write, read and trim: what is read is whole. */
START_TEST(two_may_trim_at_once, "driver.candidate.trimmed")
{
    enum { TURNS = 200, KEYS = 8 };
    struct cache_key keys[KEYS];
    for (int index = 0; index < KEYS; index++)
        keys[index] = key_of("twice", (const char[]){(char)('a' + index), 0});
    open_cache(&keys[0]);
    const pid_t child = fork();
    int status = 0;
    for (int turn = 0; turn < TURNS; turn++) {
        cache_write(&keys[turn % KEYS], text, sizeof text);
        has(&keys[(turn + 3) % KEYS]); /* fails where it is not whole */
        cache_trim(turn % 2 ? 200 : 0);
    }
    if (child == 0)
        _exit(0);
    ck_assert(waitpid(child, &status, 0) == child && status == 0);
    cache_trim(0);
    ck_assert_int_eq(files_in_cache(), 0);
    cache_write(&keys[0], text, sizeof text);
    ck_assert(has(&keys[0]));
}
