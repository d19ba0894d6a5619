/* Reads what is compared with (against.h). Clauses: codegen.against.read. */
#include "conformance/codegen/against.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "conformance/base/array.h"
#include "conformance/codegen/cubin.h"
#include "conformance/model/device_info.h"
#include "conformance/record/record.h"
#include "conformance/record/record_fields.h"
#include "fuzz/input_file.h"

/* A record as it is read: of each device its architecture. */
enum { DEVICES_MAX = 256 };
struct reading {
    struct against *against;
    int device_count;
    struct {
        char label[DEVICE_LABEL_BYTES];
        int architecture;
    } devices[DEVICES_MAX];
    bool is_full; /* no memory, or too many devices */
};

static void take_device(struct reading *it, const json_t *device)
{
    int major = 0, minor = 0;
    if (it->device_count == DEVICES_MAX ||
        sscanf(field_device_compute_capability(device), "%4d.%1d", &major, &minor) != 2) {
        it->is_full = it->is_full || it->device_count == DEVICES_MAX;
        return;
    }
    snprintf(it->devices[it->device_count].label, DEVICE_LABEL_BYTES, "%s",
             field_device_label(device));
    it->devices[it->device_count++].architecture = 10 * major + minor;
}

static int architecture_of(const struct reading *it, const char *label)
{
    for (int index = it->device_count - 1; index >= 0; index--)
        if (strcmp(it->devices[index].label, label) == 0)
            return it->devices[index].architecture;
    return 0;
}

static void read_hash(const char *text, uint64_t ret[2])
{
    char high[17];
    snprintf(high, sizeof high, "%.16s", text);
    ret[1] = strtoull(high, NULL, 16);
    ret[0] = strlen(text) == 32 ? strtoull(text + 16, NULL, 16) : 0;
}

static void take_code(struct reading *it, const json_t *line)
{
    struct against *against = it->against;
    struct against_line made = {.architecture = architecture_of(it, field_subject_device(line)),
                                .figures = {.registers = (uint32_t)field_made_registers(line),
                                            .local_bytes = (uint32_t)field_made_local_bytes(line),
                                            .shared_bytes = field_made_shared_bytes(line),
                                            .code_bytes = field_made_code_bytes(line)}};
    if (made.figures.registers == 0 || made.architecture == 0)
        return; /* a function without figures */
    read_hash(field_made_code_xxh3_128(line), made.figures.code_hash);
    snprintf(made.path, sizeof made.path, "%s", field_subject_path(line));
    made.function = strdup(field_codegen_function(line));
    if (made.function == NULL || !ARRAY_ROOM(against->lines, against->line_count)) {
        free(made.function);
        it->is_full = true;
        return;
    }
    against->lines[against->line_count++] = made;
}

/* That of the program or, where it has no code, that of its first unit file. */
static void take_toolkit(struct against *against, const json_t *header)
{
    const char *own = field_header_toolkit(header);
    const json_t *first = json_array_get(field_header_images(header), 0);
    snprintf(against->toolkit, sizeof against->toolkit, "%s",
             own[0] || first == NULL ? own : field_image_file_toolkit(first));
}

static void take_line(void *context, const json_t *line)
{
    struct reading *it = context;
    const json_t *device = line_device(line), *code = line_codegen(line);
    if (raw_header_record(line))
        take_toolkit(it->against, line);
    else if (json_is_object(device))
        take_device(it, device);
    else if (json_is_object(code))
        take_code(it, code);
}

static bool read_record(const char *file, struct against *ret, struct reason *ret_reason)
{
    struct reading reading = {.against = ret};
    if (!records_read(file, take_line, &reading, ret_reason))
        return false;
    if (reading.is_full)
        return reason_set(ret_reason, REASON_SYSTEM, "%s: no room for its lines", file);
    return ret->line_count > 0 || reason_set(ret_reason, REASON_INPUT,
                                             "%s: a record without figures of machine code", file);
}

static bool is_unit_file(const char *file)
{
    char magic[sizeof(UNIT_FILE_MAGIC) - 1];
    const char *why;
    struct stat status;
    FILE *input = input_file_open(file, &why);
    /* A pipe's bytes are there once: they are a record's. */
    const bool is_it = input && fstat(fileno(input), &status) == 0 && S_ISREG(status.st_mode) &&
                       fread(magic, 1, sizeof magic, input) == sizeof magic &&
                       memcmp(magic, UNIT_FILE_MAGIC, sizeof magic) == 0;
    if (input)
        fclose(input);
    return is_it;
}

bool against_open(const char *file, struct against *ret, struct reason *ret_reason)
{
    struct against against = {.file = file};
    if (is_unit_file(file)) {
        against.units = image_file_open(file, ret_reason);
        if (against.units == NULL)
            return reason_before(ret_reason, "%.300s: ", file);
        snprintf(against.toolkit, sizeof against.toolkit, "%s", against.units->units.toolkit);
    } else if (!read_record(file, &against, ret_reason)) {
        against_close(&against);
        return false;
    }
    *ret = against;
    return true;
}

void against_close(struct against *against)
{
    for (size_t index = 0; index < against->line_count; index++)
        free(against->lines[index].function);
    free(against->lines);
    *against = (struct against){.file = NULL};
}

static bool find_in_units(const struct image_file *units, const char *unit, const char *function,
                          int architecture, struct code_figures *ret)
{
    const struct image *image = unit_file_image(&units->units, unit);
    struct cubin_bytes cubin;
    struct reason reason;
    return image && image->fatbin &&
           cubin_find((struct cubin_bytes){image->fatbin, image->fatbin_bytes}, architecture,
                      &cubin, &reason) &&
           cubin_read(cubin, function, ret, &reason);
}

bool against_find(const struct against *against, int path, const char *unit, const char *function,
                  int architecture, struct code_figures *ret)
{
    const bool is_offline = path_row(path)->source->is_fatbin;
    const struct against_line *found = NULL;
    if (against->units)
        return is_offline && find_in_units(against->units, unit, function, architecture, ret);
    for (size_t index = 0; index < against->line_count; index++) {
        const struct against_line *it = &against->lines[index];
        if (it->architecture != architecture || strcmp(it->function, function) != 0)
            continue;
        const bool is_same = strcmp(it->path, path_name(path)) == 0;
        if (is_same || (!found && is_offline && strncmp(it->path, "sass", 4) == 0))
            found = it;
        if (is_same)
            break;
    }
    if (found)
        *ret = found->figures;
    return found != NULL;
}
