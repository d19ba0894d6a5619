/* Takes the figures of a row, judges them by budgets, and compares them with another toolkit's
 * (codegen.h). Clauses: codegen.cubin.figures, codegen.cubin.read, codegen.cubin.unread,
 * codegen.device.gpu, codegen.budget.held, codegen.budget.missing, occupancy.driver.verdict,
 * codegen.against.read. */
#include "conformance/codegen/codegen.h"

#include <inttypes.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "conformance/base/array.h"
#include "conformance/base/heap.h"
#include "conformance/base/input_file.h"
#include "conformance/base/text.h"
#include "conformance/model/catalog.h"
#include "conformance/model/cubin.h"
#include "conformance/model/device_info.h"
#include "conformance/model/job.h"
#include "conformance/model/path.h"
#include "conformance/record/record.h"
#include "conformance/record/record_fields.h"

/* The row's machine code in this program, in an images file, or as a compiler made it. */
static bool find_cubin(const struct codegen *codegen, const struct codegen_row *row,
                       struct cubin_bytes *ret, struct reason *ret_reason)
{
    const struct device_info *info = &codegen->session->devices[row->subject.device].info;
    const struct path *path = path_row(row->subject.path);
    const char *unit = catalog_kernel(row->subject.kernel)->unit;
    const struct image *image = catalog_path_image(unit, row->subject.path);
    if (path->source->is_cubin) { /* the path's compiler made it */
        const void *code = NULL;
        const struct made_code *made =
            made_code_find(row->subject.path, unit, info->limits.compute_capability, &code);
        if (code == NULL) /* what it refuses is not its own */
            return reason_set(ret_reason,
                              made && made->state == MADE_FAILED ? REASON_BROKEN : REASON_ABSENT,
                              "%s", made ? made->note : "the module was not compiled");
        *ret = (struct cubin_bytes){code, (size_t)made->bytes};
        return true;
    }
    if (!path->source->is_fatbin)
        return reason_set(ret_reason, REASON_ABSENT,
                          "the driver compiles it, and there is no driver");
    if (image == NULL || image->fatbin == NULL)
        return reason_set(ret_reason, REASON_ABSENT, "%.100s has no machine code of module %s",
                          path->images ? path->images->file : "this program", unit);
    return cubin_find((struct cubin_bytes){image->fatbin, image->fatbin_bytes},
                      info->limits.compute_capability, ret, ret_reason);
}

/* False, with the reason, for a function without registers: even one that does nothing has some. */
static bool has_registers(const struct code_figures *figures, const char *who,
                          struct reason *ret_reason)
{
    return figures->registers > 0 ||
           reason_set(ret_reason, REASON_BROKEN,
                      "%s gives the function 0 registers, and every kernel has some", who);
}

/* Reads the figures from the row's machine code, which must be of the row's architecture. */
static bool read_cubin(const struct codegen *codegen, const struct codegen_row *row,
                       struct cubin_bytes cubin, struct code_figures *ret,
                       struct reason *ret_reason)
{
    const struct device_info *info = &codegen->session->devices[row->subject.device].info;
    return cubin_is_of(cubin, info->limits.compute_capability, ret_reason) &&
           cubin_read(cubin, row->function, ret, ret_reason) &&
           has_registers(ret, "the code", ret_reason);
}

/* The row gets the verdict of code whose figures are not known. Code of another architecture fails
 * wherever it comes from. Code that cannot be read may be of a later toolkit's form: it proves
 * nothing. */
static void leave_unread(struct codegen_row *row, const struct reason *reason)
{
    row->is_read = false;
    if (reason->kind == REASON_ABSENT)
        finding_set(&row->finding, VERDICT_SKIP, "", "%.200s", reason->text);
    else if (reason->kind == REASON_INPUT)
        finding_set(&row->finding, VERDICT_FAIL, "codegen.cubin.read", "%.200s", reason->text);
    else
        finding_set(&row->finding, VERDICT_INCONCLUSIVE, "codegen.cubin.unread", "%.200s",
                    reason->text);
}

