/* Mutants of sliding_window: the document's race, wrong places, and kernels that are right and
 * whose rows set a wrong window (cuda/kernel.h, window_mistake). */
#include "device.h"
#include "sliding_window/call.h"
#include "sliding_window/sum_body.h"

#define EACH_ELEMENT(entry, body)                                                                  \
    KERNEL(entry, struct sliding_window_call, call)                                                \
    {                                                                                              \
        const long long at = (long long)blockIdx.x * blockDim.x + threadIdx.x;                     \
        if (at < call.n)                                                                           \
            body(&call, at);                                                                       \
    }

DEVICE void next(const struct sliding_window_call *call, long long at)
{
    call->target[at] = call->stream[at] + call->hot[sliding_place(at + 1, call->hot_count)];
}
EACH_ELEMENT(mutant_sliding_next, next)

DEVICE void no_turn(const struct sliding_window_call *call, long long at)
{
    call->target[at] =
        call->stream[at] + call->hot[at < call->hot_count ? at : call->hot_count - 1];
}
EACH_ELEMENT(mutant_sliding_no_turn, no_turn)

/* As document 004 has it, but for what goes to the target. */
DEVICE void doubled(const struct sliding_window_call *call, long long at)
{
    unsigned *hot = &call->hot[sliding_place(at, call->hot_count)];
    const unsigned value = *hot;
    call->target[at] = call->stream[at] + value;
    *hot = 2 * value + 1;
}
EACH_ELEMENT(mutant_sliding_doubled, doubled)

DEVICE void counted(const struct sliding_window_call *call, long long at)
{
    call->target[at] =
        call->stream[at] + atomicAdd(&call->hot[sliding_place(at, call->hot_count)], 1u);
}
EACH_ELEMENT(mutant_sliding_counted, counted)

DEVICE void place_16_bits(const struct sliding_window_call *call, long long at)
{
    call->target[at] = call->stream[at] + call->hot[sliding_place(at & 0xffff, call->hot_count)];
}
EACH_ELEMENT(mutant_sliding_place_16_bits, place_16_bits)

DEVICE void place_32_bits(const struct sliding_window_call *call, long long at)
{
    call->target[at] = call->stream[at] + call->hot[(unsigned)at % (unsigned)call->hot_count];
}
EACH_ELEMENT(mutant_sliding_place_32_bits, place_32_bits)

SLIDING_KERNEL(mutant_sliding_never_set, SLIDING_PLAIN)
SLIDING_KERNEL(mutant_sliding_left_on, SLIDING_PLAIN)
SLIDING_KERNEL(mutant_sliding_all_persist, SLIDING_PLAIN)
SLIDING_KERNEL(mutant_sliding_share_above_1, SLIDING_PLAIN)
SLIDING_KERNEL(mutant_sliding_base_late, SLIDING_PLAIN)
SLIDING_KERNEL(mutant_sliding_size_counted, SLIDING_PLAIN)
SLIDING_KERNEL(mutant_sliding_all_stream, SLIDING_PLAIN)
