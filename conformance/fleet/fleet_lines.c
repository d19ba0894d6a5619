/* From lines to cells (fleet_lines.h): a row of a table for each kind of line, each field of a
 * device and of a header. Clauses: fleet.bits.plan, fleet.environment.fields. */
#include "conformance/fleet/fleet_lines.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "conformance/base/array.h"
#include "conformance/base/heap.h"
#include "conformance/base/text.h"
#include "conformance/compare/entries.h"

enum { NAME_BYTES = 512, VALUE_BYTES = 512, KEY_BYTES = NAME_BYTES + 128 };

/* "offset_copy/vector through sass, offset=0 dram element bytes 4", "best copy, dram". */
static void write_name(const struct line *line, char ret[NAME_BYTES])
{
    const struct line_view view = line_view(line);
    const char *before = line_kind(line->kind).before;
    char keys[LINE_WORDS_BYTES];
    line_keys(line, keys, sizeof keys);
    if (view.kernel[0])
        snprintf(ret, NAME_BYTES, "%.64s through %.31s%s%.250s", view.kernel, view.path,
                 keys[0] ? ", " : "", keys);
    else
        snprintf(ret, NAME_BYTES, "%.40s%.250s%s%.31s", before ? before : "", keys,
                 view.path[0] ? " through " : "", view.path);
}

static void write_verdict(char value[VALUE_BYTES], enum verdict verdict)
{
    if (verdict != VERDICT_PASS)
        text_join(value, VALUE_BYTES, ", ", "%s",
                  verdict < VERDICT_COUNT ? verdict_name(verdict) : "no verdict");
}

/* Adds a cell to a column of that kind of line; `what` tells apart the columns that have one
 * name. */
static void add_cell(struct fleet_table *table, struct fleet_cells *into, const char *what,
                     const struct fleet_column *column, const char *value)
{
    char key[KEY_BYTES];
    snprintf(key, sizeof key, "%.100s|%.500s", what, column->name);
    fleet_cell_add(into, fleet_column(table, key, column), fleet_text(table, value));
}

/* Bits: a digest is that of the checks that passed, so those of as many are compared, on GPUs of
 * any model; and how many checks had which verdict, on those of one model. */
static void take_bits(struct fleet_table *table, const struct line *any, struct fleet_cells *into)
{
    const struct line_bits *line = LINE_AS(bits, any);
    char name[NAME_BYTES], what[64], value[VALUE_BYTES] = "";
    uint64_t counts[VERDICT_COUNT];
    write_name(any, name);
    line_counts(&line->counts, counts);
    for (int verdict = 0; verdict < VERDICT_COUNT; verdict++)
        if (counts[verdict] > 0)
            text_join(value, sizeof value, ", ", "%" PRIu64 " %s", counts[verdict],
                      verdict_name((enum verdict)verdict));
    add_cell(table, into, "checks",
             &(struct fleet_column){.name = name,
                                    .noun = "kernel",
                                    .finding = FLEET_checks_differ,
                                    .siblings = SIBLINGS_MODEL_PLAN},
             value);
    snprintf(what, sizeof what, "bits of %" PRIu64, line->counts.passed);
    if (line->xxh3_128[0] && line->counts.passed > 0)
        add_cell(table, into, what,
                 &(struct fleet_column){.name = name,
                                        .noun = "kernel",
                                        .finding = FLEET_bits_differ,
                                        .siblings = SIBLINGS_PLAN,
                                        .may_lack = true},
                 line->xxh3_128);
}

/* "32 registers, 0 bytes, ...": every figure that was counted, and a digest. */
static void write_counted(const struct line *line, char value[VALUE_BYTES])
{
    struct form_walk walk = form_walk(line_form(line));
    struct line_member member;
    while (line_next(&walk, line, &member)) {
        const struct maybe_count *maybe = member.at;
        char words[LINE_WORDS_BYTES];
        if (member.field->role != ROLE_FIGURE || member.field->access == ACCESS_SPREAD)
            continue;
        if (member.field->access == ACCESS_MAYBE_COUNT && maybe->is_there)
            snprintf(words, sizeof words, "%" PRIu64, maybe->count);
        else
            line_words(&member, words, sizeof words);
        if (words[0])
            text_join(value, VALUE_BYTES, ", ", "%s %s", member.field->name, words);
    }
    for (char *at = value; *at; at++)
        *at = *at == '_' ? ' ' : *at;
}

