/* Machines with fewer GPUs than they should have (fleet_missing.h). Clauses: fleet.gpus.missing,
 * fleet.gpus.sorts, fleet.gpus.base. */
#include "conformance/fleet/fleet_missing.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "conformance/base/heap.h"
#include "conformance/base/text.h"
#include "conformance/fleet/fleet_siblings.h"

enum { LAYOUT_BYTES = 2048, WHERE_BYTES = 256 };

/* The GPUs of a machine: their addresses on the bus, in order, with spaces between; "" if one of
 * them has none. */
struct layout {
    size_t machine, gpus;
    const char *addresses;
    bool is_common; /* that of many */
};

static int sort_texts(const void *left, const void *right)
{
    return strcmp(*(const char *const *)left, *(const char *const *)right);
}

static int sort_layouts(const void *left, const void *right)
{
    const struct layout *a = left, *b = right;
    const int order = strcmp(a->addresses, b->addresses);
    if (a->gpus != b->gpus)
        return a->gpus > b->gpus ? -1 : 1;
    return order ? order : (a->machine > b->machine) - (a->machine < b->machine);
}

static const char *addresses_of(struct fleet *fleet, const struct fleet_gpu *gpus, size_t count)
{
    const char **each = heap_take(count, sizeof *each);
    char text[LAYOUT_BYTES] = "";
    bool has_all = true;
    for (size_t gpu = 0; gpu < count; gpu++) {
        each[gpu] = gpus[gpu].pci ? gpus[gpu].pci : "";
        has_all = has_all && each[gpu][0];
    }
    qsort(each, count, sizeof *each, sort_texts);
    for (size_t gpu = 0; has_all && gpu < count; gpu++)
        text_join(text, sizeof text, " ", "%.40s", each[gpu]);
    free(each);
    return fleet_words(fleet, text);
}

/* The layouts of all machines that are no base's, sorted. Returns how many. */
static size_t make_layouts(struct fleet *fleet, struct layout *ret)
{
    const struct fleet_table *table = fleet->table;
    size_t count = 0;
    for (size_t machine = 0, gpu = 0; machine < table->machine_count; machine++) {
        const size_t gpus = table->machines[machine].gpu_count;
        if (!table->machines[machine].is_base)
            ret[count++] =
                (struct layout){.machine = machine,
                                .gpus = gpus,
                                .addresses = addresses_of(fleet, table->gpus + gpu, gpus)};
        gpu += gpus;
    }
    qsort(ret, count, sizeof *ret, sort_layouts);
    for (size_t first = 0, end; first < count; first = end) {
        for (end = first; end < count && ret[end].gpus == ret[first].gpus &&
                          strcmp(ret[end].addresses, ret[first].addresses) == 0;)
            end++;
        for (size_t index = first; index < end; index++)
            ret[index].is_common = fleet_is_group(end - first, end - first, count);
    }
    return count;
}

/* The addresses of `all` that `some` has not, or "" if `some` has one that `all` has not. */
static void write_lacking(const char *all, const char *some, char ret[WHERE_BYTES])
{
    ret[0] = 0;
    for (const char *at = some; *at;) {
        char address[48];
        const size_t length = strcspn(at, " ");
        snprintf(address, sizeof address, "%.*s", (int)length, at);
        if (strstr(all, address) == NULL)
            return;
        at += length + (at[length] == ' ');
    }
    for (const char *at = all; *at;) {
        char address[48];
        const size_t length = strcspn(at, " ");
        snprintf(address, sizeof address, "%.*s", (int)length, at);
        if (strstr(some, address) == NULL)
            text_join(ret, WHERE_BYTES, ", ", "%s", address);
        at += length + (at[length] == ' ');
    }
}

static void add(struct fleet *fleet, size_t machine, enum fleet_finding_kind kind,
                const char *place, const char *own, const char *rest)
{
    fleet_add(fleet,
              &(struct fleet_finding){.machine = machine,
                                      .gpu = FLEET_OF_MACHINE,
                                      .kind = kind,
                                      .place = fleet_words(fleet, place),
                                      .noun = "GPU",
                                      .own = fleet_words(fleet, own),
                                      .rest = fleet_words(fleet, rest),
                                      .count = 1},
              false);
}

