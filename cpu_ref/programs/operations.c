/* The table of operations and what its columns say (operations.h). */
#include "cpu_ref/programs/operations.h"

#include <string.h>

/* Sets of types, as the rows name them. */
enum {
    T_PREDICATE = 1u << TYPE_PREDICATE,
    T_S16 = 1u << TYPE_S16,
    T_U16 = 1u << TYPE_U16,
    T_S32 = 1u << TYPE_S32,
    T_U32 = 1u << TYPE_U32,
    T_S64 = 1u << TYPE_S64,
    T_U64 = 1u << TYPE_U64,
    T_F32 = 1u << TYPE_F32,
    T_F64 = 1u << TYPE_F64,
    T_16 = T_S16 | T_U16,
    T_32 = T_S32 | T_U32,
    T_64 = T_S64 | T_U64,
    T_SIGNED = T_S16 | T_S32 | T_S64,
    T_BITS = T_U16 | T_U32 | T_U64,
    T_INTEGERS = T_SIGNED | T_BITS,
    T_FLOATS = T_F32 | T_F64
};

enum { IS_BLOCK = 1, IS_TOGETHER = 2, IS_COSTLY = 4 };

const struct operation operations[OPERATIONS] = {
#define OPERATION(id, of_group, of_types, letters, arch, flags, ptx_text, c_text, section)         \
    {.name = #id,                                                                                  \
     .group = GROUP_##of_group,                                                                    \
     .types = of_types,                                                                            \
     .signature = letters,                                                                         \
     .minimum_arch = arch,                                                                         \
     .is_block = ((flags)&IS_BLOCK) != 0,                                                          \
     .is_together = ((flags)&IS_TOGETHER) != 0,                                                    \
     .is_costly = ((flags)&IS_COSTLY) != 0,                                                        \
     .ptx = ptx_text,                                                                              \
     .c = c_text,                                                                                  \
     .source = section},
#include "spec/operations.def"
#undef OPERATION
};

const int operation_count = OPERATIONS;

static const struct {
    const char *name;
    uint8_t of_class;
    uint8_t is_signed;
} types[PROGRAM_TYPES] = {
    [TYPE_PREDICATE] = {"pred", CLASS_PREDICATE, 0},
    [TYPE_S16] = {"s16", CLASS_16, 1},
    [TYPE_U16] = {"u16", CLASS_16, 0},
    [TYPE_S32] = {"s32", CLASS_32, 1},
    [TYPE_U32] = {"u32", CLASS_32, 0},
    [TYPE_S64] = {"s64", CLASS_64, 1},
    [TYPE_U64] = {"u64", CLASS_64, 0},
    [TYPE_F32] = {"f32", CLASS_F32, 1},
    [TYPE_F64] = {"f64", CLASS_F64, 1},
};

static const int bits_of[PROGRAM_CLASSES] = {1, 16, 32, 64, 32, 64};

int operation_find(const char *name)
{
    for (int row = 0; row < OPERATIONS; row++)
        if (strcmp(operations[row].name, name) == 0)
            return row;
    return -1;
}

/* The letter of that place; a constant's is the `#` of "#32". */
static const char *letter_of(const struct operation *operation, int place)
{
    const char *at = operation->signature;
    for (; place > 0; place--) {
        at++;
        at += strspn(at, "0123456789");
    }
    return at;
}

int operation_arguments(const struct operation *operation)
{
    int count = -1;
    for (const char *at = operation->signature; *at; at++)
        count += *at < '0' || *at > '9';
    return count;
}

enum program_class operation_class(const struct operation *operation, enum program_type type,
                                   int place)
{
    switch (*letter_of(operation, place)) {
    case 't':
        return type_class(type);
    case 'w':
        return type_bits(type) == 16 ? CLASS_32 : CLASS_64;
    case 'p':
        return CLASS_PREDICATE;
    case 'h':
        return CLASS_16;
    case 'l':
        return CLASS_64;
    case 'f':
        return CLASS_F32;
    case 'd':
        return CLASS_F64;
    default:
        return CLASS_32;
    }
}

bool operation_has_result(const struct operation *operation)
{
    return *operation->signature != '-';
}

bool operation_is_constant(const struct operation *operation, enum program_type type, int place,
                           uint64_t *ret_bound)
{
    (void)type;
    const char *at = letter_of(operation, place);
    if (*at != '#')
        return false;
    uint64_t bound = 0;
    for (at++; *at >= '0' && *at <= '9'; at++)
        bound = bound * 10 + (uint64_t)(*at - '0');
    *ret_bound = bound;
    return true;
}

int class_bits(enum program_class of_class)
{
    return bits_of[of_class];
}

uint64_t class_cut(enum program_class of_class, uint64_t bits)
{
    return bits & (UINT64_MAX >> (64 - bits_of[of_class]));
}

int type_bits(enum program_type type)
{
    return bits_of[types[type].of_class];
}

bool type_is_signed(enum program_type type)
{
    return types[type].is_signed;
}

const char *type_name(enum program_type type)
{
    return types[type].name;
}

enum program_class type_class(enum program_type type)
{
    return (enum program_class)types[type].of_class;
}
