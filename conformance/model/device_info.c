/* The model of occupancy, and the sorts of devices (device_info.h). The rules of occupancy and
 * their sources are in spec/occupancy.md. */
#include "conformance/model/device_info.h"

#include <limits.h>
#include <stdio.h>
#include <string.h>

#include "conformance/base/text.h"
#include "cuda/grid.h"

/* Limits that all architectures of the table share. */
static const struct sm_limits common = {
    .warp_size = 32,
    .block_threads = 1024,
    .registers = 65536,
    .register_unit = 256,
    .partitions = 4,
    .block_shared = 48 << 10,
};

static const struct architecture {
    int number, threads, blocks, shared_bytes, shared_unit, shared_reserved;
} architectures[] = {
#define ARCHITECTURE(number, threads, blocks, shared_kib, shared_unit, reserved)                   \
    {number, threads, blocks, shared_kib << 10, shared_unit, reserved},
#include "spec/architectures.def"
};

enum { ARCHITECTURE_COUNT = sizeof architectures / sizeof *architectures };

/* Filters are of a model: those of one architecture may differ. */
static const struct {
    const char *gpu;
    struct golden_filter filter;
} filters[] = {
#define FILTER(gpu, coordinate_bits, weight_bits, sum_bits, halves_down)                           \
    {gpu, {coordinate_bits, weight_bits, sum_bits, halves_down}},
#include "spec/filters.def"
};

static struct gpu_row known_row;

void gpu_row_set(const struct gpu_row *row)
{
    known_row = *row;
}

const struct gpu_row *gpu_row_known(void)
{
    return &known_row;
}

const struct golden_filter *gpu_row_filter(const struct device_info *info)
{
    if (known_row.filter.weight_bits > 0 && known_row.of == info->limits.compute_capability &&
        strcmp(known_row.gpu, info->name) == 0)
        return &known_row.filter;
    for (size_t index = 0; index < sizeof filters / sizeof filters[0]; index++)
        if (strcmp(filters[index].gpu, info->name) == 0)
            return &filters[index].filter;
    return NULL;
}

bool sm_limits_of(int architecture, struct sm_limits *ret)
{
    const struct architecture *row = &architectures[0];
    for (int index = 1; index < ARCHITECTURE_COUNT; index++)
        if (architectures[index].number <= architecture)
            row = &architectures[index];
    const struct architecture own = {known_row.of,          known_row.threads,
                                     known_row.blocks,      known_row.shared_bytes,
                                     known_row.shared_unit, known_row.shared_reserved};
    if (own.threads > 0 && own.number == architecture)
        row = &own;
    *ret = common;
    ret->threads = row->threads;
    ret->blocks = row->blocks;
    ret->shared_bytes = row->shared_bytes;
    ret->shared_unit = row->shared_unit;
    ret->shared_reserved = row->shared_reserved;
    return row->number == architecture;
}

/* The most shared memory of a block that opts in: all of an SM's but the reserve. */
static int shared_opt_in(const struct sm_limits *sm)
{
    return sm->shared_bytes - sm->shared_reserved;
}

bool block_needs_of(const struct sm_limits *sm, const struct kernel *kernel,
                    const struct code_figures *figures, struct block_needs *ret)
{
    const struct device_limits limits = {.max_threads_per_block = sm->block_threads,
                                         .shared_bytes_per_block = (size_t)sm->block_shared,
                                         .shared_bytes_opt_in = (size_t)shared_opt_in(sm)};
    struct launch launch;
    if (!grid_block(kernel, 0, &limits, &launch))
        return false;
    ret->threads = (int)(launch.block[0] * launch.block[1] * launch.block[2]);
    ret->registers = (int)figures->registers;
    ret->shared_bytes = (int)(launch.shared_bytes + figures->shared_bytes);
    ret->opts_in = kernel->opts_in;
    return true;
}

static long long round_up(long long count, long long unit)
{
    return (count + unit - 1) / unit * unit;
}

