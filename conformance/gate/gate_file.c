/* Holding the file of a gate (gate_file.h). Its parts lock it in their own way (record.h), each as
 * long as it runs, so the gate's own lock is of another kind: the two do not meet. Clause:
 * gate.file.held. */
#include "conformance/gate/gate_file.h"

#include <errno.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "conformance/base/file.h"

static bool look(struct gate_file *file)
{
    struct stat status;
    const bool is_there = stat(file->path, &status) == 0;
    file->bytes = is_there ? status.st_size : 0;
    file->changed = is_there ? status.st_mtim : (struct timespec){.tv_sec = 0};
    return is_there && S_ISREG(status.st_mode);
}

bool gate_file_hold(struct gate_file *ret, const char *path, struct reason *ret_reason)
{
    struct flock whole = {.l_type = F_WRLCK, .l_whence = SEEK_SET};
    *ret = (struct gate_file){.path = path, .fd = -1};
    ret->is_new = access(path, F_OK) != 0;
    /* A pipe without a reader is not opened, which would wait for one. */
    const bool is_file = ret->is_new || look(ret);
    if (is_file)
        ret->fd = file_open_output(path, O_WRONLY | O_CREAT, ret_reason);
    if (is_file && ret->fd < 0)
        return false;
    if (!is_file || !look(ret))
        return reason_set(ret_reason, REASON_INPUT,
                          "%s: no regular file, which a gate could read again", path);
    /* A file system without locks holds nothing, and says so by another error. */
    if (fcntl(ret->fd, F_OFD_SETLK, &whole) != 0 && (errno == EAGAIN || errno == EACCES)) {
        ret->is_new = false;
        return reason_set(
            ret_reason, REASON_INPUT,
            "%s: another gate is writing it: wait until it ends, or name another file", path);
    }
    return true;
}

bool gate_file_has_changed(struct gate_file *file)
{
    const struct gate_file before = *file;
    look(file);
    return file->bytes != before.bytes || file->changed.tv_sec != before.changed.tv_sec ||
           file->changed.tv_nsec != before.changed.tv_nsec;
}

void gate_file_close(struct gate_file *file)
{
    if (file->fd < 0)
        return;
    if (file->is_new && look(file) && file->bytes == 0)
        unlink(file->path);
    close(file->fd);
    file->fd = -1;
}
