/* Which devices a session has (session.h). Clauses: runner.device.path, runner.device.expected. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "conformance/base/output.h"
#include "conformance/base/reason.h"
#include "conformance/session/session.h"

int session_nothing(const char *command, const struct options *options, const char *why)
{
    if (options->format == FORMAT_TAP) {
        printf("1..0 # SKIP %s\n", why);
        return output_end(command, EXIT_STATUS_NOTHING_RAN);
    }
    fprintf(stderr, "assay %s: %s\n", command, why);
    return EXIT_STATUS_NOTHING_RAN;
}

bool session_has_path(const char *command, const struct options *options,
                      const struct device_info *device, const char *line, int *ret_status)
{
    bool is_named = false, is_candidate = false;
    const char *option = "path", *value = options->paths;
    for (int other = 0; other < path_count(); other++) {
        const struct path *it = path_row(other);
        is_candidate = is_candidate || it->tool || it->images;
        is_named = is_named || (it->kind == DEVICE_GPU &&
                                path_is_among(other, options->paths) != path_is_among(other, NULL));
        option = it->tool ? it->source->compiler->name : it->images ? "images" : option;
        value = it->tool ? it->tool : it->images ? it->images->file : value;
    }
    struct reason reason;
    if (!(is_named || is_candidate) || device_kind(device)->has_choice)
        return true;
    if (!is_named && options->leaves_candidates) {
        fprintf(stderr, "assay %s: --%s %s needs a GPU: skipped on %s\n", command, option, value,
                line);
        return true;
    }
    if (device_kind_of(options->device)->is_emulated) {
        fprintf(stderr, "assay %s: --%s %s needs a GPU and conflicts with --device host\n", command,
                option, value);
        *ret_status = EXIT_STATUS_USAGE;
        return false;
    }
    reason_set(&reason, REASON_INPUT, "--%s %s needs a GPU; nothing runs on %s", option, value,
               line);
    *ret_status = session_nothing(command, options, reason.text);
    return false;
}

bool session_choose(const char *command, const struct options *options, struct probe_choice *ret)
{
    char line[sizeof ret->line];
    const int expected = options->expect_gpus;
    if (!probe_choose(options->device, ret) || expected == 0)
        return ret->is_made;
    snprintf(line, sizeof line, "%s", ret->line);
    if (device_kind(&ret->devices[0])->is_emulated) {
        const bool is_asked = device_kind_of(options->device)->is_emulated;
        ret->is_made = false;
        ret->status = is_asked ? EXIT_STATUS_USAGE : EXIT_STATUS_NOTHING_RAN;
        snprintf(ret->line, sizeof ret->line,
                 is_asked ? "%s: --expect-gpus %d: it conflicts with --device host"
                          : "%s: --expect-gpus %d: nothing runs on %.300s",
                 command, expected, line);
    } else if (ret->count < expected) {
        snprintf(ret->line, sizeof ret->line,
                 "%.300s; --expect-gpus asks for %d: this cannot end in PASS", line, expected);
    }
    return ret->is_made;
}

bool session_choose_devices(struct session *session, int *ret_status)
{
    const struct probe_choice *chosen = session->options->chosen;
    struct probe_choice *own = chosen ? NULL : malloc(sizeof *own);
    struct device_info devices[PROBE_DEVICES_MAX];
    enum exit_status status = EXIT_STATUS_HARNESS;
    snprintf(session->devices_line, sizeof session->devices_line, "no memory for devices");
    if (own)
        session_choose(session->command, session->options, own);
    chosen = chosen ? chosen : own;
    const bool is_made = chosen && chosen->is_made;
    if (chosen) {
        memcpy(devices, chosen->devices, sizeof devices);
        session->device_count = chosen->count;
        session->stack = chosen->stack;
        memcpy(session->devices_line, chosen->line, sizeof chosen->line);
        status = chosen->status;
    }
    free(own);
    if (!is_made) {
        fprintf(stderr, "assay: %s\n", session->devices_line);
        /* To a TAP reader silence would be no answer; this one fails, whatever the status. */
        if (status == EXIT_STATUS_NOTHING_RAN && session->options->format == FORMAT_TAP)
            printf("Bail out! %s\n", session->devices_line);
        *ret_status = (int)status;
        return false;
    }
    for (int index = 0; index < session->device_count; index++) {
        struct session_device *it = &session->devices[index];
        it->info = devices[index];
        if (device_kind(&it->info)->is_gpu && it->info.id.ordinal < PROBE_DEVICES_MAX)
            it->board = session->stack.boards[it->info.id.ordinal];
        device_label(it->info.id, it->label);
    }
    return true;
}
