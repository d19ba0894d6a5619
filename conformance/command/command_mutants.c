/* `assay mutants`: every kernel that is wrong on purpose must be caught, and in the right place. A
 * mutant that lives, or that dies of something else than its row says, fails the command; what says
 * nothing of a mutant (the harness, missing memory) does not. The seeded cases show how soon a
 * mutant is caught; the corpus, which every run begins with, that it is caught under any seed.
 * Clauses: verdicts.mutants.status, verdicts.mutants.witness, verdicts.mutants.path. */
#include <inttypes.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "conformance/base/file.h"
#include "conformance/base/heap.h"
#include "conformance/base/host.h"
#include "conformance/base/process.h"
#include "conformance/base/text.h"
#include "conformance/command/commands.h"
#include "conformance/plan/plan.h"
#include "conformance/report/live.h"
#include "conformance/report/reporter.h"
#include "conformance/session/session.h"
#include "conformance/supervise/probe.h"
#include "conformance/supervise/trial.h"
#include "conformance/work/region.h"
#include "cuda/grid.h"
#include "fuzz/fill.h"

enum {
    MUTANT_SEED = 1, /* without --seed: two runs are the same run */
    MUTANT_CASES_MAX = 2000,
    MEDIAN_CASES_MAX = 5,
    SHELTER_CASES = 12, /* that a mutant is tried on after each right kernel */
    SHELTER_TURNS = 4,
    NO_KERNEL = -1,
    HUNTERS_MAX = 64,
    HUNTERS_ON_GPU = 8,
    UNHARMED_CASES = 100 /* small ones, that a mutant of tier huge must pass */
};

/* The results of one mutant. */
struct death {
    uint64_t cases;         /* seeded ones, up to the first that caught it */
    struct finding finding; /* by that one, else by the witness; verdict PASS: it lived */
    struct finding witness; /* by the first case of the corpus that caught it; PASS: none did */
    bool by_witness_only;   /* no seeded case caught it */
    int sheltered_by; /* the kernel after which it lives, though it dies alone; or NO_KERNEL */
    struct fuzz_case test_case; /* that caught it, or that shelters it */
    enum verdict verdict;       /* on the tester: PASS where the mutant died as its row says */
    bool skipped;               /* it is not due on this device */
    struct finding skip;        /* the last case that was skipped: its note says why */
};

static bool is_caught(const struct finding *finding)
{
    return finding->verdict != VERDICT_PASS;
}

static bool is_as_expected(const struct finding *finding, const struct mutant *mutant)
{
    return strcmp(verdict_name(finding->verdict), mutant->verdict) == 0 &&
           strcmp(place_name(finding->place), mutant->place) == 0 &&
           strcmp(finding->clause, mutant->clause) == 0;
}

static void open_generator(const struct options *options, enum tier tier, struct subject subject,
                           struct generator *ret)
{
    const int64_t small = device_kinds[DEVICE_HOST].elements_max;
    generator_open(ret, algorithm_find(catalog_kernel(subject.kernel)->algorithm), tier,
                   options->seed, 0);
    if (tier != TIER_HUGE && ret->elements_max > small)
        ret->elements_max = small;
}

/* Only a mutant that needs it meets an input at an edge, where others would fault, and in another
 * way than their rows tell. */
static bool is_for(const struct mutant *mutant, const struct fuzz_case *test_case)
{
    bool at_edge = edge_layout(test_case, REGION_EDGE_SPARE_BYTES).edge != ARENA_EDGE_NONE;
    return at_edge == mutant->needs_edge;
}

/* Runs the mutant on one case. A hang that its row does not expect is tried once more: a machine
 * that stalled looks the same. A wrong element may be the poison by chance, since special elements
 * have complements among themselves: then the case gets the uniform fill, which has none. */
