/* What must hold of the include graph (checks.h, spec/rooms.md). */
#include "spec/suite/checks.h"
#include "spec/suite/includes.h"
#include "spec/suite/lookup.h"

#include <stdlib.h>
#include <string.h>

static bool lies_in(const char *path, const char *folder)
{
    size_t bytes = strlen(folder);
    return strncmp(path, folder, bytes) == 0 && path[bytes] == '/';
}

/* The row of the room that owns the file; the number of rooms where none does. */
static size_t room_of(const struct house *house, const char *path)
{
    size_t found = house->room_count, longest = 0;
    bool has_rooms = false;
    for (size_t row = 0; row < house->room_count; row++)
        if (lies_in(path, house->rooms[row]) && strlen(house->rooms[row]) > longest) {
            found = row;
            longest = strlen(house->rooms[row]);
        }
    for (size_t row = 0; found < house->room_count && row < house->room_count; row++)
        has_rooms = has_rooms || lies_in(house->rooms[row], house->rooms[found]);
    return has_rooms && strchr(path + longest + 1, '/') ? house->room_count : found;
}

static bool end_matches(const char *path, const char *end)
{
    return strcmp(path, end) == 0 || lies_in(path, end);
}

static bool is_excepted(const struct house *house, const struct include *include)
{
    for (const struct arrow *row = house->excepted; row && row->from; row++)
        if (row != house->ignored && end_matches(include->from->path, row->from) &&
            end_matches(include->to, row->to))
            return true;
    return false;
}

/* A check of the graph; `counts` says of each include that rules count it: it is no test's, and
 * is not excepted. */
typedef size_t graph_check(const struct includes *includes, const struct house *house,
                           const bool *counts, FILE *report);

static size_t graph_read(const struct tree *tree, const struct house *house, graph_check *check,
                         FILE *report)
{
    struct includes includes = {NULL, 0};
    bool read = includes_read(tree, &includes);
    bool *counts = read ? calloc(includes.count + 1, sizeof *counts) : NULL;
    for (size_t number = 0; counts && number < includes.count; number++)
        counts[number] = !tree_path_tests(includes.list[number].from->path) &&
                         !is_excepted(house, &includes.list[number]);
    size_t mistakes = counts ? check(&includes, house, counts, report) : 1;
    if (!counts)
        fprintf(report, "memory is out\n");
    free(counts);
    includes_free(&includes);
    return mistakes;
}

static size_t arrow_check(const struct include *include, const struct house *house, FILE *report)
{
    size_t from = room_of(house, include->from->path), to = room_of(house, include->to);
    if (from == house->room_count)
        return mistake(report, include->from, include->line,
                       "lies in no room; add its folder to spec/suite/rooms.c and README.md");
    if (tree_path_tests(include->to))
        return mistake(report, include->from, include->line, "includes a test's file, %s",
                       include->to);
    if (to == house->room_count)
        return mistake(report, include->from, include->line, "includes %s, which lies in no room",
                       include->to);
    return to >= from
               ? 0
               : mistake(report, include->from, include->line, "includes %s: %s lies above %s",
                         include->to, house->rooms[to], house->rooms[from]);
}

static size_t arrows_check(const struct includes *includes, const struct house *house,
                           const bool *counts, FILE *report)
{
    size_t mistakes = 0;
    for (size_t number = 0; number < includes->count; number++)
        if (counts[number])
            mistakes += arrow_check(&includes->list[number], house, report);
    return mistakes;
}

size_t check_arrows(const struct tree *tree, const struct house *house, FILE *report)
{
    return graph_read(tree, house, arrows_check, report);
}

static size_t cycles_check(const struct includes *includes, const struct house *house,
                           const bool *counts, FILE *report)
{
    (void)house;
    return includes_cycles(includes, INCLUDE_FILE, counts, report) +
           includes_cycles(includes, INCLUDE_MODULE, counts, report) +
           includes_cycles(includes, INCLUDE_FOLDER, counts, report);
}

size_t check_cycles(const struct tree *tree, const struct house *house, FILE *report)
{
    return graph_read(tree, house, cycles_check, report);
}

/* Sets ret[n] where a file below `folder` reaches include n. */
static void reach(const struct includes *includes, const char *folder, const bool *counts,
                  bool *ret)
{
    bool grows = true;
    for (size_t number = 0; number < includes->count; number++)
        ret[number] = counts[number] && lies_in(includes->list[number].from->path, folder);
    while (grows) {
        grows = false;
        for (size_t number = 0; number < includes->count; number++)
            for (size_t by = 0; !ret[number] && by < includes->count; by++)
                if (ret[by] &&
                    strcmp(includes->list[by].to, includes->list[number].from->path) == 0)
                    grows = ret[number] = true;
    }
}

