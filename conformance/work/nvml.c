/* Looks at the GPU through NVML (nvml.h). Clauses: bandwidth.sensors.optional,
 * bandwidth.samples.throttled, bandwidth.sensors.alone. */
#include "conformance/work/nvml.h"

#include <dlfcn.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "conformance/base/text.h"

enum { CLOCK_SM = 1, CLOCK_MEMORY = 2, SENSOR_GPU = 0, ECC_UNCORRECTED = 1, COUNTER_VOLATILE = 0 };

/* nvmlClocksEventReasons, in nvml.h's order. */
static const struct {
    uint64_t bit;
    bool slows;
    const char *name;
} reason_table[] = {
    {0x001, false, "idle"},
    {0x002, false, "application clocks"},
    {0x004, true, "power cap"},
    {0x008, true, "hardware slowdown"},
    {0x010, true, "sync boost"},
    {0x020, true, "software thermal slowdown"},
    {0x040, true, "hardware thermal slowdown"},
    {0x080, true, "power brake"},
    {0x100, true, "display clocks"},
};
enum { REASON_COUNT = sizeof reason_table / sizeof reason_table[0] };

struct entry {
    const char *name;
    const char *older; /* what an older driver calls it, or NULL */
    size_t offset;     /* of its pointer in struct nvml */
    bool optional;
};

/* nvmlProcessInfo_t of the functions' versions 2 and 3. */
struct process_info {
    unsigned pid;
    unsigned long long used_bytes;
    unsigned gpu_instance, compute_instance;
};
/* Only the first processes are read: one other is as good a reason as a hundred. */
enum { PROCESSES_MAX = 64, INSUFFICIENT_SIZE = 7 };

static const struct entry entries[] = {
    {"nvmlShutdown", NULL, offsetof(struct nvml, shutdown), false},
    {"nvmlDeviceGetClockInfo", NULL, offsetof(struct nvml, clock_info), false},
    {"nvmlDeviceGetCurrentClocksEventReasons", "nvmlDeviceGetCurrentClocksThrottleReasons",
     offsetof(struct nvml, reasons), false},
    {"nvmlDeviceGetTemperature", NULL, offsetof(struct nvml, temperature), false},
    {"nvmlDeviceGetPowerUsage", NULL, offsetof(struct nvml, power), false},
    {"nvmlDeviceGetTotalEccErrors", NULL, offsetof(struct nvml, ecc_errors), false},
    {"nvmlDeviceGetComputeRunningProcesses_v3", "nvmlDeviceGetComputeRunningProcesses_v2",
     offsetof(struct nvml, processes[0]), true},
    {"nvmlDeviceGetMPSComputeRunningProcesses_v3", "nvmlDeviceGetMPSComputeRunningProcesses_v2",
     offsetof(struct nvml, processes[1]), true},
};

/* Copied, as C has no cast from an object's pointer to a function's. */
static bool find(void *library, const char *name, const char *older, void *ret_pointer)
{
    void *address = dlsym(library, name);
    if (address == NULL && older != NULL)
        address = dlsym(library, older);
    memcpy(ret_pointer, &address, sizeof address);
    return address != NULL;
}

bool nvml_open_library(const char *library_name, struct nvml *ret, const char *uuid,
                       struct reason *ret_reason)
{
    struct nvml nvml = {.library = dlopen(library_name, RTLD_NOW | RTLD_LOCAL)};
    int (*init)(void);
    int (*by_uuid)(const char *, void **);
    int error = 0;
    bool good = true;
    if (nvml.library == NULL) {
        const char *text = dlerror();
        return reason_set(ret_reason, REASON_ABSENT, "%s", text ? text : "no reason given");
    }
    for (size_t index = 0; good && index < sizeof entries / sizeof entries[0]; index++) {
        const struct entry *it = &entries[index];
        good = find(nvml.library, it->name, it->older, (char *)&nvml + it->offset) ||
               it->optional ||
               reason_set(ret_reason, REASON_ABSENT, "%s has no %s", library_name, it->name);
    }
    if (good && (!find(nvml.library, "nvmlInit_v2", NULL, &init) ||
                 !find(nvml.library, "nvmlDeviceGetHandleByUUID", NULL, &by_uuid)))
        good = reason_set(ret_reason, REASON_ABSENT,
                          "%s has no nvmlInit_v2 or no nvmlDeviceGetHandleByUUID", library_name);
    if (good && (error = init()) != 0)
        good = reason_set(ret_reason, REASON_ABSENT, "NVML does not start: error %d", error);
    char first[DEVICE_UUID_BYTES]; /* of a set */
    snprintf(first, sizeof first, "%.*s", (int)strcspn(uuid, "+"), uuid);
    if (good && (error = by_uuid(first, &nvml.device)) != 0) {
        nvml.shutdown();
        good = reason_set(ret_reason, REASON_ABSENT, "NVML knows no device %s: error %d", first,
                          error);
    }
    if (good)
        *ret = nvml;
    else
        dlclose(nvml.library);
    return good;
}

bool nvml_open(struct nvml *ret, const char *uuid, struct reason *ret_reason)
{
    return nvml_open_library("libnvidia-ml.so.1", ret, uuid, ret_reason);
}

void nvml_close(struct nvml *nvml)
{
    if (nvml->library == NULL)
        return;
    nvml->shutdown();
    dlclose(nvml->library);
    nvml->library = NULL;
}

