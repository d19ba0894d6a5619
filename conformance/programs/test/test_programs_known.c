/* Known miscompiles whose checks come to no bits: what is evidence of a compiler, and what is not.
 */
#include "conformance/test/made_programs.h"

static struct options options;

#define KNOWN_LINE "program version=2 seed=1 statements=24 threads=1"

static struct programs *begin(void)
{
    static struct programs_row row;
    row = (struct programs_row){.path = path_find("host")};
    return made_programs(&options, &row, 1);
}

static void check_all(struct programs *programs)
{
    if (programs->count > 0) {
        programs_take_all(programs);
        programs_try_all(programs);
    } else {
        programs_check_late(programs);
    }
}

/* Checks each row of the list, or the programs, through workers that do as the script says. */
static void check(struct programs *programs, const char *script)
{
    programs_plan_known(programs);
    testing_keep(programs->checks, free);
    made_programs_work(programs, script, check_all);
}

START_TEST(a_crash_is_present_on_evidence_alone, "program_runs.known.evidence")
{
    static const struct {
        const char *script, *versions;
        enum verdict verdict;
        bool is_present;
        int workers;
        const char *note;
    } runs[] = {
        {"lost refuse", "host 1", VERDICT_ERROR, false, 2, "as the script says"},
        {"lost refuse", "host 0", VERDICT_ERROR, false, 2, "as the script says"},
        {"lost spoilt", "host 1", VERDICT_INCONCLUSIVE, false, 2,
         "it ended in CRASH once, but not again"},
        {"lost lost lost", "host 1", VERDICT_INCONCLUSIVE, false, 3,
         "it ended in CRASH, and another program on the same path in CRASH"},
        {"lost lost refuse", "host 1", VERDICT_ERROR, false, 3, "as the script says"},
        {"long_lost long_lost long_lost", "host 1", VERDICT_CRASH, true, 3,
         "the list marks this version as right"},
        {"long_lost long_lost", "host 0", VERDICT_CRASH, true, 2,
         "its row lists another kind of failure"},
        {"long_compiling_killed long_compiling_killed", "host 0", VERDICT_PASS, true, 2, ""},
        {"long_uncompiled", "host 0", VERDICT_PASS, true, 1, ""},
        {"long_uncompiled spoilt", "host 1", VERDICT_INCONCLUSIVE, false, 2,
         "it ended in CRASH once, but not again"},
        {"long_killed long_killed", "host 0", VERDICT_CRASH, true, 2,
         "its row lists another kind of failure"},
        {"killed killed", "host 0", VERDICT_INCONCLUSIVE, false, 2,
         "it ended in CRASH, and another program on the same path in CRASH"},
        {"killed refuse", "host 0", VERDICT_ERROR, false, 2, "as the script says"},
        {"misplaced misplaced", "host 1", VERDICT_FAIL, false, 2, "misplaced"},
        {"misplaced", "host 0", VERDICT_FAIL, false, 1, "misplaced"},
        {"long", "host 1", VERDICT_FAIL, true, 1, "the list marks this version as right"},
        {"long", "host 0", VERDICT_FAIL, true, 1, "its row lists another kind of failure"},
    };
    for (size_t run = 0; run < sizeof runs / sizeof runs[0]; run++) {
        struct programs *programs = begin();
        programs->known = (struct known_list){
            .count = 1, .rows = {{"it", "", runs[run].versions, "crash " KNOWN_LINE, "", ""}}};
        check(programs, runs[run].script);
        ck_assert_uint_eq(programs->check_count, 1);
        ck_assert_int_eq(programs->checks->finding.verdict, runs[run].verdict);
        ck_assert_int_eq(programs->checks->is_present, runs[run].is_present);
        ck_assert_str_eq(programs->checks->finding.note, runs[run].note);
        ck_assert_int_eq(fake_worker_count(), runs[run].workers);
    }
}

/* Wrong words are known where the row lists them: all of them, or their places. */
START_TEST(a_row_is_held_to_its_words, "program_runs.known.held")
{
    static const struct {
        const char *kind, *words;
        enum verdict verdict;
        const char *note;
    } runs[] = {
        {"", "", VERDICT_INCONCLUSIVE, "its row lists no wrong words"},
        {"", "0x000000000000002a", VERDICT_PASS, ""},
        {"wrong ", "0x000000000000002b 0x000000000000002a", VERDICT_PASS, ""},
        {"", "@0x0000000000000007", VERDICT_PASS, ""},
        {"", "0x0000000000000007 @0x000000000000002a", VERDICT_FAIL,
         "its row lists other wrong words"},
        {"crash wrong ", "0x000000000000002a", VERDICT_PASS, ""},
        {"crash wrong ", "", VERDICT_INCONCLUSIVE, "its row lists no wrong words"},
        {"crash ", "0x000000000000002a", VERDICT_FAIL, "its row lists another kind of failure"},
    };
    for (size_t run = 0; run < sizeof runs / sizeof runs[0]; run++) {
        struct programs *programs = begin();
        char line[128];
        snprintf(line, sizeof line, "%s%s", runs[run].kind, KNOWN_LINE);
        programs->known = (struct known_list){
            .count = 1, .rows = {{"it", "", "host 0", line, "", runs[run].words}}};
        check(programs, "long");
        ck_assert_int_eq(programs->checks->finding.verdict, runs[run].verdict);
        ck_assert_str_eq(programs->checks->finding.note, runs[run].note);
        ck_assert(programs->checks->is_present);
    }
}

/* What is broken as a whole costs no more workers for each row. */
START_TEST(a_path_is_found_broken_once, "program_runs.known.evidence")
{
    struct programs *programs = begin();
    programs->known =
        (struct known_list){.count = 2,
                            .rows = {{"one", "", "host 0", "crash " KNOWN_LINE, "", ""},
                                     {"two", "", "host 0", "crash " KNOWN_LINE, "", ""}}};
    check(programs, "lost lost lost spoilt");
    for (size_t index = 0; index < 2; index++) {
        ck_assert_int_eq(programs->checks[index].finding.verdict, VERDICT_INCONCLUSIVE);
        ck_assert(!programs->checks[index].is_present);
    }
    ck_assert_int_eq(fake_worker_count(), 3);
}

/* Memory at a wrong address is no program's fault, and no halves of the module are tried. */
START_TEST(memory_at_a_wrong_address_fails_a_module, "memory.alignment.allocations")
{
    struct programs *programs = begin();
    programs->line = KNOWN_LINE;
    enum { PROGRAMS = 3 };
    programs->count = PROGRAMS;
    check(programs, "misplaced");
    ck_assert_int_eq(fake_worker_count(), 1);
    ck_assert_uint_eq(programs->rows[0].counts[VERDICT_FAIL], PROGRAMS);
    ck_assert_uint_eq(programs->finding_count, 1);
    ck_assert_int_eq(programs->findings[0].finding.verdict, VERDICT_FAIL);
    ck_assert_str_eq(programs->findings[0].finding.note, "misplaced");
    ck_assert(!programs->findings[0].is_tried);
    free(programs->findings[0].line);
    free(programs->findings);
}
