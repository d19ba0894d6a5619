/* What becomes of the caller's environment: what workers get, what is recorded, and that the page
 * in spec/ has the same table. */
#include "conformance/base/host.h"

#include <unistd.h>

#include "spec/testing.h"

/* A name that the rule matches: a '*' in a pattern stands for a word here. */
static void name_of(const struct environment_rule *rule, char ret_name[128])
{
    size_t used = 0;
    for (const char *letter = rule->name; *letter; letter++)
        used += (size_t)sprintf(ret_name + used, *letter == '*' ? "MADE_UP" : "%c", *letter);
}

START_TEST(workers_do_not_get_what_changes_the_measure, "runner.environment.cleared")
{
    char name[128];
    for (size_t index = 0; index < environment_rule_count; index++) {
        name_of(&environment_rules[index], name);
        setenv(name, "caller's", 1);
    }
    environment_apply();
    int cleared = 0;
    for (size_t index = 0; index < environment_rule_count; index++) {
        const struct environment_rule *rule = &environment_rules[index];
        name_of(rule, name);
        const char *value = getenv(name);
        if (rule->deed == ENVIRONMENT_CLEARED)
            ck_assert_msg(value == NULL, "%s", name);
        else
            ck_assert_str_eq(value, rule->deed == ENVIRONMENT_SET ? rule->value : "caller's");
        cleared += rule->deed == ENVIRONMENT_CLEARED;
    }
    ck_assert_int_gt(cleared, 10);
}

START_TEST(the_cache_is_off_by_itself, "runner.environment.cleared")
{
    unsetenv("CUDA_CACHE_DISABLE");
    environment_apply();
    ck_assert_str_eq(getenv("CUDA_CACHE_DISABLE"), "1");
}

/* The text of the variable, or "". */
static const char *text_of(const char *name)
{
    static struct environment_variable it;
    it = (struct environment_variable){.rule = NULL};
    while (environment_next(&it))
        if (strncmp(it.text, name, strlen(name)) == 0 && it.text[strlen(name)] == '=')
            return it.text;
    return "";
}

START_TEST(what_is_recorded, "runner.environment.recorded")
{
    enum { MANY = 100 };
    struct environment_variable it = {.rule = NULL};
    char previous[ENVIRONMENT_TEXT_BYTES] = "", name[32], all[256];
    int many = 0;
    char long_value[1001];
    memset(long_value, 'x', 1000);
    long_value[1000] = 0;
    setenv("CUDA_MADE_UP", "1", 1);
    setenv("NVIDIA_ESCAPE", "\033[2J\xff\n", 1);
    setenv("NVIDIA_API_KEY", "hidden", 1);
    setenv("CUDA_LONG", long_value, 1);
    setenv("OTHER_CUDA", "1", 1);
    for (int index = 0; index < MANY; index++) {
        snprintf(name, sizeof name, "CUDA_MANY_%d", index);
        setenv(name, "1", 1);
    }
    ck_assert_str_eq(text_of("CUDA_MADE_UP"), "CUDA_MADE_UP=1");
    ck_assert_str_eq(text_of("NVIDIA_ESCAPE"), "NVIDIA_ESCAPE=?[2J??");
    ck_assert_str_eq(text_of("NVIDIA_API_KEY"), "NVIDIA_API_KEY=(not recorded)");
    ck_assert_str_eq(text_of("OTHER_CUDA"), "");
    const char *text = text_of("CUDA_LONG");
    ck_assert_uint_lt(strlen(text), 200);
    ck_assert_str_eq(text + strlen(text) - 4, "x...");
    for (; environment_next(&it); snprintf(previous, sizeof previous, "%s", it.text)) {
        ck_assert_int_lt(strcmp(previous, it.text), 0);
        many += strncmp(it.text, "CUDA_MANY_", strlen("CUDA_MANY_")) == 0;
    }
    ck_assert_int_eq(many, MANY);
    /* A line that has no room for them says that there are more. */
    ck_assert(environment_join(ENVIRONMENT_RECORDED, all, sizeof all));
    ck_assert_str_eq(all + strlen(all) - 5, ", ...");
    ck_assert(environment_join(ENVIRONMENT_RECORDED, name, 8));
    ck_assert_str_eq(name, "...");
}

START_TEST(what_hides_gpus, "runner.device.all")
{
    static const struct {
        const char *cuda, *container, *told;
    } table[] = {
        {NULL, NULL, ""},
        {NULL, "all", ""},
        {"0", NULL, "CUDA_VISIBLE_DEVICES=0"},
        {"", NULL, "CUDA_VISIBLE_DEVICES="},
        {NULL, "void", "NVIDIA_VISIBLE_DEVICES=void"},
        {"1", "GPU-1", "CUDA_VISIBLE_DEVICES=1, NVIDIA_VISIBLE_DEVICES=GPU-1"},
    };
    for (size_t index = 0; index < sizeof table / sizeof table[0]; index++) {
        char text[256] = "";
        unsetenv("CUDA_VISIBLE_DEVICES");
        unsetenv("NVIDIA_VISIBLE_DEVICES");
        if (table[index].cuda)
            setenv("CUDA_VISIBLE_DEVICES", table[index].cuda, 1);
        if (table[index].container)
            setenv("NVIDIA_VISIBLE_DEVICES", table[index].container, 1);
        ck_assert_int_eq(environment_hides(text, sizeof text), table[index].told[0] != 0);
        ck_assert_str_eq(text, table[index].told);
    }
}

