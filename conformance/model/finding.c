/* Naming places (finding.h). */
#include "conformance/model/finding.h"

static const char *const place_names[PLACE_COUNT] = {
    [PLACE_NONE] = "",       [PLACE_ELEMENT] = "element", [PLACE_GAP] = "gap",
    [PLACE_GUARD] = "guard", [PLACE_INPUT] = "input",
};

int place_is_element(enum place place)
{
    return place == PLACE_ELEMENT || place == PLACE_INPUT;
}

const char *place_name(enum place place)
{
    return place_names[place];
}
