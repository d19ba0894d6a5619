/* The definition of variable_scope. Clauses: variable_scope.lifetime.launches,
 * variable_scope.lifetime.load. */
#include "cpu_ref/golden.h"

void golden_variable_scope(const uint32_t *initial, const uint32_t *steps, uint32_t *target,
                           size_t first, size_t n, size_t columns, size_t launches, size_t reload)
{
    const size_t counted = reload < launches ? launches - reload : launches;
    for (size_t index = 0; index < n; index++) {
        uint32_t value = initial[index];
        for (size_t launch = 0; launch < counted; launch++) {
            const uint32_t turned = value << 7 | value >> 25;
            value = turned + steps[launch * columns + (first + index) % columns];
        }
        target[index] = value;
    }
}
