/* A team does every piece of every round once, and is done with a round when it says so. */
#include <stdatomic.h>
#include <stdbool.h>

#include "conformance/work/windows.h"
#include "spec/testing.h"

enum { PIECES_MAX = 200, ROUNDS = 300 };

struct tally {
    atomic_int done[PIECES_MAX];
    atomic_int inside[TEAM_THREADS_MAX]; /* how often a thread's number is in use now */
    atomic_int shared;                   /* numbers that two threads had at once */
    int threads;
};

static void count_piece(void *context, int thread, int piece)
{
    struct tally *tally = context;
    bool valid = thread >= 0 && thread < tally->threads && piece >= 0 && piece < PIECES_MAX;
    if (!valid || atomic_fetch_add(&tally->inside[thread], 1) != 0) {
        atomic_fetch_add(&tally->shared, 1);
        return;
    }
    atomic_fetch_add(&tally->done[piece], 1);
    atomic_fetch_sub(&tally->inside[thread], 1);
}

START_TEST(each_piece_is_done_once, "runner.stream.crew")
{
    static const int sizes[] = {1, 2, 5, 16, TEAM_THREADS_MAX, TEAM_THREADS_MAX + 9};
    for (int size = 0; size < 6; size++) {
        struct team *team = team_open(sizes[size]);
        ck_assert_ptr_nonnull(team);
        ck_assert_int_ge(team_threads(team), 1);
        ck_assert_int_le(team_threads(team), TEAM_THREADS_MAX);
        for (int round = 0; round < ROUNDS; round++) {
            struct tally tally;
            int pieces = round % (PIECES_MAX + 1);
            memset(&tally, 0, sizeof tally);
            tally.threads = team_threads(team);
            team_run(team, count_piece, &tally, pieces);
            ck_assert_int_eq(tally.shared, 0);
            for (int piece = 0; piece < PIECES_MAX; piece++)
                ck_assert_int_eq(tally.done[piece], piece < pieces);
        }
        team_close(team);
    }
}

START_TEST(a_team_may_be_small, "runner.stream.crew")
{
    ck_assert_int_ge(team_cores(), 1);
    ck_assert_int_le(team_cores(), TEAM_THREADS_MAX);
    struct team *team = team_open(0);
    ck_assert_int_eq(team_threads(team), 1);
    team_close(team);
    team_close(NULL);
}

/* Windows that were gone through: how many bytes of them, and whether one began out of line. */
struct windows_tally {
    atomic_size_t bytes, squares; /* the sum of their squared begins tells places apart */
    atomic_int out_of_line, refused;
};

static bool count_window(void *context, size_t begin, size_t end)
{
    struct windows_tally *tally = context;
    atomic_fetch_add(&tally->bytes, end - begin);
    for (size_t position = begin; position < end; position += 4096)
        atomic_fetch_add(&tally->squares, position * position);
    atomic_fetch_add(&tally->out_of_line, begin % 4096 != 0 || begin >= end);
    return atomic_fetch_sub(&tally->refused, 1) <= 0;
}

/* By a team of its own or by another, of memory of any size. */
START_TEST(windows_cover_each_byte_once, "runner.stream.crew")
{
    static const size_t sizes[] = {
        0, 1, 16, 1 << 20, (1 << 20) + 1, 9 << 20, (70 << 20) + 48, ((size_t)5 << 30) + 48};
    enum { SIZES = sizeof sizes / sizeof sizes[0] }; /* the last needs more than 32 bits */
    struct team *teams[] = {NULL, team_open(1), team_open(3)};
    for (int team = 0; team < 3; team++)
        for (int size = 0; size < SIZES; size++) {
            struct windows_tally tally = {.refused = 0};
            size_t squares = 0;
            for (size_t position = 0; position < sizes[size]; position += 4096)
                squares += position * position;
            ck_assert(windows_each(teams[team], sizes[size], count_window, &tally));
            ck_assert_uint_eq(tally.bytes, sizes[size]);
            ck_assert_uint_eq(tally.squares, squares);
            ck_assert_int_eq(tally.out_of_line, 0);
            tally.refused = 1;
            ck_assert(windows_each(teams[team], sizes[size], count_window, &tally) ==
                      (sizes[size] == 0));
        }
    for (int team = 0; team < 3; team++)
        team_close(teams[team]);
}
