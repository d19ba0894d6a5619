/* Files that are whole or not there (file.h). Clause: report.output.whole. */
#include "conformance/file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static bool write_all(int fd, const char *text, size_t bytes)
{
    for (size_t done = 0; done < bytes;) {
        ssize_t written = write(fd, text + done, bytes - done);
        if (written < 0 && errno == EINTR)
            continue;
        if (written <= 0)
            return false;
        done += (size_t)written;
    }
    return true;
}

static enum file_result tell(enum file_result result, const char *path, char *why, size_t why_bytes)
{
    snprintf(why, why_bytes, "%s: cannot be written: %s", path, strerror(errno));
    return result;
}

/* Through a symbolic link to the file that it names. */
static char *target_of(const char *path)
{
    char *target = realpath(path, NULL);
    return target ? target : strdup(path);
}

static enum file_result write_beside(const char *path, const char *text, size_t bytes, char *why,
                                     size_t why_bytes)
{
    char *target = target_of(path), *beside = NULL;
    enum file_result result = FILE_WRITTEN;
    if (target == NULL || asprintf(&beside, "%s.XXXXXX", target) < 0) {
        free(target);
        return tell(FILE_FAILED, path, why, why_bytes);
    }
    int fd = mkstemp(beside);
    if (fd < 0) {
        result = tell(FILE_REFUSED, path, why, why_bytes);
    } else {
        mode_t mask = umask(0);
        umask(mask);
        bool good = write_all(fd, text, bytes) && fchmod(fd, 0666 & ~mask) == 0 && fsync(fd) == 0;
        good = close(fd) == 0 && good;
        if (!good || rename(beside, target) != 0) {
            result = tell(FILE_FAILED, path, why, why_bytes);
            unlink(beside);
        }
    }
    free(beside);
    free(target);
    return result;
}

enum file_result file_replace(const char *path, const char *text, size_t bytes, char *why,
                              size_t why_bytes)
{
    struct stat status;
    bool standard = strcmp(path, "-") == 0;
    if (!standard && (stat(path, &status) != 0 || S_ISREG(status.st_mode)))
        return write_beside(path, text, bytes, why, why_bytes);
    int fd = standard ? STDOUT_FILENO : open(path, O_WRONLY | O_CLOEXEC);
    if (fd < 0)
        return tell(FILE_REFUSED, path, why, why_bytes);
    bool good = write_all(fd, text, bytes);
    enum file_result result = good ? FILE_WRITTEN : tell(FILE_FAILED, path, why, why_bytes);
    if (!standard && close(fd) != 0 && good)
        result = tell(FILE_FAILED, path, why, why_bytes);
    return result;
}

bool file_same(const char *left, const char *right)
{
    struct stat one, other;
    return stat(left, &one) == 0 && stat(right, &other) == 0 && one.st_dev == other.st_dev &&
           one.st_ino == other.st_ino;
}
