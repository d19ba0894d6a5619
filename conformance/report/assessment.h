/* The result of records, never better than their lines: the verdict with its reason, and in
 * sentences what was checked and what was not. */
#pragma once

#include <stdio.h>

#include "conformance/report/loaded.h"

enum { ASSESSMENT_REASON_BYTES = 512 };

struct assessment {
    enum verdict verdict; /* PASS, FAIL, INCONCLUSIVE, SKIP or ERROR */
    char reason[ASSESSMENT_REASON_BYTES];
};

/* A record cut short is INCONCLUSIVE, and a FAIL where a line of it says so; one whose summary says
 * PASS against its own lines gets their verdict. */
void assess_record(const struct loaded_record *record, struct assessment *ret);

/* The worst of the records. */
void assess_records(const struct loaded *loaded, struct assessment *ret);

/* True if the summary of a record that says PASS does not follow from its lines: it is not
 * whole, its counts do not add up, or something failed. `ret_why` has the first such thing. */
enum { CONTRADICTION_BYTES = 256 };
bool contradiction_find(const struct loaded_record *record, char ret_why[CONTRADICTION_BYTES]);

/* True for a record of generated programs. */
bool assess_is_of_programs(const struct loaded_record *record);

/* True if no record names a GPU. */
bool assess_no_gpu(const struct loaded *loaded);

/* Writes sentences, one a line of text, made safe for a terminal (text.h). */
typedef void assess_sentences(FILE *file, const struct loaded *loaded);
assess_sentences assess_checked, assess_unchecked;

/* The same as a text, which the caller frees. */
char *assess_text(const struct loaded *loaded, assess_sentences *write);

/* In sentences, what generated programs prove about a stack, and what they do not. */

/* Known miscompiles as known_words says them; nothing where none was checked. */
void scope_put_known(FILE *file, const char *whose, const struct loaded_record *record);

/* Records, for a terminal of 80 columns. */

/* Writes the summary; bars are blocks where `unicode` is true, ASCII elsewhere. */
void terminal_write(FILE *file, const struct loaded *loaded, bool unicode);

/* Writes a line of a device: what it is, its driver, and the version of libcuda where that is
 * another than the driver's. */
void terminal_device(FILE *file, const json_t *device, const char *libcuda);

/* The same of each device of a record. */
void terminal_devices(FILE *file, const struct loaded_record *record);

/* Writes rows of a summary as a table: of one device, with digests of the outputs; or of all
 * (`device` NULL), with counts by verdict. */
void terminal_rows(FILE *file, const json_t *rows, const char *device);

/* The failures alone, each with the command that runs it again. */
void terminal_failures(FILE *file, const struct loaded *loaded);

/* True if the environment's locale has UTF-8. */
bool terminal_unicode(void);

/* Records as one HTML document: no script, nothing fetched, well-formed as XML too. */

/* Writes the document; the caller checks whether the stream took it. */
void page_write(FILE *file, const struct loaded *loaded);

/* Its first section: the verdict, its reason and its causes, what was checked and what was not. */
void page_verdict(FILE *file, const struct loaded *loaded);
