/* The table of a fleet, and what its rows share (fleet_table.h). */
#include "conformance/fleet/fleet_table.h"

#include <stdlib.h>
#include <string.h>

#include "conformance/base/heap.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

/* difference_rows as constants. */
enum {
#define SECTION(id, title)
#define DIFFERENCE(id, section, severity, words)                                                   \
    SECTION_OF_##id = SECTION_##section, SEVERITY_OF_##id = SEVERITY_##severity,
#include "conformance/compare/differences.def"
#undef SECTION
#undef DIFFERENCE
};

const struct fleet_finding_row fleet_finding_rows[FLEET_FINDING_KINDS] = {
#define FINDING(id, difference, words)                                                             \
    [FLEET_##id] = {#id, (enum section)SECTION_OF_##difference,                                    \
                    (enum severity)SEVERITY_OF_##difference, words},
#define OWN(id, section, severity, words)                                                          \
    [FLEET_##id] = {#id, SECTION_##section, SEVERITY_##severity, words},
#include "conformance/fleet/fleet_findings.def"
#undef FINDING
#undef OWN
};

/* The numbers of things, from 0 on, by their hashes. */
struct places {
    uint32_t *slots; /* the number and one; 0: free */
    size_t room;     /* a power of two, at least twice as many as there are things */
    uint64_t *hashes;
    size_t count;
};

/* The next number of that hash: `*at` is a slot, first that of the hash. False after the last. */
static bool places_next(const struct places *places, uint64_t hash, size_t *at, uint32_t *ret)
{
    while (places->room > 0 && places->slots[*at & (places->room - 1)]) {
        *ret = places->slots[(*at)++ & (places->room - 1)] - 1;
        if (places->hashes[*ret] == hash)
            return true;
    }
    return false;
}

static void put(struct places *places, uint32_t number)
{
    size_t at = (size_t)places->hashes[number] & (places->room - 1);
    while (places->slots[at])
        at = (at + 1) & (places->room - 1);
    places->slots[at] = number + 1;
}

/* Adds a thing of that hash, and returns its number. */
static uint32_t places_add(struct places *places, uint64_t hash)
{
    enum { ROOM_LEAST = 1024 };
    const uint32_t number = (uint32_t)places->count;
    HEAP_ROOM(places->hashes, places->count);
    places->hashes[places->count++] = hash;
    if (2 * places->count <= places->room) {
        put(places, number);
        return number;
    }
    places->room = places->room ? 2 * places->room : ROOM_LEAST;
    free(places->slots);
    places->slots = heap_take(places->room, sizeof *places->slots);
    for (uint32_t each = 0; each <= number; each++)
        put(places, each);
    return number;
}

static void places_free(struct places *places)
{
    free(places->slots);
    free(places->hashes);
}

struct fleet_texts {
    struct places places;
    const char **each;
};

struct fleet_columns {
    struct places places;
    const char **keys;
    struct fleet_column *each;
};

struct fleet_lines {
    struct places places;
    struct fleet_line *each;
};

void fleet_table_open(struct fleet_table *ret)
{
    *ret = (struct fleet_table){.lock = heap_take(1, sizeof *ret->lock),
                                .texts = heap_take(1, sizeof *ret->texts),
                                .columns = heap_take(1, sizeof *ret->columns),
                                .lines = heap_take(1, sizeof *ret->lines)};
    pthread_mutex_init(ret->lock, NULL);
    fleet_text(ret, ""); /* number 0 */
}

void fleet_table_close(struct fleet_table *table)
{
    for (size_t gpu = 0; gpu < table->gpu_count; gpu++) {
        free(table->gpus[gpu].cells.each);
        free(table->gpus[gpu].figures);
    }
    for (size_t machine = 0; machine < table->machine_count; machine++)
        free(table->machines[machine].cells.each);
    places_free(&table->texts->places);
    places_free(&table->columns->places);
    places_free(&table->lines->places);
    free(table->texts->each);
    free(table->columns->keys);
    free(table->columns->each);
    free(table->lines->each);
    free(table->texts);
    free(table->columns);
    free(table->lines);
    free(table->files);
    free(table->machines);
    free(table->gpus);
    zone_free(&table->zone);
    pthread_mutex_destroy(table->lock);
    free(table->lock);
}

fleet_text_id fleet_text(struct fleet_table *table, const char *text)
{
    struct fleet_texts *texts = table->texts;
    const uint64_t hash = XXH3_64bits(text, strlen(text));
    size_t at = (size_t)hash;
    uint32_t number;
    pthread_mutex_lock(table->lock);
    bool is_there = false;
    while (!is_there && places_next(&texts->places, hash, &at, &number))
        is_there = strcmp(texts->each[number], text) == 0;
    if (!is_there) {
        HEAP_ROOM(texts->each, texts->places.count);
        texts->each[texts->places.count] = zone_text(&table->zone, text);
        number = places_add(&texts->places, hash);
    }
    pthread_mutex_unlock(table->lock);
    return number;
}

const char *fleet_text_of(const struct fleet_table *table, fleet_text_id text)
{
    pthread_mutex_lock(table->lock);
    const char *it = table->texts->each[text];
    pthread_mutex_unlock(table->lock);
    return it;
}

uint32_t fleet_column(struct fleet_table *table, const char *key, const struct fleet_column *column)
{
    struct fleet_columns *columns = table->columns;
    const uint64_t hash = XXH3_64bits(key, strlen(key));
    size_t at = (size_t)hash;
    uint32_t number;
    pthread_mutex_lock(table->lock);
    bool is_there = false;
    while (!is_there && places_next(&columns->places, hash, &at, &number))
        is_there = strcmp(columns->keys[number], key) == 0;
    if (!is_there) {
        const size_t count = columns->places.count;
        HEAP_ROOM(columns->keys, count);
        HEAP_ROOM(columns->each, count);
        columns->keys[count] = zone_text(&table->zone, key);
        columns->each[count] = *column;
        columns->each[count].name = zone_text(&table->zone, column->name);
        number = places_add(&columns->places, hash);
    }
    pthread_mutex_unlock(table->lock);
    return number;
}

const struct fleet_column *fleet_column_of(const struct fleet_table *table, uint32_t column)
{
    return &table->columns->each[column];
}

size_t fleet_column_count(const struct fleet_table *table)
{
    return table->columns->places.count;
}

struct fleet_line_key fleet_line_key(const char *text, size_t bytes)
{
    const XXH128_hash_t hash = XXH3_128bits(text, bytes);
    return (struct fleet_line_key){hash.high64, hash.low64};
}

bool fleet_recall(struct fleet_table *table, struct fleet_line_key key, struct fleet_line *ret)
{
    const struct fleet_lines *lines = table->lines;
    size_t at = (size_t)key.low;
    uint32_t number;
    bool is_there = false;
    pthread_mutex_lock(table->lock);
    while (!is_there && places_next(&lines->places, key.low, &at, &number))
        is_there = lines->each[number].key.high == key.high;
    if (is_there)
        *ret = lines->each[number];
    pthread_mutex_unlock(table->lock);
    return is_there;
}

void fleet_keep(struct fleet_table *table, const struct fleet_line *line)
{
    /* Alike lines of a fleet are some thousand; a fleet of which no two lines are alike is read at
     * the speed of its lines, in bounded memory. */
    enum { LINES_MAX = 1 << 20 };
    struct fleet_line other;
    if (fleet_recall(table, line->key, &other)) /* another thread has just read it */
        return;
    struct fleet_lines *lines = table->lines;
    pthread_mutex_lock(table->lock);
    if (lines->places.count < LINES_MAX) {
        HEAP_ROOM(lines->each, lines->places.count);
        struct fleet_line *it = &lines->each[lines->places.count];
        *it = *line;
        it->label = zone_text(&table->zone, line->label);
        it->cells = zone_copy(&table->zone, line->cells, line->count * sizeof *line->cells);
        places_add(&lines->places, line->key.low);
    }
    pthread_mutex_unlock(table->lock);
}

void fleet_cell_add(struct fleet_cells *cells, uint32_t column, fleet_text_id value)
{
    HEAP_ROOM(cells->each, cells->count);
    cells->each[cells->count++] = (struct fleet_cell){column, value};
}
