/* The table of fills, simplest first, how an operand is filled (cases.fill.pure), and the fills of
 * all formats but f32 (fill_f32.c). */
#include "fuzz/fill.h"

#include <endian.h>
#include <math.h>
#include <string.h>

#include "fuzz/random.h"

static const struct format *format_of(const struct fuzz_case *test_case, int operand)
{
    return test_case->algorithm->operands[operand].format;
}

static void begin_row(struct fill_source *source, int64_t row)
{
    source->row = row;
    source->row_key = random_word(source->key, (uint64_t)row);
    source->pair_key = random_word(source->key, ~((uint64_t)row >> 1));
}

static struct fill_source open_source(const struct fuzz_case *test_case, int operand)
{
    const struct algorithm *algorithm = test_case->algorithm;
    struct fill_source source = {.test_case = test_case,
                                 .view = algorithm_view(algorithm, test_case->axis, operand),
                                 .operand = operand,
                                 .terms = 1,
                                 .shared = random_word(test_case->seed, 0)};
    if (algorithm->contracted_axis >= 0) {
        source.sum = operand == 0 ? SUM_COLUMNS : SUM_ROWS;
        source.sole = algorithm->operand_count == 2;
        if (test_case->axis[algorithm->contracted_axis] > 1)
            source.terms = test_case->axis[algorithm->contracted_axis];
    }
    int64_t exact_max = format_of(test_case, operand)->exact_max;
    source.magnitude =
        source.terms < exact_max ? (int64_t)sqrt((double)(exact_max / source.terms)) : 1;
    source.key = random_word(source.shared, (uint64_t)operand + 1);
    /* Below 2^20 it adds to any index without overflow. */
    source.shift = (int64_t)random_below(source.shared, 0, UINT64_C(1) << 20);
    begin_row(&source, 0);
    return source;
}

static bool arithmetic_fits(const struct fuzz_case *test_case)
{
    return format_of(test_case, 0)->exact_max > 0;
}

/* Magnitudes of 1 only would not show which element was fetched. */
static bool integer_fits(const struct fuzz_case *test_case)
{
    struct fill_source source = open_source(test_case, 0);
    return arithmetic_fits(test_case) && source.magnitude >= 2;
}

/* A localiser names the element of the last input that was fetched. */
static bool localiser_fits(const struct fuzz_case *test_case)
{
    int input = test_case->algorithm->operand_count - 2;
    int64_t exact_max = format_of(test_case, input)->exact_max;
    struct view view = algorithm_view(test_case->algorithm, test_case->axis, input);
    return view.rows > 0 && view.columns > 0 && view.rows < exact_max / view.columns;
}

static bool permutation_fits(const struct fuzz_case *test_case)
{
    bool sole = open_source(test_case, 0).sole;
    return !sole && (!arithmetic_fits(test_case) || localiser_fits(test_case));
}

static bool onehot_fits(const struct fuzz_case *test_case)
{
    struct fill_source source = open_source(test_case, 0);
    bool named = !source.sole || source.view.rows <= 4096; /* products of two row numbers */
    return source.sum != SUM_NONE && named && localiser_fits(test_case);
}

/* A tie needs a sum that another product is added to. */
static bool tie_fits(const struct fuzz_case *test_case)
{
    return open_source(test_case, 0).terms > 1;
}

const struct fill fills[FILL_COUNT] = {
#define FILL(id, of_name, text, where, ...) {.name = of_name, .summary = text, .fits = where},
#include "fuzz/fills.def"
#undef FILL
};

int fill_find(const char *name)
{
    for (int index = 0; index < FILL_COUNT; index++)
        if (strcmp(fills[index].name, name) == 0)
            return index;
    return -1;
}

void fill_block(const struct fuzz_case *test_case, int operand, const struct block *block,
                void *target, int64_t row_stride, int64_t column_stride)
{
    fill_function *fill = format_of(test_case, operand)->fill;
    struct fill_source source = open_source(test_case, operand);
    int64_t end = block->column + block->columns;
    unsigned char *row_target = target;
    for (int64_t row = block->row; row < block->row + block->rows; row++) {
        begin_row(&source, row);
        fill(&source, block->column, end, row_target, column_stride);
        row_target += row_stride * source.view.element_bytes;
    }
}

void fill_operand(const struct fuzz_case *test_case, int operand, void *address)
{
    struct view view = algorithm_view(test_case->algorithm, test_case->axis, operand);
    struct block whole = {.rows = view.rows, .columns = view.columns};
    fill_block(test_case, operand, &whole,
               (unsigned char *)address + view.first * view.element_bytes, view.row_stride,
               view.column_stride);
}

