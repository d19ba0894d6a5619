/* A comparison of machine code in words (report_against.h). Clause: codegen.against.shown. */
#include "conformance/report/report_against.h"

#include <stdio.h>

#include "conformance/base/number.h"
#include "conformance/codegen/codegen_rows.h"

static const char *label(const struct codegen *codegen, const struct codegen_row *row)
{
    return codegen->session->devices[row->subject.device].label;
}

/* "registers  12 more, 3 fewer; most: matmul_tiled for sm_90, 32 to 40" */
static void put_quantity(const struct codegen *codegen, const struct codegen_comparison *comparison,
                         int index)
{
    const struct quantity *it = &quantities[index];
    const struct codegen_row *worst = comparison->of[index].worst;
    char text[4][NUMBER_TEXT_BYTES];
    printf("  %-9s %s with more, %s with fewer", it->name,
           number_whole(comparison->of[index].more, text[0]),
           number_whole(comparison->of[index].less, text[1]));
    if (worst)
        printf("; most: %s through %s for %s, %s to %s %s", worst->function,
               path_name(worst->subject.path), label(codegen, worst),
               number_whole(it->of(&worst->other), text[2]),
               number_whole(it->of(&worst->figures), text[3]), it->what);
    printf("\n");
}

void report_against_line(const struct codegen *codegen)
{
    const struct codegen_comparison comparison = codegen_compare(codegen);
    const struct against *against = &codegen->against;
    char text[4][NUMBER_COUNT_BYTES];
    printf("%s%s%s: %s compared: %s %s in a figure, %s in the code", against->file,
           against->toolkit[0] ? ", CUDA " : "", against->toolkit,
           number_count(comparison.compared, "function", text[0]),
           number_whole(comparison.differing, text[1]),
           comparison.differing == 1 ? "differs" : "differ",
           number_whole(comparison.differing_code, text[2]));
    if (comparison.absent)
        printf("; it lacks %s", number_count(comparison.absent, "function", text[3]));
    printf("\n");
}

/* "32" where nothing changed, else "32->40". */
enum { CHANGE_BYTES = 48 };
static const char *change(const struct quantity *it, const struct codegen_row *row, bool differs,
                          char ret_text[CHANGE_BYTES])
{
    const unsigned long long then = it->of(&row->other), now = it->of(&row->figures);
    if (differs)
        snprintf(ret_text, CHANGE_BYTES, "%llu->%llu", then, now);
    else
        snprintf(ret_text, CHANGE_BYTES, "%llu", now);
    return ret_text;
}

static void put_row(const struct codegen *codegen, const struct codegen_row *row,
                    const struct code_difference *difference)
{
    printf("%-28s %-*s %-6s", row->function, session_path_width(codegen->session),
           path_name(row->subject.path), label(codegen, row));
    for (int index = 0; index < QUANTITY_COUNT; index++) {
        char text[CHANGE_BYTES];
        printf(" %12s", change(&quantities[index], row, difference->quantity[index], text));
    }
    printf("  %s\n", difference->code ? "other code" : "same code");
}

void report_against(const struct codegen *codegen)
{
    const struct codegen_comparison comparison = codegen_compare(codegen);
    printf("\nagainst   ");
    report_against_line(codegen);
    for (int index = 0; index < QUANTITY_COUNT; index++)
        put_quantity(codegen, &comparison, index);
    if (comparison.differing == 0 && comparison.differing_code == 0)
        return;
    printf("\n%-28s %-*s %-6s", "function", session_path_width(codegen->session), "path", "device");
    for (int index = 0; index < QUANTITY_COUNT; index++)
        printf(" %12s", quantities[index].name);
    printf("\n");
    for (int index = 0; index < codegen->done; index++) {
        const struct codegen_row *row = &codegen->rows[index];
        const struct code_difference difference =
            row->has_other ? codegen_row_difference(row) : (struct code_difference){.any = false};
        if (difference.any || difference.code)
            put_row(codegen, row, &difference);
    }
}
