/* The rows that a device lacks (gaps_made.h). Clauses: runner.gaps.listed, runner.gaps.verdicts. */
#include "conformance/command/gaps_made.h"

#include <stdio.h>
#include <string.h>

#include "conformance/base/host.h"
#include "conformance/base/text.h"
#include "conformance/codegen/budgets.h"
#include "conformance/model/catalog.h"
#include "conformance/model/cubin.h"
#include "conformance/model/path.h"
#include "conformance/programs/known.h"
#include "conformance/speed/bench_plan.h"
#include "conformance/speed/floors.h"
#include "cuda/image.h"

enum { WORDS_BYTES = 160 };

/* A device and the files that say what is known. */
struct known_data {
    const struct options *options;
    const struct device_info *info;
    const struct board *board;
    struct floors floors;
    json_t *budgets;
    struct host_machine host;
    int architecture;
    char more[WORDS_BYTES]; /* of what is lacking */
    bool holds_back;        /* whatever the row says */
};

/* Each returns true if the device lacks that kind of row, and may put more words into `more`. */

static bool lacks_limits(struct known_data *it)
{
    struct sm_limits sm;
    return !sm_limits_of(it->architecture, &sm);
}

static bool lacks_code(struct known_data *it)
{
    /* Without a toolkit the build has no code for any GPU, so a path is skipped, not left out. */
    it->holds_back = image_toolkit[0] == 0;
    /* An images file may have what the program lacks. */
    for (int path = 0; path < path_count(); path++) {
        const struct image *image =
            path_row(path)->source->is_fatbin ? catalog_path_image(kernels[0].unit, path) : NULL;
        if (image && cubin_code_for((struct cubin_bytes){image->fatbin, image->fatbin_bytes},
                                    it->architecture))
            return false;
    }
    return true;
}

static bool lacks_budgets(struct known_data *it)
{
    const json_t *entry;
    for (size_t index = 0;
         (entry = value_next(field_budget_file_architectures(it->budgets), &index)) != NULL;)
        if (field_budget_architecture_architecture(entry) == it->architecture)
            return false;
    return true;
}

static bool lacks_floors(struct known_data *it)
{
    const json_t *gpu = floors_gpu(&it->floors, it->info);
    return raw_floor_gpu_ceiling(gpu) == NULL || json_array_size(field_floor_gpu_floors(gpu)) == 0;
}

static bool lacks_l2(struct known_data *it)
{
    return raw_floor_gpu_l2_ceiling(floors_gpu(&it->floors, it->info)) == NULL;
}

static bool lacks_calls(struct known_data *it)
{
    const json_t *gpu = floors_gpu(&it->floors, it->info), *entry;
    for (size_t index = 0; (entry = value_next(field_floor_gpu_latencies(gpu), &index)) != NULL;)
        if (strcmp(field_floor_latency_cpu(entry), it->host.cpu) == 0 &&
            strcmp(field_floor_latency_hypervisor(entry), it->host.hypervisor) == 0)
            return false;
    return true;
}

static bool lacks_filter(struct known_data *it)
{
    for (int id = 0; id < kernel_count; id++)
        if (kernels[id].filter_axes[0])
            return gpu_row_filter(it->info) == NULL;
    return false;
}

static bool lacks_ratios(struct known_data *it)
{
    for (int index = 0; index < floors_relation_count(&it->floors); index++) {
        const struct relation relation = floors_relation(&it->floors, index);
        if (floors_relation_applies(&relation, it->info))
            return false;
    }
    return true;
}

static bool lacks_known(struct known_data *it)
{
    char nearest[KNOWN_VERSION_BYTES];
    const char *release = it->info->driver_release;
    if (it->options->known_list || known_was_tried("driver", release, nearest))
        return false;
    snprintf(it->more, sizeof it->more, " of driver %.31s (the list has %.40s)",
             release[0] ? release : "(it reports no release)", nearest);
    return true;
}