/* Asks the driver, and reads the code, too, if it is in this program. */
static void ask_driver(const struct codegen *codegen, struct client *client,
                       struct codegen_row *row)
{
    const struct code_job job = {.job = (uint64_t)(row - codegen->rows) + 1,
                                 .subject = row->subject,
                                 .function = row->index};
    const struct client_job asked = {.device = row->subject.device,
                                     .type = MESSAGE_CODE,
                                     .body = &job,
                                     .bytes = sizeof job,
                                     .wanted = MESSAGE_FIGURES,
                                     .limit_s = codegen->session->options->timeout_s};
    struct code_answer answer;
    struct code_figures own = {.registers = 0};
    struct cubin_bytes cubin = {.first = NULL};
    struct reason reason;
    if (!client_ask(client, &asked, &answer, sizeof answer, &row->finding))
        return;
    row->finding = answer.finding;
    row->figures = answer.figures;
    row->occupancy = answer.occupancy;
    row->is_read = answer.finding.verdict == VERDICT_PASS;
    if (!row->is_read)
        return;
    /* The driver may have compiled PTX instead. If there is code for its GPU, read that as well: a
     * driver that accepts any bytes must not make unreadable code pass. */
    const bool is_found = find_cubin(codegen, row, &cubin, &reason);
    if (is_found && read_cubin(codegen, row, cubin, &own, &reason)) {
        row->figures.code_bytes = own.code_bytes;
        row->figures.code_hash = own.code_hash;
    } else if (is_found || reason.kind != REASON_ABSENT) {
        reason.kind = reason.kind == REASON_ABSENT ? REASON_BROKEN : reason.kind;
        leave_unread(row, &reason);
        return;
    }
    if (!has_registers(&row->figures, "the driver", &reason))
        leave_unread(row, &reason);
}

void codegen_take_row(const struct codegen *codegen, struct client *client, struct codegen_row *row)
{
    struct cubin_bytes cubin = {.first = NULL};
    struct reason reason;
    if (!row->is_of_cubin) {
        ask_driver(codegen, client, row);
        return;
    }
    const bool is_found = find_cubin(codegen, row, &cubin, &reason);
    row->is_read = is_found && read_cubin(codegen, row, cubin, &row->figures, &reason);
    if (row->is_read)
        return;
    /* Without code the compiler failed. */
    const bool is_crash = !is_found && path_row(row->subject.path)->source->is_cubin;
    if (is_crash && reason.kind != REASON_ABSENT)
        finding_set(&row->finding, VERDICT_CRASH, "verdicts.crash.reported", "%.200s", reason.text);
    else
        leave_unread(row, &reason);
}

/* The quantities of machine code that have budgets, in the order of a line's budget. A new one is a
 * row here, its field in struct code_figures and in a record, and its column in the file of
 * budgets. */
static const struct quantity {
    const char *key, *what; /* in a budget; in a sentence, after a number */
    size_t offset;          /* in a line */
    bool is_exact;          /* fewer than budgeted are wrong, too */
    bool may_be_unknown;    /* 0 says that it is */
} quantities[] = {
#define QUANTITY(key, what, is_exact, may_be_unknown)                                              \
    {                                                                                              \
        FIELD_KEY(budget_function, key), what, offsetof(struct line_made, key), is_exact,          \
            may_be_unknown                                                                         \
    }
    [BUDGET_REGISTERS] = QUANTITY(registers, "registers per thread", false, false),
    [BUDGET_LOCAL] = QUANTITY(local_bytes, "bytes of local memory per thread", false, false),
    [BUDGET_SHARED] = QUANTITY(shared_bytes, "static shared bytes", true, false),
    [BUDGET_CODE] = QUANTITY(code_bytes, "bytes of code", false, true),
#undef QUANTITY
};
enum { QUANTITY_COUNT = sizeof quantities / sizeof quantities[0] };

