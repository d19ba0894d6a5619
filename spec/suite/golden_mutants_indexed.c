/* Wrong goldens whose indices are an operand (golden_mutants_indexed.h). */
#include "spec/suite/golden_mutants_indexed.h"

#include <string.h>

/* Lookups: the next element, no turn at the table's end, too few rounds. */
enum lookup_mistake { LOOKUP_RIGHT, LOOKUP_NEXT, LOOKUP_NO_TURN, LOOKUP_SHORT };

static void lookups(const int64_t *axis, void *const *operands, enum lookup_mistake mistake)
{
    enum { LOOKUP_N = 0, ENTRIES, DISTINCT, LOOKUP_ROUNDS, LOOKUP_ELEMENT };
    const unsigned char *table = operands[0];
    const uint32_t *index = operands[1];
    unsigned char *target = operands[2];
    const int64_t entries = axis[ENTRIES], bytes = axis[LOOKUP_ELEMENT];
    const int64_t count = entries == 0 ? 0 : axis[LOOKUP_N];
    const int64_t rounds = axis[LOOKUP_ROUNDS] - (mistake == LOOKUP_SHORT);
    for (int64_t at = 0; at < count * bytes; at++) {
        unsigned char sum = 0;
        for (int64_t round = 0; round < rounds; round++) {
            int64_t place = index[at / bytes] + round;
            place += mistake == LOOKUP_NEXT;
            place = mistake == LOOKUP_NO_TURN && place >= entries ? entries - 1 : place % entries;
            sum ^= table[place * bytes + at % bytes];
        }
        target[at] = sum;
    }
}

#define LOOKUPS(name, MISTAKE)                                                                     \
    void golden_mutant_lookups_##name(const int64_t *axis, void *const *operands)                  \
    {                                                                                              \
        lookups(axis, operands, MISTAKE);                                                          \
    }

LOOKUPS(right, LOOKUP_RIGHT)
LOOKUPS(next, LOOKUP_NEXT)
LOOKUPS(no_turn, LOOKUP_NO_TURN)
LOOKUPS(short, LOOKUP_SHORT)

/* Arrays of a thread: the next place, one round less, a pass of the old elements. */
enum array_mistake { ARRAY_RIGHT, ARRAY_NEXT, ARRAY_SHORT, ARRAY_OLD };

static void arrays(const int64_t *axis, void *const *operands, enum array_mistake mistake)
{
    enum { ARRAY_N = 0, LENGTH, ARRAY_DISTINCT, ARRAY_ROUNDS, ARRAY_ELEMENT, LENGTH_MAX = 64 };
    const unsigned char *source = operands[0];
    const uint32_t *index = operands[1];
    unsigned char *target = operands[2], array[LENGTH_MAX], old[LENGTH_MAX];
    const int64_t length = axis[LENGTH], bytes = axis[ARRAY_ELEMENT];
    for (int64_t at = 0; at < axis[ARRAY_N] * bytes; at++) {
        unsigned char sum = 0;
        for (int64_t slot = 0; slot < length; slot++)
            array[slot] = source[at + slot * bytes];
        for (int64_t round = mistake == ARRAY_SHORT; round < axis[ARRAY_ROUNDS]; round++) {
            unsigned char *own =
                &array[(index[at / bytes] + round + (mistake == ARRAY_NEXT)) % length];
            const unsigned char taken = *own;
            *own = sum;
            sum = taken;
            memcpy(old, array, sizeof old);
            for (int64_t slot = 1; slot < length; slot++)
                array[slot] ^= mistake == ARRAY_OLD ? old[slot - 1] : array[slot - 1];
        }
        target[at] = sum;
    }
}

#define ARRAYS(name, MISTAKE)                                                                      \
    void golden_mutant_arrays_##name(const int64_t *axis, void *const *operands)                   \
    {                                                                                              \
        arrays(axis, operands, MISTAKE);                                                           \
    }

ARRAYS(right, ARRAY_RIGHT)
ARRAYS(next, ARRAY_NEXT)
ARRAYS(short, ARRAY_SHORT)
ARRAYS(old, ARRAY_OLD)

/* Hot data: the next element, no turn at its end, the stream alone. */
enum hot_mistake { HOT_RIGHT, HOT_NEXT, HOT_NO_TURN, HOT_LEFT_OUT };

static void hot_sums(const int64_t *axis, void *const *operands, enum hot_mistake mistake)
{
    const uint32_t *hot = operands[0], *stream = operands[1];
    uint32_t *target = operands[2];
    const int64_t count = axis[1];
    for (int64_t at = 0; count > 0 && at < axis[0]; at++) {
        int64_t place = (at + (mistake == HOT_NEXT)) % count;
        place = mistake == HOT_NO_TURN && at >= count ? count - 1 : place;
        target[at] = stream[at] + (mistake == HOT_LEFT_OUT ? 0 : hot[place]);
    }
}

#define HOT_SUMS(name, MISTAKE)                                                                    \
    void golden_mutant_hot_##name(const int64_t *axis, void *const *operands)                      \
    {                                                                                              \
        hot_sums(axis, operands, MISTAKE);                                                         \
    }

HOT_SUMS(right, HOT_RIGHT)
HOT_SUMS(next, HOT_NEXT)
HOT_SUMS(no_turn, HOT_NO_TURN)
HOT_SUMS(left_out, HOT_LEFT_OUT)
