/* Generated programs in words (failure.h). Clauses: program_runs.finding.printed,
 * program_runs.report.findings. */

#include "conformance/report/failure.h"

#include <stdlib.h>
#include <string.h>

#include "conformance/base/text.h"
#include "conformance/record/record_fields.h"

static bool is_same(const char *left, const char *right)
{
    return strcmp(left, right) == 0;
}

/* Both have become the same instructions. */
static bool is_alike(const json_t *left, const json_t *right)
{
    return field_program_reduced(left)[0] && field_program_reduced(right)[0] &&
           field_program_verdict(left) == field_program_verdict(right) &&
           is_same(field_program_pattern(left), field_program_pattern(right));
}

bool failure_program_is_first(const struct loaded_lines *programs, size_t index)
{
    for (size_t before = 0; before < index; before++)
        if (is_alike(programs->lines[before], programs->lines[index]))
            return false;
    return true;
}

bool failure_program_fails(const json_t *line)
{
    return field_program_known(line)[0] == 0 && verdict_is_failure(field_program_verdict(line));
}

bool failure_program_is_shown(const struct loaded_lines *programs, size_t index)
{
    return failure_program_fails(programs->lines[index]) &&
           failure_program_is_first(programs, index);
}

/* "9 programs: ptx 9, ptxas-12.6.20 7". */
static void put_seen(FILE *file, const struct loaded_lines *programs, size_t index,
                     failure_put *put)
{
    char text[FAILURE_TEXT_BYTES] = "", number[NUMBER_COUNT_BYTES];
    char all[FAILURE_TEXT_BYTES + NUMBER_COUNT_BYTES + 4];
    const json_t *first = programs->lines[index];
    uint64_t count = 0, last = UINT64_MAX;
    size_t used = 0;
    for (size_t at = index; at < programs->count; at++) {
        const json_t *line = programs->lines[at];
        const char *path = field_subject_path(line);
        uint64_t here = 0;
        bool is_told = false;
        if (!is_alike(first, line))
            continue;
        count += field_program_number(line) != last;
        last = field_program_number(line);
        for (size_t other = index; other < programs->count; other++) {
            const bool is_here = is_alike(first, programs->lines[other]) &&
                                 is_same(field_subject_path(programs->lines[other]), path);
            is_told = is_told || (is_here && other < at);
            here += is_here;
        }
        if (!is_told && used < sizeof text)
            used += (size_t)snprintf(text + used, sizeof text - used, "%s%.31s %llu",
                                     used ? ", " : "", path, (unsigned long long)here);
    }
    snprintf(all, sizeof all, "%s: %s", number_count(count, "program", number), text);
    put(file, "seen in", count ? all : "");
}

static void put_words(FILE *file, const json_t *line, failure_put *put)
{
    char text[FAILURE_TEXT_BYTES], wrong[NUMBER_TEXT_BYTES], all[NUMBER_COUNT_BYTES];
    put(file, "expected", field_program_expected(line));
    snprintf(text, sizeof text, "%.64s%s", field_program_got(line),
             field_program_unwritten(line) ? "  (the poison: never written)" : "");
    put(file, "got", text);
    snprintf(text, sizeof text, "%s of %s", number_whole(field_program_wrong_words(line), wrong),
             number_count(field_program_words(line), "word", all));
    put(file, "total", raw_program_wrong_words(line) ? text : "");
}

void failure_program(FILE *file, const struct loaded_lines *programs, size_t index,
                     failure_put *put)
{
    const json_t *line = programs->lines[index];
    const char *reduced = field_program_reduced(line), *again = field_program_again(line);
    char text[FAILURE_TEXT_BYTES];
    put(file, "program", reduced[0] ? reduced : field_program_program(line));
    snprintf(text, sizeof text, "%.64s on %.32s", field_subject_path(line),
             field_subject_device(line));
    put(file, "through", text);
    put(file, "clause", field_program_clause(line));
    put(file, "place", field_program_place(line));
    put_words(file, line, put);
    put(file, "note", field_program_note(line));
    put(file, "found by",
        field_program_search(line)
            ? "a search: no run or gate has this program unless it is asked for"
            : "");
    snprintf(text, sizeof text, "%.64s, a known miscompile whose trigger it has",
             field_program_like(line));
    put(file, "like", field_program_like(line)[0] ? text : "");
    snprintf(text, sizeof text, "alone in its module it comes to %.400s", again);
    put(file, "again", again[0] ? text : "");
    put(file, "pattern", field_program_pattern(line));
    put_seen(file, programs, index, put);
    put(file, "layer", field_program_layer(line));
    put(file, "from", reduced[0] ? field_program_program(line) : "");
    put(file, "replay", field_program_replay(line));
}

