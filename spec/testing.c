/* Bit-exact assertions and flat TAP for unit tests (testing.h). */
#include "spec/testing.h"

#include <dirent.h>
#include <inttypes.h>
#include <math.h>
#include <stdint.h>
#include <unistd.h>

static void format_bytes(const unsigned char *bytes, size_t from, size_t count, char *ret)
{
    for (size_t index = 0; index < count; index++)
        sprintf(ret + 3 * index, "%02x ", bytes[from + index]);
    ret[3 * count] = 0;
}

void testing_bytes_equal(const void *got, const void *expected, size_t bytes, const char *file,
                         int line)
{
    const unsigned char *left = got, *right = expected;
    for (size_t index = 0; index < bytes; index++) {
        if (left[index] == right[index])
            continue;
        char got_text[64], expected_text[64];
        size_t count = bytes - index < 16 ? bytes - index : 16;
        format_bytes(left, index, count, got_text);
        format_bytes(right, index, count, expected_text);
        ck_abort_msg("%s:%d: byte %zu of %zu: got %s, expected %s", file, line, index, bytes,
                     got_text, expected_text);
    }
}

void testing_floats_equal(const float *got, const float *expected, size_t count, const char *file,
                          int line)
{
    for (size_t index = 0; index < count; index++) {
        uint32_t left, right;
        memcpy(&left, &got[index], sizeof left);
        memcpy(&right, &expected[index], sizeof right);
        if (left == right || (isnan(got[index]) && isnan(expected[index])))
            continue;
        ck_abort_msg(
            "%s:%d: element %zu of %zu: got %08" PRIx32 " (%.9g), expected %08" PRIx32 " (%.9g)",
            file, line, index, count, left, (double)got[index], right, (double)expected[index]);
    }
}

/* What is kept till the test ends; a stream's text is in its own row. */
struct kept {
    void *thing;
    void (*release)(void *);
    struct kept *next;
};
struct stream {
    FILE *file;
    char *text;
    size_t bytes;
    struct stream *next;
};
static struct kept *last_kept;
static struct stream *last_stream;

void testing_keep(void *thing, void (*release)(void *thing))
{
    struct kept *kept = malloc(sizeof *kept);
    ck_assert(thing && kept);
    *kept = (struct kept){thing, release, last_kept};
    last_kept = kept;
}

void testing_release(void)
{
    for (struct kept *it = last_kept; it; it = last_kept) {
        last_kept = it->next;
        it->release(it->thing);
        free(it);
    }
}

void *testing_new(size_t bytes)
{
    void *thing = calloc(1, bytes);
    testing_keep(thing, free);
    return thing;
}

char *testing_copy(const char *text)
{
    return strcpy(testing_new(strlen(text) + 1), text);
}

static void release_file(void *path)
{
    unlink(path);
    free(path);
}

char *testing_file(const char *text)
{
    char *path = strdup("/tmp/assay-test-XXXXXX");
    testing_keep(path, release_file);
    FILE *file = fdopen(mkstemp(path), "w");
    ck_assert(file && fputs(text, file) >= 0 && fclose(file) == 0);
    return path;
}

static void release_folder(void *path)
{
    char command[64];
    snprintf(command, sizeof command, "rm -rf '%s'", (const char *)path);
    ck_assert_int_eq(system(command), 0);
    free(path);
}

char *testing_folder(void)
{
    char *path = strdup("/tmp/assay-test-XXXXXX");
    ck_assert_ptr_nonnull(mkdtemp(path));
    testing_keep(path, release_folder);
    return path;
}

char *testing_put(const char *folder, const char *name, const void *from, size_t bytes)
{
    char *path = testing_new(strlen(folder) + strlen(name) + 2);
    sprintf(path, "%s/%s", folder, name);
    FILE *file = fopen(path, "wb");
    ck_assert(file && fwrite(from, 1, bytes, file) == bytes && fclose(file) == 0);
    return path;
}

static void release_stream(void *thing)
{
    struct stream *stream = thing;
    if (stream->file)
        fclose(stream->file);
    last_stream = stream->next;
    free(stream->text);
    free(stream);
}