static void hunt_case(struct trial *trial, struct fuzz_case *test_case, struct subject subject,
                      struct finding *ret)
{
    const struct mutant *mutant = catalog_mutant(subject.kernel);
    if (!is_for(mutant, test_case))
        return;
    struct check_result result = trial_run(trial, test_case, subject);
    if (result.verdict == VERDICT_TIMEOUT &&
        strcmp(mutant->verdict, verdict_name(VERDICT_TIMEOUT)) != 0)
        result = trial_run_fresh(trial, test_case, subject);
    if (result.verdict == VERDICT_FAIL && result.finding.unwritten &&
        !is_as_expected(&result.finding, mutant)) {
        test_case->fill = fill_find("uniform");
        result = trial_run(trial, test_case, subject);
    }
    if (!verdict_has_finding(result.verdict))
        return;
    *ret = result.finding;
    ret->verdict = result.verdict;
}

/* Runs the mutant on a tier's cases until one catches it. Huge cases are the same shapes under
 * every seed; uniform elements show every wrong index, which special ones may hide. */
static void hunt_tier(const struct options *options, enum tier tier, uint64_t cases_max,
                      struct trial *trial, struct subject subject, struct death *death)
{
    struct generator generator;
    open_generator(options, tier, subject, &generator);
    uint64_t most = generator.count < cases_max ? generator.count : cases_max;
    for (death->cases = 0; !stop_signal && !is_caught(&death->finding) && death->cases < most;
         death->cases++) {
        struct fuzz_case test_case;
        struct finding finding = {.verdict = VERDICT_PASS};
        generator_case(&generator, generator_telling(&generator, death->cases), &test_case);
        if (tier == TIER_HUGE)
            test_case.fill = fill_find("uniform");
        hunt_case(trial, &test_case, subject, &finding);
        if (is_caught(&finding)) {
            *(tier == TIER_HUGE && finding.verdict == VERDICT_SKIP ? &death->skip
                                                                   : &death->finding) = finding;
            death->test_case = test_case;
        }
    }
}

/* Runs the mutant on the corpus until a case catches it: its witness. */
static void hunt_corpus(const struct corpus *corpus, struct trial *trial, struct subject subject,
                        struct death *death)
{
    const char *algorithm = catalog_kernel(subject.kernel)->algorithm;
    struct fuzz_case witness_case = {0};
    for (size_t index = 0; index < corpus->count && !stop_signal && !is_caught(&death->witness);
         index++) {
        struct fuzz_case test_case = corpus->cases[index].test_case;
        struct finding finding = {.verdict = VERDICT_PASS};
        if (strcmp(test_case.algorithm->name, algorithm) == 0)
            hunt_case(trial, &test_case, subject, &finding);
        if (finding.verdict != VERDICT_SKIP) { /* the device cannot run this one */
            death->witness = finding;
            witness_case = test_case;
        }
    }
    death->by_witness_only = !is_caught(&death->finding) && is_caught(&death->witness);
    if (death->by_witness_only) {
        death->finding = death->witness;
        death->test_case = witness_case;
    }
}

static bool is_failure_of(struct check_result result)
{
    return verdict_has_finding(result.verdict) != 0;
}

/* True if the mutant fails in a fresh worker, where it left nothing itself, after the right kernel
 * ran with other data: that warms what a GPU keeps, and leaves no output that could help. */
static bool fails_after_other_data(struct trial *trial, const struct fuzz_case *test_case,
                                   struct subject before, struct subject subject)
{
    struct fuzz_case other = *test_case;
    other.seed = ~other.seed;
    trial_rest(trial);
    trial_run(trial, &other, before);
    return is_failure_of(trial_run(trial, test_case, subject));
}

/* True when the mutant, which the case catches alone, never fails right after the right kernel. A
 * race may go either way, and warm caches decide some on a GPU; the order of an emulated launch
 * follows from the case's seed: each turn has another seed. */
