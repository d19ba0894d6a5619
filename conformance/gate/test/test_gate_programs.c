/* Programs as a part of a gate: how many, when it is left out, and what is known beside the
 * verdict.
 */
#include <unistd.h>

#include "conformance/gate/gate_parts.h"
#include "conformance/gate/gate_shown.h"
#include "conformance/report/reporter.h"
#include "conformance/model/path.h"
#include "conformance/programs/known.h"
#include "conformance/programs/programs.h"
#include "conformance/test/made_lines.h"
#include "conformance/test/made_pair.h"

static const struct gate_part *find_part(const char *name)
{
    for (int index = 0; index < GATE_PARTS; index++)
        if (strcmp(gate_parts[index].name, name) == 0)
            return &gate_parts[index];
    return NULL;
}

START_TEST(each_part_has_its_name, "gate.file.verdict")
{
    for (int index = 0; index < GATE_PARTS; index++)
        ck_assert_str_eq(gate_part_names[index], gate_parts[index].name);
    ck_assert_ptr_null(gate_part_names[GATE_PARTS]);
}

static const struct device_info unknown = {.index = 0};

START_TEST(programs_are_a_part, "gate.parts.programs")
{
    const struct gate_part *part = find_part("programs");
    ck_assert_ptr_nonnull(part);
    struct options whole = {.seed = 11, .given.seed = true}, quick = {.quick = true};
    part->adjust(&whole, &unknown);
    part->adjust(&quick, &unknown);
    ck_assert_uint_eq(whole.programs, 5000);
    ck_assert_uint_eq(quick.programs, 200);
    ck_assert(whole.operations && !quick.operations);
    ck_assert_uint_eq(whole.seed, PROGRAMS_SEED);
    ck_assert(part->needs_gpu);
    ck_assert_ptr_null(part->left_out(&whole));
    struct options named = {.pattern_count = 1}, compiled = {.paths = "sass"};
    compiled.given.paths = true;
    ck_assert_str_eq(part->left_out(&named), "kernels are named");
    ck_assert_str_eq(part->left_out(&compiled), "none of the named code paths takes programs");
    compiled.paths = "sass,ptx";
    ck_assert_ptr_null(part->left_out(&compiled));
}

/* A number that the user gives is asked for, beside kernels too. */
START_TEST(programs_that_are_asked_for_are_not_left_out, "gate.parts.asked")
{
    const struct gate_part *part = find_part("programs");
    struct options asked = {
        .pattern_count = 1, .programs = 7, .given.programs = true, .device = "host"};
    enum verdict verdict = VERDICT_PASS;
    ck_assert_ptr_null(part->left_out(&asked));
    part->adjust(&asked, &unknown);
    ck_assert_uint_eq(asked.programs, 7);
    ck_assert_int_eq(asked.pattern_count, 0);
    asked.paths = "sass";
    asked.given.paths = true;
    ck_assert_str_eq(gate_part_why_not(part, &asked, 0, &verdict),
                     "none of the named code paths takes programs");
    ck_assert_int_eq(verdict, VERDICT_SKIP);
    asked.programs = 0;
    ck_assert_str_eq(gate_part_why_not(part, &asked, 0, &verdict), "--programs 0");
    ck_assert_int_eq(verdict, VERDICT_DECLINED);
}

START_TEST(one_without_its_gpu_is_not_due, "gate.parts.gpu")
{
    const struct gate_part *part = find_part("speed");
    const struct options options = {.device = "host"};
    enum verdict verdict = VERDICT_PASS;
    ck_assert_str_eq(gate_part_why_not(part, &options, 0, &verdict), "no GPU");
    ck_assert_int_eq(verdict, VERDICT_SKIP);
    ck_assert_str_eq(gate_part_why_not(part, &options, 1, &verdict), "");
}

/* Eight GPUs, with as many code paths as four compilers give, are no more than is read. */
START_TEST(records_of_eight_gpus_are_read_whole, "report.size.bounded")
{
    enum { GPUS = 8, PATHS = 14, FUNCTIONS = 138 };
    struct known_list *list = testing_new(sizeof *list);
    struct reason reason;
    ck_assert_msg(known_open(NULL, list, &reason), "%s", reason.text);
    ck_assert_uint_ge(line_kind(RECORD_known).most, GPUS * PATHS * (size_t)list->count);
    ck_assert_uint_ge(line_kind(RECORD_codegen).most, GPUS * PATHS * FUNCTIONS);
    known_close(list);
}

/* Beside a candidate the part of code has the paths that it has without: the baseline's are not
 * missing. */
START_TEST(a_candidate_takes_no_path_away, "gate.parts.candidates")
{
    const struct path_addition candidate = {
        .name = "ptxas-12.6.20", .like = "ptxas", .tool = "/candidate"};
    const struct gate_part *part = find_part("code");
    struct options options = {.device = "all", .ptxas.count = 1};
    struct reason reason;
    ck_assert_msg(path_add(&candidate, &reason), "%s", reason.text);
    part->adjust(&options, &unknown);
    for (int path = 0; path < path_count(); path++) {
        const struct path *it = path_row(path);
        if (it->kind == DEVICE_GPU && !it->notes_sms && !it->on_request)
            ck_assert_msg(path_is_among(path, options.paths), "%s", it->name);
    }
    ASSERT_HAS(options.paths, "ptxas-12.6.20");
    struct path_addition lower = candidate; /* a level that has no budgets */
    snprintf(lower.name, sizeof lower.name, "ptxas-12.6.20-O1");
    snprintf(lower.options, sizeof lower.options, "-O1");
    ck_assert_msg(path_add(&lower, &reason), "%s", reason.text);
    struct options none = {.device = "auto", .ptxas.count = 1, .leaves_candidates = true};
    part->adjust(&none, &unknown); /* no driver: a path of its compiler would be a SKIP */
    ASSERT_HAS(none.paths, "ptxas-12.6.20");
    ASSERT_LACKS(none.paths, "ptxas-12.6.20-O1");
    ASSERT_LACKS(none.paths, "ptx,");
    ASSERT_LACKS(none.paths, "ptx-");
}

