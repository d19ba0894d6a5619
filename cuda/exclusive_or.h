/* sum ^= value for each type that an element is moved as: kernels that read one element many times
 * combine what they read, so that no read can be left out. */
#ifndef ASSAY_CUDA_EXCLUSIVE_OR_H
#define ASSAY_CUDA_EXCLUSIVE_OR_H

#define EXCLUSIVE_OR_SCALAR(sum, value) ((sum) ^= (value))
#define EXCLUSIVE_OR_PAIR(sum, value)   ((sum).x ^= (value).x, (sum).y ^= (value).y)
#define EXCLUSIVE_OR_FOUR(sum, value)                                                              \
    ((sum).x ^= (value).x, (sum).y ^= (value).y, (sum).z ^= (value).z, (sum).w ^= (value).w)

/* ENTRY(entry, type, combine) for each size of element: entry_1 to entry_16. */
#define EACH_ELEMENT_SIZE(ENTRY, entry)                                                            \
    ENTRY(entry##_1, unsigned char, EXCLUSIVE_OR_SCALAR)                                           \
    ENTRY(entry##_2, unsigned short, EXCLUSIVE_OR_SCALAR)                                          \
    ENTRY(entry##_4, unsigned, EXCLUSIVE_OR_SCALAR)                                                \
    ENTRY(entry##_8, uint2, EXCLUSIVE_OR_PAIR)                                                     \
    ENTRY(entry##_16, uint4, EXCLUSIVE_OR_FOUR)

#endif
