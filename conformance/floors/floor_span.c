/* The floor that follows from what healthy GPUs reach (floor_span.h). Clauses:
 * bandwidth.floor.provenance, bandwidth.floor.few. */
#include "conformance/floors/floor_span.h"

#include "conformance/speed/bench_plan.h"

static const double fraction_fine = 0.02; /* below it a floor has two digits more */
static const double fraction_most = 1;    /* a kernel may beat the copies; it need not */
static const double clearance = 0.005;    /* at least, between a floor and what passes */

/* GPUs of one kind lie apart (spec/bandwidth.md), which fewer than these may not show: four that
 * were measured in one machine were alike, and in one figure one of another lay 4.9 % below them.
 */
static const int gpus_enough = 5;
static const double gpus_apart = 0.06;

struct floor_span floor_span_of(double fraction, double spread)
{
    return (struct floor_span){
        .lowest = fraction * (1 - 2 * spread),
        .highest = fraction * (1 + 2 * spread),
        .bound = fraction,
        .spread = spread,
        .gpus = 1,
    };
}

struct floor_span floor_span_join(struct floor_span left, struct floor_span right)
{
    return (struct floor_span){
        .lowest = left.lowest < right.lowest ? left.lowest : right.lowest,
        .highest = left.highest > right.highest ? left.highest : right.highest,
        .bound = left.bound < right.bound ? left.bound : right.bound,
        .spread = left.spread > right.spread ? left.spread : right.spread,
        .gpus = left.gpus + right.gpus,
    };
}

double floor_span_fraction(struct floor_span span)
{
    double faulty = span.highest * (1 - BENCH_LOSS);
    double apart = span.lowest * (1 - clearance);
    if (span.spread > clearance) {
        const double bound = span.bound * (1 - clearance);
        apart = span.lowest * (1 - span.spread);
        apart = bound < apart ? bound : apart;
    }
    double fraction =
        faulty < span.lowest * (1 - 2 * clearance) ? (span.lowest + faulty) / 2 : apart;
    double steps = fraction < fraction_fine ? 1e7 : 1e5;
    fraction = fraction > fraction_most ? fraction_most : fraction;
    return (double)(long long)(fraction * steps) / steps;
}

double floor_span_fraction_of_kind(struct floor_span span)
{
    if (span.gpus < gpus_enough) {
        span.lowest *= 1 - gpus_apart;
        span.bound *= 1 - gpus_apart;
    }
    return floor_span_fraction(span);
}
