/* A stack compared with itself: the repeats of one long bench, any three of one half judged by the
 * floor that follows from the other half, and of every bench by the floors that are shipped. With
 * AA_RECORDS in the environment they are those of the records that match this pattern of paths, all
 * of one GPU model (as a bench writes them, or reduced by reduce_record), else they are made up
 * with an H200's noise. */
#include "conformance/test/made_bench.h"
#include "conformance/test/made_record.h"
#include "conformance/test/recording.h"

enum { TRIPLE = 3, REPEATS_LEAST = 4 * TRIPLE };

/* What is left of a kernel's speed that has lost 3 %. */
static const double lost_speed = 0.97;

/* Of a kernel as it was measured (well), and of the same one made slower (faulty). */
struct decisions {
    long healthy, healthy_failed, healthy_undecided;
    long faulty, faulty_failed, faulty_undecided;
    long wide; /* of a kernel that moves by so much that no floor can find 3 % (regime l2) */
};

static struct interval scaled(struct interval it, double factor)
{
    return (struct interval){it.lower * factor, it.median * factor, it.upper * factor};
}

static void judge_triple(const struct interval repeats[TRIPLE], double floor, bool wide,
                         struct decisions *outcome)
{
    struct interval faulty[TRIPLE];
    enum comparison assessment = statistics_judge(repeats, TRIPLE, floor);
    outcome->healthy++;
    outcome->healthy_failed += assessment == COMPARISON_BELOW;
    outcome->healthy_undecided += assessment == COMPARISON_UNDECIDED;
    outcome->wide += wide;
    if (wide)
        return;
    for (int index = 0; index < TRIPLE; index++)
        faulty[index] = scaled(repeats[index], lost_speed);
    assessment = statistics_judge(faulty, TRIPLE, floor);
    outcome->faulty++;
    outcome->faulty_failed += assessment == COMPARISON_BELOW;
    outcome->faulty_undecided += assessment == COMPARISON_UNDECIDED;
}

static void judge_triples(const struct interval *repeats, int count, double floor, bool wide,
                          struct decisions *outcome)
{
    for (int i = 0; i < count; i++)
        for (int j = i + 1; j < count; j++)
            for (int k = j + 1; k < count; k++)
                judge_triple((const struct interval[TRIPLE]){repeats[i], repeats[j], repeats[k]},
                             floor, wide, outcome);
}

/* All triples of the odd repeats by the floor of the even ones, or the other way round. */
static void judge_half(const struct series *row, int half, struct decisions *outcome)
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
    struct floor_span span = floor_span_of(statistics_median(own, own_count), spread);
    double floor = floor_span_fraction(span);
    bool wide = floor > 0 && floor <= span.highest * (1 - BENCH_LOSS);
    if (floor > 0)
        judge_triples(rest, count, floor, wide, outcome);
    ck_assert_msg(!wide || row->regime == REGIME_L2, "%s: 3 %% cannot be found", row->name);
}

static struct decisions judge_all(const struct recording *recording)
{
    struct decisions all = {0};
    for (int index = 0; index < recording->count; index++) {
        const struct series *row = &recording->rows[index];
        struct decisions own = {0};
        if (row->repeats < REPEATS_LEAST)
            continue;
        for (int half = 0; half < 2; half++)
            judge_half(row, half, &own);
        if (own.healthy_failed > 0 || own.healthy_undecided > 0 || own.faulty_failed < own.faulty ||
            own.wide)
            fprintf(stderr,
                    "%s: of %ld as measured %ld fail and %ld are undecided; of %ld made slower %ld "
                    "fail and %ld are undecided; in %ld the floor cannot find it\n",
                    row->name, own.healthy, own.healthy_failed, own.healthy_undecided, own.faulty,
                    own.faulty_failed, own.faulty_undecided, own.wide);
        all.healthy += own.healthy;
        all.healthy_failed += own.healthy_failed;
        all.healthy_undecided += own.healthy_undecided;
        all.faulty += own.faulty;
        all.faulty_failed += own.faulty_failed;
        all.faulty_undecided += own.faulty_undecided;
        all.wide += own.wide;
    }
    fprintf(stderr,
            "%d rows of %d records: of %ld comparisons as measured %ld FAIL, %ld INCONCLUSIVE; of "
            "%ld made 3 %% slower %ld FAIL, %ld INCONCLUSIVE; in %ld the floor cannot find it\n",
            recording->count, recording->files, all.healthy, all.healthy_failed,
            all.healthy_undecided, all.faulty, all.faulty_failed, all.faulty_undecided, all.wide);
    return all;
}

