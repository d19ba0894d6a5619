/* Questions to short-lived workers (probe.h). Clauses: runner.device.broken,
 * runner.device.shown. */
#include "conformance/supervise/probe.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "conformance/base/heap.h"
#include "conformance/base/host.h"
#include "conformance/base/process.h"
#include "conformance/base/text.h"
#include "conformance/supervise/client.h"

enum { VENDOR_NVIDIA = 0x10de, BASE_CLASS_DISPLAY = 0x03 /* VGA, 3D and other controllers */ };

/* A file of sysfs with one hexadecimal number, or 0. */
static unsigned long read_number(int folder, const char *device, const char *name)
{
    char path[512], text[32] = "";
    snprintf(path, sizeof path, "%s/%s", device, name);
    int fd = openat(folder, path, O_RDONLY | O_CLOEXEC | O_NONBLOCK);
    ssize_t bytes = fd < 0 ? 0 : read(fd, text, sizeof text - 1);
    if (fd >= 0)
        close(fd);
    return bytes > 0 ? strtoul(text, NULL, 16) : 0;
}

/* A sign below one root: "" for the system's own. */
static bool gpu_sign_find_below(const char *root, char *ret_text, size_t text_bytes)
{
    static const char *const module_files[] = {"/dev/nvidiactl", "/proc/driver/nvidia/version"};
    char path[512];
    for (size_t index = 0; index < sizeof module_files / sizeof module_files[0]; index++) {
        snprintf(path, sizeof path, "%s%s", root, module_files[index]);
        if (access(path, F_OK) == 0) {
            snprintf(ret_text, text_bytes, "the NVIDIA kernel module is loaded");
            return true;
        }
    }
    snprintf(path, sizeof path, "%s/sys/bus/pci/devices", root);
    DIR *folder = opendir(path);
    bool found = false;
    for (struct dirent *entry; folder && !found && (entry = readdir(folder)) != NULL;) {
        if (entry->d_name[0] == '.')
            continue;
        int fd = dirfd(folder);
        found = read_number(fd, entry->d_name, "vendor") == VENDOR_NVIDIA &&
                read_number(fd, entry->d_name, "class") >> 16 == BASE_CLASS_DISPLAY;
        if (found)
            snprintf(ret_text, text_bytes, "an NVIDIA GPU is on the PCI bus at %.32s",
                     entry->d_name);
    }
    if (folder)
        closedir(folder);
    return found;
}

static int count_below(const char *root)
{
    char path[512];
    snprintf(path, sizeof path, "%s/proc/driver/nvidia/gpus", root);
    DIR *folder = opendir(path);
    int count = 0;
    for (struct dirent *entry; folder && (entry = readdir(folder)) != NULL;)
        count += entry->d_name[0] != '.';
    if (folder)
        closedir(folder);
    return count;
}

enum { LIBRARIES_S_MAX = 20 };

/* The worker's one answer: a count or a device, never both. After a count, where `ret_stack` is not
 * NULL, follow the libraries before the JIT compiler is loaded, the boards, the libraries after it,
 * as far as the worker lives to send them. */
static bool ask(const struct message_open *open, struct client_answer *ret,
                struct probe_stack *ret_stack, struct reason *ret_reason)
{
    union {
        struct library_file libraries[LIBRARY_COUNT];
        struct board board;
        char text[PROTOCOL_MESSAGE_BYTES_MAX];
    } body;
    struct message_header header;
    struct client *client = heap_take(1, sizeof *client);
    const bool answered = client_first(client, open, true, ret, ret_reason);
    const bool is_counted = answered && ret_stack && ret->header.type == MESSAGE_COUNT;
    const int count = is_counted ? ret->body.count.count : 0;
    const int boards = count < PROBE_DEVICES_MAX ? count : PROBE_DEVICES_MAX;
    bool good = true;
    for (int part = -1; is_counted && good && part <= boards; part++) {
        const bool is_board = part >= 0 && part < boards;
        client_limit(client, 0, LIBRARIES_S_MAX);
        good = client_take(client, false, &header, &body, sizeof body) == CLIENT_SPOKE &&
               header.type == (uint32_t)(is_board ? MESSAGE_BOARD : MESSAGE_LIBRARIES);
        if (good && is_board)
            ret_stack->boards[part] = body.board;
        else if (good)
            memcpy(ret_stack->libraries, body.libraries, sizeof ret_stack->libraries);
    }
    if (answered && good)
        client_close(client);
    if (client->child.pid)
        client_end(client, !good);
    free(client);
    return answered;
}

