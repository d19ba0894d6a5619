/* `assay mutants`: every kernel that is wrong on purpose must be caught, and in the right place. A
 * mutant that lives, or that dies of something else than its row says, fails the command. */
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "conformance/command/commands.h"
#include "conformance/command/options.h"
#include "conformance/plan/plan.h"
#include "conformance/number.h"
#include "conformance/supervise/probe.h"
#include "conformance/supervise/trial.h"

enum {
    MUTANT_CASES_MAX = 2000,
    MEDIAN_CASES_MAX = 5,
    MUTANT_ELEMENTS_MAX = 1 << 16,
    UNHARMED_CASES = 100 /* small ones, that a mutant of tier huge must pass */
};

static const struct options_command mutants_command = {
    .name = "mutants",
    .letters = "dpsfx",
    .patterns_max = OPTIONS_PATTERNS_MAX,
    .usage = "assay mutants [PATTERN...] [--device D] [--path P] [--seed N] [--timeout S] "
             "[--format text|tap]"};

static volatile sig_atomic_t interrupted;

static void on_signal(int number)
{
    interrupted = number;
}

/* What came of one mutant. */
struct death {
    uint64_t cases;
    struct finding finding; /* verdict PASS: it lived */
    bool as_expected;
    bool skipped;
    struct finding skip; /* the last case that was skipped: its note says why */
};

/* The path it comes through: on a GPU the first of those asked for. */
static enum path death_path(const struct options *options, int ordinal)
{
    if (ordinal == DEVICE_ORDINAL_HOST)
        return PATH_HOST;
    return options_first_path(options);
}

static bool is_caught(const struct death *death)
{
    return death->finding.verdict != VERDICT_PASS;
}

/* Runs the mutant on a tier's cases until one catches it. */
static void hunt_tier(const struct options *options, enum tier tier, uint64_t cases_max,
                      struct trial *trial, struct check check, struct death *death)
{
    struct generator generator;
    generator_open(&generator, algorithm_find(catalog_kernel(check.kernel)->algorithm), tier,
                   options->seed, 0);
    if (tier != TIER_HUGE && generator.elements_max > MUTANT_ELEMENTS_MAX)
        generator.elements_max = MUTANT_ELEMENTS_MAX;
    uint64_t most = generator.count < cases_max ? generator.count : cases_max;
    for (death->cases = 0; !interrupted && !is_caught(death) && death->cases < most;
         death->cases++) {
        struct fuzz_case test_case;
        generator_case(&generator, death->cases, &test_case);
        struct check_result result = trial_run(trial, &test_case, check);
        if (result.verdict == VERDICT_PASS || result.verdict == VERDICT_DECLINED)
            continue;
        struct finding *finding =
            tier == TIER_HUGE && result.verdict == VERDICT_SKIP ? &death->skip : &death->finding;
        *finding = result.finding;
        finding->verdict = result.verdict;
    }
}

static struct death hunt(const struct options *options, int ordinal, int id)
{
    const struct mutant *mutant = catalog_mutant(id);
    bool on_host = ordinal == DEVICE_ORDINAL_HOST;
    struct death death = {.skipped = on_host ? mutant->needs_gpu : mutant->needs_host};
    snprintf(death.skip.note, sizeof death.skip.note, "it shows on another device");
    struct trial *trial = trial_open(ordinal, options->timeout_s, &interrupted);
    struct check check = {.kernel = (uint16_t)id, .path = (uint16_t)death_path(options, ordinal)};
    bool harmed = false; /* by a small case, where only huge ones should do it */
    if (trial && !death.skipped) {
        hunt_tier(options, TIER_STANDARD, mutant->needs_huge ? UNHARMED_CASES : MUTANT_CASES_MAX,
                  trial, check, &death);
        harmed = mutant->needs_huge && is_caught(&death);
        if (mutant->needs_huge && !harmed) {
            hunt_tier(options, TIER_HUGE, UINT64_MAX, trial, check, &death);
            death.skipped = !is_caught(&death) && death.skip.verdict == VERDICT_SKIP;
        }
    }
    if (trial)
        trial_close(trial);
    death.as_expected = !harmed &&
                        strcmp(verdict_name(death.finding.verdict), mutant->verdict) == 0 &&
                        strcmp(place_name(death.finding.place), mutant->place) == 0 &&
                        strcmp(death.finding.clause, mutant->clause) == 0;
    return death;
}

static const char *judge(const struct death *death)
{
    if (death->skipped)
        return "SKIP";
    if (!is_caught(death))
        return "LIVES";
    return death->as_expected ? "dies" : "WRONG DEATH";
}

