/* Rounding modes of the processor (float_mode.h). The compiler knows nothing of them: what is
 * computed in a mode is read from and written to volatile variables between the calls that set it,
 * and so can be moved over neither of them. */
#include "cpu_ref/programs/float_mode.h"

#include <fenv.h>
#include <math.h>

static const int modes[] = {
    [MODE_RN] = FE_TONEAREST,
    [MODE_RZ] = FE_TOWARDZERO,
    [MODE_RM] = FE_DOWNWARD,
    [MODE_RP] = FE_UPWARD,
};

/* One operation in one mode, of the type whose functions of libm are named. */
#define IN_A_MODE(name, type, fma_of, sqrt_of)                                                     \
    type name(enum float_operation operation, enum float_mode mode, const type *argument)          \
    {                                                                                              \
        const int before = fegetround();                                                           \
        fesetround(modes[mode]);                                                                   \
        const volatile type a = argument[0], b = argument[1], c = argument[2];                     \
        volatile type result = 0;                                                                  \
        switch (operation) {                                                                       \
        case FLOAT_ADD:                                                                            \
            result = a + b;                                                                        \
            break;                                                                                 \
        case FLOAT_SUB:                                                                            \
            result = a - b;                                                                        \
            break;                                                                                 \
        case FLOAT_MUL:                                                                            \
            result = a * b;                                                                        \
            break;                                                                                 \
        case FLOAT_DIV:                                                                            \
            result = a / b;                                                                        \
            break;                                                                                 \
        case FLOAT_FMA:                                                                            \
            result = fma_of(a, b, c);                                                              \
            break;                                                                                 \
        case FLOAT_SQRT:                                                                           \
            result = sqrt_of(a);                                                                   \
            break;                                                                                 \
        }                                                                                          \
        fesetround(before);                                                                        \
        return result;                                                                             \
    }

IN_A_MODE(float_mode_f32, float, fmaf, sqrtf)
IN_A_MODE(float_mode_f64, double, fma, sqrt)

float float_mode_narrow(enum float_mode mode, double value)
{
    const int before = fegetround();
    fesetround(modes[mode]);
    const volatile double a = value;
    volatile float result = (float)a;
    fesetround(before);
    return result;
}
