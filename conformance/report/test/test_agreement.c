/* Two runs compared with each other: GPUs are paired by UUID, digests of the same cases compared,
 * and what the later run did not check is no pass. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "conformance/report/agreement.h"
#include "conformance/base/reason.h"
#include "conformance/report/assessment.h"
#include "spec/testing.h"

enum { CASES = 80, ROWS_MAX = 6 };

/* What the host device gives as its own. */
#define HOST_UUID "GPU-61737361-7920-686f-7374-000000000000"

/* A row of aat/tiled on a device: so many of the cases passed, the others were declined. */
struct made_row {
    const char *label, *uuid, *path;
    int passed;
    const char *digest;
};

struct made_run {
    const char *commit, *seed;
    struct made_row rows[ROWS_MAX]; /* a NULL label ends them */
};

/* "x", "y": the different values of a column. */
static void put_names(FILE *file, const struct made_run *run, bool labels)
{
    const char *seen[ROWS_MAX];
    int count = 0;
    for (const struct made_row *row = run->rows; row->label; row++) {
        const char *name = labels ? row->label : row->path;
        int before = 0;
        while (before < count && strcmp(seen[before], name) != 0)
            before++;
        if (before < count)
            continue;
        fprintf(file, "%s\"%s\"", count ? "," : "", name);
        seen[count++] = name;
    }
}

/* A record that bears out its PASS, as text; the caller frees. */
static char *make_text(const struct made_run *run)
{
    char *text = NULL;
    size_t bytes = 0;
    FILE *file = open_memstream(&text, &bytes);
    int passed = 0, rows = 0, devices = 0;
    const char *device = "";
    fprintf(file,
            "{\"record\":\"assay\",\"version\":1,\"assay\":\"0.1.0\",\"commit\":\"%s\","
            "\"seed\":\"%s\",\"tier\":\"smoke\",\"corpus\":\"0x1\",\"cases_planned\":%d,"
            "\"kernels\":[\"aat/tiled\"],\"devices\":[",
            run->commit, run->seed, CASES);
    put_names(file, run, true);
    fputs("],\"paths\":[", file);
    put_names(file, run, false);
    fputs("]}\n", file);
    for (const struct made_row *row = run->rows; row->label; row++, rows++) {
        passed += row->passed;
        if (strcmp(device, row->label) == 0)
            continue;
        devices++;
        device = row->label;
        fprintf(file, "{\"device\":{\"label\":\"%s\",\"uuid\":\"%s\"}}\n", device, row->uuid);
        for (int index = 0; index < CASES; index++) {
            int checks = 0;
            for (const struct made_row *each = run->rows; each->label; each++)
                checks += strcmp(each->label, device) == 0;
            fprintf(file, "{\"case\":\"aat m=1\",\"index\":%d,\"device\":\"%s\",\"checks\":%d}\n",
                    index, device, checks);
        }
    }
    fprintf(
        file,
        "{\"summary\":{\"verdict\":\"PASS\",\"reason\":\"\",\"exit_status\":0,\"cases_done\":%d,"
        "\"passed\":%d,\"fail\":0,\"crash\":0,\"timeout\":0,\"skip\":0,\"error\":0,"
        "\"declined\":%d,\"rows\":[",
        devices * CASES, passed, rows * CASES - passed);
    for (const struct made_row *row = run->rows; row->label; row++)
        fprintf(file,
                "%s{\"device\":\"%s\",\"kernel\":\"aat/tiled\",\"path\":\"%s\",\"verdict\":"
                "\"PASS\",\"xxh3_128\":\"%s%030d\",\"passed\":%d,\"declined\":%d}",
                row == run->rows ? "" : ",", row->label, row->path, row->digest, 0, row->passed,
                CASES - row->passed);
    fputs("]}}\n", file);
    fclose(file);
    return text;
}

static void add_run(struct loaded *loaded, const char *path, const struct made_run *run)
{
    char *text = make_text(run);
    struct reason reason = {.text = ""};
    ck_assert_msg(loaded_parse(loaded, path, text, strlen(text), &reason), "%s", reason.text);
    free(text);
}

