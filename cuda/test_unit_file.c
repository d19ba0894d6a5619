/* Images files: what tools/images.py writes comes back, and what it never writes is refused with
 * its place. */
#include "cuda/unit_file.h"
#include "spec/testing.h"

#include <sys/wait.h>
#include <unistd.h>

enum { FILE_BYTES_MAX = 4096 };

/* A fatbin's header and 8 bytes of entries. */
static const unsigned char fatbin[24] = {0x50, 0xed, 0x55, 0xba, 1, 0, 16, 0, 8};

/* An images file in memory, at an address that is a multiple of 16. */
static _Alignas(16) unsigned char whole[FILE_BYTES_MAX], file[FILE_BYTES_MAX];
static size_t bytes;

/* Runs a program; returns its exit status. */
static int run_program(char *const *words)
{
    const pid_t child = fork();
    ck_assert_int_ge(child, 0);
    if (child == 0) {
        (void)!freopen("/dev/null", "w", stderr);
        execvp(words[0], words);
        _exit(127);
    }
    int status = 0;
    ck_assert_int_eq(waitpid(child, &status, 0), child);
    ck_assert(WIFEXITED(status));
    return WEXITSTATUS(status);
}

/* A file of two units, the second without machine code, as tools/images.py writes it. */
static void make(void)
{
    const char *folder = testing_folder();
    char *fatbins = testing_put(folder, "0", fatbin, sizeof fatbin);
    char *ptx = testing_put(folder, "1", "// PTX", 6), *made = testing_put(folder, "2", "", 0);
    char *words[] = {"python3",
                     getenv("IMAGES_PY"),
                     "unit-file",
                     made,
                     "13.5.37",
                     "13.5.37",
                     "80 90",
                     "-O",
                     "0x0123456789abcdef",
                     "unit",
                     "first",
                     fatbins,
                     "ptx",
                     "80",
                     ptx,
                     "ptx",
                     "90",
                     ptx,
                     "unit",
                     "second",
                     "-",
                     NULL};
    ck_assert_int_eq(run_program(words), 0);
    FILE *input = fopen(made, "rb");
    ck_assert_ptr_nonnull(input);
    bytes = fread(whole, 1, sizeof whole, input);
    fclose(input);
    ck_assert(bytes > 0 && bytes < sizeof whole);
    memcpy(file, whole, bytes);
}

START_TEST(what_was_written_comes_back, "driver.images.file")
{
    struct unit_file read;
    char why[UNIT_FILE_WHY_BYTES] = "";
    make();
    ck_assert_msg(unit_file_read(file, bytes, &read, why), "%s", why);
    ck_assert_str_eq(read.name, "13.5.37");
    ck_assert_str_eq(read.toolkit, "13.5.37");
    ck_assert_str_eq(read.architectures, "80 90");
    ck_assert_str_eq(read.options, "-O");
    ck_assert_str_eq(read.sources, "0x0123456789abcdef");
    ck_assert_int_eq(read.image_count, 2);
    const struct image *first = unit_file_image(&read, "first"),
                       *second = unit_file_image(&read, "second");
    ck_assert_uint_eq(first->fatbin_bytes, sizeof fatbin);
    ASSERT_BYTES_EQUAL(first->fatbin, fatbin, sizeof fatbin);
    ck_assert_uint_eq((uintptr_t)first->fatbin % 16, 0);
    ck_assert_int_eq(first->ptx_count, 2);
    ck_assert_int_eq(first->ptx[0].compute_capability, 80);
    ck_assert_str_eq((const char *)first->ptx[1].text, "// PTX");
    ck_assert_uint_eq(first->ptx[1].bytes, 7);
    ck_assert_ptr_null(second->fatbin);
    ck_assert_ptr_null(second->ptx);
    ck_assert_ptr_null(unit_file_image(&read, "third"));
    unit_file_free(&read);
}

/* Refused, with a line that can be shown and has `place` in it. */
static void assert_refused(size_t count, const char *place)
{
    struct unit_file read = {.name = "untouched"};
    char why[UNIT_FILE_WHY_BYTES] = "";
    ck_assert_msg(!unit_file_read(file, count, &read, why), "%zu bytes are taken", count);
    ck_assert_str_eq(read.name, "untouched");
    ck_assert_msg(strstr(why, place) && !strpbrk(why, "\n\r\t"), "'%s' has no '%s'", why, place);
}

