/* What the streams of all measures share (live_stream.h). */
#include "conformance/report/live_stream.h"

#include <stdlib.h>
#include <string.h>

#include "conformance/base/text.h"
#include "conformance/model/device_info.h"
#include "conformance/report/failure.h"

int live_path_width(const struct live_at *at, int least)
{
    const struct texts paths = at->record->header->paths;
    int width = least;
    for (size_t index = 0; index < paths.count; index++) {
        const int letters = (int)strlen(paths.each[index]);
        width = letters > width ? letters : width;
    }
    return width;
}

bool live_is_emulated(const struct live_at *at)
{
    const struct texts devices = at->record->header->devices;
    return devices.count > 0 && device_kind_of(devices.each[0])->is_emulated;
}

void live_print_cleared(const struct live_at *at, const char *what)
{
    const struct texts names = at->record->header->environment_cleared;
    struct written written;
    if (names.count == 0)
        return;
    written_open(&written);
    for (size_t index = 0; index < names.count; index++)
        fprintf(written.file, "%s%s", index ? ", " : "", names.each[index]);
    fprintf(written.file, ": it would change the %s", what);
    char *text = written_close(&written);
    if (at->prefix[0])
        printf("%scleared: %s\n", at->prefix, text);
    else
        escape_row(stdout, "cleared", text);
    free(text);
}

void live_print_phases(const struct line_summary *summary)
{
    char text[SESSION_PHASES_BYTES];
    if (!session_phases_text(summary->phases.each, summary->phases.count, text)[0])
        return;
    printf("time      ");
    escape_wrap(stdout, text, 10, 80);
}

void live_tap_measured(const struct line *line)
{
    const struct line_view view = line_view(line);
    char text[FAILURE_TEXT_BYTES], what[FAILURE_TEXT_BYTES + 32];
    failure_text(line, text);
    snprintf(what, sizeof what, "%s: %s", view.device, text);
    tap_line(view.has_verdict ? view.verdict : VERDICT_PASS, what,
             strstr(text, view.note) ? "" : view.note);
    if (view.replay[0])
        printf("# replay: %s\n", view.replay);
}

void live_tap_line(const struct live_at *at, const struct line *line)
{
    (void)at;
    if (line_kind(line->kind).is_planned)
        live_tap_measured(line);
}
