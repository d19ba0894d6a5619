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

float float_mode_f32(enum float_operation operation, enum float_mode mode, const float *argument)
{
    const int before = fegetround();
    fesetround(modes[mode]);
    const volatile float a = argument[0], b = argument[1], c = argument[2];
    volatile float result = 0;
    switch (operation) {
    case FLOAT_ADD:
        result = a + b;
        break;
    case FLOAT_SUB:
        result = a - b;
        break;
    case FLOAT_MUL:
        result = a * b;
        break;
    case FLOAT_DIV:
        result = a / b;
        break;
    case FLOAT_FMA:
        result = fmaf(a, b, c);
        break;
    case FLOAT_SQRT:
        result = sqrtf(a);
        break;
    }
    fesetround(before);
    return result;
}

double float_mode_f64(enum float_operation operation, enum float_mode mode, const double *argument)
{
    const int before = fegetround();
    fesetround(modes[mode]);
    const volatile double a = argument[0], b = argument[1], c = argument[2];
    volatile double result = 0;
    switch (operation) {
    case FLOAT_ADD:
        result = a + b;
        break;
    case FLOAT_SUB:
        result = a - b;
        break;
    case FLOAT_MUL:
        result = a * b;
        break;
    case FLOAT_DIV:
        result = a / b;
        break;
    case FLOAT_FMA:
        result = fma(a, b, c);
        break;
    case FLOAT_SQRT:
        result = sqrt(a);
        break;
    }
    fesetround(before);
    return result;
}

float float_mode_narrow(enum float_mode mode, double value)
{
    const int before = fegetround();
    fesetround(modes[mode]);
    const volatile double a = value;
    volatile float result = (float)a;
    fesetround(before);
    return result;
}
