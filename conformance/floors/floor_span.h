/* How far healthy GPUs of a kind lie apart, and the floor that follows. */
#ifndef ASSAY_CONFORMANCE_FLOORS_FLOOR_SPAN_H
#define ASSAY_CONFORMANCE_FLOORS_FLOOR_SPAN_H

/* What healthy GPUs of a kind reach: each one's median fraction less and more twice its spread. */
struct floor_span {
    double lowest, highest;
    double bound;  /* the lowest lower bound of a repeat's own interval, where it is known */
    double spread; /* the largest of a GPU's own repeats */
    int gpus;      /* that were measured */
};

/* The span of one GPU, and of several. */
struct floor_span floor_span_of(double fraction, double spread);
struct floor_span floor_span_join(struct floor_span left, struct floor_span right);

/* The floor that follows: halfway between the lowest that is well and the highest that has lost
 * BENCH_LOSS, so that it is as far from a false alarm as from a loss unseen. Where those overlap it
 * is below the lowest, by a spread where that is wide, and then below the lowest bound, too, so
 * that healthy repeats are decided. 0 where it would be no floor: too low a fraction. */
double floor_span_fraction(struct floor_span span);

/* The same where the span may be of too few GPUs to show how far those of a kind lie apart. */
double floor_span_fraction_of_kind(struct floor_span span);

#endif