/* Elements that are only copied are pieces of 16-byte patterns that are unique by position, so that
 * no copy from a wrong place gives the right bytes (cases.fill.unique). */

static void noise_block(const struct fill_source *source, uint64_t block, uint64_t ret[2])
{
    ret[0] = random_word(source->key, 2 * block);
    ret[1] = random_word(source->key, 2 * block + 1);
}

/* Counts from number + 1. Counters of 1 or 2 bytes would repeat at a power of two, and so would
 * those of 4 bytes after 2^32: there is noise in their place, whose 16-byte patterns do not repeat.
 */
static void count_block(const struct fill_source *source, uint64_t block, uint64_t shift,
                        uint64_t ret[2])
{
    const uint64_t number = 4 * block + shift + 1;
    switch (source->view.element_bytes) {
    case 4:
        if (number + 3 > UINT32_MAX) {
            noise_block(source, block, ret);
            return;
        }
        ret[0] = (number & UINT32_MAX) | (number + 1) << 32;
        ret[1] = ((number + 2) & UINT32_MAX) | (number + 3) << 32;
        return;
    case 8:
        ret[0] = 2 * block + shift + 1;
        ret[1] = 2 * block + shift + 2;
        return;
    case 16:
        ret[0] = block + shift + 1;
        ret[1] = random_word(source->key, block);
        return;
    default:
        noise_block(source, block, ret);
    }
}

static void position_block(const struct fill_source *source, uint64_t block, uint64_t ret[2])
{
    count_block(source, block, 0, ret);
}

static void shifted_block(const struct fill_source *source, uint64_t block, uint64_t ret[2])
{
    count_block(source, block, (uint64_t)source->shift, ret);
}

/* Every second lane a float that arithmetic would change: a copy must not. */
static void special_block(const struct fill_source *source, uint64_t block, uint64_t ret[2])
{
    noise_block(source, block, ret);
    for (int index = 0; index < 2; index++) {
        uint64_t special = fill_specials[ret[index] & (SPECIALS_COUNT - 1)];
        ret[index] = ret[index] & 16 ? (ret[index] & ~(uint64_t)UINT32_MAX) | special
                                     : (ret[index] & UINT32_MAX) | special << 32;
    }
}

static void equal_block(const struct fill_source *source, uint64_t block, uint64_t ret[2])
{
    (void)block;
    uint64_t word = random_word(source->key, 0) | 1;
    for (int bits = (int)(8 * source->view.element_bytes); bits < 64; bits *= 2)
        word = (word & ((UINT64_C(1) << bits) - 1)) | word << bits;
    ret[0] = word;
    ret[1] = word;
}

static void store_words(unsigned char *target, const uint64_t word[2])
{
    const uint64_t stored[2] = {htole64(word[0]), htole64(word[1])};
    memcpy(target, stored, sizeof stored);
}

/* The elements of one block, each where it belongs. A size known to the compiler makes each copy
 * one instruction. */
static inline unsigned char *scatter(unsigned char *target, const unsigned char *bytes,
                                     size_t count, size_t element_bytes, size_t stride_bytes)
{
    for (size_t at = 0; at < count; at += element_bytes, target += stride_bytes)
        memcpy(target, bytes + at, element_bytes);
    return target;
}

static unsigned char *scatter_block(unsigned char *target, const uint64_t word[2], size_t skip,
                                    size_t count, size_t element_bytes, size_t stride_bytes)
{
    unsigned char stored[16];
    store_words(stored, word);
    const unsigned char *bytes = stored + skip;
    if (element_bytes == 4)
        return scatter(target, bytes, count, 4, stride_bytes);
    if (element_bytes == 1)
        return scatter(target, bytes, count, 1, stride_bytes);
    if (element_bytes == 2)
        return scatter(target, bytes, count, 2, stride_bytes);
    return scatter(target, bytes, count, element_bytes, stride_bytes);
}

/* Makes 16 bytes of an operand, from 16 * block on, as two words whose low byte comes first. */
typedef void make_block(const struct fill_source *source, uint64_t block, uint64_t ret[2]);

/* The elements of an operand, row after row, are one stream of blocks. */
static void fill_stream(const struct fill_source *source, make_block *make, int64_t begin,
                        int64_t end, unsigned char *target, int64_t stride)
{
    size_t element_bytes = (size_t)source->view.element_bytes;
    size_t stride_bytes = element_bytes * (size_t)stride;
    uint64_t first = (uint64_t)(source->row * source->view.columns + begin) * element_bytes;
    size_t left = (size_t)(end - begin) * element_bytes, skip = first % 16;
    for (uint64_t block = first / 16; left > 0; block++) {
        uint64_t word[2];
        size_t count = left < 16 - skip ? left : 16 - skip;
        make(source, block, word);
        if (stride_bytes == element_bytes && count == 16) {
            store_words(target, word);
            target += 16;
        } else {
            target = scatter_block(target, word, skip, count, element_bytes, stride_bytes);
        }
        left -= count;
        skip = 0;
    }
}

