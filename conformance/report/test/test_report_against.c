/* A comparison of machine code in words, of rows made by hand. */
#include <unistd.h>

#include "conformance/codegen/codegen.h"
#include "conformance/report/live.h"
#include "conformance/test/made_json.h"

enum { ROWS = 4 };

static struct options options;
static struct session session;
static struct codegen_row rows[ROWS];

/* One that is as it was, one that grew and shrank, one of other code, one that the other lacks. */
static struct codegen made(void)
{
    static const char *const functions[ROWS] = {"same", "grown", "recoded", "added"};
    static const struct line_made same = {
        {true, 32}, {true, 8}, {true, 2048}, {true, 4096}, "00000000000000000000000000000000"};
    options.against = "before.json";
    session = (struct session){.options = &options, .device_count = 1, .plan = {.paths = "sass"}};
    strcpy(session.devices[0].label, "sm_90");
    session.devices[0].info.id.kind = DEVICE_ARCHITECTURE;
    for (int index = 0; index < ROWS; index++) {
        rows[index] = (struct codegen_row){.subject.path = (uint16_t)path_find("sass"),
                                           .function = functions[index],
                                           .is_read = true,
                                           .is_of_cubin = true,
                                           .figures = {.registers = index == 1 ? 40 : 32,
                                                       .local_bytes = index == 1 ? 0 : 8,
                                                       .shared_bytes = 2048,
                                                       .code_bytes = 4096,
                                                       .code_hash = index == 2},
                                           .has_other = index < 3,
                                           .other = same,
                                           .finding = {.verdict = VERDICT_PASS}};
    }
    return (struct codegen){.session = &session,
                            .against = {.file = "before.json", .toolkit = "13.0"},
                            .rows = rows,
                            .row_count = ROWS,
                            .done = ROWS};
}

/* What is printed. */
static char *printed(const struct codegen *codegen, void (*print)(const struct codegen *))
{
    testing_capture(STDOUT_FILENO);
    print(codegen);
    return testing_captured(STDOUT_FILENO);
}

/* The comparer is above the report. */
static void compare(FILE *file, const char *path, const struct loaded_lines *lines)
{
    fprintf(file, "SAME  this code against %s: %zu lines\n", path, lines->count);
}

/* A look of its own: with another's figures the table is of differences alone. */
static void look(const struct codegen *codegen)
{
    struct live *live =
        live_open(&(struct live_options){.format = FORMAT_TEXT, .compare = compare});
    struct outcome outcome = {.verdict = VERDICT_PASS, .cases_done = ROWS};
    session.command = "codegen";
    session.sink = live_sink(live);
    session.plan.count = ROWS;
    codegen_summary(codegen, &outcome);
    session_write_line(&session, session_header(&session, made_zone()));
    for (int index = 0; index < ROWS; index++)
        session_write_line(&session, codegen_line(codegen, &codegen->rows[index], made_zone()));
    session_write_line(&session, session_summary(&session, &outcome, made_zone()));
    live_end(live, EXIT_STATUS_PASS);
}

START_TEST(a_row_that_does_not_differ_is_not_shown, "codegen.against.shown")
{
    struct codegen codegen = made();
    char *text = printed(&codegen, look);
    ASSERT_HAS(text, "; what differs\n");
    ASSERT_HAS(text, "\nagainst   before.json, CUDA 13.0\nSAME  this code against before.json: ");
    ASSERT_LACKS(text, "\nsame ");
    codegen.against.file = options.against = NULL;
    text = printed(&codegen, look);
    ASSERT_HAS(text, "; a figure and its budget: a/b\n");
    ASSERT_LACKS(text, "against");
    ASSERT_HAS(text, "\nsame ");
}

/* Three functions read for two devices: of cubins for architectures, or as a driver says for GPUs.
 */
START_TEST(who_gave_the_figures_is_said, "codegen.coverage.printed")
{
    static const char *const words[] = {
        "\ncoverage  3 functions of 2 kernels, for 2 architectures: from the machine code itself, "
        "without a GPU or a driver; 3 recorded, not judged: no budgets of the "
        "architecture\n",
        "\ncoverage  3 functions of 2 kernels, for 2 GPUs: the driver's figures, and the program's "
        "own code bytes; 3 recorded, not judged: no budgets of the architecture\n"};
    for (int driven = 0; driven < 2; driven++) {
        const struct codegen codegen = made();
        rows[0].is_read = false;
        rows[2].subject.kernel = 1;
        rows[3].subject.device = 1;
        for (int index = 0; index < 2; index++)
            snprintf(session.devices[index].label, sizeof session.devices[index].label, "%s%d",
                     driven ? "cuda:" : "sm_", 80 + index);
        char *text = printed(&codegen, look);
        ASSERT_HAS(text, words[driven]);
    }
}
