/* Reads fatbins and cubins (cubin.h). NVIDIA describes neither the fatbin's headers nor .nv.info;
 * both are what nvcc of CUDA 13.0 writes and ptxas -v says of the same code. Clauses:
 * codegen.cubin.hostile, codegen.cubin.figures, codegen.cubin.read. */
#include "conformance/model/cubin.h"

#include <elf.h>
#include <string.h>
#define XXH_INLINE_ALL
#include <xxhash.h>

/* A fatbin is a header, then entries: each a header of its own and a payload. */
struct fatbin_header {
    uint32_t magic;
    uint16_t version;
    uint16_t header_bytes;
    uint64_t bytes; /* of the entries */
};

struct fatbin_entry {
    uint16_t kind;
    uint16_t version;
    uint32_t header_bytes;
    uint64_t payload_bytes;
    uint32_t packed_bytes; /* of the payload, where it is compressed */
    uint32_t options;
    uint16_t minor, major;
    uint32_t architecture;
};

enum { ENTRY_CUBIN = 2, ENTRIES_MOST = 4096, EM_CUDA_MACHINE = 190 };
static const uint32_t fatbin_magic = 0xba55ed50;

/* A record of .nv.info: how its value is held, what it is of, and how many bytes follow. */
struct info_record {
    uint8_t format;
    uint8_t attribute;
    uint16_t bytes;
};
enum { INFO_FORMAT_SIZED = 4, INFO_REGISTERS = 0x2f, INFO_FRAME = 0x11, INFO_STACK = 0x12 };

/* A function's value in such a record. */
struct info_value {
    uint32_t symbol, value;
};

static bool refuse(struct reason *ret_reason, const char *what)
{
    return reason_set(ret_reason, REASON_BROKEN, "not whole: %s", what);
}

/* Copies `bytes` bytes from `offset` on: what is in a file is at any address. */
static bool copy(struct cubin_bytes from, uint64_t offset, void *ret, size_t bytes)
{
    if (offset > from.count || bytes > from.count - offset)
        return false;
    memcpy(ret, from.first + offset, bytes);
    return true;
}

/* That many of the bytes, where all of them are there. */
static bool part(struct cubin_bytes from, uint64_t offset, uint64_t bytes, struct cubin_bytes *ret)
{
    if (offset > from.count || bytes > from.count - offset)
        return false;
    *ret = (struct cubin_bytes){from.first + offset, (size_t)bytes};
    return true;
}

/* The next entry at *offset, which goes past it. False at the end, or where it is not whole. */
static bool next_entry(struct cubin_bytes entries, uint64_t *offset, struct fatbin_entry *ret,
                       struct cubin_bytes *ret_payload)
{
    if (!copy(entries, *offset, ret, sizeof *ret) || ret->header_bytes < sizeof *ret ||
        !part(entries, *offset + ret->header_bytes, ret->payload_bytes, ret_payload))
        return false;
    *offset += ret->header_bytes + ret->payload_bytes;
    return true;
}

static bool open_fatbin(struct cubin_bytes fatbin, struct cubin_bytes *ret_entries,
                        struct reason *ret_reason)
{
    struct fatbin_header header;
    if (!copy(fatbin, 0, &header, sizeof header) || header.magic != fatbin_magic)
        return refuse(ret_reason, "no fatbin");
    return part(fatbin, header.header_bytes, header.bytes, ret_entries) ||
           refuse(ret_reason, "the fatbin's size");
}

int cubin_architectures(struct cubin_bytes fatbin, int *ret_architectures, int most,
                        struct reason *ret_reason)
{
    struct cubin_bytes entries = {NULL, 0}, payload = {NULL, 0};
    struct fatbin_entry entry;
    int count = 0;
    uint64_t at = 0;
    if (!open_fatbin(fatbin, &entries, ret_reason))
        return 0;
    for (int index = 0; index < ENTRIES_MOST && next_entry(entries, &at, &entry, &payload); index++)
        if (entry.kind == ENTRY_CUBIN && entry.architecture <= INT16_MAX && count < most)
            ret_architectures[count++] = (int)entry.architecture;
    if (count == 0)
        reason_set(ret_reason, REASON_ABSENT, "the fatbin has no machine code");
    return count;
}

int cubin_code_for(struct cubin_bytes fatbin, int architecture)
{
    enum { ARCHITECTURES_MAX = 64 };
    int found[ARCHITECTURES_MAX], best = 0;
    struct reason reason;
    const int count = cubin_architectures(fatbin, found, ARCHITECTURES_MAX, &reason);
    for (int index = 0; index < count; index++)
        if (found[index] / 10 == architecture / 10 && found[index] <= architecture &&
            found[index] > best)
            best = found[index];
    return best;
}

/* How e_flags holds the architecture: the names are those of LLVM's ELF.h. */
enum {
    EF_CUDA_ABI_V1 = 7, /* up to CUDA 12 */
    EF_CUDA_ABI_V2 = 8, /* from CUDA 13 on */
    EF_CUDA_SM_BITS = 0xff,
    EF_CUDA_SM_OFFSET = 8 /* of version 2 */
};

