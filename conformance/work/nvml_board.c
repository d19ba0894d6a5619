/* The board's facts, a function of NVML each (nvml_board.h). None of them is needed: an older
 * library lacks some, and a GPU has no answer to others. Clause: runner.environment.board. */
#include "conformance/work/nvml_board.h"

#include <dlfcn.h>
#include <string.h>

#include "conformance/base/utf8.h"

enum { CLOCK_SM = 1, CLOCK_MEMORY = 2 };

/* How a function is called, by the ABI's own types; every one returns 0 for success. */
enum shape { SHAPE_VALUE, SHAPE_MODE /* now, and from the next start on */, SHAPE_CLOCK };

struct board_row {
    const char *function;
    enum shape shape;
    unsigned type; /* of a clock */
};

static const struct board_row board_rows[BOARD_VALUE_COUNT] = {
    [BOARD_ECC] = {"nvmlDeviceGetEccMode", SHAPE_MODE, 0},
    [BOARD_MIG] = {"nvmlDeviceGetMigMode", SHAPE_MODE, 0},
    [BOARD_PCIE_GENERATION] = {"nvmlDeviceGetCurrPcieLinkGeneration", SHAPE_VALUE, 0},
    [BOARD_PCIE_GENERATION_MAX] = {"nvmlDeviceGetMaxPcieLinkGeneration", SHAPE_VALUE, 0},
    [BOARD_PCIE_WIDTH] = {"nvmlDeviceGetCurrPcieLinkWidth", SHAPE_VALUE, 0},
    [BOARD_PCIE_WIDTH_MAX] = {"nvmlDeviceGetMaxPcieLinkWidth", SHAPE_VALUE, 0},
    [BOARD_POWER_LIMIT] = {"nvmlDeviceGetPowerManagementLimit", SHAPE_VALUE, 0},
    [BOARD_POWER_LIMIT_DEFAULT] = {"nvmlDeviceGetPowerManagementDefaultLimit", SHAPE_VALUE, 0},
    [BOARD_APPLICATION_SM_MHZ] = {"nvmlDeviceGetApplicationsClock", SHAPE_CLOCK, CLOCK_SM},
    [BOARD_APPLICATION_MEMORY_MHZ] = {"nvmlDeviceGetApplicationsClock", SHAPE_CLOCK, CLOCK_MEMORY},
};

/* Copied, as C has no cast from an object's pointer to a function's. */
static bool find(const struct nvml *nvml, const char *name, void *ret_function)
{
    void *address = dlsym(nvml->library, name);
    memcpy(ret_function, &address, sizeof address);
    return address != NULL;
}

static bool read_value(const struct nvml *nvml, const struct board_row *row, unsigned *ret)
{
    int (*value)(void *device, unsigned *ret);
    int (*mode)(void *device, unsigned *ret_now, unsigned *ret_pending);
    int (*clock)(void *device, unsigned type, unsigned *ret);
    unsigned pending;
    switch (row->shape) {
    case SHAPE_VALUE:
        return find(nvml, row->function, &value) && value(nvml->device, ret) == 0;
    case SHAPE_MODE:
        return find(nvml, row->function, &mode) && mode(nvml->device, ret, &pending) == 0;
    case SHAPE_CLOCK:
        return find(nvml, row->function, &clock) && clock(nvml->device, row->type, ret) == 0;
    }
    return false;
}

struct board nvml_read_board(const struct nvml *nvml)
{
    struct board board = {.vbios = ""};
    int (*vbios)(void *device, char *ret, unsigned bytes);
    if (nvml->library == NULL)
        return board;
    if (find(nvml, "nvmlDeviceGetVbiosVersion", &vbios) &&
        vbios(nvml->device, board.vbios, sizeof board.vbios) != 0)
        board.vbios[0] = 0;
    board.vbios[sizeof board.vbios - 1] = 0;
    utf8_tame(board.vbios);
    for (int index = 0; index < BOARD_VALUE_COUNT; index++) {
        unsigned value = 0;
        if (!read_value(nvml, &board_rows[index], &value))
            continue;
        board.values[index] = value;
        board.known |= UINT32_C(1) << index;
    }
    return board;
}