/* The table's rows, "| `A`, `B` | deed | why |", hold the rules and no others. */
START_TEST(the_page_has_the_same_table, "runner.environment.table")
{
    static const char *const deeds[] = {[ENVIRONMENT_RECORDED] = "| recorded |",
                                        [ENVIRONMENT_CLEARED] = "| cleared |",
                                        [ENVIRONMENT_SET] = "| set to 1 |",
                                        [ENVIRONMENT_HIDES] = "| recorded, and printed |"};
    FILE *file = fopen(getenv("RUNNER_PAGE"), "r");
    char line[4096], words[256];
    size_t rows = 0;
    ck_assert_ptr_nonnull(file);
    while (fgets(line, sizeof line, file)) {
        for (size_t index = 0; line[0] == '|' && index < environment_rule_count; index++) {
            const struct environment_rule *rule = &environment_rules[index];
            snprintf(words, sizeof words, "`%s`", rule->name);
            if (strstr(line, words) == NULL)
                continue;
            rows++;
            ck_assert_msg(strstr(line, deeds[rule->deed]) != NULL, "%s: %s", rule->name, line);
            snprintf(words, sizeof words, "| %s |", rule->why);
            ck_assert_msg(strstr(line, words) != NULL, "%s: %s", rule->name, line);
        }
    }
    fclose(file);
    ck_assert_uint_eq(rows, environment_rule_count);
}

START_TEST(the_host_says_what_it_is, "runner.environment.host")
{
    static const struct {
        const char *cgroup, *container;
    } table[] = {
        {"0::/\n", ""},
        {"12:pids:/docker/0123456789ab\n", "docker"},
        {"0::/kubepods.slice/kubepods-burstable.slice/cri-containerd-1.scope\n", "kubernetes"},
        {"0::/machine.slice/libpod-1.scope\n", "podman"},
        {"0::/lxc.payload.x\n", "lxc"},
    };
    for (size_t row = 0; row < sizeof table / sizeof table[0]; row++)
        ck_assert_str_eq(host_system_container(table[row].cgroup), table[row].container);
    struct host_system host = host_system_read();
    ck_assert_int_ne(host.kernel[0], 0);
    ck_assert_ptr_nonnull(strchr(host.kernel, ' '));
}

/* The vector of systemd's test of sd_id128_get_app_specific (src/test/test-id128.c). */
START_TEST(an_id_is_derived_as_systemd_does, "runner.environment.machine")
{
    static const unsigned char machine[] = {0x51, 0xdf, 0x0b, 0x4b, 0xc3, 0xb0, 0x4c, 0x97,
                                            0x80, 0xe2, 0x99, 0xb9, 0x8c, 0xa3, 0x73, 0xb8};
    static const unsigned char application[] = {0xf0, 0x3d, 0xaa, 0xeb, 0x1c, 0x33, 0x4b, 0x43,
                                                0xa7, 0x32, 0x17, 0x29, 0x44, 0xbf, 0x77, 0x2e};
    char id[33];
    host_identity_derive(machine, application, id);
    ck_assert_str_eq(id, "1dee5954e75c4d6fb96cc6c04ca18a86");
}

/* Of this program alone: by Python's hmac, key and text as sd_id128_get_app_specific(3) says. What
 * is no id gives none, and no part of the machine's own is in it. */
START_TEST(a_machine_has_an_id_for_this_program, "runner.environment.machine")
{
    static const char *const no_ids[] = {"",
                                         "\n",
                                         "uninitialized\n",
                                         "00000000000000000000000000000000\n",
                                         "0123456789abcdef0123456789abcde\n",
                                         "0123456789abcdef0123456789abcdef0\n",
                                         "0123456789abcdef0123456789abcdeg\n",
                                         "0123456789ABCDEF0123456789ABCDEF\n"};
    char id[33];
    host_identity_machine("0123456789abcdef0123456789abcdef\n", id);
    ck_assert_str_eq(id, "33fa7ce46512452690274e8ccde333f2");
    for (size_t index = 0; index < sizeof no_ids / sizeof no_ids[0]; index++) {
        host_identity_machine(no_ids[index], id);
        ck_assert_str_eq(id, "");
    }
}

START_TEST(a_boot_has_a_time, "runner.environment.machine")
{
    static const struct {
        const char *stat, *booted;
    } table[] = {
        {"cpu  1 2 3\nintr 5 0\nctxt 7\nbtime 1795244400\nprocesses 8\n", "2026-11-21T07:00:00Z"},
        {"btime 1\n", "1970-01-01T00:00:01Z"},
        {"btime 0\n", ""},
        {"btime 999999999999999\n", ""},
        {"cpu 1\nxbtime 5\n", ""},
        {"", ""},
    };
    char booted[24];
    for (size_t row = 0; row < sizeof table / sizeof table[0]; row++) {
        host_identity_booted(table[row].stat, booted);
        ck_assert_str_eq(booted, table[row].booted);
    }
}

/* This machine: the name that the system reports, and twice the same. */
START_TEST(the_host_says_which_it_is, "runner.environment.machine")
{
    const struct host_identity one = host_identity_read(), two = host_identity_read();
    char name[256] = "";
    ck_assert_int_eq(gethostname(name, sizeof name - 1), 0);
    ck_assert_str_eq(one.name, name);
    ck_assert_str_eq(one.machine, two.machine);
    ck_assert_int_ne(one.booted[0], 0);
}
