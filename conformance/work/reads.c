/* Which reads are watched, and where a stray one lies (reads.h). */
#include "conformance/work/reads.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "fuzz/random.h"

/* Watched on either side of the arena as well. */
enum { BEYOND_BYTES = ARENA_GUARD_BYTES };

static bool is_chosen(const struct fuzz_case *test_case)
{
    enum { STREAM = 2 }; /* of the seed's random numbers, as in limits.c */
    return random_below(~test_case->seed, STREAM, READS_EVERY) == 0;
}

void reads_prepare(struct reads *reads, const struct cuda_driver *driver, const struct arena *arena)
{
    const size_t bytes = arena->bytes + 2 * BEYOND_BYTES;
    reads->watched = false;
    if (driver->watch_reads == NULL || !is_chosen(arena->test_case))
        return;
    if (reads->readable_bytes < bytes) {
        reads_release(reads);
        reads->readable = malloc(bytes);
        if (reads->readable == NULL)
            return; /* all else is checked */
        reads->readable_bytes = bytes;
    }
    memset(reads->readable, 0, bytes);
    arena_readable(arena, reads->readable + BEYOND_BYTES);
    reads->watch = (struct driver_watch){.bytes = bytes, .readable = reads->readable};
    reads->watched = true;
}

void reads_begin(struct reads *reads, const struct cuda_driver *driver, cu_address address)
{
    if (!reads->watched)
        return;
    reads->watch.address = address - BEYOND_BYTES;
    driver->watch_reads(&reads->watch);
}

void reads_end(struct reads *reads, const struct cuda_driver *driver)
{
    if (reads->watched)
        driver->watch_reads(NULL);
}

bool reads_strayed(const struct reads *reads, const struct arena *arena,
                   char ret_text[READS_TEXT_BYTES])
{
    if (!reads->watch.strayed)
        return false;
    int64_t position = (int64_t)reads->watch.stray_byte - BEYOND_BYTES;
    int index = 0;
    while (index + 1 < arena->operand_count && position >= (int64_t)arena->operands[index].to)
        index++;
    const struct arena_operand *it = &arena->operands[index];
    int64_t begin = (int64_t)it->begin, end = (int64_t)it->end;
    char where[64];
    if (position < begin)
        snprintf(where, sizeof where, "%" PRId64 " bytes before the start", begin - position);
    else if (position >= end)
        snprintf(where, sizeof where, "%" PRId64 " bytes past the end", position - end);
    else
        snprintf(where, sizeof where, "in a gap, %" PRId64 " bytes after the start",
                 position - begin);
    snprintf(ret_text, READS_TEXT_BYTES, "%s reads a byte %s of operand %s",
             reads->watch.stray_thread, where, arena->test_case->algorithm->operands[index].name);
    return true;
}

void reads_release(struct reads *reads)
{
    free(reads->readable);
    reads->readable = NULL;
    reads->readable_bytes = 0;
    reads->watched = false;
}