START_TEST(damage_is_noticed, "driver.images.hostile")
{
    make();
    for (size_t count = 0; count < bytes; count++)
        assert_refused(count, "byte");
    for (size_t at = 0; at < bytes; at++) {
        file[at] ^= 0x10;
        assert_refused(bytes, "byte");
        file[at] = whole[at];
    }
    memset(file, 'x', 8);
    assert_refused(bytes, "byte 0: it is no images file");
}

/* The parts of the file, in its order. */
enum { FIRST = UNIT_PART_UNIT, FATBIN, PTX_80, PTX_90, SECOND, PART_COUNT };

static struct unit_file_part *part_at(int index)
{
    return (struct unit_file_part *)(void *)(file + sizeof(struct unit_file_header)) + index;
}

static void assert_part_refused(int index, const char *what)
{
    char place[64];
    const uint64_t digest = unit_file_digest(UNIT_FILE_DIGEST, file, bytes - sizeof digest);
    memcpy(file + bytes - sizeof digest, &digest, sizeof digest);
    snprintf(place, sizeof place, "part %d of %d, at byte", index + 1, PART_COUNT);
    assert_refused(bytes, place);
    assert_refused(bytes, what);
    memcpy(file, whole, bytes);
}

/* A digest that is right makes nothing else right. */
START_TEST(no_part_is_believed, "driver.images.hostile")
{
    static const struct {
        int part;
        uint64_t offset, bytes;
    } places[] = {{FATBIN, 16, UINT64_MAX},        {FATBIN, UINT64_MAX - 15, 24},
                  {FATBIN, FILE_BYTES_MAX, 24},    {FIRST, 8, 4},
                  {PTX_80, 1u << 20, 7},           {SECOND, 0, 0},
                  {UNIT_PART_NAME, 0, UINT64_MAX}, {UNIT_PART_OPTIONS, 1, 1}};
    static const struct {
        int part;
        uint32_t kind;
        const char *what;
    } kinds[] = {{UNIT_PART_NAME, UNIT_PART_TOOLKIT, "no kind"},
                 {FIRST, UNIT_PART_NAME, "no kind"},
                 {FIRST, UNIT_PART_FATBIN, "without a unit"},
                 {FATBIN, UNIT_PART_KINDS, "no kind"},
                 {PTX_80, UNIT_PART_FATBIN, "without a unit"},
                 {FIRST, UNIT_PART_PTX, "order"},
                 {SECOND, UINT32_MAX, "no kind"}};
    static const struct {
        int part;
        size_t letter;
        char to;
        const char *what;
    } letters[] = {{UNIT_PART_NAME, 0, '/', "letter"},
                   {UNIT_PART_TOOLKIT, 1, 'x', "letter"},
                   {UNIT_PART_OPTIONS, 0, '\n', "letter"},
                   {FIRST, 0, 'F', "letter"},
                   {FIRST, 2, 0, "only 0"},
                   {PTX_80, 6, ' ', "only 0"},
                   {FATBIN, 0, 0, "no fatbin"},
                   {FATBIN, 8, 9, "no fatbin"},
                   {FATBIN, 6, 15, "no fatbin"},
                   {UNIT_PART_NAME, 0, 0, "only 0"}};
    make();
    for (size_t row = 0; row < sizeof places / sizeof places[0]; row++) {
        part_at(places[row].part)->offset = places[row].offset;
        part_at(places[row].part)->bytes = places[row].bytes;
        assert_part_refused(places[row].part, "do not lie in the file");
    }
    for (size_t row = 0; row < sizeof kinds / sizeof kinds[0]; row++) {
        part_at(kinds[row].part)->kind = kinds[row].kind;
        assert_part_refused(kinds[row].part, kinds[row].what);
    }
    for (size_t row = 0; row < sizeof letters / sizeof letters[0]; row++) {
        file[part_at(letters[row].part)->offset + letters[row].letter] =
            (unsigned char)letters[row].to;
        assert_part_refused(letters[row].part, letters[row].what);
    }
    part_at(PTX_90)->compute_capability = 80;
    assert_part_refused(PTX_90, "out of order");
    part_at(FATBIN)->compute_capability = 80;
    assert_part_refused(FATBIN, "where there is none");
    part_at(SECOND)->offset = part_at(FIRST)->offset;
    part_at(SECOND)->bytes = part_at(FIRST)->bytes;
    assert_part_refused(SECOND, "occurs twice");
}