struct nvml_reading nvml_read(const struct nvml *nvml)
{
    struct nvml_reading reading = {0};
    unsigned value = 0;
    unsigned long long wide = 0;
    if (nvml->library == NULL)
        return reading;
    if (nvml->clock_info(nvml->device, CLOCK_SM, &value) == 0)
        reading.sm_mhz = value;
    if (nvml->clock_info(nvml->device, CLOCK_MEMORY, &value) == 0)
        reading.memory_mhz = value;
    if (nvml->temperature(nvml->device, SENSOR_GPU, &value) == 0)
        reading.temperature_c = value;
    if (nvml->power(nvml->device, &value) == 0)
        reading.power_mw = value;
    if (nvml->reasons(nvml->device, &wide) == 0)
        reading.reasons = wide;
    reading.ecc_known =
        nvml->ecc_errors(nvml->device, ECC_UNCORRECTED, COUNTER_VOLATILE, &wide) == 0;
    if (reading.ecc_known)
        reading.ecc_uncorrected = wide;
    return reading;
}

/* In a container the library may give numbers of processes as the host counts them, or none: what
 * is sure is that this process is one of those listed. */
struct nvml_company nvml_look_around(const struct nvml *nvml)
{
    int listed = 0;
    bool own_listed = false;
    uint32_t other = 0;
    for (int list = 0; nvml->library && list < NVML_PROCESS_LISTS; list++) {
        struct process_info infos[PROCESSES_MAX] = {{0, 0, 0, 0}};
        unsigned count = PROCESSES_MAX;
        int error = nvml->processes[list] ? nvml->processes[list](nvml->device, &count, infos) : 1;
        if (error != 0 && error != INSUFFICIENT_SIZE)
            continue;
        count = count < PROCESSES_MAX ? count : PROCESSES_MAX;
        listed += (int)count;
        for (unsigned index = 0; index < count && error == 0; index++) {
            bool own = infos[index].pid == (unsigned)getpid();
            own_listed = own_listed || own;
            other = own ? other : infos[index].pid;
        }
    }
    if (listed <= 1)
        return (struct nvml_company){0, 0};
    return (struct nvml_company){.others = listed - 1, .pid = own_listed ? other : 0};
}

bool nvml_slows(uint64_t reasons)
{
    uint64_t harmless = 0;
    for (int index = 0; index < REASON_COUNT; index++)
        if (!reason_table[index].slows)
            harmless |= reason_table[index].bit;
    return (reasons & ~harmless) != 0; /* a reason that nobody knows yet counts as slowing */
}

bool nvml_is_held(double mhz, double own_khz, uint64_t reasons)
{
    static const double near = 0.97; /* what is nearer to the device's own clock is that */
    return mhz > 0 && !nvml_slows(reasons) && mhz * 1e3 < near * own_khz;
}

const char *nvml_reasons_text(uint64_t reasons, char *ret_text, size_t text_bytes)
{
    ret_text[0] = 0;
    for (int index = 0; index < REASON_COUNT; index++)
        if (reason_table[index].slows && (reasons & reason_table[index].bit))
            text_list(ret_text, text_bytes, ", ", reason_table[index].name);
    if (ret_text[0] == 0 && nvml_slows(reasons))
        snprintf(ret_text, text_bytes, "unknown reason 0x%llx", (unsigned long long)reasons);
    else if (ret_text[0] == 0)
        snprintf(ret_text, text_bytes, "none");
    return ret_text;
}

/* The board's facts, a function of NVML each. None of them is needed: an older library lacks some,
 * and a GPU has no answer to others. Clause: runner.environment.board. */

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

struct board nvml_read_board(const struct nvml *nvml)
{
    struct board board = {.vbios = ""};
    int (*text)(void *device, char *ret, unsigned bytes);
    int (*value)(void *device, unsigned *ret);
    int (*mode)(void *device, unsigned *ret_now, unsigned *ret_pending);
    int (*clock)(void *device, unsigned type, unsigned *ret);
    if (nvml->library == NULL)
        return board;
    const struct {
        const char *function;
        char *target;
    } texts[] = {{"nvmlDeviceGetVbiosVersion", board.vbios}, {"nvmlDeviceGetSerial", board.serial}};
    for (size_t index = 0; index < sizeof texts / sizeof texts[0]; index++) {
        char *const target = texts[index].target;
        if (find(nvml->library, texts[index].function, NULL, &text) &&
            text(nvml->device, target, BOARD_TEXT_BYTES) != 0)
            target[0] = 0;
        target[BOARD_TEXT_BYTES - 1] = 0;
        utf8_tame(target);
    }
    for (int index = 0; index < BOARD_VALUE_COUNT; index++) {
        const struct board_row *row = &board_rows[index];
        unsigned now = 0, pending;
        int error = 1;
        if (row->shape == SHAPE_VALUE && find(nvml->library, row->function, NULL, &value))
            error = value(nvml->device, &now);
        else if (row->shape == SHAPE_MODE && find(nvml->library, row->function, NULL, &mode))
            error = mode(nvml->device, &now, &pending);
        else if (row->shape == SHAPE_CLOCK && find(nvml->library, row->function, NULL, &clock))
            error = clock(nvml->device, row->type, &now);
        if (error != 0)
            continue;
        board.values[index] = now;
        board.known |= UINT32_C(1) << index;
    }
    return board;
}
