/* Writes fatbins (made_cubin.h): the bytes that conformance/model/cubin.c takes apart. */
#include "conformance/test/made_cubin.h"

#include <elf.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { FATBIN_HEADER = 16, ENTRY_HEADER = 64, ROOM = 1 << 16, TEXTS = 512 };

enum section { NONE, NAMES, TEXT_NAMES, SYMBOLS, INFO, CODE, SHARED, RESERVED, SECTIONS };

struct writer {
    unsigned char *bytes;
    size_t count;
    char names[TEXTS];
    size_t name_count;
    Elf64_Shdr sections[SECTIONS];
};

static uint64_t put(struct writer *it, const void *bytes, size_t count)
{
    const uint64_t at = it->count;
    if (it->count + count > ROOM)
        abort();
    memcpy(it->bytes + it->count, bytes, count);
    it->count += count;
    return at;
}

static void put_number(struct writer *it, uint64_t value, size_t bytes)
{
    put(it, &value, bytes); /* little-endian, as a cubin is */
}

/* Names a section, whose bytes are those from `begin` on, of a file that begins at `file`. */
static void end_section(struct writer *it, enum section section, uint32_t type, const char *prefix,
                        const char *name, uint64_t begin, uint64_t file)
{
    it->sections[section] = (Elf64_Shdr){.sh_name = (uint32_t)it->name_count,
                                         .sh_type = type,
                                         .sh_offset = begin - file,
                                         .sh_size = it->count - begin};
    it->name_count +=
        (size_t)sprintf(it->names + it->name_count, "%s%.64s", prefix, name) + sizeof "";
}

static void put_info(struct writer *it, uint8_t attribute, uint32_t value)
{
    put_number(it, 4, 1);
    put_number(it, attribute, 1);
    put_number(it, 8, 2);
    put_number(it, 1, 4); /* the symbol */
    put_number(it, value, 4);
}

static void put_body(struct writer *it, const struct made_cubin *made, uint64_t file)
{
    uint64_t begin = it->count;
    put_number(it, 0, 1);
    put(it, made->entry, strlen(made->entry) + 1);
    end_section(it, TEXT_NAMES, SHT_STRTAB, ".strtab", "", begin, file);
    begin = it->count;
    const Elf64_Sym symbols[] = {{.st_name = 0},
                                 {.st_name = 1,
                                  .st_info = ELF64_ST_INFO(STB_GLOBAL, STT_FUNC),
                                  .st_shndx = CODE,
                                  .st_size = made->code_bytes}};
    put(it, symbols, sizeof symbols);
    end_section(it, SYMBOLS, SHT_SYMTAB, ".symtab", "", begin, file);
    it->sections[SYMBOLS].sh_link = TEXT_NAMES;
    begin = it->count;
    put_number(it, 0x0000360104, 4); /* a record that holds its value itself, of another format */
    it->bytes[it->count - 4] = 3;
    put_info(it, 0x2f, made->registers);
    put_info(it, 0x11, made->frame_bytes);
    put_info(it, 0x12, made->stack_bytes);
    put_number(it, 0x000c2f04, 4); /* a longer record, which is not of one symbol */
    put_number(it, 1, 4);
    put_number(it, made->registers + 1, 8);
    end_section(it, INFO, SHT_LOPROC, ".nv.info", "", begin, file);
    begin = it->count;
    for (uint64_t byte = 0; byte < made->code_bytes; byte++)
        put_number(it, byte * 167 + made->registers, 1);
    end_section(it, CODE, SHT_PROGBITS, ".text.", made->entry, begin, file);
    if (made->shared_bytes > 0) {
        end_section(it, SHARED, SHT_NOBITS, ".nv.shared.", made->entry, it->count, file);
        it->sections[SHARED].sh_size = made->shared_bytes;
    }
    if (made->is_reserved)
        end_section(it, RESERVED, SHT_NOBITS, ".nv.shared.reserved.", "0", it->count, file);
}

/* Returns how many bytes it has. */
static uint64_t put_cubin(struct writer *it, const struct made_cubin *made)
{
    const uint64_t file = it->count;
    Elf64_Ehdr header = {.e_machine = 190,
                         .e_shentsize = sizeof(Elf64_Shdr),
                         .e_shnum = SECTIONS,
                         .e_shstrndx = NAMES};
    memcpy(header.e_ident, ELFMAG "\2\1\1", SELFMAG + 3);
    const unsigned holds = (unsigned)(made->holds ? made->holds : made->architecture);
    header.e_ident[EI_ABIVERSION] = made->is_of_12 ? 7 : 8;
    header.e_flags = made->is_of_12 ? holds << 16 | 0x500 | holds : 0x6000004 | holds << 8;
    put(it, &header, sizeof header);
    it->name_count = 1;
    put_body(it, made, file);
    const uint64_t begin = it->count;
    it->sections[NAMES] = (Elf64_Shdr){.sh_name = 0};
    put(it, it->names, it->name_count);
    end_section(it, NAMES, SHT_STRTAB, ".shstrtab", "", begin, file);
    it->sections[NAMES].sh_name = 0; /* which is not among them */
    header.e_shoff = it->count - file;
    memcpy(it->bytes + file, &header, sizeof header);
    put(it, it->sections, sizeof it->sections);
    return it->count - file;
}

struct cubin_bytes made_fatbin(const struct made_cubin *made)
{
    struct writer it = {.bytes = calloc(1, ROOM)};
    if (it.bytes == NULL)
        abort();
    it.count = FATBIN_HEADER + ENTRY_HEADER;
    const uint64_t payload = put_cubin(&it, made), end = it.count;
    it.count = 0;
    put_number(&it, 0xba55ed50, 4);
    put_number(&it, 1, 2);
    put_number(&it, FATBIN_HEADER, 2);
    put_number(&it, end - FATBIN_HEADER, 8);
    put_number(&it, 2, 2); /* a cubin */
    put_number(&it, 0x101, 2);
    put_number(&it, ENTRY_HEADER, 4);
    put_number(&it, payload, 8);
    put_number(&it, made->is_packed ? payload : 0, 4);
    put_number(&it, 0, 4);
    put_number(&it, 0, 4);
    put_number(&it, (uint64_t)made->architecture, 4);
    unsigned char *bytes =
        realloc(it.bytes, end); /* no byte more: a checker sees one read past it */
    return (struct cubin_bytes){bytes ? bytes : it.bytes, end};
}
