/* The machines that records name, in a comparison of two. */
#include "conformance/test/made_lines.h"
#include "conformance/test/made_pair.h"

static char *written(struct loaded *loaded, comparison_writer *write)
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
    static const char *const hosts[] = {"node1", "node10"};
    struct loaded *loaded = made_pair(made_lines_bench, NULL);
    name_hosts(loaded, hosts);
    const char *text = written(loaded, comparison_text);
    ck_assert_msg(strncmp(text, "SAME  node10 (after) against node1 (before): ", 45) == 0, "%s",
                  text);
    text = written(loaded, comparison_markdown);
    ck_assert_msg(strstr(text, "node10 (after) against node1 (before)"), "%s", text);
    json_t *root = made_json(json_loads(written(loaded, comparison_json), 0, NULL));
    const json_t *part = json_array_get(json_object_get(root, "parts"), 0);
    const json_t *first = json_array_get(json_object_get(part, "compared"), 0);
    ck_assert_str_eq(json_string_value(json_object_get(root, "base_host")), "node1");
    ck_assert_str_eq(json_string_value(json_object_get(first, "host")), "node10");
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
        const char *text = written(loaded, comparison_text);
        ck_assert_msg(strncmp(text, table[row].first, strlen(table[row].first)) == 0, "%s", text);
        const char *last = strstr(text, "\n\nmachine ");
        if (table[row].last)
            ck_assert_msg(last && strcmp(last, table[row].last) == 0, "%s", text);
        else
            ck_assert_ptr_null(last);
    }
}
