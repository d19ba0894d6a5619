/* Memory of a thread's own and the constant table (spec/programs.md). */
#include "cpu_ref/programs/compute.h"

/* Where, and of how many bytes an access is; 0: as many as the type. */
enum { LOCAL = 0, GLOBAL = 32, TABLE = 64, SIGNED = 128, UNIT = 31 };

static int unit_of(const struct step *step)
{
    const int unit = step->variant & UNIT;
    return unit ? unit : step->bits / 8;
}

static uint64_t offset_of(const struct step *step, uint64_t index, int unit)
{
    const int bytes = step->variant & TABLE ? PROGRAM_TABLE_WORDS * 4 : PROGRAM_PRIVATE_BYTES;
    return index % (uint64_t)(bytes / unit) * (uint64_t)unit;
}

static uint64_t read_bytes(const unsigned char *from, int count)
{
    uint64_t value = 0;
    for (int index = 0; index < count; index++)
        value |= (uint64_t)from[index] << index * 8;
    return value;
}

static void write_bytes(unsigned char *to, int count, uint64_t value)
{
    for (int index = 0; index < count; index++)
        to[index] = (unsigned char)(value >> index * 8);
}

static const unsigned char *source_of(const struct step *step, uint64_t index, int unit)
{
    const unsigned char *from = step->variant & TABLE    ? step->table
                                : step->variant & GLOBAL ? step->own
                                                         : step->array;
    return from + offset_of(step, index, unit);
}

static unsigned char *target_of(const struct step *step, uint64_t index, int unit)
{
    return (step->variant & GLOBAL ? step->own : step->array) + offset_of(step, index, unit);
}

static uint64_t load(const struct step *step, const uint64_t *a)
{
    const int unit = unit_of(step);
    const uint64_t value = read_bytes(source_of(step, a[0], unit), unit);
    return step->variant & SIGNED ? sign_extend(value, unit * 8) : value;
}

/* The index is below 0: (a mod 8) - 8. */
static uint64_t load_abs(const struct step *step, const uint64_t *a)
{
    const uint64_t index = 8 - a[0] % 8;
    return load(step, &index);
}

static uint64_t store(const struct step *step, const uint64_t *a)
{
    const int unit = unit_of(step);
    write_bytes(target_of(step, a[0], unit), unit, a[1]);
    return 0;
}

static uint64_t load_2x64(const struct step *step, const uint64_t *a)
{
    const unsigned char *from = source_of(step, a[0], 16);
    return read_bytes(from, 8) + 3 * read_bytes(from + 8, 8);
}

static uint64_t load_4x32(const struct step *step, const uint64_t *a)
{
    const unsigned char *from = source_of(step, a[0], 16);
    const uint64_t low = read_bytes(from, 4) + 3 * read_bytes(from + 8, 4);
    const uint64_t high = read_bytes(from + 4, 4) + 3 * read_bytes(from + 12, 4);
    return high << 32 | (uint32_t)low;
}

static uint64_t store_16(const struct step *step, const uint64_t *a)
{
    unsigned char *to = target_of(step, a[0], 16);
    write_bytes(to, 8, a[1]);
    write_bytes(to + 8, 8, a[2]);
    return 0;
}

enum {
    ATOM_ADD = REDUCE_ADD,
    ATOM_MIN = REDUCE_MIN,
    ATOM_MAX = REDUCE_MAX,
    ATOM_AND = REDUCE_AND,
    ATOM_OR = REDUCE_OR,
    ATOM_XOR = REDUCE_XOR,
    ATOM_EXCH,
    ATOM_INC,
    ATOM_DEC,
    ATOM_CAS
};