/* The stretch by the function for one block. */
#define STRETCH(name)                                                                              \
    static void name##_stretch(const struct fill_source *source, int64_t begin, int64_t end,       \
                               void *target, int64_t stride)                                       \
    {                                                                                              \
        fill_stream(source, name##_block, begin, end, target, stride);                             \
    }

STRETCH(noise)
STRETCH(position)
STRETCH(shifted)
STRETCH(special)
STRETCH(equal)

void fill_bytes(const struct fill_source *source, int64_t begin, int64_t end, void *target,
                int64_t stride)
{
    static fill_function *const stretches[FILL_COUNT] = {
#define FILL(id, name, summary, fits, f32, bytes, ...) bytes##_stretch,
#include "fuzz/fills.def"
#undef FILL
    };
    stretches[source->test_case->fill](source, begin, end, target, stride);
}

/* Indices keep to the size of the operand that they name elements of, and of 32 neighbours, the
 * threads of a warp, no more differ than the case's axis of lanes says (cases.fill.index). */
enum { INDEX_WARP = 32 };

/* Chooses an element's index: `place` is the same for as many neighbours as must be alike. */
typedef uint64_t choose_index(const struct fill_source *source, uint64_t place, uint64_t count);

static uint64_t index_random(const struct fill_source *source, uint64_t place, uint64_t count)
{
    return random_below(source->key, place, count);
}

/* One after the other: every other warp's from the table's end backwards, so that a few lookups
 * reach both. */
static uint64_t index_next(const struct fill_source *source, uint64_t place, uint64_t count)
{
    (void)source;
    return place / INDEX_WARP % 2 ? count - 1 - place % count : place % count;
}

static uint64_t index_shifted(const struct fill_source *source, uint64_t place, uint64_t count)
{
    return (place + (uint64_t)source->shift) % count;
}

static uint64_t index_one(const struct fill_source *source, uint64_t place, uint64_t count)
{
    (void)place;
    return random_below(source->key, 0, count);
}

/* The ends of the table, and of what narrower numbers hold. */
static uint64_t index_edge(const struct fill_source *source, uint64_t place, uint64_t count)
{
    static const uint64_t edges[] = {0,     1,     127,        128,       255,       256,
                                     32767, 32768, 65535,      65536,     INT32_MAX, 2147483648,
                                     0,     1,     4294967295, 4294967294};
    const uint64_t pick = random_below(source->key, place, 2 * sizeof edges / sizeof edges[0]);
    const uint64_t edge = edges[pick / 2];
    return edge >= count ? 0 : pick % 2 ? edge : count - 1 - edge;
}

void fill_index(const struct fill_source *source, int64_t begin, int64_t end, void *target,
                int64_t stride)
{
    static choose_index *const choices[FILL_COUNT] = {
#define FILL(id, name, summary, fits, f32, bytes, index, ...) index_##index,
#include "fuzz/fills.def"
#undef FILL
    };
    choose_index *const choose = choices[source->test_case->fill];
    const uint64_t columns =
        (uint64_t)algorithm_view(source->test_case->algorithm, source->test_case->axis, 0).columns;
    const uint64_t named = columns > UINT64_C(1) << 32 ? UINT64_C(1) << 32 : columns;
    const uint64_t count = named == 0 ? 1 : named,
                   lanes = (uint64_t)algorithm_lanes(source->test_case->algorithm,
                                                     source->test_case->axis);
    const uint64_t first = (uint64_t)source->row * (uint64_t)source->view.columns;
    unsigned char *next = target;
    for (int64_t column = begin; column < end; column++) {
        const uint64_t place = first + (uint64_t)column;
        const uint64_t alike = place / INDEX_WARP * INDEX_WARP + place % INDEX_WARP % lanes;
        const uint32_t index = (uint32_t)choose(source, alike, count);
        memcpy(next, &index, sizeof index);
        next += stride * (int64_t)sizeof index;
    }
}

/* Coordinates keep near the texture and meet what decides a fetch: the edges of texels, the steps
 * of a filter's weights, both ends (cases.fill.coordinate). */

/* The size that a row of coordinates runs over. */
struct extent {
    double texels; /* at least 1 */
    double unit;   /* of a coordinate, in texels */
};

/* The float next to it, one or two steps away, or itself. */
static float near(float value, uint64_t noise)
{
    const float to = noise & 1 ? INFINITY : -INFINITY;
    for (uint64_t step = noise >> 1 & 3; step > 1; step--)
        value = nextafterf(value, to);
    return value;
}

static double fraction(uint64_t noise)
{
    return (double)(noise >> 11) * 0x1p-53;
}

typedef float choose_coordinate(const struct fill_source *source, const struct extent *extent,
                                uint64_t noise, uint64_t place);

/* Anywhere, from a quarter before the texture to a quarter after it; at a texel's edge, where
 * nearest texels change; where a weight does. */
static float coordinate_mixed(const struct fill_source *source, const struct extent *extent,
                              uint64_t noise, uint64_t place)
{
    const uint64_t more = random_word(source->key ^ 1, place);
    const double at = (1.5 * fraction(noise) - 0.25) * extent->texels;
    switch (more & 3) {
    case 0:
        return near((float)(floor(at) / extent->unit), more >> 2);
    case 1:
        return near((float)(floor(at * 512) / 512 / extent->unit), more >> 2);
    default:
        return (float)((at + (more & 4 ? 0 : 2 * fraction(more) - 1)) / extent->unit);
    }
}

/* A texel's centre, each texel in turn. */
static float coordinate_centre(const struct fill_source *source, const struct extent *extent,
                               uint64_t noise, uint64_t place)
{
    (void)source, (void)noise;
    return (float)((fmod((double)place, extent->texels) + 0.5) / extent->unit);
}

static float coordinate_shifted(const struct fill_source *source, const struct extent *extent,
                                uint64_t noise, uint64_t place)
{
    return coordinate_centre(source, extent, noise, place + (uint64_t)source->shift);
}

static float coordinate_one(const struct fill_source *source, const struct extent *extent,
                            uint64_t noise, uint64_t place)
{
    (void)noise, (void)place;
    return coordinate_mixed(source, extent, source->key, 0);
}

/* Every order of magnitude. */
static float coordinate_far(const struct fill_source *source, const struct extent *extent,
                            uint64_t noise, uint64_t place)
{
    const double at = (double)coordinate_mixed(source, extent, noise, place);
    const int power = (int)(random_word(source->key ^ 2, place) % 64);
    return (float)(power < 32 ? at : ldexp(at, power - 48));
}

static float coordinate_special(const struct fill_source *source, const struct extent *extent,
                                uint64_t noise, uint64_t place)
{
    const uint64_t pick = random_word(source->key ^ 2, place);
    float value;
    if (pick & 3)
        return coordinate_mixed(source, extent, noise, place);
    memcpy(&value, &fill_specials[pick >> 2 & (SPECIALS_COUNT - 1)], sizeof value);
    return value;
}

void fill_coordinate(const struct fill_source *source, int64_t begin, int64_t end, void *target,
                     int64_t stride)
{
    static choose_coordinate *const choices[FILL_COUNT] = {
#define FILL(id, name, summary, fits, f32, bytes, index, coordinate) coordinate_##coordinate,
#include "fuzz/fills.def"
#undef FILL
    };
    choose_coordinate *const choose = choices[source->test_case->fill];
    struct golden_texture texture;
    source->test_case->algorithm->texture(source->test_case->axis, &texture);
    const int64_t size = (int64_t)(source->row == 0 ? texture.width : texture.height);
    const double texels = size < 1 ? 1 : (double)size;
    const struct extent extent = {texels, texture.is_normalized ? texels : 1};
    unsigned char *next = target;
    for (int64_t column = begin; column < end; column++) {
        const uint64_t noise = random_word(source->row_key, (uint64_t)column);
        const float value = choose(source, &extent, noise, (uint64_t)column);
        memcpy(next, &value, sizeof value);
        next += stride * (int64_t)sizeof value;
    }
}

/* Texels of floats are filled as f32 is, row by row with their channels in place of columns, all
 * others as bytes. */
void fill_texel(const struct fill_source *source, int64_t begin, int64_t end, void *target,
                int64_t stride)
{
    struct golden_texture texture;
    source->test_case->algorithm->texture(source->test_case->axis, &texture);
    if (texture.texel != GOLDEN_TEXEL_F32) {
        fill_bytes(source, begin, end, target, stride);
        return;
    }
    const int64_t bytes = source->view.element_bytes, channels = bytes / (int64_t)sizeof(float);
    unsigned char *next = target;
    struct fill_source floats = *source;
    floats.view.element_bytes = sizeof(float);
    floats.view.columns *= channels;
    for (int64_t column = begin; column < end; column++, next += stride * bytes)
        fill_f32(&floats, column * channels, (column + 1) * channels, next, 1);
}
