/* A team that takes one window after another (windows.h). Clause: runner.stream.crew. */
#include "conformance/work/windows.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "conformance/base/heap.h"
#include "conformance/base/host.h"
#include "fuzz/fill.h"

/* The team: its threads wait for the next round, take pieces by a counter, and the last
 * one that finds none left says so. */

struct team {
    pthread_t threads[TEAM_THREADS_MAX]; /* all but the caller's */
    int count;                           /* the caller's included */
    atomic_int next_thread;

    pthread_mutex_t lock;
    pthread_cond_t round_begins, round_ends;
    unsigned round; /* this and what follows under the lock */
    int at_work;
    bool ends;

    team_work *work; /* fixed during a round */
    void *context;
    int pieces;
    atomic_int next_piece;
};

static void take_pieces(struct team *team, int thread)
{
    if (team->pieces == TEAM_EACH)
        team->work(team->context, thread, thread);
    for (int piece; (piece = atomic_fetch_add(&team->next_piece, 1)) < team->pieces;)
        team->work(team->context, thread, piece);
}

static void *serve(void *context)
{
    struct team *team = context;
    int thread = atomic_fetch_add(&team->next_thread, 1);
    unsigned round = 0;
    pthread_mutex_lock(&team->lock);
    for (;;) {
        while (team->round == round && !team->ends)
            pthread_cond_wait(&team->round_begins, &team->lock);
        if (team->ends)
            break;
        round = team->round;
        pthread_mutex_unlock(&team->lock);
        take_pieces(team, thread);
        pthread_mutex_lock(&team->lock);
        if (--team->at_work == 0)
            pthread_cond_signal(&team->round_ends);
    }
    pthread_mutex_unlock(&team->lock);
    return NULL;
}

struct team *team_open(int threads)
{
    struct team *team = heap_take(1, sizeof *team);
    pthread_mutex_init(&team->lock, NULL);
    pthread_cond_init(&team->round_begins, NULL);
    pthread_cond_init(&team->round_ends, NULL);
    threads = threads < TEAM_THREADS_MAX ? threads : TEAM_THREADS_MAX;
    team->next_thread = 1;
    team->count = 1;
    while (team->count < threads &&
           pthread_create(&team->threads[team->count - 1], NULL, serve, team) == 0)
        team->count++;
    return team;
}

int team_threads(const struct team *team)
{
    return team->count;
}

void team_run(struct team *team, team_work *work, void *context, int pieces)
{
    pthread_mutex_lock(&team->lock);
    team->work = work;
    team->context = context;
    team->pieces = pieces;
    team->next_piece = 0;
    team->at_work = team->count - 1;
    team->round++;
    pthread_cond_broadcast(&team->round_begins);
    pthread_mutex_unlock(&team->lock);
    take_pieces(team, 0);
    /* Nobody may still hold this round's work when the next one is put down. */
    pthread_mutex_lock(&team->lock);
    while (team->at_work > 0)
        pthread_cond_wait(&team->round_ends, &team->lock);
    pthread_mutex_unlock(&team->lock);
}

void team_close(struct team *team)
{
    if (team == NULL)
        return;
    pthread_mutex_lock(&team->lock);
    team->ends = true;
    pthread_cond_broadcast(&team->round_begins);
    pthread_mutex_unlock(&team->lock);
    for (int index = 0; index < team->count - 1; index++)
        pthread_join(team->threads[index], NULL);
    pthread_cond_destroy(&team->round_ends);
    pthread_cond_destroy(&team->round_begins);
    pthread_mutex_destroy(&team->lock);
    free(team);
}

int team_cores(void)
{
    enum { CORES_MAX = 32 };
    const int cores = host_cores();
    return cores < CORES_MAX ? cores : CORES_MAX;
}

/* A core's cache holds the one, and the golden makes little twice for the other. */
static const size_t window_bytes_least = (size_t)1 << 20, window_bytes_most = (size_t)4 << 20;

struct windows {
    size_t bytes, window_bytes;
    windows_work *work;
    void *context;
    atomic_bool failed;
};

static void take_window(void *context, int thread, int piece)
{
    struct windows *windows = context;
    size_t begin = (size_t)piece * windows->window_bytes, left = windows->bytes - begin;
    size_t end = begin + (left < windows->window_bytes ? left : windows->window_bytes);
    (void)thread;
    if (!atomic_load(&windows->failed) && !windows->work(windows->context, begin, end))
        atomic_store(&windows->failed, true);
}

