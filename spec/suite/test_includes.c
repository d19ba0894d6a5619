/* Unit tests of the include graph: made-up trees in a made-up house, each wrong in one way. */
#include "spec/suite/checks.h"
#include "spec/suite/made_tree.h"
#include "spec/testing.h"

typedef size_t house_check(const struct tree *tree, const struct house *house, FILE *report);

static const char *const rooms[] = {"hall", "hall/attic", "hall/cellar", "yard", "well"};
static const struct arrow apart[] = {{"yard", "well", "why"}};
static const struct house made = {
    .rooms = rooms, .room_count = 5, .apart = apart, .apart_count = 1};

static void run(house_check *check, const struct house *house, const char *const *files,
                size_t mistakes, const char *part)
{
    struct made_tree tree;
    made_tree_open(&tree, files);
    made_tree_expect(&tree, check(&tree.tree, house, tree.report), mistakes, part);
}

#define FILES         (const char *const[])
#define INCLUDE(path) "/* Opens. */\n#include \"" path "\"\n"

START_TEST(arrows_downwards_pass)
{
    CLAUSE("rooms.arrow.downwards");
    static const char *const files[] = {
        "hall/main.c",
        INCLUDE("hall/attic/a.h") INCLUDE("hall/made.h"),
        "hall/attic/a.h",
        INCLUDE("b.h") INCLUDE("hall/cellar/c.h"),
        "hall/attic/b.h",
        "",
        "hall/cellar/c.h",
        INCLUDE("well/w.h") "#include <stdio.h>\n// #include \"hall/attic/a.h\"",
        "well/w.h",
        "",
        "well/test/t.c",
        INCLUDE("hall/attic/a.h"),
        "well/test_t.c",
        INCLUDE("hall/attic/a.h"),
        NULL};
    run(check_arrows, &made, files, 0, "");
    run(check_cycles, &made, files, 0, "");
    run(check_apart, &made, files, 0, "");
    run(check_excepted, &made, files, 0, "");
}
END_TEST

START_TEST(arrow_upwards_fails)
{
    CLAUSE("rooms.arrow.downwards");
    run(check_arrows, &made,
        FILES{"hall/attic/a.h", "", "hall/cellar/c.c", "\n" INCLUDE("hall/attic/a.h"), NULL}, 1,
        "hall/cellar/c.c:3: includes hall/attic/a.h: hall/attic lies above hall/cellar");
    /* A file that the build makes, one that is named from beside, one found as kernels find it. */
    run(check_arrows, &made, FILES{"hall/cellar/c.c", INCLUDE("hall/made.h"), NULL}, 1,
        "hall lies above hall/cellar");
    run(check_arrows, &made,
        FILES{"hall/cellar/c.c", INCLUDE("../attic/a.h"), "hall/attic/a.h", "", NULL}, 1,
        "includes ../attic/a.h, which lies in no room");
    run(check_arrows, &made, FILES{"cuda/device.h", "", "yard/a.cu", INCLUDE("device.h"), NULL}, 1,
        "cuda/device.h");
}
END_TEST

START_TEST(stray_files_fail)
{
    CLAUSE("rooms.arrow.downwards");
    run(check_arrows, &made, FILES{"hall/shed/s.c", INCLUDE("well/w.h"), "well/w.h", "", NULL}, 1,
        "hall/shed/s.c:2: lies in no room");
    run(check_arrows, &made, FILES{"well/w.c", INCLUDE("well/test/t.h"), NULL}, 1,
        "well/w.c:2: includes a test's file, well/test/t.h");
}
END_TEST

START_TEST(cycles_fail)
{
    CLAUSE("rooms.cycle.none");
    run(check_cycles, &made,
        FILES{"well/a.h", INCLUDE("well/b.h"), "well/b.h", INCLUDE("well/c.h"), "well/c.h",
              INCLUDE("well/a.h"), NULL},
        2,
        "well/c.h:2: includes well/a.h, which closes a cycle: well/a.h > well/b.h > well/c.h > "
        "well/a.h\n");
    run(check_cycles, &made,
        FILES{"well/a.c", INCLUDE("well/b.h"), "well/a.h", "", "well/b_internal.h",
              INCLUDE("well/a.h"), "well/b.h", "", NULL},
        1, "closes a cycle: well/a > well/b > well/a\n");
    run(check_cycles, &made,
        FILES{"hall/attic/a.c", INCLUDE("hall/cellar/c.h"), "hall/attic/b.h", "", "hall/cellar/c.h",
              "", "hall/cellar/d.c", INCLUDE("hall/attic/b.h"), NULL},
        1, "closes a cycle: hall/attic > hall/cellar > hall/attic\n");
    /* A module is no cycle, and tests close none. */
    run(check_cycles, &made,
        FILES{"well/a.c", INCLUDE("well/a_internal.h"), "well/a_internal.h", INCLUDE("well/a.h"),
              "well/a.h", INCLUDE("yard/b.h"), "yard/test/b.c", INCLUDE("well/a.h"), NULL},
        0, "");
}
END_TEST

