/* A fleet as a document (fleet_write.h). Clauses: fleet.output.formats, fleet.output.rest. */
#include <string.h>
#include <time.h>

#include "conformance/base/text.h"
#include "conformance/fleet/fleet_points.h"
#include "conformance/fleet/fleet_words.h"
#include "conformance/fleet/fleet_write.h"

/* A machine that differs, or a file that was not used: a check, and what differs in it. Without
 * such words it has the verdict's. */
static void add_row(struct document *ret, const struct fleet *fleet, const struct fleet_row *row)
{
    char words[FLEET_POINT_BYTES];
    struct fleet_point point;
    size_t at = 0;
    const char *note = fleet_verdict_name(row->verdict);
    if (row->file)
        note = row->file->reason;
    else if (fleet_point_next(fleet, row, &at, &point))
        note = document_text(ret, "%s", fleet_point_words(&point, words));
    const size_t check = document_check(
        ret, &(struct document_check){
                 .name = row->name, .note = note, .verdict = fleet_verdict_of(row->verdict)});
    for (at = 0; fleet_point_next(fleet, row, &at, &point);) {
        const struct document_finding finding = {
            .what = row->name,
            .how = document_text(ret, "%s", fleet_point_words(&point, words)),
            .row = check};
        difference_add_finding(ret, fleet_finding_rows[point.first->kind].section,
                               point.first->severity, finding);
    }
    if (row->file)
        difference_add_finding(
            ret, SECTION_RECORD, SEVERITY_INCONCLUSIVE,
            (struct document_finding){.what = row->name, .how = row->file->reason, .row = check});
}

void fleet_document(struct document *ret, const struct fleet *fleet)
{
    char words[FLEET_WORDS_BYTES], base[FLEET_WORDS_BYTES];
    document_begin(ret, "fleet");
    ret->verdict = fleet_verdict_of(fleet->verdict);
    ret->reason = document_text(ret, "%s", fleet_words_counts(fleet, words));
    ret->host = document_text(ret, "%s", NUMBER_COUNT(fleet->machine_count, "machine"));
    ret->started = time(NULL); /* its records' own are many */
    ret->gpu_count = fleet->gpu_count;
    ret->has_gpu = fleet->gpu_count > 0;
    const char *compared = document_text(ret, "%s, compared with %s", fleet_words_all(fleet, words),
                                         fleet_words_base(fleet, base));
    document_part(ret, "machines", ret->verdict, ret->verdict == VERDICT_PASS ? "" : ret->reason,
                  compared);
    for (size_t index = 0; index < fleet->row_count; index++)
        add_row(ret, fleet, &fleet->rows[index]);
    for (size_t index = 0; index < fleet->same_count; index++)
        document_check(ret, &(struct document_check){.name = fleet->same[index]->name,
                                                     .verdict = VERDICT_PASS});
    document_finish(ret);
}