/* The layout that a machine's is a part of, among the common ones: it is sorted before it. */
static bool lacks_address(struct fleet *fleet, const struct layout *layouts, size_t at)
{
    const struct layout *it = &layouts[at];
    for (size_t other = 0; it->addresses[0] && other < at; other++) {
        char lacking[WHERE_BYTES], own[64], rest[64];
        if (!layouts[other].is_common || layouts[other].gpus <= it->gpus ||
            (other > 0 && strcmp(layouts[other].addresses, layouts[other - 1].addresses) == 0))
            continue;
        write_lacking(layouts[other].addresses, it->addresses, lacking);
        if (lacking[0] == 0)
            continue;
        snprintf(own, sizeof own, "%s", NUMBER_COUNT(it->gpus, "GPU"));
        snprintf(rest, sizeof rest, "%s", NUMBER_COUNT(layouts[other].gpus, "GPU"));
        add(fleet, it->machine, FLEET_gpu_missing, lacking, own, rest);
        return true;
    }
    return false;
}

/* How many machines have as many GPUs. */
static size_t count_alike(const struct layout *layouts, size_t count, size_t gpus)
{
    size_t alike = 0;
    for (size_t index = 0; index < count; index++)
        alike += layouts[index].gpus == gpus;
    return alike;
}

static void judge_siblings(struct fleet *fleet)
{
    struct layout *layouts = heap_take(fleet->table->machine_count, sizeof *layouts);
    const size_t count = make_layouts(fleet, layouts);
    size_t most = 0, most_gpus = 0;
    for (size_t index = 0; index < count; index++)
        if (index == 0 || layouts[index].gpus != layouts[index - 1].gpus) {
            const size_t alike = count_alike(layouts, count, layouts[index].gpus);
            most_gpus = alike > most ? layouts[index].gpus : most_gpus;
            most = alike > most ? alike : most;
        }
    for (size_t index = 0; index < count; index++) {
        const struct layout *it = &layouts[index];
        char own[64], rest[96];
        if (it->is_common || lacks_address(fleet, layouts, index))
            continue;
        const size_t alike = count_alike(layouts, count, it->gpus);
        if (it->gpus >= most_gpus || fleet_is_group(alike, alike, count) || 2 * most <= count)
            continue;
        snprintf(own, sizeof own, "%s", NUMBER_COUNT(it->gpus, "GPU"));
        snprintf(rest, sizeof rest, "%s on %s", NUMBER_COUNT(most_gpus, "GPU"),
                 NUMBER_COUNT(most, "machine"));
        add(fleet, it->machine, FLEET_gpus_fewer, "GPUs", own, rest);
    }
    free(layouts);
}

static bool has_uuid(const struct fleet_table *table, size_t machine, fleet_text_id uuid)
{
    bool has = false;
    for (size_t gpu = 0; gpu < table->gpu_count; gpu++)
        has = has || (table->gpus[gpu].machine == machine && table->gpus[gpu].uuid == uuid);
    return has;
}

/* Returns the machine with that identity that is not of the base; the number of machines if none
 * has it. */
static size_t find_machine(const struct fleet_table *table, const char *identity)
{
    size_t machine = 0;
    while (machine < table->machine_count &&
           (table->machines[machine].is_base ||
            strcmp(table->machines[machine].identity, identity) != 0))
        machine++;
    return machine;
}

static void judge_against_base(struct fleet *fleet)
{
    const struct fleet_table *table = fleet->table;
    for (size_t gpu = 0; gpu < table->gpu_count; gpu++) {
        const struct fleet_gpu *it = &table->gpus[gpu];
        if (!it->is_base || it->uuid == 0)
            continue;
        const size_t machine = find_machine(table, table->machines[it->machine].identity);
        if (machine == table->machine_count || has_uuid(table, machine, it->uuid))
            continue;
        char place[WHERE_BYTES];
        snprintf(place, sizeof place, "%.48s%s%.48s", fleet_text_of(table, it->uuid),
                 it->pci && it->pci[0] ? " at " : "", it->pci ? it->pci : "");
        add(fleet, machine, FLEET_gpu_missing, place, "none", "in the base");
    }
}

void fleet_judge_missing(struct fleet *fleet)
{
    if (fleet->table->has_base)
        judge_against_base(fleet);
    else
        judge_siblings(fleet);
}
