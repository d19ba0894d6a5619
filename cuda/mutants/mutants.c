/* The table of mutants, made from mutants.def: the layouts and shapes that its rows name, then the
 * rows. */
#include "cuda/kernel.h"

/* One thread an element. Without a loop over rows, shapes whose rows the grid does not reach are
 * refused; those of turns.cu have the loop, and a mistake in it. */
#define LAYOUT_ELEMENTS      .block = {32, 8}, .one_turn = true
#define LAYOUT_ELEMENTS_PAST LAYOUT_ELEMENTS, .columns_past_end = 1
#define LAYOUT_TILES         .block = {16, 16}, .one_turn = true
#define LAYOUT_TILES_DYNAMIC LAYOUT_TILES, .thread_shared_bytes = 8 /* two tiles of floats */
#define LAYOUT_WARPS         .block = {32, 32}, .one_turn = true
#define LAYOUT_TURNS         .block = {32, 8}
#define LAYOUT_TURNS_16      .block = {16, 16}
/* 32 x 32 results a block of 64 threads, two stages of tiles in dynamic shared memory. */
#define LAYOUT_STAGED                                                                              \
    .block = {4, 16}, .thread_elements = 8, .thread_rows = 2, .thread_shared_bytes = 64,           \
    .needs_compute = 80