static bool lacks_sensors(struct known_data *it)
{
    return !(it->board->known >> BOARD_POWER_LIMIT & 1) || bench_link_gbps(it->board) <= 0;
}

static bool lacks_clock(struct known_data *it)
{
    return device_peak_gflops(it->info) <= 0;
}

static bool lacks_peak(struct known_data *it)
{
    return device_peak_gbps(it->info) <= 0 || it->info->l2_bytes == 0;
}

/* The hardware of the GPU is older, or divided: nothing that could be checked is left out. */
static bool lacks_hardware(struct known_data *it)
{
    char name[CATALOG_NAME_BYTES] = "";
    uint64_t count = 0;
    for (int id = kernel_count - 1; id >= 0; id--)
        if (!kernel_is_of_set(&kernels[id]) &&
            catalog_lacks_hardware(&kernels[id], &it->info->limits) && ++count > 0)
            catalog_name(id, name);
    snprintf(it->more, sizeof it->more, "%s, such as %s", NUMBER_COUNT(count, "kernel"), name);
    return count > 0;
}

/* Kernels are written for the blocks that every architecture so far has. */
static bool lacks_launches(struct known_data *it)
{
    struct sm_limits sm;
    sm_limits_of(it->architecture, &sm);
    return it->info->limits.max_threads_per_block < sm.block_threads ||
           it->info->limits.shared_bytes_per_block < (size_t)sm.block_shared;
}

/* The kinds of rows, in the order of the guide's steps; step 0: no step of it fills them. A '#' in
 * a text is the architecture's number; a command follows "$ ". */
static const struct gap {
    const char *row;
    int step;
    bool (*lacks)(struct known_data *it);
    const char *missing, *meanwhile, *fill;
    const char *parts[3]; /* of a gate, that check or judge less without it */
    bool holds_back;      /* these parts are INCONCLUSIVE: assay could judge, and cannot here */
} kinds[] = {
    {"sass",
     2,
     lacks_code,
     "machine code for sm_#",
     "the driver compiles PTX; sass is left out",
     "$ meson configure build -Dgpu_archs=# && sh setup.sh",
     {"bits", "code", "speed"},
     false},
    {"limits",
     2,
     lacks_limits,
     "limits of the SM",
     "the driver's occupancy is recorded, not judged",
     "write the vendor's numbers into gpu.json as \"limits\" (spec/gpu_file.md)",
     {"code"},
     false},
    {"filter",
     4,
     lacks_filter,
     "known filter bits",
     "texture cases that filter are left out",
     "$ tools/measure_filter.py gpu.json build/assay --path ptx && build/assay run texture_fetch "
     "--gpu "
     "gpu.json",
     {"bits", "speed"},
     false},
    {"known",
     5,
     lacks_known,
     "known miscompiles",
     "every miscompile not listed is a FAIL",
     "$ build/assay run --programs 2000 --operations",
     {NULL},
     false},
    {"budgets",
     6,
     lacks_budgets,
     "budgets of machine code",
     "figures are recorded, not judged",
     "$ build/assay codegen --cubins --gpu gpu.json -o code.json && tools/make_budgets.py "
     "code.json "
     ">budgets.json && tools/gpu_file.py gpu.json budgets.json",
     {"code"},
     false},
    {"floors",
     7,
     lacks_floors,
     "floors in memory",
     "derived ones find broken GPUs, not slow ones",
     "$ build/assay bench --repeats 10 --gpu gpu.json -o 1.json && build/assay floors 1.json -o "
     "floors.json && tools/gpu_file.py gpu.json floors.json",
     {"speed"},
     false},
    {"l2",
     7,
     lacks_l2,
     "floors in L2",
     "derived ones find broken GPUs, not slow ones",
     "$ build/assay floors 1.json -o floors.json && tools/gpu_file.py gpu.json floors.json",
     {"speed"},
     false},
    {"calls",
     7,
     lacks_calls,
     "ceilings of host calls on this CPU",
     "one of 1 ms finds broken hosts, not slow ones",
     "$ build/assay floors --host-calls --floors floors.json 1.json -o floors.json && "
     "tools/gpu_file.py gpu.json floors.json",
     {"speed"},
     false},
    {"ratios",
     7,
     lacks_ratios,
     "ratios of kernels' speeds",
     "they are recorded, not judged",
     "write those that bench measures into gpu.json's floors as \"relations\", with \"gpus\"",
     {"speed"},
     false},
    {"clock",
     0,
     lacks_clock,
     "SM clock from the driver",
     "products are recorded, not judged",
     "a driver that reports it",
     {"speed"},
     false},
    {"peak",
     0,
     lacks_peak,
     "memory clock, bus width or L2 size from the driver",
     "the best copy is not compared with a peak, or not measured in L2",
     "a driver that reports them",
     {"speed"},
     false},
    {"kernels",
     0,
     lacks_hardware,
     "instructions, or L2 to set aside, for ",
     "these kernels are left out",
     "a GPU of capability 8.0 or later, not divided by MIG",
     {"bits", "speed"},
     false},
    {"launch",
     0,
     lacks_launches,
     "blocks of 1,024 threads or of 48 KiB on this GPU",
     "kernels that need them are skipped",
     "run the gate with the names of the kernels that need less",
     {"bits", "speed"},
     true},
    {"sensors",
     0,
     lacks_sensors,
     "power limit, throttling reasons and link from NVML",
     "a throttled GPU looks slow",
     "install the driver's libnvidia-ml.so.1",
     {"speed"},
     false},
};