#define RUN(commit, seed, ...)                                                                     \
    {                                                                                              \
        commit, seed,                                                                              \
        {                                                                                          \
            __VA_ARGS__                                                                            \
        }                                                                                          \
    }
#define RUN_OF(...) RUN("c", "0x1", __VA_ARGS__)

static const struct made_run first =
    RUN_OF({"cuda:0", "GPU-a", "sass", 76, "aa"}, {"cuda:0", "GPU-a", "ptx", 76, "aa"});
static const struct made_run two_gpus =
    RUN_OF({"cuda:0", "GPU-a", "sass", 76, "aa"}, {"cuda:1", "GPU-b", "sass", 70, "bb"});

struct row {
    const char *what;
    const struct made_run *before;
    struct made_run after;
    bool same_cases;
    size_t same, uneven, differ, devices, lost;
    enum verdict verdict;
    const char *reason;
};

static const struct row table[] = {
    {"the same", &first,
     RUN_OF({"cuda:0", "GPU-a", "sass", 76, "aa"}, {"cuda:0", "GPU-a", "ptx", 76, "aa"}), true, 2,
     0, 0, 1, 0, VERDICT_PASS, ""},
    {"other bits", &first,
     RUN_OF({"cuda:0", "GPU-a", "sass", 76, "aa"}, {"cuda:0", "GPU-a", "ptx", 76, "ab"}), true, 1,
     0, 1, 1, 0, VERDICT_FAIL, "aat/tiled through ptx differs between a and b on the same cases"},
    {"a path is missing", &first, RUN_OF({"cuda:0", "GPU-a", "sass", 76, "aa"}), true, 1, 0, 0, 1,
     1, VERDICT_INCONCLUSIVE, "aat/tiled through ptx was not checked on GPU-a"},
    {"76 checks became 1", &first,
     RUN_OF({"cuda:0", "GPU-a", "sass", 1, "ac"}, {"cuda:0", "GPU-a", "ptx", 76, "aa"}), true, 1, 1,
     0, 1, 1, VERDICT_INCONCLUSIVE,
     "aat/tiled through sass passed 1 of 76 checks that it had on GPU-a"},
    {"more checks", &first,
     RUN_OF({"cuda:0", "GPU-a", "sass", 77, "ad"}, {"cuda:0", "GPU-a", "ptx", 76, "aa"}), true, 1,
     1, 0, 1, 0, VERDICT_PASS, ""},
    {"a GPU is gone", &two_gpus, RUN_OF({"cuda:0", "GPU-a", "sass", 76, "aa"}), true, 1, 0, 0, 1, 1,
     VERDICT_INCONCLUSIVE, "b does not check all that a did: GPU-b was not checked"},
    {"a GPU was replaced", &first,
     RUN_OF({"cuda:0", "GPU-z", "sass", 76, "aa"}, {"cuda:0", "GPU-z", "ptx", 76, "aa"}), true, 0,
     0, 0, 0, 1, VERDICT_INCONCLUSIVE, "GPU-a was not checked"},
    {"labels changed places", &two_gpus,
     RUN_OF({"cuda:0", "GPU-b", "sass", 70, "bb"}, {"cuda:1", "GPU-a", "sass", 76, "aa"}), true, 2,
     0, 0, 2, 0, VERDICT_PASS, ""},
    {"a GPU more", &first,
     RUN_OF({"cuda:0", "GPU-n", "sass", 76, "aa"}, {"cuda:0", "GPU-n", "ptx", 76, "aa"},
            {"cuda:1", "GPU-a", "sass", 76, "aa"}, {"cuda:1", "GPU-a", "ptx", 76, "aa"}),
     true, 2, 0, 0, 1, 0, VERDICT_PASS, ""},
    {"the CPU in its place", &first, RUN_OF({"host", HOST_UUID, "host", 76, "aa"}), true, 2, 0, 0,
     0, 1, VERDICT_INCONCLUSIVE, "GPU-a was not checked"},
    {"the CPU has other bits", &first, RUN_OF({"host", HOST_UUID, "host", 76, "ab"}), true, 0, 0, 2,
     0, 1, VERDICT_FAIL, "aat/tiled through host differs"},
    {"another seed, no ptx", &first, RUN("c", "0x2", {"cuda:0", "GPU-a", "sass", 76, "ab"}), false,
     0, 0, 0, 1, 1, VERDICT_INCONCLUSIVE, "aat/tiled through ptx was not checked on GPU-a"},
    {"another seed, a GPU less", &two_gpus, RUN("c", "0x2", {"cuda:0", "GPU-b", "sass", 7, "ab"}),
     false, 0, 0, 0, 1, 1, VERDICT_INCONCLUSIVE, "GPU-a was not checked"},
    {"another seed, fewer checks", &two_gpus,
     RUN("c", "0x2", {"cuda:0", "GPU-a", "sass", 7, "ab"}, {"cuda:1", "GPU-b", "sass", 9, "ab"}),
     false, 0, 0, 0, 2, 0, VERDICT_INCONCLUSIVE, "the digests of a and b were not compared"},
    {"another commit", &first,
     RUN("d", "0x1", {"cuda:0", "GPU-a", "sass", 76, "ab"}, {"cuda:0", "GPU-a", "ptx", 76, "ab"}),
     false, 0, 0, 0, 1, 0, VERDICT_INCONCLUSIVE, "the digests of a and b were not compared"},
    {"another commit, no ptx", &first, RUN("d", "0x1", {"cuda:0", "GPU-a", "sass", 76, "ab"}),
     false, 0, 0, 0, 1, 1, VERDICT_INCONCLUSIVE, "aat/tiled through ptx was not checked on GPU-a"},
};