#define LAYOUT_FOURS .block = {32, 8}, .thread_elements = 4, .one_turn = true
/* The same, in a line. */
#define LAYOUT_LINE       .block = {256, 1}
#define LAYOUT_LINE_PAST  LAYOUT_LINE, .columns_past_end = 1
#define LAYOUT_LINE_WHOLE LAYOUT_LINE, .from_start = true
#define LAYOUT_LINE_ROWS  LAYOUT_LINE, .is_line = true
/* With a table in constant memory. */
#define LAYOUT_LINE_BOUND LAYOUT_LINE, .bindings = {{"lookup_table", "table"}}
/* With a window on the hot data, and one mistake in it. */
#define LAYOUT_WINDOW(mistake_)                                                                    \
    LAYOUT_LINE, .window = {"hot", "resident", .mistake = WINDOW_##mistake_}
/* Launches of variable_scope, in sequence. */
#define LAYOUT_LINE_NO_RELOAD                                                                      \
    LAYOUT_LINE, .bindings = {{"kept_launches"}}, .launch_axis = "launches"
#define LAYOUT_LINE_KEPT LAYOUT_LINE_NO_RELOAD, .reload_axis = "reload", .loads = true
#define LAYOUT_LINE_STEPS_ONCE                                                                     \
    LAYOUT_LINE, .bindings = {{"kept_launches"}, {"launch_steps", "steps"}},                       \
                 .launch_axis = "launches", .reload_axis = "reload"
#define LAYOUT_LINE_BLOCK_VALUES LAYOUT_LINE, .thread_shared_bytes = 4
#define LAYOUT_LINE_TILES        LAYOUT_LINE, .thread_elements = 4
#define LAYOUT_SLOTS             LAYOUT_LINE, .slot_bytes = 16
/* On a set of two devices, one operand in the second one's memory. */
#define LAYOUT_PEER_WRITE                                                                          \
    LAYOUT_LINE, .kind = KERNEL_PEER_LAUNCH, .remote = {"target", KERNEL_MEMORY_PEER}
#define LAYOUT_PEER_READ                                                                           \
    LAYOUT_LINE, .kind = KERNEL_PEER_LAUNCH, .remote = {"source", KERNEL_MEMORY_PEER}
/* With a texture. */
#define LAYOUT_TEXTURE                                                                             \
    LAYOUT_LINE, .bindings = {{.operand = "texels", .texture = KERNEL_TEXTURE_ARRAY}}
#define LAYOUT_TEXTURE_PITCH                                                                       \
    LAYOUT_LINE, .bindings = {{.operand = "texels", .texture = KERNEL_TEXTURE_PITCH}}
/* A block a tile of shared_copy, which is in dynamic shared memory or goes through stages. */
#define LAYOUT_ASYNC_STAGES .block = {128, 1}, .thread_axis = "copy_count", .needs_compute = 80
#define LAYOUT_BULK_TILE                                                                           \
    .block = {128, 1}, .thread_axis = "copy_count", .shared_holds_columns = true,                  \
    .shared_bytes = 16, .needs_compute = 90
#define LAYOUT_ASYNC_TILE LAYOUT_ASYNC_STAGES, .shared_holds_columns = true

/* The shapes for which the one mistake shows in the one place that the row names. */
#define SHAPES_ANY       .takes = {{.name = NULL}}
#define SHAPES_K_ABOVE_0 .takes = {{"k", .at_least = 1}}
#define SHAPES_K32                                                                                 \
    .takes = {{"k", .equals = 32}, {"m", .multiple_of = 32}, {"n", .multiple_of = 32}}
#define SHAPES_K32_HALF_UNSAID SHAPES_K32, .unsaid = {"m", .multiple_of = 64}
/* Four stray columns are in the gap, not in the next row. */
#define SHAPES_FOURS_OF_C .takes = {{"ldc", .multiple_of = 4}}
/* Fifteen rows of A are less than a guard's 4096 bytes. */
#define SHAPES_NARROW_A .takes = {{"lda", .at_most = 64}}
/* Seven rows of C are less than a guard's 4096 bytes. */
#define SHAPES_NARROW_C .takes = {{"ldc", .at_most = 128}}
/* The reciprocal of N is exact but for its overflow. */
#define SHAPES_SHORT_LINE                                                                          \
    .takes = {{"n", .at_least = 1, .at_most = 256}, {"m", .times = "n", .at_most = 65536}}
/* A wrong value of one or two bytes could equal its poison by chance, and look unwritten. */
#define SHAPES_WIDE_ELEMENT .takes = {{"element", .at_least = 4}}
#define SHAPES_CONSTANT_WIDE                                                                       \
    .takes = {{"element", .at_least = 4}, {"entries", .times = "element", .at_most = 65536}}
/* The element after the table's last one is in constant memory, too. */
#define SHAPES_CONSTANT_BELOW_WIDE                                                                 \
    .takes = {{"element", .at_least = 4}, {"entries", .times = "element", .at_most = 65520}}
#define SHAPES_SHARED_WIDE                                                                         \
    .takes = {{"element", .at_least = 4}, {"entries", .times = "element", .at_most = 32768}}
/* Shapes of a texture in an array: its sizes, and the axis whose mistake it is. A
 * single row or column is its own mirror and its own neighbour. */
#define SHAPES_TEXELS .takes = {{"width", .at_most = 131072}, {"height", .at_most = 65536}}
#define SHAPES_TEXELS_WITH(...)                                                                    \
    .takes = {                                                                                     \
        {"width", .at_least = 2, .at_most = 131072}, {"height", .at_most = 65536}, __VA_ARGS__}
#define SHAPES_FILTERED   SHAPES_TEXELS_WITH({"filter", .equals = 1}, {"normalized", .is_zero = true})
#define SHAPES_NORMALIZED SHAPES_TEXELS_WITH({"normalized", .equals = 1})
#define SHAPES_PLANE      SHAPES_TEXELS_WITH({"height", .at_least = 2})
#define SHAPES_WRAPPED    SHAPES_TEXELS_WITH({"normalized", .equals = 1})
#define SHAPES_WRAPPED_ROWS                                                                        \
    SHAPES_TEXELS_WITH({"normalized", .equals = 1}, {"height", .at_least = 2})
#define SHAPES_PAIRS SHAPES_TEXELS_WITH({"channels", .at_least = 2})
#define SHAPES_FOURS SHAPES_TEXELS_WITH({"channels", .equals = 4})
/* Without what depends on a filter's bits; rows of memory are of two dimensions. */
#define PLAIN_AXES                                                                                 \
    {"filter", .is_zero = true},                                                                   \
    {                                                                                              \
        "normalized", .is_zero = true                                                              \
    }
#define SHAPES_PLAIN_TEXELS                                                                        \
    .takes = {{"width", .at_most = 131072}, {"height", .at_most = 65536}, PLAIN_AXES}
#define SHAPES_PLAIN_ROWS                                                                          \
    .takes = {{"width", .at_most = 131000}, {"height", .at_least = 1, .at_most = 65000}, PLAIN_AXES}
/* The nearest texel, found by the kernel. */
#define SHAPES_NEAREST_WITH(...) .takes = {{"filter", .is_zero = true}, __VA_ARGS__}
#define SHAPES_NEAREST           SHAPES_NEAREST_WITH({"width", .at_least = 2})
#define SHAPES_MIRRORED                                                                            \
    SHAPES_NEAREST_WITH({"address_x", .equals = 2}, {"normalized", .equals = 1},                   \
                        {"width", .at_least = 2})
#define SHAPES_BORDERED SHAPES_NEAREST_WITH({"address_x", .equals = 3})
#define SHAPES_BORDERED_BYTES                                                                      \
    SHAPES_NEAREST_WITH({"address_x", .equals = 3}, {"texel", .is_zero = true},                    \
                        {"channels", .at_least = 2})
#define SHAPES_NEAREST_PLANE                                                                       \
    SHAPES_NEAREST_WITH({"ld", .above = "width"}, {"height", .at_least = 2})
#define SHAPES_NEAREST_S8 SHAPES_NEAREST_WITH({"texel", .equals = 1})
#define SHAPES_NEAREST_U8 SHAPES_NEAREST_WITH({"texel", .is_zero = true})
#define SHAPES_NEAREST_NORMALIZED                                                                  \
    SHAPES_NEAREST_WITH({"normalized", .equals = 1}, {"width", .at_least = 3})
#define SHAPES_4_BYTE_ELEMENT .takes = {{"element", .equals = 4}}
#define SHAPES_WIDE_TILE                                                                           \
    .takes = {{"element", .at_least = 4}, {"copy_count", .times = "element", .at_most = 384}}
#define SHAPES_WIDE_BULK_TILE                                                                      \
    .takes = {{"element", .at_least = 4}, {"copy_count", .times = "element", .at_most = 382}}
#define SHAPES_8_BYTE_ELEMENT .takes = {{"element", .equals = 8}}
/* The first slot reaches back into the gap, and not into the guard. */
#define SHAPES_SLOT_BELOW_OFFSET .takes = {{"offset", .times = "element", .at_least = 16}}
/* The element after the last one is in the guard. */
#define SHAPES_NEAR_STRIDE                                                                         \
    .takes = {{"n", .at_least = 1}, {"stride", .times = "element", .at_most = 2048}}
/* Stray writes in C land between rows, not on other elements. */
#define SHAPES_GAPPED_C .takes = {{"ldc", .above = "m"}}
#define SHAPES_LAUNCHES .takes = {{"n", .at_most = 131072}, {"launches", .at_least = 2}}
#define SHAPES_RELOADED                                                                            \
    .takes = {{"n", .at_most = 131072}, {"launches", .above = "reload"}, {"reload", .at_least = 1}}
#define SHAPES_STRIDE_ABOVE_1 .takes = {{"stride", .at_least = 2}}

enum { EVERYWHERE, GPU, HOST, EDGES, HUGE_CASES, RACE };

#define MUTANT(algorithm_, name_, file, layout, shapes, verdict_, place_, clause_, where,          \
               summary_)                                                                           \
    {                                                                                              \
        .kernel = {.algorithm = #algorithm_,                                                       \
                   .name = #name_,                                                                 \
                   .unit = "mutants_" #file,                                                       \
                   .entry = "mutant_" #name_,                                                      \
                   .summary = summary_,                                                            \
                   LAYOUT_##layout,                                                                \
                   SHAPES_##shapes},                                                               \
        .verdict = verdict_,                                                                       \
        .place = place_,                                                                           \
        .clause = clause_,                                                                         \
        .needs_gpu = (where) == GPU,                                                               \
        .needs_host = (where) == HOST,                                                             \
        .needs_edge = (where) == EDGES,                                                            \
        .needs_huge = (where) == HUGE_CASES,                                                       \
        .is_race = (where) == RACE,                                                                \
    },

const struct mutant mutants[] = {
#include "cuda/mutants/mutants.def"
};

const int mutant_count = (int)(sizeof(mutants) / sizeof(mutants[0]));
