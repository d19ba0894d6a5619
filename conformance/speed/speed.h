/* The measure of speed: bandwidth and host calls, held to floors, ceilings and relations. */
#ifndef ASSAY_CONFORMANCE_SPEED_SPEED_H
#define ASSAY_CONFORMANCE_SPEED_SPEED_H

#include "conformance/session/measure.h"

/* Its report is a struct bench_report. */
extern const struct measure speed_measure;

#endif
