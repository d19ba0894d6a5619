/* The product's rows in portable C: fmaf lane by lane (product_rows.inc). */
#include "cpu_ref/product.h"

#include <math.h>

struct lanes {
    float lane[4];
};

static inline struct lanes lanes_load(const float *from)
{
    struct lanes lanes;
    for (int index = 0; index < 4; index++)
        lanes.lane[index] = from[index];
    return lanes;
}

static inline void lanes_store(float *to, struct lanes lanes)
{
    for (int index = 0; index < 4; index++)
        to[index] = lanes.lane[index];
}

static inline struct lanes lanes_spread(float value)
{
    struct lanes lanes;
    for (int index = 0; index < 4; index++)
        lanes.lane[index] = value;
    return lanes;
}

static inline struct lanes lanes_fma(struct lanes x, struct lanes y, struct lanes z)
{
    for (int index = 0; index < 4; index++)
        z.lane[index] = fmaf(x.lane[index], y.lane[index], z.lane[index]);
    return z;
}

#define VECTOR       struct lanes
#define LANES        4
#define LOAD(p)      lanes_load(p)
#define STORE(p, v)  lanes_store(p, v)
#define SPREAD(x)    lanes_spread(x)
#define FMA(x, y, z) lanes_fma(x, y, z)
#define ROWS         2
#define TARGET
#define PRODUCT_ROWS product_rows_portable
#include "cpu_ref/product_rows.inc"