START_TEST(common_file_fails)
{
    CLAUSE("rooms.golden.apart");
    run(check_apart, &made,
        FILES{"yard/y.c", INCLUDE("hall/h.h"), "hall/h.h", INCLUDE("hall/i.h"), "hall/i.h", "",
              "well/w.c", INCLUDE("hall/i.h"), NULL},
        2, "hall/h.h:2: yard and well both come to hall/i.h");
    run(check_apart, &made, FILES{"yard/y.c", INCLUDE("well/w.h"), "well/w.h", "", NULL}, 1,
        "yard/y.c:2: ");
    run(check_apart, &made, FILES{"well/w.c", INCLUDE("yard/y.h"), "yard/y.h", "", NULL}, 1,
        "well/w.c:2: ");
}
END_TEST

START_TEST(excepted_arrows_count_once)
{
    CLAUSE("rooms.arrow.excepted");
    static const struct arrow excepted[] = {{"hall/cellar", "hall/attic/a.h", "why"}, {0}};
    struct house house = made;
    house.excepted = excepted;
    static const char *const there[] = {"hall/attic/a.h", "", "hall/cellar/c.c",
                                        INCLUDE("hall/attic/a.h"), NULL};
    run(check_arrows, &house, there, 0, "");
    run(check_excepted, &house, there, 0, "");
    run(check_excepted, &house, FILES{"hall/attic/a.h", "", NULL}, 1,
        "no file of hall/cellar that includes hall/attic/a.h breaks a rule any more");
}
END_TEST

#define HEAD "# x\n\n| room | what |\n|---|---|\n| `hall/` | main |\n| `hall/attic/` | dust |\n"
#define LIVED_IN                                                                                   \
    "hall/main.c", "", "hall/attic/a.c", "", "hall/cellar/c.c", "", "yard/y.c", "", "well/w.c", ""
#define REST "| `yard/` | stones |\n| `well/` | water |\n"

START_TEST(table_of_rooms_is_held)
{
    CLAUSE("rooms.table.readme");
    run(check_rooms_table, &made,
        FILES{"README.md", HEAD "| `hall/cellar/` | wine |\n" REST "\nmore\n", LIVED_IN, NULL}, 0,
        "");
    run(check_rooms_table, &made,
        FILES{"README.md", HEAD "| `hall/cellar/` | wine |\n" REST "\nmore\n", "hall/main.c", "",
              "hall/attic/a.c", "", "yard/y.c", "", "well/w.c", "", NULL},
        1, "no file lies in hall/cellar");
    run(check_rooms_table, &made, FILES{"README.md", HEAD REST, LIVED_IN, NULL}, 3,
        "has 4 rows of 5");
    run(check_rooms_table, &made,
        FILES{"README.md", HEAD "| `hall/cellar/` | wine |\n" REST "| `moor/` | fog |", LIVED_IN,
              NULL},
        1, "row 6 of the table of rooms must begin `| no more rooms`");
    run(check_rooms_table, &made, FILES{"README.md", "# x\n", LIVED_IN, NULL}, 1,
        "has 0 rows of 5");
}
END_TEST

static size_t names_check(const struct tree *tree, const struct house *house, FILE *report)
{
    (void)house;
    return check_names(tree, report);
}

START_TEST(names_are_told_apart)
{
    CLAUSE("rooms.name.unique");
    run(names_check, &made,
        FILES{"hall/x.c", "", "hall/x.h", "", "hall/a/call.h", "", "hall/b/call.h", "",
              "hall/a/x.cu", "", "hall/b/x.cu", "", "well/hall_x.c", "", NULL},
        0, "");
    run(names_check, &made, FILES{"hall/x.c", "", "well/test/x.c", "", NULL}, 1,
        "well/test/x.c:1: has the name of hall/x.c");
}
END_TEST
