/* Runs nvdisasm (disassemble.h). Clause: codegen.mix.absent. */
#include "conformance/codegen/disassemble.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "conformance/base/tool.h"

static bool is_program(const char *name)
{
    struct stat status;
    return stat(name, &status) == 0 && S_ISREG(status.st_mode) && access(name, X_OK) == 0;
}

/* Takes the program of a folder, or of the part of it below. */
static bool take_from(const char *folder, size_t letters, const char *below,
                      struct disassembler *ret)
{
    const int length =
        snprintf(ret->program, sizeof ret->program, "%.*s%s/nvdisasm", (int)letters, folder, below);
    return letters > 0 && length < (int)sizeof ret->program && is_program(ret->program);
}

static bool find_in_path(struct disassembler *ret)
{
    const char *at = getenv("PATH");
    while (at && *at) {
        const size_t letters = strcspn(at, ":");
        if (take_from(at, letters, "", ret))
            return true;
        at += letters + (at[letters] == ':');
    }
    return false;
}

bool disassembler_find(const char *name, struct disassembler *ret, struct reason *ret_reason)
{
    static const char toolkit[] = "/usr/local/cuda";
    /* In a toolkit, and in a wheel of CUDA 12 or of 13. */
    static const char *const places[] = {"", "/bin", "/nvidia/cu13/bin",
                                         "/nvidia/cuda_nvdisasm/bin"};
    if (name == NULL && (find_in_path(ret) || take_from(toolkit, strlen(toolkit), "/bin", ret)))
        return true;
    for (size_t index = 0; name && index < sizeof places / sizeof places[0]; index++)
        if (take_from(name, strlen(name), places[index], ret))
            return true;
    /* A word without a slash is a file here, and no program of PATH. */
    if (name && strlen(name) + 2 < sizeof ret->program && is_program(name)) {
        snprintf(ret->program, sizeof ret->program, "%s%s", strchr(name, '/') ? "" : "./", name);
        return true;
    }
    ret->program[0] = 0;
    return name ? reason_set(ret_reason, REASON_INPUT,
                             "%.300s is no nvdisasm, and no folder that holds one", name)
                : reason_set(ret_reason, REASON_ABSENT,
                             "there is no nvdisasm in PATH: --nvdisasm names one");
}

void disassembler_close(struct disassembler *it)
{
    free(it->text);
    it->text = NULL;
}

/* nvdisasm has no option for its output. */
static bool run(const struct disassembler *it, int input, int output, double limit_s,
                struct reason *ret_reason)
{
    static const char script[] = "exec \"$0\" -c " TOOL_INPUT " >" TOOL_OUTPUT;
    const struct tool_run run = {.words = {"/bin/sh", "-c", script, it->program},
                                 .input = input,
                                 .output = output,
                                 .limit_s = limit_s};
    struct tool_end end;
    char text[REASON_TEXT_BYTES];
    if (!tool_run(&run, &end, ret_reason))
        return false;
    if (tool_is_good(&end))
        return true;
    const size_t letters = strcspn(end.errors, "\n");
    return reason_set(ret_reason, REASON_BROKEN, "%s: %s%s%.*s", it->program,
                      tool_end_text(&run, &end, text), letters ? ": " : "",
                      letters < 200 ? (int)letters : 200, end.errors);
}

/* The text with a 0, for free(). */
static char *make_text(const struct disassembler *it, struct cubin_bytes cubin, double limit_s,
                       struct reason *ret_reason)
{
    const int input = tool_file(cubin.first, cubin.count, ret_reason);
    const int output = input < 0 ? -1 : tool_file("", 0, ret_reason);
    size_t bytes = 0;
    char *text = NULL;
    if (output >= 0 && run(it, input, output, limit_s, ret_reason))
        text = tool_file_read(output, &bytes, ret_reason);
    char *ended = text ? realloc(text, bytes + 1) : NULL;
    if (ended)
        ended[bytes] = 0;
    else if (text) {
        free(text);
        reason_set(ret_reason, REASON_SYSTEM, "no memory for what nvdisasm printed");
    }
    if (input >= 0)
        close(input);
    if (output >= 0)
        close(output);
    return ended;
}

const char *disassemble(struct disassembler *it, struct cubin_bytes cubin, double limit_s,
                        struct reason *ret_reason)
{
    if (it->last.first != cubin.first) {
        free(it->text);
        it->last = cubin;
        it->text = make_text(it, cubin, limit_s, &it->reason);
    }
    if (it->text == NULL)
        *ret_reason = it->reason;
    return it->text;
}
