/* The memory around the operands: filled with a pattern, compared with it after a launch, and a
 * range's digest; and outputs whose poison is changed. All blocks share a range, in steps of the
 * grid.
 * Clause: memory.outside.looked_at. */
#include "device.h"
#include "harness/call.h"
#include "harness/mix.h"

/* The sums of a thread of a block, over all its words. */
struct found {
    unsigned long long words, sum;
};

/* Adds up what the threads of a block found, first by 32 threads and then by one, which adds the
 * block's to the report: an atomic for each thread would take several times as long as the reads.
 * Wrong words are rare. */
DEVICE void report_block(struct found *found, struct harness_report mine,
                         struct harness_report *report)
{
    enum { ADDERS = 32 };
    const unsigned thread = threadIdx.x;
    found[thread].words = mine.words;
    found[thread].sum = mine.sum;
    if (mine.wrong != 0) {
        atomicAdd(&report->wrong, mine.wrong);
        atomicMax(&report->last, mine.last);
    }
    __syncthreads();
    for (unsigned other = thread + ADDERS; thread < ADDERS && other < blockDim.x; other += ADDERS) {
        found[thread].words += found[other].words;
        found[thread].sum += found[other].sum;
    }
    __syncthreads();
    if (thread != 0)
        return;
    for (unsigned other = 1; other < ADDERS && other < blockDim.x; other++) {
        found[0].words += found[other].words;
        found[0].sum += found[other].sum;
    }
    atomicAdd(&report->words, found[0].words);
    atomicAdd(&report->sum, found[0].sum);
}

/* The word's place, past the hole where it is after it. */
DEVICE long long place_of(const struct harness_range_call *call, long long word)
{
    return word < call->hole_begin ? word : word + call->hole_words;
}

KERNEL(harness_fill, struct harness_range_call, call)
{
    const long long step = (long long)gridDim.x * blockDim.x;
    const long long first = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    for (long long word = first; word < call.count; word += step)
        call.words[word] = harness_mix(call.key, (unsigned long long)word);
}

KERNEL(harness_check, struct harness_range_call, call)
{
    SHARED struct found found[HARNESS_RANGE_THREADS];
    struct harness_report mine = {0, 0, 0, 0};
    const long long step = (long long)gridDim.x * blockDim.x;
    const long long first = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    for (long long word = first; word < call.count; word += step) {
        const long long place = place_of(&call, word);
        const unsigned long long right =
            call.right ? call.right[place] : harness_mix(call.key, (unsigned long long)place);
        mine.words++;
        if (call.words[place] == right)
            continue;
        mine.wrong++;
        mine.last = (unsigned long long)place + 1;
    }
    report_block(found, mine, call.report);
}

/* The sum of every word blended with its place: the same in any order of threads. Four words of a
 * thread are on their way at once, since it is the memory's pace that counts here. */
KERNEL(harness_digest, struct harness_range_call, call)
{
    enum { AT_ONCE = 4 };
    SHARED struct found found[HARNESS_RANGE_THREADS];
    struct harness_report mine = {0, 0, 0, 0};
    const long long step = (long long)gridDim.x * blockDim.x;
    const long long first = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    for (long long word = first; word < call.count; word += AT_ONCE * step) {
        unsigned long long words[AT_ONCE];
        UNROLL(4)
        for (int index = 0; index < AT_ONCE; index++)
            words[index] = word + index * step < call.count
                               ? call.words[place_of(&call, word + index * step)]
                               : 0;
        UNROLL(4)
        for (int index = 0; index < AT_ONCE; index++) {
            if (word + index * step >= call.count)
                continue;
            const long long place = place_of(&call, word + index * step);
            mine.words++;
            mine.sum += harness_blend(words[index], call.key + (unsigned long long)place);
        }
    }
    report_block(found, mine, call.report);
}

/* An element that is right by chance before a launch is wrong afterwards, if it is not written. */
KERNEL(harness_flip, struct harness_flip_call, call)
{
    const long long step = (long long)gridDim.x * blockDim.x;
    const long long first = (long long)blockIdx.x * blockDim.x + threadIdx.x;
    for (long long index = first; index < call.rows * call.columns; index += step) {
        const long long row = index / call.columns, column = index % call.columns;
        unsigned char *element = call.first + row * call.row_bytes + column * call.column_bytes;
        for (long long byte = 0; byte < call.element_bytes; byte++)
            element[byte] ^= 0xff;
    }
}
