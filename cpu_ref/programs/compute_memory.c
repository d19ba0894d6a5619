/* Operations that reach beyond a statement's arguments (spec/programs.md): a thread's own memory,
 * the constant table, atomics, and operations of all threads of a warp or block. */
#include "cpu_ref/programs/compute.h"

/* The space of an access and its bytes; 0: as many as the type has. */
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

/* Beside the reductions. */
enum { ATOM_EXCH = REDUCE_XOR + 1, ATOM_INC, ATOM_DEC, ATOM_CAS };

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

#define REDUCTIONS(name, function)                                                                 \
    [OPERATION_##name##_add] = {function, REDUCE_ADD},                                             \
    [OPERATION_##name##_min] = {function, REDUCE_MIN},                                             \
    [OPERATION_##name##_max] = {function, REDUCE_MAX},                                             \
    [OPERATION_##name##_and] = {function, REDUCE_AND},                                             \
    [OPERATION_##name##_or] = {function, REDUCE_OR},                                               \
    [OPERATION_##name##_xor] = {function, REDUCE_XOR}

#define ACCESSES(space, of_space)                                                                  \
    [OPERATION_##space##_load_s8] = {load, of_space | 1 | SIGNED},                                 \
    [OPERATION_##space##_load_u8] = {load, of_space | 1},                                          \
    [OPERATION_##space##_load] = {load, of_space},                                                 \
    [OPERATION_##space##_store] = {store, of_space},                                               \
    [OPERATION_##space##_store_8] = {store, of_space | 1},                                         \
    [OPERATION_##space##_load_2x16] = {load, of_space | 4},                                        \
    [OPERATION_##space##_store_2x16] = {store, of_space | 4},                                      \
    [OPERATION_##space##_load_2x32] = {load, of_space | 8},                                        \
    [OPERATION_##space##_store_2x32] = {store, of_space | 8},                                      \
    [OPERATION_##space##_load_4x16] = {load, of_space | 8},                                        \
    [OPERATION_##space##_store_4x16] = {store, of_space | 8},                                      \
    [OPERATION_##space##_load_4x32] = {load_4x32, of_space},                                       \
    [OPERATION_##space##_load_2x64] = {load_2x64, of_space},                                       \
    [OPERATION_##space##_store_4x32] = {store_16, of_space},                                       \
    [OPERATION_##space##_store_2x64] = {store_16, of_space}

const struct computation compute_memory[OPERATIONS] = {
    ACCESSES(local, LOCAL),
    ACCESSES(global, GLOBAL),
    [OPERATION_table_load] = {load, TABLE},
    [OPERATION_global_load_abs] = {load_abs, GLOBAL},
    [OPERATION_table_load_abs] = {load_abs, TABLE},
    REDUCTIONS(global_atom, atom),
    [OPERATION_global_atom_exch] = {atom, ATOM_EXCH},
    [OPERATION_global_atom_inc] = {atom, ATOM_INC},
    [OPERATION_global_atom_dec] = {atom, ATOM_DEC},
    [OPERATION_global_atom_cas] = {atom, ATOM_CAS},
};
#undef ACCESSES

#define ARGUMENTS const uint64_t(*argument)[PROGRAM_THREADS_MAX]

static void exchange(const struct step *step, uint32_t threads, ARGUMENTS, uint64_t *ret_result)
{
    (void)step;
    for (uint32_t thread = 0; thread < threads; thread++)
        ret_result[thread] = argument[0][argument[1][thread] % threads];
}

static void exchange_in_warps(const struct step *step, uint32_t threads, ARGUMENTS,
                              uint64_t *ret_result)
{
    (void)step;
    for (uint32_t thread = 0; thread < threads; thread++) {
        const uint32_t other = thread / 32 * 32 + argument[1][thread] % 32;
        ret_result[thread] = argument[0][other < threads ? other : thread];
    }
}

static void exchange_two(const struct step *step, uint32_t threads, ARGUMENTS, uint64_t *ret_result)
{
    (void)step;
    for (uint32_t thread = 0; thread < threads; thread++) {
        const uint64_t word = argument[2][thread] % (2 * threads);
        ret_result[thread] = argument[word % 2][word / 2];
    }
}

static void reduce_all(const struct step *step, uint32_t threads, ARGUMENTS, uint64_t *ret_result)
{
    uint64_t all = argument[0][0];
    for (uint32_t thread = 1; thread < threads; thread++)
        all = compute_reduce(step, step->variant, all, argument[0][thread]);
    for (uint32_t thread = 0; thread < threads; thread++)
        ret_result[thread] = all;
}

enum { COUNT, ALL, ANY, UNI, BALLOT };

static void barrier(const struct step *step, uint32_t threads, ARGUMENTS, uint64_t *ret_result)
{
    uint64_t count = 0;
    for (uint32_t thread = 0; thread < threads; thread++)
        count += argument[0][thread];
    const uint64_t result = step->variant == COUNT ? count
                            : step->variant == ALL ? count == threads
                                                   : count > 0;
    for (uint32_t thread = 0; thread < threads; thread++)
        ret_result[thread] = result;
}

/* A warp: `first` is its thread in lane 0, `members` the lanes that the mask names and that exist.
 */
struct warp {
    uint32_t first;
    uint32_t members;
};

static bool is_member(const struct warp *warp, uint32_t lane)
{
    return warp->members >> lane & 1;
}

static struct warp warp_of(uint32_t first, uint32_t threads, const uint64_t *mask)
{
    const uint32_t left = threads - first;
    const uint32_t exist = left >= 32 ? UINT32_MAX : ((uint32_t)1 << left) - 1;
    return (struct warp){.first = first, .members = (uint32_t)mask[first] & exist};
}

enum { UP, DOWN, BFLY, IDX };

/* The lane that `lane` reads of, PTX's j; its own where PTX's predicate is false. */
static uint32_t source_lane(int how, uint32_t lane, uint32_t b, uint32_t width)
{
    const uint32_t segment = lane / width * width, last = segment + width - 1;
    if (how == IDX)
        return segment + b % width;
    if (how == UP)
        return lane >= segment + b ? lane - b : lane;
    const uint32_t from = how == DOWN ? lane + b : lane ^ b;
    return from <= last ? from : lane;
}

static void shfl(const struct step *step, uint32_t threads, ARGUMENTS, uint64_t *ret_result)
{
    for (uint32_t first = 0; first < threads; first += 32) {
        const struct warp warp = warp_of(first, threads, argument[3]);
        for (uint32_t lane = 0; lane < 32; lane++) {
            if (!is_member(&warp, lane))
                continue;
            const uint32_t thread = first + lane;
            const uint32_t from =
                source_lane(step->variant, lane, (uint32_t)argument[1][thread] & 31,
                            (uint32_t)1 << argument[2][thread]);
            ret_result[thread] = argument[0][is_member(&warp, from) ? first + from : thread];
        }
    }
}

/* The members whose argument equals `value`. */
static uint32_t those_with(const struct warp *warp, const uint64_t *argument, uint64_t value)
{
    uint32_t those = 0;
    for (uint32_t lane = 0; lane < 32; lane++)
        if (is_member(warp, lane) && argument[warp->first + lane] == value)
            those |= (uint32_t)1 << lane;
    return those;
}

static void vote(const struct step *step, uint32_t threads, ARGUMENTS, uint64_t *ret_result)
{
    for (uint32_t first = 0; first < threads; first += 32) {
        const struct warp warp = warp_of(first, threads, argument[1]);
        const uint32_t those = those_with(&warp, argument[0], 1);
        const bool is_all = those == warp.members, is_none = those == 0;
        const uint64_t results[] = {
            [ALL] = is_all, [ANY] = !is_none, [UNI] = is_all || is_none, [BALLOT] = those};
        for (uint32_t lane = 0; lane < 32; lane++)
            if (is_member(&warp, lane))
                ret_result[first + lane] = results[step->variant];
    }
}

static void match_any(const struct step *step, uint32_t threads, ARGUMENTS, uint64_t *ret_result)
{
    (void)step;
    for (uint32_t first = 0; first < threads; first += 32) {
        const struct warp warp = warp_of(first, threads, argument[1]);
        for (uint32_t lane = 0; lane < 32; lane++)
            if (is_member(&warp, lane))
                ret_result[first + lane] =
                    those_with(&warp, argument[0], argument[0][first + lane]);
    }
}

static void match_all(const struct step *step, uint32_t threads, ARGUMENTS, uint64_t *ret_result)
{
    (void)step;
    for (uint32_t first = 0; first < threads; first += 32) {
        const struct warp warp = warp_of(first, threads, argument[1]);
        for (uint32_t lane = 0; lane < 32; lane++) {
            if (!is_member(&warp, lane))
                continue;
            const uint32_t those = those_with(&warp, argument[0], argument[0][first + lane]);
            ret_result[first + lane] = those == warp.members ? those : 0;
        }
    }
}

static void redux(const struct step *step, uint32_t threads, ARGUMENTS, uint64_t *ret_result)
{
    for (uint32_t first = 0; first < threads; first += 32) {
        const struct warp warp = warp_of(first, threads, argument[1]);
        uint64_t all = 0;
        bool is_first = true;
        for (uint32_t lane = 0; lane < 32; lane++) {
            if (!is_member(&warp, lane))
                continue;
            const uint64_t value = argument[0][first + lane];
            all = is_first ? value : compute_reduce(step, step->variant, all, value);
            is_first = false;
        }
        for (uint32_t lane = 0; lane < 32; lane++)
            if (is_member(&warp, lane))
                ret_result[first + lane] = all;
    }
}

#define SHUFFLES(of)                                                                               \
    [OPERATION_shfl_up##of] = {shfl, UP}, [OPERATION_shfl_down##of] = {shfl, DOWN},                \
    [OPERATION_shfl_bfly##of] = {shfl, BFLY}, [OPERATION_shfl_idx##of] = {shfl, IDX}

const struct togetherness compute_together[OPERATIONS] = {
    [OPERATION_shared_exchange] = {exchange, 0},
    [OPERATION_shared_warp] = {exchange_in_warps, 0},
    [OPERATION_shared_array] = {exchange_two, 0},
    REDUCTIONS(shared_reduce, reduce_all),
    [OPERATION_shared_reduce_min_u] = {reduce_all, REDUCE_MIN},
    [OPERATION_shared_reduce_max_u] = {reduce_all, REDUCE_MAX},
    [OPERATION_barrier_popc] = {barrier, COUNT},
    [OPERATION_barrier_and] = {barrier, ALL},
    [OPERATION_barrier_or] = {barrier, ANY},
    SHUFFLES(),
    SHUFFLES(_16),
    SHUFFLES(_64),
    [OPERATION_vote_all] = {vote, ALL},
    [OPERATION_vote_any] = {vote, ANY},
    [OPERATION_vote_uni] = {vote, UNI},
    [OPERATION_vote_ballot] = {vote, BALLOT},
    [OPERATION_match_any] = {match_any, 0},
    [OPERATION_match_all] = {match_all, 0},
    REDUCTIONS(redux, redux),
};
#undef SHUFFLES
#undef REDUCTIONS