struct occupancy occupancy_of(const struct sm_limits *sm, const struct block_needs *needs)
{
    const int warps = (int)(round_up(needs->threads, sm->warp_size) / sm->warp_size);
    /* Each warp takes its registers in one partition, and what is left there fits no other warp. */
    const long long of_warp =
        round_up((long long)needs->registers * sm->warp_size, sm->register_unit);
    const long long shared =
        round_up((long long)needs->shared_bytes + sm->shared_reserved, sm->shared_unit);
    struct occupancy occupancy = {.blocks = sm->blocks, .most_warps = sm->threads / sm->warp_size};
    int *allowed = occupancy.allowed;
    allowed[OCCUPANCY_BLOCKS] = sm->blocks;
    allowed[OCCUPANCY_THREADS] =
        needs->threads > sm->block_threads ? 0 : sm->threads / sm->warp_size / warps;
    allowed[OCCUPANCY_REGISTERS] =
        of_warp == 0 ? INT_MAX
                     : (int)(sm->registers / sm->partitions / of_warp) * sm->partitions / warps;
    const int shared_most = needs->opts_in ? shared_opt_in(sm) : sm->block_shared;
    allowed[OCCUPANCY_SHARED] = needs->shared_bytes > shared_most ? 0
                                : shared == 0                     ? INT_MAX
                                              : (int)(sm->shared_bytes / shared);
    for (int limit = 0; limit < OCCUPANCY_LIMIT_COUNT; limit++)
        if (occupancy.allowed[limit] < occupancy.blocks)
            occupancy.blocks = occupancy.allowed[limit];
    occupancy.warps = occupancy.blocks * warps;
    return occupancy;
}

double occupancy_percent(const struct occupancy *occupancy)
{
    return occupancy->most_warps > 0 ? 100.0 * occupancy->warps / occupancy->most_warps : 0;
}

const char *occupancy_limits_text(const struct occupancy *occupancy,
                                  char ret_text[OCCUPANCY_TEXT_BYTES])
{
    static const char *const words[OCCUPANCY_LIMIT_COUNT] = {
        [OCCUPANCY_THREADS] = "threads",
        [OCCUPANCY_BLOCKS] = "blocks",
        [OCCUPANCY_REGISTERS] = "registers",
        [OCCUPANCY_SHARED] = "shared",
    };
    ret_text[0] = 0;
    for (int limit = 0; limit < OCCUPANCY_LIMIT_COUNT; limit++)
        if (occupancy->allowed[limit] == occupancy->blocks)
            text_list(ret_text, OCCUPANCY_TEXT_BYTES, "+", words[limit]);
    return ret_text;
}

uint64_t transactions_asked(const struct warp_access *access, int piece_bytes)
{
    const uint64_t bytes = (uint64_t)piece_bytes;
    uint64_t count = 0, next = 0; /* the first piece that is not counted yet: they ascend */
    for (int thread = 0; thread < access->threads; thread++) {
        const uint64_t begin = access->first_byte + (uint64_t)thread * access->stride_bytes;
        const uint64_t first = begin / bytes > next ? begin / bytes : next;
        const uint64_t end = (begin + (uint64_t)access->element_bytes - 1) / bytes + 1;
        if (end <= first)
            continue;
        count += end - first;
        next = end;
    }
    return count;
}

uint64_t transactions_loaded(const struct warp_access *access, int fetch_bytes)
{
    return transactions_asked(access, fetch_bytes) * (uint64_t)fetch_bytes;
}

uint64_t transactions_stored(const struct warp_access *access)
{
    const bool is_partial = access->stride_bytes > (uint64_t)access->element_bytes;
    return transactions_asked(access, TRANSACTION_SECTOR_BYTES) * TRANSACTION_SECTOR_BYTES *
           (is_partial ? 2 : 1);
}

/* Sorts and names of devices. A new sort is a row here. */

