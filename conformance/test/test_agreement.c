/* Digests of runs of the same cases: what is compared, what is not, and what a difference comes to.
 */
#include <stdlib.h>
#include <string.h>

#include "conformance/report/agreement.h"
#include "conformance/report/judgement.h"
#include "spec/testing.h"

#define HEADER(commit, seed)                                                                       \
    "{\"record\":\"assay\",\"version\":1,\"assay\":\"0.1.0\",\"commit\":\"" commit                 \
    "\",\"seed\":\"" seed "\",\"tier\":\"smoke\",\"corpus\":\"0x1\",\"cases_planned\":9}\n"
#define ROW(path, passed, digest)                                                                  \
    "{\"device\":\"d\",\"kernel\":\"aat/tiled\",\"path\":\"" path                                  \
    "\",\"verdict\":\"PASS\",\"xxh3_128\":\"" digest "\",\"passed\":" #passed "}"
#define RUN(rows)                                                                                  \
    "{\"summary\":{\"verdict\":\"PASS\",\"reason\":\"\",\"exit_status\":0,\"cases_done\":9,"       \
    "\"passed\":9,\"rows\":[" rows "]}}\n"

static const char first[] = HEADER("c", "0x1") RUN(ROW("sass", 5, "aa") "," ROW("ptx", 5, "aa"));

struct row {
    const char *second;
    bool same_cases;
    size_t same, uneven, differ;
    enum verdict verdict;
};

START_TEST(runs_are_compared)
{
    CLAUSE("report.digest.compared");
    static const struct row table[] = {
        {HEADER("c", "0x1") RUN(ROW("sass", 5, "aa") "," ROW("ptx", 5, "aa")), true, 2, 0, 0,
         VERDICT_PASS},
        {HEADER("c", "0x1") RUN(ROW("sass", 5, "aa") "," ROW("ptx", 5, "ab")), true, 1, 0, 1,
         VERDICT_FAIL},
        {HEADER("c", "0x1") RUN(ROW("sass", 4, "ab")), true, 0, 1, 0, VERDICT_PASS},
        {HEADER("c", "0x1") RUN(ROW("nvrtc", 5, "ab")), true, 0, 0, 0, VERDICT_PASS},
        {HEADER("c", "0x1") RUN(ROW("host", 5, "aa")), true, 2, 0, 0, VERDICT_PASS},
        {HEADER("c", "0x1") RUN(ROW("host", 5, "ab")), true, 0, 0, 2, VERDICT_FAIL},
        {HEADER("c", "0x2") RUN(ROW("sass", 5, "ab")), false, 0, 0, 0, VERDICT_PASS},
        {HEADER("d", "0x1") RUN(ROW("sass", 5, "ab")), false, 0, 0, 0, VERDICT_PASS},
        {HEADER("c", "0x1") RUN(""), false, 0, 0, 0, VERDICT_PASS},
    };
    for (size_t index = 0; index < sizeof table / sizeof table[0]; index++) {
        const struct row *row = &table[index];
        struct dossier *dossier = calloc(1, sizeof *dossier);
        struct judgement judgement;
        char why[256];
        ck_assert(dossier_parse(dossier, "a", first, strlen(first), why, sizeof why));
        ck_assert(dossier_parse(dossier, "b", row->second, strlen(row->second), why, sizeof why));
        struct agreement it = agreement_of(dossier, 1);
        ck_assert_msg(it.same_cases == row->same_cases && it.same == row->same &&
                          it.uneven == row->uneven && it.differ == row->differ,
                      "row %zu: %zu same, %zu uneven, %zu differ", index, it.same, it.uneven,
                      it.differ);
        judge_dossier(dossier, &judgement);
        ck_assert_msg(judgement.verdict == row->verdict, "row %zu: %s", index, judgement.reason);
        ck_assert_ptr_null(agreement_of(dossier, 0).first);
        dossier_close(dossier);
        free(dossier);
    }
}
END_TEST

/* The record that has the same cases, not the nearest. */
START_TEST(the_one_with_the_same_cases_is_found)
{
    CLAUSE("report.digest.compared");
    static const char other[] = HEADER("c", "0x2") RUN(ROW("sass", 5, "bb"));
    struct dossier *dossier = calloc(1, sizeof *dossier);
    const char *const records[] = {other, first, first};
    char why[256], *text;
    for (size_t index = 0; index < 3; index++)
        ck_assert(dossier_parse(dossier, index ? "same" : "other", records[index],
                                strlen(records[index]), why, sizeof why));
    ck_assert_ptr_eq(agreement_of(dossier, 2).first, &dossier->records[1]);
    ck_assert_ptr_eq(agreement_of(dossier, 1).first, &dossier->records[0]);
    text = judge_unchecked(dossier);
    ck_assert_ptr_nonnull(strstr(text, "same beside other: digests not compared"));
    free(text);
    text = judge_checked(dossier);
    ck_assert_ptr_nonnull(strstr(text, "same beside same: the same bits in 2 of 2 digests"));
    free(text);
    dossier_close(dossier);
    free(dossier);
}
END_TEST

int main(int argc, char **argv)
{
    const struct testing_test tests[] = {
        {"runs are compared", runs_are_compared},
        {"the one with the same cases is found", the_one_with_the_same_cases_is_found},
        {NULL, NULL},
    };
    return testing_main(argc, argv, "agreement", tests);
}
