/* Regular files, and no others (input_file.h). Clauses: runner.input.regular,
 * runner.input.one_line. */
#include "fuzz/input_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Names of files that were open when the program started. */
static bool is_inherited(const char *path)
{
    static const char folder[] = "/dev/fd/";
    return strcmp(path, "/dev/stdin") == 0 || strncmp(path, folder, sizeof folder - 1) == 0;
}

void input_file_tame(char *text)
{
    for (; *text; text++)
        if ((unsigned char)*text < ' ' || *text == 0x7f)
            *text = '?';
}

FILE *input_file_open(const char *path, const char **ret_why)
{
    struct stat status;
    int fd = open(path, O_RDONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    bool good = fd >= 0 && fstat(fd, &status) == 0;
    if (good && !(S_ISREG(status.st_mode) || (S_ISFIFO(status.st_mode) && is_inherited(path)))) {
        *ret_why = "not a regular file";
        close(fd);
        return NULL;
    }
    FILE *file = good && fcntl(fd, F_SETFL, 0) == 0 ? fdopen(fd, "rb") : NULL;
    if (file == NULL) {
        *ret_why = strerror(errno);
        if (fd >= 0)
            close(fd);
    }
    return file;
}

char *input_file_read(const char *path, size_t bytes_max, size_t *ret_bytes, const char **ret_why)
{
    FILE *file = input_file_open(path, ret_why);
    if (file == NULL)
        return NULL;
    struct stat status;
    char *text = NULL;
    size_t bytes = 0, room = (size_t)1 << 15;
    bool is_small = fstat(fileno(file), &status) != 0 || (size_t)status.st_size <= bytes_max;
    bool good = is_small;
    while (good && !feof(file)) {
        room *= 2;
        char *larger = realloc(text, room);
        good = larger != NULL;
        text = good ? larger : text;
        if (good)
            bytes += fread(text + bytes, 1, room - 1 - bytes, file);
        is_small = bytes <= bytes_max;
        good = good && !ferror(file) && is_small;
    }
    fclose(file);
    if (good) {
        text[bytes] = 0;
        *ret_bytes = bytes;
        return text;
    }
    *ret_why = is_small ? "not whole" : "too large";
    free(text);
    return NULL;
}
