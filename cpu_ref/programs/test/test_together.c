/* What the threads of a warp or block do together, against lanes and sums that are worked out here.
 */
#include "cpu_ref/programs/test/build_program.h"
#include "spec/testing.h"

static uint64_t output[OUTPUT_WORDS];
static uint64_t input[PROGRAM_THREADS_MAX * 4];

enum { THREADS = 41, UNTOUCHED = 0xabcd };

static uint64_t value_of(uint32_t thread)
{
    return 0x9e3779b97f4a7c15 * (thread / 3 + 1);
}

static uint64_t cut(uint64_t bits, int width)
{
    return width == 64 ? bits : bits & (((uint64_t)1 << width) - 1);
}

/* Runs one statement of `value_of` each thread, another argument that is the thread's number times
 * `step`, and the constants; its result in each thread is output[thread]. */
static void run_one(int operation, enum program_type type, uint64_t step, const uint64_t *constants)
{
    const struct operation *row = &operations[operation];
    struct program program = {.threads = THREADS};
    const int result = build_constant(&program, operation_class(row, type, 0),
                                      cut(UNTOUCHED, class_bits(operation_class(row, type, 0))));
    build_statement(&program, operation, type, result);
    const enum program_class first_class = operation_class(row, type, 1);
    const int value = build_input(&program, first_class);
    build_argument(&program, value);
    const int number = build_input(&program, CLASS_32);
    for (uint32_t thread = 0; thread < THREADS; thread++) {
        input[thread] = first_class == CLASS_PREDICATE ? value_of(thread) >> 7 : value_of(thread);
        input[THREADS + thread] = thread * step;
    }
    for (int place = 2; place <= operation_arguments(row); place++) {
        uint64_t bound;
        if (operation_is_constant(row, type, place, &bound))
            build_number(&program, *constants++);
        else
            build_argument(&program, number);
    }
    program_interpret(&program, input, output);
}

START_TEST(shared_words_are_of_this_statement, "programs.shared.barriers")
{
    static const enum program_type types[] = {TYPE_U16, TYPE_U32, TYPE_U64};
    for (int index = 0; index < 3; index++) {
        run_one(OPERATION_shared_exchange, types[index], 7, NULL);
        for (uint32_t thread = 0; thread < THREADS; thread++)
            ck_assert_uint_eq(output[thread],
                              cut(value_of(thread * 7 % THREADS), type_bits(types[index])));
    }
    run_one(OPERATION_shared_warp, TYPE_U32, 7, NULL);
    for (uint32_t thread = 0; thread < THREADS; thread++) {
        const uint32_t other = thread - thread % 32 + thread * 7 % 32;
        ck_assert_uint_eq(output[thread], cut(value_of(other < THREADS ? other : thread), 32));
    }
    struct program program = {.threads = THREADS};
    const int even = build_input(&program, CLASS_32), odd = build_input(&program, CLASS_32);
    const int index = build_input(&program, CLASS_32);
    build_statement(&program, OPERATION_shared_array, TYPE_U32, even);
    build_argument(&program, even);
    build_argument(&program, odd);
    build_argument(&program, index);
    for (uint32_t thread = 0; thread < THREADS; thread++) {
        input[thread] = 1000 + 2 * thread;
        input[THREADS + thread] = 1001 + 2 * thread;
        input[2 * THREADS + thread] = 11 * thread;
    }
    program_interpret(&program, input, output);
    for (uint32_t thread = 0; thread < THREADS; thread++)
        ck_assert_uint_eq(output[thread], 1000 + 11 * thread % (2 * THREADS));
}