static bool is_sheltered(struct trial *trial, const struct fuzz_case *test_case,
                         struct subject before, struct subject subject)
{
    struct fuzz_case turned = *test_case;
    for (int turn = 0; turn < SHELTER_TURNS; turn++, turned.seed++)
        if (is_failure_of(trial_run_after(trial, &turned, &before, subject)) ||
            !fails_after_other_data(trial, &turned, before, subject))
            return false;
    return !stop_signal;
}

/* The right kernel that shelters the mutant from this case, or NO_KERNEL. Nearly all mutants fail
 * after every kernel, which one job shows; those that do not are tried in turns. */
static int find_shelter(struct trial *trial, const struct fuzz_case *test_case,
                        struct subject subject)
{
    struct subject before[CATALOG_COUNT];
    enum verdict verdicts[CATALOG_COUNT];
    int count = 0;
    for (int id = 0; id < kernel_count; id++)
        if (strcmp(kernels[id].algorithm, test_case->algorithm->name) == 0 &&
            !catalog_declines(catalog_kernel(id), test_case))
            before[count++] = (struct subject){.kernel = (uint16_t)id, .path = subject.path};
    trial_run_after_each(trial, test_case, before, count, subject, verdicts);
    for (int index = 0; index < count && !stop_signal; index++)
        if (!verdict_has_finding(verdicts[index]) &&
            is_sheltered(trial, test_case, before[index], subject))
            return before[index].kernel;
    return NO_KERNEL;
}

/* The output of a right kernel must not help the mutant, in the cases that follow the one that
 * caught it. A mutant that crashes or hangs does so whatever it finds, and costs a worker each
 * time. */
static void hunt_after_siblings(const struct options *options, struct trial *trial,
                                struct subject subject, struct death *death)
{
    struct generator generator;
    if (death->finding.verdict != VERDICT_FAIL)
        return;
    open_generator(options, TIER_STANDARD, subject, &generator);
    const uint64_t first = death->cases, left = generator.count - first;
    const uint64_t end = first + (left < SHELTER_CASES ? left : SHELTER_CASES);
    for (uint64_t number = first; number < end && !stop_signal && death->sheltered_by == NO_KERNEL;
         number++) {
        struct fuzz_case test_case;
        generator_case(&generator, generator_telling(&generator, number), &test_case);
        if (!is_for(catalog_mutant(subject.kernel), &test_case) ||
            !is_failure_of(trial_run(trial, &test_case, subject)))
            continue;
        death->sheltered_by = find_shelter(trial, &test_case, subject);
        if (death->sheltered_by != NO_KERNEL)
            death->test_case = test_case;
    }
}

/* Judges the tester by the findings. On the host device, where no race is left to chance, each
 * mutant that small cases catch needs a witness. */
static enum verdict judge(const struct death *death, const struct mutant *mutant, bool is_emulated,
                          bool harmed)
{
    if (death->skipped)
        return VERDICT_DECLINED;
    if (is_caught(&death->finding) && !verdict_is_failure(death->finding.verdict))
        return death->finding.verdict;
    if (is_caught(&death->witness) && !verdict_is_failure(death->witness.verdict))
        return death->witness.verdict;
    bool is_witnessed = is_caught(&death->witness) ? is_as_expected(&death->witness, mutant)
                                                   : !is_emulated || mutant->needs_huge;
    return !harmed && is_witnessed && death->sheltered_by == NO_KERNEL &&
                   is_as_expected(&death->finding, mutant)
               ? VERDICT_PASS
               : VERDICT_FAIL;
}

/* The path that mutants come through: an images file's where one is given. */
static uint16_t path_of(const struct options *options, const struct device_info *device)
{
    int path = catalog_first_path(device, options->paths);
    while (options->images.count && !options->given.paths && path < path_count() - 1 &&
           !path_row(path)->images)
        path++;
    return (uint16_t)path;
}

