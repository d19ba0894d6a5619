/* Plays a kept record as the run that wrote it showed itself: `played text|tap RECORD`. */
#include <string.h>

#include "conformance/compare/comparison.h"
#include "conformance/report/live.h"
#include "spec/testing.h"

static void take_line(void *live, const struct record_entry *entry)
{
    live_entry(live, entry);
}

int main(int argc, char **argv)
{
    CLAUSE("report.live.lines");
    struct reason reason;
    if (argc != 3) {
        fprintf(stderr, "usage: played text|tap RECORD\n");
        return 2;
    }
    struct live *live = live_open(
        &(struct live_options){.format = strcmp(argv[1], "tap") == 0 ? FORMAT_TAP : FORMAT_TEXT,
                               .compare = comparison_against});
    const bool good = records_read(argv[2], NULL, 0, take_line, live, &reason);
    if (!good)
        fprintf(stderr, "played: %s\n", reason.text);
    live_end(live, EXIT_STATUS_PASS);
    return good ? 0 : 2;
}