/* The sentence of what is the same: there as soon as anything was compared. */
static void check_sentence(const struct loaded *loaded, const struct row *row)
{
    char *text = NULL, words[64] = "";
    size_t bytes = 0;
    FILE *file = open_memstream(&text, &bytes);
    agreement_put_same(file, loaded, 1);
    fclose(file);
    if (row->same + row->differ > 0)
        snprintf(words, sizeof words, "the same bits in %zu of %zu digest", row->same,
                 row->same + row->differ);
    ck_assert_msg(words[0] ? strstr(text, words) != NULL : bytes == 0, "%s: '%s', not '%s'",
                  row->what, text, words);
    free(text);
}

START_TEST(runs_are_compared)
{
    CLAUSE("report.digest.compared");
    CLAUSE("report.digest.complete");
    for (size_t index = 0; index < sizeof table / sizeof table[0]; index++) {
        const struct row *row = &table[index];
        struct loaded *loaded = calloc(1, sizeof *loaded);
        struct assessment assessment;
        add_run(loaded, "a", row->before);
        add_run(loaded, "b", &row->after);
        struct agreement it = agreement_of(loaded, 1, 0);
        ck_assert_msg(it.same_cases == row->same_cases && it.same == row->same &&
                          it.uneven == row->uneven && it.differ == row->differ &&
                          it.devices == row->devices && it.lost == row->lost,
                      "%s: %zu same, %zu uneven, %zu differ, %zu devices, %zu lost", row->what,
                      it.same, it.uneven, it.differ, it.devices, it.lost);
        check_sentence(loaded, row);
        assess_records(loaded, &assessment);
        ck_assert_msg(assessment.verdict == row->verdict && strstr(assessment.reason, row->reason),
                      "%s: %s, %s", row->what, verdict_name(assessment.verdict), assessment.reason);
        char *text = assess_unchecked(loaded);
        ck_assert_msg(it.lost == 0 || strstr(text, it.lost_first), "%s: %s", row->what, text);
        free(text);
        ck_assert_ptr_null(agreement_of(loaded, 0, 0).first);
        loaded_close(loaded);
        free(loaded);
    }
}
END_TEST

START_TEST(a_run_of_the_cpu_asks_for_no_gpu)
{
    CLAUSE("report.digest.complete");
    static const struct made_run host = RUN_OF({"host", HOST_UUID, "host", 76, "aa"});
    struct loaded *loaded = calloc(1, sizeof *loaded);
    struct assessment assessment;
    add_run(loaded, "a", &host);
    add_run(loaded, "b", &first);
    assess_records(loaded, &assessment);
    ck_assert_msg(assessment.verdict == VERDICT_PASS, "%s", assessment.reason);
    ck_assert_uint_eq(agreement_of(loaded, 1, 0).same, 2);
    loaded_close(loaded);
    free(loaded);
}
END_TEST

