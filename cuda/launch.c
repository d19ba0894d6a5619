/* Every kernel has two parameters (device.h): its struct, and where it notes its SMs (launch.h). */
#include "cuda/launch.h"

cu_result launch_function(const struct cuda_driver *driver, cu_function function,
                          const struct launch *plan, void *call, unsigned char *sms,
                          cu_stream stream)
{
    void *parameters[] = {call, &sms};
    return driver->launch_kernel(function, plan->grid[0], plan->grid[1], plan->grid[2],
                                 plan->block[0], plan->block[1], plan->block[2], plan->shared_bytes,
                                 stream, parameters, NULL);
}
