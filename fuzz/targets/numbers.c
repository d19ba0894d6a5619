/* Numbers at the edges (numbers.h). */
#include "fuzz/targets/numbers.h"

#include <stdio.h>
#include <string.h>

#include "fuzz/random.h"

static const char *const edges[] = {
    "0",
    "-0.0",
    "1",
    "-1",
    "2",
    "0.1",
    "1e-9",
    "4.9e-324",
    "24",
    "4096",
    "2147483647",
    "2147483648",
    "4294967296",
    "9007199254740991",
    "9007199254740992",
    "9007199254740994",
    "999999999999999999",
    "1000000000000000000",
    "9223372036854775807",
    "-9223372036854775808",
    "1e18",
    "1e19",
    "1e308",
    "-1e308",
};
enum { EDGES = sizeof edges / sizeof edges[0] };

static int is_of_number(uint8_t letter)
{
    return (letter >= '0' && letter <= '9') || letter == '.' || letter == '-' || letter == '+' ||
           letter == 'e' || letter == 'E';
}

/* The number at or after `from`; its end, and where it begins. The text's end without one.
 */
static size_t find_number(const uint8_t *data, size_t bytes, size_t from, size_t *ret_begin)
{
    size_t begin = from;
    while (begin < bytes && !(data[begin] >= '0' && data[begin] <= '9'))
        begin++;
    size_t end = begin;
    while (end < bytes && is_of_number(data[end]))
        end++;
    if (begin > from && begin < bytes && data[begin - 1] == '-')
        begin--;
    *ret_begin = begin;
    return end;
}

/* One of the edges, any number, or a neighbour of a power of two. */
static int make_number(char *text, size_t text_bytes, uint64_t word)
{
    unsigned bit = (unsigned)(word >> 8 & 63);
    switch (word & 3) {
    case 0:
        return snprintf(text, text_bytes, "%llu", (unsigned long long)(word >> bit));
    case 1:
        return snprintf(text, text_bytes, "%llu",
                        (unsigned long long)((UINT64_C(1) << (bit % 63)) + (word >> 14 & 1)));
    default:
        return snprintf(text, text_bytes, "%s", edges[(word >> 20) % EDGES]);
    }
}

size_t numbers_mutate(uint8_t *data, size_t bytes, size_t bytes_max, unsigned seed)
{
    size_t count = 0, begin, end;
    for (size_t from = 0; (end = find_number(data, bytes, from, &begin)) > begin; from = end)
        count++;
    uint64_t changes = 1 + random_below(seed, 0, 3);
    for (uint64_t change = 0; count > 0 && change < changes; change++) {
        char text[40];
        uint64_t wanted = random_below(seed, 2 * change + 1, count);
        size_t from = 0;
        for (uint64_t number = 0; number <= wanted; number++, from = end)
            end = find_number(data, bytes, from, &begin);
        size_t length = (size_t)make_number(text, sizeof text, random_word(seed, 2 * change + 2));
        if (end <= begin || bytes - (end - begin) + length > bytes_max)
            return bytes;
        memmove(data + begin + length, data + end, bytes - end);
        memcpy(data + begin, text, length);
        bytes = bytes - (end - begin) + length;
    }
    return bytes;
}
