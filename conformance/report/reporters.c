/* The formats of a document (reporter.h). */
#include "conformance/report/reporter.h"

#define FORMAT(id) extern const struct reporter reporter_##id;
#include "conformance/report/formats.def"
#undef FORMAT

const struct reporter *const reporters[REPORT_FORMAT_COUNT] = {
#define FORMAT(id) &reporter_##id,
#include "conformance/report/formats.def"
#undef FORMAT
};