/* 0 where it is not known. */
static uint64_t amount(const struct line_made *made, const struct quantity *quantity)
{
    const void *at = (const char *)made + quantity->offset;
    return ((const struct maybe_count *)at)->count;
}

static uint64_t budgeted(const struct codegen_row *row, const struct quantity *quantity)
{
    return value_count(json_object_get(row->budget, quantity->key));
}

/* "" of code that is not known. */
enum { HASH_BYTES = 24 };
static const char *hash_text(const struct code_figures *figures, char ret_text[HASH_BYTES])
{
    ret_text[0] = 0;
    if (figures->code_bytes > 0)
        snprintf(ret_text, HASH_BYTES, "%016" PRIx64, figures->code_hash);
    return ret_text;
}

/* Without the hash of the code. */
static struct line_made counts_of(const struct code_figures *figures)
{
    return (struct line_made){.registers = {true, figures->registers},
                              .local_bytes = {true, figures->local_bytes},
                              .shared_bytes = {true, figures->shared_bytes},
                              .code_bytes = {figures->code_bytes > 0, figures->code_bytes}};
}

static struct line_made made_of(struct zone *zone, const struct code_figures *figures)
{
    char hash[HASH_BYTES];
    struct line_made made = counts_of(figures);
    made.code_xxh3_64 = zone_text(zone, hash_text(figures, hash));
    return made;
}

/* The lowest PTX of several notes its SMs, through whichever path. */
static bool notes_sms(struct subject subject, int compute_capability)
{
    const struct path *path = path_row(subject.path);
    const struct image *image =
        catalog_path_image(catalog_kernel(subject.kernel)->unit, subject.path);
    return path->notes_sms ||
           (path->source->target && image && image->ptx_count > 1 &&
            path->source->target(image, compute_capability) == image->ptx->compute_capability);
}

void codegen_judge_row(const struct codegen *codegen, struct codegen_row *row)
{
    const struct device_info *info = &codegen->session->devices[row->subject.device].info;
    const struct path *path = path_row(row->subject.path);
    char excess[FINDING_NOTE_BYTES] = "";
    struct reason reason;
    if (!row->is_read)
        return; /* its finding says why */
    const struct line_made made = counts_of(&row->figures);
    row->budget = budgets_find(codegen->budgets, info->limits.compute_capability,
                               CATALOG_NAME(row->subject.kernel), row->function, &reason);
    /* Of an architecture that nobody has measured the figures are recorded: a baseline has them. */
    if (!budgets_know(codegen->budgets, info->limits.compute_capability)) {
        finding_set(&row->finding, VERDICT_PASS, "", "%s", "");
        return;
    }
    if (row->budget == NULL) {
        finding_set(&row->finding, VERDICT_INCONCLUSIVE, "codegen.budget.missing", "%s",
                    reason.text);
        return;
    }
    if (path->tool && path->options && strcmp(path->options, "-O3") != 0) {
        finding_set(&row->finding, VERDICT_SKIP, "",
                    "budgets hold for the compiler's highest level");
        return;
    }
    /* "44 registers a thread, budget 32; 16 local bytes a thread, budget 0"; "" where all
     * conform. */
    for (int index = 0; index < QUANTITY_COUNT; index++) {
        const struct quantity *it = &quantities[index];
        const uint64_t got = amount(&made, it), most = budgeted(row, it);
        if ((it->may_be_unknown && got == 0) || (it->is_exact ? got == most : got <= most))
            continue;
        text_join(excess, sizeof excess, "; ", "%llu %s, budget %llu", (unsigned long long)got,
                  it->what, (unsigned long long)most);
    }
    /* Budgets are of nvcc's code. NVRTC is another front end: its code may take other registers and
     * bytes, and no more memory. */
    const bool is_of_nvrtc = path->source->takes_text == SOURCE_TEXT_C &&
                             made.local_bytes.count <= budgeted(row, &quantities[BUDGET_LOCAL]) &&
                             made.shared_bytes.count == budgeted(row, &quantities[BUDGET_SHARED]);
    if (excess[0] == 0)
        finding_set(&row->finding, VERDICT_PASS, "", "%s", "");
    else if (notes_sms(row->subject, info->limits.compute_capability))
        finding_set(&row->finding, VERDICT_INCONCLUSIVE, "codegen.budget.missing",
                    "%.180s, and this code notes its SMs, too", excess);
    else if (is_of_nvrtc)
        finding_set(&row->finding, VERDICT_INCONCLUSIVE, "codegen.budget.missing",
                    "%.180s; that budget is made from nvcc's code", excess);
    else
        finding_set(&row->finding, VERDICT_FAIL, "codegen.budget.held", "%s", excess);
}

