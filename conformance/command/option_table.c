/* The rows of session/options.def (option_table.h). */
#include "conformance/command/option_table.h"

#include <string.h>

#include "conformance/session/options.h"

#define OPTION_KIND_FLAG               .kind = &kind_flag
#define OPTION_KIND_COUNT(low, high)   .kind = &kind_count, .least = low, .most = high
#define OPTION_KIND_COUNT64(low, high) .kind = &kind_count64, .least = low, .most = high
#define OPTION_KIND_SECONDS            .kind = &kind_seconds
#define OPTION_KIND_TEXT               .kind = &kind_text
#define OPTION_KIND_PAGE               .kind = &kind_page
#define OPTION_KIND_INPUT              .kind = &kind_input
#define OPTION_KIND_OUTPUT             .kind = &kind_output
#define OPTION_KIND_FOLDER             .kind = &kind_folder
#define OPTION_KIND_CHOICE             .kind = &kind_choice
#define OPTION_KIND_DEVICE             .kind = &kind_device
#define OPTION_KIND_PATHS              .kind = &kind_paths
#define OPTION_KIND_CASES              .kind = &kind_cases
#define OPTION_KIND_FILES              .kind = &kind_files
#define OPTION_KIND_LEVELS             .kind = &kind_levels
#define OPTION_KIND_FAULT              .kind = &kind_fault

#define OPTION(place, type, ...)                                                                   \
    {OPTION_KIND_##type, .field = offsetof(struct options, place),                                 \
     .given = offsetof(struct options, given.place), __VA_ARGS__},
#define OPTION_AGAIN OPTION
const struct option_row option_rows[] = {
#include "conformance/session/options.def"
};
#undef OPTION
#undef OPTION_AGAIN
const int option_row_count = sizeof option_rows / sizeof option_rows[0];

bool option_is_of(const struct option_row *row, const char *command)
{
    size_t letters = strlen(command);
    for (const char *at = row->commands; (at = strstr(at, command)) != NULL; at += letters)
        if ((at == row->commands || at[-1] == ' ') && (at[letters] == ' ' || at[letters] == 0))
            return true;
    return false;
}
