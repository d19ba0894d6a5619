/* Variables over a sequence of launches: launch after launch, with the loads where they are,
 * against the golden, which leaves out what a load undoes. */
#include "cpu_ref/golden.h"
#include "cpu_ref/test/values.h"

#include "spec/testing.h"

enum { VARIABLES = 21, LAUNCHES = 12, COLUMNS = 8 };

/* By multiplication, with the carry brought round. */
static uint32_t after(uint32_t value, uint32_t number)
{
    const uint64_t turned = (uint64_t)value * 128;
    return (uint32_t)(turned % (UINT64_C(1) << 32) + turned / (UINT64_C(1) << 32) + number);
}

static void check(size_t n, size_t launches, size_t reload)
{
    uint32_t initial[VARIABLES], steps[LAUNCHES * COLUMNS], target[VARIABLES + 1];
    uint32_t variables[VARIABLES] = {0};
    const size_t columns = n < COLUMNS ? n : COLUMNS;
    for (size_t at = 0; at < VARIABLES; at++)
        initial[at] = (uint32_t)values_word(at, launches);
    for (size_t at = 0; at < LAUNCHES * COLUMNS; at++)
        steps[at] = (uint32_t)values_word(at, 100 + reload);
    memset(target, 0x5c, sizeof target);
    for (size_t launch = 0, row = 0; launch < launches; launch++, row++) {
        if (launch == 0 || launch == reload) {
            memcpy(variables, initial, sizeof variables);
            row = 0;
        }
        for (size_t at = 0; at < n; at++)
            variables[at] = after(variables[at], steps[row * columns + at % columns]);
    }
    golden_variable_scope(initial, steps, target, 0, n, columns, launches, reload);
    ASSERT_BYTES_EQUAL(target, variables, n * sizeof *target);
    ck_assert_uint_eq(target[n], 0x5c5c5c5c);
    /* from within: the same bits */
    for (size_t first = 1; first < n; first++) {
        golden_variable_scope(initial + first, steps, target, first, n - first, columns, launches,
                              reload);
        ASSERT_BYTES_EQUAL(target, variables + first, (n - first) * sizeof *target);
    }
}

START_TEST(launch_after_launch, "variable_scope.value.sequence", "variable_scope.lifetime.launches")
{
    for (size_t n = 1; n <= VARIABLES; n++)
        for (size_t launches = 1; launches <= LAUNCHES; launches++)
            check(n, launches, 0);
}

START_TEST(a_load_in_any_place, "variable_scope.lifetime.load")
{
    for (size_t reload = 1; reload <= LAUNCHES + 2; reload++)
        for (size_t launches = 1; launches <= LAUNCHES; launches++)
            check(VARIABLES, launches, reload);
}

START_TEST(no_variables, "variable_scope.size.zero")
{
    golden_variable_scope(NULL, NULL, NULL, 0, 0, 1, 3, 1);
}
