/* One text through NVRTC (nvrtc_tool.h). Clauses: driver.candidate.alone, driver.nvrtc.paths. */
#include "conformance/worker/nvrtc_tool.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "conformance/base/input_file.h"
#include "conformance/base/reason.h"
#include "cuda/paths/nvrtc.h"

struct order {
    const char *library, *output, *input, *level;
    int compute_capability;
    enum nvrtc_form form;
    bool asks_version;
    const char *options[NVRTC_OPTIONS_MAX + 1]; /* NVRTC's own; NULL after the last */
};

static bool read_order(int argc, char **argv, struct order *ret)
{
    if (argc < 4)
        return false;
    *ret = (struct order){.library = argv[2], .form = NVRTC_CUBIN};
    ret->asks_version = argc == 4 && strcmp(argv[3], "--version") == 0;
    int option_count = 0;
    for (int at = 3; at < argc; at++) {
        const char *word = argv[at];
        if (strcmp(word, "-ptx") == 0)
            ret->form = NVRTC_PTX;
        else if (strcmp(word, "-o") == 0 && at + 1 < argc)
            ret->output = argv[++at];
        else if (strncmp(word, "-O", 2) == 0)
            ret->level = word;
        else if (strncmp(word, "-sm_", 4) == 0)
            ret->compute_capability = atoi(word + 4);
        else if (word[0] != '-')
            ret->input = word;
        else if (option_count < NVRTC_OPTIONS_MAX)
            ret->options[option_count++] = word;
    }
    return ret->asks_version || (ret->output && ret->input && ret->compute_capability > 0);
}

static bool make(const struct nvrtc *nvrtc, const struct order *order)
{
    char why[NVRTC_TEXT_BYTES] = "";
    struct nvrtc_code code = {.bytes = NULL};
    const int arch = nvrtc_arch(nvrtc, order->form, order->compute_capability);
    if (arch == 0) {
        fprintf(stderr, "none of its architectures is for compute capability %d.%d\n",
                order->compute_capability / 10, order->compute_capability % 10);
        return false;
    }
    struct reason reason;
    size_t bytes;
    char *text = input_read(INPUT_SOURCE, order->input, &bytes, &reason);
    bool good = text != NULL;
    if (!good) {
        fprintf(stderr, "%s: cannot be read: %s\n", order->input, reason.text);
    } else if (!nvrtc_compile(nvrtc, text, order->input, order->form, arch, order->options,
                              order->level, &code, why)) {
        fprintf(stderr, "%s\n", why);
        good = false;
    }
    FILE *output = good ? fopen(order->output, "wb") : NULL;
    bool written = output && fwrite(code.bytes, 1, code.count, output) == code.count;
    if (output)
        written = fclose(output) == 0 && written;
    if (good && !written)
        fprintf(stderr, "%s: it cannot be written\n", order->output);
    free(code.bytes);
    free(text);
    return good && written;
}

int nvrtc_tool_main(int argc, char **argv)
{
    struct order order;
    struct nvrtc nvrtc;
    char why[NVRTC_TEXT_BYTES] = "", version[NVRTC_VERSION_BYTES] = "";
    if (!read_order(argc, argv, &order)) {
        fprintf(stderr, "assay nvrtc: this command is for the supervisor alone\n");
        return EXIT_STATUS_USAGE;
    }
    if (!nvrtc_open(order.library, &nvrtc, why) ||
        (order.asks_version && !nvrtc_version(&nvrtc, version, why))) {
        fprintf(stderr, "%s\n", why);
        return EXIT_STATUS_FAIL;
    }
    if (order.asks_version)
        printf("NVRTC, V%s\n", version);
    else if (!make(&nvrtc, &order))
        return EXIT_STATUS_FAIL;
    return fflush(stdout) == 0 ? EXIT_STATUS_PASS : EXIT_STATUS_HARNESS;
}
