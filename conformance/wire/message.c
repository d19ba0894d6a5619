/* Framing of messages (message.h). */
#include "conformance/wire/message.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

size_t message_append(unsigned char *buffer, size_t length, enum message_type type,
                      const void *body, size_t bytes)
{
    struct message_header header = {.type = (uint32_t)type, .bytes = (uint32_t)bytes};
    memcpy(buffer + length, &header, sizeof header);
    memcpy(buffer + length + sizeof header, body, bytes);
    return length + sizeof header + bytes;
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

bool message_read(int fd, struct message_header *ret_header, void *ret_body, size_t capacity)
{
    struct message_header header;
    if (!read_all(fd, &header, sizeof header) || header.bytes > capacity)
        return false;
    if (!read_all(fd, ret_body, header.bytes))
        return false;
    *ret_header = header;
    return true;
}
