/* The formats of a fleet (fleet_write.h). */
#include "conformance/fleet/fleet_write.h"

fleet_writer *const fleet_writers[] = {fleet_text_write, fleet_json_write, fleet_markdown_write,
                                       fleet_page_write};
