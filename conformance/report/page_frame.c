/* What is around each page (page.h). Clause: report.html.alone. */
#include "conformance/base/build_info.h"
#include "conformance/base/text.h"
#include "conformance/report/page.h"

extern const char *const style_builtin_lines[];

void page_begin(FILE *file, const char *verdict, const char *title, const char *style)
{
    fprintf(file,
            "<!DOCTYPE html>\n<html lang=\"en\" xmlns=\"http://www.w3.org/1999/xhtml\">\n<head>\n"
            "<meta charset=\"utf-8\"/>\n"
            "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\"/>\n"
            "<meta name=\"generator\" content=\"assay %s\"/>\n",
            build_version);
    escape_markup(file, "<title>%s: %s</title>\n<style>\n", verdict, title);
    for (size_t inner = 0; style_builtin_lines[inner]; inner++)
        fprintf(file, "%s\n", style_builtin_lines[inner]);
    fprintf(file, "%s</style>\n</head>\n<body>\n", style);
}

void page_end(FILE *file)
{
    fputs("</body>\n</html>\n", file);
}
