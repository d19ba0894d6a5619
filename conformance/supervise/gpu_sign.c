/* Looking for a GPU without a driver (gpu_sign.h). Clause: runner.device.broken. */
#include "conformance/supervise/gpu_sign.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { VENDOR_NVIDIA = 0x10de, BASE_CLASS_DISPLAY = 0x03 /* VGA, 3D and other controllers */ };

/* A file of sysfs with one hexadecimal number; 0 where there is none. */
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

static bool on_the_bus(const char *root, char *ret_text, size_t text_bytes)
{
    char path[512];
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
    return on_the_bus(root, ret_text, text_bytes);
}

bool gpu_sign_find(char *ret_text, size_t text_bytes)
{
    const char *root = getenv(GPU_SIGN_ROOT);
    return gpu_sign_find_below("", ret_text, text_bytes) ||
           (root && root[0] && gpu_sign_find_below(root, ret_text, text_bytes));
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

int gpu_sign_count(void)
{
    const char *root = getenv(GPU_SIGN_ROOT);
    return count_below("") + (root && root[0] ? count_below(root) : 0);
}
