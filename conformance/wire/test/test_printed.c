/* What is shown of a worker's output, and what is left out. */
#include <fcntl.h>
#include <unistd.h>

#include "conformance/wire/printed.h"
#include "spec/testing.h"

static char *shown;
static size_t shown_bytes;
static FILE *own_stderr;

static int begin(struct printed *printed)
{
    int ends[2];
    ck_assert_int_eq(pipe2(ends, O_NONBLOCK), 0);
    own_stderr = stderr;
    stderr = open_memstream(&shown, &shown_bytes);
    printed_begin(printed, ends[0], "cuda:0 worker");
    return ends[1];
}

static void end(struct printed *printed)
{
    printed_end(printed);
    ck_assert_int_lt(printed->fd, 0);
    fclose(stderr);
    stderr = own_stderr;
}

static void put(struct printed *printed, int fd, const char *text, size_t bytes)
{
    ck_assert_int_eq(write(fd, text, bytes), (ssize_t)bytes);
    printed_read(printed);
}

START_TEST(lines_have_a_name, "runner.worker.printed")
{
    static const char text[] = "one\r\n\n\ttwo\0";
    struct printed printed;
    const int fd = begin(&printed);
    printed_read(&printed); /* nothing has come */
    put(&printed, fd, text, sizeof text - 1);
    put(&printed, fd, "three", 5);
    end(&printed); /* although the other end is open */
    ck_assert_str_eq(shown, "cuda:0 worker: one\ncuda:0 worker: \ncuda:0 worker:  two?three\n");
    close(fd);
    free(shown);
}

START_TEST(a_long_line_is_several, "runner.worker.printed")
{
    static char text[2 * PRINTED_LINE_BYTES + 2];
    struct printed printed;
    const int fd = begin(&printed);
    memset(text, 'x', sizeof text);
    text[2 * PRINTED_LINE_BYTES] = '\n';
    put(&printed, fd, text, sizeof text);
    close(fd);
    end(&printed);
    ck_assert_uint_eq(shown_bytes, 2 * (PRINTED_LINE_BYTES + sizeof "cuda:0 worker: ") +
                                       sizeof "cuda:0 worker: x");
    free(shown);
}

static int count(const char *words)
{
    int lines = 0;
    for (const char *at = shown; (at = strstr(at, words)) != NULL; at++)
        lines++;
    return lines;
}

/* However much comes, of short lines and of long ones: the first and the last are shown, and the
 * others are counted. */
START_TEST(a_flood_is_cut, "runner.worker.printed")
{
    enum { LINES = 5000, LETTERS = 300 };
    for (int is_long = 0; is_long < 2; is_long++) {
        struct printed printed;
        const int fd = begin(&printed);
        char line[LETTERS + 32], last[48];
        for (int number = 0; number < LINES; number++) {
            const int bytes =
                snprintf(line, sizeof line, "%d%*s\n", number, is_long ? LETTERS : 0, ".");
            put(&printed, fd, line, (size_t)bytes);
        }
        close(fd);
        end(&printed);
        const int bytes_of_each = is_long ? LETTERS + 6 : 6;
        const int head = is_long ? PRINTED_BYTES_MAX / bytes_of_each : PRINTED_LINES_MAX;
        const int tail = is_long ? PRINTED_TAIL_BYTES / bytes_of_each : PRINTED_TAIL_LINES;
        const int lines = count("cuda:0 worker: "), left = count("left out");
        unsigned long long dropped = 0, more = 0;
        ck_assert_int_eq(left, 1);
        ck_assert_int_eq(
            sscanf(strstr(shown, "..."), "... left out: %llu,%llu lines", &dropped, &more), 2);
        ck_assert_uint_eq(1000 * dropped + more + (unsigned)lines - 1, LINES);
        ck_assert_int_ge(lines, head - 2 + tail / 2);
        ck_assert_int_le(lines, head + 8 + tail + 8);
        snprintf(last, sizeof last, "cuda:0 worker: %d", LINES - 1);
        ck_assert_int_eq(count(last), 1);
        ck_assert_int_eq(count("cuda:0 worker: 0"), 1);
        free(shown);
    }
}
