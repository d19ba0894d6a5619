/* The measure of bits on the case of the line, after those of --after (bits.h). */
#include "conformance/bits/bits.h"

#include <stdio.h>
#include <string.h>

#include "conformance/bits/carry_out.h"

struct replay {
    struct run run;
    struct corpus_case cases[OPTIONS_CASES_MAX + 1]; /* the last is the one that is asked for */
    uint64_t count;
};

static bool parse_replayed(const char *text, struct fuzz_case *ret)
{
    struct case_error error;
    if (case_parse(text, ret, &error))
        return true;
    /* A shell that got no quotes hands over a case's first word alone. */
    fprintf(stderr, "assay replay: column %d of the case: %s%s\n", error.column, error.message,
            strchr(text, ' ') ? "" : "; put the case in quotes: it must be one word to the shell");
    return false;
}

static bool computes(int id, const struct corpus_case *cases, int count)
{
    for (int index = 0; index < count; index++)
        if (strcmp(catalog_kernel(id)->algorithm, cases[index].test_case.algorithm->name) == 0)
            return true;
    return false;
}

/* A kernel of other algorithms cannot run any of the cases. */
static bool patterns_fit(const struct options *options, const struct corpus_case *cases)
{
    for (int index = 1; index < options->pattern_count; index++) {
        bool fits = false, known = false;
        for (int id = 0; id < catalog_count(); id++) {
            if (!catalog_matches(id, options->patterns[index]))
                continue;
            known = true;
            fits = fits || computes(id, cases, options->after.count + 1);
        }
        if (known && !fits) {
            fprintf(stderr, "assay replay: '%s' is not a kernel of %s, the algorithm of the case\n",
                    options->patterns[index],
                    cases[options->after.count].test_case.algorithm->name);
            return false;
        }
    }
    return true;
}

static bool read_cases(struct replay *replay, const struct options *options)
{
    for (int index = 0; index <= options->after.count; index++) {
        struct corpus_case *it = &replay->cases[index];
        it->leads = index < options->after.count;
        if (!parse_replayed(it->leads ? options->after.texts[index] : options->patterns[0],
                            &it->test_case))
            return false;
    }
    replay->count = (uint64_t)options->after.count + 1;
    return true;
}

static bool open_replay(void *state, struct session *session, struct options *options)
{
    struct replay *replay = state;
    struct run *run = &replay->run;
    run->session = session;
    run->report = session->report;
    if (!read_cases(replay, options) || !patterns_fit(options, replay->cases))
        return false;
    const struct fuzz_case *last = &replay->cases[replay->count - 1].test_case;
    const char *algorithm[] = {last->algorithm->name};
    bool patterns = options->pattern_count > 1;
    run->passes_declined = !patterns;
    run->careful = true;
    options->jobs = 1;
    options->seed = last->seed;
    return session_select(session, patterns ? options->patterns + 1 : algorithm,
                          patterns ? options->pattern_count - 1 : 1);
}

static bool plan_replay(void *state, int *ret_status)
{
    struct replay *replay = state;
    plan_open_corpus(&replay->run.session->plan, replay->cases, replay->count);
    *ret_status = EXIT_STATUS_HARNESS;
    return run_open(&replay->run);
}

static void close_replay(void *state)
{
    run_close(state);
}

const struct measure bits_measure_replay = {.command = "replay",
                                            .noun = "run",
                                            .state_bytes = sizeof(struct replay),
                                            .open = open_replay,
                                            .plan = plan_replay,
                                            .take = bits_take,
                                            .settle = bits_settle,
                                            .judge = bits_judge,
                                            .end = bits_end,
                                            .close = close_replay};
