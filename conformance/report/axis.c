/* Axes (axis.h). Clauses: report.figure.finite, report.figure.ticks. */
#include "conformance/report/axis.h"

#include <math.h>
#include <stdio.h>

bool axis_takes(const struct chart_axis *axis, double value)
{
    return isfinite(value) && value >= 0 && value <= 1e18 &&
           (axis->scale == AXIS_LINEAR || value >= 1e-9);
}

void axis_include(struct chart_axis *axis, double value)
{
    if (!axis_takes(axis, value))
        return;
    if (!axis->used || value < axis->low)
        axis->low = value;
    if (!axis->used || value > axis->high)
        axis->high = value;
    axis->used = true;
}

/* 1, 2 or 5 times a power of ten: the least such step that needs no more than `ticks`. */
static double linear_step(double span, int ticks)
{
    static const double factors[] = {1, 2, 5, 10};
    double least = span / ticks, power = pow(10, floor(log10(least)));
    int index = 0;
    while (index < 3 && factors[index] * power < least * (1 - 1e-9))
        index++;
    return factors[index] * power;
}

/* Ticks are counted: a place far from 0 plus 1 may be the same place again. */
static void add_tick(struct chart_axis *axis, double value)
{
    bool is_new = axis->tick_count == 0 || value > axis->ticks[axis->tick_count - 1];
    if (is_new && value <= axis->high && axis->tick_count < AXIS_TICKS_MAX)
        axis->ticks[axis->tick_count++] = value;
}

static void fit_linear(struct chart_axis *axis, int ticks)
{
    if (axis->high <= axis->low)
        axis->high = axis->low > 0 ? 2 * axis->low : 1;
    double step = linear_step(axis->high - axis->low, ticks);
    double first = floor(axis->low / step + 1e-9), last = ceil(axis->high / step - 1e-9);
    axis->low = first * step;
    axis->high = last * step;
    for (int tick = 0; tick < AXIS_TICKS_MAX; tick++)
        add_tick(axis, (first + tick) * step);
}

static void fit_tight(struct chart_axis *axis, int ticks)
{
    double step = 1, pad = 0.02 * (axis->high - axis->low) + 0.25;
    while (step * ticks < axis->high - axis->low)
        step *= 2;
    double first = ceil(axis->low / step);
    for (int tick = 0; tick < AXIS_TICKS_MAX; tick++)
        add_tick(axis, (first + tick) * step);
    while (axis->high + pad <= axis->high || axis->low - pad >= axis->low)
        pad *= 2;
    axis->low -= pad; /* so that no point lies on the edge */
    axis->high += pad;
}

static void fit_log(struct chart_axis *axis, int ticks)
{
    double base = axis->scale == AXIS_LOG2 ? 2 : 10;
    double first = floor(log(axis->low) / log(base) + 1e-9);
    double last = ceil(log(axis->high) / log(base) - 1e-9);
    if (last <= first)
        last = first + 1;
    double step = ceil((last - first) / ticks);
    axis->low = pow(base, first);
    axis->high = pow(base, last);
    for (int tick = 0; tick < AXIS_TICKS_MAX && first + tick * step <= last; tick++)
        add_tick(axis, pow(base, first + tick * step));
}

void axis_fit(struct chart_axis *axis, int ticks)
{
    axis->tick_count = 0;
    if (axis->scale == AXIS_LINEAR) {
        (axis->tight ? fit_tight : fit_linear)(axis, ticks);
        return;
    }
    if (axis->low <= 0)
        axis->low = axis->high = 1;
    fit_log(axis, ticks);
}

const char *axis_text(const struct chart_axis *axis, double value, char ret_text[NUMBER_TEXT_BYTES])
{
    if (axis->bytes)
        return number_bytes(value, ret_text);
    if (axis->scale == AXIS_LOG2)
        return number_binary(value, ret_text);
    if (value >= 1000)
        return number_short(value, ret_text);
    snprintf(ret_text, NUMBER_TEXT_BYTES, "%.4g", value);
    return ret_text;
}

double axis_place(const struct chart_axis *axis, double value)
{
    bool linear = axis->scale == AXIS_LINEAR;
    double low = linear ? axis->low : log(axis->low), high = linear ? axis->high : log(axis->high);
    double at = linear ? value : log(value > axis->low ? value : axis->low);
    double place = (at - low) / (high - low);
    return place > 0 ? place < 1 ? place : 1 : 0;
}