static struct death hunt(const struct options *options, const struct device_info *device,
                         const struct corpus *corpus, struct trial *trial, int id)
{
    const struct mutant *mutant = catalog_mutant(id);
    bool is_emulated = device_kind(device)->is_emulated;
    struct death death = {.sheltered_by = NO_KERNEL,
                          .skipped = (is_emulated ? mutant->needs_gpu : mutant->needs_host) ||
                                     !grid_has_compute(&mutant->kernel, &device->limits)};
    snprintf(death.skip.note, sizeof death.skip.note, "it shows only on another device");
    if (trial == NULL) {
        snprintf(death.skip.note, sizeof death.skip.note,
                 options->pattern_count ? "it needs two devices"
                                        : "it runs only where it is named, on two devices");
        death.skipped = true;
    }
    struct subject subject = {.kernel = (uint16_t)id, .path = path_of(options, device)};
    bool harmed = false; /* by a small case, where only huge ones should do it */
    if (!death.skipped) {
        hunt_tier(options, TIER_STANDARD, mutant->needs_huge ? UNHARMED_CASES : MUTANT_CASES_MAX,
                  trial, subject, &death);
        hunt_corpus(corpus, trial, subject, &death);
        harmed = mutant->needs_huge && is_caught(&death.finding);
        /* On a GPU a race that is missed says nothing of what the kernel before it left. */
        if (is_emulated || !mutant->is_race)
            hunt_after_siblings(options, trial, subject, &death);
        if (mutant->kernel.window.operand && death.finding.verdict == VERDICT_SKIP) {
            death.skipped = true; /* as every case of such a device is */
            death.skip = death.finding;
        }
        if (mutant->needs_huge && !harmed) {
            static pthread_mutex_t memory = PTHREAD_MUTEX_INITIALIZER; /* for one at a time */
            pthread_mutex_lock(&memory);
            hunt_tier(options, TIER_HUGE, UINT64_MAX, trial, subject, &death);
            trial_rest(trial);
            pthread_mutex_unlock(&memory);
            death.skipped = !is_caught(&death.finding) && death.skip.verdict == VERDICT_SKIP;
        }
    }
    death.verdict = judge(&death, mutant, is_emulated, harmed);
    return death;
}

static const char *word_for(const struct death *death, const struct mutant *mutant)
{
    if (death->skipped)
        return "SKIP";
    if (death->verdict == VERDICT_PASS)
        return "dies";
    if (death->verdict != VERDICT_FAIL)
        return "no verdict";
    if (death->sheltered_by != NO_KERNEL)
        return "SHELTERED";
    if (!is_caught(&death->finding))
        return "LIVES";
    return is_caught(&death->witness) || !is_as_expected(&death->finding, mutant) ? "WRONG DEATH"
                                                                                  : "NO WITNESS";
}

/* True for the formats that have a line for each mutant as it ends; the others are of a document.
 */
static bool is_live(const struct options *options)
{
    return options->format == FORMAT_TEXT || options->format == FORMAT_TAP;
}