static const char *failure_known_name(const json_t *line, char ret_name[FAILURE_KNOWN_BYTES])
{
    const enum verdict verdict = field_known_comes_to(line);
    const bool is_named =
        raw_known_comes_to(line) && verdict < VERDICT_COUNT && verdict != VERDICT_FAIL;
    snprintf(ret_name, FAILURE_KNOWN_BYTES, "%.48s%s%s%s", field_known_id(line),
             is_named ? " (" : "", is_named ? verdict_name(verdict) : "", is_named ? ")" : "");
    return ret_name;
}

void failure_known(const json_t *line, char ret_text[FAILURE_TEXT_BYTES])
{
    const char *note = field_known_note(line);
    char name[FAILURE_KNOWN_BYTES];
    snprintf(ret_text, FAILURE_TEXT_BYTES, "known miscompile %s through %.31s on %.16s%s%.200s",
             failure_known_name(line, name), field_subject_path(line), field_subject_device(line),
             note[0] ? ": " : "", note);
}

/* Known miscompiles in one sentence. Clause: program_runs.known.grouped. */

enum { NONE = -1 };

/* A line that is shown: one of a miscompile that is present, or that was not tried. */
struct shown {
    const json_t *line;
    const char *id, *device, *path;
    const char *note; /* why it is no PASS, or "" */
    enum verdict verdict, comes_to;
    int first; /* the first line of the same miscompile, which stands for all of them */
    int next;  /* the next of them; NONE after the last */
    int group; /* of a first line: the first of its group, which has its size */
    int size;
};

/* The first line before that one of what is said in the same words; itself where there is none. */
static int find_first(const struct shown *all, int index)
{
    const struct shown *it = &all[index];
    for (int before = 0; before < index; before++)
        if (all[before].first == before && is_same(all[before].id, it->id) &&
            all[before].verdict == it->verdict && all[before].comes_to == it->comes_to &&
            is_same(all[before].note, it->note))
            return before;
    return index;
}

/* Both are there through the same paths on the same devices, and are the same failure or none. */
static bool are_grouped(const struct shown *all, int left, int right)
{
    if (all[left].verdict != all[right].verdict || !is_same(all[left].note, all[right].note))
        return false;
    while (left != NONE && right != NONE && is_same(all[left].device, all[right].device) &&
           is_same(all[left].path, all[right].path)) {
        left = all[left].next;
        right = all[right].next;
    }
    return left == right;
}

static void group(struct shown *all, int count)
{
    for (int index = 0; index < count; index++) {
        int before = 0;
        if (all[index].first != index)
            continue;
        while (before < index && (all[before].group != before || !are_grouped(all, before, index)))
            before++;
        all[index].group = before;
        all[before].size++;
    }
}

/* Those to be shown, in groups; to be freed. NULL without memory. */
static struct shown *open_shown(const struct loaded_lines *known, int *ret_count)
{
    struct shown *all = calloc(known->count + 1, sizeof *all);
    int count = 0;
    for (size_t index = 0; all && index < known->count; index++) {
        const json_t *line = known->lines[index];
        const enum verdict verdict = field_known_verdict(line);
        struct shown *it = &all[count];
        if (!field_known_present(line) && verdict != VERDICT_SKIP)
            continue;
        *it = (struct shown){.line = line,
                             .id = field_known_id(line),
                             .device = field_subject_device(line),
                             .path = field_subject_path(line),
                             .note = verdict == VERDICT_PASS ? "" : field_known_note(line),
                             .verdict = verdict,
                             .comes_to = field_known_comes_to(line),
                             .next = NONE,
                             .group = NONE};
        it->first = find_first(all, count);
        int last = it->first;
        while (all[last].next != NONE)
            last = all[last].next;
        if (last != count)
            all[last].next = count;
        count++;
    }
    if (all)
        group(all, count);
    *ret_count = count;
    return all;
}

/* The first line of the next device. */
static int after_device(const struct shown *all, int head)
{
    int at = head;
    while (at != NONE && is_same(all[at].device, all[head].device))
        at = all[at].next;
    return at;
}

