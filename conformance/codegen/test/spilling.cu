/* Compiled with few registers it spills: forty values live at once. Clause: codegen.budget.spill.
 */
extern "C" __global__ void spilling(float *values, int stride)
{
    float kept[40];
#pragma unroll
    for (int index = 0; index < 40; index++)
        kept[index] = values[index * stride + threadIdx.x];
    __syncthreads();
#pragma unroll
    for (int index = 0; index < 40; index++)
        values[(39 - index) * stride + threadIdx.x] = kept[index] * kept[(index * 7) % 40];
}