static void add_counted(struct fleet_table *table, const struct line *line,
                        struct fleet_cells *into, struct fleet_column column,
                        char value[VALUE_BYTES])
{
    char name[NAME_BYTES];
    write_name(line, name);
    column.name = name;
    write_verdict(value, line_verdict(line));
    add_cell(table, into, line_kind(line->kind).name, &column, value);
}

static void take_code(struct fleet_table *table, const struct line *any, struct fleet_cells *into)
{
    const struct line_codegen *line = LINE_AS(codegen, any);
    char value[VALUE_BYTES] = "";
    write_counted(any, value);
    if (line->occupancy)
        text_join(value, sizeof value, ", ", "%" PRIu64 " blocks an SM", line->occupancy->blocks);
    add_counted(table, any, into,
                (struct fleet_column){.noun = "function",
                                      .finding = FLEET_code_differs,
                                      .siblings = SIBLINGS_CAPABILITY},
                value);
}

static void take_known(struct fleet_table *table, const struct line *any, struct fleet_cells *into)
{
    const struct line_known *line = LINE_AS(known, any);
    char value[VALUE_BYTES] = "";
    snprintf(value, sizeof value, "%s", line->present ? "present" : "absent");
    add_counted(table, any, into,
                (struct fleet_column){.noun = "known miscompile",
                                      .finding = FLEET_known_differs,
                                      .siblings = SIBLINGS_CAPABILITY},
                value);
}

/* How many bytes of memory held operands follows from the order of the threads. */
static void take_coverage(struct fleet_table *table, const struct line *any,
                          struct fleet_cells *into)
{
    char value[VALUE_BYTES];
    snprintf(value, sizeof value, "%" PRIu64 " SMs", LINE_AS(coverage, any)->sms);
    add_cell(table, into, "coverage",
             &(struct fleet_column){.name = "SMs",
                                    .noun = "device",
                                    .finding = FLEET_coverage_differs,
                                    .siblings = SIBLINGS_MODEL},
             value);
}

static void take_counted(struct fleet_table *table, const struct line *any,
                         struct fleet_cells *into)
{
    char value[VALUE_BYTES] = "";
    write_counted(any, value);
    add_counted(table, any, into,
                (struct fleet_column){.noun = "code path",
                                      .finding = FLEET_programs_differ,
                                      .siblings = SIBLINGS_MODEL},
                value);
}

/* Kinds of line that have texts. `is_alike`: nothing in them is measured, so that records of one
 * stack have the same bytes. */
static const struct {
    enum record_kind kind;
    bool is_alike;
    void (*take)(struct fleet_table *table, const struct line *line, struct fleet_cells *into);
} takers[] = {
    {RECORD_bits, true, take_bits},          {RECORD_codegen, true, take_code},
    {RECORD_known, true, take_known},        {RECORD_coverage, false, take_coverage},
    {RECORD_operations, true, take_counted}, {RECORD_programs, false, take_counted},
};
enum { TAKERS = sizeof takers / sizeof takers[0] };

bool fleet_line_is_alike(enum record_kind kind)
{
    bool is_alike = false;
    for (size_t row = 0; row < TAKERS; row++)
        is_alike = is_alike || (takers[row].kind == kind && takers[row].is_alike);
    return is_alike;
}

void fleet_line_cells(struct fleet_table *table, const struct line *line, struct fleet_cells *into)
{
    for (size_t row = 0; row < TAKERS; row++)
        if (takers[row].kind == line->kind)
            takers[row].take(table, line, into);
}

/* Figures. */

/* Two figures are compared if they are of one kind and have the same KEYs and SAMEs; the number of
 * buffers follows from how fast the kernel was. A host call is one of its host's kind. */