static void print_death(const struct options *options, int id, const struct death *death)
{
    const struct mutant *mutant = catalog_mutant(id);
    const struct finding *finding = &death->finding;
    const char *tier = mutant->needs_huge            ? "tier huge"
                       : death->by_witness_only      ? "the corpus only"
                       : !is_caught(&death->witness) ? "no case of the corpus"
                                                     : "";
    const char *clause = finding->clause[0] ? finding->clause : finding->note;
    const char *word = word_for(death, mutant);
    char what[512];
    char line[CASE_TEXT_BYTES];
    if (options->format == FORMAT_TAP && death->skipped) {
        tap_line(VERDICT_SKIP, mutant->kernel.name, death->skip.note);
    } else if (options->format == FORMAT_TAP) {
        snprintf(what, sizeof what, "%s: %s after %s: %s %s %s%s%s", mutant->kernel.name, word,
                 NUMBER_COUNT(death->cases, "case"), verdict_name(finding->verdict),
                 place_name(finding->place), clause, tier[0] ? "; " : "", tier);
        tap_line(death->verdict, what, "");
    } else if (death->skipped) {
        printf("%-40s %-11s %5s  %s%s%s\n", mutant->kernel.name, word, "", tier,
               tier[0] ? ": " : "", death->skip.note);
    } else {
        printf("%-40s %-11s %5" PRIu64 "  %-8s %-8s %s%s%s\n", mutant->kernel.name, word,
               death->cases, verdict_name(finding->verdict), place_name(finding->place), clause,
               tier[0] ? "; " : "", tier);
    }
    const char *margin = options->format == FORMAT_TAP ? "#" : " ";
    if (death->sheltered_by != NO_KERNEL)
        printf("%s   dies by itself but survives right after %s\n", margin,
               CATALOG_NAME(death->sheltered_by));
    else if (death->verdict == VERDICT_FAIL)
        printf("%s   expected %s %s %s; the mistake: %s%s%s\n", margin, mutant->verdict,
               mutant->place, mutant->clause, mutant->kernel.summary,
               finding->note[0] ? "; note: " : "", finding->note);
    if ((death->verdict == VERDICT_FAIL || death->by_witness_only) && is_caught(finding)) {
        case_format(&death->test_case, line, sizeof line);
        printf("%s   case: %s\n", margin, line);
    }
    fflush(stdout);
}

static int compare_counts(const void *left, const void *right)
{
    uint64_t a = *(const uint64_t *)left, b = *(const uint64_t *)right;
    return (a > b) - (a < b);
}

/* The results of all of them. */
struct deaths {
    uint64_t verdicts[VERDICT_COUNT];
    uint64_t cases[CATALOG_COUNT]; /* of those that died as they must */
    char why[FINDING_NOTE_BYTES];  /* the first failure of the harness, or "" */
};

/* The verdict, and in words what it came to. A median that is too high says that the tester meets
 * its mutants too late; that of a chosen few says nothing. */
enum { WHAT_BYTES = 512 };
static enum verdict judge_all(const struct options *options, struct deaths *deaths,
                              const char *no_gpu, char ret_what[WHAT_BYTES])
{
    const uint64_t dead = deaths->verdicts[VERDICT_PASS];
    enum verdict verdict = verdict_of_counts(deaths->verdicts);
    uint64_t total = 0;
    for (int each = 0; each < VERDICT_COUNT; each++)
        total += verdict_was_due((enum verdict)each) ? deaths->verdicts[each] : 0;
    qsort(deaths->cases, (size_t)dead, sizeof deaths->cases[0], compare_counts);
    uint64_t median = dead ? deaths->cases[dead / 2] : 0;
    if (options->pattern_count == 0 && median > MEDIAN_CASES_MAX)
        verdict = verdict_join(verdict, VERDICT_FAIL);
    if (stop_signal)
        verdict = verdict_join(verdict, VERDICT_INCONCLUSIVE);
    if (no_gpu[0])
        verdict = verdict_join(verdict, VERDICT_INCONCLUSIVE);
    const char *why = deaths->why[0] ? deaths->why : no_gpu;
    snprintf(ret_what, WHAT_BYTES,
             "%" PRIu64 " of %s died as expected, %" PRIu64
             " skipped; median %s to death, limit %d%s%s",
             dead, NUMBER_COUNT(total, "mutant"), deaths->verdicts[VERDICT_DECLINED],
             NUMBER_COUNT(median, "case"), MEDIAN_CASES_MAX, why[0] ? ": " : "", why);
    return verdict_of_whole(verdict);
}

/* Mutants that are hunted side by side, by threads that keep a worker each: a context
 * on a GPU costs more than most hunts. */
