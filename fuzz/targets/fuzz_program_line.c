/* Any bytes as a program's line: refused in one line that can be printed, or read; then it prints
 * as it was, and makes a valid program that both renderers take. */
#include <string.h>

#include "fuzz/programs/program_case.h"
#include "fuzz/programs/test/program_check.h"
#include "fuzz/programs/render.h"
#include "fuzz/targets/target.h"

static void check_line(const char *line, const struct program_case *it)
{
    static struct program program;
    static char again[PROGRAM_TEXT_BYTES];
    struct program_text text = {0};
    int statement;
    program_case_print(it, again);
    MUST(strcmp(line, again) == 0);
    program_case_make(it, &program);
    MUST(program_check(&program, &statement) == NULL);
    render_ptx(&text, &program, "p");
    render_c(&text, &program, "p");
    MUST(!text.is_out_of_memory);
    free(text.text);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t bytes)
{
    static struct program_case it;
    char error[PROGRAM_ERROR_BYTES] = "";
    char *line = strndup(bytes ? (const char *)data : "", bytes);
    MUST(line);
    if (program_case_parse(line, &it, error)) {
        check_line(line, &it);
    } else {
        MUST(error[0] != 0);
        for (const char *letter = error; *letter; letter++)
            MUST(*letter >= ' ' && *letter <= '~');
    }
    free(line);
    return 0;
}
