/* Usage lines (usage.h). */
#include "conformance/command/usage.h"

#include <ctype.h>
#include <string.h>

#include "conformance/command/option_table.h"

/* What replaces the value in a usage line: the words of a choice would fill it. */
static const char *placeholder(const struct option_row *row, char ret_letter[2])
{
    if (strchr(option_value(row), '|') == NULL)
        return option_value(row);
    ret_letter[0] = (char)toupper((unsigned char)row->name[0]);
    ret_letter[1] = 0;
    return ret_letter;
}

const char *usage_form(const struct option_row *row, bool is_short, char ret_text[USAGE_FORM_BYTES])
{
    const char letter[] = {'-', row->letter, 0};
    char initial[2];
    bool has_letter = row->letter != 0, has_name = !is_short || !has_letter;
    const char *value = "";
    if (option_value(row))
        value = is_short ? placeholder(row, initial) : option_value(row);
    snprintf(ret_text, USAGE_FORM_BYTES, "%s%s%s%s%s%s", has_letter ? letter : "",
             has_letter && has_name ? ", " : "", has_name ? "--" : "", has_name ? row->name : "",
             option_value(row) ? " " : "", value);
    return ret_text;
}
