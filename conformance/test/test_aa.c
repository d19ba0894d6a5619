/* A stack compared with itself: the repeats of one long bench, any three of one half judged by the
 * floor that follows from the other half, and of every bench by the floors that are shipped. With
 * AA_RECORDS in the environment they are those of that folder's records (as a bench writes them, or
 * reduced by reduce_record), else they are made up with an H200's noise. */
#include <glob.h>
#include <stdlib.h>
#include <string.h>

#include "conformance/bench/floors.h"
#include "conformance/bench/run.h"
#include "conformance/test/noise.h"
#include "spec/testing.h"

enum { ROWS_MAX = 4096, TRIPLE = 3, REPEATS_LEAST = 4 * TRIPLE };

/* What is left of a kernel's speed that has lost 3 %. */
static const double lost_speed = 0.97;

struct series {
    char name[256];
    bool cached;    /* regime l2 */
    double shipped; /* the floor of spec/floors.json, 0 where none was measured */
    int repeats;
    struct interval fraction[BENCH_REPEATS_MAX];
};

struct recording {
    int count, files;
    struct series rows[ROWS_MAX];
};

/* Of a kernel as it was measured (well), and of the same one made slower (ill). */
struct outcome {
    long well, well_failed, well_undecided;
    long ill, ill_failed, ill_undecided;
    long wide; /* of a kernel that moves by so much that no floor can find 3 % (regime l2) */
};

static struct interval slower(struct interval it, double speed)
{
    return (struct interval){it.lower * speed, it.median * speed, it.upper * speed};
}

static void judge_triple(const struct interval repeats[TRIPLE], double floor, bool wide,
                         struct outcome *outcome)
{
    struct interval ill[TRIPLE];
    enum judgement judgement = statistics_judge(repeats, TRIPLE, floor);
    outcome->well++;
    outcome->well_failed += judgement == JUDGEMENT_BELOW;
    outcome->well_undecided += judgement == JUDGEMENT_UNDECIDED;
    outcome->wide += wide;
    if (wide)
        return;
    for (int index = 0; index < TRIPLE; index++)
        ill[index] = slower(repeats[index], lost_speed);
    judgement = statistics_judge(ill, TRIPLE, floor);
    outcome->ill++;
    outcome->ill_failed += judgement == JUDGEMENT_BELOW;
    outcome->ill_undecided += judgement == JUDGEMENT_UNDECIDED;
}

static void judge_triples(const struct interval *repeats, int count, double floor, bool wide,
                          struct outcome *outcome)
{
    for (int i = 0; i < count; i++)
        for (int j = i + 1; j < count; j++)
            for (int k = j + 1; k < count; k++)
                judge_triple((const struct interval[TRIPLE]){repeats[i], repeats[j], repeats[k]},
                             floor, wide, outcome);
}

/* All triples of the odd repeats by the floor of the even ones, or the other way round. */
static void judge_half(const struct series *row, int half, struct outcome *outcome)
{
    double own[BENCH_REPEATS_MAX];
    struct interval rest[BENCH_REPEATS_MAX];
    int own_count = 0, count = 0;
    for (int index = 0; index < row->repeats; index++) {
        if (index % 2 == half)
            own[own_count++] = row->fraction[index].median;
        else
            rest[count++] = row->fraction[index];
    }
    double spread = statistics_spread(own, own_count);
    struct floor_span span = floors_span(statistics_median(own, own_count), spread);
    double floor = floors_fraction(span);
    bool wide = floor > 0 && floor <= span.highest * (1 - BENCH_LOSS);
    if (floor > 0)
        judge_triples(rest, count, floor, wide, outcome);
    ck_assert_msg(!wide || row->cached, "%s: 3 %% cannot be found", row->name);
}

static struct outcome judge_all(const struct recording *recording)
{
    struct outcome all = {0};
    for (int index = 0; index < recording->count; index++) {
        const struct series *row = &recording->rows[index];
        struct outcome own = {0};
        if (row->repeats < REPEATS_LEAST)
            continue;
        for (int half = 0; half < 2; half++)
            judge_half(row, half, &own);
        if (own.well_failed > 0 || own.well_undecided > 0 || own.ill_failed < own.ill || own.wide)
            fprintf(stderr,
                    "%s: of %ld as measured %ld fail and %ld are undecided; of %ld made slower %ld "
                    "fail and %ld are undecided; in %ld the floor cannot find it\n",
                    row->name, own.well, own.well_failed, own.well_undecided, own.ill,
                    own.ill_failed, own.ill_undecided, own.wide);
        all.well += own.well;
        all.well_failed += own.well_failed;
        all.well_undecided += own.well_undecided;
        all.ill += own.ill;
        all.ill_failed += own.ill_failed;
        all.ill_undecided += own.ill_undecided;
        all.wide += own.wide;
    }
    fprintf(stderr,
            "%d rows of %d records: of %ld comparisons as measured %ld FAIL, %ld INCONCLUSIVE; of "
            "%ld made 3 %% slower %ld FAIL, %ld INCONCLUSIVE; in %ld the floor cannot find it\n",
            recording->count, recording->files, all.well, all.well_failed, all.well_undecided,
            all.ill, all.ill_failed, all.ill_undecided, all.wide);
    return all;
}

