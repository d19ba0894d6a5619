/* What NVML says of a GPU beside its name: the board, its links and limits. A fact of the
 * environment that no check rests on; whatever is not known is left out. */
#ifndef ASSAY_CONFORMANCE_MODEL_BOARD_H
#define ASSAY_CONFORMANCE_MODEL_BOARD_H

#include <stdint.h>

/* Numbers of the rows of board_rows (nvml.c) and of the record's fields. */
enum board_value {
    BOARD_ECC, /* 1: on */
    BOARD_MIG,
    BOARD_PCIE_GENERATION,
    BOARD_PCIE_GENERATION_MAX,
    BOARD_PCIE_WIDTH, /* lanes */
    BOARD_PCIE_WIDTH_MAX,
    BOARD_POWER_LIMIT, /* mW */
    BOARD_POWER_LIMIT_DEFAULT,
    BOARD_APPLICATION_SM_MHZ,
    BOARD_APPLICATION_MEMORY_MHZ,
    BOARD_VALUE_COUNT
};

enum { BOARD_TEXT_BYTES = 32 };

struct board {
    char vbios[BOARD_TEXT_BYTES]; /* "96.00.A5.00.01"; "" where it is not known */
    uint32_t known;               /* a bit for each value */
    uint32_t values[BOARD_VALUE_COUNT];
};

#endif
