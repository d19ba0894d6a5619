/* The model of transactions against what a GPU counted (spec/transactions.def), and against the
 * documents' figures. */
#include "conformance/model/device_info.h"

#include <stddef.h>

#include "spec/testing.h"

enum { COUNTED_WARPS = 4096 };

static const struct counted {
    int element, offset, stride, threads, granularity;
    uint64_t lines, asked, received, fetched, memory;
} loads[] = {
#define LOADED(...) {__VA_ARGS__},
#define STORED(...)
#define COPIED(...)
#include "spec/transactions.def"
};

static const struct stored {
    int element, offset, stride, threads;
    uint64_t asked, sent;
} stores[] = {
#define LOADED(...)
#define STORED(...) {__VA_ARGS__},
#define COPIED(...)
#include "spec/transactions.def"
};

static const struct copied {
    int stride, granularity;
    double read_mb, written_mb;
} copies[] = {
#define LOADED(...)
#define STORED(...)
#define COPIED(...) {__VA_ARGS__},
#include "spec/transactions.def"
};

static struct warp_access access_of(int element, int offset, int stride, int threads)
{
    return (struct warp_access){.first_byte = (uint64_t)(offset * element),
                                .stride_bytes = (uint64_t)(stride * element),
                                .element_bytes = element,
                                .threads = threads};
}

/* Sectors from memory were counted with what else the chip read meanwhile. */
START_TEST(a_gpu_counts_what_the_model_says, "transactions.asked.sectors",
           "transactions.asked.lines", "transactions.fetched.granularity")
{
    for (size_t row = 0; row < sizeof loads / sizeof loads[0]; row++) {
        const struct counted *it = &loads[row];
        const struct warp_access access =
            access_of(it->element, it->offset, it->stride, it->threads);
        const uint64_t asked = transactions_asked(&access, TRANSACTION_SECTOR_BYTES);
        const uint64_t fetched =
            transactions_loaded(&access, it->granularity) / TRANSACTION_SECTOR_BYTES;
        ck_assert_uint_eq(it->lines,
                          COUNTED_WARPS * transactions_asked(&access, TRANSACTION_LINE_BYTES));
        ck_assert_uint_eq(it->asked, COUNTED_WARPS * asked);
        ck_assert_uint_eq(it->received, COUNTED_WARPS * asked);
        ck_assert_uint_eq(it->fetched, COUNTED_WARPS * fetched);
        ck_assert_uint_ge(it->memory, COUNTED_WARPS * fetched);
        ck_assert_uint_le(it->memory, COUNTED_WARPS * fetched + COUNTED_WARPS / 8);
    }
    for (size_t row = 0; row < sizeof stores / sizeof stores[0]; row++) {
        const struct stored *it = &stores[row];
        const struct warp_access access =
            access_of(it->element, it->offset, it->stride, it->threads);
        const uint64_t asked = transactions_asked(&access, TRANSACTION_SECTOR_BYTES);
        ck_assert_uint_eq(it->asked, COUNTED_WARPS * asked);
        ck_assert_uint_eq(it->sent, COUNTED_WARPS * asked);
    }
}

/* Memory moves what the model says for a copy with a stride: L2 reads a sector of the target before
 * it fills it in part. */
START_TEST(a_part_of_a_sector_is_read_first, "transactions.stored.filled")
{
    enum { WARPS = (1 << 24) / 32 };
    static const double left_in_l2_mb = 24;
    for (size_t row = 0; row < sizeof copies / sizeof copies[0]; row++) {
        const struct copied *it = &copies[row];
        const struct warp_access access = access_of(4, 0, it->stride, 32);
        const double loaded_mb =
            (double)transactions_loaded(&access, it->granularity) * WARPS / 1e6;
        const double stored_mb = (double)transactions_stored(&access) * WARPS / 1e6;
        const double filled_mb = it->stride > 1 ? stored_mb / 2 : 0;
        ck_assert_double_le(it->read_mb, (loaded_mb + filled_mb) * 1.001);
        ck_assert_double_ge(it->read_mb, (loaded_mb + filled_mb) * 0.97);
        ck_assert_double_le(it->written_mb, stored_mb - filled_mb);
        ck_assert_double_ge(it->written_mb, stored_mb - filled_mb - left_in_l2_mb);
    }
}

/* 4 where aligned, 5 where not, min(4 s, 32) at stride s. */
START_TEST(the_documents_count_so, "transactions.asked.sectors")
{
    for (int offset = 0; offset <= 64; offset++) {
        const struct warp_access access = access_of(4, offset, 1, 32);
        ck_assert_uint_eq(transactions_asked(&access, TRANSACTION_SECTOR_BYTES),
                          offset % 8 == 0 ? 4 : 5);
    }
    for (int stride = 1; stride <= 64; stride++) {
        const struct warp_access access = access_of(4, 0, stride, 32);
        ck_assert_uint_eq(transactions_asked(&access, TRANSACTION_SECTOR_BYTES),
                          stride < 8 ? 4 * (uint64_t)stride : 32);
    }
}

/* Piece by piece, each byte of each element marked. */
START_TEST(every_piece_is_counted_once, "transactions.asked.sectors",
           "transactions.fetched.granularity")
{
    enum { PIECES = 600 };
    for (int element = 1; element <= 16; element *= 2)
        for (int piece = 32; piece <= 128; piece *= 2)
            for (int stride = 0; stride <= 33; stride++)
                for (int case_number = 0; case_number < 40; case_number++) {
                    const struct warp_access access =
                        access_of(element, case_number * 7 % 37, stride, 1 + case_number * 11 % 32);
                    unsigned char touched[PIECES] = {0};
                    uint64_t count = 0;
                    for (int thread = 0; thread < access.threads; thread++)
                        for (int byte = 0; byte < element; byte++) {
                            const uint64_t at = access.first_byte + (uint64_t)byte +
                                                (uint64_t)thread * access.stride_bytes;
                            count += !touched[at / (uint64_t)piece];
                            touched[at / (uint64_t)piece] = 1;
                        }
                    ck_assert_uint_eq(transactions_asked(&access, piece), count);
                    ck_assert_uint_eq(transactions_loaded(&access, piece) /
                                          TRANSACTION_SECTOR_BYTES,
                                      count * (uint64_t)piece / 32);
                }
}

/* "One segment asked, 4 fetched or 1": asked is 1, and fetched is what the granularity says. */
START_TEST(one_segment, "transactions.fetched.granularity")
{
    int rows = 0;
    for (size_t row = 0; row < sizeof loads / sizeof loads[0]; row++) {
        const struct counted *it = &loads[row];
        if (it->asked != COUNTED_WARPS)
            continue;
        ck_assert_uint_eq(it->fetched, COUNTED_WARPS * (uint64_t)(it->granularity / 32));
        rows++;
    }
    ck_assert_int_ge(rows, 6);
}