/* 90 for sm_90; 0 if nobody knows the version. */
static int architecture_of(const Elf64_Ehdr *header)
{
    const int version = header->e_ident[EI_ABIVERSION];
    const Elf64_Word flags = header->e_flags;
    return version == EF_CUDA_ABI_V1   ? (int)(flags & EF_CUDA_SM_BITS)
           : version == EF_CUDA_ABI_V2 ? (int)(flags >> EF_CUDA_SM_OFFSET & EF_CUDA_SM_BITS)
                                       : 0;
}

bool cubin_is_of(struct cubin_bytes cubin, int architecture, struct reason *ret_reason)
{
    Elf64_Ehdr header;
    if (!copy(cubin, 0, &header, sizeof header) || memcmp(header.e_ident, ELFMAG, SELFMAG) != 0)
        return refuse(ret_reason, "no ELF");
    const int holds = architecture_of(&header);
    if (holds == 0)
        return reason_set(ret_reason, REASON_BROKEN,
                          "the code for sm_%d is of the unknown ABI version %d", architecture,
                          header.e_ident[EI_ABIVERSION]);
    return holds == architecture ||
           reason_set(ret_reason, REASON_INPUT, "the code for sm_%d is code of sm_%d", architecture,
                      holds);
}

/* The bytes of the entry for an architecture. */
static bool find_code(struct cubin_bytes fatbin, int architecture, struct cubin_bytes *ret,
                      struct reason *ret_reason)
{
    struct cubin_bytes entries = {NULL, 0}, payload = {NULL, 0};
    struct fatbin_entry entry;
    uint64_t at = 0;
    if (!open_fatbin(fatbin, &entries, ret_reason))
        return false;
    for (int index = 0; index < ENTRIES_MOST && at < entries.count; index++) {
        if (!next_entry(entries, &at, &entry, &payload))
            return refuse(ret_reason, "an entry of the fatbin");
        if (entry.kind != ENTRY_CUBIN || entry.architecture != (uint32_t)architecture)
            continue;
        if (entry.packed_bytes != 0)
            return reason_set(ret_reason, REASON_ABSENT, "the code for sm_%d is compressed",
                              architecture);
        *ret = payload;
        return true;
    }
    return reason_set(ret_reason, REASON_ABSENT, "there is no code for sm_%d", architecture);
}

bool cubin_find(struct cubin_bytes fatbin, int architecture, struct cubin_bytes *ret,
                struct reason *ret_reason)
{
    struct cubin_bytes found = {NULL, 0};
    if (!find_code(fatbin, architecture, &found, ret_reason) ||
        !cubin_is_of(found, architecture, ret_reason))
        return false;
    *ret = found;
    return true;
}

bool cubin_is_foreign(struct cubin_bytes fatbin, int architecture, struct reason *ret_reason)
{
    struct cubin_bytes found = {NULL, 0};
    Elf64_Ehdr header;
    return find_code(fatbin, architecture, &found, ret_reason) &&
           copy(found, 0, &header, sizeof header) && architecture_of(&header) != 0 &&
           memcmp(header.e_ident, ELFMAG, SELFMAG) == 0 &&
           !cubin_is_of(found, architecture, ret_reason);
}

/* A cubin with its table of sections. */
struct elf {
    struct cubin_bytes file;
    Elf64_Ehdr header;
    struct cubin_bytes names; /* of sections */
};

static bool section_at(const struct elf *elf, uint64_t index, Elf64_Shdr *ret)
{
    return index < elf->header.e_shnum &&
           copy(elf->file, elf->header.e_shoff + index * sizeof *ret, ret, sizeof *ret);
}

/* Its bytes: none of one that takes no room in the file. */
static bool section_bytes(const struct elf *elf, const Elf64_Shdr *section, struct cubin_bytes *ret)
{
    return section->sh_type != SHT_NOBITS &&
           part(elf->file, section->sh_offset, section->sh_size, ret);
}

/* True if the text at `offset` is `prefix` and `name` after each other. It looks at no more bytes
 * than those have: thousands of sections may share one name of megabytes. */
static bool text_is(struct cubin_bytes texts, uint64_t offset, const char *prefix, const char *name)
{
    const size_t before = strlen(prefix), after = strlen(name) + 1;
    struct cubin_bytes text;
    return part(texts, offset, before + after, &text) && memcmp(text.first, prefix, before) == 0 &&
           memcmp(text.first + before, name, after) == 0;
}