/* On both devices it is there through the same paths. */
static bool have_same_paths(const struct shown *all, int left, int right)
{
    const int left_end = after_device(all, left), right_end = after_device(all, right);
    while (left != left_end && right != right_end && is_same(all[left].path, all[right].path)) {
        left = all[left].next;
        right = all[right].next;
    }
    return left == left_end && right == right_end;
}

/* "a, b and c": one of them. */
static void put_one(FILE *file, const char *text, bool is_first, bool is_last)
{
    escape_sentence(file, "%s%s", is_first ? "" : is_last ? " and " : ", ", text);
}

/* " through ptx and ptxas-13.5.37 on cuda:0 and cuda:1, through ptx on cuda:2". */
static void put_places(FILE *file, const struct shown *all, int first)
{
    const char *before = " through ";
    for (int head = first; head != NONE; head = after_device(all, head)) {
        int other = first, last = NONE;
        while (!have_same_paths(all, other, head))
            other = after_device(all, other);
        if (other != head)
            continue; /* it was named with that device */
        fputs(before, file);
        before = ", through ";
        const int end = after_device(all, head);
        for (int at = head; at != end; at = all[at].next)
            put_one(file, all[at].path, at == head, all[at].next == end);
        fputs(" on ", file);
        for (other = head; other != NONE; other = after_device(all, other))
            last = have_same_paths(all, head, other) ? other : last;
        for (other = head; other != NONE; other = after_device(all, other))
            if (have_same_paths(all, head, other))
                put_one(file, all[other].device, other == head, other == last);
    }
}

/* "FAIL through ptx on cuda:0 (this version is held to be right): abs_s16, neg_s16". */
static void put_group(FILE *file, const struct shown *all, int count, int first)
{
    const struct shown *it = &all[first];
    char name[FAILURE_KNOWN_BYTES];
    const char *before = ": ";
    if (it->verdict == VERDICT_SKIP)
        fputs(" not tried", file);
    else if (it->verdict != VERDICT_PASS)
        fprintf(file, " %s",
                it->verdict < VERDICT_COUNT ? verdict_name(it->verdict) : "no verdict");
    put_places(file, all, first);
    if (it->note[0])
        escape_sentence(file, " (%s)", it->note);
    for (int index = first; index < count; index++) {
        if (all[index].group != first)
            continue;
        escape_sentence(file, "%s%s", before, failure_known_name(all[index].line, name));
        before = ", ";
    }
}

static int rank(const struct shown *it)
{
    return it->verdict == VERDICT_SKIP ? 2 : it->verdict == VERDICT_PASS ? 1 : 0;
}

/* The next group that is due: failures, then those that are present, then those not tried, the
 * largest first of each. NONE after the last. */
static int take_group(struct shown *all, int count)
{
    int best = NONE;
    for (int index = 0; index < count; index++) {
        const struct shown *it = &all[index];
        if (it->size > 0 && (best == NONE || rank(it) < rank(&all[best]) ||
                             (rank(it) == rank(&all[best]) && it->size > all[best].size)))
            best = index;
    }
    if (best != NONE)
        all[best].size = 0;
    return best;
}

/* Miscompiles that are present, whatever they come to. */
static uint64_t count_present(const struct shown *all, int count)
{
    uint64_t present = 0;
    for (int index = 0; index < count; index++) {
        int before = 0;
        while (before < index &&
               (rank(&all[before]) == 2 || !is_same(all[before].id, all[index].id)))
            before++;
        present += before == index && rank(&all[index]) < 2;
    }
    return present;
}

void known_words(FILE *file, const struct loaded_lines *known)
{
    char number[NUMBER_COUNT_BYTES];
    int count = 0, groups = 0;
    if (known->count == 0)
        return;
    struct shown *all = open_shown(known, &count);
    if (all == NULL) {
        fputs("no memory to name known miscompiles", file);
        return;
    }
    fprintf(file, "%s in this stack",
            number_count(count_present(all, count), "known miscompile", number));
    for (int index = 0; index < count; index++)
        groups += all[index].size > 0 && rank(&all[index]) < 2;
    for (int first = take_group(all, count); first != NONE; first = take_group(all, count)) {
        fputc(groups == 1 && rank(&all[first]) == 1 ? ',' : ';', file);
        put_group(file, all, count, first);
    }
    free(all);
}