START_TEST(a_stack_agrees_with_itself, "bandwidth.verdict.recorded")
{
    struct recording *recording = recording_read();
    struct decisions outcome = judge_all(recording);
    ck_assert_int_ge(outcome.healthy, 10000);
    ck_assert_int_le(1000 * outcome.healthy_failed, outcome.healthy);
    ck_assert_int_ge(100 * outcome.faulty_failed, 99 * outcome.faulty);
}

static double median_of(const struct series *row)
{
    return bench_median(row->fraction, row->repeats);
}

/* True if the GPUs that were recorded lie so far apart that the fastest, having lost 3 %, is
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

enum { GPUS_ENOUGH = 5 };

/* The floors that are shipped, joined from several GPUs, pass each recorded one, and those of
 * enough GPUs find 3 % in DRAM on it. */
START_TEST(shipped_floors_agree, "bandwidth.verdict.recorded", "bandwidth.floor.kind")
{
    struct recording *recording = recording_read();
    struct decisions outcome = {0};
    int judged = 0, memory_rows = 0, apart_rows = 0;
    for (int index = 0; index < recording->count; index++) {
        const struct series *row = &recording->rows[index];
        const bool apart = gpus_lie_apart(recording, row);
        const bool is_wide = row->regime == REGIME_L2 || apart || row->shipped_gpus < GPUS_ENOUGH;
        judged += row->shipped > 0;
        memory_rows += row->regime == REGIME_DRAM;
        apart_rows += row->regime == REGIME_DRAM && apart;
        if (row->shipped > 0)
            judge_triples(row->fraction, row->repeats, row->shipped, is_wide, &outcome);
    }
    ck_assert_int_le(20 * apart_rows, memory_rows);
    fprintf(stderr,
            "shipped floors: of %ld comparisons %ld FAIL, %ld INCONCLUSIVE; of %ld made 3 %% "
            "slower %ld\n",
            outcome.healthy, outcome.healthy_failed, outcome.healthy_undecided, outcome.faulty,
            outcome.faulty_failed);
    ck_assert_int_le(1000 * outcome.healthy_failed, outcome.healthy);
    ck_assert_int_le(100 * outcome.healthy_undecided, outcome.healthy);
    ck_assert_int_ge(100 * outcome.faulty_failed, 99 * outcome.faulty);
    /* A made-up record names no kernel that there is; of real ones most rows have a floor. */
    ck_assert(getenv("AA_RECORDS") ? 10 * judged > 8 * recording->count : judged == 0);
}

/* The floors that every recorded GPU makes but one, and nothing else. */
static struct floors floors_without(const struct recording *recording, const char *uuid)
{
    static const char empty[] =
        "{\"floors\": \"assay\", \"version\": 1, \"bandwidth_unit\": \"GB/s\", "
        "\"latency_unit\": \"us\", \"gpus\": [], \"relations\": []}";
    struct floor_measurements *others = made_measurements(true);
    struct floors base;
    struct reason reason = {.text = ""};
    ck_assert_msg(floors_parse("empty", empty, &base, &reason), "%s", reason.text);
    for (int file = 0; file < recording->files; file++)
        if (strcmp(recording->uuids[file], uuid) != 0)
            ck_assert_msg(floors_measure(others, recording->paths[file], &reason), "%s",
                          reason.text);
    made_json(base.root);
    return (struct floors){made_json(floors_make(&base, others, &reason))};
}

/* What the floors of the others say of one GPU: of all its rows, and of a loss of 3 % in those of
 * DRAM whose floors were made of enough GPUs, and of too few. */
struct held_out {
    struct decisions all, enough, few;
    int rows, enough_rows, few_rows;
};

static struct held_out hold_out(const struct recording *recording, const char *uuid)
{
    struct held_out held = {0};
    struct floors floors = floors_without(recording, uuid);
    for (int index = 0; index < recording->count; index++) {
        const struct series *row = &recording->rows[index];
        int gpus = 0;
        double floor = recording_floor(&floors, &recording->info, row, &gpus);
        if (strcmp(row->uuid, uuid) != 0 || floor <= 0)
            continue;
        bool few = gpus < GPUS_ENOUGH;
        held.rows++;
        judge_triples(row->fraction, row->repeats, floor, true, &held.all);
        if (row->regime != REGIME_DRAM)
            continue;
        held.few_rows += few;
        held.enough_rows += !few;
        judge_triples(row->fraction, row->repeats, floor, false, few ? &held.few : &held.enough);
    }
    return held;
}

static double share(const struct decisions *it)
{
    return it->faulty ? (double)it->faulty_failed / (double)it->faulty : 0;
}

