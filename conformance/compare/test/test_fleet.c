/* Machines of a fleet, each made of the same bench with a few values changed. */
#include "conformance/test/made_lines.h"
#include "conformance/test/made_pair.h"

enum { MACHINES = 5 };

/* BASE and MACHINES that are as it is, but for their GPUs and for `edits` of the third. */
static struct loaded *make_fleet(const struct edit *edits)
{
    struct loaded *loaded = made_loaded();
    static const char *const names[1 + MACHINES] = {"base", "m0", "m1", "m2", "m3", "m4"};
    static const char *const uuids[1 + MACHINES] = {"\"GPU-b\"", "\"GPU-0\"", "\"GPU-1\"",
                                                    "\"GPU-2\"", "\"GPU-3\"", "\"GPU-4\""};
    for (int index = 0; index <= MACHINES; index++) {
        const struct edit own[] = {{BOTH, "1/device/uuid", uuids[index]},
                                   {BOTH, "1/device/name", "\"GPU X\""},
                                   {BOTH, "2/device/name", "\"GPU X\""},
                                   {BOTH, "3/bench/gbps", GBPS(4000, 4004, 3998)},
                                   {NONE, NULL, NULL}};
        json_t *record = made_json(made_lines_bench());
        made_pair_edit(record, own, BOTH);
        if (index == 3)
            made_pair_edit(record, edits, BOTH);
        made_pair_add(loaded, record, names[index]);
    }
    return loaded;
}

static struct comparison_set *open_fleet(const struct loaded *loaded)
{
    struct comparison_set *set = made_set(loaded);
    ck_assert_uint_eq(set->count, MACHINES);
    return set;
}

START_TEST(a_slow_machine_stands_out, "compare.fleet.speed")
{
    static const struct {
        const char *gbps;
        enum change change;
        size_t behind, ahead;
    } table[] = {
        {GBPS(3700, 3701, 3702), CHANGE_REGRESSED, 1, 0},
        {GBPS(3850, 3851, 3852), CHANGE_SAME, 0, 0},
        {GBPS(4300, 4301, 4302), CHANGE_BETTER, 0, 1},
    };
    for (size_t row = 0; row < sizeof table / sizeof table[0]; row++) {
        const struct edit edits[] = {{BOTH, "3/bench/gbps", table[row].gbps}, {NONE, NULL, NULL}};
        struct loaded *loaded = make_fleet(edits);
        struct comparison_set *set = open_fleet(loaded);
        for (size_t machine = 0; machine < MACHINES; machine++) {
            const struct compared *it = &set->each[machine];
            const bool own = machine == 2;
            ck_assert_uint_eq(it->kinds[DIFFERENCE_speed_behind], own ? table[row].behind : 0);
            ck_assert_uint_eq(it->kinds[DIFFERENCE_speed_ahead], own ? table[row].ahead : 0);
            ck_assert_int_eq(it->change, own ? table[row].change : CHANGE_SAME);
        }
    }
}

START_TEST(who_is_not_as_the_rest_is_named, "compare.fleet.apart")
{
    static const struct edit edits[] = {
        {BOTH, "0/toolkit", "\"12.9\""}, {BOTH, "5", NULL}, {NONE, NULL, NULL}};
    struct loaded *loaded = make_fleet(edits);
    struct comparison_set *set = open_fleet(loaded);
    bool toolkit = false, subject = false;
    ck_assert_uint_eq(set->fleet.apart, 1);
    for (size_t index = 0; index < set->fleet.count; index++) {
        const struct fleet_row *it = &set->fleet.rows[index];
        ck_assert_uint_eq(it->machine, 2);
        ck_assert_str_eq(it->rest, "as BASE");
        toolkit |= it->kind == DIFFERENCE_environment && strcmp(it->own, "12.9") == 0;
        subject |= it->kind == DIFFERENCE_subject_missing;
    }
    ck_assert(toolkit && subject);
}

