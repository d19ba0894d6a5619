/* What the threads of a warp or block do together (spec/programs.md). */
#include "cpu_ref/programs/compute.h"

#define ARGUMENTS const uint64_t(*argument)[PROGRAM_THREADS_MAX]

uint64_t compute_reduce(const struct step *step, int how, uint64_t left, uint64_t right)
{
    switch (how) {
    case REDUCE_ADD:
        return left + right;
    case REDUCE_MIN:
        return is_less(step, right, left) ? right : left;
    case REDUCE_MAX:
        return is_less(step, left, right) ? right : left;
    case REDUCE_AND:
        return left & right;
    case REDUCE_OR:
        return left | right;
    default:
        return left ^ right;
    }
}

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

/* Of the members, those whose argument equals `value`. */
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

const struct togetherness compute_shared[OPERATIONS] = {
    [OPERATION_shared_exchange] = {exchange, 0},
    [OPERATION_shared_warp] = {exchange_in_warps, 0},
    [OPERATION_shared_array] = {exchange_two, 0},
    [OPERATION_shared_reduce_add] = {reduce_all, REDUCE_ADD},
    [OPERATION_shared_reduce_min] = {reduce_all, REDUCE_MIN},
    [OPERATION_shared_reduce_min_u] = {reduce_all, REDUCE_MIN},
    [OPERATION_shared_reduce_max] = {reduce_all, REDUCE_MAX},
    [OPERATION_shared_reduce_max_u] = {reduce_all, REDUCE_MAX},
    [OPERATION_shared_reduce_and] = {reduce_all, REDUCE_AND},
    [OPERATION_shared_reduce_or] = {reduce_all, REDUCE_OR},
    [OPERATION_shared_reduce_xor] = {reduce_all, REDUCE_XOR},
    [OPERATION_barrier_popc] = {barrier, COUNT},
    [OPERATION_barrier_and] = {barrier, ALL},
    [OPERATION_barrier_or] = {barrier, ANY},
};

const struct togetherness compute_warp[OPERATIONS] = {
    [OPERATION_shfl_up] = {shfl, UP},
    [OPERATION_shfl_down] = {shfl, DOWN},
    [OPERATION_shfl_bfly] = {shfl, BFLY},
    [OPERATION_shfl_idx] = {shfl, IDX},
    [OPERATION_shfl_up_16] = {shfl, UP},
    [OPERATION_shfl_down_16] = {shfl, DOWN},
    [OPERATION_shfl_bfly_16] = {shfl, BFLY},
    [OPERATION_shfl_idx_16] = {shfl, IDX},
    [OPERATION_shfl_up_64] = {shfl, UP},
    [OPERATION_shfl_down_64] = {shfl, DOWN},
    [OPERATION_shfl_bfly_64] = {shfl, BFLY},
    [OPERATION_shfl_idx_64] = {shfl, IDX},
    [OPERATION_vote_all] = {vote, ALL},
    [OPERATION_vote_any] = {vote, ANY},
    [OPERATION_vote_uni] = {vote, UNI},
    [OPERATION_vote_ballot] = {vote, BALLOT},
    [OPERATION_match_any] = {match_any, 0},
    [OPERATION_match_all] = {match_all, 0},
    [OPERATION_redux_add] = {redux, REDUCE_ADD},
    [OPERATION_redux_min] = {redux, REDUCE_MIN},
    [OPERATION_redux_max] = {redux, REDUCE_MAX},
    [OPERATION_redux_and] = {redux, REDUCE_AND},
    [OPERATION_redux_or] = {redux, REDUCE_OR},
    [OPERATION_redux_xor] = {redux, REDUCE_XOR},
};
