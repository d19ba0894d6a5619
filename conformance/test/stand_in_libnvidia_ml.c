/* A stand-in for libnvidia-ml.so.1: one device at its clocks, and on it the processes that
 * ASSAY_STAND_IN_NVML names, by number or as "self"; those after "mps" are reached through MPS.
 * "many" is more than any list has room for, "refused" an error of both lists. With
 * "endless" the texts have no end. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* No header declares the library's names: they are found by name. */
#define API(name, parameters)                                                                      \
    int name parameters;                                                                           \
    int name parameters

/* As nvml.h lays it out. */
struct info {
    unsigned pid;
    unsigned long long used_bytes;
    unsigned gpu_instance, compute_instance;
};

#ifndef DEVICE
#define DEVICE "GPU-0"
#else /* one that has an answer to everything */
API(nvmlDeviceGetMaxPcieLinkWidth, (void *device, unsigned *ret))
{
    *ret = 16;
    return device == NULL;
}
#endif

static int marker;

static int list(int mps, unsigned *count, struct info *ret)
{
    enum { INSUFFICIENT_SIZE = 7, NOT_SUPPORTED = 3, WORDS_BYTES = 256 };
    const char *set = getenv("ASSAY_STAND_IN_NVML");
    char words[WORDS_BYTES] = "", *rest = words;
    unsigned found = 0;
    int through_mps = 0;
    strncpy(words, set ? set : "", sizeof words - 1);
    if (strcmp(words, "refused") == 0)
        return NOT_SUPPORTED;
    if (strcmp(words, "many") == 0) {
        *count += 1;
        return INSUFFICIENT_SIZE;
    }
    for (char *word; (word = strtok_r(rest, " ", &rest)) != NULL;) {
        if (strcmp(word, "mps") == 0)
            through_mps = 1;
        else if (through_mps == mps)
            ret[found++] =
                (struct info){.pid = strcmp(word, "self") == 0 ? (unsigned)getpid()
                                                               : (unsigned)strtoul(word, NULL, 10),
                              .used_bytes = 1 << 20};
    }
    *count = found;
    return 0;
}

API(nvmlInit_v2, (void))
{
    return 0;
}

API(nvmlShutdown, (void))
{
    return 0;
}

API(nvmlDeviceGetHandleByUUID, (const char *uuid, void **ret))
{
    /* The emulation's devices differ in the last two digits. */
    const size_t letters = sizeof DEVICE < 40 ? sizeof DEVICE : sizeof DEVICE - 3;
    *ret = &marker;
    return strncmp(uuid, DEVICE, letters) != 0;
}

API(nvmlDeviceGetClockInfo, (void *device, int type, unsigned *ret))
{
    *ret = type == 1 ? 1980 : 3201;
    return device != &marker;
}

API(nvmlDeviceGetCurrentClocksEventReasons, (void *device, unsigned long long *ret))
{
    *ret = 0;
    return device != &marker;
}

API(nvmlDeviceGetTemperature, (void *device, int sensor, unsigned *ret))
{
    *ret = 40 + (unsigned)sensor;
    return device != &marker;
}

API(nvmlDeviceGetPowerUsage, (void *device, unsigned *ret))
{
    *ret = 350500;
    return device != &marker;
}

API(nvmlDeviceGetTotalEccErrors, (void *device, int type, int counter, unsigned long long *ret))
{
    *ret = (unsigned long long)(type * counter * 0);
    return device != &marker;
}

/* One of these has no answer, another is not there. */
API(nvmlDeviceGetVbiosVersion, (void *device, char *ret, unsigned bytes))
{
    const char *set = getenv("ASSAY_STAND_IN_NVML");
    strncpy(ret, "96.00.A5.00.01", bytes);
    if (set && strcmp(set, "endless") == 0)
        memset(ret, 'x', bytes);
    return device != &marker;
}

API(nvmlDeviceGetSerial, (void *device, char *ret, unsigned bytes))
{
    const char *set = getenv("ASSAY_STAND_IN_NVML");
    strncpy(ret, "1650223012345", bytes);
    if (set && strcmp(set, "endless") == 0)
        memset(ret, 'x', bytes);
    return device != &marker;
}

API(nvmlDeviceGetEccMode, (void *device, unsigned *ret, unsigned *ret_pending))
{
    *ret = 1;
    *ret_pending = 0;
    return device != &marker;
}

API(nvmlDeviceGetMigMode, (void *device, unsigned *ret, unsigned *ret_pending))
{
    *ret = *ret_pending = 7;
    return device != &marker ? 2 : 3; /* not supported */
}

API(nvmlDeviceGetCurrPcieLinkGeneration, (void *device, unsigned *ret))
{
    *ret = 1;
    return device != &marker;
}

API(nvmlDeviceGetMaxPcieLinkGeneration, (void *device, unsigned *ret))
{
    *ret = 5;
    return device != &marker;
}

API(nvmlDeviceGetCurrPcieLinkWidth, (void *device, unsigned *ret))
{
    *ret = 8;
    return device != &marker;
}

API(nvmlDeviceGetPowerManagementLimit, (void *device, unsigned *ret))
{
    *ret = 650000;
    return device != &marker;
}

API(nvmlDeviceGetPowerManagementDefaultLimit, (void *device, unsigned *ret))
{
    *ret = 700000;
    return device != &marker;
}

API(nvmlDeviceGetApplicationsClock, (void *device, unsigned type, unsigned *ret))
{
    *ret = type == 1 ? 1410 : 3201;
    return device != &marker;
}

API(nvmlDeviceGetComputeRunningProcesses_v3, (void *device, unsigned *count, void *ret))
{
    return device != &marker ? 2 : list(0, count, ret);
}

API(nvmlDeviceGetMPSComputeRunningProcesses_v2, (void *device, unsigned *count, void *ret))
{
    return device != &marker ? 2 : list(1, count, ret);
}