/* No driver, or one without a device, is as it should be only where nothing else shows a GPU: the
 * kernel module is loaded, or a display function of NVIDIA is on the PCI bus. */
static bool say_absent(const char *what, struct reason *ret_reason)
{
    char sign[96];
    const char *root = getenv(GPU_SIGN_ROOT);
    if (gpu_sign_find_below("", sign, sizeof sign) ||
        (root && root[0] && gpu_sign_find_below(root, sign, sizeof sign)))
        return reason_set(ret_reason, REASON_BROKEN, "%s, but %s", what, sign);
    return reason_set(ret_reason, REASON_ABSENT, "%s", what);
}

int probe_count(int ordinal, struct device_identity ret_devices[PROBE_DEVICES_MAX],
                struct probe_stack *ret_stack, struct reason *ret_reason)
{
    const struct message_open open = {
        .counts_devices = 1, .threads = 1, .sharers = 1, .lists_libraries = 1 + ordinal};
    struct client_answer answer;
    memset(ret_stack, 0, sizeof *ret_stack);
    if (!ask(&open, &answer, ret_stack, ret_reason))
        return 0;
    if (answer.header.type != MESSAGE_COUNT) {
        if (answer.header.type == MESSAGE_BROKEN)
            reason_set(ret_reason, REASON_BROKEN, "%s", answer.body.text);
        else
            say_absent(answer.body.text, ret_reason);
        return 0;
    }
    int count = answer.body.count.count;
    ret_stack->has_driver = true;
    if (count == 0)
        say_absent("the CUDA driver has no device", ret_reason);
    memcpy(ret_devices, answer.body.count.devices, sizeof answer.body.count.devices);
    return count;
}

bool probe_info(struct device_set id, struct device_info *ret, struct reason *ret_reason)
{
    const struct message_open open = {.id = id, .threads = 1, .sharers = 1};
    struct client_answer answer;
    if (!ask(&open, &answer, NULL, ret_reason))
        return false;
    if (answer.header.type != MESSAGE_READY)
        return reason_set(ret_reason, REASON_BROKEN, "%s", answer.body.text);
    *ret = answer.body.info;
    return true;
}

/* The data on a GPU that is not open. */
static struct device_info known_gpu(int index, struct device_set id,
                                    const struct device_identity *identity)
{
    struct device_info info = {.id = id,
                               .index = index,
                               .compute_mode = identity->compute_mode,
                               .limits.compute_capability = identity->compute_capability};
    if (id.others == 0) /* of a set all of them, once they are open */
        memcpy(info.uuid, identity->uuid, sizeof identity->uuid);
    return info;
}

/* True if the driver has each of the set's devices, and no two are one GPU. */
static bool has_members(const struct device_set *set, const struct device_identity *identities,
                        int count)
{
    for (int member = 0; member <= set->others; member++) {
        if (set->ordinal[member] >= count)
            return false;
        const char *uuid = identities[set->ordinal[member]].uuid;
        for (int other = 0; other < member; other++)
            if (uuid[0] && strcmp(uuid, identities[set->ordinal[other]].uuid) == 0)
                return false;
    }
    return true;
}