void codegen_judge_occupancy(const struct codegen *codegen, struct codegen_row *row)
{
    const struct occupancy_comparison *it = &row->occupancy;
    const int architecture =
        codegen->session->devices[row->subject.device].info.limits.compute_capability;
    struct sm_limits sm;
    /* The limits of an unknown architecture are a guess: a difference is recorded, not judged. */
    if (!sm_limits_of(architecture, &sm) || it->differing == 0 ||
        !verdict_is_worse(VERDICT_FAIL, row->finding.verdict))
        return;
    finding_set(&row->finding, VERDICT_FAIL, "occupancy.driver.equal",
                "the driver lets an SM hold %d blocks of %d threads with %d registers each and %d "
                "bytes of shared memory, the model %d; %d of %d answers differ",
                it->driver, it->needs.threads, it->needs.registers, it->needs.shared_bytes,
                it->model, it->differing, it->compared);
}

/* The architecture of a device of the record; 0 where that is not known. */
static int architecture_of(const struct against *it, const char *label)
{
    int major = 0, minor = 0;
    for (size_t index = it->device_count; index-- > 0;)
        if (strcmp(it->devices[index]->label, label) == 0) {
            sscanf(it->devices[index]->compute_capability, "%4d.%1d", &major, &minor);
            break;
        }
    return 10 * major + minor;
}

/* A record as it is read. */
static void take_line(void *context, const struct record_entry *entry)
{
    struct against *it = context;
    if (entry->kind != RECORD_header && entry->kind != RECORD_device &&
        entry->kind != RECORD_codegen)
        return;
    const struct line *line = line_read(&it->zone, entry->kind, entry->object);
    const struct line_header *header = LINE_AS(header, line);
    const struct line_codegen *code = LINE_AS(codegen, line);
    if (header) {
        /* That of the program or, where it has no code, that of its first images file. */
        const bool is_own = header->toolkit[0] || header->images.count == 0;
        snprintf(it->toolkit, sizeof it->toolkit, "%s",
                 is_own ? header->toolkit : header->images.each[0].toolkit);
    } else if (code == NULL) {
        enum { DEVICES_MAX = 256 }; /* more are not read: a lookup walks all */
        HEAP_ROOM(it->devices, it->device_count);
        it->devices[it->device_count] = LINE_AS(device, line);
        it->device_count += it->device_count < DEVICES_MAX - 1;
    } else {
        const int architecture = architecture_of(it, code->subject.device);
        if (code->made.registers.count == 0 || architecture == 0)
            return; /* unread, or of a device that is not known */
        if (ARRAY_ROOM(it->lines, it->line_count))
            it->lines[it->line_count++] = (struct against_line){code, architecture};
        else
            it->is_full = true;
    }
}

