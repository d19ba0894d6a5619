/* The comparator: the whole downloaded arena against its expected contents, bit for bit, except for
 * what its format counts as equal in a result (format.h). */
#pragma once

#include "conformance/model/finding.h"
#include "conformance/work/arena.h"

/* PASS, or FAIL with *ret saying where and what. `image` is what was uploaded: an output element
 * that still holds it was not written. *ret is untouched on PASS. When several things are wrong,
 * the place reported is the first of: guard, gap, input, element; the counts say the rest. */
enum verdict compare_arena(const struct arena *arena, const unsigned char *image,
                           const unsigned char *expected, const unsigned char *got,
                           struct finding *ret);

/* The same, window by window (arena.h): what is known of an arena so far, or of a part of it. */
struct comparison {
    struct finding
        first[PLACE_COUNT]; /* the first of each place; verdict FAIL where there is one */
    uint64_t counts[PLACE_COUNT];
};

/* Adds what is wrong in a window after those added before; all memory begins with the
 * byte `begin`. */
void compare_window(struct comparison *comparison, const struct arena *arena, size_t begin,
                    size_t end, const unsigned char *image, const unsigned char *expected,
                    const unsigned char *got);

/* Adds what was found in the later windows. */
void compare_join(struct comparison *comparison, const struct comparison *later);

/* compare_arena's answer, when every window was added. */
enum verdict compare_end(const struct comparison *comparison, const struct arena *arena,
                         struct finding *ret);

/* XXH3-128 over outputs: the same on every machine that computes the same bits. */

/* Digest of the output's elements in the order of rows, seeded with the case's seed; elements that
 * count as equal hash as one (format.h). ret_digest: low word, high word. */
void digest_output(const struct arena *arena, const unsigned char *got, uint64_t ret_digest[2]);

/* The same, window by window in their order (arena.h). */
struct digest *digest_open(const struct arena *arena);
void digest_window(struct digest *digest, size_t begin, size_t end, const unsigned char *got);

/* Ends it; *digest is freed. */
void digest_close(struct digest *digest, uint64_t ret_digest[2]);

/* Adds one digest to a sum, modulo 2^128: the sum does not depend on the order of cases. */
void digest_add(uint64_t sum[2], const uint64_t digest[2]);