/* "cuda:0,cuda:2", "cuda:0+2". False with the line where one is not there. */
static bool choose_named(const char *device, const struct device_identity *identities, int count,
                         struct probe_choice *ret)
{
    ret->count = 0;
    ret->line[0] = 0;
    for (const char *text = device;; text++) {
        if (ret->count == PROBE_DEVICES_MAX) {
            snprintf(ret->line, sizeof ret->line, "--device names more than %d GPUs",
                     PROBE_DEVICES_MAX);
            return false;
        }
        char name[DEVICE_LABEL_BYTES], label[DEVICE_LABEL_BYTES];
        const size_t letters = strcspn(text, ",");
        snprintf(name, sizeof name, "%.*s", (int)letters, text);
        struct device_set id;
        if (!device_find(name, &id) || id.kind != DEVICE_GPU ||
            !has_members(&id, identities, count)) {
            snprintf(ret->line, sizeof ret->line,
                     "--device %.100s: the driver has cuda:0 to cuda:%d", device, count - 1);
            return false;
        }
        ret->devices[ret->count] = known_gpu(ret->count, id, &identities[id.ordinal[0]]);
        text_list(ret->line, sizeof ret->line, ",",
                  device_label(ret->devices[ret->count].id, label));
        ++ret->count;
        text += letters;
        if (*text == 0)
            break;
    }
    text_add(ret->line, sizeof ret->line, ", chosen by --device");
    return true;
}

/* False with the line where two are the same GPU: it would be counted twice. */
static bool are_distinct(struct probe_choice *choice)
{
    const struct device_info *devices = choice->devices;
    for (int left = 0; left < choice->count; left++) {
        for (int right = left + 1; right < choice->count; right++) {
            const char *uuid = devices[left].uuid;
            if (!device_is_same(devices[left].id, devices[right].id) &&
                (uuid[0] == 0 || strcmp(uuid, devices[right].uuid) != 0))
                continue;
            char one[DEVICE_LABEL_BYTES], other[DEVICE_LABEL_BYTES];
            snprintf(choice->line, sizeof choice->line,
                     "%s and %s are the same GPU, %s: name each GPU only once in --device, and in "
                     "CUDA_VISIBLE_DEVICES",
                     device_label(devices[left].id, one), device_label(devices[right].id, other),
                     uuid);
            return false;
        }
    }
    return true;
}

/* If there is no GPU: the host device, or the line and the status that the command ends with. */
static bool choose_none(const char *device, const struct reason *reason, struct probe_choice *ret)
{
    char hiding[FINDING_NOTE_BYTES] = "";
    bool hides = environment_hides(hiding, sizeof hiding);
    const char *also = hides ? "; see " : "";
    char lacks[FINDING_NOTE_BYTES];
    const bool is_host = host_system_lacks(reason->kind == REASON_BROKEN, lacks, sizeof lacks);
    const bool is_auto = strcmp(device, "auto") == 0;
    if (is_host || reason->kind == REASON_SYSTEM || stop_is_signalled()) {
        ret->status = EXIT_STATUS_HARNESS;
        snprintf(ret->line, sizeof ret->line, "%s%s",
                 stop_is_signalled() ? "" : "the host cannot run workers: ",
                 is_host ? lacks : reason->text);
        return false;
    }
    ret->has_none = true;
    if (reason->kind != REASON_ABSENT) {
        ret->status = EXIT_STATUS_INCONCLUSIVE;
        snprintf(ret->line, sizeof ret->line,
                 "the GPU stack does not work: %s%s%s; --device host would check only the CPU",
                 reason->text, also, hiding);
        return false;
    }
    if (ret->stack.has_driver)
        snprintf(ret->no_gpu, sizeof ret->no_gpu, "%.60s; --device host checks only the CPU",
                 reason->text);
    if (is_auto)
        snprintf(ret->line, sizeof ret->line,
                 "host, the CPU, since no GPU can be used (%s%s%s): no GPU is checked",
                 reason->text, also, hiding);
    else
        snprintf(ret->line, sizeof ret->line, "--device %s: no GPU can be used: %s%s%s", device,
                 reason->text, also, hiding);
    return is_auto;
}

