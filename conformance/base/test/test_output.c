/* Text on its way to a terminal: letters whose bytes come in several writes. */
#include <unistd.h>

#include "conformance/base/file.h"
#include "spec/testing.h"

enum { TEXT_BYTES = 4000 };

/* What reaches the file of the text, which is written in pieces of that many bytes. */
static void write_in_pieces(int file, const char *text, size_t piece, char ret[TEXT_BYTES])
{
    ck_assert(ftruncate(file, 0) == 0 && lseek(file, 0, SEEK_SET) == 0);
    for (size_t bytes = strlen(text), done = 0; done < bytes; done += piece) {
        fwrite(text + done, 1, bytes - done < piece ? bytes - done : piece, stdout);
        ck_assert_int_eq(fflush(stdout), 0);
    }
    const ssize_t got = pread(file, ret, TEXT_BYTES - 1, 0);
    ck_assert_int_ge(got, 0);
    ret[got] = 0;
}

/* Opens the channel on a file; each test has a process of its own. */
static int open_file(void)
{
    FILE *file = tmpfile();
    ck_assert(file && dup2(fileno(file), STDOUT_FILENO) >= 0);
    output_open();
    return fileno(file);
}

START_TEST(a_letter_may_come_in_pieces, "runner.output.tame")
{
    static const char *const letters[] = {"a", "\xc3\xb6", "\xe2\x82\xac", "\xf0\x9f\x98\x80"};
    static const size_t pieces[] = {1, 2, 3, 5, TEXT_BYTES};
    const int file = open_file();
    for (size_t index = 0; index < sizeof letters / sizeof letters[0]; index++)
        for (size_t before = 0; before < 4; before++) {
            char text[TEXT_BYTES] = "aaaa", got[TEXT_BYTES];
            for (size_t at = before; at < TEXT_BYTES / 2; at += strlen(letters[index]))
                strcpy(text + at, letters[index]);
            for (size_t each = 0; each < sizeof pieces / sizeof pieces[0]; each++) {
                write_in_pieces(file, text, pieces[each], got);
                ck_assert_msg(strcmp(got, text) == 0, "%.40s", got);
            }
        }
}

/* One whose rest does not come is bytes, and nothing after it is taken for its rest. */
START_TEST(a_letter_that_does_not_end_is_shown_as_bytes, "runner.output.tame")
{
    static const char *const texts[][2] = {
        {"\xe2\x82"
         "a\n",
         "\\xe2\\x82a\n"},
        {"\xf0\x9f\x98\xc3\xb6\n", "\\xf0\\x9f\\x98\xc3\xb6\n"},
        {"\xc3\n", "\\xc3\n"},
        {"\xc2\x9b\n", "\\xc2\\x9b\n"}, /* a control of C1 */
    };
    const int file = open_file();
    for (size_t index = 0; index < sizeof texts / sizeof texts[0]; index++)
        for (size_t piece = 1; piece < 8; piece++) {
            char got[TEXT_BYTES];
            write_in_pieces(file, texts[index][0], piece, got);
            ck_assert_str_eq(got, texts[index][1]);
        }
}
