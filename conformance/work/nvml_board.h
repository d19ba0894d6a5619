/* Reads what NVML says of a GPU's board. */
#ifndef ASSAY_CONFORMANCE_WORK_NVML_BOARD_H
#define ASSAY_CONFORMANCE_WORK_NVML_BOARD_H

#include "conformance/model/board.h"
#include "conformance/work/nvml.h"

/* Every value that the library has a function for and the GPU an answer to; all unknown where NVML
 * is not open. */
struct board nvml_read_board(const struct nvml *nvml);

#endif
