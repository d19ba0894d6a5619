/* The schemas in spec/, as the tables of fields say them. */
#pragma once

#include <stdio.h>

#include "conformance/record/form.h"

/* The form as a JSON schema. False if memory lacks. */
bool schema_write(FILE *file, const struct form *form, const char *title);
