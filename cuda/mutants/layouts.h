/* How mutants are launched, and which shapes they take: those for which the one mistake shows in
 * the one place that its row tells. */
#ifndef ASSAY_CUDA_MUTANTS_LAYOUTS_H
#define ASSAY_CUDA_MUTANTS_LAYOUTS_H

#include "cuda/kernel.h"

typedef bool mutant_layout(const char *entry, const void *call, const struct device_limits *limits,
                           struct launch *ret);

mutant_layout mutant_matmul_elements; /* one thread an element, blocks of 8 x 32 */
mutant_layout mutant_matmul_tiles;    /* the same, 16 x 16 */
mutant_layout mutant_matmul_dynamic;  /* the same, two tiles of dynamic shared memory */
mutant_layout mutant_matmul_warps;    /* the same, 32 x 32 */
mutant_layout mutant_matmul_gaps;     /* as elements, with a column more */
mutant_layout mutant_matmul_line;     /* one thread an element of M x N, in a line */
mutant_layout mutant_matmul_turns; /* as elements; rows beyond the grid are the kernel's business */
mutant_layout mutant_matmul_turns_16; /* the same, 16 x 16 */
mutant_layout mutant_aat_tiles;
mutant_layout mutant_aat_turns; /* rows beyond the grid are the kernel's business */
mutant_layout mutant_difference_line;
mutant_layout mutant_difference_past; /* with a thread more */
mutant_layout mutant_offset_line;
mutant_layout mutant_offset_whole; /* one thread an element, those below the offset as well */
mutant_layout mutant_offset_slots; /* one thread a 16-byte slot of the target */
mutant_layout mutant_strided_line;
mutant_layout mutant_strided_past; /* with a thread more */

typedef bool mutant_accepts(const void *call);

mutant_accepts mutant_accepts_k_above_0;
mutant_accepts mutant_accepts_k32;
mutant_accepts mutant_accepts_k32_even_tiles;
mutant_accepts mutant_accepts_narrow_c;
mutant_accepts mutant_accepts_short_line;
mutant_accepts mutant_accepts_wide_offset_element;
mutant_accepts mutant_accepts_8_byte_element;
mutant_accepts mutant_accepts_slot_below_offset;
mutant_accepts mutant_accepts_wide_strided_element;
mutant_accepts mutant_accepts_near_stride;
mutant_accepts mutant_accepts_gapped_c;
mutant_accepts mutant_accepts_stride_above_1;

#endif