struct hunters {
    const struct options *options;
    const struct device_info *device;
    struct device_info pair; /* of the first two; of one if there are no more */
    const struct plan *plan;
    struct corpus corpus;
    time_t started;
    double began_s;
    pthread_mutex_t lock; /* of what follows */
    int next, printed;    /* mutants up to these were begun, and their rows printed */
    bool ended[CATALOG_COUNT];
    struct death of_mutant[CATALOG_COUNT];
    struct deaths deaths;
};

/* Prints the rows of mutants that have ended, in the catalog's order. */
static void print_ended(struct hunters *it)
{
    for (; it->printed < it->next; it->printed++) {
        if (!it->plan->selected[it->printed])
            continue;
        if (!it->ended[it->printed])
            return;
        const struct death *death = &it->of_mutant[it->printed];
        if (is_live(it->options))
            print_death(it->options, it->printed, death);
        if (death->verdict == VERDICT_PASS)
            it->deaths.cases[it->deaths.verdicts[VERDICT_PASS]] = death->cases;
        if (death->verdict == VERDICT_ERROR && it->deaths.why[0] == 0)
            snprintf(it->deaths.why, sizeof it->deaths.why, "%s", death->finding.note);
        it->deaths.verdicts[death->verdict]++;
    }
}

static void *hunt_some(void *context)
{
    struct hunters *it = context;
    struct trial *trial = trial_open(it->device, it->options->timeout_s, &stop_signal);
    struct trial *of_pair = NULL; /* from the first mutant on that needs it */
    pthread_mutex_lock(&it->lock);
    while (it->next < catalog_count() && !stop_signal && !ferror(stdout)) {
        const int id = it->next++;
        if (!it->plan->selected[id])
            continue;
        pthread_mutex_unlock(&it->lock);
        const bool needs_pair = kernel_is_of_set(&catalog_mutant(id)->kernel);
        if (needs_pair && of_pair == NULL && it->pair.id.others > 0)
            of_pair = trial_open(&it->pair, it->options->timeout_s, &stop_signal);
        const struct death death = hunt(it->options, needs_pair ? &it->pair : it->device,
                                        &it->corpus, needs_pair ? of_pair : trial, id);
        pthread_mutex_lock(&it->lock);
        if (stop_signal)
            break; /* its result says nothing of the mutant */
        it->of_mutant[id] = death;
        it->ended[id] = true;
        print_ended(it);
    }
    pthread_mutex_unlock(&it->lock);
    trial_close(trial);
    if (of_pair)
        trial_close(of_pair);
    return NULL;
}

/* What a document says of a mutant that was not caught as its row says. The tester is at fault, or
 * the machine is too busy: neither is for draining it. */
static void add_finding(struct document *ret, const struct death *death, int id, size_t row)
{
    const struct mutant *mutant = catalog_mutant(id);
    const struct finding *finding = &death->finding;
    char line[CASE_TEXT_BYTES] = "";
    if (is_caught(finding))
        case_format(&death->test_case, line, sizeof line);
    const struct document_pair pairs[] = {
        {"expected", document_text(ret, "%s %s %s", mutant->verdict, mutant->place, mutant->clause),
         false},
        {"mistake", mutant->kernel.summary, false},
        {"note", document_text(ret, "%s", finding->note), false},
        {"case", document_text(ret, "%s", line), false}};
    struct document_finding it = {.what = mutant->kernel.name,
                                  .how = word_for(death, mutant),
                                  .row = row,
                                  .verdict = death->verdict,
                                  .advice = advice_of(death->verdict),
                                  .pairs = pairs,
                                  .pair_count = sizeof pairs / sizeof pairs[0]};
    if (death->sheltered_by != NO_KERNEL)
        it.how = document_text(ret, "%s by %s", it.how, CATALOG_NAME(death->sheltered_by));
    it.sort = verdict_is_failure(death->verdict) ? DOCUMENT_FAILURE : DOCUMENT_UNDECIDED;
    it.advice.action = ACTION_REPEAT;
    document_finding(ret, &it);
}