/* What a gate prints of a record, in that format, whose code was compiled now but for a unit. */
static char *shown(int format, bool is_verbose)
{
    struct options options = {.format = format, .verbose = is_verbose};
    struct zone zone = {.blocks = NULL};
    const struct assessment passed = {.verdict = VERDICT_PASS};
    struct loaded *loaded = made_loaded();
    struct gate_shown it = {.options = &options, .loaded = loaded};
    json_t *record = made_json(made_lines_programs());
    made_pair_add(loaded, record, "r");
    testing_capture(STDOUT_FILENO);
    made_pair_summary(&loaded->records[0])->compiled = 8;
    made_pair_summary(&loaded->records[0])->compiled_cached = (struct maybe_count){true, 1};
    gate_shown_record(&it, "programs", "program", &loaded->records[0], &passed);
    gate_shown_found(&it);
    const struct line *line = gate_shown_line(&it, VERDICT_PASS, "", 1, &zone);
    loaded->names_known = is_verbose;
    ck_assert(gate_shown_end(&it, LINE_AS(gate, line)));
    gate_shown_close(&it);
    zone_free(&zone);
    return testing_captured(STDOUT_FILENO);
}

START_TEST(what_is_known_stands_beside_the_verdict, "gate.programs.known")
{
    static const char *const words[FORMAT_COUNT] = {
        [FORMAT_TEXT] =
            "\nknown     2 known miscompiles in this stack; through sass and ptx on cuda:0 and\n"
            "          cuda:1: abs_s16; through sass on cuda:0 and cuda:1: set_lt_of_set\n"
            "          (TIMEOUT); not tried through ptx on cuda:0 and cuda:1 (it may hang):\n"
            "          set_lt_of_set.\nPASS  ",
        [FORMAT_JSON] =
            "\"known\":[{\"device\":\"cuda:0\",\"path\":\"sass\",\"id\":\"abs_s16\",\"verdict\":"
            "\"PASS\","
            "\"present\":true",
        [FORMAT_MARKDOWN] = "2 known miscompiles in this stack; through sass and ptx on cuda:0 and "
                            "cuda:1: abs_s16; "};
    for (int format = FORMAT_TEXT; format <= FORMAT_MARKDOWN; format++) {
        if (words[format] == NULL)
            continue;
        const char *text = shown(format, true);
        ASSERT_HAS(text, words[format]);
        ASSERT_LACKS(text, "neg_s16");
    }
    /* Without -v only their number; JSON has them in any case. */
    ASSERT_HAS(shown(FORMAT_TEXT, false),
               "\nknown     2 known miscompiles in this stack; 1 not tried; -v "
               "names them.\nPASS  ");
    ASSERT_HAS(shown(FORMAT_JSON, false), words[FORMAT_JSON]);
    ASSERT_HAS(shown(FORMAT_MARKDOWN, false),
               "\n2 known miscompiles in this stack; 1 not tried; -v names them");
}

START_TEST(a_part_says_what_was_compiled_now, "gate.parts.compiled")
{
    static const char words[] = "; 8 modules: 7 compiled, 1 from the cache";
    for (int format = FORMAT_TEXT; format <= FORMAT_MARKDOWN; format++) {
        char *text = shown(format, false), *to = text;
        for (const char *at = text; *at; at++) /* lines are wrapped */
            if (*at != '\n' && (*at != ' ' || to == text || to[-1] != ' '))
                *to++ = *at;
            else if (to > text && to[-1] != ' ')
                *to++ = ' ';
        *to = 0;
        ASSERT_HAS(text, words);
    }
}

START_TEST(a_better_stack_is_better_than_its_baseline, "gate.verdict.whole")
{
    ck_assert_str_eq(gate_shown_agreed(CHANGE_SAME), "SAME as the baseline");
    ck_assert_str_eq(gate_shown_agreed(CHANGE_BETTER), "BETTER than the baseline");
}

/* Speed is that of machine code or, on a GPU that the program has none for, of what the driver
 * compiles; a path that the user names stays. */
START_TEST(speed_has_a_path_that_runs, "gate.parts.speeds")
{
    const struct gate_part *part = find_part("speed");
    const struct device_info unseen = {.limits = {.compute_capability = 137}};
    struct options known = {.device = "all"}, other = known, named = {.paths = "sass"};
    named.given.paths = true;
    if (images[0].fatbin_bytes == 0) { /* a build without CUDA code lacks no architecture's alone */
        ck_assert(!catalog_lacks_code(path_find("sass"), 137));
        return;
    }
    part->adjust(&known, &unknown);
    ck_assert_str_eq(known.paths, "sass");
    part->adjust(&other, &unseen);
    ck_assert_str_eq(other.paths, "ptx");
    part->adjust(&named, &unseen);
    ck_assert_str_eq(named.paths, "sass");
    const int sass = path_find("sass");
    ck_assert(catalog_lacks_code(sass, 137) && !catalog_lacks_code(path_find("ptx"), 137));
    ck_assert(!catalog_has_path(sass, &unseen, NULL) && !catalog_has_path(sass, &unseen, "all"));
    ck_assert(catalog_has_path(sass, &unseen, "all,sass"));
    ck_assert_int_eq(catalog_first_path(&unseen, NULL), path_find("ptx"));
}