/* All that the driver has. A whole machine may go into service only if this says so: what hides
 * GPUs is named. */
static bool choose_all(const struct device_identity *identities, int count,
                       struct probe_choice *ret)
{
    const size_t line_bytes = sizeof ret->line;
    char number[NUMBER_COUNT_BYTES], hiding[FINDING_NOTE_BYTES];
    if (count > PROBE_DEVICES_MAX) {
        snprintf(ret->line, line_bytes,
                 "the driver has %d GPUs, and a run takes %d at most: show it fewer at a time in "
                 "CUDA_VISIBLE_DEVICES",
                 count, PROBE_DEVICES_MAX);
        return false;
    }
    for (int ordinal = 0; ordinal < count; ordinal++)
        ret->devices[ordinal] =
            known_gpu(ordinal, device_set_of(DEVICE_GPU, ordinal), &identities[ordinal]);
    ret->count = count;
    number_count((uint64_t)count, "GPU", number);
    /* How many GPUs the kernel module lists, whichever of them the driver shows; 0 if it lists
     * none. */
    const char *root = getenv(GPU_SIGN_ROOT);
    int there = count_below("") + (root && root[0] ? count_below(root) : 0);
    if (environment_hides(hiding, sizeof hiding))
        snprintf(ret->line, line_bytes, "%s, all that the driver shows; %s may hide more", number,
                 hiding);
    else if (there > count)
        snprintf(ret->line, line_bytes, "%s, all that the driver shows, of %d in the machine",
                 number, there);
    else
        snprintf(ret->line, line_bytes, "%s, all that the driver has", number);
    return true;
}

bool probe_choose(const char *device, struct probe_choice *ret)
{
    const double began_s = clock_now_s();
    struct device_identity identities[PROBE_DEVICES_MAX];
    struct reason reason;
    /* The first that is named; what is wrong with the name is reported below. */
    const int named = strncmp(device, "cuda:", 5) == 0 ? atoi(device + 5) : 0;
    const bool takes_all = strcmp(device, "auto") == 0 || strcmp(device, "all") == 0;
    memset(ret, 0, sizeof *ret);
    ret->status = EXIT_STATUS_USAGE;
    ret->devices[0] = (struct device_info){.id = device_host};
    ret->count = 1;
    if (device_kind_of(device)->is_emulated) {
        device_find(device, &ret->devices[0].id);
        snprintf(ret->line, sizeof ret->line, "%s, the CPU, chosen by --device %s", device, device);
        ret->is_made = true;
    } else {
        const int count = probe_count(named, identities, &ret->stack, &reason);
        const int listed = count < PROBE_DEVICES_MAX ? count : PROBE_DEVICES_MAX;
        ret->is_made = count == 0  ? choose_none(device, &reason, ret)
                       : takes_all ? choose_all(identities, count, ret)
                                   : choose_named(device, identities, listed, ret);
        ret->is_made = ret->is_made && (count == 0 || are_distinct(ret));
    }
    ret->took_s = clock_now_s() - began_s;
    return ret->is_made;
}

int probe_gpus(const struct probe_choice *choice)
{
    bool is_counted[PROBE_DEVICES_MAX] = {false};
    int count = 0;
    for (int index = 0; index < choice->count; index++) {
        const struct device_set *set = &choice->devices[index].id;
        for (int member = 0; member <= set->others; member++) {
            const int ordinal = set->ordinal[member];
            if (ordinal >= PROBE_DEVICES_MAX || !is_counted[ordinal])
                count++;
            if (ordinal < PROBE_DEVICES_MAX)
                is_counted[ordinal] = true;
        }
    }
    return count;
}

bool probe_is_exclusive(const struct probe_choice *choice)
{
    bool is_exclusive = false;
    for (int index = 0; index < choice->count; index++)
        is_exclusive =
            is_exclusive || choice->devices[index].compute_mode != CU_COMPUTE_MODE_DEFAULT;
    return is_exclusive;
}