const char *library_name(enum library library)
{
    static const char *const names[LIBRARY_COUNT] = {
        [LIBRARY_CUDA] = "libcuda",
        [LIBRARY_JIT] = "jit",
        [LIBRARY_NVML] = "nvml",
    };
    return names[library];
}

static bool open_libcuda(struct cuda_driver *ret, struct reason *ret_reason)
{
    struct driver_refusal refusal;
    return driver_open_libcuda(ret, &refusal) ||
           reason_set(ret_reason, refusal.absent ? REASON_ABSENT : REASON_BROKEN, "%s",
                      refusal.text);
}

static bool open_emulation(struct cuda_driver *ret, struct reason *ret_reason)
{
    (void)ret_reason;
    driver_open_host(ret);
    return true;
}

static bool open_nothing(struct cuda_driver *ret, struct reason *ret_reason)
{
    (void)ret;
    return reason_set(ret_reason, REASON_ABSENT,
                      "an architecture is no device: nothing runs on it");
}

const struct device_kind device_kinds[DEVICE_KIND_COUNT] = {
    [DEVICE_GPU] = {.label = "cuda:",
                    .is_numbered = true,
                    .paths_of = DEVICE_GPU,
                    .is_gpu = true,
                    .open_driver = open_libcuda,
                    .is_timed = true,
                    .is_shared = true,
                    .has_one_nan = true,
                    .has_choice = true,
                    .has_sets = true,
                    .elements_max = 1 << 24},
    /* Two rows just past 2^16 are among its cases. */
    [DEVICE_HOST] = {.label = "host",
                     .paths_of = DEVICE_HOST,
                     .open_driver = open_emulation,
                     .is_emulated = true,
                     .has_sets = true,
                     .elements_max = 9 << 14},
    /* Machine code for it can be read if there is no such device. */
    [DEVICE_ARCHITECTURE] = {.label = "sm_",
                             .is_numbered = true,
                             .paths_of = DEVICE_GPU,
                             .open_driver = open_nothing,
                             .has_choice = true},
};

const struct device_set device_host = {.kind = DEVICE_HOST};

const struct device_kind *device_kind(const struct device_info *info)
{
    return &device_kinds[info->id.kind];
}

bool device_is_same(struct device_set left, struct device_set right)
{
    return left.kind == right.kind && left.others == right.others &&
           memcmp(left.ordinal, right.ordinal,
                  (size_t)(left.others + 1) * sizeof left.ordinal[0]) == 0;
}

const char *device_label(struct device_set id, char ret_text[DEVICE_LABEL_BYTES])
{
    const struct device_kind *kind = &device_kinds[id.kind];
    snprintf(ret_text, DEVICE_LABEL_BYTES, "%s", kind->label);
    if (!kind->is_numbered && id.others > 0)
        text_add(ret_text, DEVICE_LABEL_BYTES, ":");
    for (int member = 0; member <= id.others && (kind->is_numbered || id.others > 0); member++)
        text_add(ret_text, DEVICE_LABEL_BYTES, "%s%d", member ? "+" : "", id.ordinal[member]);
    return ret_text;
}

bool device_is_single(const char *label)
{
    return strchr(label, '+') == NULL;
}

const struct device_kind *device_kind_of(const char *label)
{
    struct device_set id = {.kind = DEVICE_GPU};
    device_find(label, &id);
    return &device_kinds[id.kind];
}

/* Reads "0+1" as the set's numbers. Spellings that device_label does not have go through. */
static void read_ordinals(const char *text, struct device_set *set)
{
    int letters = 0;
    for (int member = 0; member < DEVICE_SET_MAX; member++, text += letters + 1) {
        if (sscanf(text, "%4d%n", &set->ordinal[member], &letters) != 1)
            break;
        set->others = member;
        if (text[letters] != '+')
            break;
    }
}

static bool has_duplicates(const struct device_set *set)
{
    for (int right = 1; right <= set->others; right++)
        for (int left = 0; left < right; left++)
            if (set->ordinal[left] == set->ordinal[right])
                return true;
    return false;
}