static bool open_elf(struct cubin_bytes file, struct elf *ret, struct reason *ret_reason)
{
    Elf64_Shdr names;
    *ret = (struct elf){.file = file};
    const Elf64_Ehdr *header = &ret->header;
    if (!copy(file, 0, &ret->header, sizeof ret->header) ||
        memcmp(header->e_ident, ELFMAG, SELFMAG) != 0)
        return refuse(ret_reason, "no ELF");
    if (header->e_ident[EI_CLASS] != ELFCLASS64 || header->e_ident[EI_DATA] != ELFDATA2LSB ||
        header->e_machine != EM_CUDA_MACHINE || header->e_shentsize != sizeof names ||
        header->e_shoff > file.count)
        return refuse(ret_reason, "not a 64-bit cubin");
    if (!section_at(ret, header->e_shstrndx, &names) || !section_bytes(ret, &names, &ret->names))
        return refuse(ret_reason, "the names of the cubin's sections");
    return true;
}

/* The section of that name: `prefix` and `name` after each other. Its number, or 0. */
static uint64_t find_section(const struct elf *elf, const char *prefix, const char *name,
                             Elf64_Shdr *ret)
{
    Elf64_Shdr section;
    for (uint64_t index = 1; section_at(elf, index, &section); index++) {
        if (text_is(elf->names, section.sh_name, prefix, name)) {
            *ret = section;
            return index;
        }
    }
    return 0;
}

/* The number of the function's symbol, which is in section `code`, or 0. */
static uint64_t find_symbol(const struct elf *elf, const char *entry, uint64_t code)
{
    struct cubin_bytes symbols = {NULL, 0}, names = {NULL, 0};
    Elf64_Shdr table, texts;
    Elf64_Sym symbol;
    if (!find_section(elf, ".symtab", "", &table) || !section_bytes(elf, &table, &symbols) ||
        !section_at(elf, table.sh_link, &texts) || !section_bytes(elf, &texts, &names))
        return 0;
    for (uint64_t index = 1; copy(symbols, index * sizeof symbol, &symbol, sizeof symbol); index++)
        if (symbol.st_shndx == code && ELF64_ST_TYPE(symbol.st_info) == STT_FUNC &&
            text_is(names, symbol.st_name, "", entry))
            return index;
    return 0;
}

/* Goes through .nv.info for what it has of the function. False if it has no registers of it. */
static bool read_info(struct cubin_bytes info, uint64_t symbol, struct code_figures *ret)
{
    struct info_record record;
    struct info_value value;
    bool has_registers = false;
    for (uint64_t at = 0; copy(info, at, &record, sizeof record); at += sizeof record) {
        if (record.format != INFO_FORMAT_SIZED)
            continue; /* the value is in the record itself */
        const bool is_its = record.bytes == sizeof value &&
                            copy(info, at + sizeof record, &value, sizeof value) &&
                            value.symbol == symbol;
        const bool is_local = record.attribute == INFO_FRAME || record.attribute == INFO_STACK;
        if (is_its && is_local && value.value > ret->local_bytes)
            ret->local_bytes = value.value;
        if (is_its && record.attribute == INFO_REGISTERS) {
            ret->registers = value.value;
            has_registers = true;
        }
        at += record.bytes;
    }
    return has_registers;
}

/* Static shared memory. Where the system reserves some, the section holds that too, and another one
 * says so; before CUDA 12.9 none did. */
static uint64_t shared_bytes(const struct elf *elf, const char *entry)
{
    enum { RESERVES_FROM = 90 };
    Elf64_Shdr own, other;
    if (!find_section(elf, ".nv.shared.", entry, &own))
        return 0;
    const bool is_reserved = find_section(elf, ".nv.shared.reserved.", "0", &other) > 0 ||
                             (elf->header.e_ident[EI_ABIVERSION] == EF_CUDA_ABI_V1 &&
                              architecture_of(&elf->header) >= RESERVES_FROM);
    const bool holds_more = is_reserved && own.sh_size >= CUBIN_RESERVED_BYTES;
    return own.sh_size - (holds_more ? CUBIN_RESERVED_BYTES : 0);
}

bool cubin_read(struct cubin_bytes cubin, const char *entry, struct code_figures *ret,
                struct reason *ret_reason)
{
    struct elf elf;
    struct cubin_bytes code = {NULL, 0}, info = {NULL, 0};
    struct code_figures function = {.registers = 0};
    Elf64_Shdr section;
    if (!open_elf(cubin, &elf, ret_reason))
        return false;
    const uint64_t index = find_section(&elf, ".text.", entry, &section);
    if (index == 0)
        return reason_set(ret_reason, REASON_ABSENT, "the cubin has no function %.64s", entry);
    if (!section_bytes(&elf, &section, &code))
        return refuse(ret_reason, "the function's code");
    const uint64_t symbol = find_symbol(&elf, entry, index);
    if (symbol == 0)
        return refuse(ret_reason, "the function's symbol");
    if (!find_section(&elf, ".nv.info", "", &section) || !section_bytes(&elf, &section, &info) ||
        !read_info(info, symbol, &function))
        return refuse(ret_reason, "the function's registers in .nv.info");
    function.code_bytes = code.count;
    function.code_hash = XXH3_64bits(code.first, code.count);
    function.shared_bytes = shared_bytes(&elf, entry);
    *ret = function;
    return true;
}