/* Every thread has some, so that all end together. */
static size_t window_bytes(size_t bytes, int threads)
{
    const size_t share = bytes / (2 * (size_t)threads) / window_bytes_least * window_bytes_least;
    return share < window_bytes_least  ? window_bytes_least
           : share > window_bytes_most ? window_bytes_most
                                       : share;
}

bool windows_each(struct team *team, size_t bytes, windows_work *work, void *context)
{
    const int threads = team ? team_threads(team) : team_cores();
    struct windows windows = {.bytes = bytes,
                              .window_bytes = window_bytes(bytes, threads),
                              .work = work,
                              .context = context};
    const int pieces = (int)((bytes + windows.window_bytes - 1) / windows.window_bytes);
    struct team *own = team || pieces < 2 ? NULL : team_open(threads < pieces ? threads : pieces);
    struct team *taken = team ? team : own;
    if (taken)
        team_run(taken, take_window, &windows, pieces);
    for (int piece = 0; taken == NULL && piece < pieces; piece++)
        take_window(&windows, 0, piece);
    team_close(own);
    return !atomic_load(&windows.failed);
}

/* The contents of a window: what is dense is made in its place, and in its place
 * alone. */

/* A part so small is held for as long as the case is. */
enum { HELD_BYTES_MAX = 64 << 20 };

/* False without memory. */
static bool make_part(const struct fuzz_case *test_case, const struct part *part,
                      struct part_memory *ret)
{
    const struct block *block = &part->block;
    const int64_t leading = part->transposed ? block->rows : block->columns;
    size_t bytes = (size_t)case_view(test_case, part->operand).element_bytes;
    void *memory = malloc((size_t)(block->rows * block->columns) * bytes + 1);
    if (memory == NULL)
        return false;
    fill_block(test_case, part->operand, block, memory, part->transposed ? 1 : leading,
               part->transposed ? leading : 1);
    *ret = (struct part_memory){.first = memory, .leading = leading};
    return true;
}

struct stream_source stream_source_open(const struct arena *arena)
{
    const struct fuzz_case *test_case = arena->test_case;
    struct view output = arena->operands[arena->operand_count - 1].view;
    struct block whole = {.rows = output.rows, .columns = output.columns};
    struct stream_source source = {.arena = arena};
    int count = test_case->algorithm->parts(test_case->axis, &whole, source.parts);
    for (int index = 0; index < count; index++) {
        const struct part *part = &source.parts[index];
        int64_t bytes = case_view(test_case, part->operand).element_bytes;
        if (part->block.rows * part->block.columns * bytes <= HELD_BYTES_MAX)
            make_part(test_case, part, &source.held[index]);
    }
    return source;
}

void stream_source_close(struct stream_source *source)
{
    for (int index = 0; index < ALGORITHM_PARTS_MAX; index++)
        free(source->held[index].first);
}

/* The golden of one block of the output, packed. */
static bool compute(const struct stream_source *source, int operand, const struct block *block,
                    void *ret)
{
    const struct fuzz_case *test_case = source->arena->test_case;
    const struct algorithm *algorithm = test_case->algorithm;
    struct part parts[ALGORITHM_PARTS_MAX];
    struct part_memory memory[ALGORITHM_PARTS_MAX] = {{NULL, 0}};
    int count = algorithm->parts(test_case->axis, block, parts);
    bool good = true;
    for (int index = 0; good && index < count; index++) {
        const struct part *part = &parts[index];
        const struct block *whole = &source->parts[index].block;
        const int64_t row = part->block.row - whole->row;
        const int64_t column = part->block.column - whole->column;
        const int64_t leading = source->held[index].leading;
        if (source->held[index].first == NULL) {
            good = make_part(test_case, part, &memory[index]);
            continue;
        }
        memory[index] = source->held[index]; /* the part is in the held one around it */
        memory[index].first = (unsigned char *)memory[index].first +
                              (part->transposed ? column * leading + row : row * leading + column) *
                                  source->arena->operands[part->operand].view.element_bytes;
    }
    if (good)
        algorithm->golden_part(test_case->axis, block, memory, ret);
    if (good && arena_has_canonical(source->arena, operand))
        arena_format(source->arena, operand)
            ->canonical(ret, (size_t)(block->rows * block->columns), ret);
    for (int index = 0; index < count; index++)
        if (source->held[index].first == NULL)
            free(memory[index].first);
    return good;
}

