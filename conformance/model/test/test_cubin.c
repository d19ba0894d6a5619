/* The reader of fatbins and cubins: figures, and bytes that are neither. */
#include <elf.h>

#include "conformance/base/process.h"
#include "conformance/model/catalog.h"
#include "conformance/test/made_cubin.h"

static const struct made_cubin plain = {
    .architecture = 75, .entry = "plain", .registers = 38, .shared_bytes = 2048, .code_bytes = 384};

/* Reads the one function of what is made. */
static bool read_made(const struct made_cubin *made, struct code_figures *ret,
                      struct reason *ret_reason)
{
    struct cubin_bytes fatbin = made_fatbin(made), cubin;
    bool read = cubin_find(fatbin, made->architecture, &cubin, ret_reason) &&
                cubin_read(cubin, made->entry, ret, ret_reason);
    free((void *)fatbin.first);
    return read;
}

START_TEST(figures_are_read, "codegen.cubin.figures")
{
    struct made_cubin made = plain;
    struct code_figures first, other;
    struct reason reason;
    ck_assert(read_made(&made, &first, &reason));
    ck_assert_uint_eq(first.registers, 38);
    ck_assert_uint_eq(first.local_bytes, 0);
    ck_assert_uint_eq(first.shared_bytes, 2048);
    ck_assert_uint_eq(first.code_bytes, 384);
    made.registers = 39; /* which changes its code, too */
    ck_assert(read_made(&made, &other, &reason));
    ck_assert_uint_ne(first.code_hash, other.code_hash);
}

START_TEST(local_memory_is_the_most, "codegen.cubin.figures")
{
    struct made_cubin made = plain;
    struct code_figures function;
    struct reason reason;
    made.frame_bytes = 16;
    ck_assert(read_made(&made, &function, &reason));
    ck_assert_uint_eq(function.local_bytes, 16);
    made.stack_bytes = 48; /* with that of what it calls */
    ck_assert(read_made(&made, &function, &reason));
    ck_assert_uint_eq(function.local_bytes, 48);
}

START_TEST(reserved_memory_does_not_count, "codegen.cubin.figures")
{
    struct made_cubin made = plain;
    struct code_figures function;
    struct reason reason;
    made.is_reserved = true;
    made.shared_bytes = 2048 + CUBIN_RESERVED_BYTES;
    ck_assert(read_made(&made, &function, &reason));
    ck_assert_uint_eq(function.shared_bytes, 2048);
    made.shared_bytes = 0;
    ck_assert(read_made(&made, &function, &reason));
    ck_assert_uint_eq(function.shared_bytes, 0);
    made = plain;
    made.is_of_12 = true; /* which says it of no section, and reserves none before 9.0 */
    made.shared_bytes = 2048;
    for (made.architecture = 89; made.architecture <= 90; made.architecture++) {
        ck_assert(read_made(&made, &function, &reason));
        ck_assert_uint_eq(function.shared_bytes, made.architecture < 90 ? 2048 : 1024);
    }
}

START_TEST(what_is_not_there_is_absent, "codegen.cubin.hostile")
{
    struct cubin_bytes fatbin = made_fatbin(&plain), cubin;
    struct code_figures function;
    struct reason reason;
    int architectures[4];
    ck_assert_int_eq(cubin_architectures(fatbin, architectures, 4, &reason), 1);
    ck_assert_int_eq(architectures[0], 75);
    ck_assert(!cubin_find(fatbin, 90, &cubin, &reason));
    ck_assert_int_eq(reason.kind, REASON_ABSENT);
    ck_assert(cubin_find(fatbin, 75, &cubin, &reason));
    ck_assert(!cubin_read(cubin, "other", &function, &reason));
    ck_assert_int_eq(reason.kind, REASON_ABSENT);
    ck_assert(!cubin_read((struct cubin_bytes){NULL, 0}, "plain", &function, &reason));
    ck_assert_int_eq(reason.kind, REASON_BROKEN);
    ck_assert_int_eq(cubin_architectures((struct cubin_bytes){NULL, 0}, architectures, 4, &reason),
                     0);
    free((void *)fatbin.first);
    struct made_cubin packed = plain;
    packed.is_packed = true;
    ck_assert(!read_made(&packed, &function, &reason));
    ASSERT_HAS(reason.text, "compressed");
}

/* By the header's flags, which CUDA 13 lays out in another way than CUDA 12. */
START_TEST(code_of_another_architecture_is_refused, "codegen.cubin.read")
{
    static const int architectures[] = {75, 89, 90, 100, 120};
    enum { COUNT = sizeof architectures / sizeof architectures[0] };
    struct made_cubin made = plain;
    struct code_figures function;
    struct reason reason;
    for (int index = 0; index < 2 * COUNT * COUNT; index++) {
        made.is_of_12 = index % 2;
        made.architecture = architectures[index / 2 % COUNT];
        made.holds = architectures[index / 2 / COUNT];
        const bool is_same = made.architecture == made.holds;
        ck_assert_int_eq(read_made(&made, &function, &reason), is_same);
        if (!is_same)
            ck_assert_int_eq(reason.kind, REASON_INPUT);
    }
    made.is_of_12 = false;
    made.architecture = 75;
    made.holds = 90;
    ck_assert(!read_made(&made, &function, &reason));
    ck_assert_str_eq(reason.text, "the code for sm_75 is code of sm_90");
    struct cubin_bytes fatbin = made_fatbin(&plain), cubin;
    ck_assert(cubin_find(fatbin, 75, &cubin, &reason));
    ck_assert(cubin_is_of(cubin, 75, &reason));
    ((unsigned char *)cubin.first)[EI_ABIVERSION] = 9; /* whose flags nobody here has seen */
    ck_assert(!cubin_is_of(cubin, 75, &reason));
    ck_assert_str_eq(reason.text, "the code for sm_75 is of the unknown ABI version 9");
    ck_assert_int_eq(reason.kind, REASON_BROKEN);
    ck_assert(!cubin_is_of((struct cubin_bytes){cubin.first, 20}, 75, &reason));
    free((void *)fatbin.first);
}