static void write_key(const struct line *line, const char *name, const char *figure,
                      char key[KEY_BYTES])
{
    const struct line_latency *call = LINE_AS(latency, line);
    struct line_same same = {.at = 0};
    snprintf(key, KEY_BYTES, "%d|%s|%.300s", (int)line->kind, figure, name);
    while (line_next_same(line, line, &same))
        if (strcmp(same.name, "buffers") != 0)
            text_join(key, KEY_BYTES, "|", "%.80s", same.left);
    if (call)
        text_join(key, KEY_BYTES, "|", "%.60s|%.20s", call->cpu, call->hypervisor);
}

static void note_clocks(const struct line_result *result, struct fleet_gpu *into)
{
    const struct line_sensors *sensors = result ? result->sensors : NULL;
    if (sensors && sensors->sm_mhz > into->sm_mhz)
        into->sm_mhz = sensors->sm_mhz;
    if (sensors && sensors->memory_mhz > into->memory_mhz)
        into->memory_mhz = sensors->memory_mhz;
}

static void add_figure(struct fleet_table *table, const struct line *line,
                       const struct line_figure *figure, struct fleet_gpu *into)
{
    const bool is_time = figure->field->better == BETTER_LOWER;
    const struct line_result *result = LINE_PART(result, line);
    const struct line_ceiling *copies = LINE_AS(ceiling, line);
    const struct repeats repeats = chance_repeats(figure->repeats, is_time);
    const struct chance_subject subject = chance_subject(line);
    char name[NAME_BYTES], key[KEY_BYTES];
    if (repeats.count == 0)
        return;
    write_name(line, name);
    write_key(line, name, figure->field->name, key);
    const struct fleet_column column = {.name = name,
                                        .unit = figure->field->unit,
                                        .noun = is_time ? "time" : "speed",
                                        .finding = is_time ? FLEET_call_behind : FLEET_speed_behind,
                                        .siblings = SIBLINGS_MODEL,
                                        .may_lack = line->kind == RECORD_latency,
                                        .sort = is_time ? FIGURE_OF_CALL : figure_sort_of(&subject),
                                        .chance = is_time ? chance_of_call()
                                                          : chance_of_speed(&subject, false)};
    HEAP_ROOM(into->figures, into->figure_count);
    into->figures[into->figure_count++] =
        (struct fleet_figure){.column = fleet_column(table, key, &column),
                              .repeats = (uint16_t)repeats.count,
                              .spread = (float)chance_spread(&repeats, column.chance),
                              .is_sound = (!result || result_is_sound(result)) &&
                                          (!copies || copies->memcpy_verdict == VERDICT_PASS),
                              /* Whatever else runs on a host slows a call, now and then by four
                               * times: the fastest repeat is the call's own. */
                              .median = is_time ? repeats.medians[0] : chance_median(&repeats)};
}

void fleet_line_figures(struct fleet_table *table, const struct line *line, struct fleet_gpu *into)
{
    struct line_figure figures[LINE_FIGURES_MAX];
    if (!line_kind(line->kind).is_timed)
        return;
    note_clocks(LINE_PART(result, line), into);
    const size_t count = line_figures(line, figures);
    for (size_t index = 0; index < count; index++)
        if (figures[index].field->access == ACCESS_SPREAD &&
            figures[index].field->better != BETTER_NEITHER)
            add_figure(table, line, &figures[index], into);
}

/* The environment. */

/* A clock or a power limit of this share is the same: they vary by less from run to run. */
#define CLOCK_NEAR 0.97