static void print_death(const struct options *options, int number, int id,
                        const struct death *death)
{
    const struct mutant *mutant = catalog_mutant(id);
    char cases[NUMBER_COUNT_BYTES];
    bool good = death->skipped || (death->as_expected && is_caught(death));
    const char *tier = mutant->needs_huge ? "tier huge" : "";
    if (options->format == FORMAT_TAP && death->skipped) {
        printf("ok %d - %s # SKIP %s\n", number, mutant->kernel.name, death->skip.note);
    } else if (options->format == FORMAT_TAP) {
        printf("%s %d - %s: %s after %s%s%s: %s %s %s\n", good ? "ok" : "not ok", number,
               mutant->kernel.name, judge(death), number_count(death->cases, "case", cases),
               tier[0] ? " of " : "", tier, verdict_name(death->finding.verdict),
               place_name(death->finding.place), death->finding.clause);
    } else if (death->skipped) {
        printf("%-40s %-11s %5s  %s%s%s\n", mutant->kernel.name, judge(death), "", tier,
               tier[0] ? ": " : "", death->skip.note);
    } else {
        printf("%-40s %-11s %5" PRIu64 "  %-8s %-8s %s%s%s\n", mutant->kernel.name, judge(death),
               death->cases, verdict_name(death->finding.verdict), place_name(death->finding.place),
               death->finding.clause, tier[0] ? "; " : "", tier);
    }
    const char *comment = options->format == FORMAT_TAP ? "#" : " ";
    if (!good)
        printf("%s   expected %s %s %s; the mistake: %s%s%s\n", comment, mutant->verdict,
               mutant->place, mutant->clause, mutant->kernel.summary,
               death->finding.note[0] ? "; note: " : "", death->finding.note);
    fflush(stdout);
}

static int compare_counts(const void *left, const void *right)
{
    uint64_t a = *(const uint64_t *)left, b = *(const uint64_t *)right;
    return (a > b) - (a < b);
}

/* Hunts every selected mutant and prints the table. Returns the exit status. */
static int hunt_all(const struct options *options, int ordinal, const struct plan *plan)
{
    uint64_t counts[CATALOG_KERNELS_MAX];
    int total = 0, dead = 0, skipped = 0, number = 0;
    if (options->format == FORMAT_TEXT)
        printf("%-40s %-11s %5s  %-8s %-8s clause\n", "mutant", "", "cases", "verdict", "place");
    fflush(stdout);
    for (int id = kernel_count; id < catalog_count() && !interrupted && !ferror(stdout); id++) {
        if (!plan->selected[id])
            continue;
        struct death death = hunt(options, ordinal, id);
        if (interrupted)
            break; /* what it came to says nothing of the mutant */
        print_death(options, ++number, id, &death);
        skipped += death.skipped;
        total += !death.skipped;
        if (death.as_expected && is_caught(&death))
            counts[dead++] = death.cases;
    }
    qsort(counts, (size_t)dead, sizeof counts[0], compare_counts);
    uint64_t median = dead ? counts[dead / 2] : 0;
    bool all = options->pattern_count == 0; /* the median of a chosen few says nothing */
    bool good = dead == total && dead > 0 && (!all || median <= MEDIAN_CASES_MAX) && !interrupted;
    char died[NUMBER_COUNT_BYTES + 64], cases[NUMBER_COUNT_BYTES];
    snprintf(died, sizeof died, "%d of %s died as they must", dead,
             number_count((uint64_t)total, "mutant", cases));
    number_count(median, "case", cases);
    if (options->format == FORMAT_TAP)
        printf("%s %d - %s, %d skipped; median %s, at most %d wanted\n1..%d\n",
               good ? "ok" : "not ok", number + 1, died, skipped, cases, MEDIAN_CASES_MAX,
               number + 1);
    else
        printf("\n%s  %s, %d skipped; median %s to death, at most %d wanted\n",
               good          ? "PASS"
               : interrupted ? "INCONCLUSIVE"
               : total == 0  ? "SKIP"
                             : "FAIL",
               died, skipped, cases, MEDIAN_CASES_MAX);
    if (interrupted)
        return EXIT_STATUS_INCONCLUSIVE;
    if (total == 0)
        return EXIT_STATUS_NOTHING_RAN;
    return good || options->format == FORMAT_TAP ? EXIT_STATUS_PASS : EXIT_STATUS_FAIL;
}

/* True when every pattern matches a mutant: one that matches kernels alone asks for nothing here.
 */
static bool name_mutants(const struct options *options)
{
    for (int index = 0; index < options->pattern_count; index++) {
        bool matched = false;
        for (int id = kernel_count; id < catalog_count() && !matched; id++)
            matched = catalog_matches(id, options->patterns[index]);
        if (!matched) {
            fprintf(stderr,
                    "assay mutants: no mutant matches '%s'; `assay list 'mutant/*'` shows them\n",
                    options->patterns[index]);
            return false;
        }
    }
    return true;
}

int command_mutants(int argc, char **argv)
{
    struct options options;
    if (!options_read(&mutants_command, argc, argv, &options))
        return EXIT_STATUS_USAGE;
    static const char *const all[] = {"mutant/*"};
    struct plan plan = {0};
    const char *pattern;
    if (!name_mutants(&options) ||
        !plan_select(&plan, options.pattern_count ? options.patterns : all,
                     options.pattern_count ? options.pattern_count : 1, &pattern))
        return EXIT_STATUS_USAGE;
    struct probe_device devices[PROBE_DEVICES_MAX];
    int count;
    char line[512];
    enum exit_status broken;
    if (!probe_choose(options.device, devices, &count, line, sizeof line, &broken)) {
        fprintf(stderr, "assay mutants: %s\n", line);
        return (int)broken;
    }
    int status = EXIT_STATUS_USAGE;
    if (!command_has_path("mutants", &options, devices[0].ordinal, line, &status))
        return status;
    struct sigaction action = {.sa_handler = on_signal};
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    signal(SIGPIPE, SIG_IGN);
    printf("%sdevice    %s; seed %" PRIu64 "\n", options.format == FORMAT_TAP ? "# " : "", line,
           options.seed);
    status = hunt_all(&options, devices[0].ordinal, &plan);
    return command_end("mutants", status);
}