static void tell_held_out(const char *uuid, const struct held_out *held)
{
    fprintf(stderr,
            "%s held out: of %ld comparisons in %d rows %ld FAIL, %ld INCONCLUSIVE; 3 %% found in "
            "%.1f %% of %d rows of %d GPUs and more, in %.1f %% of %d rows of fewer\n",
            uuid, held->all.healthy, held->rows, held->all.healthy_failed,
            held->all.healthy_undecided, 100 * share(&held->enough), held->enough_rows, GPUS_ENOUGH,
            100 * share(&held->few), held->few_rows);
}

/* However few GPUs of a model were recorded: its floors raise no alarm on any of them, nor those of
 * the others on each that is held out. */
START_TEST(a_model_of_few_gpus_raises_no_alarm, "bandwidth.verdict.recorded",
           "bandwidth.verdict.held_out")
{
    struct recording *recording = recording_read();
    struct decisions shipped = {0};
    for (int index = 0; index < recording->count; index++) {
        const struct series *row = &recording->rows[index];
        const bool is_wide = row->regime == REGIME_L2 || gpus_lie_apart(recording, row);
        ck_assert_msg(row->shipped > 0, "%s has no floor", row->name);
        judge_triples(row->fraction, row->repeats, row->shipped, is_wide, &shipped);
    }
    fprintf(stderr, "shipped floors: of %ld comparisons %ld FAIL; of %ld made 3 %% slower %ld\n",
            shipped.healthy, shipped.healthy_failed, shipped.faulty, shipped.faulty_failed);
    ck_assert_int_gt(shipped.healthy, 50000);
    ck_assert_int_eq(shipped.healthy_failed, 0);
    ck_assert_int_le(100 * shipped.healthy_undecided, shipped.healthy);
    ck_assert_int_ge(10 * shipped.faulty_failed, 9 * shipped.faulty);
    for (int file = 0; file < recording->files; file++) {
        const struct held_out held = hold_out(recording, recording->uuids[file]);
        tell_held_out(recording->uuids[file], &held);
        ck_assert_int_gt(held.rows, 100);
        ck_assert_int_eq(held.all.healthy_failed, 0);
        ck_assert_int_le(100 * held.all.healthy_undecided, held.all.healthy);
    }
}

/* A GPU that the floors were not made of: the next one of its kind, as far as the recorded ones can
 * stand for it. What counts is GPUs: each has one share, however often it was measured. */
START_TEST(each_gpu_is_held_out, "bandwidth.verdict.held_out")
{
    struct recording *recording = recording_read();
    double found = 0, few_found = 0;
    int gpus = 0, enough_gpus = 0, few_gpus = 0, l2_gpus = 0, alarmed = 0;
    for (int file = 0; file < recording->files; file++) {
        const char *uuid = recording->uuids[file];
        if (file > 0 && strcmp(uuid, recording->uuids[file - 1]) == 0)
            continue;
        struct held_out held = hold_out(recording, uuid);
        tell_held_out(uuid, &held);
        gpus++;
        few_gpus += held.few_rows > 0;
        alarmed += held.all.healthy_failed > 0;
        few_found += share(&held.few);
        ck_assert_int_ge(held.rows, 30);
        /* In the L2 cache: these are measured again, with two and four times the samples. */
        const bool is_of_l2 = held.enough_rows + held.few_rows == 0;
        ck_assert_int_le((is_of_l2 ? 10 : 100) * held.all.healthy_undecided, held.all.healthy);
        l2_gpus += is_of_l2;
        if (held.enough_rows < 30) /* of few GPUs' kernels, or of the L2 cache alone */
            continue;
        enough_gpus++;
        found += share(&held.enough);
        ck_assert_double_ge(share(&held.enough), 0.98);
    }
    fprintf(stderr,
            "%d of %d GPUs held out have a false alarm; 3 %% found in %.1f %%, of few %.1f %%\n",
            alarmed, gpus, 100 * found / enough_gpus, 100 * few_found / few_gpus);
    ck_assert_int_ge(gpus, 11);
    ck_assert_int_ge(l2_gpus, GPUS_ENOUGH + 1);
    ck_assert_int_ge(enough_gpus, 7);
    ck_assert_int_eq(alarmed, 0);
    ck_assert_double_ge(found / enough_gpus, 0.99);
    ck_assert(few_gpus == 0 || few_found / few_gpus < 0.1); /* as README says */
}

/* The bench of one record: its repeats, the copies from the rows that are held against them, and
 * those of one regime, with its kernels, `speed` times as fast. */
