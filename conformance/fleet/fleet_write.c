/* The formats of a fleet (fleet_write.h). Clause: fleet.output.formats. */
#include "conformance/fleet/fleet_write.h"

void fleet_write(struct report *report, enum output_format format, const struct fleet *fleet)
{
    static fleet_writer *const own[FORMAT_COUNT] = {[FORMAT_TEXT] = fleet_text_write,
                                                    [FORMAT_JSON] = fleet_json_write,
                                                    [FORMAT_MARKDOWN] = fleet_markdown_write,
                                                    [FORMAT_PAGE] = fleet_page_write};
    struct document document;
    if (own[format]) {
        own[format](report, fleet);
        return;
    }
    fleet_document(&document, fleet);
    reporters[format]->end(report, &document);
    document_close(&document);
}