/* The third run lacks what the second had and the first did not: a GPU, or the bits that were
 * comparable. */
START_TEST(every_earlier_run_is_held_against)
{
    CLAUSE("report.digest.compared");
    CLAUSE("report.digest.complete");
    static const struct made_run one = RUN_OF({"cuda:0", "GPU-a", "sass", 76, "aa"});
    static const struct made_run fewer = RUN_OF({"cuda:0", "GPU-a", "sass", 70, "bb"});
    static const struct made_run other = RUN_OF({"cuda:0", "GPU-a", "sass", 76, "ab"});
    static const struct made_run later = {"c", "0x2", {{"cuda:0", "GPU-a", "sass", 76, "cc"}}};
    static const struct {
        const struct made_run *runs[3];
        enum verdict verdict;
        const char *reason;
    } rows[] = {
        {{&one, &two_gpus, &one}, VERDICT_INCONCLUSIVE, "c does not check all that b did: GPU-b"},
        {{&two_gpus, &one, &two_gpus}, VERDICT_INCONCLUSIVE, "b does not check all that a did"},
        {{&fewer, &one, &other}, VERDICT_FAIL, "differs between b and c on the same cases"},
        {{&one, &two_gpus, &two_gpus}, VERDICT_PASS, ""},
        {{&one, &later, &one}, VERDICT_INCONCLUSIVE, "of a and b were not compared"},
        {{&later, &one, &later}, VERDICT_INCONCLUSIVE, "of a and b were not compared"},
    };
    for (size_t index = 0; index < sizeof rows / sizeof rows[0]; index++) {
        static const char *const names[] = {"a", "b", "c"};
        struct loaded *loaded = calloc(1, sizeof *loaded);
        struct assessment assessment;
        for (int run = 0; run < 3; run++)
            add_run(loaded, names[run], rows[index].runs[run]);
        assess_records(loaded, &assessment);
        ck_assert_msg(assessment.verdict == rows[index].verdict &&
                          strstr(assessment.reason, rows[index].reason),
                      "row %zu: %s, %s", index, verdict_name(assessment.verdict),
                      assessment.reason);
        char *text = assess_unchecked(loaded);
        ck_assert(index > 0 || strstr(text, "c compared with b: GPU-b was not checked."));
        free(text);
        text = assess_checked(loaded);
        ck_assert(index != 3 || strstr(text, "c compared with b: the same bits in 2 of 2 digests"));
        free(text);
        loaded_close(loaded);
        free(loaded);
    }
}
END_TEST

/* The record that has the same cases, not the nearest. */
START_TEST(the_one_with_the_same_cases_is_found)
{
    CLAUSE("report.digest.compared");
    static const struct made_run other = {"c", "0x2", {{"cuda:0", "GPU-a", "sass", 5, "bb"}}};
    struct loaded *loaded = calloc(1, sizeof *loaded);
    const struct made_run *const runs[] = {&other, &first, &first};
    char *text;
    for (size_t index = 0; index < 3; index++)
        add_run(loaded, index ? "same" : "other", runs[index]);
    ck_assert_ptr_eq(agreement_of(loaded, 2, 1).first, &loaded->records[1]);
    ck_assert_ptr_eq(agreement_of(loaded, 1, 0).first, &loaded->records[0]);
    text = assess_unchecked(loaded);
    ck_assert_ptr_nonnull(strstr(text, "same compared with other: digests not compared"));
    free(text);
    text = assess_checked(loaded);
    ck_assert_ptr_nonnull(strstr(text, "same compared with same: the same bits in 2 of 2 digests "
                                       "(kernel and path), on 1 device that both have."));
    free(text);
    loaded_close(loaded);
    free(loaded);
}
END_TEST