/* A check for each mutant; one that was not hunted to its end is undecided. */
static void add_mutant(struct document *ret, const struct hunters *hunters, int id)
{
    const struct death *death = &hunters->of_mutant[id];
    const bool is_known = hunters->ended[id];
    struct document_check check = {.name = catalog_mutant(id)->kernel.name,
                                   .verdict = VERDICT_INCONCLUSIVE,
                                   .note = "interrupted"};
    if (is_known) {
        check.verdict = death->skipped ? VERDICT_SKIP : death->verdict;
        check.note = death->skipped                   ? death->skip.note
                     : death->verdict == VERDICT_PASS ? ""
                                                      : word_for(death, catalog_mutant(id));
    }
    const size_t row = document_check(ret, &check);
    if (is_known && verdict_has_finding(death->verdict))
        add_finding(ret, death, id, row);
}

/* Writes what all of them came to as a document; `it` is NULL if nothing could run. */
static void write_document(const struct options *options, const struct hunters *it,
                           enum verdict verdict, const char *what)
{
    const struct host_identity host = host_identity_read();
    struct report report = {.file = stdout};
    struct document document;
    document_begin(&document, "mutants");
    document.verdict = verdict;
    document.reason = what;
    document.host = host.name;
    document.started = it ? it->started : time(NULL);
    document.seconds = it ? clock_now_s() - it->began_s : 0;
    document.has_gpu = it && device_kind(it->device)->is_gpu;
    document.gpu_count = document.has_gpu;
    document_part(&document, "mutants", verdict, verdict == VERDICT_PASS ? "" : what, what);
    for (int id = kernel_count; it && id < catalog_count(); id++)
        if (it->plan->selected[id])
            add_mutant(&document, it, id);
    document_finish(&document);
    reporters[options->format]->end(&report, &document);
    document_close(&document);
}

/* Nothing runs: a reader of a document gets one that says so. A sink's `nothing`. */
static void write_nothing(void *options, enum verdict verdict, const char *why)
{
    write_document(options, NULL, verdict, why);
}

/* No device was chosen; a line has said why. Bad usage has no document. */
static void write_no_choice(struct options *options, const struct probe_choice *choice)
{
    static const enum verdict verdicts[] = {VERDICT_FAIL, VERDICT_INCONCLUSIVE, VERDICT_ERROR,
                                            VERDICT_SKIP};
    for (size_t at = 0; at < sizeof verdicts / sizeof verdicts[0] && !is_live(options); at++)
        if (choice->status == verdict_exit_status(verdicts[at]))
            write_nothing(options, verdicts[at], choice->line);
}

/* Writes the end. Returns the exit status. */
static int write_end(struct hunters *it, const char *no_gpu)
{
    char what[WHAT_BYTES];
    const enum verdict verdict = judge_all(it->options, &it->deaths, no_gpu, what);
    if (it->options->format == FORMAT_TAP) {
        tap_line(verdict, what, "");
        tap_plan();
    } else if (it->options->format == FORMAT_TEXT)
        printf("\n%s  %s\n", verdict_name(verdict), what);
    else
        write_document(it->options, it, verdict, what);
    return (int)verdict_exit_status(verdict);
}

/* The first two of the chosen devices as a set, or one that is named; of the host device those that
 * the emulation has. With fewer than two devices: the one that there is. */
static struct device_info first_pair(const struct probe_choice *choice)
{
    struct device_info pair = choice->devices[0];
    const bool is_emulated = device_kind(&pair)->is_emulated;
    const bool has_two = is_emulated ? driver_host_devices() > 1 : choice->count > 1;
    if (pair.id.others == 0 && has_two) {
        pair.id.others = 1;
        pair.id.ordinal[1] = is_emulated ? 1 : choice->devices[1].id.ordinal[0];
    }
    return pair;
}