FILE *testing_stream(void)
{
    struct stream *stream = calloc(1, sizeof *stream);
    testing_keep(stream, release_stream);
    stream->file = open_memstream(&stream->text, &stream->bytes);
    ck_assert_ptr_nonnull(stream->file);
    stream->next = last_stream;
    last_stream = stream;
    return stream->file;
}

char *testing_text(FILE *file)
{
    struct stream *stream = last_stream;
    while (stream && stream->file != file)
        stream = stream->next;
    ck_assert_msg(stream != NULL, "no stream of testing_stream()");
    ck_assert_int_eq(fclose(file), 0);
    stream->file = NULL;
    return stream->text;
}

/* Where a descriptor's output goes meanwhile, and a copy of the descriptor. */
static struct {
    FILE *file;
    int own;
} captures[3];

void testing_capture(int descriptor)
{
    fflush(NULL);
    captures[descriptor].file = tmpfile();
    captures[descriptor].own = dup(descriptor);
    ck_assert(captures[descriptor].file && captures[descriptor].own >= 0);
    ck_assert_int_ge(dup2(fileno(captures[descriptor].file), descriptor), 0);
}

char *testing_captured(int descriptor)
{
    FILE *file = captures[descriptor].file;
    fflush(NULL);
    dup2(captures[descriptor].own, descriptor);
    close(captures[descriptor].own);
    const long bytes = lseek(fileno(file), 0, SEEK_END);
    ck_assert_int_ge(bytes, 0);
    char *text = testing_new((size_t)bytes + 1);
    rewind(file);
    ck_assert_uint_eq(fread(text, 1, (size_t)bytes, file), (size_t)bytes);
    fclose(file);
    return text;
}

static int selected(int argc, char **argv, const char *name)
{
    for (int index = 1; index < argc; index++)
        if (strcmp(argv[index], name) == 0)
            return 1;
    return argc < 2;
}

static struct testing_test *first;

int testing_open_files(void)
{
    DIR *folder = opendir("/proc/self/fd");
    int count = 0;
    ck_assert_ptr_nonnull(folder);
    while (readdir(folder))
        count++;
    closedir(folder);
    return count;
}

void testing_add(struct testing_test *test)
{
    struct testing_test **place = &first;
    while (*place && (*place)->test->line < test->test->line)
        place = &(*place)->next;
    test->next = *place;
    *place = test;
}

/* "region" of "conformance/work/test/test_region.c". */
static const char *suite_of(const char *file, char ret[64])
{
    const char *slash = strrchr(file, '/'), *name = slash ? slash + 1 : file;
    name += strncmp(name, "test_", 5) == 0 ? 5 : 0;
    snprintf(ret, 64, "%.*s", (int)strcspn(name, "."), name);
    return ret;
}

/* One TAP line a test, printed here and not by Check, whose own TAP names the line and not the
 * test. */
int testing_run(int argc, char **argv)
{
    int number = 0;
    for (const struct testing_test *it = first; it; it = it->next) {
        char suite_name[64];
        const char *name = it->test->name;
        if (!selected(argc, argv, name))
            continue;
        Suite *suite = suite_create(suite_of(it->test->file, suite_name));
        TCase *tcase = tcase_create(name);
        tcase_set_timeout(tcase, 120);
        tcase_add_checked_fixture(tcase, NULL, testing_release);
        tcase_add_test(tcase, it->test);
        suite_add_tcase(suite, tcase);
        SRunner *runner = srunner_create(suite);
        srunner_run_all(runner, CK_SILENT);
        int failed = srunner_ntests_failed(runner);
        if (failed) {
            TestResult **results = srunner_failures(runner);
            fprintf(stderr, "%s: %s: %s\n", suite_name, name, tr_msg(results[0]));
            free(results);
        }
        printf("%s %d - %s: %s\n", failed ? "not ok" : "ok", ++number, suite_name, name);
        fflush(stdout);
        srunner_free(runner);
    }
    printf("1..%d\n", number);
    return 0;
}
