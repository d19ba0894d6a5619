/* Records, for a terminal of 80 columns. */
#pragma once

#include <stdio.h>

#include "conformance/report/document.h"

/* Writes what ran and on what: "gate", the version, the date, the seed, the toolkit, the devices.
 */
void terminal_about(FILE *file, const char *command, const struct line_header *header);

/* Writes a line of a device: what it is, its driver, and the version of libcuda where that is
 * another than the driver's. */
void terminal_device(FILE *file, const struct line_device *device, const char *libcuda);

/* The same of each device of a record. */
void terminal_devices(FILE *file, const struct loaded_record *record);

/* Writes lines of bits as a table: of one device, with digests of the outputs; or of all
 * (`device` NULL), with counts by verdict. */
void terminal_rows(FILE *file, const struct loaded_lines *rows, const char *device);

/* The failures alone, each with the command that runs it again. */
void terminal_failures(FILE *file, const struct document *document);

/* "part      shard 3 of 8", after the prefix; nothing of a plan that was not divided. */
void terminal_shard(FILE *file, const char *prefix, const struct loaded_record *record);

/* True if the environment's locale has UTF-8. */
bool terminal_unicode(void);
