/* What must hold of every page that a report makes, whatever its records hold. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

enum { PAGE_WHY_BYTES = 512 };

struct page_facts {
    size_t figures, tables, charts, tooltips, findings, missing;
};

/* Well-formed, alone, a table in every figure, a name and a tooltip in every drawing, each of them
 * made for a phone too, a scope in every heading, a hint above every table that may scroll, no
 * coordinate that is no number or is outside of the drawing. False with the reason. */
bool page_check(const char *page, size_t bytes, struct page_facts *ret, char why[PAGE_WHY_BYTES]);
