/* Running one check again (replay_command.h). */
#include "conformance/bits/replay_command.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

/* Appends as much as there is room for. */
__attribute__((format(printf, 4, 5))) static size_t append(char *text, size_t at, size_t bytes,
                                                           const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    int length = at < bytes ? vsnprintf(text + at, bytes - at, format, arguments) : 0;
    va_end(arguments);
    return length > 0 ? at + (size_t)length : at;
}

/* Every kernel that the sequence runs, each once. */
static size_t append_kernels(const struct sequence *sequence, char *text, size_t at, size_t bytes)
{
    bool named[CATALOG_COUNT] = {false};
    char name[CATALOG_NAME_BYTES];
    for (int index = 0; index < sequence->count; index++) {
        const struct job *job = &sequence->jobs[index];
        for (int check = 0; check < job->check_count; check++) {
            int id = job->checks[check].kernel;
            if (!named[id])
                at = append(text, at, bytes, " %s", catalog_name(id, name));
            named[id] = true;
        }
    }
    return at;
}

void run_replay_command(const struct run *run, const struct run_finding *finding, char *ret_text,
                        size_t text_bytes)
{
    char text[CASE_TEXT_BYTES], name[CATALOG_NAME_BYTES], label[DEVICE_LABEL_BYTES];
    char units[PATH_OPTION_BYTES];
    const struct device_info *device = &run->session->devices[finding->subject.device].info;
    const struct path *path = path_row(finding->subject.path);
    size_t at = append(ret_text, 0, text_bytes, "assay replay --device %s",
                       device_label(device->id, label));
    if (device_kinds[path->kind].has_choice)
        at = append(ret_text, at, text_bytes, " --path %s%s", path->name,
                    path_option(finding->subject.path, units));
    for (int index = 0; finding->needs_history && index < finding->history->count - 1; index++) {
        case_format(&finding->history->jobs[index].test_case, text, sizeof text);
        at = append(ret_text, at, text_bytes, " --after '%s'", text);
    }
    case_format(finding->retried ? &finding->reduced.smallest : &finding->test_case, text,
                sizeof text);
    at = append(ret_text, at, text_bytes, " '%s'", text);
    if (finding->needs_history)
        append_kernels(finding->history, ret_text, at, text_bytes);
    else
        append(ret_text, at, text_bytes, " %s", catalog_name(finding->subject.kernel, name));
}