static const char *words_of(struct zone *zone, const char *text, const struct known_data *it,
                            const char *more)
{
    char words[2 * WORDS_BYTES];
    size_t used = 0;
    for (; *text && used < sizeof words - 16; text++)
        used += *text == '#' ? (size_t)sprintf(words + used, "%d", it->architecture)
                             : (size_t)sprintf(words + used, "%c", *text);
    snprintf(words + used, sizeof words - used, "%s", more);
    return zone_text(zone, words);
}

const struct line *gaps_line(const struct options *options, const struct device_info *info,
                             const struct board *board, struct zone *zone)
{
    enum {
        KIND_COUNT = sizeof kinds / sizeof kinds[0],
        PARTS = sizeof kinds->parts / sizeof(char *)
    };
    struct known_data it = {.options = options,
                            .info = info,
                            .board = board,
                            .host = host_machine_read(),
                            .architecture = info->limits.compute_capability};
    struct reason reason;
    char label[DEVICE_LABEL_BYTES];
    /* Only the CPU has none, unless it pretends. Without a file nothing of it is known. */
    if (it.architecture == 0)
        return NULL;
    floors_open(options->floors, &it.floors, &reason);
    it.budgets = limit_file_open(&budgets_file, options->budgets, &reason);
    struct line_gap *rows = zone_take(zone, KIND_COUNT * sizeof *rows);
    size_t count = 0;
    for (const struct gap *gap = kinds; gap < kinds + KIND_COUNT; gap++) {
        it.more[0] = 0;
        it.holds_back = false;
        if (!gap->lacks(&it))
            continue;
        struct line_gap *row = &rows[count++];
        struct texts *parts = gap->holds_back || it.holds_back ? &row->parts : &row->less;
        row->row = gap->row;
        row->step = (uint64_t)gap->step;
        row->missing = words_of(zone, gap->missing, &it, it.more);
        row->meanwhile = words_of(zone, gap->meanwhile, &it, "");
        row->fill = words_of(zone, gap->fill, &it, "");
        while (parts->count < PARTS && gap->parts[parts->count])
            parts->count++;
        parts->each = parts->count > 0 ? gap->parts : NULL;
    }
    floors_close(&it.floors);
    json_decref(it.budgets);
    return count == 0 ? NULL
                      : LINE(zone, gaps, .device = zone_text(zone, device_label(info->id, label)),
                             .rows = {rows, count});
}