/* The shipped floor of the device that the record names; 0 where that is not a measured one. */
static double shipped_floor(const struct floors *floors, const struct device_info *info,
                            const json_t *bench)
{
    struct floor_key key = {.kernel = json_string_value(json_object_get(bench, "kernel")),
                            .shape = json_string_value(json_object_get(bench, "shape")),
                            .element_bytes =
                                (int)json_integer_value(json_object_get(bench, "element_bytes")),
                            .sector_efficiency = 1};
    const char *regime = json_string_value(json_object_get(bench, "regime"));
    key.regime = strcmp(regime, regime_name(REGIME_L2)) == 0 ? REGIME_L2 : REGIME_DRAM;
    struct floor floor = floors_kernel(floors, info, &key);
    return floor.measured ? floor.limit : 0;
}

static void read_device(const json_t *device, struct device_info *ret)
{
    const char *capability = json_string_value(json_object_get(device, "compute_capability"));
    const char *name = json_string_value(json_object_get(device, "name"));
    ck_assert(capability != NULL && name != NULL);
    snprintf(ret->name, sizeof ret->name, "%s", name);
    ret->limits.compute_capability = (int)(10 * strtod(capability, NULL) + 0.5);
}

static void read_series(const json_t *bench, struct series *ret)
{
    const json_t *repeats = json_object_get(bench, "fraction_of_ceiling");
    const char *kernel, *path, *shape, *regime;
    ck_assert_int_eq(json_unpack((json_t *)bench, "{s:s, s:s, s:s, s:s}", "kernel", &kernel, "path",
                                 &path, "shape", &shape, "regime", &regime),
                     0);
    snprintf(ret->name, sizeof ret->name, "%s through %s, %s, %s", kernel, path, shape, regime);
    ret->cached = strcmp(regime, "l2") == 0;
    ret->repeats = (int)json_array_size(repeats);
    ck_assert_int_le(ret->repeats, BENCH_REPEATS_MAX);
    for (int index = 0; index < ret->repeats; index++) {
        struct interval *it = &ret->fraction[index];
        ck_assert_int_eq(json_unpack(json_array_get(repeats, (size_t)index), "{s:F, s:F, s:F}",
                                     "lower", &it->lower, "median", &it->median, "upper",
                                     &it->upper),
                         0);
    }
}

static void read_record(struct recording *recording, FILE *file, const struct floors *floors)
{
    char *text = NULL;
    size_t text_bytes = 0;
    struct device_info info = {.name = ""};
    recording->files++;
    while (getline(&text, &text_bytes, file) > 0) {
        json_error_t error;
        json_t *line = json_loads(text, 0, &error);
        ck_assert_msg(line != NULL, "%s: %.60s", error.text, text);
        const json_t *bench = json_object_get(line, "bench");
        if (json_is_object(json_object_get(line, "device")))
            read_device(json_object_get(line, "device"), &info);
        if (bench) {
            ck_assert_int_lt(recording->count, ROWS_MAX);
            struct series *row = &recording->rows[recording->count++];
            read_series(bench, row);
            row->shipped = shipped_floor(floors, &info, bench);
        }
        json_decref(line);
    }
    free(text);
    fclose(file);
}

/* The record of a bench of 30 repeats, whose own speed each moves by `drift` about the true one. */
static FILE *make_record(double drift)
{
    FILE *file = tmpfile();
    ck_assert_ptr_nonnull(file);
    fprintf(file, "{\"record\":\"assay\",\"version\":1}\n");
    for (uint64_t row = 0; row < 20; row++) {
        uint64_t counter = 0;
        double gbps = 400 * (double)(row % 10 + 1);
        json_t *repeats = json_array();
        for (int repeat = 0; repeat < 30; repeat++) {
            double moved = gbps * (1 + drift * noise_normal(row, &counter));
            struct interval it = statistics_ratio(noise_repeat(moved, BENCH_SAMPLES, row, &counter),
                                                  noise_repeat(4236, BENCH_SAMPLES, row, &counter));
            json_array_append_new(repeats, json_pack("{s:f, s:f, s:f}", "lower", it.lower, "median",
                                                     it.median, "upper", it.upper));
        }
        char name[32];
        snprintf(name, sizeof name, "made/up_%d", (int)row);
        json_t *line =
            json_pack("{s:{s:s, s:s, s:s, s:s, s:o}}", "bench", "kernel", name, "path", "sass",
                      "shape", "line", "regime", "dram", "fraction_of_ceiling", repeats);
        json_dumpf(line, file, JSON_COMPACT | JSON_REAL_PRECISION(5));
        fputc('\n', file);
        json_decref(line);
    }
    rewind(file);
    return file;
}

