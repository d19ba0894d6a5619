/* Reads the include graph and finds its cycles (includes.h). */
#include "spec/suite/includes.h"
#include "spec/source_text.h"
#include "spec/suite/lookup.h"

#include <stdlib.h>
#include <string.h>

enum { PATH_BYTES = 512 };

static size_t folder_bytes(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash ? (size_t)(slash + 1 - path) : 0;
}

/* The path of what `name` means in a file; from the root where nothing is found. */
static char *include_resolve(const struct tree *tree, const char *from, struct page_text name)
{
    const struct page_text places[] = {{from, folder_bytes(from)}, {"", 0}, {"cuda/", 5}};
    char path[PATH_BYTES];
    for (size_t index = 0; index < sizeof places / sizeof *places; index++) {
        snprintf(path, sizeof path, "%.*s%.*s", TEXT(places[index]), TEXT(name));
        if (tree_find(tree, path))
            return strdup(path);
    }
    return strndup(name.start, name.bytes);
}

static bool include_add(struct includes *includes, const struct tree_file *from, size_t line,
                        char *to)
{
    struct include *list = realloc(includes->list, (includes->count + 1) * sizeof *list);
    if (list)
        includes->list = list;
    if (!list || !to) {
        free(to);
        return false;
    }
    list[includes->count++] = (struct include){from, line, to};
    return true;
}

/* The name after `#include`; false where the reader is not at such a line. */
static bool include_name(struct source_reader *reader, struct page_text *ret)
{
    struct source_token token;
    struct source_reader ahead = *reader;
    if (source_next(&ahead, &token) != SOURCE_WORD ||
        !page_text_equal(token.text, page_text_of("include")) ||
        source_next(&ahead, &token) != SOURCE_STRING)
        return false;
    *reader = ahead;
    *ret = token.text;
    return true;
}

static bool file_read(const struct tree *tree, const struct tree_file *file, struct includes *ret)
{
    struct source_reader reader;
    struct source_token token;
    struct page_text name;
    source_open(&reader, file->text, file->bytes);
    while (source_next(&reader, &token) != SOURCE_END)
        if (token.kind == SOURCE_MARK && token.text.start[0] == '#' && include_name(&reader, &name))
            if (!include_add(ret, file, token.line, include_resolve(tree, file->path, name)))
                return false;
    return true;
}

bool includes_read(const struct tree *tree, struct includes *ret)
{
    *ret = (struct includes){NULL, 0};
    for (size_t index = 0; index < tree->count; index++)
        if (tree_is_source(&tree->files[index]) && !file_read(tree, &tree->files[index], ret)) {
            includes_free(ret);
            return false;
        }
    return true;
}

void includes_free(struct includes *includes)
{
    for (size_t index = 0; index < includes->count; index++)
        free(includes->list[index].to);
    free(includes->list);
    *includes = (struct includes){NULL, 0};
}

static void node_name(enum include_level level, const char *path, char ret[PATH_BYTES])
{
    static const char internal[] = "_internal";
    size_t folder = folder_bytes(path), bytes = strlen(path);
    if (level == INCLUDE_FOLDER)
        bytes = folder ? folder - 1 : 0;
    if (level == INCLUDE_MODULE && strchr(path + folder, '.'))
        bytes = (size_t)(strrchr(path, '.') - path);
    if (level == INCLUDE_MODULE && bytes > strlen(internal) &&
        memcmp(path + bytes - strlen(internal), internal, strlen(internal)) == 0)
        bytes -= strlen(internal);
    snprintf(ret, PATH_BYTES, "%.*s", (int)bytes, path);
}

/* The graph of one level while its cycles are looked for. */
struct graph {
    const struct includes *includes;
    char (*names)[PATH_BYTES];
    size_t node_count;
    size_t (
        *ends)[2]; /* of each include: the nodes from and to; the same one twice does not count */
    enum { NODE_NEW, NODE_OPEN, NODE_DONE } * states;
    size_t *parents; /* of an open node: the one that led to it */
    FILE *report;
};

static size_t node_find(struct graph *graph, enum include_level level, const char *path)
{
    char name[PATH_BYTES];
    size_t index = 0;
    node_name(level, path, name);
    while (index < graph->node_count && strcmp(graph->names[index], name) != 0)
        index++;
    if (index == graph->node_count)
        memcpy(graph->names[graph->node_count++], name, sizeof name);
    return index;
}

/* Prints the way that led from the open node `first` to `last`. */
static void way_print(const struct graph *graph, size_t first, size_t last)
{
    if (last != first)
        way_print(graph, first, graph->parents[last]);
    fprintf(graph->report, "%s > ", graph->names[last]);
}

/* `number` is an include that leads from the open node `last` back to an open one. */
static void cycle_report(const struct graph *graph, size_t number, size_t last)
{
    const struct include *include = &graph->includes->list[number];
    size_t first = graph->ends[number][1];
    fprintf(graph->report, "%s:%zu: includes %s, which closes a cycle: ", include->from->path,
            include->line, include->to);
    way_print(graph, first, last);
    fprintf(graph->report, "%s\n", graph->names[first]);
}

static size_t node_visit(struct graph *graph, size_t node)
{
    size_t mistakes = 0;
    graph->states[node] = NODE_OPEN;
    for (size_t number = 0; number < graph->includes->count; number++) {
        size_t to = graph->ends[number][1];
        if (graph->ends[number][0] != node || to == node)
            continue;
        if (graph->states[to] == NODE_OPEN) {
            cycle_report(graph, number, node);
            mistakes++;
        } else if (graph->states[to] == NODE_NEW) {
            graph->parents[to] = node;
            mistakes += node_visit(graph, to);
        }
    }
    graph->states[node] = NODE_DONE;
    return mistakes;
}

size_t includes_cycles(const struct includes *includes, enum include_level level,
                       const bool *counts, FILE *report)
{
    size_t nodes_max = 2 * includes->count + 1, mistakes = 0;
    struct graph graph = {.includes = includes,
                          .names = malloc(nodes_max * sizeof *graph.names),
                          .ends = malloc(nodes_max * sizeof *graph.ends),
                          .states = calloc(nodes_max, sizeof *graph.states),
                          .parents = calloc(nodes_max, sizeof *graph.parents),
                          .report = report};
    if (graph.names && graph.ends && graph.states && graph.parents) {
        for (size_t number = 0; number < includes->count; number++) {
            graph.ends[number][0] = node_find(&graph, level, includes->list[number].from->path);
            graph.ends[number][1] = counts[number]
                                        ? node_find(&graph, level, includes->list[number].to)
                                        : graph.ends[number][0];
        }
        for (size_t node = 0; node < graph.node_count; node++)
            if (graph.states[node] == NODE_NEW)
                mistakes += node_visit(&graph, node);
    } else {
        fprintf(report, "memory is out\n");
        mistakes = 1;
    }
    free(graph.names);
    free(graph.ends);
    free(graph.states);
    free(graph.parents);
    return mistakes;
}
