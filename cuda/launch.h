/* A planned launch, put on a stream. */
#pragma once

#include "cuda/driver.h"
#include "cuda/kernel.h"

/* More SMs than any GPU has, and a power of two. */
enum { LAUNCH_SMS_MAX = 1024 }; /* more than any GPU has; beyond it two would count as one */

/* Launches the function with its one struct, `call`. Where `sms` is not NULL, which the device can
 * write, the byte of every SM that runs a block becomes 1: sms[%smid], LAUNCH_SMS_MAX of them. The
 * launch does nothing else with it. Returns the driver's error. */
cu_result launch_function(const struct cuda_driver *driver, cu_function function,
                          const struct launch *plan, void *call, unsigned char *sms,
                          cu_stream stream);
