/* The formats of a document (reporter.h). */
#include "conformance/report/reporter.h"

#define FORMAT(id, word) extern const struct reporter reporter_##word;
#include "conformance/session/output_formats.def"
#undef FORMAT

const struct reporter *const reporters[FORMAT_COUNT] = {
#define FORMAT(id, word) [FORMAT_##id] = &reporter_##word,
#include "conformance/session/output_formats.def"
#undef FORMAT
};
