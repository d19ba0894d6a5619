/* A printed command has the options that were given, and runs the same. */
#include <string.h>

#include "conformance/session/option_words.h"
#include "spec/testing.h"

static const char *const none[] = {NULL};

START_TEST(every_kind_of_value_is_written, "gate.output.next")
{
    static char text[OPTION_WORDS_BYTES];
    const struct options gate = {.device = "cuda:0,cuda:2",
                                 .expect_gpus = 2,
                                 .paths = "sass,ptx",
                                 .ptxas = {.count = 2, .names = {"a b", "it's"}},
                                 .levels = "0,3",
                                 .shard = {.number = 3, .count = 8, .is_same = true},
                                 .programs = UINT64_C(1) << 40,
                                 .strict = true,
                                 .timeout_s = 20.5,
                                 .record = "new.json",
                                 .quick = true,
                                 .format = FORMAT_MARKDOWN,
                                 .given = {.device = true,
                                           .expect_gpus = true,
                                           .paths = true,
                                           .ptxas = true,
                                           .levels = true,
                                           .shard = true,
                                           .programs = true,
                                           .strict = true,
                                           .timeout_s = true,
                                           .record = true,
                                           .quick = true,
                                           .format = true},
                                 .pattern_count = 2,
                                 .patterns = (const char *[]){"*/naive", "aat"}};
    static const char *const left_out[] = {"output", NULL};
    ck_assert_str_eq(
        option_words(&gate, "gate", left_out, text),
        " --device 'cuda:0,cuda:2' --expect-gpus 2 --path 'sass,ptx' --ptxas 'a b'"
        " --ptxas 'it'\\''s' --opt '0,3' --shard '3/8:same' --programs 1099511627776 --strict"
        " --timeout 20.5 --quick --format markdown '*/naive' 'aat'");
}

START_TEST(what_is_not_given_or_of_others_is_left_out, "gate.output.next")
{
    static char text[OPTION_WORDS_BYTES];
    struct options options = {.device = "auto", .paths = "all", .tier = 2, .given.tier = true};
    ck_assert_str_eq(option_words(&options, "gate", none, text), "");
    ck_assert_str_eq(option_words(&options, "run", none, text), " --tier deep");
    ck_assert(option_command_is("run", "replay run") && !option_command_is("run", "runs prune"));
    options.given.tier = false;
    options.pattern_count = 1;
    options.patterns = (const char *[]){"-odd"};
    ck_assert_str_eq(option_words(&options, "run", none, text), " -- '-odd'");
}
