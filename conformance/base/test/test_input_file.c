/* Reading files of others: sizes, what is no file, and what was left behind. */
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "conformance/base/input_file.h"
#include "conformance/base/process.h"
#include "spec/testing.h"

START_TEST(a_file_is_read_whole, "runner.input.bounded")
{
    static const size_t sizes[] = {0, 1, 65534, 65535, 65536, 65537, 200000};
    for (size_t index = 0; index < sizeof sizes / sizeof sizes[0]; index++) {
        const size_t count = sizes[index];
        struct reason reason;
        size_t bytes = 77;
        char *written = malloc(count + 1);
        for (size_t at = 0; at < count; at++)
            written[at] = (char)(at * 7 + at / 256);
        const char *path = testing_put(testing_folder(), "file", written, count);
        const int open_files = testing_open_files();
        char *text = input_read(INPUT_LIMITS, path, &bytes, &reason);
        ck_assert_msg(text != NULL, "%s", reason.text);
        ck_assert_uint_eq(bytes, count);
        ck_assert(memcmp(text, written, count) == 0 && text[count] == 0);
        ck_assert_int_eq(testing_open_files(), open_files);
        free(text);
        free(written);
    }
}

/* The size of such a file says nothing. */
START_TEST(a_file_of_the_system_is_read_whole, "runner.input.bounded")
{
    struct reason reason;
    size_t bytes;
    char *text = input_read(INPUT_SYSTEM, "/proc/self/maps", &bytes, &reason);
    ck_assert_msg(text != NULL, "%s", reason.text);
    ck_assert_uint_eq(bytes, strlen(text));
    ck_assert(bytes > 0 && text[bytes - 1] == '\n');
    free(text);
}

START_TEST(a_file_of_the_limit_is_read_and_a_larger_one_is_not, "runner.input.bounded")
{
    enum { LIMIT = 1 << 20 };
    struct reason reason;
    size_t bytes;
    const char *path = testing_put(testing_folder(), "known", "", 0);
    ck_assert_int_eq(truncate(path, LIMIT), 0);
    char *text = input_read(INPUT_KNOWN, path, &bytes, &reason);
    ck_assert(text && bytes == LIMIT);
    free(text);
    ck_assert_int_eq(truncate(path, LIMIT + 1), 0);
    ck_assert_ptr_null(input_read(INPUT_KNOWN, path, &bytes, &reason));
    ck_assert_int_eq(reason.kind, REASON_INPUT);
    ck_assert_str_eq(reason.text, "too large: 1048577 bytes; the limit of a list of known "
                                  "miscompiles is 1048576 bytes");
}

/* A pipe has no size: it is refused at the first byte that is too many. */
START_TEST(a_pipe_without_an_end_is_refused, "runner.input.bounded")
{
    char path[32];
    struct reason reason;
    size_t bytes;
    int ends[2];
    ck_assert_int_eq(pipe(ends), 0);
    const pid_t writer = process_fork(PROCESS_WORKER);
    if (writer == 0)
        while (process_write(ends[1], path, sizeof path))
            continue;
    close(ends[1]);
    snprintf(path, sizeof path, "/dev/fd/%d", ends[0]);
    ck_assert_ptr_null(input_read(INPUT_KNOWN, path, &bytes, &reason));
    ASSERT_HAS(reason.text, "too large: at least 1048577 bytes; the limit of ");
    close(ends[0]);
    kill(writer, SIGKILL);
    process_wait(writer);
}

/* What is asked first does not take its bytes away. */
START_TEST(a_pipe_is_left_to_its_reader, "runner.input.regular")
{
    char path[32];
    struct reason reason;
    size_t bytes;
    int ends[2];
    ck_assert(pipe(ends) == 0 && process_write(ends[1], "abc", 3));
    close(ends[1]);
    snprintf(path, sizeof path, "/dev/fd/%d", ends[0]);
    ck_assert(!input_begins(path, "abc", 3) && input_can_open(path, &reason));
    ck_assert_ptr_null(input_read(INPUT_IMAGES, path, &bytes, &reason));
    ck_assert_str_eq(reason.text, "it is a pipe, which workers cannot read again");
    char *text = input_read(INPUT_RECORD, path, &bytes, &reason);
    ck_assert(text && bytes == 3 && strcmp(text, "abc") == 0);
    free(text);
    close(ends[0]);
}

START_TEST(what_is_no_file_is_refused, "runner.input.regular")
{
    struct reason reason;
    size_t bytes;
    char fifo[4096];
    snprintf(fifo, sizeof fifo, "%s/fifo", testing_folder());
    ck_assert_int_eq(mkfifo(fifo, 0600), 0);
    const char *const paths[] = {"/", "/dev/zero", fifo};
    for (size_t index = 0; index < sizeof paths / sizeof paths[0]; index++) {
        const int open_files = testing_open_files();
        ck_assert_ptr_null(input_read(INPUT_RECORD, paths[index], &bytes, &reason));
        ck_assert_str_eq(reason.text, "not a regular file");
        ck_assert(!input_can_open(paths[index], &reason));
        ck_assert_str_eq(reason.text, "not a regular file");
        ck_assert(!input_begins(paths[index], "", 1));
        ck_assert_int_eq(testing_open_files(), open_files);
    }
    ck_assert(!input_can_open("/no/such/file", &reason));
    ck_assert_int_eq(reason.kind, REASON_INPUT);
    ck_assert_str_eq(reason.text, "No such file or directory");
}

START_TEST(a_file_begins_with_its_first_bytes, "runner.input.bounded")
{
    struct reason reason;
    const char *path = testing_put(testing_folder(), "file", "abcdef", 6);
    ck_assert(input_can_open(path, &reason));
    ck_assert(input_begins(path, "abc", 3) && input_begins(path, "abcdef", 6));
    ck_assert(!input_begins(path, "abd", 3) && !input_begins(path, "abcdefg", 7));
    ck_assert(!input_begins(path, "abcdef", 7)); /* with the 0 after it */
}

START_TEST(a_file_in_memory_is_bounded, "driver.candidate.bounded")
{
    struct reason reason = {.text = ""};
    size_t bytes;
    const int file = tool_file("", 0, &reason);
    ck_assert_ptr_null(input_read_memory(INPUT_CODE, file, &bytes, &reason));
    ck_assert_str_eq(reason.text, "it wrote nothing");
    ck_assert(!input_is_large(INPUT_CODE, file));
    ck_assert_int_eq(ftruncate(file, TOOL_FILE_BYTES_MAX), 0);
    ck_assert(!input_is_large(INPUT_CODE, file));
    ck_assert_int_eq(ftruncate(file, (off_t)TOOL_FILE_BYTES_MAX + 1), 0);
    ck_assert(input_is_large(INPUT_CODE, file));
    ck_assert_ptr_null(input_read_memory(INPUT_CODE, file, &bytes, &reason));
    ck_assert_int_eq(reason.kind, REASON_BROKEN);
    ck_assert_str_eq(reason.text, "too large: 268435457 bytes; the limit of a compiler's output is "
                                  "268435456 bytes");
    close(file);
}
