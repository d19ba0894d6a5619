/* Mutants of variable_scope: variables that end too early or too late, or that the wrong threads
 * see. Some are right by themselves: their row leaves out what is done between two launches. */
#include "variable_scope/kept.h"

CONSTANT(unsigned, launch_steps, 64 * COLUMNS_MAX)

#define INDEX() ((long long)blockIdx.x * blockDim.x + threadIdx.x)

/* The kernel `device`, with what else happens at the end of a launch. */
#define DEVICE_MUTANT(name, ENDS)                                                                  \
    KERNEL(mutant_scope_##name, struct variable_scope_call, call)                                  \
    {                                                                                              \
        const long long index = INDEX();                                                           \
        if (index >= call.n)                                                                       \
            return;                                                                                \
        const long long row = kept_launches[index] % call.launches;                                \
        const unsigned before = kept_values[index],                                                \
                       value = kept_before(&call, index, was_loaded(&call));                       \
        (void)before;                                                                              \
        keep(&call, index, step(value, number(&call, row, index)));                                \
        ENDS;                                                                                      \
    }

DEVICE_MUTANT(value_lost, kept_values[index] = before)
DEVICE_MUTANT(count_lost, kept_launches[index] = 0)
DEVICE_MUTANT(load_kept, )

/* The kernel `constant`: its row of steps is written once. */
KERNEL(mutant_scope_steps_stale, struct variable_scope_call, call)
{
    const long long index = INDEX();
    if (index >= call.n)
        return;
    const unsigned value = kept_before(&call, index, 0);
    keep(&call, index, step(value, launch_steps[index % COLUMNS_MAX]));
}

SHARED unsigned row[COLUMNS_MAX];

/* The kernel `shared`, with which threads load a row, where it is, and its two barriers. */
#define SHARED_MUTANT(name, LOADS, ROW, LOADED, STEPPED)                                           \
    KERNEL(mutant_scope_##name, struct variable_scope_call, call)                                  \
    {                                                                                              \
        DYNAMIC_SHARED(unsigned, values);                                                          \
        const long long first = (long long)blockIdx.x * blockDim.x, count = counted(&call);        \
        const unsigned mirrored = blockDim.x - 1 - threadIdx.x;                                    \
        unsigned place = threadIdx.x;                                                              \
        if (first + place < call.n)                                                                \
            values[place] = call.initial[first + place];                                           \
        for (long long launch = 0; launch < count; launch++) {                                     \
            if (LOADS)                                                                             \
                (ROW)[threadIdx.x] = number(&call, launch, threadIdx.x);                           \
            LOADED;                                                                                \
            place = place == threadIdx.x ? mirrored : threadIdx.x;                                 \
            if (first + place < call.n)                                                            \
                values[place] = step(values[place], (ROW)[place % COLUMNS_MAX]);                   \
            STEPPED;                                                                               \
        }                                                                                          \
        if (first + threadIdx.x < call.n)                                                          \
            call.target[first + threadIdx.x] = values[threadIdx.x];                                \
    }

#define BARRIER __syncthreads()

SHARED_MUTANT(row_of_neighbour, threadIdx.x < columns(&call) && blockIdx.x % 2 == 0, row, BARRIER,
              BARRIER)
SHARED_MUTANT(row_first_only, threadIdx.x < columns(&call) && launch == 0, row, BARRIER, BARRIER)
SHARED_MUTANT(arrays_alias, threadIdx.x < columns(&call), values, BARRIER, BARRIER)
SHARED_MUTANT(no_barrier, threadIdx.x < columns(&call), row, (void)0, BARRIER)
SHARED_MUTANT(one_barrier, threadIdx.x < columns(&call), row, BARRIER, (void)0)

SHARED unsigned value_of_all;

/* The kernel `automatic`, its value in a variable of the block. */
KERNEL(mutant_scope_value_shared, struct variable_scope_call, call)
{
    const long long index = INDEX(), count = counted(&call);
    if (index < call.n)
        value_of_all = call.initial[index];
    __syncthreads();
    unsigned value = value_of_all;
    for (long long launch = 0; launch < count; launch++)
        value = step(value, number(&call, launch, index));
    if (index < call.n)
        call.target[index] = value;
}

#define AUTOMATIC_MUTANT(name, COUNT, AT)                                                          \
    KERNEL(mutant_scope_##name, struct variable_scope_call, call)                                  \
    {                                                                                              \
        const long long index = INDEX();                                                           \
        if (index >= call.n)                                                                       \
            return;                                                                                \
        unsigned value = call.initial[AT];                                                         \
        for (long long launch = 0; launch < (COUNT); launch++)                                     \
            value = step(value, number(&call, launch, index));                                     \
        call.target[index] = value;                                                                \
    }

AUTOMATIC_MUTANT(reload_ignored, call.launches, index)
AUTOMATIC_MUTANT(index_31_bits, counted(&call), index & 0x7fffffff)