START_TEST(reductions_are_of_all_threads, "programs.shared.barriers")
{
    uint64_t sum = 0, least = UINT64_MAX, greatest = 0, all = UINT64_MAX, any = 0, odd = 0;
    int64_t lowest = INT64_MAX, highest = INT64_MIN;
    uint64_t count = 0;
    for (uint32_t thread = 0; thread < THREADS; thread++) {
        const uint64_t value = value_of(thread);
        sum += value;
        least = value < least ? value : least;
        greatest = value > greatest ? value : greatest;
        lowest = (int64_t)value < lowest ? (int64_t)value : lowest;
        highest = (int64_t)value > highest ? (int64_t)value : highest;
        all &= value;
        any |= value;
        odd ^= value;
        count += value >> 7 & 1;
    }
    const struct {
        int operation;
        enum program_type type;
        uint64_t expected;
    } rows[] = {
        {OPERATION_shared_reduce_add, TYPE_U64, sum},
        {OPERATION_shared_reduce_add, TYPE_U32, (uint32_t)sum},
        {OPERATION_shared_reduce_min, TYPE_S64, (uint64_t)lowest},
        {OPERATION_shared_reduce_max, TYPE_S64, (uint64_t)highest},
        {OPERATION_shared_reduce_min_u, TYPE_U64, least},
        {OPERATION_shared_reduce_max_u, TYPE_U64, greatest},
        {OPERATION_shared_reduce_and, TYPE_U64, all},
        {OPERATION_shared_reduce_or, TYPE_U32, (uint32_t)any},
        {OPERATION_shared_reduce_xor, TYPE_U64, odd},
        {OPERATION_barrier_popc, TYPE_U32, count},
        {OPERATION_barrier_and, TYPE_PREDICATE, count == THREADS},
        {OPERATION_barrier_or, TYPE_PREDICATE, count > 0},
    };
    for (size_t index = 0; index < sizeof rows / sizeof *rows; index++) {
        run_one(rows[index].operation, rows[index].type, 0, NULL);
        for (uint32_t thread = 0; thread < THREADS; thread++)
            ck_assert_uint_eq(output[thread], rows[index].expected);
    }
}

/* PTX's own words for the lane that a shuffle reads (its pseudo code). */
static int ptx_lane(int operation, int lane, int b, int width)
{
    const int segmask = 32 - width, clamp = operation == OPERATION_shfl_up ? 0 : 31;
    const int highest = (lane & segmask) | (clamp & ~segmask), lowest = lane & segmask;
    int from;
    bool holds;
    if (operation == OPERATION_shfl_up) {
        from = lane - b;
        holds = from >= highest;
    } else if (operation == OPERATION_shfl_down) {
        from = lane + b;
        holds = from <= highest;
    } else if (operation == OPERATION_shfl_bfly) {
        from = lane ^ b;
        holds = from <= highest;
    } else {
        from = lowest | (b & ~segmask);
        holds = from <= highest;
    }
    return holds ? from : lane;
}

static const uint32_t masks[] = {0xffffffff, 0x0000ffff, 0x00ff00ff, 0x80000001, 0x3ff, 0};
enum { MASKS = sizeof masks / sizeof *masks };

/* The lanes of the thread's warp that take part: 41 threads are a warp and nine lanes of another.
 */
static uint32_t members_of(uint32_t thread, uint32_t mask)
{
    return thread < 32 ? mask : mask & 0x1ff;
}

static bool takes_part(uint32_t thread, uint32_t mask)
{
    return members_of(thread, mask) >> thread % 32 & 1;
}