/* True when the block's elements have no gap between them, as packed ones. */
static bool is_dense(const struct view *view, const struct block *block)
{
    return view->column_stride == 1 && (block->rows == 1 || (block->columns == view->row_stride &&
                                                             view->row_stride == view->columns));
}

/* The golden of one block of the output, at its place: packed first where it has gaps. */
static bool expect_output(const struct stream_source *source, int operand,
                          const struct block *block, size_t begin, unsigned char *window)
{
    const struct arena *arena = source->arena;
    const struct view *view = &arena->operands[operand].view;
    const size_t bytes = (size_t)view->element_bytes;
    if (is_dense(view, block))
        return compute(source, operand, block,
                       window + (arena_element(arena, operand, block->row, block->column) - begin));
    unsigned char *packed = malloc((size_t)(block->rows * block->columns) * bytes);
    const int64_t step = view->column_stride == 1 ? block->columns : 1; /* a row at a time */
    const bool good = packed && compute(source, operand, block, packed);
    for (int64_t row = 0; good && row < block->rows; row++)
        for (int64_t column = 0; column < block->columns; column += step)
            memcpy(window +
                       (arena_element(arena, operand, block->row + row, block->column + column) -
                        begin),
                   packed + (size_t)(row * block->columns + column) * bytes, (size_t)step * bytes);
    free(packed);
    return good;
}

/* True if the operand is among those that are made here. */
static bool is_made(const struct arena *arena, int operand, bool with_outputs)
{
    return with_outputs || arena->test_case->algorithm->operands[operand].role == OPERAND_INPUT;
}

/* The pattern, but for what dense blocks will cover. */
static void expect_pattern(const struct arena *arena, uint64_t nonce, bool with_outputs,
                           size_t begin, size_t end, unsigned char *window)
{
    size_t from = begin;
    for (int index = 0; index < arena->operand_count; index++) {
        const struct view *view = &arena->operands[index].view;
        struct block blocks[ARENA_BLOCKS_MAX];
        int count = is_made(arena, index, with_outputs)
                        ? arena_blocks(arena, index, begin, end, blocks)
                        : 0;
        for (int number = 0; number < count; number++) {
            const struct block *block = &blocks[number];
            if (!is_dense(view, block))
                continue;
            size_t first = arena_element(arena, index, block->row, block->column);
            size_t bytes = (size_t)(block->rows * block->columns * view->element_bytes);
            size_t to = (first + 7) / 8 * 8; /* the pattern comes in words */
            if (from < to)
                arena_pattern(arena, nonce, from, to, window + (from - begin));
            from = (first + bytes) / 8 * 8;
        }
    }
    if (from < end)
        arena_pattern(arena, nonce, from, end, window + (from - begin));
}

/* The elements of the inputs, or of the outputs, which alone need the source. */
static bool make_elements(const struct arena *arena, const struct stream_source *source,
                          size_t begin, size_t end, unsigned char *window)
{
    bool good = true;
    float_watch_begin();
    for (int index = 0; index < arena->operand_count; index++) {
        const struct view *view = &arena->operands[index].view;
        struct block blocks[ARENA_BLOCKS_MAX];
        const int count = is_made(arena, index, false) == (source == NULL)
                              ? arena_blocks(arena, index, begin, end, blocks)
                              : 0;
        for (int number = 0; number < count; number++) {
            const struct block *it = &blocks[number];
            if (source)
                good = expect_output(source, index, it, begin, window) && good;
            else
                fill_block(arena->test_case, index, it,
                           window + (arena_element(arena, index, it->row, it->column) - begin),
                           view->row_stride, view->column_stride);
        }
    }
    float_watch_end();
    return good;
}

void stream_begin(const struct arena *arena, uint64_t nonce, size_t begin, size_t end,
                  unsigned char *window)
{
    expect_pattern(arena, nonce, false, begin, end, window);
    make_elements(arena, NULL, begin, end, window);
}

bool stream_outputs(const struct stream_source *source, size_t begin, size_t end,
                    unsigned char *window)
{
    return make_elements(source->arena, source, begin, end, window);
}

bool stream_expect(const struct stream_source *source, uint64_t nonce, size_t begin, size_t end,
                   unsigned char *window)
{
    expect_pattern(source->arena, nonce, true, begin, end, window);
    make_elements(source->arena, NULL, begin, end, window);
    return stream_outputs(source, begin, end, window);
}
