/* Records of benches that are made up, and the floors that follow from them. */
#pragma once

#include <stddef.h>

#include "conformance/speed/floors.h"
#include "conformance/test/made_json.h"

/* A record that is being made up. */
struct made {
    char text[16384];
    size_t bytes;
};

/* Header and one device, "cuda:0", of compute capability 13.0. */
void made_begin(struct made *made, const char *gpu, const char *uuid);
__attribute__((format(printf, 2, 3))) void made_add(struct made *made, const char *format, ...);

/* `,"key":[…]`, repeats about a median: half of them lie `apart` of it above, half below. The upper
 * bound of each is its median. */
void made_add_repeats(struct made *made, const char *key, double median, double apart, int count);

/* A line of offset_copy/scalar at offset 1 in DRAM. */
void made_add_kernel(struct made *made, const char *path, double fraction, const char *verdict,
                     const char *clause);

/* The same, passed, of repeats that lie so far apart. */
void made_add_spread(struct made *made, const char *path, double fraction, double apart);

/* Lines of the best copy in DRAM, and of a host call; `host`: its fields with a comma after each.
 */
void made_add_peak(struct made *made, const char *verdict, const char *clause, double gbps,
                   double fraction);
void made_add_call(struct made *made, const char *call, const char *host, double us);

/* The summary of a run that passed. */
void made_end(struct made *made);

/* Measures what was made, with the end that its summary should have. False with the reason. */
bool made_take(struct floor_measurements *all, const struct made *made, struct reason *ret_reason);

/* Ends the record and measures it, which must succeed. */
void made_measure(struct floor_measurements *all, struct made *made);

/* The same of a GPU that reaches the fraction. */
void made_measure_gpu(struct floor_measurements *all, const char *gpu, const char *uuid,
                      double fraction);

/* What is measured, until the test ends. */
struct floor_measurements *made_measurements(bool accept_slow);

/* The floors of the program as they are, and with what was measured, which is freed. Kept till the
 * test ends. */
struct floors made_shipped(void);
struct floors made_floors(struct floor_measurements *all);

/* Of made_add_kernel's kernel. */
struct limit made_floor_of(const struct floors *floors, const char *gpu, int capability);

/* made_floors' floor of an "NVIDIA B400". */
struct limit made_floor(struct floor_measurements *all);
