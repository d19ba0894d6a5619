/* Arithmetic of binary32 and binary64 in a given rounding mode, which is the processor's own: the
 * thread's mode is as before after each call. */
#ifndef ASSAY_CPU_REF_PROGRAMS_FLOAT_MODE_H
#define ASSAY_CPU_REF_PROGRAMS_FLOAT_MODE_H

/* PTX's words: to nearest even, to zero, down, up. */
enum float_mode { MODE_RN, MODE_RZ, MODE_RM, MODE_RP };

enum float_operation { FLOAT_ADD, FLOAT_SUB, FLOAT_MUL, FLOAT_DIV, FLOAT_FMA, FLOAT_SQRT };

float float_mode_f32(enum float_operation operation, enum float_mode mode, const float *argument);
double float_mode_f64(enum float_operation operation, enum float_mode mode, const double *argument);
float float_mode_narrow(enum float_mode mode, double value);

#endif