/* Hunts every selected mutant and writes the table. Returns the exit status. */
static int hunt_all(const struct options *options, const struct probe_choice *choice,
                    const struct plan *plan)
{
    static struct hunters it = {.lock = PTHREAD_MUTEX_INITIALIZER};
    const struct device_info *device = &choice->devices[0];
    it.options = options, it.device = device, it.plan = plan,
    it.pair = options->pattern_count ? first_pair(choice) : choice->devices[0];
    it.next = it.printed = kernel_count;
    it.started = time(NULL), it.began_s = clock_now_s();
    if (!plan_corpus_gather(NULL, false, plan, &it.corpus))
        return EXIT_STATUS_HARNESS;
    if (options->format == FORMAT_TEXT)
        printf("%-40s %-11s %5s  %-8s %-8s clause\n", "mutant", "", "cases", "verdict", "place");
    fflush(stdout);
    /* A worker on a GPU mostly waits for contexts and time limits; one on the host device for
     * nothing. */
    const int half = (host_cores() + 1) / 2;
    int most = device_kind(device)->is_emulated || half < HUNTERS_ON_GPU ? half : HUNTERS_ON_GPU;
    if (options->jobs > 0)
        most = options->jobs < HUNTERS_MAX ? options->jobs : HUNTERS_MAX;
    pthread_t threads[HUNTERS_MAX];
    int count = 0;
    while (count < most - 1 && pthread_create(&threads[count], NULL, hunt_some, &it) == 0)
        count++;
    hunt_some(&it);
    while (count > 0)
        pthread_join(threads[--count], NULL);
    corpus_free(&it.corpus);
    return write_end(&it, choice->no_gpu);
}

/* True when every pattern matches a mutant: one that matches kernels alone asks for nothing
 * here. */
static bool name_mutants(const struct options *options)
{
    struct reason reason;
    for (int index = 0; index < options->pattern_count; index++) {
        bool matched = false;
        for (int id = kernel_count; id < catalog_count() && !matched; id++)
            matched = catalog_matches(id, options->patterns[index]);
        if (!matched) {
            plan_refuse_pattern(options->patterns[index], kernel_count, &reason);
            return error_line("mutants", "%s", reason.text);
        }
    }
    return true;
}

int command_mutants(const struct command *command, struct options *options)
{
    if (!options->given.seed)
        options->seed = MUTANT_SEED;
    static const char *const all[] = {"mutant/*"};
    struct plan plan = {0};
    struct reason reason;
    if (!name_mutants(options) ||
        !plan_select(&plan, options->pattern_count ? options->patterns : all,
                     options->pattern_count ? options->pattern_count : 1, &reason))
        return EXIT_STATUS_USAGE;
    if (strchr(options->paths, ','))
        return command_complain(command, EXIT_STATUS_USAGE,
                                "mutants run through one code path: name one with --path");
    static struct probe_choice choice;
    if (!session_choose("mutants", options, &choice)) {
        session_no_choice("mutants", &choice);
        write_no_choice(options, &choice);
        return options_status(options, (int)choice.status);
    }
    int status = EXIT_STATUS_USAGE;
    struct live *live = is_live(options) ? live_of(command->name, options, NULL) : NULL;
    const struct session_sink document_sink = {.context = options, .nothing = write_nothing};
    struct session *session = heap_take(1, sizeof *session);
    *session = (struct session){.command = command->name,
                                .options = options,
                                .sink = live ? live_sink(live) : &document_sink};
    const bool has_path = session_has_path(session, &choice.devices[0], choice.line, &status);
    free(session);
    live_end(live, has_path ? EXIT_STATUS_USAGE : status);
    if (!has_path)
        return options_status(options, status);
    stop_catch_signals();
    if (is_live(options))
        printf("%sdevice    %s; path %s; seed %" PRIu64 "\n",
               options->format == FORMAT_TAP ? "# " : "", choice.line,
               path_name(path_of(options, &choice.devices[0])), options->seed);
    status = hunt_all(options, &choice, &plan);
    return output_end("mutants", options_status(options, status));
}