/* A speed that is disturbed decides nothing in a fleet, too; a BASE that was excuses no machine. */
START_TEST(a_disturbed_machine_is_not_behind, "compare.speed.disturbed", "compare.fleet.speed")
{
    for (int is_of_base = 0; is_of_base < 2; is_of_base++) {
        const struct edit edits[] = {{BOTH, "3/bench/gbps", GBPS(3600, 3601, 3602)},
                                     {is_of_base ? NONE : BOTH, "3/bench/sensors", OTHERS},
                                     {NONE, NULL, NULL}};
        struct loaded *loaded = make_fleet(edits);
        if (is_of_base)
            made_pair_set(&loaded->records[0], RECORD_bench, "sensors", OTHERS);
        const struct compared *it = &open_fleet(loaded)->each[2];
        ck_assert_uint_eq(it->kinds[DIFFERENCE_speed_behind], is_of_base ? 1 : 0);
        ck_assert_uint_gt(it->kinds[DIFFERENCE_speed_disturbed], 0);
        ck_assert_int_eq(it->change, is_of_base ? CHANGE_REGRESSED : CHANGE_NOT_COMPARABLE);
    }
}

/* The rest has changed, and one has not. */
START_TEST(who_stayed_behind_is_named, "compare.fleet.apart")
{
    struct loaded *loaded = make_fleet(NULL);
    for (size_t index = 1; index <= MACHINES; index++)
        if (index != 3)
            made_pair_header(&loaded->records[index])->toolkit = "13.3";
    const struct comparison_set *set = open_fleet(loaded);
    ck_assert_uint_eq(set->fleet.count, 1);
    ck_assert_uint_eq(set->fleet.rows[0].machine, 2);
    ck_assert_str_eq(set->fleet.rows[0].own, "as BASE");
    ck_assert_str_eq(set->fleet.rows[0].rest, "13.3");
}

START_TEST(a_fleet_has_its_tables, "compare.fleet.table")
{
    static const struct edit edits[] = {{BOTH, "0/toolkit", "\"12.9\""}, {NONE, NULL, NULL}};
    struct loaded *loaded = make_fleet(edits);
    struct comparison_set *set = open_fleet(loaded);
    struct table table;
    char sentence[FLEET_SENTENCE_BYTES];
    fleet_table_counts(set, &table);
    ck_assert_uint_eq(table.cell_count, MACHINES * (size_t)table.column_count);
    table_close(&table);
    fleet_sentence(set, sentence);
    ck_assert_str_eq(sentence, "besides BASE, 1 of 5 machines unlike the rest, in 1 difference");
    FILE *file = testing_stream();
    fleet_table_rows(set, &table);
    table_markdown(file, &table);
    table_text(file, &table, 2);
    table_close(&table);
    ck_assert_str_eq(testing_text(file), "| machine | what | where | here | the rest |\n"
                                         "|---|---|---|---|---|\n"
                                         "| m2 | changed | toolkit | 12.9 | as BASE |\n"
                                         "  machine  what     where    here  the rest\n"
                                         "  m2       changed  toolkit  12.9  as BASE\n");
}

/* Three are a fleet; its text has the sentence, the tables and who is not as the rest. */
START_TEST(three_are_a_fleet, "compare.fleet.table")
{
    static const struct edit edits[] = {{BOTH, "0/toolkit", "\"12.9\""},
                                        {BOTH, "3/bench/gbps", GBPS(3700, 3701, 3702)},
                                        {NONE, NULL, NULL}};
    struct loaded *loaded = make_fleet(edits);
    loaded->file_count = 1 + FLEET_LEAST;
    struct comparison_set *set = made_set(loaded);
    ck_assert_uint_eq(set->count, FLEET_LEAST);
    FILE *file = testing_stream();
    comparison_text(file, &(struct comparisons){.parts = set, .count = 1});
    char *text = testing_text(file);
    ck_assert_str_eq(
        text, "SAME  m0 against base: 1 speed, 16 verdicts compared\n"
              "SAME  m1 against base: 1 speed, 16 verdicts compared\n"
              "REGRESSED  m2 against base: slower (1), slower than the rest (1)\n"
              "\n"
              "fleet     besides BASE, 1 of 3 machines unlike the rest, in 2 differences\n"
              "  machine  verdict    coverage  speed  environment  unlike the rest\n"
              "  m0       SAME              1                                     \n"
              "  m1       SAME              1                                     \n"
              "  m2       REGRESSED         1      2            1                2\n"
              "\n"
              "  m2: slower than the rest: matmul/naive through sass on cuda:0, 3,701 GB/s\n"
              "    (-7.5 %); the rest: as BASE\n"
              "  m2: changed: toolkit, 12.9; the rest: as BASE\n"
              "\n"
              "m2\n"
              "speed\n"
              "  slower: matmul/naive through sass on cuda:0, 4,000 GB/s -> 3,701 GB/s (-7.5\n"
              "    %, -8.0 to -7.0 %)\n"
              "  slower than the rest: matmul/naive through sass on cuda:0, 4,000 GB/s ->\n"
              "    3,701 GB/s (-7.5 %)\n"
              "detects   a slowdown of 6.5 % or more in 1 speed in DRAM\n");
}