bool against_open(const char *file, struct against *ret, struct reason *ret_reason)
{
    struct against against = {.file = file};
    bool good;
    if (input_begins(file, UNIT_FILE_MAGIC, sizeof UNIT_FILE_MAGIC - 1)) {
        against.units = image_file_open(file, ret_reason);
        good = against.units || reason_before(ret_reason, "%.300s: ", file);
        if (good)
            snprintf(against.toolkit, sizeof against.toolkit, "%s", against.units->units.toolkit);
    } else {
        good = records_read(file, NULL, 0, take_line, &against, ret_reason);
        if (good && against.is_full)
            good = reason_set(ret_reason, REASON_SYSTEM, "%s: no room for its lines", file);
        else if (good && against.line_count == 0)
            good = reason_set(ret_reason, REASON_INPUT,
                              "%s: a record without figures of machine code", file);
    }
    if (good)
        *ret = against;
    else
        against_close(&against);
    return good;
}

void against_close(struct against *against)
{
    free(against->lines);
    zone_free(&against->zone);
    free(against->devices);
    *against = (struct against){.file = NULL};
}

void codegen_compare_row(struct codegen *codegen, struct codegen_row *row)
{
    struct against *against = &codegen->against;
    const int path = row->subject.path;
    const char *unit = catalog_kernel(row->subject.kernel)->unit;
    const int architecture =
        codegen->session->devices[row->subject.device].info.limits.compute_capability;
    const bool is_offline = path_row(path)->source->is_fatbin;
    const struct against_line *found = NULL;
    if (!row->is_read || !against->file)
        return;
    if (against->units) {
        const struct image *image = unit_file_image(&against->units->units, unit);
        struct cubin_bytes cubin;
        struct code_figures figures;
        struct reason reason;
        if (is_offline && image && image->fatbin &&
            cubin_find((struct cubin_bytes){image->fatbin, image->fatbin_bytes}, architecture,
                       &cubin, &reason) &&
            cubin_read(cubin, row->function, &figures, &reason)) {
            row->has_other = true;
            row->other = made_of(&against->zone, &figures);
        }
        return;
    }
    for (size_t index = 0; index < against->line_count; index++) {
        const struct against_line *it = &against->lines[index];
        if (it->architecture != architecture || strcmp(it->line->function, row->function) != 0)
            continue;
        const char *other = it->line->subject.path;
        const bool is_same = strcmp(other, path_name(path)) == 0;
        if (is_same || (!found && is_offline && strncmp(other, "sass", 4) == 0))
            found = it;
        if (is_same)
            break;
    }
    if (found == NULL)
        return;
    row->has_other = true;
    row->other = found->line->made;
}

/* The line of one function, and what differs from another toolkit (codegen.h). Clauses:
 * record.schema.complete, codegen.against.shown. */

enum { CODEGEN_REPLAY_BYTES = 512 + PATH_OPTION_BYTES + LIMIT_OPTIONS_BYTES };

/* NULL if the device is not known well enough, or cannot hold the block. */
static const struct line_occupancy *occupancy_line(const struct codegen *codegen,
                                                   const struct codegen_row *row, struct zone *zone)
{
    const struct sm_limits *sm = &codegen->session->devices[row->subject.device].info.sm;
    const struct occupancy_comparison *driver = &row->occupancy;
    struct block_needs needs;
    char limit[OCCUPANCY_TEXT_BYTES];
    if (!row->is_read || sm->warp_size == 0 ||
        !block_needs_of(sm, catalog_kernel(row->subject.kernel), &row->figures, &needs))
        return NULL;
    const struct occupancy it = occupancy_of(sm, &needs);
    const bool is_dynamic = (uint64_t)needs.shared_bytes > row->figures.shared_bytes;
    return LINE_OBJECT(zone, occupancy, .threads = (uint64_t)needs.threads,
                       .shared_bytes = is_dynamic ? (uint64_t)needs.shared_bytes : 0,
                       .blocks = (uint64_t)it.blocks,
                       .most_warps = it.warps < it.most_warps ? (uint64_t)it.most_warps : 0,
                       .limit = zone_text(zone, occupancy_limits_text(&it, limit)),
                       .compared = driver->differing > 0 ? (uint64_t)driver->compared : 0,
                       .differing = (uint64_t)driver->differing);
}

