/* The options of the command line, whichever command it was: read by command/, carried out below
 * it. Its fields are the rows of options.def. */
#pragma once

#include <jansson.h>
#include <stdbool.h>
#include <stdint.h>

#include "conformance/model/device_info.h"
#include "conformance/plan/shard.h"

enum {
    OPTIONS_PATTERNS_MAX = 64,
    OPTIONS_PATHS_MAX = 1 << 20,
    OPTIONS_CASES_MAX = 64,
    OPTIONS_FILES_MAX = 16
};

enum output_format {
#define FORMAT(id, word) FORMAT_##id,
#include "conformance/session/output_formats.def"
#undef FORMAT
    FORMAT_COUNT
};

/* "text|tap|json|...", the words of --format, after a first bar. */
extern const char output_format_words[];

struct option_cases {
    int count;
    const char *texts[OPTIONS_CASES_MAX];
};

struct option_files {
    int count;
    const char *names[OPTIONS_FILES_MAX];
};

struct line;
struct probe_choice;
struct token;
struct zone;

/* The type of a field, by the kind of its row. */
#define OPTION_TYPE_FLAG                 bool
#define OPTION_TYPE_COUNT(least, most)   int
#define OPTION_TYPE_COUNT64(least, most) uint64_t
#define OPTION_TYPE_SECONDS              double
#define OPTION_TYPE_TEXT                 const char *
#define OPTION_TYPE_INPUT                const char *
#define OPTION_TYPE_OUTPUT               const char *
#define OPTION_TYPE_FOLDER               const char *
#define OPTION_TYPE_CHOICE               int
#define OPTION_TYPE_DEVICE               const char *
#define OPTION_TYPE_PATHS                const char * /* as path_is_among takes them */
#define OPTION_TYPE_CASES                struct option_cases
#define OPTION_TYPE_FILES                struct option_files
#define OPTION_TYPE_LEVELS               const char * /* "0,1,3" */
#define OPTION_TYPE_SHARD                struct shard

/* An option that is not given and has no default is 0, false or NULL. */
struct options {
#define OPTION(field, kind, ...) OPTION_TYPE_##kind field;
#define OPTION_AGAIN(field, kind, ...)
#include "conformance/session/options.def"
#undef OPTION
    struct {
#define OPTION(field, kind, ...) bool field;
#include "conformance/session/options.def"
#undef OPTION
#undef OPTION_AGAIN
    } given; /* on the line */
    /* Settings of the parts of a gate or a run (parts.h). */
    const void *known;                 /* struct bench_known of its baseline, or NULL */
    const struct probe_choice *chosen; /* the devices of all; NULL: those of --device */
    struct token *token; /* what is timed, or opens devices, waits for it; NULL: for nothing */
    struct token
        *opened; /* given when all its workers have opened their devices; NULL: to nobody */
    /* Makes the line of what this program lacks for a device (command/gaps_made.h), which is
     * written after the device's; NULL: no such line. */
    const struct line *(*gaps)(const struct options *options, const struct device_info *info,
                               const struct board *board, struct zone *zone);
    char *why;        /* gets the reason of the verdict, FINDING_NOTE_BYTES; NULL: nobody asks */
    int channel;      /* the record's lines go there; 0: to files */
    const char *part; /* its name, and NULL after those of all; NULL: it is no part */
    const char *const *parts;
    const char *parts_of;   /* the command whose parts they are */
    bool keeps_only;        /* the corpus keeps failing cases and gives none: a gate's */
    bool leaves_candidates; /* there is no GPU: without their code the rest still runs */
    bool same_programs; /* those that each run and gate of this version has, whatever the seed */
    bool is_brief;      /* of the measured shapes only those that a gate takes */
    int pattern_count;
    const char **patterns; /* what is left of the line, in the place of its words */
};

/* The exit status of main for a command that ended with `status`: 0 in place of 1, 3 and 77 where
 * --exit-zero asks for it, as the lines say the verdict. */
int options_status(const struct options *options, int status);

/* False if `output` is the file `input` too, which it would overwrite: one line has said so
 * (runner.output.input). Either may be NULL. */
bool options_output_is_free(const char *command, const char *output, const char *input);