bool device_set_is_valid(const struct device_set *set)
{
    if (set->others < 0 || set->others >= DEVICE_SET_MAX || has_duplicates(set))
        return false;
    for (int member = 0; member <= set->others; member++)
        if (set->ordinal[member] < 0)
            return false;
    return true;
}

struct device_set device_set_of(int kind, int ordinal)
{
    return (struct device_set){.kind = kind, .ordinal = {ordinal}};
}

struct device_set device_set_member(const struct device_set *set, int member)
{
    return device_set_of(set->kind, set->ordinal[member]);
}

/* Every device but the last moves one place round a circle from one round to the next; opposite
 * ones are a pair. With an odd number one of them has nobody opposite. */
int device_pairs(const struct device_set *devices, int count, struct device_set *ret)
{
    const int places = count + count % 2;
    int made = 0;
    for (int round = 0; round < places - 1; round++) {
        for (int place = 0; place < places / 2; place++) {
            const int left = (round + place) % (places - 1);
            const int opposite = (round + places - 1 - place) % (places - 1);
            const int right = place == 0 ? places - 1 : opposite;
            const int pair[] = {left < right ? left : right, left < right ? right : left};
            for (int turn = 0; turn < 2 && pair[1] < count; turn++)
                ret[made++] = (struct device_set){
                    .kind = devices[0].kind,
                    .others = 1,
                    .ordinal = {devices[pair[turn]].ordinal[0], devices[pair[!turn]].ordinal[0]}};
        }
    }
    return made;
}

static int common_members(const struct device_set *left, const struct device_set *right)
{
    int count = 0;
    for (int one = 0; one <= left->others; one++)
        for (int other = 0; other <= right->others; other++)
            count += left->ordinal[one] == right->ordinal[other];
    return count;
}

bool device_sets_can_run_together(const struct device_set *left, const struct device_set *right)
{
    const int shared = common_members(left, right);
    if (left->others == 0 || right->others == 0)
        return left->others == right->others;
    return shared == 0 || (shared == left->others + 1 && left->others == right->others);
}

bool device_find(const char *label, struct device_set *ret)
{
    char own[DEVICE_LABEL_BYTES];
    for (int number = 0; number < DEVICE_KIND_COUNT; number++) {
        const struct device_kind *kind = &device_kinds[number];
        struct device_set id = {.kind = number};
        const char *rest = label + strlen(kind->label);
        if (strncmp(label, kind->label, strlen(kind->label)) != 0)
            continue;
        if (kind->is_numbered || *rest == ':')
            read_ordinals(rest + !kind->is_numbered, &id);
        if (!device_set_is_valid(&id) || (id.others > 0 && !kind->has_sets) ||
            strcmp(device_label(id, own), label) != 0)
            continue;
        *ret = id;
        return true;
    }
    return false;
}

uint64_t device_share_bytes(const struct device_info *info)
{
    const uint64_t most = info->memory_bytes / 33 * 5; /* of 6.6 parts one */
    uint64_t bytes = most > 0;
    while (bytes > 0 && bytes <= most / 2)
        bytes *= 2;
    return bytes;
}

double device_peak_gbps(const struct device_info *info)
{
    return 2.0 * info->memory_clock_khz * 1e3 * info->memory_bus_bits / 8 / 1e9;
}

double device_l2_peak_gbps(const struct device_info *info)
{
    enum { BYTES_A_CLOCK = 64 };
    return (double)BYTES_A_CLOCK * info->limits.multiprocessor_count * info->sm_clock_khz * 1e3 /
           1e9;
}

double device_peak_gflops(const struct device_info *info)
{
    /* f32 lanes of a multiprocessor: the CUDA programming guide's table of arithmetic
     * throughput. */
    const int capability = info->limits.compute_capability;
    const int lanes = capability == 0 ? 0 : capability <= 80 && capability >= 70 ? 64 : 128;
    return 2.0 * info->limits.multiprocessor_count * lanes * info->sm_clock_khz * 1e3 / 1e9;
}