/* Reads all that it can of bytes that may be anything, in memory of exactly that size. */
static void read_bytes(const unsigned char *bytes, size_t count)
{
    unsigned char *copy = malloc(count ? count : 1);
    struct cubin_bytes fatbin = {memcpy(copy, bytes, count), count}, cubin;
    struct code_figures function;
    struct reason reason;
    int architectures[8];
    int found = cubin_architectures(fatbin, architectures, 8, &reason);
    for (int index = 0; index < found; index++)
        if (cubin_find(fatbin, architectures[index], &cubin, &reason) &&
            cubin_read(cubin, plain.entry, &function, &reason))
            ck_assert_uint_le(function.code_bytes, count);
    free(copy);
}

START_TEST(any_byte_may_be_wrong, "codegen.cubin.hostile")
{
    static const unsigned char wrong[] = {0x00, 0x01, 0x7f, 0x80, 0xff};
    struct cubin_bytes fatbin = made_fatbin(&plain);
    unsigned char *bytes = (unsigned char *)fatbin.first;
    for (size_t end = 0; end < fatbin.count; end++)
        read_bytes(bytes, end);
    for (size_t at = 0; at < fatbin.count; at++) {
        const unsigned char kept = bytes[at];
        for (size_t each = 0; each < sizeof wrong; each++) {
            bytes[at] = wrong[each];
            read_bytes(bytes, fatbin.count);
        }
        bytes[at] = kept;
    }
    free(bytes);
}

/* As many sections as there may be, all of one name of 4 MB: the time grows with the bytes alone.
 */
START_TEST(a_long_name_costs_nothing, "codegen.cubin.hostile")
{
    enum { SECTIONS = UINT16_MAX, NAME_BYTES = 4 << 20 };
    const size_t names_at = sizeof(Elf64_Ehdr) + SECTIONS * sizeof(Elf64_Shdr);
    const size_t count = names_at + NAME_BYTES;
    unsigned char *bytes = testing_new(count);
    Elf64_Ehdr header = {.e_machine = 190,
                         .e_shentsize = sizeof(Elf64_Shdr),
                         .e_shnum = SECTIONS,
                         .e_shoff = sizeof header,
                         .e_shstrndx = 1};
    memcpy(header.e_ident, ELFMAG, SELFMAG);
    header.e_ident[EI_CLASS] = ELFCLASS64;
    header.e_ident[EI_DATA] = ELFDATA2LSB;
    memcpy(bytes, &header, sizeof header);
    const Elf64_Shdr section = {
        .sh_type = SHT_STRTAB, .sh_offset = names_at, .sh_size = NAME_BYTES};
    for (size_t index = 0; index < SECTIONS; index++)
        memcpy(bytes + sizeof header + index * sizeof section, &section, sizeof section);
    memset(bytes + names_at, '.', NAME_BYTES - 1);
    struct code_figures function;
    struct reason reason;
    const double began_s = clock_now_s();
    ck_assert(!cubin_read((struct cubin_bytes){bytes, count}, "plain", &function, &reason));
    ck_assert_int_eq(reason.kind, REASON_ABSENT);
    ck_assert(clock_now_s() - began_s < 1);
}

START_TEST(this_program_can_be_read, "codegen.cubin.figures")
{
    int architectures[32];
    struct reason reason;
    for (int id = 0; image_toolkit[0] && id < catalog_count(); id++) {
        const struct kernel *kernel = catalog_kernel(id);
        if (!catalog_has_code(kernel))
            continue;
        const struct image *image = catalog_image(kernel->unit);
        const struct cubin_bytes fatbin = {image->fatbin, image->fatbin_bytes};
        int count = cubin_architectures(fatbin, architectures, 32, &reason);
        ck_assert_int_gt(count, 0);
        for (int index = 0; index < count; index++) {
            struct cubin_bytes cubin;
            struct code_figures function;
            const char *widest = catalog_function(kernel, KERNEL_ELEMENT_SIZES - 1);
            const char *entry = widest ? widest : catalog_function(kernel, 0);
            ck_assert(cubin_find(fatbin, architectures[index], &cubin, &reason));
            ck_assert_msg(cubin_read(cubin, entry, &function, &reason), "%s sm_%d: %s", entry,
                          architectures[index], reason.text);
            ck_assert_uint_gt(function.registers, 0);
            ck_assert_uint_le(function.registers, 255);
            ck_assert_uint_gt(function.code_bytes, 0);
        }
    }
}