static uint64_t atom(const struct step *step, const uint64_t *a)
{
    const struct step of_own = {.bits = step->bits, .variant = GLOBAL, .own = step->own};
    const int unit = step->bits / 8;
    unsigned char *to = target_of(&of_own, a[0], unit);
    const uint64_t old = read_bytes(to, unit);
    uint64_t put;
    switch (step->variant) {
    case ATOM_EXCH:
        put = a[1];
        break;
    case ATOM_INC:
        put = old >= a[1] ? 0 : old + 1;
        break;
    case ATOM_DEC:
        put = old == 0 || old > a[1] ? a[1] : old - 1;
        break;
    case ATOM_CAS:
        put = old == a[1] ? a[2] : old;
        break;
    default:
        put = compute_reduce(step, step->variant, old, a[1]);
        break;
    }
    write_bytes(to, unit, put);
    return old;
}

const struct computation compute_memory[OPERATIONS] = {
    [OPERATION_local_load_s8] = {load, LOCAL | 1 | SIGNED},
    [OPERATION_local_load_u8] = {load, LOCAL | 1},
    [OPERATION_local_load] = {load, LOCAL},
    [OPERATION_local_store] = {store, LOCAL},
    [OPERATION_local_store_8] = {store, LOCAL | 1},
    [OPERATION_local_load_2x16] = {load, LOCAL | 4},
    [OPERATION_local_store_2x16] = {store, LOCAL | 4},
    [OPERATION_local_load_2x32] = {load, LOCAL | 8},
    [OPERATION_local_store_2x32] = {store, LOCAL | 8},
    [OPERATION_local_load_4x16] = {load, LOCAL | 8},
    [OPERATION_local_store_4x16] = {store, LOCAL | 8},
    [OPERATION_local_load_4x32] = {load_4x32, LOCAL},
    [OPERATION_local_load_2x64] = {load_2x64, LOCAL},
    [OPERATION_local_store_4x32] = {store_16, LOCAL},
    [OPERATION_local_store_2x64] = {store_16, LOCAL},
    [OPERATION_global_load_s8] = {load, GLOBAL | 1 | SIGNED},
    [OPERATION_global_load_u8] = {load, GLOBAL | 1},
    [OPERATION_global_load] = {load, GLOBAL},
    [OPERATION_global_store] = {store, GLOBAL},
    [OPERATION_global_store_8] = {store, GLOBAL | 1},
    [OPERATION_global_load_2x16] = {load, GLOBAL | 4},
    [OPERATION_global_store_2x16] = {store, GLOBAL | 4},
    [OPERATION_global_load_2x32] = {load, GLOBAL | 8},
    [OPERATION_global_store_2x32] = {store, GLOBAL | 8},
    [OPERATION_global_load_4x16] = {load, GLOBAL | 8},
    [OPERATION_global_store_4x16] = {store, GLOBAL | 8},
    [OPERATION_global_load_4x32] = {load_4x32, GLOBAL},
    [OPERATION_global_load_2x64] = {load_2x64, GLOBAL},
    [OPERATION_global_store_4x32] = {store_16, GLOBAL},
    [OPERATION_global_store_2x64] = {store_16, GLOBAL},
    [OPERATION_table_load] = {load, TABLE},
    [OPERATION_global_load_abs] = {load_abs, GLOBAL},
    [OPERATION_table_load_abs] = {load_abs, TABLE},
    [OPERATION_global_atom_add] = {atom, ATOM_ADD},
    [OPERATION_global_atom_min] = {atom, ATOM_MIN},
    [OPERATION_global_atom_max] = {atom, ATOM_MAX},
    [OPERATION_global_atom_and] = {atom, ATOM_AND},
    [OPERATION_global_atom_or] = {atom, ATOM_OR},
    [OPERATION_global_atom_xor] = {atom, ATOM_XOR},
    [OPERATION_global_atom_exch] = {atom, ATOM_EXCH},
    [OPERATION_global_atom_inc] = {atom, ATOM_INC},
    [OPERATION_global_atom_dec] = {atom, ATOM_DEC},
    [OPERATION_global_atom_cas] = {atom, ATOM_CAS},
};