/* The records of AA_RECORDS, or a made-up one. To be freed. */
static struct recording *read_recording(void)
{
    struct recording *recording = calloc(1, sizeof *recording);
    const char *folder = getenv("AA_RECORDS");
    char pattern[4096], why[FLOORS_WHY_BYTES];
    glob_t found = {0};
    struct floors floors;
    ck_assert_ptr_nonnull(recording);
    ck_assert_msg(floors_open(NULL, &floors, why, sizeof why), "%s", why);
    if (folder == NULL) {
        read_record(recording, make_record(0.0005), &floors);
    } else {
        snprintf(pattern, sizeof pattern, "%s/*.json", folder);
        ck_assert_int_eq(glob(pattern, 0, NULL, &found), 0);
        for (size_t index = 0; index < found.gl_pathc; index++) {
            FILE *file = fopen(found.gl_pathv[index], "r");
            ck_assert_msg(file != NULL, "%s cannot be read", found.gl_pathv[index]);
            read_record(recording, file, &floors);
        }
        globfree(&found);
    }
    floors_close(&floors);
    return recording;
}

START_TEST(a_stack_agrees_with_itself)
{
    CLAUSE("bandwidth.verdict.recorded");
    struct recording *recording = read_recording();
    struct outcome outcome = judge_all(recording);
    ck_assert_int_ge(outcome.well, 10000);
    ck_assert_int_le(1000 * outcome.well_failed, outcome.well);
    ck_assert_int_ge(100 * outcome.ill_failed, 99 * outcome.ill);
    free(recording);
}
END_TEST

static double median_of(const struct series *row)
{
    return bench_median(row->fraction, row->repeats);
}

/* True where the GPUs that were recorded lie so far apart that the fastest, having lost 3 %, is
 * hardly slower than the slowest. */
static bool gpus_lie_apart(const struct recording *recording, const struct series *row)
{
    double lowest = median_of(row), highest = lowest;
    for (int index = 0; index < recording->count; index++) {
        const struct series *other = &recording->rows[index];
        if (strcmp(other->name, row->name) != 0)
            continue;
        lowest = median_of(other) < lowest ? median_of(other) : lowest;
        highest = median_of(other) > highest ? median_of(other) : highest;
    }
    return highest * lost_speed > 0.995 * lowest;
}

/* The floors that are shipped, joined from several GPUs, pass each recorded one and find 3 % in
 * DRAM on it. */
START_TEST(shipped_floors_agree)
{
    CLAUSE("bandwidth.verdict.recorded");
    CLAUSE("bandwidth.floor.kind");
    struct recording *recording = read_recording();
    struct outcome outcome = {0};
    int judged = 0, memory_rows = 0, apart_rows = 0;
    for (int index = 0; index < recording->count; index++) {
        const struct series *row = &recording->rows[index];
        bool apart = gpus_lie_apart(recording, row);
        judged += row->shipped > 0;
        memory_rows += !row->cached;
        apart_rows += !row->cached && apart;
        if (row->shipped > 0)
            judge_triples(row->fraction, row->repeats, row->shipped, row->cached || apart,
                          &outcome);
    }
    ck_assert_int_le(20 * apart_rows, memory_rows);
    fprintf(stderr,
            "shipped floors: of %ld comparisons %ld FAIL, %ld INCONCLUSIVE; of %ld made 3 %% "
            "slower %ld\n",
            outcome.well, outcome.well_failed, outcome.well_undecided, outcome.ill,
            outcome.ill_failed);
    ck_assert_int_le(1000 * outcome.well_failed, outcome.well);
    ck_assert_int_le(100 * outcome.well_undecided, outcome.well);
    ck_assert_int_ge(100 * outcome.ill_failed, 99 * outcome.ill);
    /* A made-up record names no kernel that there is; of real ones most rows have a floor. */
    ck_assert(getenv("AA_RECORDS") ? 10 * judged > 8 * recording->count : judged == 0);
    free(recording);
}
END_TEST

/* The counting can fail: against a floor that lies too high, and one that lies too low. */
START_TEST(wrong_floors_are_noticed)
{
    CLAUSE("bandwidth.verdict.recorded");
    struct interval repeats[TRIPLE];
    struct outcome high = {0}, low = {0};
    for (int index = 0; index < TRIPLE; index++)
        repeats[index] = (struct interval){0.599, 0.6, 0.601};
    judge_triple(repeats, 0.61, false, &high);
    judge_triple(repeats, 0.57, false, &low);
    ck_assert(high.well_failed == 1 && high.ill_failed == 1);
    ck_assert(low.well_failed == 0 && low.ill_failed == 0 && low.ill == 1);
}
END_TEST

int main(int argc, char **argv)
{
    const struct testing_test tests[] = {
        {"a stack agrees with itself", a_stack_agrees_with_itself},
        {"shipped floors agree", shipped_floors_agree},
        {"wrong floors are noticed", wrong_floors_are_noticed},
        {NULL, NULL},
    };
    return testing_main(argc, argv, "aa", tests);
}