/* Fields of which more than a difference is known: `keeps` and `lost` are those of a column. */
static const struct {
    const char *key;
    enum fleet_finding_kind finding;
    double keeps;
    const char *lost;
} properties[] = {
    {FIELD_KEY(device, ecc), FLEET_ecc_differs, 0, "off"},
    {FIELD_KEY(device, mig), FLEET_device_differs, 0, "on"},
    {FIELD_KEY(device, memory_bytes), FLEET_device_differs, 0.98, NULL},
    {FIELD_KEY(device, multiprocessors), FLEET_device_differs, 1, NULL},
    {FIELD_KEY(device, l2_bytes), FLEET_device_differs, 1, NULL},
    {FIELD_KEY(device, memory_bus_bits), FLEET_device_differs, 1, NULL},
    {FIELD_KEY(device, memory_clock_khz), FLEET_device_differs, CLOCK_NEAR, NULL},
    {FIELD_KEY(device, sm_clock_khz), FLEET_device_differs, CLOCK_NEAR, NULL},
    {FIELD_KEY(device, application_sm_mhz), FLEET_device_differs, CLOCK_NEAR, NULL},
    {FIELD_KEY(device, application_memory_mhz), FLEET_device_differs, CLOCK_NEAR, NULL},
    {FIELD_KEY(device, power_limit_w), FLEET_device_differs, CLOCK_NEAR, NULL},
    {FIELD_KEY(device, pcie_generation_max), FLEET_device_differs, 1, NULL},
    {FIELD_KEY(device, pcie_width_max), FLEET_device_differs, 1, NULL},
};

/* Fields that are of one GPU, or that an idle link changes. */
static const char *const device_skips[] = {
    FIELD_KEY(device, label), FIELD_KEY(device, name),       FIELD_KEY(device, uuid),
    FIELD_KEY(device, pci),   FIELD_KEY(device, serial),     FIELD_KEY(device, pcie_generation),
    FIELD_KEY(device, ptx),   FIELD_KEY(device, pcie_width), FIELD_KEY(device, kernels)};

/* Fields, besides those of a run (OF_RUN), that are part of the plan. */
static const char *const header_skips[] = {FIELD_KEY(header, seed), FIELD_KEY(header, corpus),
                                           FIELD_KEY(header, bytes), FIELD_KEY(header, tier)};

/* Variables that only say which GPUs a process sees: those that are missing are found by their
 * number. */
static const char *const variable_skips[] = {"CUDA_VISIBLE_DEVICES", "NVIDIA_VISIBLE_DEVICES"};

#define COUNT(array) (sizeof(array) / sizeof *(array))

static bool is_among(const char *name, const char *const *names, size_t count)
{
    bool is_there = false;
    for (size_t index = 0; index < count; index++)
        is_there = is_there || strcmp(name, names[index]) == 0;
    return is_there;
}

/* A field of the environment, once a row. */
static void add_field(struct fleet_table *table, struct fleet_cells *into,
                      enum fleet_siblings siblings, const char *name, const char *value)
{
    char words[NAME_BYTES], key[KEY_BYTES];
    struct fleet_column column = {
        .name = words, .noun = "field", .finding = FLEET_environment, .siblings = siblings};
    for (size_t row = 0; row < sizeof properties / sizeof properties[0]; row++)
        if (siblings == SIBLINGS_MODEL && strcmp(properties[row].key, name) == 0) {
            column.finding = properties[row].finding;
            column.keeps = properties[row].keeps;
            column.lost = properties[row].lost;
        }
    snprintf(words, sizeof words, "%.200s", name);
    for (char *at = words; *at; at++)
        *at = *at == '_' && siblings == SIBLINGS_MODEL ? ' ' : *at;
    snprintf(key, sizeof key, "field %d|%.200s", (int)siblings, name);
    const uint32_t number = fleet_column(table, key, &column);
    for (size_t index = 0; index < into->count; index++)
        if (into->each[index].column == number)
            return;
    fleet_cell_add(into, number, fleet_text(table, value));
}

/* An item of a list: "CUDA_HOME=/usr/local/cuda" is a field of that name, an object one that is
 * named by the list and its first field. */