/* What differs from the other toolkit's code. */
static struct line_code_against against_of(const struct codegen *codegen)
{
    struct line_code_against ret = {.file = codegen->against.file,
                                    .toolkit = codegen->against.toolkit};
    for (const struct codegen_row *row = codegen->rows; row < codegen->rows + codegen->done;
         row++) {
        char hash[HASH_BYTES];
        const struct line_made made = counts_of(&row->figures);
        const char *other = row->has_other ? row->other.code_xxh3_64 : "";
        bool differs = false;
        for (int index = 0; index < QUANTITY_COUNT; index++) {
            const struct quantity *it = &quantities[index];
            const uint64_t now = amount(&made, it), then = amount(&row->other, it);
            differs |= now != then && (!it->may_be_unknown || (now > 0 && then > 0));
        }
        ret.absent += row->is_read && !row->has_other;
        ret.compared += row->has_other;
        ret.differing += row->has_other && differs;
        ret.differing_code +=
            other[0] && hash_text(&row->figures, hash)[0] && strcmp(hash, other) != 0;
    }
    return ret;
}

/* The same of the driver's occupancy. */
static struct line_driver_occupancy driver_occupancy_of(const struct codegen *codegen)
{
    struct line_driver_occupancy ret = {.functions = 0};
    for (int row = 0; row < codegen->done; row++) {
        const struct occupancy_comparison *it = &codegen->rows[row].occupancy;
        ret.functions += it->compared > 0;
        ret.compared += (uint64_t)it->compared;
        ret.differing += (uint64_t)it->differing;
    }
    return ret;
}

void codegen_summary(const struct codegen *codegen, struct outcome *ret)
{
    if (codegen->against.file)
        ret->against = against_of(codegen);
    ret->occupancy = driver_occupancy_of(codegen);
}

/* The budgets that a line has, or none. */
static struct counts budget_of(const struct codegen_row *row, struct zone *zone)
{
    uint64_t *each = row->budget ? zone_take(zone, QUANTITY_COUNT * sizeof *each) : NULL;
    for (int index = 0; each && index < QUANTITY_COUNT; index++)
        each[index] = budgeted(row, &quantities[index]);
    return (struct counts){each, each ? QUANTITY_COUNT : 0};
}

const struct line *codegen_line(const struct codegen *codegen, const struct codegen_row *row,
                                struct zone *zone)
{
    const struct options *options = codegen->session->options;
    const char *label = codegen->session->devices[row->subject.device].label,
               *path = path_name(row->subject.path);
    char replay[CODEGEN_REPLAY_BYTES] = "", name[CATALOG_NAME_BYTES];
    catalog_name(row->subject.kernel, name);
    if (verdict_has_finding(row->finding.verdict)) {
        /* The command that takes the row again. */
        char files[LIMIT_OPTIONS_BYTES], units[PATH_OPTION_BYTES];
        snprintf(replay, sizeof replay, "assay codegen%s%s --path %s%s%s %s",
                 row->is_of_cubin ? " --cubins" : " --device ", row->is_of_cubin ? "" : label, path,
                 path_option(row->subject.path, units),
                 limit_options(options->gpu, "budgets", options->budgets, files), name);
    }
    return LINE(zone, codegen,
                .subject = {.device = label, .kernel = zone_text(zone, name), .path = path},
                .function = row->function,
                .made = row->is_read ? made_of(zone, &row->figures)
                                     : (struct line_made){.code_xxh3_64 = ""},
                .against = row->has_other ? zone_copy(zone, &row->other, sizeof row->other) : NULL,
                .budget = budget_of(row, zone), .occupancy = occupancy_line(codegen, row, zone),
                .verdict = row->finding.verdict, .clause = row->finding.clause,
                .note = row->finding.note, .replay = zone_text(zone, replay));
}