/* Where an include that `from` reaches leads to what `to` has or reaches. */
static size_t pair_check(const struct includes *includes, const struct arrow *pair,
                         const bool *from, const bool *to, FILE *report)
{
    size_t mistakes = 0;
    for (size_t number = 0; number < includes->count; number++) {
        const struct include *include = &includes->list[number];
        bool common = lies_in(include->to, pair->to);
        for (size_t other = 0; !common && other < includes->count; other++)
            common = to[other] && strcmp(includes->list[other].to, include->to) == 0;
        if (from[number] && common)
            mistakes +=
                mistake(report, include->from, include->line, "%s and %s both come to %s: %s",
                        pair->from, pair->to, include->to, pair->reason);
    }
    return mistakes;
}

static size_t apart_check(const struct includes *includes, const struct house *house,
                          const bool *counts, FILE *report)
{
    size_t mistakes = 0;
    bool *from = calloc(2 * includes->count + 1, sizeof *from), *to = from + includes->count;
    if (!from)
        return 1;
    for (size_t row = 0; row < house->apart_count; row++) {
        const struct arrow *pair = &house->apart[row];
        const struct arrow back = {pair->to, pair->from, pair->reason};
        reach(includes, pair->from, counts, from);
        reach(includes, pair->to, counts, to);
        mistakes += pair_check(includes, pair, from, to, report);
        mistakes += pair_check(includes, &back, to, from, report);
    }
    free(from);
    return mistakes;
}

size_t check_apart(const struct tree *tree, const struct house *house, FILE *report)
{
    return graph_read(tree, house, apart_check, report);
}

size_t check_excepted(const struct tree *tree, const struct house *house, FILE *report)
{
    size_t mistakes = 0;
    FILE *unread = fopen("/dev/null", "w");
    for (const struct arrow *row = house->excepted; unread && row && row->from; row++) {
        struct house without = *house;
        without.ignored = row;
        if (check_arrows(tree, &without, unread) + check_cycles(tree, &without, unread) +
            check_apart(tree, &without, unread))
            continue;
        fprintf(report,
                "spec/suite/rooms.c: no file of %s that includes %s breaks a rule any more; take "
                "the row out\n",
                row->from, row->to);
        mistakes++;
    }
    if (unread)
        fclose(unread);
    return unread ? mistakes : 1;
}

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? slash + 1 : path;
}

/* A C source or header, whose name no other one may have. */
static bool has_own_name(const char *path)
{
    const char *name = base_name(path), *dot = strrchr(name, '.');
    return dot && (strcmp(dot, ".c") == 0 || strcmp(dot, ".h") == 0) && strcmp(name, "call.h") != 0;
}

size_t check_names(const struct tree *tree, FILE *report)
{
    size_t mistakes = 0;
    for (size_t index = 0; index < tree->count; index++)
        for (size_t other = 0; has_own_name(tree->files[index].path) && other < index; other++)
            if (strcmp(base_name(tree->files[index].path), base_name(tree->files[other].path)) == 0)
                mistakes +=
                    mistake(report, &tree->files[index], 1,
                            "has the name of %s; rename one of them", tree->files[other].path);
    return mistakes;
}

/* The line after this one; NULL at the end. */
static const char *line_next(const char *line)
{
    const char *end = strchr(line, '\n');
    return end && end[1] ? end + 1 : NULL;
}

/* A room without a file is a row of the table that leads nowhere. */
static size_t empty_rooms(const struct tree *tree, const struct house *house, FILE *report)
{
    size_t mistakes = 0;
    for (size_t row = 0; row < house->room_count; row++) {
        size_t index = 0;
        while (index < tree->count && room_of(house, tree->files[index].path) != row)
            index++;
        if (index < tree->count)
            continue;
        fprintf(report, "spec/suite/rooms.c: no file lies in %s; remove the row\n",
                house->rooms[row]);
        mistakes++;
    }
    return mistakes;
}

size_t check_rooms_table(const struct tree *tree, const struct house *house, FILE *report)
{
    const struct tree_file *readme = tree_find(tree, "README.md");
    const char *head = readme ? strstr(readme->text, "\n| room |") : NULL;
    const char *line = head ? line_next(head + 1) : NULL; /* of dashes */
    size_t mistakes = empty_rooms(tree, house, report), row = 0;
    while (line && (line = line_next(line)) && line[0] == '|') {
        char expected[128] = "| no more rooms";
        if (row < house->room_count)
            snprintf(expected, sizeof expected, "| `%s/` |", house->rooms[row]);
        row++;
        if (strncmp(line, expected, strlen(expected)) == 0)
            continue;
        fprintf(report, "README.md: row %zu of the table of rooms must begin `%s`\n", row,
                expected);
        mistakes++;
    }
    if (row < house->room_count) {
        fprintf(report, "README.md: its table of rooms (`| room | ...`) has %zu rows of %zu\n", row,
                house->room_count);
        mistakes++;
    }
    return mistakes;
}
