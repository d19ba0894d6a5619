/* Fills of operands that name places of another one: indices and coordinates. */
#include <math.h>

#include "fuzz/test/filling.h"

/* How many of 32 neighbouring indices differ. */
static int64_t different(const uint32_t *index, int64_t count)
{
    int64_t found = 0;
    for (int64_t at = 0; at < count; at++) {
        int64_t before = 0;
        while (index[before] != index[at])
            before++;
        found += before == at;
    }
    return found;
}

START_TEST(indices_name_elements, "cases.fill.index")
{
    for (int fill = 0; fill < FILL_COUNT; fill++) {
        for (int number = 0; number < 99; number++) {
            char shape[100];
            void *origin;
            const int64_t n = 20 + number, lanes = 1 + number % 32, entries = 1 + number * number;
            snprintf(shape, sizeof shape, "table_lookup n=%d entries=%d distinct=%d", (int)n,
                     (int)entries, (int)lanes);
            struct fuzz_case test_case = read_case(shape, fills[fill].name, (uint64_t)number);
            unsigned char *memory = filled(&test_case, 1, &origin);
            const uint32_t *index = origin;
            for (int64_t at = 0; at < n; at++)
                ck_assert_int_lt(index[at], entries);
            for (int64_t first = 0; first < n; first += 32) {
                const int64_t count = n - first < 32 ? n - first : 32;
                const int64_t found = different(index + first, count);
                ck_assert_int_le(found, lanes);
                if (fill == FILL_POSITION && entries >= 32 && count >= lanes)
                    ck_assert_int_eq(found, lanes);
            }
            free(memory);
        }
    }
}

/* What shares of the coordinates must do, of 1,000. */
START_TEST(coordinates_meet_the_texture, "cases.fill.coordinate")
{
    for (int number = 0; number < 8; number++) {
        enum { FETCHES = 1000 };
        char shape[100];
        void *origin;
        const int size = 1 + number * 29, normalized = number % 2;
        int inside = 0, before = 0, after = 0, edges = 0, steps = 0, beside[2] = {0, 0};
        snprintf(shape, sizeof shape, "texture_fetch n=%d width=%d height=3 normalized=%d", FETCHES,
                 size, normalized);
        struct fuzz_case test_case = read_case(shape, "uniform", (uint64_t)number);
        unsigned char *memory = filled(&test_case, 1, &origin);
        for (int at = 0; at < FETCHES; at++) {
            const double place = (double)((float *)origin)[at] * (normalized ? size : 1);
            inside += place >= 0 && place < size;
            before += place < 0;
            after += place >= size;
            edges += fabs(place - round(place)) < 1e-5 * (1 + size);
            steps += fabs(512 * place - round(512 * place)) < 1e-4 * (1 + size);
            if (!normalized && place != round(place) &&
                fabs(place - round(place)) < 1e-6 * (1 + size))
                beside[place > round(place)]++;
        }
        free(memory);
        ck_assert_int_gt(inside, FETCHES / 2);
        ck_assert_int_gt(before, FETCHES / 50);
        ck_assert_int_gt(after, FETCHES / 50);
        ck_assert_int_gt(edges, FETCHES / 8);
        ck_assert_int_gt(steps, FETCHES / 4);
        ck_assert(normalized || (beside[0] > FETCHES / 50 && beside[1] > FETCHES / 50));
        test_case = read_case(shape, "position", (uint64_t)number);
        memory = filled(&test_case, 1, &origin);
        for (int at = 0; at < FETCHES; at++) {
            const double centre = at % size + 0.5;
            ck_assert(((float *)origin)[at] == (float)(normalized ? centre / size : centre));
        }
        free(memory);
    }
}