static void add_item(struct fleet_table *table, struct fleet_cells *into, const char *list,
                     const struct line_item *item)
{
    char name[NAME_BYTES], value[VALUE_BYTES] = "";
    struct line_member member;
    if (item->text) {
        const char *equals = strchr(item->text, '=');
        snprintf(name, sizeof name, "%.*s",
                 equals ? (int)(equals - item->text) : (int)strlen(item->text), item->text);
        if (!is_among(name, variable_skips, COUNT(variable_skips)))
            add_field(table, into, SIBLINGS_MACHINES, name, equals ? equals + 1 : "set");
        return;
    }
    snprintf(name, sizeof name, "%.40s", list);
    for (struct form_walk walk = form_walk(item->form); line_next(&walk, item->object, &member);) {
        char words[LINE_WORDS_BYTES];
        line_words(&member, words, sizeof words);
        if (value[0] == 0 && strcmp(name, list) == 0)
            text_join(name, sizeof name, " ", "%.100s", words);
        else
            text_join(value, sizeof value, " ", "%.100s", words);
    }
    add_field(table, into, SIBLINGS_MACHINES, name, value);
}

static void add_fields(struct fleet_table *table, const struct form *form, const void *object,
                       enum fleet_siblings siblings, const char *const *skips, size_t skip_count,
                       struct fleet_cells *into)
{
    struct line_member member;
    for (struct form_walk walk = form_walk(form); line_next(&walk, object, &member);) {
        char words[LINE_WORDS_BYTES];
        if (member.field->role == ROLE_RUN || is_among(member.field->name, skips, skip_count))
            continue;
        for (size_t index = 0; index < line_item_count(&member); index++) {
            const struct line_item item = line_item(&member, index);
            add_item(table, into, member.field->name, &item);
        }
        if (line_words(&member, words, sizeof words)[0])
            add_field(table, into, siblings, member.field->name, words);
    }
}

void fleet_line_device(struct fleet_table *table, const struct line_device *line,
                       struct fleet_cells *into)
{
    add_fields(table, &form_device, line, SIBLINGS_MODEL, device_skips, COUNT(device_skips), into);
}

void fleet_line_header(struct fleet_table *table, const struct line_header *line,
                       struct fleet_cells *into)
{
    add_fields(table, &form_header, line, SIBLINGS_MACHINES, header_skips, COUNT(header_skips),
               into);
}

void fleet_line_clocks(struct fleet_table *table, struct fleet_gpu *gpu)
{
    const struct {
        const char *name;
        uint64_t mhz;
    } clocks[] = {{"SM clock under load", gpu->sm_mhz},
                  {"memory clock under load", gpu->memory_mhz}};
    for (size_t row = 0; row < COUNT(clocks); row++) {
        char value[VALUE_BYTES];
        if (clocks[row].mhz == 0)
            continue;
        snprintf(value, sizeof value, "%" PRIu64 " MHz", clocks[row].mhz);
        add_cell(table, &gpu->cells, "clock",
                 &(struct fleet_column){.name = clocks[row].name,
                                        .noun = "clock",
                                        .finding = FLEET_clock_lower,
                                        .siblings = SIBLINGS_MODEL,
                                        .keeps = CLOCK_NEAR,
                                        .may_lack = true},
                 value);
    }
}

fleet_text_id fleet_line_plan(struct fleet_table *table, const struct line_header *line)
{
    char words[VALUE_BYTES];
    snprintf(words, sizeof words,
             "tier %.20s, seed %" PRIu64 ", %" PRIu64 " cases, corpus %016" PRIx64
             ", assay %.30s %.40s",
             line->tier, line->seed, line->cases_planned, line->corpus, line->assay, line->commit);
    if (line->shards > 0 && !line->shard_same)
        text_join(words, sizeof words, ", ", "shard %" PRIu64 " of %" PRIu64, line->shard,
                  line->shards);
    return fleet_text(table, words);
}

void fleet_line_plan_cell(struct fleet_table *table, fleet_text_id plan, struct fleet_cells *into)
{
    const struct fleet_column column = {.name = "cases",
                                        .noun = "plan",
                                        .finding = FLEET_plan_differs,
                                        .siblings = SIBLINGS_MACHINES,
                                        .may_lack = true};
    const uint32_t number = fleet_column(table, "plan", &column);
    for (size_t index = 0; index < into->count; index++)
        if (into->each[index].column == number)
            return;
    fleet_cell_add(into, number, plan);
}