static char *written_fleet(struct loaded *loaded, comparison_writer *write)
{
    FILE *file = testing_stream();
    comparison_write(file, loaded, write, false);
    return testing_text(file);
}

static void name_hosts(struct loaded *loaded, const char *const *hosts)
{
    for (size_t index = 0; index < loaded->count; index++)
        made_pair_header(&loaded->records[index])->host = hosts[index];
}

/* Files that were renamed: each record still says which machine it is of. */
START_TEST(a_record_names_its_machine, "compare.record.named")
{
    static const struct edit edits[] = {{BOTH, "0/toolkit", "\"12.9\""}, {NONE, NULL, NULL}};
    static const char *const hosts[] = {"node1", "node10", "node11", "node12", "node13", "m4"};
    static const char *const words[] = {
        "SAME  node10 (m0) against node1 (base): ",
        "\n  machine      verdict ",
        "\n  node12 (m2)  SAME ",
        "\n  node12 (m2): changed: toolkit, 12.9; the rest: as BASE\n",
        "\n  m4           SAME ",
    };
    struct loaded *loaded = make_fleet(edits);
    name_hosts(loaded, hosts);
    const char *text = written_fleet(loaded, comparison_text);
    for (size_t index = 0; index < sizeof words / sizeof words[0]; index++)
        ck_assert_msg(strstr(text, words[index]), "'%s' in\n%s", words[index], text);
    text = written_fleet(loaded, comparison_markdown);
    ck_assert_msg(strstr(text, "5 records against node1 (base)") &&
                      strstr(text, "| node12 (m2) | changed | toolkit | 12.9 | as BASE |"),
                  "%s", text);
    json_t *root = made_json(json_loads(written_fleet(loaded, comparison_json), 0, NULL));
    const json_t *part = json_array_get(json_object_get(root, "parts"), 0);
    const json_t *second = json_array_get(json_object_get(part, "compared"), 1);
    const json_t *row =
        json_array_get(json_object_get(json_object_get(part, "fleet"), "differences"), 0);
    ck_assert_str_eq(json_string_value(json_object_get(root, "base_host")), "node1");
    ck_assert_str_eq(json_string_value(json_object_get(second, "host")), "node11");
    ck_assert_str_eq(json_string_value(json_object_get(row, "host")), "node12");
}

/* Before and after on one machine: it is named once, and no file is named after another one. */
START_TEST(one_machine_is_named_once, "compare.record.named")
{
    static const char *const same[] = {"node1", "node1"}, *const none[] = {"", ""},
                             *const other[] = {"bas", "after"};
    static const struct {
        const char *const *hosts, *first, *last;
    } table[] = {
        {same, "SAME  after against before: ", "\n\nmachine   node1\n"},
        {none, "SAME  after against before: ", NULL},
        {other, "SAME  after against bas (before): ", NULL},
    };
    for (size_t row = 0; row < sizeof table / sizeof table[0]; row++) {
        struct loaded *loaded = made_pair(made_lines_bench, NULL);
        name_hosts(loaded, table[row].hosts);
        const char *text = written_fleet(loaded, comparison_text);
        ck_assert_msg(strncmp(text, table[row].first, strlen(table[row].first)) == 0, "%s", text);
        const char *last = strstr(text, "\n\nmachine ");
        if (table[row].last)
            ck_assert_msg(last && strcmp(last, table[row].last) == 0, "%s", text);
        else
            ck_assert_ptr_null(last);
    }
}