static struct bench *recorded_bench(const struct recording *recording, int file, enum regime regime,
                                    double speed)
{
    struct bench *bench = made_bench(90);
    for (int row = 0; row < bench->plan.row_count; row++)
        bench->results[row].measured = false;
    for (int index = 0; index < recording->count; index++) {
        const struct series *it = &recording->rows[index];
        if (strcmp(it->uuid, recording->uuids[file]) != 0 || it->kernel[0] == 0)
            continue;
        int row = made_row(bench, it->kernel, it->shape, it->regime);
        bench->results[row].measured = true;
        const struct bench_group *group = &bench->plan.groups[bench->plan.rows[row].group];
        /* As a bench has it: groups that share copies are held against those of one. */
        struct interval *best = bench->ceilings[group->ceiling < 0 ? 0 : group->ceiling].best;
        bench->repeats = it->repeats;
        for (int repeat = 0; repeat < it->repeats; repeat++) {
            double factor = it->regime == regime ? speed : 1;
            double ceiling = it->gbps[repeat] / it->fraction[repeat].median;
            if (bench_intensity(group) <= 1)
                best[repeat] = (struct interval){ceiling, ceiling, ceiling};
            best[repeat] = scaled(best[repeat], bench_intensity(group) <= 1 ? factor : 1);
            bench->results[row].gbps[repeat] = scaled(it->fraction[repeat], factor * ceiling);
        }
    }
    return bench;
}

/* How many recorded rows that are held against copies of a regime do not pass. */
static int rows_open(struct bench *bench, enum regime regime)
{
    int open = 0;
    for (int row = 0; row < bench->plan.row_count; row++) {
        const struct bench_group *group = &bench->plan.groups[bench->plan.rows[row].group];
        if (bench->plan.rows[row].subject.path != path_find("sass") || group->regime != regime ||
            bench_intensity(group) > 1 || !bench->results[row].measured)
            continue;
        bench->results[row].finding.verdict = VERDICT_PASS;
        bench_judge_row(bench, row);
        open += bench->results[row].limit.measured &&
                bench->results[row].finding.verdict != VERDICT_PASS;
    }
    return open;
}

/* A loss of copies and kernels alike leaves every fraction as it was; the best copy shows it. */
START_TEST(a_loss_of_all_is_found, "bandwidth.ceiling.floor")
{
    static const struct {
        enum regime regime;
        double speed;
        enum verdict verdict;
    } table[] = {{REGIME_L2, 1, VERDICT_PASS},     {REGIME_L2, 0.5, VERDICT_FAIL},
                 {REGIME_L2, 0.9, VERDICT_FAIL},   {REGIME_DRAM, 1, VERDICT_PASS},
                 {REGIME_DRAM, 0.5, VERDICT_FAIL}, {REGIME_DRAM, 0.97, VERDICT_FAIL}};
    struct recording *recording = recording_read();
    int benches = 0;
    for (int file = 0; file < recording->files; file++) {
        if (strstr(recording->paths[file], "h200-6e56ebcb") || /* of other numbers of repeats */
            strstr(recording->paths[file], "-memories") ||     /* without the copies' rows */
            strstr(recording->paths[file], "h200-cc06f540"))   /* of an older plan */
            continue;
        benches++;
        const bool is_of_l2 = strstr(recording->paths[file], "-l2") != NULL;
        for (size_t index = 0; index < sizeof table / sizeof table[0]; index++) {
            enum regime regime = table[index].regime;
            if (strstr(recording->paths[file], "h200-") && is_of_l2 != (regime == REGIME_L2))
                continue; /* each record of an H200 is of one regime */
            struct bench *bench = recorded_bench(recording, file, regime, table[index].speed);
            ck_assert_int_eq(rows_open(bench, regime), 0);
            bench_judge_peak(bench, regime);
            ck_assert_msg(bench->peaks[regime].finding.verdict == table[index].verdict,
                          "%s %s x %g: %s %s", recording->paths[file], regime_name(regime),
                          table[index].speed, verdict_name(bench->peaks[regime].finding.verdict),
                          bench->peaks[regime].finding.note);
        }
    }
    ck_assert_int_ge(benches, 5);
}

/* The counting can fail: against a floor that lies too high, and one that lies too low. */
START_TEST(wrong_floors_are_noticed, "bandwidth.verdict.recorded")
{
    struct interval repeats[TRIPLE];
    struct decisions high = {0}, low = {0};
    for (int index = 0; index < TRIPLE; index++)
        repeats[index] = (struct interval){0.599, 0.6, 0.601};
    judge_triple(repeats, 0.61, false, &high);
    judge_triple(repeats, 0.57, false, &low);
    ck_assert(high.healthy_failed == 1 && high.faulty_failed == 1);
    ck_assert(low.healthy_failed == 0 && low.faulty_failed == 0 && low.faulty == 1);
}
