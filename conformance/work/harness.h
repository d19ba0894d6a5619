/* The harness's own kernels on a device (cuda/harness/): they write over what earlier launches left
 * on the multiprocessors, and look after memory that no kernel under test may touch. Their code is
 * that of the first path that has any for the device. */
#pragma once

#include "conformance/base/reason.h"
#include "conformance/work/arena.h"
#include "conformance/work/opened_device.h"
#include "cuda/harness/call.h"

struct harness {
    struct device *device;
    cu_stream stream; /* that all is put on */
    cu_function scrub, scrub_local, fill, check, digest, flip;
    bool has_no_code; /* harness_open found none for the device */
};

/* Bytes of a report: a range may begin after it. */
enum { HARNESS_REPORT_BYTES = 256 };

/* Words of 8 bytes in device memory that hold a pattern, but for a hole that may hold anything. All
 * in bytes and multiples of 8. */
struct harness_range {
    cu_address address;
    size_t bytes;
    size_t hole_begin, hole_end;
    uint64_t key;
    cu_address right; /* words that a check finds in place of the pattern; 0: the pattern itself */
};

/* The units that they are in; NULL after the last. */
extern const char *const harness_units[];

/* Loads the kernels where that was not done yet (the harness's device is NULL before), and tests,
 * once for each opened device, that they detect what they must detect, as the stack under test
 * compiled them: they count and digest single bits flipped in memory that they wrote, at its ends,
 * in the middle and around a hole, change elements of each size completely, and leave the scrub
 * pattern, which is read back. The host computes the expected results. Returns false with the
 * finding of everything that was to be run with them. If they did not run at all, or the context is
 * lost meanwhile, that is no finding: what is run next says more (HARNESS_NOT_LOOKED_AT). */
bool harness_open(struct harness *harness, struct device *device, cu_stream stream,
                  struct finding *ret);

/* Each puts one launch on the stream. */

/* Fills the shared memory and the registers of every multiprocessor with a pattern of the key; and
 * local memory, where the function that is launched next has any. */
cu_result harness_scrub(const struct harness *harness, cu_function next, uint64_t key);

/* Writes the pattern to the whole range; the hole is ignored. */
cu_result harness_fill(const struct harness *harness, const struct harness_range *range);

/* Writes the pattern on both sides of the hole. */
cu_result harness_fill_around(const struct harness *harness, const struct harness_range *range);

/* Adds to the struct harness_report at `report` which words around the hole do not hold it. */
cu_result harness_check(const struct harness *harness, const struct harness_range *range,
                        cu_address report);

/* Clears the report, checks or digests the range, and brings the report back to pinned memory. */
cu_result harness_look(const struct harness *harness, const struct harness_range *range,
                       bool is_digest, cu_address report, void *pinned);

/* Adds the digest of the range, hole left out, to the report: a function of its bytes, of their
 * places and of the key. Another word at one place is always another digest, any other change one
 * with a chance of 2^-64. */
cu_result harness_digest(const struct harness *harness, const struct harness_range *range,
                         cu_address report);

/* Changes every bit of the operand's elements in an arena at `buffer`. */
cu_result harness_flip(const struct harness *harness, cu_address buffer, const struct arena *arena,
                       int operand);

/* The same digest of memory on the host, under key 0. The digest of a range is the sum of those of
 * its parts: this one begins `from` bytes into the range. All in multiples of 8. */
uint64_t harness_sum(const void *words, size_t bytes, size_t from);

/* The result of a check, once its report has come back. */
enum harness_state {
    HARNESS_INTACT,
    HARNESS_CHANGED,
    HARNESS_NOT_LOOKED_AT, /* the check did not finish */
};
enum harness_state harness_state(const struct harness_range *range,
                                 const struct harness_report *report);

/* The last changed word: how far it lies from the hole's begin (negative before it) and from its
 * end, what it must hold, and what it holds. */
struct harness_change {
    int64_t from_begin, from_end;
    uint64_t words; /* the number of changed words */
    unsigned char expected[8], got[8];
};

/* Reads it, through 16 bytes of pinned memory, and waits for the stream. Returns the driver's
 * error.
 */
cu_result harness_find(const struct harness *harness, const struct harness_range *range,
                       const struct harness_report *report, void *pinned,
                       struct harness_change *ret);

/* The word that the pattern has at that many bytes from the range's begin. */
uint64_t harness_word(const struct harness_range *range, size_t position);

/* The number of words that a check of the range covers. */
uint64_t harness_words(const struct harness_range *range);
