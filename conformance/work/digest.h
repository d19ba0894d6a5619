/* XXH3-128 over outputs: the same on every machine that computes the same bits. */
#ifndef ASSAY_CONFORMANCE_WORK_DIGEST_H
#define ASSAY_CONFORMANCE_WORK_DIGEST_H

#include "conformance/work/arena.h"

/* Of the output's elements in the order of rows, seeded with the case's seed; elements that
 * count as equal are taken as one (format.h). ret_digest: low word, high word. */
void digest_output(const struct arena *arena, const unsigned char *got, uint64_t ret_digest[2]);

/* The same, window by window in their order (arena.h). NULL without memory. */
struct digest *digest_open(const struct arena *arena);
void digest_window(struct digest *digest, size_t begin, size_t end, const unsigned char *got);

/* Ends it; *digest is freed. */
void digest_close(struct digest *digest, uint64_t ret_digest[2]);

/* Adds one digest to a sum, modulo 2^128: the sum does not depend on the order of cases. */
void digest_add(uint64_t sum[2], const uint64_t digest[2]);

#endif