START_TEST(shuffles_read_members, "programs.warp.source")
{
    static const int rows[4][3] = {
        {OPERATION_shfl_up, OPERATION_shfl_up_16, OPERATION_shfl_up_64},
        {OPERATION_shfl_down, OPERATION_shfl_down_16, OPERATION_shfl_down_64},
        {OPERATION_shfl_bfly, OPERATION_shfl_bfly_16, OPERATION_shfl_bfly_64},
        {OPERATION_shfl_idx, OPERATION_shfl_idx_16, OPERATION_shfl_idx_64}};
    static const enum program_type types[] = {TYPE_U32, TYPE_U16, TYPE_U64};
    for (int how = 0; how < 4; how++)
        for (int index = 0; index < 3 * 6 * MASKS; index++) {
            const uint64_t constants[] = {(uint64_t)(index / 3 % 6), masks[index / 18]};
            run_one(rows[how][index % 3], types[index % 3], 5, constants);
            for (uint32_t thread = 0; thread < THREADS; thread++) {
                const uint32_t members = members_of(thread, (uint32_t)constants[1]);
                const int from = ptx_lane(rows[how][0], (int)(thread % 32), (int)(thread * 5 % 32),
                                          1 << constants[0]);
                const uint32_t source =
                    members >> from & 1 ? thread / 32 * 32 + (uint32_t)from : thread;
                const uint64_t value = takes_part(thread, members) ? value_of(source) : UNTOUCHED;
                ck_assert_uint_eq(output[thread], cut(value, type_bits(types[index % 3])));
            }
        }
}

/* Over the members of a thread's warp, what an operation gives. */
static uint64_t of_members(int operation, enum program_type type, uint32_t thread, uint32_t mask)
{
    const int width = type_bits(type);
    const uint32_t first = thread / 32 * 32;
    uint32_t holding = 0, same = 0;
    uint64_t sum = 0, least = UINT64_MAX, greatest = 0, all = UINT64_MAX, any = 0, odd = 0;
    int64_t lowest = INT64_MAX, highest = INT64_MIN;
    for (uint32_t lane = 0; lane < 32; lane++) {
        if (!(mask >> lane & 1))
            continue;
        const uint64_t whole = value_of(first + lane), value = cut(whole, width);
        holding |= (uint32_t)(whole >> 7 & 1) << lane;
        same |= (uint32_t)(value == cut(value_of(thread), width)) << lane;
        const int64_t number = width == 64 ? (int64_t)value : (int32_t)value;
        sum += value;
        least = value < least ? value : least;
        greatest = value > greatest ? value : greatest;
        lowest = number < lowest ? number : lowest;
        highest = number > highest ? number : highest;
        all &= value;
        any |= value;
        odd ^= value;
    }
    const bool is_signed = type_is_signed(type);
    const uint64_t results[OPERATIONS] = {
        [OPERATION_vote_all] = holding == mask,
        [OPERATION_vote_any] = holding != 0,
        [OPERATION_vote_uni] = holding == mask || holding == 0,
        [OPERATION_vote_ballot] = holding,
        [OPERATION_match_any] = same,
        [OPERATION_match_all] = same == mask ? mask : 0,
        [OPERATION_redux_add] = sum,
        [OPERATION_redux_min] = is_signed ? (uint64_t)lowest : least,
        [OPERATION_redux_max] = is_signed ? (uint64_t)highest : greatest,
        [OPERATION_redux_and] = all,
        [OPERATION_redux_or] = any,
        [OPERATION_redux_xor] = odd,
    };
    return results[operation];
}

START_TEST(members_take_part, "programs.warp.members")
{
    for (int row = OPERATION_vote_all; row <= OPERATION_redux_xor; row++)
        for (int index = 0; index < MASKS * PROGRAM_TYPES; index++) {
            const enum program_type type = (enum program_type)(index % PROGRAM_TYPES);
            if (!(operations[row].types >> type & 1))
                continue;
            /* Three lanes have one value: here are masks whose members all have it. */
            for (int shift = 0; shift < 2; shift++) {
                const uint64_t mask = shift ? 7 : masks[index / PROGRAM_TYPES];
                run_one(row, type, 0, &mask);
                const int width = class_bits(operation_class(&operations[row], type, 0));
                for (uint32_t thread = 0; thread < THREADS; thread++) {
                    const uint32_t members = members_of(thread, (uint32_t)mask);
                    const uint64_t value = takes_part(thread, (uint32_t)mask)
                                               ? of_members(row, type, thread, members)
                                               : UNTOUCHED;
                    ck_assert_msg(output[thread] == cut(value, width), "%s of %s",
                                  operations[row].name, type_name(type));
                }
            }
        }
}
