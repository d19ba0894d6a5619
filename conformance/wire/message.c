/* Framing of messages (message.h). */
#include "conformance/wire/message.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

size_t message_append(unsigned char *buffer, size_t length, enum message_type type,
                      const void *body, size_t bytes)
{
    struct message_header header = {.type = (uint32_t)type, .bytes = (uint32_t)bytes};
    memcpy(buffer + length, &header, sizeof header);
    memcpy(buffer + length + sizeof header, body, bytes);
    return length + sizeof header + bytes;
}

size_t message_case_bytes(int check_count)
{
    return sizeof(struct message_case) + (size_t)check_count * sizeof(struct subject);
}

bool message_send(int fd, enum message_type type, const void *body, size_t bytes)
{
    struct message_header header = {.type = (uint32_t)type, .bytes = (uint32_t)bytes};
    struct iovec parts[2] = {{&header, sizeof header}, {(void *)body, bytes}};
    ssize_t written;
    do
        written = writev(fd, parts, 2);
    while (written < 0 && errno == EINTR);
    const size_t done = written < 0 ? 0 : (size_t)written;
    if (written < 0 || done >= sizeof header)
        return written >= 0 && message_write(fd, (const char *)body + done - sizeof header,
                                             bytes + sizeof header - done);
    return message_write(fd, (const char *)&header + done, sizeof header - done) &&
           message_write(fd, body, bytes);
}

bool message_write(int fd, const void *buffer, size_t bytes)
{
    const unsigned char *from = buffer;
    while (bytes > 0) {
        ssize_t written = write(fd, from, bytes);
        if (written < 0 && errno == EINTR)
            continue;
        if (written <= 0)
            return false;
        from += written;
        bytes -= (size_t)written;
    }
    return true;
}

static bool read_all(int fd, void *buffer, size_t bytes)
{
    unsigned char *to = buffer;
    while (bytes > 0) {
        ssize_t got = read(fd, to, bytes);
        if (got < 0 && errno == EINTR)
            continue;
        if (got <= 0)
            return false;
        to += got;
        bytes -= (size_t)got;
    }
    return true;
}

bool message_read(int fd, struct message_header *ret_header, void **body)
{
    struct message_header header;
    if (!read_all(fd, &header, sizeof header))
        return false;
    void *grown = realloc(*body, header.bytes + (size_t)1);
    *body = grown ? grown : *body;
    if (grown == NULL || !read_all(fd, grown, header.bytes))
        return false;
    *ret_header = header;
    return true;
}