/* GPU `odd` of as many as a host may have is another. */
static char *make_many(int devices, int odd)
{
    char *text = NULL;
    size_t bytes = 0;
    FILE *file = open_memstream(&text, &bytes);
    fputs("{\"record\":\"assay\",\"version\":1,\"assay\":\"0.1.0\",\"commit\":\"c\",\"seed\":"
          "\"0x1\",\"tier\":\"smoke\",\"corpus\":\"0x1\",\"cases_planned\":1}\n",
          file);
    for (int device = 0; device < devices; device++)
        fprintf(file, "{\"device\":{\"label\":\"cuda:%d\",\"uuid\":\"GPU-%d\"}}\n", device,
                device == odd ? 9999 : device);
    fputs("{\"summary\":{\"verdict\":\"PASS\",\"rows\":[", file);
    for (int device = 0; device < devices; device++)
        fprintf(file,
                "%s{\"device\":\"cuda:%d\",\"kernel\":\"aat/tiled\",\"path\":\"sass\","
                "\"verdict\":\"PASS\",\"xxh3_128\":\"aa\",\"passed\":1}",
                device ? "," : "", device);
    fputs("]}}\n", file);
    fclose(file);
    return text;
}

/* The UUID of the last GPU counts as much as that of the first. */
START_TEST(every_gpu_is_paired_by_its_uuid)
{
    CLAUSE("report.digest.complete");
    for (int odd = 0; odd < LOADED_DEVICES_MAX; odd += 51) {
        struct loaded *loaded = calloc(1, sizeof *loaded);
        char expected[64];
        struct reason reason;
        char *before = make_many(LOADED_DEVICES_MAX, -1);
        char *after = make_many(LOADED_DEVICES_MAX, odd);
        ck_assert(loaded_parse(loaded, "a", before, strlen(before), &reason));
        ck_assert(loaded_parse(loaded, "b", after, strlen(after), &reason));
        struct agreement it = agreement_of(loaded, 1, 0);
        snprintf(expected, sizeof expected, "GPU-%d was not checked", odd);
        ck_assert_uint_eq(it.lost, 1);
        ck_assert_str_eq(it.lost_first, expected);
        loaded_close(loaded);
        free(loaded);
        free(before);
        free(after);
    }
}
END_TEST

/* A summary of so many rows, and nothing else. */
static char *make_rows(int count)
{
    char *text = NULL;
    size_t bytes = 0;
    FILE *file = open_memstream(&text, &bytes);
    fputs("{\"record\":\"assay\",\"version\":1,\"assay\":\"0.1.0\",\"commit\":\"c\",\"seed\":"
          "\"0x1\",\"tier\":\"smoke\",\"corpus\":\"0x1\",\"cases_planned\":1,\"devices\":["
          "\"cuda:0\"]}\n"
          "{\"summary\":{\"verdict\":\"INCONCLUSIVE\",\"rows\":[",
          file);
    for (int row = 0; row < count; row++)
        fprintf(file,
                "%s{\"device\":\"cuda:0\",\"kernel\":\"aat/k%d\",\"path\":\"sass\",\"verdict\":"
                "\"PASS\",\"xxh3_128\":\"%032d\",\"passed\":1}",
                row ? "," : "", row * 7919 % count, row * 7919 % count);
    fputs("]}}\n", file);
    fclose(file);
    return text;
}

/* Twenty thousand rows against as many: a product of the two would take a minute. */
START_TEST(many_rows_are_paired_soon)
{
    CLAUSE("report.size.bounded");
    enum { ROWS = 20011 }; /* a prime, so that the numbers are all there */
    struct loaded *loaded = calloc(1, sizeof *loaded);
    struct assessment assessment;
    char *text = make_rows(ROWS);
    struct reason reason;
    for (int record = 0; record < 2; record++)
        ck_assert(loaded_parse(loaded, record ? "b" : "a", text, strlen(text), &reason));
    struct agreement it = agreement_of(loaded, 1, 0);
    ck_assert_uint_eq(it.same, ROWS);
    ck_assert_uint_eq(it.lost, 0);
    assess_records(loaded, &assessment);
    ck_assert_int_eq(assessment.verdict, VERDICT_INCONCLUSIVE);
    free(assess_unchecked(loaded));
    loaded_close(loaded);
    free(loaded);
    free(text);
}
END_TEST
